// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "kernels/descriptor.h"

#include <string_view>

namespace kl {

/// Parses a descriptor file. `where` names it in errors; the CUDA source it points to is not read.
/// Error badInput names the file and the field: unknown fields, wrong types, malformed sizes, unknown variants in `mends`.
Result<KernelFamily> parseDescriptor(std::string_view json, std::string_view where);

} // namespace kl
