#include "benchmarks/options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <regex>

#include "benchmarks/nearest_name.h"

namespace ropebench {
namespace {

struct RefusedFlag {
  const char* name;
  const char* reason;
};

constexpr RefusedFlag kRefusedFlags[] = {
    {"--benchmark_perf_counters", "the host's counters say nothing about a device"},
    {"--benchmark_enable_random_interleaving", "the sampling loop owns the order of launches"},
    {"--benchmark_min_warmup_time", "warm-up launches are part of the protocol"},
    {"--benchmark_dry_run", "use --dry-run"},
    {"--benchmark_display_aggregates_only", "use --benchmark_report_aggregates_only"},
    {"--benchmark_time_unit", "times are printed in microseconds and stored in nanoseconds"},
    {"--v", "there is no verbose log"},
};

std::pair<std::string, std::string> SplitPair(const std::string& flag, const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw UsageError(fmt::format("{}: expected key=value, got '{}'", flag, text));
  }
  return {text.substr(0, equals), text.substr(equals + 1)};
}

double ParseMinTime(std::string text) {
  if (!text.empty() && text.back() == 'x') {
    throw UsageError(
        "--benchmark_min_time: a count of iterations has no meaning here; give seconds");
  }
  if (!text.empty() && text.back() == 's') text.pop_back();
  double seconds = 0.0;
  if (!CLI::detail::lexical_cast(text, seconds) || !std::isfinite(seconds) || seconds < 0.0 ||
      seconds > 3600.0) {
    throw UsageError("--benchmark_min_time: expected seconds from 0 to 3600, got '" + text + "'");
  }
  return seconds;
}

// CLI11's own text for an unknown argument, with the nearest known one.
std::string ExplainUnknown(const CLI::App& app, const std::string& argument) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  const std::string flag = argument.substr(0, argument.find('='));
  return fmt::format("unknown argument {}{}", argument, DidYouMean(flag, names));
}

}  // namespace

Options ParseOptions(int argc, const char* const* argv) {
  Options options;
  CLI::App app{"ropebench: verified timings of rotary position embedding kernels", "ropebench"};
  app.set_help_flag();
  app.allow_extras();

  std::vector<std::string> select;
  std::vector<std::string> context;
  std::string min_time;

  app.add_flag("--help,-h", options.show_help, "Print this help");
  app.add_flag("--version", options.show_version, "Print version and revision");
  app.add_option("--config", options.configs, "YAML sweep; repeatable (see configs/README.md)")
      ->type_name("FILE")
      ->allow_extra_args(false);
  app.add_option("--backend", options.backends, "cuda, vulkan, cpu or auto")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_option("--device", options.device, "Index of the device, see --list devices")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--variant", options.variants, "Kernel variants, see --list variants; auto: the best by shape")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_option("--protocol", options.protocols, "cold, cold_events or do_bench")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_option("--select", select, "Cases whose keys have exactly these values, as key=value")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_option("--out", options.out_dir, "Store manifests, samples and a journal in this folder")
      ->type_name("DIR");
  app.add_option("--list", options.list, "List cases, devices or variants and exit")
      ->check(CLI::IsMember({"cases", "devices", "variants"}));
  app.add_flag("--dry-run", options.dry_run,
               "Print devices, protocols, cases and their expected time; run nothing");

  app.add_option("--benchmark_filter", options.filter, "Regular expression on case ids");
  app.add_flag("--benchmark_list_tests", options.list_tests, "List the ids of the cases and exit");
  app.add_option("--benchmark_out", options.out, "Write the results to this file")
      ->type_name("FILE");
  app.add_option("--benchmark_out_format", options.out_format, "json, csv or console")
      ->check(CLI::IsMember({"json", "csv", "console"}));
  app.add_option("--benchmark_format", options.format, "Format of standard output")
      ->check(CLI::IsMember({"json", "csv", "console"}));
  app.add_option("--benchmark_color", options.color, "auto, true or false")
      ->check(CLI::IsMember({"auto", "true", "false", "yes", "no", "1", "0"}));
  app.add_option("--benchmark_repetitions", options.repetitions, "Run each case so many times")
      ->check(CLI::Range(1, 1000));
  app.add_flag("--benchmark_report_aggregates_only", options.report_aggregates_only,
               "Report only mean, median and deviation of the repetitions");
  app.add_flag("--benchmark_counters_tabular", options.counters_tabular,
               "Print counters as columns");
  app.add_option("--benchmark_context", context, "key=value for the JSON context")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_option("--benchmark_min_time", min_time,
                 "Least sampling time of each case in seconds; changes the protocol's digest");

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    throw UsageError(error.what());
  }
  for (const std::string& extra : app.remaining()) {
    const std::string flag = extra.substr(0, extra.find('='));
    for (const RefusedFlag& refused : kRefusedFlags) {
      if (flag == refused.name) {
        throw UsageError(fmt::format("{} is refused: {}", refused.name, refused.reason));
      }
    }
    throw UsageError(ExplainUnknown(app, extra));
  }

  for (const std::string& item : select) options.select.push_back(SplitPair("--select", item));
  for (const std::string& item : context) {
    options.context.push_back(SplitPair("--benchmark_context", item));
  }
  if (!min_time.empty()) options.min_time_s = ParseMinTime(min_time);
  for (const std::string& backend : options.backends) {
    if (backend != "cuda" && backend != "vulkan" && backend != "cpu" && backend != "auto") {
      throw UsageError("--backend: expected cuda, vulkan, cpu or auto, got '" + backend + "'");
    }
  }
  if (options.show_help) options.text = app.help();
  return options;
}

std::function<bool(const std::string&)> MakeFilter(const std::string& filter) {
  if (filter.empty() || filter == "all") return [](const std::string&) { return true; };
  const bool negated = filter.front() == '-';
  try {
    std::regex expression(negated ? filter.substr(1) : filter,
                          std::regex::extended | std::regex::optimize);
    return [negated, expression = std::move(expression)](const std::string& id) {
      return std::regex_search(id, expression) != negated;
    };
  } catch (const std::regex_error& error) {
    throw UsageError(fmt::format("--benchmark_filter: bad regular expression: {}", error.what()));
  }
}

}  // namespace ropebench
