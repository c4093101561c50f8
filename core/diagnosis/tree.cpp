// SPDX-License-Identifier: MIT
#include "core/diagnosis/tree.h"

#include "core/base/resource.h"
#include "core/base/sha256.h"
#include "core/base/try.h"
#include "core/diagnosis/classes.h"
#include "core/diagnosis/fix_steps.h"
#include "core/diagnosis/tree_data.h"

#include <algorithm>
#include <fmt/format.h>

namespace kl::inline diagnosis {
namespace {

/// How much an inferred finding is trusted against a measured one.
constexpr double kInferredTrust = 0.5;
/// A finding whose fix saves at least this share of the time is P1, or P2 as a secondary finding.
constexpr double kLargeGain = 0.2;
constexpr double kSmallGain = 0.05;
/// Of the SHA-256 that tells trees apart; a team has a handful.
constexpr std::size_t kVersionDigits = 12;

PathEntry ask(const TreeNode& node, const Condition& condition, const RunFacts& facts)
{
    const Value value = condition.quantity->compute(facts);
    const bool taken = value && holds(*value, condition.sense, condition.threshold);
    return {node.shown.id, std::string(condition.quantity->id), value, condition.threshold, toString(condition.sense), taken};
}

/// The comparison that keeps a way open is the opposite of the one that shuts it. One that is missing says nothing, and is not shown.
bool isShut(const TreeNode& node, const Alternative& alternative, const RunFacts& facts, std::vector<PathEntry>& path)
{
    for (const Condition& condition : alternative.unless) {
        PathEntry entry = ask(node, condition, facts);
        if (!entry.value)
            continue;
        const bool shut = entry.taken;
        entry.sense = toString(opposite(condition.sense));
        entry.taken = !shut;
        path.push_back(std::move(entry));
        if (shut)
            return true;
    }
    return false;
}

/// Asks the alternatives of a node in order; every comparison made is put into the path. The alternative that holds, or null.
const Alternative* enter(const TreeNode& node, const RunFacts& facts, bool secondary, std::vector<PathEntry>& path)
{
    for (const Alternative& alternative : node.alternatives) {
        if (!alternative.always && alternative.inferred == facts.hasCounters() && !alternative.conditions.empty())
            continue;
        if (alternative.secondaryOnly && !secondary)
            continue;
        bool all = true;
        for (const Condition& condition : alternative.conditions) {
            path.push_back(ask(node, condition, facts));
            all = path.back().taken;
            if (!all)
                break;
        }
        if (all && !isShut(node, alternative, facts, path))
            return &alternative;
    }
    return nullptr;
}

/// The quantities that keep a way from being answered: counters were read, but not those of these, and no comparison that can be made
/// shuts the way. Empty where the way is answered.
std::vector<const Quantity*> listUnanswered(const Alternative& way, const RunFacts& facts)
{
    std::vector<const Quantity*> unmeasured;
    for (const Condition& condition : way.conditions) {
        (void)facts.takeMissed();
        const Value value = condition.quantity->compute(facts);
        if (!value && facts.takeMissed())
            unmeasured.push_back(condition.quantity);
        else if (!value || !holds(*value, condition.sense, condition.threshold))
            return {};
    }
    const bool shut = std::ranges::any_of(way.unless, [&](const Condition& condition) {
        const Value value = condition.quantity->compute(facts);
        return value && holds(*value, condition.sense, condition.threshold);
    });
    return shut ? std::vector<const Quantity*>() : unmeasured;
}

/// The questions before the finding that could not be answered, and one could have been the answer.
struct Skipped {
    int questions = 0;
    std::vector<std::string> quantities; ///< titles, each once
};

void skip(const TreeNode& node, const RunFacts& facts, Skipped& skipped)
{
    if (!facts.hasCounters())
        return;
    bool open = false;
    for (const Alternative& way : node.alternatives) {
        if (way.inferred || way.secondaryOnly)
            continue;
        for (const Quantity* quantity : listUnanswered(way, facts)) {
            open = true;
            if (std::ranges::find(skipped.quantities, quantity->title) == skipped.quantities.end())
                skipped.quantities.emplace_back(quantity->title);
        }
    }
    skipped.questions += open ? 1 : 0;
}

/// " Not measured: tensor pipe, FP32 pipe, and 3 more."
std::string formatMissingNames(const Skipped& skipped)
{
    constexpr std::size_t kNamed = 4;
    std::string names;
    for (std::size_t i = 0; i < std::min(kNamed, skipped.quantities.size()); ++i)
        names += (i > 0 ? ", " : "") + skipped.quantities[i];
    const std::size_t more = skipped.quantities.size() - std::min(kNamed, skipped.quantities.size());
    return fmt::format(" Not measured: {}{}.", names, more > 0 ? fmt::format(", and {} more", more) : "");
}

/// Whether a fix may apply: a missing figure does not rule it out.
bool mayApply(const GenericFix& fix, const RunFacts& facts)
{
    return std::ranges::all_of(fix.when, [&](const Condition& condition) {
        const Value value = condition.quantity->compute(facts);
        return !value || holds(*value, condition.sense, condition.threshold);
    });
}

/// The tree's fix of the same kind as the catalog's, if it has one.
const GenericFix* sameKind(const TreeNode& node, const CatalogFix& step)
{
    const auto found = std::ranges::find(node.fixes, step.kind, &GenericFix::id);
    return step.kind.empty() || found == node.fixes.end() ? nullptr : &*found;
}

std::vector<Fix> listFixes(const TreeNode& node, const RunFacts& facts, const std::vector<CatalogFix>& catalogFixes)
{
    std::vector<Fix> fixes;
    const std::string& classId = node.shown.classId;
    const auto add = [&](const CatalogFix& step, double confidence, std::string why) {
        const GenericFix* named = sameKind(node, step);
        fixes.push_back(
            {step.address, step.title, named ? named->pattern : std::nullopt, confidence, step.address, std::move(why), step.kind});
    };
    for (const CatalogFix& step : catalogFixes)
        if (step.fixes == classId)
            add(step, 0.9, fmt::format("The next variant of this kernel in the catalog targets this finding: {}.", classTitle(classId)));
    // A variant that fixes something else, or nothing specific, is still the next step of this kernel.
    // What is not correct comes before it.
    for (const CatalogFix& step : catalogFixes)
        if (step.fixes != classId && classId != "invalid")
            add(step, 0.5, "The next variant of this kernel in the catalog.");
    for (const GenericFix& fix : node.fixes) {
        const bool ready = std::ranges::any_of(catalogFixes, [&](const CatalogFix& step) { return step.kind == fix.id; });
        if (!ready && mayApply(fix, facts))
            fixes.push_back({fix.id, fix.title, fix.pattern, fix.confidence, {}, fix.why, fix.isChange ? fix.id : std::string()});
    }
    return fixes;
}

Finding makeFinding(const TreeNode& node, const Alternative& alternative, const RunFacts& facts,
                    const std::vector<CatalogFix>& catalogFixes)
{
    Finding finding;
    finding.classId = node.shown.classId;
    finding.title = fillTemplate(alternative.finding.empty() ? node.finding : alternative.finding, facts);
    finding.priority = fmt::format("P{}", node.priority);
    finding.inferred = !facts.hasCounters() && node.shown.classId != "invalid";
    finding.confidence = alternative.confidence.value_or(node.confidence) * (finding.inferred ? kInferredTrust : 1);
    if (node.estimate)
        finding.estimate = node.estimate(facts);
    finding.fixes = listFixes(node, facts, catalogFixes);
    return finding;
}

void addSteps(Finding& finding, const RunRecord& run, bool ownSource)
{
    for (Fix& fix : finding.fixes)
        fix.next = fixSteps(run, finding, fix, ownSource);
}

double computeGain(const Finding& finding)
{
    return finding.estimate ? finding.estimate->runtimeReduction : 0;
}

std::vector<Finding> secondaryFindings(const std::vector<TreeNode>& nodes, const RunFacts& facts, const std::string& primary,
                                       const std::vector<CatalogFix>& catalogFixes)
{
    std::vector<Finding> found;
    for (const TreeNode& node : nodes) {
        const bool known = std::any_of(found.begin(), found.end(), [&](const Finding& f) { return f.classId == node.shown.classId; });
        if (!node.asSecondary || node.shown.classId == primary || known)
            continue;
        std::vector<PathEntry> path;
        const Alternative* alternative = enter(node, facts, true, path);
        if (!alternative || alternative->conditions.empty())
            continue;
        Finding finding = makeFinding(node, *alternative, facts, catalogFixes);
        finding.path = std::move(path);
        const double gain = computeGain(finding);
        finding.priority = gain >= kLargeGain ? "P1" : gain >= kSmallGain ? "P2" : "P3";
        found.push_back(std::move(finding));
    }
    std::stable_sort(found.begin(), found.end(), [](const Finding& a, const Finding& b) { return computeGain(a) > computeGain(b); });
    return found;
}

} // namespace

DiagnosisTree::Data::Data(std::vector<TreeNode> read, std::string_view text) : nodes(std::move(read)), source(text)
{
    Sha256 hash;
    hash.add(text);
    version = hash.hex().substr(0, kVersionDigits);
    for (const TreeNode& node : nodes)
        shown.push_back(node.shown);
}

DiagnosisTree::DiagnosisTree(std::unique_ptr<Data> data) : data_(std::move(data)) {}
DiagnosisTree::DiagnosisTree(DiagnosisTree&&) noexcept = default;
DiagnosisTree& DiagnosisTree::operator=(DiagnosisTree&&) noexcept = default;
DiagnosisTree::~DiagnosisTree() = default;

Result<DiagnosisTree> DiagnosisTree::loadEmbedded()
{
    constexpr const char* kPath = "resources/diagnosis-tree.json";
    KL_ASSIGN(const auto text, resource(kPath));
    KL_ASSIGN(auto nodes, parseTree(text, kPath, Duplicates::notSought)); // a test parses it as people's trees are
    return DiagnosisTree(std::make_unique<Data>(std::move(nodes), text));
}

Result<DiagnosisTree> DiagnosisTree::parse(std::string_view json, std::string_view where)
{
    KL_ASSIGN(auto nodes, parseTree(json, where, Duplicates::rejected));
    return DiagnosisTree(std::make_unique<Data>(std::move(nodes), json));
}

const std::vector<DiagnosisTree::Node>& DiagnosisTree::nodes() const noexcept
{
    return data_->shown;
}

std::string DiagnosisTree::fixTitle(const std::string& id) const
{
    for (const TreeNode& node : data_->nodes)
        for (const GenericFix& fix : node.fixes)
            if (fix.id == id)
                return fix.title;
    return {};
}

bool DiagnosisTree::mayApply(const std::string& fix, const RunRecord& run) const
{
    const RunFacts facts(run, RunFacts::Missing::predict);
    bool known = false;
    for (const TreeNode& node : data_->nodes)
        for (const GenericFix& named : node.fixes) {
            if (named.id != fix)
                continue;
            if (kl::mayApply(named, facts))
                return true;
            known = true;
        }
    return !known;
}

const std::string& DiagnosisTree::source() const noexcept
{
    return data_->source;
}

const std::string& DiagnosisTree::version() const noexcept
{
    return data_->version;
}

Diagnosis DiagnosisTree::diagnose(const RunRecord& run, const std::vector<CatalogFix>& catalogFixes, bool ownSource) const
{
    const RunFacts facts(run, RunFacts::Missing::predict);
    Diagnosis diagnosis;
    diagnosis.treeVersion = data_->version;
    std::vector<PathEntry> path;
    Skipped skipped;
    int questionCount = 0;
    for (const TreeNode& node : data_->nodes) {
        ++questionCount;
        const Alternative* alternative = enter(node, facts, false, path);
        if (!alternative) {
            skip(node, facts, skipped);
            continue;
        }
        diagnosis.finding = makeFinding(node, *alternative, facts, catalogFixes);
        diagnosis.finding.path = std::move(path);
        if (alternative->conditions.empty())
            diagnosis.finding.confidence *= kInferredTrust; // nothing spoke for it, only nothing for another class
        if (skipped.questions > 0) {
            diagnosis.finding.confidence *= 1 - static_cast<double>(skipped.questions) / questionCount;
            diagnosis.finding.title += formatMissingNames(skipped);
        }
        break;
    }
    // What follows an invalid run is not a verdict on the kernel.
    if (diagnosis.finding.classId != "invalid")
        diagnosis.secondary = secondaryFindings(data_->nodes, facts, diagnosis.finding.classId, catalogFixes);
    addSteps(diagnosis.finding, run, ownSource);
    for (Finding& other : diagnosis.secondary)
        addSteps(other, run, ownSource);
    return diagnosis;
}

} // namespace kl::inline diagnosis
