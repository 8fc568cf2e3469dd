// The words that can stand before options: what is done with results instead of making them.
//
//   ropebench verify DIR|FILE             0 nothing is wrong, 1 something is
//   ropebench import liger CSV --out DIR  0 every row is stored, 1 some are bad
//   ropebench import gbench JSON --out DIR    likewise; JSON is a --benchmark_out of ours
//   ropebench rank DIR...                 0 there is a cohort, 1 there is none
//   ropebench bundle DIR -o FILE          0 the bundle is written, 1 it is refused
//   ropebench replicate RUN               0 it is reproduced here, 1 it is not
//   ropebench cite RUN                    0
//
// Every one of them: 2 bad usage, or what it needs cannot be read or written, with one line on
// standard error.
#pragma once

#include <optional>

namespace ropebench {

// The exit code of the command that argv[1] names; nothing if it names none. Throws
// std::exception with one line for exit code 2.
std::optional<int> RunCommand(int argc, const char* const* argv);

}  // namespace ropebench
