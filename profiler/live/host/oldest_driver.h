// SPDX-License-Identifier: MIT
#pragma once

namespace kl::inline live {

/// The oldest CUDA that a driver must support: that of the oldest toolkit whose headers and NVRTC the worker is built for. As
/// cuDriverGetVersion counts: major × 1000 + minor × 10.
inline constexpr int kOldestDriverCuda = 12060;

/// The driver branch released with it: "560.28.03" and newer (release notes of CUDA 12.6).
inline constexpr int kOldestDriverBranch = 560;

/// The fix for an older driver.
inline constexpr const char* kNewerDriver = "Install NVIDIA driver 560 or newer.";

} // namespace kl::inline live
