// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "profiler/import/imported_file.h"

#include <string>
#include <string_view>

namespace kl::inline nsight {

/// Whether a text holds a table as `ncu --csv` prints one; it may follow other output of ncu.
bool isNcuCsv(std::string_view text);

/// Every result of `ncu --csv --page raw` or `--page details`. Values are converted to base units from the units in the table, with the
/// printed digits. The details page has metric labels, which are mapped to names where known; it contains the rules.
/// Error badInput says at which line a table stops making sense.
Result<ImportedFile> readNcuCsv(std::string_view text, const std::string& where);

} // namespace kl::inline nsight
