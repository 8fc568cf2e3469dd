// The command line, as a value. Google Benchmark's flags keep their names and meanings; one that
// can mean nothing here is refused by name instead of being ignored.
#pragma once

#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace ropebench {

// Bad usage: one line for stderr, exit code 2.
class UsageError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Options {
  std::vector<std::string> configs;    // empty: the reference workload
  std::vector<std::string> backends;   // cuda, vulkan, cpu; empty: the best that is there
  std::optional<int> device;           // index within each backend; empty: the first
  std::vector<std::string> variants;   // empty: every rotation that supports the case
  std::vector<std::string> protocols;  // empty: the config's, else cold
  std::vector<std::pair<std::string, std::string>> select;  // all of them must match exactly
  std::string out_dir;                                      // empty: nothing is stored
  std::string list;                                         // cases, devices, variants or empty
  bool dry_run = false;                                     // print the plan and run nothing

  // --benchmark_*
  bool list_tests = false;          // the ids of the cases alone
  std::string filter;               // regular expression on case ids; a leading - negates it
  std::string out;                  // result file; empty: none
  std::string out_format = "json";  // json, csv or console
  std::string format = "console";   // of standard output
  std::string color = "auto";
  int repetitions = 1;
  bool report_aggregates_only = false;
  bool counters_tabular = false;
  std::optional<double> min_time_s;                          // the protocol's least sampling time
  std::vector<std::pair<std::string, std::string>> context;  // added to the JSON context

  bool show_help = false;  // then `text` is the help
  bool show_version = false;
  std::string text;
};

// Throws UsageError. Reads nothing but its arguments.
Options ParseOptions(int argc, const char* const* argv);

// Google Benchmark's filter as a predicate on case ids: a regular expression searched for anywhere,
// negated by a leading '-'; empty and "all" accept everything. Throws UsageError on a bad
// expression.
std::function<bool(const std::string&)> MakeFilter(const std::string& filter);

}  // namespace ropebench
