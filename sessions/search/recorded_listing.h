// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kl::inline search {

/// A recorded space as a file lists it.
struct RecordedListing {
    /// One configuration.
    struct Entry {
        std::vector<std::string> values; ///< of the tunables, in the order of `names`
        std::optional<double> value;     ///< ms; unset when it failed
        std::string failure;
        double cost = 0; ///< seconds
    };
    std::vector<std::string> names;
    std::vector<Entry> entries;
};

/// Of a configuration that has neither a time nor a reason.
inline constexpr const char* kNoTime = "no time";

/// Columns of a CSV file beside the tunables.
inline constexpr const char* kTimeColumn = "time_ms";
inline constexpr const char* kCostColumn = "cost_s";
inline constexpr const char* kFailureColumn = "failure";

/// A CSV file (RFC 4180) with a header: kTimeColumn, optionally kCostColumn and kFailureColumn, in any order, and a column per tunable. A
/// row without a time is a configuration that failed. Blanks around a cell do not count, and neither does the apostrophe that keeps a
/// spreadsheet from reading a cell as a formula (csvLine). Errors badInput, each with its line and, where there is one, its column: no
/// header, no time column, no tunable, a column without a name or named twice, a row of another length, a time or cost that is not a number
/// of its range, a tunable without a value, a time beside a failure, a configuration listed twice.
Result<RecordedListing> listCsv(std::string_view text, const std::string& file);

} // namespace kl::inline search
