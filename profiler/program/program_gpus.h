// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/gpu_lock.h"

#include <filesystem>
#include <string>
#include <vector>

namespace kl::inline program_runs {

/// UUIDs, sorted, of the GPUs of this machine that a program may use, as the driver lists them in `folder`, without starting CUDA.
/// `visible` is the program's CUDA_VISIBLE_DEVICES; empty: all. Where a number in it does not say which GPU it is (GPUs of several models),
/// all. Empty without a driver.
std::vector<std::string> listProgramGpus(const std::string& visible, const std::filesystem::path& folder = "/proc/driver/nvidia/gpus");

/// Takes the locks of the GPUs that a program with these variables ("NAME=VALUE", before ours) may use. Errors: GpuLock's.
Result<std::vector<GpuLock>> lockGpus(const std::vector<std::string>& variables, const Job& job);

} // namespace kl::inline program_runs
