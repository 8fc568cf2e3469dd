// What is behind --benchmark_format and --benchmark_out: a console table, and Google
// Benchmark's JSON and CSV layouts in strict form, all from one list of rows.
//
// Google Benchmark's own JSON writes NaN, raw control bytes and locale-grouped integers, which no
// strict parser accepts; its CSV does not quote. Names here are case ids, without the suffixes that
// it appends for its own bookkeeping.
#pragma once

#include <benchmark/benchmark.h>

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ropebench {

// One printed line: a run of a case or an aggregate over its repetitions.
struct ReportRow {
  std::string name;       // case id, with _mean, _median, ... for aggregates
  std::string run_name;   // case id
  std::string aggregate;  // mean, median, stddev, cv or empty
  std::int64_t repetition = 0;
  std::int64_t repetitions = 1;
  std::int64_t iterations = 1;
  double real_time = 0.0;  // in time_unit; a ratio where that is empty
  std::string time_unit;
  std::string error;       // what went wrong; then no time or counter is reported
  std::string run_digest;  // of the BenchmarkRun manifest; empty for aggregates
  std::map<std::string, double> counters;
};

// Reads a run of either supported version of Google Benchmark.
ReportRow MakeRow(const benchmark::BenchmarkReporter::Run& run);

// Google Benchmark's JSON document, one entry per row; numbers that JSON cannot hold are left out.
// `evidence` (RunArchive) stands beside the rows unless it is null.
std::string RenderJson(const nlohmann::ordered_json& context, const std::vector<ReportRow>& rows,
                       const nlohmann::json& evidence = nullptr);

// CSV by RFC 4180 with Google Benchmark's leading columns, then every counter that any row has.
std::string RenderCsv(const std::vector<ReportRow>& rows);

struct ConsoleStyle {
  bool tabular = true;          // counters as columns, else as key=value
  bool color = false;           // ANSI colours
  std::size_t name_width = 10;  // of the longest row name
};

// The table's head, and one line per row; each ends with a newline.
std::string ConsoleHeader(const ConsoleStyle& style);
std::string ConsoleLine(const ReportRow& row, const ConsoleStyle& style);

// Keeps every row, and prints it at once to standard output in the format console. In the formats
// json and csv all output comes at the end.
class SuiteReporter final : public benchmark::BenchmarkReporter {
 public:
  SuiteReporter(std::string format, ConsoleStyle style, nlohmann::ordered_json context);

  bool ReportContext(const Context& context) override;
  void ReportRuns(const std::vector<Run>& runs) override;
  void Finalize() override;

  // The rows so far as json, csv or console. Only json can hold the evidence.
  std::string Render(const std::string& format, const nlohmann::json& evidence = nullptr) const;

 private:
  std::string format_;
  ConsoleStyle style_;
  nlohmann::ordered_json context_;
  std::vector<ReportRow> rows_;
};

}  // namespace ropebench
