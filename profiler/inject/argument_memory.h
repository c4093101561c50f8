// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/inject/launch_params.h"
#include "profiler/protocol/lifted_launch.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kl::inject {

/// The function of a launch: of a runtime library's launch the driver is given a CUkernel in place of a CUfunction.
CUfunc_st* resolveFunction(CUfunc_st* given);

/// The arguments of a launch as one buffer, in the kernel's layout; `places` receives each parameter's. Empty where the kernel takes none,
/// or the driver (older than 550) cannot describe them.
std::string argumentBytes(const LaunchParams& launch, CUfunc_st* function, std::vector<LiftedParameter>& places);

/// Bytes of the device memory that the arguments of a launch point to, each from the pointer to the end of its allocation: at most what the
/// launch can touch, but for pointers that themselves lie in device memory. Each aligned word of the arguments is looked at, so that
/// pointers in structures count. Unset where no argument points anywhere, or the driver (older than 550) cannot describe them.
/// Inside the launch call, with its context current.
std::optional<std::int64_t> argumentMemory(const LaunchParams& launch, CUfunc_st* function);

} // namespace kl::inject
