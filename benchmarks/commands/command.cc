#include "benchmarks/commands/command.h"

#include <fmt/format.h>

#include <variant>

#include "manifests/digest.h"

namespace ropebench::commands {

bool Parse(CLI::App& app, int argc, const char* const* argv) {
  try {
    app.parse(argc, argv);
    return false;
  } catch (const CLI::CallForHelp&) {
    fmt::print("{}", app.help());
    return true;
  } catch (const CLI::ParseError& error) {
    throw UsageError(fmt::format("{}: {}", app.get_name(), OneLine(error.what())));
  }
}

ReadDocument ReadRun(const std::filesystem::path& file) {
  return Reading(file, [&] {
    const std::string text = ReadNamedFile(file, kMaxManifestBytes);
    try {
      ReadDocument document = ReadManifest(text);
      if (std::holds_alternative<BenchmarkRun>(document.fields)) return document;
    } catch (const ManifestError& error) {
      throw ReadError(error.what());
    }
    throw ReadError("is no run");
  });
}

std::string Short(std::string_view digest) { return std::string(HexOf(digest).substr(0, 12)); }

const StoredRun& FindRun(std::string_view command, std::span<const StoreReport> stores,
                         const std::string& prefix) {
  const StoredRun* found = nullptr;
  for (const StoreReport& store : stores) {
    for (const StoredRun& run : store.runs) {
      const std::string& digest = run.run->manifest.digest;
      if (!digest.starts_with(prefix) && !HexOf(digest).starts_with(prefix)) continue;
      if (found != nullptr && found->run->manifest.digest != digest) {
        throw UsageError(fmt::format("{}: {} means several runs", command, OneLine(prefix)));
      }
      found = &run;
    }
  }
  if (found == nullptr) throw UsageError(fmt::format("{}: no run {}", command, OneLine(prefix)));
  return *found;
}

}  // namespace ropebench::commands
