// SPDX-License-Identifier: MIT
#include "core/device/pm_roles.h"

#include "core/base/format.h"

#include <algorithm>
#include <fmt/format.h>

namespace kl::inline device {
namespace {

// GH100 and GB100 name the metrics of their "TriageCompute" configuration, which are sampled in one pass; others have TriageAC, TriageA or
// none. DRAM is counted at its controller (dramc) or at the memory itself.
constexpr std::array<PmRoleInfo, 8> kRoles{{
    {PmRole::activeSms, "active-sms", "Active SMs", {"sm__cycles_active"}},
    {PmRole::activeWarps, "active-warps", "Active warps", {"tpc__warps_active_shader_cs_realtime", "sm__warps_active"}},
    {PmRole::sm, "sm", "SM throughput", {"sm__throughput"}},
    {PmRole::instructions, "instructions", "Instructions issued", {"sm__inst_executed_realtime", "sm__inst_executed"}},
    {PmRole::tensor, "tensor", "Tensor pipe", {"sm__pipe_tensor_cycles_active_realtime", "sm__pipe_tensor_cycles_active"}},
    {PmRole::l1, "l1", "L1 throughput", {"l1tex__throughput"}},
    {PmRole::l2, "l2", "L2 throughput", {"lts__throughput", "lts__t_sectors_realtime", "lts__t_sectors"}},
    {PmRole::dram, "dram", "DRAM throughput", {"dramc__throughput", "dram__throughput"}},
}};

constexpr double kTailShare = 0.1; ///< of the launch: a shorter tail is the end of any launch
constexpr double kTailLevel = 0.5; ///< of the largest sample

double computeMean(const PmPass& pass, const PmSeries& series)
{
    double sum = 0;
    double time = 0;
    double begin = 0;
    for (std::size_t i = 0; i < std::min(pass.endNs.size(), series.values.size()); ++i) {
        sum += series.values[i] * (pass.endNs[i] - begin);
        time += pass.endNs[i] - begin;
        begin = pass.endNs[i];
    }
    return time > 0 ? sum / time : 0;
}

} // namespace

std::span<const PmRoleInfo> pmRoles()
{
    return kRoles;
}

const PmRoleInfo& findPmRoleInfo(PmRole role)
{
    return *std::ranges::find(kRoles, role, &PmRoleInfo::role);
}

std::string_view findPmBase(std::string_view metric)
{
    metric.remove_prefix(metric.find(':') + 1); // npos + 1 is 0
    const std::size_t underscores = metric.find("__");
    if (underscores == std::string_view::npos)
        return {};
    const std::size_t dot = metric.rfind('.', underscores);
    metric.remove_prefix(dot == std::string_view::npos ? 0 : dot + 1);
    return metric.substr(0, metric.find('.'));
}

std::optional<PmRole> findPmRole(std::string_view metric)
{
    if (!metric.ends_with(kPmRollup))
        return {};
    const std::string_view base = findPmBase(metric);
    for (const PmRoleInfo& info : kRoles)
        if (!base.empty() && std::ranges::find(info.bases, base) != info.bases.end())
            return info.role;
    return {};
}

std::vector<PmCurve> pmCurves(const PmSampling& sampling)
{
    std::vector<PmCurve> curves;
    for (const PmPass& pass : sampling.passes)
        for (const PmSeries& series : pass.series) {
            const std::optional<PmRole> role = findPmRole(series.metric);
            if (!role || series.values.empty() || std::ranges::find(curves, *role, &PmCurve::role) != curves.end())
                continue;
            curves.push_back({*role, &pass, &series, computeMean(pass, series), std::ranges::max(series.values)});
        }
    std::ranges::sort(curves, {}, &PmCurve::role);
    return curves;
}

double pmDuration(const PmSampling& sampling)
{
    double end = 0;
    for (const PmPass& pass : sampling.passes)
        if (!pass.endNs.empty())
            end = std::max(end, pass.endNs.back());
    return end;
}

std::string pmFinding(const PmSampling& sampling)
{
    for (const PmCurve& curve : pmCurves(sampling)) {
        if (curve.role != PmRole::activeSms && curve.role != PmRole::activeWarps)
            continue;
        const auto& values = curve.series->values;
        const auto last = std::find_if(values.rbegin(), values.rend(), [&](double value) { return value >= kTailLevel * curve.peak; });
        const auto at = static_cast<std::size_t>(values.rend() - last); // the first sample of the tail
        const double end = pmDuration(sampling);
        if (curve.peak <= 0 || at == 0 || at >= values.size() || at >= curve.pass->endNs.size() || end <= 0)
            continue;
        const double tail = (curve.pass->endNs.back() - curve.pass->endNs[at - 1]) / end;
        if (tail >= kTailShare)
            return fmt::format("{} stay below half of their peak for the last {} of the launch: a tail", findPmRoleInfo(curve.role).label,
                               formatPercent(100 * tail));
    }
    return {};
}

PmPass trimToLaunch(PmPass pass, const std::vector<double>& active)
{
    const std::size_t count = std::min(active.size(), pass.endNs.size());
    const auto isActive = [](double value) { return value > 0; };
    const auto end = active.begin() + static_cast<std::ptrdiff_t>(count);
    const auto first = std::find_if(active.begin(), end, isActive);
    if (first == end)
        return {};
    const auto from = static_cast<std::size_t>(first - active.begin());
    std::size_t to = count;
    while (!isActive(active[to - 1]))
        --to;
    const double begin = from > 0 ? pass.endNs[from - 1] : 0;
    const auto cut = [&](std::vector<double>& values) {
        values.resize(std::min(values.size(), to));
        values.erase(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(std::min(from, values.size())));
    };
    cut(pass.endNs);
    for (double& ns : pass.endNs)
        ns -= begin;
    for (PmSeries& series : pass.series)
        cut(series.values);
    return pass;
}

} // namespace kl::inline device
