// SPDX-License-Identifier: MIT
#include "app/kloop/render/render.h"
#include "app/kloop/terminal/table.h"
#include "core/base/format.h"
#include "core/device/pm_roles.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace kl::cli {
namespace {

constexpr std::size_t kColumns = 40;

/// A bar of block characters per part of the launch, each as high as the mean of its samples; the full height is 100 %.
std::string sketch(const PmCurve& curve, double duration)
{
    constexpr std::array<const char*, 9> kBars{" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    std::vector<double> sums(kColumns);
    std::vector<int> counts(kColumns);
    for (std::size_t i = 0; i < std::min(curve.pass->endNs.size(), curve.series->values.size()); ++i) {
        const auto part = static_cast<std::size_t>(static_cast<double>(kColumns) * curve.pass->endNs[i] / duration);
        sums[std::min(part, kColumns - 1)] += curve.series->values[i];
        ++counts[std::min(part, kColumns - 1)];
    }
    std::string text;
    double level = 0;
    for (std::size_t part = 0; part < kColumns; ++part) {
        if (counts[part] > 0) // else as before: there are fewer samples than columns
            level = sums[part] / counts[part];
        text += kBars[static_cast<std::size_t>(std::clamp(level / 100 * 8 + 0.5, 0.0, 8.0))];
    }
    return text;
}

} // namespace

std::string renderDuration(const RunRecord& run)
{
    if (!run.pmSampling)
        return {};
    if (run.pmSampling->passes.empty())
        return fmt::format("\n  No PM sampling: {}\n", run.pmSampling->unavailable);
    const double duration = pmDuration(*run.pmSampling);
    Table table({"Percent of peak", "Mean>", "Peak>", fmt::format("Over {}", formatTime(duration))});
    for (const PmCurve& curve : pmCurves(*run.pmSampling))
        table.add({findPmRoleInfo(curve.role).label, formatPercent(curve.mean), formatPercent(curve.peak), sketch(curve, duration)});
    std::string text = '\n' + applyTone("Over the launch's duration", Tone::strong) + '\n' + table.text("  ");
    text +=
        fmt::format("  Sampled every {}{}\n", formatTime(run.pmSampling->intervalNs),
                    run.pmSampling->passes.size() > 1 ? fmt::format(", in {} executions", run.pmSampling->passes.size()) : std::string());
    const std::string finding = pmFinding(*run.pmSampling);
    return finding.empty() ? text : text + "  " + finding + ".\n";
}

} // namespace kl::cli
