#include "backends/vulkan/physical_device.h"

#include <fmt/format.h>
#include <sys/utsname.h>

#include <algorithm>
#include <cstring>
#include <string_view>

#include "backends/vulkan/vulkan_error.h"
#include "backends/vulkan/vulkan_struct.h"

namespace ropebench {
namespace {

// Vendors by their PCI id, and by Khronos' own numbers above 0x10000.
std::string VendorToken(std::uint32_t id) {
  switch (id) {
    case 0x1002:
      return "amd";
    case 0x1010:
      return "imagination";
    case 0x106b:
      return "apple";
    case 0x10de:
      return "nvidia";
    case 0x13b5:
      return "arm";
    case 0x14e4:
      return "broadcom";
    case 0x1ae0:
      return "google";
    case 0x5143:
      return "qualcomm";
    case 0x8086:
      return "intel";
    case 0x10005:
      return "mesa";
    default:
      return fmt::format("vendor_{:x}", id);
  }
}

int Preference(VkPhysicalDeviceType type) {
  switch (type) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
      return 0;
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
      return 1;
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
      return 2;
    case VK_PHYSICAL_DEVICE_TYPE_CPU:
      return 3;
    default:
      return 4;
  }
}

std::vector<MemoryType> MemoryTypes(const VkPhysicalDeviceMemoryProperties& memory) {
  constexpr VkMemoryPropertyFlags kOrdinary =
      VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT | VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
      VK_MEMORY_PROPERTY_HOST_COHERENT_BIT | VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
  std::vector<MemoryType> types;
  for (std::uint32_t i = 0; i < memory.memoryTypeCount; ++i) {
    const VkMemoryPropertyFlags flags = memory.memoryTypes[i].propertyFlags;
    types.push_back({memory.memoryHeaps[memory.memoryTypes[i].heapIndex].size,
                     (flags & VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT) != 0,
                     (flags & VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT) != 0,
                     (flags & VK_MEMORY_PROPERTY_HOST_COHERENT_BIT) != 0,
                     (flags & VK_MEMORY_PROPERTY_HOST_CACHED_BIT) != 0, (flags & ~kOrdinary) != 0});
  }
  return types;
}

// The first queue family that computes, if possible one with timestamps.
std::optional<std::uint32_t> ComputeFamily(const std::vector<VkQueueFamilyProperties>& families) {
  std::optional<std::uint32_t> found;
  for (std::uint32_t i = 0; i < families.size(); ++i) {
    if ((families[i].queueFlags & VK_QUEUE_COMPUTE_BIT) == 0) continue;
    if (families[i].timestampValidBits != 0) return i;
    if (!found) found = i;
  }
  return found;
}

bool HasExtension(VkPhysicalDevice handle, std::string_view name) {
  std::uint32_t count = 0;
  Check(vkEnumerateDeviceExtensionProperties(handle, nullptr, &count, nullptr),
        "listing device extensions");
  std::vector<VkExtensionProperties> extensions(count);
  Check(vkEnumerateDeviceExtensionProperties(handle, nullptr, &count, extensions.data()),
        "listing device extensions");
  return std::any_of(extensions.begin(), extensions.end(),
                     [name](const auto& extension) { return name == extension.extensionName; });
}

}  // namespace

PhysicalDevice Inspect(VkPhysicalDevice handle) {
  PhysicalDevice device;
  device.handle = handle;

  VkPhysicalDeviceProperties basic{};
  vkGetPhysicalDeviceProperties(handle, &basic);
  device.info.backend = "vulkan";
  device.info.name = basic.deviceName;
  device.info.vendor = VendorToken(basic.vendorID);
  device.preference = Preference(basic.deviceType);
  if (basic.apiVersion < VK_API_VERSION_1_2) {
    device.why_unsuitable =
        fmt::format("{}: Vulkan {}.{}, needs 1.2", basic.deviceName,
                    VK_API_VERSION_MAJOR(basic.apiVersion), VK_API_VERSION_MINOR(basic.apiVersion));
    return device;
  }

  auto maintenance4 = VulkanStruct<VkPhysicalDeviceMaintenance4Properties>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_PROPERTIES);
  auto vulkan12 = VulkanStruct<VkPhysicalDeviceVulkan12Properties>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES);
  vulkan12.pNext = basic.apiVersion >= VK_API_VERSION_1_3 ? &maintenance4 : nullptr;
  auto vulkan11 = VulkanStruct<VkPhysicalDeviceVulkan11Properties>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES, &vulkan12);
  auto properties = VulkanStruct<VkPhysicalDeviceProperties2>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &vulkan11);
  vkGetPhysicalDeviceProperties2(handle, &properties);
  auto features12 = VulkanStruct<VkPhysicalDeviceVulkan12Features>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
  auto features = VulkanStruct<VkPhysicalDeviceFeatures2>(
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &features12);
  vkGetPhysicalDeviceFeatures2(handle, &features);
  VkPhysicalDeviceMemoryProperties memory{};
  vkGetPhysicalDeviceMemoryProperties(handle, &memory);
  std::uint32_t count = 0;
  vkGetPhysicalDeviceQueueFamilyProperties(handle, &count, nullptr);
  std::vector<VkQueueFamilyProperties> families(count);
  vkGetPhysicalDeviceQueueFamilyProperties(handle, &count, families.data());

  const std::optional<std::uint32_t> family = ComputeFamily(families);
  if (features12.bufferDeviceAddress != VK_TRUE) {
    device.why_unsuitable = fmt::format("{}: no bufferDeviceAddress", basic.deviceName);
    return device;
  }
  if (!family) {
    device.why_unsuitable = fmt::format("{}: no queue that computes", basic.deviceName);
    return device;
  }
  device.queue_family = *family;
  device.clock = {families[*family].timestampValidBits,
                  static_cast<double>(basic.limits.timestampPeriod)};
  device.portability_subset = HasExtension(handle, "VK_KHR_portability_subset");
  device.memory_types = MemoryTypes(memory);

  const VkPhysicalDeviceLimits& limits = basic.limits;
  std::copy_n(limits.maxComputeWorkGroupCount, 3, device.limits.max_groups);
  device.limits.max_group_size =
      std::min(limits.maxComputeWorkGroupInvocations, limits.maxComputeWorkGroupSize[0]);
  device.limits.max_push_bytes = limits.maxPushConstantsSize;
  device.limits.max_buffer_bytes = vulkan11.maxMemoryAllocationSize;
  if (maintenance4.maxBufferSize != 0) {
    device.limits.max_buffer_bytes =
        std::min<std::uint64_t>(device.limits.max_buffer_bytes, maintenance4.maxBufferSize);
  }
  for (const MemoryType& type : device.memory_types) {
    if (type.device_local && !type.special) {
      device.limits.memory_bytes = std::max(device.limits.memory_bytes, type.heap_bytes);
    }
  }
  device.float_controls = {vulkan12.shaderRoundingModeRTEFloat32 == VK_TRUE,
                           vulkan12.shaderSignedZeroInfNanPreserveFloat32 == VK_TRUE,
                           vulkan12.shaderDenormPreserveFloat32 == VK_TRUE};

  device.info.driver = vulkan12.driverInfo;
  if (device.info.driver.empty()) device.info.driver = fmt::format("{:#x}", basic.driverVersion);
  std::array<std::uint8_t, 16> uuid{};
  static_assert(sizeof vulkan11.deviceUUID == sizeof uuid);
  std::memcpy(uuid.data(), vulkan11.deviceUUID, uuid.size());
  if (uuid != std::array<std::uint8_t, 16>{}) device.info.uuid = uuid;
  device.info.memory_bytes = device.limits.memory_bytes;
  device.info.max_buffer_bytes = device.limits.max_buffer_bytes;
  device.info.architecture = "gpu";
  if (basic.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU) {
    device.info.is_software = true;
    utsname names{};
    if (uname(&names) == 0) device.info.architecture = names.machine;
  }
  return device;
}

}  // namespace ropebench
