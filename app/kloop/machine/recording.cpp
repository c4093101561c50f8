// SPDX-License-Identifier: MIT
#include "app/kloop/machine/recording.h"

#include "app/kloop/terminal/streams.h"
#include "app/kloop/terminal/table.h"
#include "core/base/format.h"
#include "core/codec/model_fields.h"
#include "core/stats/correctness_text.h"
#include "core/stats/ratio_text.h"
#include "kernels/variant_choice.h"
#include "sessions/measure/requests.h"

#include <algorithm>
#include <cstdio>
#include <utility>

namespace kl::cli {
namespace {

constexpr double kKeepAt = 1.2;     ///< of gate 5: the ratio that a session's A/B asks about
constexpr double kClearRatio = 1.5; ///< beyond every threshold in use
constexpr int kFullTier = 2;        ///< of metrics: what the diagnosis looks at

std::string padded(const std::string& text, std::size_t width)
{
    const std::size_t shown = displayWidth(text);
    return shown < width ? text + std::string(width - shown, ' ') : text;
}

/// Sizes of a family without repeats: the measured ones, then the smallest.
std::vector<Params> problemsOf(const KernelFamily& family)
{
    std::vector<Params> problems = family.problems;
    if (std::find(problems.begin(), problems.end(), family.smallest) == problems.end())
        problems.push_back(family.smallest);
    return problems;
}

std::string figuresOf(const RunRecord& run)
{
    std::string text =
        padded(run.timing ? formatTime(run.timing->gpu.median) : "", 10) + padded(run.speedup ? formatRatio(*run.speedup) : "", 8);
    if (run.diagnosis)
        text += padded(run.diagnosis->finding.classId, 20);
    if (run.metrics)
        text += fmt::format("passes {}/{} missing {}", run.metrics->plan.ran, run.metrics->plan.passes, run.metrics->missing.size());
    return text;
}

} // namespace

void Recording::row(const std::string& what, const std::string& subject, const std::string& found)
{
    ++items_;
    say("{}{}{:5.1f} s  {}\n", padded(what, 12), padded(subject, 52), itemSeconds(), found);
}

/// Since the item before.
double Recording::itemSeconds()
{
    const auto now = std::chrono::steady_clock::now();
    return std::chrono::duration<double>(now - std::exchange(itemBegan_, now)).count();
}

void Recording::fail(const std::string& what, const std::string& subject, const std::string& why)
{
    failures_.push_back(fmt::format("{} {}: {}", what, subject, why));
    say("{}{}FAILED {}\n", padded(what, 12), padded(subject, 52), why);
}

void Recording::machine()
{
    if (const Result<ProbeAnswer> answer = probe(bench_.collector(), job_); answer)
        row("probe", answer->devices.empty() ? "" : answer->devices.front().name,
            fmt::format("NVRTC {}, CUPTI {}, {}", answer->nvrtcVersion, answer->cuptiVersion, answer->python));
    else
        fail("probe", "", answer.error().message);
    if (!parts_.machine)
        return;
    const Result<EnvReport> report = bench_.environment(job_);
    if (!report)
        return fail("env", "", report.error().message);
    row("env", "", passes(*report) ? "pass" : "fail");
    for (const EnvCheck& check : report->checks)
        if (check.result == CheckResult::fail)
            say("            {}: {}\n", check.id, check.found);
}

void Recording::runItem(const char* what, const Address& address, const Params& problem, const Result<RunRecord>& run)
{
    const std::string subject = toText(address) + " " + toText(problem);
    if (!run)
        return fail(what, subject, run.error().message);
    row(what, subject, figuresOf(*run));
    if (run->status != ResultStatus::ok)
        fail(what, subject, fmt::format("{}: {}", toWord(run->status), run->reason));
    else if (isRefuted(run->correctness.result))
        fail(what, subject, refutedWords(run->correctness));
    else if (run->metrics && run->metrics->plan.passes != run->metrics->plan.ran)
        fail(what, subject, "the passes that ran are not those planned");
}

void Recording::variant(const KernelFamily& family, const Variant& variant)
{
    const Address address{family.id, variant.id, {}};
    const Result<WorkSpec> work = bench_.catalog().work(address, family.smallest, chipOf(bench_.collector()));
    if (parts_.runs && work) {
        const Result<CompileAnswer> answer = compile(bench_.collector(), {*work}, job_);
        if (answer && answer->status == ResultStatus::ok)
            row("compile", toText(address), fmt::format("{} {:.2f} s", answer->arch, answer->seconds));
        else
            fail("compile", toText(address), answer ? answer->reason : answer.error().message);
    }
    for (const Params& problem : problemsOf(family)) {
        if (stopped())
            return;
        measure(family, address, problem);
    }
}

void Recording::measure(const KernelFamily& family, const Address& address, const Params& problem)
{
    const bool full = parts_.everywhere || problem == family.problems.front();
    const bool smallest = problem == family.smallest;
    if (parts_.runs && full)
        runItem("run suite", address, problem, bench_.run(address, problem, true, job_));
    if (parts_.runs && (full || smallest))
        runItem("run", address, problem, bench_.run(address, problem, false, job_));
    for (const int tier : parts_.profiles ? parts_.tiers : std::vector<int>())
        if (full || (tier == kFullTier && !smallest)) {
            ProfileScope scope(tier);
            if (tier == kFullTier)
                scope.experiments = true; // for the sample's answers without counters
            runItem(fmt::format("profile {}", tier).c_str(), address, problem, bench_.profile(address, problem, scope, job_));
        }
}

void Recording::edge(const Address& from, const Address& to, const Params& problem)
{
    const std::string subject = fmt::format("{} > {} {}", toText(from), to.variant, toText(problem));
    const Result<Comparison> comparison = bench_.ab(from, to, problem, kKeepAt, job_);
    if (!comparison)
        return fail("ab", subject, comparison.error().message);
    // The second look too, even where the first decided, since another threshold may ask for it; not where no threshold would.
    const bool clear = comparison->ratio && (comparison->ratio->low > kClearRatio || comparison->ratio->high < 1 / kClearRatio);
    if (comparison->blocks <= kBlocksPerLook && !clear)
        if (const auto second = abRequest(bench_.catalog(), from, to, problem, kBlocksPerLook, chipOf(bench_.collector())); second)
            if (const auto more = interleave(bench_.collector(), *second, job_); !more)
                fail("ab second", subject, more.error().message);
    row("ab", subject,
        fmt::format("{} {}, {} blocks", toWord(comparison->verdict), comparison->ratio ? ratioText(*comparison->ratio) : "",
                    comparison->blocks));
}

/// What `kloop calibrate` asks for with its defaults.
void Recording::noise(const Address& kernel)
{
    const Result<NoiseRecord> record = bench_.calibrate(kernel, {}, kNoiseRepeats, job_);
    if (!record)
        return fail("noise", toText(kernel), record.error().message);
    row("noise", toText(kernel),
        fmt::format("{:.3f} %, {} of {} equivalent", 100 * record->noise, record->equivalent, record->ratios.size()));
}

void Recording::baselines(const KernelFamily& family)
{
    if (family.baselines.empty() || family.variants.empty())
        return;
    const Address top{family.id, topVariant(family, family.problems.front(), chipOf(bench_.collector())).id, {}};
    for (const bool suite : {false, true}) // as kloop baselines asks, and as the window does
        if (!stopped())
            runItem("baselines", top, family.problems.front(), bench_.run(top, family.problems.front(), suite, job_, {}, {"all"}));
}

void Recording::family(const KernelFamily& family)
{
    const auto began = std::chrono::steady_clock::now();
    if (parts_.noise && !family.variants.empty())
        noise({family.id, family.variants.front().id, {}});
    for (const Variant& one : family.variants) {
        if (stopped())
            return;
        if (!runsOn(one.targets, chipOf(bench_.collector()))) {
            row("left out", family.id + '/' + one.id, fmt::format("written for {}", fmt::join(one.targets, ", ")));
            continue;
        }
        variant(family, one);
        if (!parts_.pairs || one.fixes.empty())
            continue;
        for (const Params& problem : problemsOf(family)) {
            if (stopped())
                return;
            if (parts_.everywhere || problem == family.problems.front())
                edge({family.id, one.fixes, {}}, {family.id, one.id, {}}, problem);
        }
    }
    if (parts_.baselines)
        baselines(family);
    seconds_[family.id] = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    if (stopped() && (failures_.empty() || failures_.back() != "interrupted"))
        failures_.emplace_back("interrupted");
}

} // namespace kl::cli
