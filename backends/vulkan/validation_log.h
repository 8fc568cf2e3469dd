// What the validation layer found wrong.
#pragma once

#include <cstddef>
#include <mutex>
#include <string>
#include <vector>

namespace ropebench {

// Filled by the layer's messenger from whatever thread it runs on.
class ValidationLog {
 public:
  void Add(std::string message);

  std::vector<std::string> messages() const;  // all of them, in order

  // Throws DeviceError with the messages that no earlier call has thrown, if there are any.
  void ThrowNew();

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> messages_;
  std::size_t thrown_ = 0;
};

}  // namespace ropebench
