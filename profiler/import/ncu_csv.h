// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "profiler/import/imported_file.h"

#include <string>
#include <string_view>

namespace kl {

/// Whether a text holds a table as `ncu --csv` prints one; lines of ncu's own may stand before it.
bool isNcuCsv(std::string_view text);

/// Every result of `ncu --csv --page raw` or `--page details`. Figures come back to base units by the units that the table names, with the
/// digits that it prints. The details page names metrics in words, which are turned back where they are known; it carries the rules.
/// Error badInput says at which line a table stops making sense.
Result<ImportedFile> readNcuCsv(std::string_view text, const std::string& where);

} // namespace kl
