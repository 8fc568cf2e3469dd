// One function per command of commands.h, and what they share.
//
// A command gets the command line from its own word on, prints what it found and returns the exit
// code. It throws std::exception with one line for exit code 2.
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "benchmarks/options.h"
#include "evidence/manifest_reader.h"
#include "evidence/verify.h"

namespace ropebench::commands {

int Verify(int argc, const char* const* argv);
int Import(int argc, const char* const* argv);
int Rank(int argc, const char* const* argv);
int Bundle(int argc, const char* const* argv);
int Cite(int argc, const char* const* argv);
int ReplicateRun(int argc, const char* const* argv);

inline constexpr int kExitDone = 0;
inline constexpr int kExitWrong = 1;

// Throws UsageError on bad usage; true if help was asked for and is printed.
bool Parse(CLI::App& app, int argc, const char* const* argv);

// A ReadError names no file: this adds it, as a UsageError.
template <typename Read>
auto Reading(const std::filesystem::path& path, Read read) {
  try {
    return read();
  } catch (const ReadError& error) {
    throw UsageError(fmt::format("{}: {}", OneLine(path.string()), error.what()));
  }
}

// The document of a run. Throws UsageError if the file holds none.
ReadDocument ReadRun(const std::filesystem::path& file);

// Enough of a digest to tell runs apart by eye.
std::string Short(std::string_view digest);

// The run whose digest begins so, with or without sha256:. Throws UsageError for none and several.
const StoredRun& FindRun(std::string_view command, std::span<const StoreReport> stores,
                         const std::string& prefix);

}  // namespace ropebench::commands
