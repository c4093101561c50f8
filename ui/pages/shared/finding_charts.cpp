// SPDX-License-Identifier: MIT
#include "ui/pages/shared/finding_charts.h"

#include "core/base/format.h"
#include "core/device/metric_catalog.h"
#include "core/diagnosis/classes.h"
#include "core/diagnosis/quantities.h"
#include "core/diagnosis/run_facts.h"
#include "ui/import/opened_runs.h"
#include "ui/widgets/decimal_mark.h"
#include "ui/widgets/text.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace kl::ui {
namespace {

constexpr QLatin1String kOtherStalls("other");
constexpr QLatin1String kIssueSlots("Issue slots"); ///< listed with the units but not units
constexpr QLatin1String kWarpsResident("Achieved occupancy");

QString chooseSign(const std::string& sense)
{
    return sense == ">=" ? QStringLiteral("≥") : sense == "<=" ? QStringLiteral("≤") : q(sense);
}

/// `decided`: the node of the finding; only its comparisons support the finding.
EvidenceRow makeEvidenceRow(const PathEntry& entry, const std::string& decided)
{
    EvidenceRow row;
    const Quantity* quantity = findQuantity(entry.metric);
    const std::string unit = quantity ? std::string(quantity->unit) : std::string();
    row.name = quantity ? q(quantity->title) : q(entry.metric);
    row.value = entry.value;
    row.threshold = entry.threshold;
    row.sense = chooseSign(entry.sense);
    row.valueText = entry.value ? figureWithMark(q(formatWithUnit(*entry.value, unit))) : QStringLiteral("not measured");
    row.thresholdText = entry.threshold ? figureWithMark(q(formatWithUnit(*entry.threshold, unit))) : QString();
    row.percent = unit == "%";
    row.met = entry.taken;
    row.holds = entry.taken && entry.node == decided;
    row.help = quantity ? q(quantity->how) : QString();
    return row;
}

} // namespace

std::vector<EvidenceRow> evidenceRows(const Finding& finding)
{
    if (finding.path.empty())
        return {};
    const std::string& last = finding.path.back().node;
    std::vector<PathEntry> ordered;
    for (const PathEntry& entry : finding.path)
        if (entry.node == last)
            ordered.push_back(entry);
    // Comparisons that hold first.
    std::stable_partition(ordered.begin(), ordered.end(), [](const PathEntry& entry) { return entry.taken; });
    for (auto entry = finding.path.rbegin(); entry != finding.path.rend(); ++entry)
        if (entry->node != last)
            ordered.push_back(*entry);
    std::stable_partition(ordered.begin(), ordered.end(), [](const PathEntry& entry) { return entry.value.has_value(); });

    std::vector<EvidenceRow> rows;
    std::vector<std::string> seen;
    for (const PathEntry& entry : ordered) {
        if (std::find(seen.begin(), seen.end(), entry.metric) != seen.end())
            continue;
        seen.push_back(entry.metric);
        rows.push_back(makeEvidenceRow(entry, last));
    }
    constexpr std::size_t kMost = 9;
    if (rows.size() > kMost)
        rows.resize(kMost);
    return rows;
}

std::vector<EvidenceRow> unitRows(const RunRecord& run)
{
    struct Unit {
        const char* name;
        MetricName metric;
    };
    constexpr Unit kUnits[] = {
        {"DRAM", "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"},
        {"L2", "lts__throughput.avg.pct_of_peak_sustained_elapsed"},
        {"L1 and shared", "l1tex__throughput.avg.pct_of_peak_sustained_elapsed"},
        {"Tensor pipe", "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed"},
        {"FP32 pipe", "sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active"},
        {"FP64 pipe", "sm__inst_executed_pipe_fp64.avg.pct_of_peak_sustained_active"},
        {"Transcendental pipe (XU)", "sm__inst_executed_pipe_xu.avg.pct_of_peak_sustained_active"},
        {"Integer pipe", "sm__inst_executed_pipe_alu.avg.pct_of_peak_sustained_active"},
        {kIssueSlots.data(), "sm__inst_issued.avg.pct_of_peak_sustained_elapsed"},
        {kWarpsResident.data(), "sm__warps_active.avg.pct_of_peak_sustained_active"},
    };
    const RunFacts facts(run);
    std::vector<EvidenceRow> rows;
    if (!facts.hasCounters())
        return rows;
    for (const Unit& unit : kUnits) {
        EvidenceRow row;
        row.name = QString::fromLatin1(unit.name);
        row.value = facts.metric(unit.metric);
        row.valueText = row.value ? q(formatPercent(*row.value)) : QStringLiteral("not measured");
        row.percent = true;
        row.help = q(unit.metric);
        rows.push_back(std::move(row));
    }
    return rows;
}

StallBars stallBars(const std::vector<const RunRecord*>& runs, const QStringList& names)
{
    StallBars bars;
    std::map<std::string, double> weight;
    std::vector<std::pair<QString, std::map<std::string, double>>> shares;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        std::map<std::string, double> own;
        for (const StallShare& share : stallShares(RunFacts(*runs[i]))) {
            own[share.id] = share.percent;
            weight[share.id] += share.percent;
        }
        if (!own.empty()) {
            bars.runs.push_back(runs[i]);
            shares.emplace_back(names.value(static_cast<qsizetype>(i), q(displayKernel(*runs[i]))), std::move(own));
        }
    }
    std::vector<std::pair<std::string, double>> order(weight.begin(), weight.end());
    std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    constexpr std::size_t kNamed = 6; // one color each; a seventh part for the rest, an eighth for "not stalled"
    for (std::size_t i = 0; i < std::min(order.size(), kNamed); ++i)
        bars.parts << q(kl::stallTitle(order[i].first));
    if (order.size() > kNamed)
        bars.parts << kOtherStalls;
    bars.parts << QStringLiteral("not stalled");
    for (const auto& [name, own] : shares) {
        StackedRow row{name, std::vector<double>(static_cast<std::size_t>(bars.parts.size()), 0.0)};
        for (std::size_t i = 0; i < order.size(); ++i)
            if (const auto found = own.find(order[i].first); found != own.end())
                row.parts[std::min(i, kNamed)] += found->second;
        // The reasons are shares of a warp's whole latency; the remainder is time not stalled.
        row.parts.back() = std::max(0.0, 100.0 - std::accumulate(row.parts.begin(), row.parts.end(), 0.0));
        bars.rows.push_back(std::move(row));
    }
    return bars;
}

QString evidenceTitle(const Finding& finding)
{
    const std::string decided = finding.path.empty() ? std::string() : finding.path.back().node;
    const auto speaking =
        std::ranges::count_if(finding.path, [&](const PathEntry& entry) { return makeEvidenceRow(entry, decided).holds; });
    return QStringLiteral("Evidence for %3: %1 of %2 comparisons")
        .arg(speaking)
        .arg(finding.path.size())
        .arg(q(classTitle(finding.classId)));
}

QString unitTitle(const std::vector<EvidenceRow>& rows)
{
    const EvidenceRow* busiest = nullptr;
    bool all = true;
    for (const EvidenceRow& row : rows) {
        if (row.name == kIssueSlots || row.name == kWarpsResident)
            continue;
        all = all && row.value;
        if (row.value && (busiest == nullptr || *row.value > *busiest->value))
            busiest = &row;
    }
    return busiest ? QStringLiteral("%1 is the busiest unit%2: %3 of its peak")
                         .arg(busiest->name, all ? QString() : QStringLiteral(" measured"), busiest->valueText)
                   : QStringLiteral("Unit utilization");
}

QString explainMissingUnits(const RunRecord& run)
{
    if (!RunFacts(run).hasCounters())
        return QStringLiteral("Needs hardware counters, which this run does not have.");
    QStringList whys; // each reason once
    for (const EvidenceRow& row : unitRows(run))
        if (!row.value)
            if (const auto found = run.metrics->missing.find(utf8(row.help)); found != run.metrics->missing.end())
                whys << q(found->second);
    whys.removeDuplicates();
    return whys.isEmpty() ? QString() : QStringLiteral("Missing: %1.").arg(whys.join(QStringLiteral("; ")));
}

QString stallChange(const StallBars& bars)
{
    if (bars.rows.size() < 2)
        return {};
    const StackedRow& a = bars.rows[0];
    const StackedRow& b = bars.rows[1];
    qsizetype most = 0;
    const auto change = [&](qsizetype part) {
        return std::abs(a.parts[static_cast<std::size_t>(part)] - b.parts[static_cast<std::size_t>(part)]);
    };
    for (qsizetype part = 1; part + 1 < bars.parts.size(); ++part) // the last part is "not stalled"
        if (bars.parts[part] != kOtherStalls && change(part) > change(most))
            most = part;
    QString name = bars.parts[most];
    name[0] = name[0].toUpper();
    const auto at = static_cast<std::size_t>(most);
    return QStringLiteral("%1: %2 of the latency of %3, %4 of %5")
        .arg(name, q(formatPercent(a.parts[at])), a.name, q(formatPercent(b.parts[at])), b.name);
}

QString stallTitle(const RunRecord& run)
{
    const std::vector<StallShare> shares = stallShares(RunFacts(run));
    if (shares.empty())
        return {};
    QString name = q(kl::stallTitle(shares.front().id));
    name[0] = name[0].toUpper();
    return QStringLiteral("%1 is the top stall reason: %2 of a warp's latency").arg(name, q(formatPercent(shares.front().percent)));
}

QString explainMissingStalls(const std::vector<const RunRecord*>& runs)
{
    if (std::ranges::none_of(runs, [](const RunRecord* run) { return RunFacts(*run).hasCounters(); }))
        return QStringLiteral("Needs hardware counters, which this run does not have.");
    if (std::ranges::all_of(runs, [](const RunRecord* run) { return run->imported.has_value(); }))
        return QStringLiteral("The report has no stall reasons; ncu --set full collects them.");
    return QStringLiteral("Not collected. Profile at tier 2 to get them.");
}

QString stallMeanings(const RunRecord& run)
{
    constexpr std::size_t kMost = 3;
    constexpr double kLeast = 5; // percent
    QStringList lines;
    for (const StallShare& share : stallShares(RunFacts(run)))
        for (const StallReason& reason : stallReasons())
            if (reason.id == share.id && share.percent >= kLeast && lines.size() < static_cast<qsizetype>(kMost))
                lines << QStringLiteral("<b>%1, %2</b>: %3")
                             .arg(q(reason.title).toHtmlEscaped(), q(formatPercent(share.percent)), q(reason.help).toHtmlEscaped());
    return lines.join(QStringLiteral("<br>"));
}

} // namespace kl::ui
