// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "profiler/import/imported_file.h"

#include <string>
#include <string_view>

namespace kl::inline nsight {

/// Whether a file begins as an Nsight Compute report does.
bool isNcuReport(std::string_view bytes);

/// Every result of an Nsight Compute report, with every metric and the messages of ncu's rules. Tested with files of version 7; a later one
/// is read with a note. `where` names the file. Error badInput says at which byte a damaged or cut file stops making sense.
Result<ImportedFile> readNcuReport(std::string_view bytes, const std::string& where);

} // namespace kl::inline nsight
