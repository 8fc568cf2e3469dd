// Liger-Kernel's published benchmark rows as documents: the same digests as KernelIndex's own
// importer gives them, for the forward pass all of them, for the others all that do not hang on the
// protocol's wording, which is this suite's own.
//
// Speed rows are runs with a median and p20, p80 as measurements. Memory rows are runs without a
// time, their three figures as measurements under a protocol of their own. Each row's release of
// Liger is a label, since the source names no CUDA, driver or torch.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "evidence/run_record.h"

namespace ropebench {

inline constexpr std::size_t kMaxCsvBytes = std::size_t{64} << 20;

struct ImportedRun {
  int line = 0;
  std::string external_id;  // its case in the journal
  PublishedRun documents;
};

struct BadCsvRow {
  int line = 0;
  std::string reason;
};

struct LigerImport {
  std::vector<ImportedRun> runs;  // in the order of the rows
  std::vector<BadCsvRow> bad;     // likewise
  int passed_over = 0;            // rows of other kernels than rope
};

// The text has no header with the source's columns, in one line.
class ImportError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Imports what it can; a row that it cannot understand entirely is bad. Throws ImportError.
LigerImport ImportLiger(std::string_view csv);

}  // namespace ropebench
