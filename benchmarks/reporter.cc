#include "benchmarks/reporter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <set>
#include <string_view>
#include <utility>

namespace ropebench {
namespace {

// The counters of a passed case, in the order in which they are printed.
constexpr std::string_view kColumns[] = {"p20_ns", "p50_ns",   "p80_ns",         "samples",
                                         "bytes",  "GB_per_s", "percent_of_copy"};

// Google Benchmark 1.7 has error_occurred and error_message where 1.8 has skipped and skip_message.
template <typename Run>
std::string ErrorOf(const Run& run) {
  if constexpr (requires { run.error_occurred; }) {
    return run.error_occurred ? run.error_message : "";
  } else {
    return static_cast<int>(run.skipped) != 0 ? run.skip_message : "";
  }
}

std::string FormatCounter(std::string_view name, double value) {
  const bool is_count = name == "samples" || name == "bytes" || name.ends_with("_ns");
  return is_count ? fmt::format("{:.0f}", value) : fmt::format("{:.1f}", value);
}

// RFC 4180: fields with a separator, a quote or a line break are quoted, quotes doubled.
std::string CsvField(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

}  // namespace

ReportRow MakeRow(const benchmark::BenchmarkReporter::Run& run) {
  ReportRow row;
  row.run_name = run.run_name.function_name;
  row.aggregate = run.aggregate_name;
  row.name =
      row.aggregate.empty() ? row.run_name : fmt::format("{}_{}", row.run_name, row.aggregate);
  row.repetition = std::max<std::int64_t>(0, run.repetition_index);
  row.repetitions = run.repetitions;
  row.iterations = run.iterations;
  row.time_unit = benchmark::GetTimeUnitString(run.time_unit);
  row.error = ErrorOf(run);
  if (!row.error.empty()) return row;
  // A coefficient of variation is a ratio, whatever the unit of the benchmark.
  const bool is_ratio = run.aggregate_unit == benchmark::StatisticUnit::kPercentage;
  row.real_time = is_ratio ? run.real_accumulated_time : run.GetAdjustedRealTime();
  if (is_ratio) row.time_unit = "";
  if (row.aggregate.empty()) row.run_digest = run.report_label;
  for (const auto& [name, counter] : run.counters) row.counters[name] = counter.value;
  return row;
}

std::string RenderJson(const nlohmann::ordered_json& context, const std::vector<ReportRow>& rows,
                       const nlohmann::json& evidence) {
  nlohmann::ordered_json entries = nlohmann::ordered_json::array();
  for (const ReportRow& row : rows) {
    nlohmann::ordered_json entry;
    entry["name"] = row.name;
    entry["run_name"] = row.run_name;
    entry["run_type"] = row.aggregate.empty() ? "iteration" : "aggregate";
    entry["repetitions"] = row.repetitions;
    if (row.aggregate.empty()) {
      entry["repetition_index"] = row.repetition;
    } else {
      entry["aggregate_name"] = row.aggregate;
      entry["aggregate_unit"] = row.time_unit.empty() ? "percentage" : "time";
    }
    entry["threads"] = 1;
    entry["iterations"] = row.iterations;
    if (row.error.empty()) {
      entry["real_time"] = row.real_time;
      // Tools that read this layout require cpu_time. The host's own time says nothing of a kernel.
      entry["cpu_time"] = row.real_time;
      if (!row.time_unit.empty()) entry["time_unit"] = row.time_unit;
      for (const auto& [name, value] : row.counters) {
        if (std::isfinite(value)) entry[name] = value;
      }
    } else {
      entry["error_occurred"] = true;
      entry["error_message"] = row.error;
    }
    if (!row.run_digest.empty()) entry["label"] = entry["run_digest"] = row.run_digest;
    entries.push_back(std::move(entry));
  }
  nlohmann::ordered_json document = {{"context", context}, {"benchmarks", entries}};
  if (!evidence.is_null()) document["evidence"] = nlohmann::ordered_json(evidence);
  return document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::string RenderCsv(const std::vector<ReportRow>& rows) {
  std::set<std::string> counters;
  for (const ReportRow& row : rows) {
    for (const auto& [name, value] : row.counters) counters.insert(name);
  }
  std::string csv = "name,iterations,real_time,time_unit,label,error_message";
  for (const std::string& name : counters) csv += fmt::format(",{}", CsvField(name));
  csv += "\r\n";
  for (const ReportRow& row : rows) {
    const bool failed = !row.error.empty();
    csv += fmt::format("{},{},{},{},{},{}", CsvField(row.name), row.iterations,
                       failed ? "" : fmt::format("{}", row.real_time), row.time_unit,
                       row.run_digest, CsvField(row.error));
    for (const std::string& name : counters) {
      const auto found = row.counters.find(name);
      const bool known = found != row.counters.end() && std::isfinite(found->second);
      csv += known ? fmt::format(",{}", found->second) : ",";
    }
    csv += "\r\n";
  }
  return csv;
}

std::string ConsoleHeader(const ConsoleStyle& style) {
  std::string head = fmt::format("{:<{}} {:>14}", "Case", style.name_width, "Time");
  if (style.tabular) {
    for (std::string_view column : kColumns)
      head += fmt::format(" {:>{}}", column, column.size() + 3);
  }
  return head + "\n" + std::string(head.size(), '-') + "\n";
}

std::string ConsoleLine(const ReportRow& row, const ConsoleStyle& style) {
  const auto paint = [&](const char* code, const std::string& text) {
    return style.color ? fmt::format("\033[{}m{}\033[m", code, text) : text;
  };
  std::string line = paint("32", fmt::format("{:<{}}", row.name, style.name_width));
  if (!row.error.empty()) return line + paint("31", " FAILED " + row.error) + "\n";
  line += paint("33", fmt::format(" {:>11.3f} {:<2}", row.real_time, row.time_unit));
  for (std::string_view column : kColumns) {
    const auto found = row.counters.find(std::string(column));
    const std::string value =
        found == row.counters.end() ? "" : FormatCounter(column, found->second);
    if (style.tabular) {
      line += fmt::format(" {:>{}}", value, column.size() + 3);
    } else if (!value.empty()) {
      line += fmt::format(" {}={}", column, value);
    }
  }
  if (row.counters.contains("above_peak")) line += paint("31", " ABOVE PEAK");
  return line + "\n";
}

SuiteReporter::SuiteReporter(std::string format, ConsoleStyle style, nlohmann::ordered_json context)
    : format_(std::move(format)), style_(style), context_(std::move(context)) {}

bool SuiteReporter::ReportContext(const Context&) {
  if (format_ == "console") std::cout << ConsoleHeader(style_) << std::flush;
  return true;
}

void SuiteReporter::ReportRuns(const std::vector<Run>& runs) {
  for (const Run& run : runs) {
    rows_.push_back(MakeRow(run));
    if (format_ == "console") std::cout << ConsoleLine(rows_.back(), style_) << std::flush;
  }
}

void SuiteReporter::Finalize() {
  if (format_ != "console") std::cout << Render(format_) << std::flush;
}

std::string SuiteReporter::Render(const std::string& format, const nlohmann::json& evidence) const {
  if (format == "json") return RenderJson(context_, rows_, evidence);
  if (format == "csv") return RenderCsv(rows_);
  ConsoleStyle plain = style_;
  plain.color = false;
  std::string text = ConsoleHeader(plain);
  for (const ReportRow& row : rows_) text += ConsoleLine(row, plain);
  return text;
}

}  // namespace ropebench
