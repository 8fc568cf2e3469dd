#include "kernels/cpu/parallel_for.h"

#include <algorithm>
#include <exception>
#include <thread>
#include <vector>

namespace ropebench {

void ParallelFor(std::int64_t count, std::int64_t grain,
                 const std::function<void(std::int64_t, std::int64_t)>& body) {
  if (count <= 0) return;
  const std::int64_t most = std::max<std::int64_t>(1, count / grain);
  const std::int64_t hardware = std::max(1u, std::thread::hardware_concurrency());
  const std::int64_t parts = std::min(most, hardware);
  const auto begin_of = [&](std::int64_t part) {
    return count / parts * part + std::min(part, count % parts);
  };
  std::vector<std::exception_ptr> errors(static_cast<std::size_t>(parts));
  const auto run = [&](std::int64_t part) {
    try {
      body(begin_of(part), begin_of(part + 1));
    } catch (...) {
      errors[static_cast<std::size_t>(part)] = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> threads;
    for (std::int64_t part = 1; part < parts; ++part) threads.emplace_back(run, part);
    run(0);
  }
  for (const std::exception_ptr& error : errors) {
    if (error) std::rethrow_exception(error);
  }
}

}  // namespace ropebench
