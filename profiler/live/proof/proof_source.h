// SPDX-License-Identifier: MIT
#pragma once

namespace kl::inline live {

/// CUDA C++ of the kernels that prepare and check timed passes; compiled by NVRTC, without headers. Entries are kl_NAME_SIZE (bytes of an
/// element) or kl_NAME_TYPE.
extern const char* const kProofSource;

} // namespace kl::inline live
