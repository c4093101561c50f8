// SPDX-License-Identifier: MIT
#include "profiler/import/imported_file.h"

#include <cmath>

namespace kl::inline nsight {

void ImportedResult::take(const std::string& metric, std::optional<double> figure, const std::string& text, const std::string& whyMissing)
{
    // Files list most of their metrics in the alphabet's order: what comes after all that is there needs no search.
    const bool beyond = values.empty() || values.rbegin()->first < metric;
    const auto known = beyond ? values.end() : values.find(metric);
    if (facts.texts.contains(metric) || (known != values.end() && known->second))
        return;
    const bool finite = figure && std::isfinite(*figure);
    if (!finite && !figure && !text.empty() && known == values.end()) {
        facts.texts.emplace(metric, text);
        return;
    }
    const std::optional<double> value = finite ? figure : std::nullopt;
    if (known == values.end()) {
        values.emplace_hint(values.end(), metric, value);
    } else {
        known->second = value;
        if (finite)
            missing.erase(metric);
    }
    if (!finite)
        missing.try_emplace(metric, figure ? "its value in the file is not a number" : whyMissing);
}

} // namespace kl::inline nsight
