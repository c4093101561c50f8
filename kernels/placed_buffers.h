// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/descriptor_checks.h"
#include "kernels/model/descriptor.h"

#include <optional>

namespace kl::inline kernels {

/// Largest buffer of a lifted launch, and all of them together: more than any GPU has.
inline constexpr std::int64_t kMaxPlacedBytes = 1LL << 40;

/// What a buffer of a lifted launch and its launch must be, as far as it shows without the files.
std::optional<DescriptorFault> findPlacedFault(const KernelFamily& family);

/// Address and contents of a lifted launch's buffer, whose type and count are known. Error badInput: a file that is missing, damaged or
/// of another size; `where` is then the member of the buffer.
Status placeBuffer(const KernelFamily& family, const KernelFamily::Buffer& buffer, BufferSpec& spec);

/// Error badInput for buffers that lie on each other, or together are larger than any GPU's memory.
Status checkPlaces(const WorkSpec& work);

/// What a variant's variables are set to, base64; unset without any. Error badInput: a file that is missing or too large.
Result<std::optional<std::map<std::string, std::string>>> readVariables(const KernelFamily& family, const Variant& variant);

/// The arguments of a lifted launch, base64. Error badInput: a file that is missing or too large.
Result<std::string> readParameters(const KernelFamily& family, const std::string& file);

} // namespace kl::inline kernels
