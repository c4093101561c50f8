// SPDX-License-Identifier: MIT
#include "sessions/confusion/corpus_confusion.h"

#include "core/diagnosis/quantities.h"
#include "core/diagnosis/without_counters.h"
#include "profiler/import/ncu_opinion.h"

#include <algorithm>

namespace kl::inline confusion {
namespace {

/// Counted per cycle in which a multiprocessor is active; the other units' shares are of the launch's whole time.
constexpr std::array<std::string_view, 5> kPipeShares{"fma_pipe_percent", "fp64_pipe_percent", "xu_pipe_percent", "alu_pipe_percent",
                                                      "issue_slots_percent"};
constexpr std::array<std::string_view, 3> kMemoryShares{"dram_percent", "l2_percent", "l1_percent"};

constexpr std::string_view kIssueSlots = "issue_slots_percent";
/// Points of percent by which issue leads the fullest pipe where it is the limit itself: the tree's question "issue". Below, the pipe's own
/// instructions fill the slots: each takes one, so that issue is always ahead of the pipe.
constexpr double kIssueLead = 20;

bool isPipe(std::string_view unit)
{
    return unit != kIssueSlots && std::ranges::find(kPipeShares, unit) != kPipeShares.end();
}

struct ClassUnits {
    std::string_view classId;
    std::vector<std::string_view> units;
};

/// Classes about a unit, or about work that keeps units busy for nothing. A class that is not here is about none.
const std::vector<ClassUnits>& classUnits()
{
    static const std::vector<ClassUnits> table{
        {"dram-bound", {"dram_percent"}},
        {"l2-bound", {"l2_percent"}},
        {"l1-bound", {"l1_percent"}},
        {"mio-bound", {"l1_percent"}},
        {"bank-conflicts", {"l1_percent"}},
        {"atomics", {"l2_percent", "l1_percent"}},
        {"uncoalesced", {"dram_percent", "l2_percent", "l1_percent"}},
        {"register-spills", {"dram_percent", "l2_percent", "l1_percent"}},
        {"tensor-bound", {"tensor_percent"}},
        {"fp32-bound", {"fma_pipe_percent"}},
        {"fp64-bound", {"fp64_pipe_percent", "tensor_percent"}},
        {"xu-bound", {"xu_pipe_percent"}},
        {"int-bound", {"alu_pipe_percent", "fma_pipe_percent"}},
        {"issue-bound", {"issue_slots_percent"}},
        {"divergence", {kPipeShares.begin(), kPipeShares.end()}},
    };
    return table;
}

Value computeUnitShare(std::string_view unit, const RunFacts& facts)
{
    const Quantity* quantity = findQuantity(unit);
    return quantity ? quantity->compute(facts) : std::nullopt;
}

/// The part of the launch's time in which a multiprocessor was active, 0 to 1, from issued instructions per cycle of either kind.
double activeShare(const RunFacts& facts)
{
    const Value ratio =
        quotient(facts.metric("sm__inst_issued.avg.pct_of_peak_sustained_elapsed"), computeUnitShare("issue_slots_percent", facts));
    return std::clamp(ratio.value_or(1), 0.0, 1.0);
}

std::vector<Contradiction> computeShares(const RunFacts& facts)
{
    std::vector<Contradiction> shares;
    const double active = activeShare(facts);
    // lts__throughput also counts the fills and evictions of what streams through L2: a copy at 72 % of DRAM's peak is at 89 % of it, and
    // at 72 % of Nsight Compute's memory speed of light.
    const double memory = computeUnitShare("memory_sol_percent", facts).value_or(100);
    for (const std::string_view unit : kMemoryShares)
        if (const Value share = computeUnitShare(unit, facts))
            shares.push_back({std::string(unit), std::min(*share, memory)});
    if (const Value share = computeUnitShare("tensor_percent", facts))
        shares.push_back({"tensor_percent", *share});
    for (const std::string_view unit : kPipeShares)
        if (const Value share = computeUnitShare(unit, facts))
            shares.push_back({std::string(unit), *share * active});
    return shares;
}

std::string classifyRules(const NcuVerdict& verdict,
                          std::optional<NcuOpinion> (*readOpinion)(const std::vector<RuleResult>&, const MetricSet&))
{
    MetricSet metrics;
    metrics.values = verdict.metrics;
    const std::optional<NcuOpinion> opinion = readOpinion(verdict.rules, metrics);
    return opinion ? opinion->classId : "none";
}

JudgedCase judgeCase(const CorpusCase& label, const CorpusRecord& record, const DiagnosisTree& tree)
{
    JudgedCase judged{label, {}, record.failed, {}};
    const auto found = [&](Judge judge) -> std::string& { return judged.found[static_cast<std::size_t>(judge)]; };
    if (label.subject == "program") {
        found(Judge::counters) = record.program.value_or("");
        found(Judge::inferred) = record.programBare.value_or("");
        return judged;
    }
    if (record.counters) {
        found(Judge::counters) = tree.diagnose(*record.counters, {}).finding.classId;
        judged.contradiction = findContradiction(judged.by(Judge::counters), *record.counters);
    }
    if (const std::optional<RunRecord>& bare = record.bare ? record.bare : record.counters)
        found(Judge::inferred) = tree.diagnose(withoutCounters(*bare), {}).finding.classId;
    if (record.ncu) {
        found(Judge::ncu) = classifyRules(*record.ncu, ncuOpinion);
        found(Judge::ncuSpeedOfLight) = classifyRules(*record.ncu, ncuSpeedOfLight);
    }
    return judged;
}

} // namespace

std::optional<Contradiction> findContradiction(const std::string& classId, const RunRecord& run)
{
    if (classId == "invalid" || classId == "not-measured" || classId == "balanced" || classId == "power-limited")
        return {};
    const std::vector<Contradiction> shares = computeShares(RunFacts(run));
    const auto about = std::ranges::find(classUnits(), classId, &ClassUnits::classId);
    const auto isAbout = [&](const Contradiction& share) {
        return about != classUnits().end() && std::ranges::find(about->units, share.unit) != about->units.end();
    };
    std::optional<Contradiction> other;
    for (const Contradiction& share : shares) {
        if (share.percent < kUnitAtItsRoof)
            continue;
        if (isAbout(share))
            return {};
        const bool filled = share.unit == kIssueSlots && std::ranges::any_of(shares, [&](const Contradiction& pipe) {
                                return isAbout(pipe) && isPipe(pipe.unit) && pipe.percent > share.percent - kIssueLead;
                            });
        if (!filled && (!other || share.percent > other->percent))
            other = share;
    }
    return other;
}

bool JudgedCase::isRecorded() const
{
    return std::ranges::any_of(found, [](const std::string& word) { return !word.empty(); });
}

Rate CorpusConfusion::rate(Judge judge, const Filter& filter) const
{
    Rate rate;
    for (const JudgedCase& one : cases) {
        if (one.by(judge).empty() || (filter && !filter(one)))
            continue;
        ++rate.of;
        rate.right += one.label.accepts(one.by(judge)) ? 1 : 0;
    }
    return rate;
}

int CorpusConfusion::countRecorded() const
{
    return static_cast<int>(std::ranges::count_if(cases, &JudgedCase::isRecorded));
}

std::vector<const JudgedCase*> CorpusConfusion::contradictions() const
{
    std::vector<const JudgedCase*> list;
    for (const JudgedCase& one : cases)
        if (one.contradiction)
            list.push_back(&one);
    return list;
}

Rate CorpusConfusion::countBalanced() const
{
    Rate rate;
    for (const JudgedCase& one : cases) {
        rate.of += one.by(Judge::counters).empty() ? 0 : 1;
        rate.right += one.by(Judge::counters) == "balanced" ? 1 : 0;
    }
    return rate;
}

CorpusConfusion corpusConfusion(const std::vector<CorpusCase>& cases, const CorpusRecords& records, const DiagnosisTree& tree, bool heldOut)
{
    CorpusConfusion confusion;
    confusion.heldOut = heldOut;
    for (const CorpusCase& one : cases) {
        if (one.heldOut != heldOut)
            continue;
        const auto found = records.find(one.id);
        confusion.cases.push_back(judgeCase(one, found == records.end() ? CorpusRecord{} : found->second, tree));
    }
    return confusion;
}

} // namespace kl::inline confusion
