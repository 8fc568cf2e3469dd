#include "backends/vulkan/validation_log.h"

#include <utility>

#include "backends/backend.h"

namespace ropebench {

void ValidationLog::Add(std::string message) {
  const std::lock_guard lock(mutex_);
  messages_.push_back(std::move(message));
}

std::vector<std::string> ValidationLog::messages() const {
  const std::lock_guard lock(mutex_);
  return messages_;
}

void ValidationLog::ThrowNew() {
  std::string text;
  {
    const std::lock_guard lock(mutex_);
    for (; thrown_ < messages_.size(); ++thrown_) text += "\n" + messages_[thrown_];
  }
  if (!text.empty()) throw DeviceError("the Vulkan validation layer found errors:" + text);
}

}  // namespace ropebench
