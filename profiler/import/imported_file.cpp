// SPDX-License-Identifier: MIT
#include "profiler/import/imported_file.h"

#include <cmath>

namespace kl {

void ImportedResult::take(const std::string& metric, std::optional<double> figure, const std::string& text, const std::string& whyMissing)
{
    const auto known = values.find(metric);
    if (facts.texts.contains(metric) || (known != values.end() && known->second))
        return;
    const bool finite = figure && std::isfinite(*figure);
    if (!finite && !figure && !text.empty() && known == values.end()) {
        facts.texts.emplace(metric, text);
        return;
    }
    values[metric] = finite ? figure : std::nullopt;
    if (finite)
        missing.erase(metric);
    else
        missing.try_emplace(metric, figure ? "its value in the file is not a number" : whyMissing);
}

} // namespace kl
