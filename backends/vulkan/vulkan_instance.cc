#include "backends/vulkan/vulkan_instance.h"

#include <algorithm>
#include <string_view>

#include "backends/backend.h"
#include "backends/vulkan/vulkan_error.h"
#include "backends/vulkan/vulkan_struct.h"

namespace ropebench {
namespace {

constexpr const char* kValidationLayer = "VK_LAYER_KHRONOS_validation";

std::vector<VkExtensionProperties> InstanceExtensions(const char* layer) {
  std::uint32_t count = 0;
  Check(vkEnumerateInstanceExtensionProperties(layer, &count, nullptr), "listing extensions");
  std::vector<VkExtensionProperties> extensions(count);
  Check(vkEnumerateInstanceExtensionProperties(layer, &count, extensions.data()),
        "listing extensions");
  return extensions;
}

bool Offers(const std::vector<VkExtensionProperties>& extensions, std::string_view name) {
  return std::any_of(extensions.begin(), extensions.end(),
                     [name](const auto& extension) { return name == extension.extensionName; });
}

bool HasValidationLayer() {
  std::uint32_t count = 0;
  Check(vkEnumerateInstanceLayerProperties(&count, nullptr), "listing layers");
  std::vector<VkLayerProperties> layers(count);
  Check(vkEnumerateInstanceLayerProperties(&count, layers.data()), "listing layers");
  return std::any_of(layers.begin(), layers.end(), [](const VkLayerProperties& layer) {
    return std::string_view(layer.layerName) == kValidationLayer;
  });
}

VKAPI_ATTR VkBool32 VKAPI_CALL OnMessage(VkDebugUtilsMessageSeverityFlagBitsEXT,
                                         VkDebugUtilsMessageTypeFlagsEXT,
                                         const VkDebugUtilsMessengerCallbackDataEXT* data,
                                         void* log) {
  static_cast<ValidationLog*>(log)->Add(data->pMessage);
  return VK_FALSE;
}

}  // namespace

VulkanInstance::VulkanInstance(const VulkanOptions& options) {
  // The loader of Vulkan 1.0 lacks this call, and no such loader knows a 1.2 device.
  std::uint32_t loader_version = 0;
  Check(vkEnumerateInstanceVersion(&loader_version), "asking the Vulkan loader for its version");

  auto application = VulkanStruct<VkApplicationInfo>(VK_STRUCTURE_TYPE_APPLICATION_INFO);
  application.pApplicationName = "ropebench";
  application.apiVersion = VK_API_VERSION_1_3;
  auto create = VulkanStruct<VkInstanceCreateInfo>(VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO);
  create.pApplicationInfo = &application;

  std::vector<const char*> extensions;
  if (Offers(InstanceExtensions(nullptr), VK_KHR_PORTABILITY_ENUMERATION_EXTENSION_NAME)) {
    extensions.push_back(VK_KHR_PORTABILITY_ENUMERATION_EXTENSION_NAME);
    create.flags |= VK_INSTANCE_CREATE_ENUMERATE_PORTABILITY_BIT_KHR;
  }

  auto messenger = VulkanStruct<VkDebugUtilsMessengerCreateInfoEXT>(
      VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT);
  messenger.messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
  messenger.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT;
  messenger.pfnUserCallback = OnMessage;
  const VkValidationFeatureEnableEXT enabled[] = {
      VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT};
  auto features = VulkanStruct<VkValidationFeaturesEXT>(VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT);
  features.enabledValidationFeatureCount = 1;
  features.pEnabledValidationFeatures = enabled;
  if (options.validate) {
    if (!HasValidationLayer() ||
        !Offers(InstanceExtensions(kValidationLayer), VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME)) {
      throw DeviceError(
          "validation is asked for, but there is no VK_LAYER_KHRONOS_validation with "
          "VK_EXT_validation_features; install vulkan-validationlayers");
    }
    log_ = options.log ? options.log : std::make_shared<ValidationLog>();
    messenger.pUserData = log_.get();
    extensions.push_back(VK_EXT_DEBUG_UTILS_EXTENSION_NAME);
    extensions.push_back(VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME);
    create.enabledLayerCount = 1;
    create.ppEnabledLayerNames = &kValidationLayer;
    features.pNext = &messenger;  // for what is found while the instance comes and goes
    create.pNext = &features;
  }
  create.enabledExtensionCount = static_cast<std::uint32_t>(extensions.size());
  create.ppEnabledExtensionNames = extensions.data();

  const VkResult result = vkCreateInstance(&create, nullptr, &instance_);
  if (result == VK_ERROR_INCOMPATIBLE_DRIVER) {
    throw DeviceError(
        "no Vulkan driver was found (VK_ERROR_INCOMPATIBLE_DRIVER); install the GPU's driver, or "
        "mesa-vulkan-drivers for a software device");
  }
  Check(result, "opening Vulkan");

  if (options.validate) {
    const auto create_messenger = reinterpret_cast<PFN_vkCreateDebugUtilsMessengerEXT>(
        vkGetInstanceProcAddr(instance_, "vkCreateDebugUtilsMessengerEXT"));
    create_messenger(instance_, &messenger, nullptr, &messenger_);
  }
}

VulkanInstance::~VulkanInstance() {
  if (messenger_ != VK_NULL_HANDLE) {
    const auto destroy_messenger = reinterpret_cast<PFN_vkDestroyDebugUtilsMessengerEXT>(
        vkGetInstanceProcAddr(instance_, "vkDestroyDebugUtilsMessengerEXT"));
    destroy_messenger(instance_, messenger_, nullptr);
  }
  vkDestroyInstance(instance_, nullptr);
}

std::vector<VkPhysicalDevice> VulkanInstance::PhysicalDevices() const {
  std::uint32_t count = 0;
  Check(vkEnumeratePhysicalDevices(instance_, &count, nullptr), "listing Vulkan devices");
  std::vector<VkPhysicalDevice> devices(count);
  Check(vkEnumeratePhysicalDevices(instance_, &count, devices.data()), "listing Vulkan devices");
  return devices;
}

void VulkanInstance::ThrowValidationErrors() const {
  if (log_) log_->ThrowNew();
}

}  // namespace ropebench
