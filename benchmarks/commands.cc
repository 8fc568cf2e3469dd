#include "benchmarks/commands.h"

#include <string_view>

#include "benchmarks/commands/command.h"

namespace ropebench {
namespace {

struct Command {
  std::string_view word;
  int (*run)(int argc, const char* const* argv);  // argv[0] is the word
};
constexpr Command kCommands[] = {
    {"verify", commands::Verify}, {"import", commands::Import},
    {"rank", commands::Rank},     {"bundle", commands::Bundle},
    {"cite", commands::Cite},     {"replicate", commands::ReplicateRun},
};

}  // namespace

std::optional<int> RunCommand(int argc, const char* const* argv) {
  if (argc < 2) return std::nullopt;
  for (const Command& command : kCommands) {
    if (command.word == argv[1]) return command.run(argc - 1, argv + 1);
  }
  return std::nullopt;
}

}  // namespace ropebench
