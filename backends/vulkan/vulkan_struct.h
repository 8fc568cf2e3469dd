// Vulkan's parameter structures, all zero but for their type.
#pragma once

#include <vulkan/vulkan.h>

namespace ropebench {

// `next` continues the structure's chain and must live as long as the result is used.
template <typename T>
T VulkanStruct(VkStructureType type, void* next = nullptr) {
  T result{};
  result.sType = type;
  result.pNext = next;
  return result;
}

}  // namespace ropebench
