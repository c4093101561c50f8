// SPDX-License-Identifier: MIT
#include "app/kloop/machine/recording.h"

#include "app/kloop/terminal/streams.h"
#include "app/kloop/terminal/table.h"
#include "core/base/format.h"
#include "core/codec/model_fields.h"
#include "core/stats/correctness_text.h"
#include "core/stats/ratio_text.h"
#include "kernels/variant_choice.h"
#include "profiler/device/open_device.h"
#include "profiler/protocol/message_codec.h"
#include "sessions/measure/find_failing.h"
#include "sessions/measure/requests.h"
#include "sessions/sanitize/sanitize.h"

#include <algorithm>
#include <cstdio>
#include <future>
#include <nlohmann/json.hpp>
#include <utility>

namespace kl::cli {
namespace {

constexpr double kKeepAt = 1.2;     ///< of gate 5: the ratio that a session's A/B asks about
constexpr double kClearRatio = 1.5; ///< beyond every threshold in use
constexpr int kFullTier = 2;        ///< of metrics: what the diagnosis looks at

/// At the full tier with what the sample's answers without counters need, and with what the window asks for.
ProfileScope makeRecordedScope(int tier)
{
    ProfileScope scope(tier);
    if (tier == kFullTier) {
        scope.experiments = true;
        scope.pmSampling = true;
    }
    return scope;
}

std::string padText(const std::string& text, std::size_t width)
{
    const std::size_t shown = displayWidth(text);
    return shown < width ? text + std::string(width - shown, ' ') : text;
}

const Variant* findVariant(const KernelFamily& family, const std::string& id)
{
    const auto found = std::ranges::find(family.variants, id, &Variant::id);
    return found == family.variants.end() ? nullptr : &*found;
}

std::string formatRunFigures(const RunRecord& run)
{
    std::string text =
        padText(run.timing ? formatTime(run.timing->gpu.median) : "", 10) + padText(run.speedup ? formatRatio(*run.speedup) : "", 8);
    if (run.diagnosis)
        text += padText(run.diagnosis->finding.classId, 20);
    if (run.metrics)
        text += fmt::format("passes {}/{} missing {}", run.metrics->plan.ran, run.metrics->plan.passes, run.metrics->missing.size());
    return text;
}

} // namespace

/// Sizes of a family without repeats: the measured ones, then the smallest; of them those that were named.
std::vector<Params> Recording::listProblems(const KernelFamily& family) const
{
    std::vector<Params> problems = family.problems;
    if (std::find(problems.begin(), problems.end(), family.smallest) == problems.end())
        problems.push_back(family.smallest);
    if (!parts_.problems.empty())
        std::erase_if(problems,
                      [&](const Params& problem) { return std::ranges::find(parts_.problems, problem) == parts_.problems.end(); });
    return problems;
}

bool Recording::inFull(const KernelFamily& family, const Params& problem) const
{
    const bool named = !parts_.problems.empty() && problem != family.smallest;
    return parts_.everywhere || named || problem == family.problems.front();
}

void Recording::row(const std::string& what, const std::string& subject, const std::string& found)
{
    ++items_;
    say("{}{}{:5.1f} s  {}\n", padText(what, 12), padText(subject, 52), itemSeconds(), found);
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
    say("{}{}FAILED {}\n", padText(what, 12), padText(subject, 52), why);
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
    row(what, subject, formatRunFigures(*run));
    if (run->status != ResultStatus::ok)
        fail(what, subject, fmt::format("{}: {}", toWord(run->status), run->reason));
    else if (isRefuted(run->correctness.result))
        fail(what, subject, describeRefuted(run->correctness));
    else if (run->metrics && run->metrics->plan.passes != run->metrics->plan.ran)
        fail(what, subject, "the passes that ran are not those planned");
}

void Recording::faultyItem(const char* what, const Address& address, const Params& problem, const Result<RunRecord>& run)
{
    const std::string subject = toText(address) + " " + toText(problem);
    if (!run)
        return fail(what, subject, run.error().message);
    row(what, subject, run->status == ResultStatus::ok ? "correct here" : run->reason);
}

void Recording::variant(const KernelFamily& family, const Variant& variant)
{
    const Address address{family.id, variant.id, {}};
    const Result<WorkSpec> work = bench_.catalog().work(address, family.smallest, toChip(bench_.collector()));
    if (parts_.runs && work) {
        const Result<CompileAnswer> answer = compile(bench_.collector(), {*work}, job_);
        if (answer && answer->status == ResultStatus::ok)
            row("compile", toText(address), fmt::format("{} {:.2f} s", answer->arch, answer->seconds));
        else
            fail("compile", toText(address), answer ? answer->reason : answer.error().message);
    }
    for (const Params& problem : listProblems(family)) {
        if (stopped())
            return;
        measure(family, address, problem);
    }
}

void Recording::measure(const KernelFamily& family, const Address& address, const Params& problem)
{
    const bool full = inFull(family, problem);
    const bool smallest = problem == family.smallest;
    if (const Variant* code = findVariant(family, address.variant); code && !code->fault.empty()) {
        if (parts_.runs && full)
            faultyItem("run suite", address, problem, bench_.run(address, problem, true, job_));
        if (parts_.runs && (full || smallest))
            faultyItem("run", address, problem, bench_.run(address, problem, false, job_));
        return; // there is nothing to learn of the time of an incorrect kernel
    }
    if (parts_.runs && full)
        runItem("run suite", address, problem, bench_.run(address, problem, true, job_));
    if (parts_.runs && (full || smallest))
        runItem("run", address, problem, bench_.run(address, problem, false, job_));
    for (const int tier : parts_.profiles ? parts_.tiers : std::vector<int>())
        if (full || (tier == kFullTier && !smallest))
            runItem(fmt::format("profile {}", tier).c_str(), address, problem,
                    bench_.profile(address, problem, makeRecordedScope(tier), job_));
}

/// What a sweep over these sizes asks for.
void Recording::sweep(const KernelFamily& family, const Address& address)
{
    const std::vector<Params> done = parts_.profiles ? listProblems(family) : std::vector<Params>();
    for (const Params& problem : parts_.swept) {
        if (stopped())
            return;
        if (std::ranges::find(done, problem) == done.end())
            runItem("sweep", address, problem, bench_.profile(address, problem, makeRecordedScope(kFullTier), job_));
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
        if (const auto second = abRequest(bench_.catalog(), from, to, problem, kBlocksPerLook, toChip(bench_.collector())); second)
            if (const auto more = interleave(bench_.collector(), *second, job_); !more)
                fail("ab second", subject, more.error().message);
    row("ab", subject,
        fmt::format("{} {}, {} blocks", toWord(comparison->verdict), comparison->ratio ? ratioText(*comparison->ratio) : "",
                    comparison->blocks));
}

void Recording::recordDebugging(const KernelFamily& family, const Variant& faulty)
{
    const Address address{family.id, faulty.id, {}};
    const Result<FailingCase> found = findFailingCase(bench_, address, family, job_);
    if (!found)
        return fail("failing", toText(address), found.error().message);
    if (!found->problem)
        return fail("failing", toText(address), "correct at every size, although it has a fault");
    row("failing", toText(address) + ' ' + toText(*found->problem), found->seen);
    const Chip chip = toChip(bench_.collector());
    const std::vector<Address> fixes = bench_.catalog().fixesFor(address, chip);
    for (const Address& fix : fixes) {
        runItem("run", fix, *found->problem, bench_.run(fix, *found->problem, false, job_));
        if (Result<WorkSpec> work = bench_.catalog().work(fix, family.problems.front(), chip)) // as a session builds its candidate
            if (const auto answer = compile(bench_.collector(), {std::move(*work)}, job_); !answer)
                fail("compile", toText(fix), answer.error().message);
    }
    if (!stopped())
        sanitize(fixes, address, *found->problem);
}

/// All tools over the faulty variant, then over those that fix it what a candidate must pass: at a time, since starting takes longest.
void Recording::sanitize(const std::vector<Address>& fixes, const Address& faulty, const Params& problem)
{
    struct Check {
        Address address;
        std::string tool;
        WorkSpec work;
        std::future<Result<std::vector<SanitizerCheck>>> found;
    };
    const Chip chip = toChip(bench_.collector());
    const DeviceSpec device = describeDevice(bench_.collector());
    const Job quiet{.stop = job_.stop};
    std::vector<Check> checks;
    const auto start = [&](const Address& address, const std::string& tool) {
        Result<WorkSpec> work = bench_.catalog().work(address, problem, chip);
        if (!work)
            return fail(tool, toText(address), work.error().message);
        checks.push_back({address, tool, *work, std::async(std::launch::async, [=, work = *work] {
                              return kl::sanitize(work, {tool}, std::string(), device, quiet);
                          })});
    };
    std::vector<std::string> foundBy;
    const auto finish = [&] {
        for (Check& check : checks) {
            const std::string subject = toText(check.address) + ' ' + check.work.problem;
            const Result<std::vector<SanitizerCheck>> found = check.found.get();
            if (!found) {
                fail(check.tool, subject, found.error().message);
                continue;
            }
            const SanitizerCheck& result = found->front();
            recorder_.add(Verb::sanitize, toJsonMessage(SanitizeRequest{check.work, check.tool}),
                          toJsonMessage(SanitizeAnswer{result.log, result.trouble}));
            row(check.tool, subject, describe(*found));
            if (!result.findings.empty())
                foundBy.push_back(check.tool);
        }
        checks.clear();
    };
    for (const char* tool : kSanitizerTools)
        start(faulty, tool);
    finish();
    const std::vector<std::string> tools = candidateTools(foundBy);
    for (const Address& fix : fixes)
        for (const std::string& tool : tools)
            start(fix, tool);
    finish();
}

/// What `kloop calibrate` asks for with its defaults.
void Recording::noise(const KernelFamily& family)
{
    const Variant* sound = firstSound(family);
    if (!sound)
        return;
    const Address kernel{family.id, sound->id, {}};
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
    for (const Params& problem : listProblems(family)) {
        if (problem == family.smallest || !inFull(family, problem))
            continue;
        const Address top{family.id, topVariant(family, problem, toChip(bench_.collector())).id, {}};
        for (const bool suite : {false, true}) // as kloop baselines asks, and as the window does
            if (!stopped())
                runItem("baselines", top, problem, bench_.run(top, problem, suite, job_, {}, {"all"}));
    }
}

void Recording::family(const KernelFamily& family)
{
    const auto began = std::chrono::steady_clock::now();
    if (parts_.noise)
        noise(family);
    for (const Variant& one : family.variants) {
        if (stopped())
            return;
        if (!runsOn(one.targets, toChip(bench_.collector()))) {
            row("left out", family.id + '/' + one.id, fmt::format("written for {}", fmt::join(one.targets, ", ")));
            continue;
        }
        variant(family, one);
        if (one.fault.empty())
            sweep(family, {family.id, one.id, {}});
        if (!one.fault.empty() && parts_.faults)
            recordDebugging(family, one);
        const Variant* fixed = findVariant(family, one.fixes);
        if (!parts_.pairs || !fixed || !fixed->fault.empty())
            continue;
        for (const Params& problem : listProblems(family)) {
            if (stopped())
                return;
            if (inFull(family, problem) && (parts_.everywhere || problem != family.smallest))
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
