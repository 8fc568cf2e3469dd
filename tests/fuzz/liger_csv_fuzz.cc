// libFuzzer target: no CSV breaks the importer, every row ends as a run, a bad row or a row of
// another kernel, and what is imported keeps the rules of its documents.
#include <string>

#include "evidence/csv.h"
#include "evidence/import_liger.h"
#include "manifests/read_kinds.h"
#include "tests/fuzz/fuzz_target.h"

namespace ropebench {
namespace {

constexpr std::string_view kHeader =
    "kernel_name,kernel_provider,kernel_operation_mode,metric_name,metric_unit,x_name,x_label,"
    "x_value,y_value_50,y_value_20,y_value_80,extra_benchmark_config_str,gpu_name,timestamp,"
    "liger_version\n";

void ProbeCsv(std::string_view text) {
  const std::vector<CsvRow> rows = ReadCsv(text);
  int line = 0;
  for (const CsvRow& row : rows) {
    if (row.line <= line || row.error.empty() == row.fields.empty()) abort();
    line = row.line;
  }
  LigerImport result;
  try {
    result = ImportLiger(text);
  } catch (const ImportError&) {
    return;
  }
  const std::size_t ended =
      result.runs.size() + result.bad.size() + static_cast<std::size_t>(result.passed_over);
  if (ended + 1 != rows.size()) abort();
  for (const ImportedRun& run : result.runs) {
    const PublishedRun& documents = run.documents;
    for (const Manifest* manifest :
         {&documents.operation, &documents.workload, &documents.implementation, &documents.protocol,
          &documents.environment, &documents.run}) {
      if (ReadKind(manifest->document).manifest.digest != manifest->digest) abort();
    }
  }
}

}  // namespace

int FuzzLigerCsv(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  ProbeCsv(text);
  ProbeCsv(std::string(kHeader) + text);
  return 0;
}

}  // namespace ropebench
