// SPDX-License-Identifier: MIT
#include "core/base/csv_line.h"
#include "sessions/report/report_model.h"

#include <cmath>
#include <fmt/format.h>

namespace kl::inline report {

std::string rawNumber(double value)
{
    return std::isfinite(value) ? fmt::format("{}", value) : std::string();
}

std::string toCsv(const ReportModel::Table& table)
{
    std::string text = csvLine(table.columns);
    for (const std::vector<std::string>& row : table.rows)
        text += csvLine(row);
    return text;
}

} // namespace kl::inline report
