// What machine the numbers come from.
#pragma once

#include <string>

#include "backends/backend.h"
#include "evidence/run_record.h"

namespace ropebench {

// The published environment of a device: hardware, operating system, kernel, driver and settings,
// and nothing of the build. Where `twin` is another backend's view of the same card (equal UUID),
// the environment is taken from it, so that both backends' runs name one machine.
EnvironmentFacts DescribeEnvironment(const DeviceInfo& device, const DeviceInfo* twin);

// Several lines for a person, printed before the first number: device, driver, system, build.
// A debug or sanitized build, or a dirty tree, is shouted.
std::string EnvironmentText(const DeviceInfo& device);

// The name and version of the operating system, for example Debian GNU/Linux 12 (bookworm).
std::string OperatingSystem();

}  // namespace ropebench
