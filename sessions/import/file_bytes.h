// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <string>

namespace kl {

/// A file's content, at most 2 GiB. Errors badInput: a folder, no such file, no permission, too large, empty.
Result<std::string> fileBytes(const std::string& path);

} // namespace kl
