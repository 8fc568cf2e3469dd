// How a run is cited: by its digest, which anyone can derive again from the document.
#pragma once

#include <string>

#include "manifests/kinds.h"

namespace ropebench {

// Digest, name, date, one sentence and a BibTeX entry, each on lines of its own. `digest` is that
// of the run's document.
std::string Citation(const BenchmarkRun& run, const std::string& digest);

}  // namespace ropebench
