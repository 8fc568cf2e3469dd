#include "backends/vulkan/vulkan_backend.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "backends/vulkan/physical_device.h"
#include "backends/vulkan/transfer.h"
#include "backends/vulkan/vulkan_case.h"
#include "backends/vulkan/vulkan_device.h"
#include "backends/vulkan/vulkan_options.h"
#include "backends/vulkan/vulkan_sampler.h"
#include "shaders/variants.h"

namespace ropebench {
namespace {

class VulkanBackend final : public Backend {
 public:
  VulkanBackend(std::shared_ptr<const VulkanInstance> instance, const PhysicalDevice& physical,
                int index, const VulkanOptions& options)
      : info_(physical.info),
        device_(std::move(instance), physical),
        transfer_(device_, options.force_staging, options.staging_bytes) {
    info_.index = index;
    for (const ShaderVariant& variant : ShaderVariants()) variants_.push_back(variant.variant);
  }

  const DeviceInfo& device() const override { return info_; }
  std::span<const KernelVariant> variants() const override { return variants_; }

  std::optional<std::string> WhyUnsupported(const KernelVariant& variant,
                                            const RopeWorkload& workload) const override {
    if (auto why = variant.why_unsupported(workload)) return why;
    const DeviceLimits& limits = device_.physical().limits;
    try {
      const CasePlan plan = MakePlan(workload, variant.role);
      if (auto why = WhyOverLimits(limits, plan)) return why;
      for (const LaunchStep& step : plan.steps) {
        const ShaderLaunch launch = Shader(variant).select(workload, step.params);
        if (auto why = WhyOverLimits(limits, launch, ParamBytes(step.params).size())) return why;
      }
    } catch (const std::range_error& error) {
      return error.what();
    }
    return std::nullopt;
  }

  std::unique_ptr<PreparedCase> Prepare(const KernelVariant& variant,
                                        const RopeWorkload& workload) override {
    if (const auto why = WhyUnsupported(variant, workload)) throw DeviceError(*why);
    return std::make_unique<VulkanCase>(device_, transfer_, Shader(variant), workload);
  }

  std::span<const Timer> timers() const override {
    static constexpr Timer kTimers[] = {Timer::kVulkanTimestamps};
    return kTimers;
  }
  std::optional<std::string> WhyNoTimer(Timer timer) const override {
    if (timer != Timer::kVulkanTimestamps) {
      return fmt::format("{} does not time the vulkan backend", Name(timer));
    }
    if (device_.physical().clock.valid_bits == 0) {
      return fmt::format("queue family {} of {} has no timestamps (timestampValidBits is 0)",
                         device_.physical().queue_family, info_.name);
    }
    return std::nullopt;
  }
  std::unique_ptr<Sampler> MakeSampler(Timer timer, std::uint64_t flush_bytes) override {
    if (const auto why = WhyNoTimer(timer)) throw DeviceError(*why);
    return std::make_unique<VulkanSampler>(device_, flush_bytes);
  }

 private:
  const ShaderVariant& Shader(const KernelVariant& variant) const {
    return ShaderVariants()[static_cast<std::size_t>(&variant - variants_.data())];
  }

  DeviceInfo info_;
  VulkanDevice device_;
  Transfer transfer_;
  std::vector<KernelVariant> variants_;
};

bool IsSet(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && std::string_view(value) == "1";
}

}  // namespace

VulkanOptions VulkanOptionsFromEnvironment() {
  VulkanOptions options;
  options.validate = IsSet("ROPEBENCH_VULKAN_VALIDATE");
  options.force_staging = IsSet("ROPEBENCH_VULKAN_STAGING");
  return options;
}

BackendDevices OpenVulkanBackend(const VulkanOptions& options) {
  BackendDevices backend{"vulkan", {}, ""};
  std::vector<std::string> reasons;
  try {
    const auto instance = std::make_shared<const VulkanInstance>(options);
    std::vector<PhysicalDevice> candidates;
    for (VkPhysicalDevice handle : instance->PhysicalDevices()) {
      candidates.push_back(Inspect(handle));
    }
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const PhysicalDevice& a, const PhysicalDevice& b) {
                       return a.preference < b.preference;
                     });
    for (const PhysicalDevice& candidate : candidates) {
      if (!candidate.why_unsuitable.empty()) {
        reasons.push_back(candidate.why_unsuitable);
        continue;
      }
      try {
        backend.devices.push_back(std::make_unique<VulkanBackend>(
            instance, candidate, static_cast<int>(backend.devices.size()), options));
      } catch (const DeviceError& error) {
        reasons.emplace_back(error.what());
      }
    }
    if (candidates.empty()) reasons.emplace_back("the Vulkan loader lists no device");
  } catch (const DeviceError& error) {
    reasons.emplace_back(error.what());
  }
  if (backend.devices.empty()) backend.why_none = fmt::format("{}", fmt::join(reasons, "; "));
  return backend;
}

BackendDevices OpenVulkanBackend() { return OpenVulkanBackend(VulkanOptionsFromEnvironment()); }

}  // namespace ropebench
