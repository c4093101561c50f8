// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kl::inline kernels {

/// One zstd frame of the bytes, with their number and a checksum.
std::string packData(std::string_view bytes);

/// Whether it is one whole, undamaged frame of exactly `bytes` bytes, in a few megabytes of memory regardless of what the frame says of
/// itself. Error badInput with the reason; `where`: the file, for people.
Status checkPacked(std::string_view frame, std::int64_t bytes, const std::string& where);

/// What the frame holds, at most as much as `data` has room for; the rest of `data` stays as it is. False for a damaged frame, and for one
/// that holds more or less.
bool unpackInto(std::string_view frame, std::vector<std::byte>& data);

} // namespace kl::inline kernels
