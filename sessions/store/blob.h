// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace kl::inline store {

/// A zstd frame of the bytes, with its checksum.
std::string packBytes(std::string_view bytes);

/// Inverse of packBytes. Error badInput for a damaged frame or one that claims more than 256 MiB.
Result<std::string> unpackBytes(std::string_view frame);

/// Samples as a zstd frame of little-endian IEEE doubles: exact, NaN included.
std::string packSamples(const std::vector<double>& samples);
Result<std::vector<double>> unpackSamples(std::string_view frame);

} // namespace kl::inline store
