// SPDX-License-Identifier: MIT
#include "sessions/subject/program_subject.h"

#include "core/base/format.h"
#include "core/base/host_name.h"
#include "core/base/ids.h"
#include "core/base/python_call.h"
#include "core/base/scratch_folder.h"
#include "core/base/try.h"
#include "core/device/launch_occupancy.h"
#include "core/stats/ab.h"
#include "core/stats/robust.h"
#include "profiler/client/consent.h"
#include "profiler/protocol/gpu_choice.h"
#include "sessions/learning/recommend.h"
#include "sessions/measure/keep.h"
#include "sessions/measure/machine_check.h"
#include "sessions/measure/requests.h"
#include "sessions/program/program_profile.h"
#include "sessions/subject/brought_report.h"
#include "sessions/subject/kernel_subject.h"
#include "sessions/subject/measured_launches.h"
#include "sessions/subject/program_check.h"
#include "sessions/subject/program_rival.h"
#include "sessions/target/target_family.h"
#include "sessions/target/target_file.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

namespace kl::inline subjects {
namespace {

namespace fs = std::filesystem;

/// The program fails as a kernel that faults does: a result, no Error.
void fail(RunRecord& record, ResultStatus status, const std::string& reason)
{
    record.status = status;
    record.reason = reason;
}

std::string formatErrorText(const Error& error)
{
    return error.hint.empty() ? error.message : error.message + ' ' + error.hint;
}

LaunchFacts collectFacts(const MeasuredLaunches& measured)
{
    LaunchFacts facts;
    const TracedLaunch& launch = measured.example;
    facts.entry = demangle(measured.kernel);
    facts.gridBlocks = static_cast<std::int64_t>(launch.grid[0]) * launch.grid[1] * launch.grid[2];
    facts.blockThreads = launch.block[0] * launch.block[1] * launch.block[2];
    facts.registers = launch.registers;
    facts.localBytes = launch.localBytes;
    facts.staticSmem = launch.staticSmem;
    facts.dynamicSmem = launch.dynamicSmem;
    facts.gpuNs = computeMedian(measured.gpuNs);
    addOccupancy(facts, measured.device);
    return facts;
}

} // namespace

Result<TargetSpec> ProgramSubject::loadAllowedTarget(const Job& job) const
{
    KL_ASSIGN(TargetSpec spec, loadTarget(family_.origin.descriptor));
    const ProgramCommands commands{spec.file, spec.fileHash, spec.folder, commandsIn(spec), spec.edit, !spec.build.empty()};
    KL_TRY(bench_.collector().allow(programCommand(commands), job));
    return spec;
}

std::string ProgramSubject::gpu() const
{
    const Hello& hello = bench_.collector().hello();
    const DeviceInfo* device = findMeasuredDevice(hello);
    return device && hello.devices.size() > 1 ? device->uuid : std::string();
}

Result<std::optional<GpuLock>> ProgramSubject::lockGpu(const Job& job) const
{
    const DeviceInfo* device = findMeasuredDevice(bench_.collector().hello());
    if (!device || device->uuid.empty())
        return std::optional<GpuLock>{};
    KL_ASSIGN(GpuLock lock, GpuLock::take(device->uuid, job));
    return std::optional<GpuLock>(std::move(lock));
}

Result<RunRecord> ProgramSubject::newRecord(const TargetSpec& spec, const Address& variant, const Params& problem) const
{
    KL_ASSIGN(const KernelFamily now, makeFamily(spec)); // an edit may have been saved since the catalog was read
    RunRecord record;
    record.id.text = newUuid();
    record.kernel = variant;
    record.problem = problem.empty() ? spec.problems.front() : problem;
    record.sourceHash = now.programHash;
    record.host = hostName();
    record.source = Source::live;
    record.startedAt = isoNow();
    if (const DeviceInfo* device = findMeasuredDevice(bench_.collector().hello()))
        record.device = *device;
    record.program.emplace().command = ProgramRunner::fillCommand(spec.run, record.problem);
    return record;
}

Result<EnvReport> ProgramSubject::environment(const Job& job)
{
    KL_ASSIGN(const TargetSpec spec, loadAllowedTarget(job));
    const fs::path place = bench_.store().location();
    KL_ASSIGN(EnvReport report, checkMachine(bench_.catalog(), bench_.collector(),
                                             {spec.file, {}, place.is_absolute() ? place.parent_path().string() : ""}, job));
    if (report.refused)
        return *report.refused;
    const ProgramRunner runner(spec, spec.folder, gpu(), job);
    KL_ASSIGN(const SubjectBuild built, runner.build());
    const bool good = built.status == ResultStatus::ok;
    report.checks.push_back({"target-build", Requirement::required, good ? CheckResult::pass : CheckResult::fail,
                             good ? fmt::format("{}, {}", built.arch, formatTime(built.seconds * 1e9)) : built.reason,
                             "What does not build cannot be measured.", good ? "" : "Correct what the compiler names."});
    EnvCheck launched{"target-launch",
                      Requirement::required,
                      CheckResult::skipped,
                      "It is not built.",
                      "A session measures these launches; they have to be found in the program.",
                      {}};
    if (good) {
        KL_ASSIGN(const ProgramRunner::Traced traced, runner.trace(spec.run, {spec.smallest}, "the program at " + toText(spec.smallest)));
        const auto found = traced.end.why.empty()
                               ? measureLaunches(traced.processes, spec.kernel, spec.smallest, spec.warmup, spec.launches)
                               : Result<MeasuredLaunches>(Error{.message = "The program " + traced.end.why});
        launched.result = found ? CheckResult::pass : CheckResult::fail;
        launched.found = found ? fmt::format("{}, {} launches at {}", demangle(found->kernel), found->launches, toText(spec.smallest))
                               : found.error().message;
        if (!found) {
            launched.fix = found.error().hint;
            launched.found.erase(launched.found.find_last_not_of('.') + 1); // it is used in a sentence, too
        }
    }
    report.checks.push_back(std::move(launched));
    return report;
}

Result<SubjectBuild> ProgramSubject::build(const Address&, const Params&, const Job& job)
{
    KL_ASSIGN(const TargetSpec spec, loadAllowedTarget(job));
    return ProgramRunner(spec, spec.folder, gpu(), job).build();
}

Status ProgramSubject::measure(const TargetSpec& spec, const ProgramRunner& runner, RunRecord& record) const
{
    MeasuredLaunches all;
    const auto once = [&]() -> Status {
        KL_ASSIGN(const ProgramRunner::Traced traced, runner.trace(spec.run, {record.problem}, "timing at " + toText(record.problem)));
        if (!traced.end.why.empty()) {
            fail(record, ResultStatus::computationFailed, "The program " + traced.end.why);
            return {};
        }
        const Result<MeasuredLaunches> measured =
            measureLaunches(traced.processes, spec.kernel, record.problem, spec.warmup, spec.launches);
        if (!measured) {
            fail(record, ResultStatus::computationFailed, formatErrorText(measured.error()));
            return {};
        }
        if (!record.device.uuid.empty() && !measured->device.uuid.empty() && measured->device.uuid != record.device.uuid) {
            fail(record, ResultStatus::computationFailed,
                 fmt::format("The program ran on {} ({}), the session is on {} ({}).", measured->device.name, measured->device.uuid,
                             record.device.name, record.device.uuid));
            return {};
        }
        std::vector<double> gpuNs = std::move(all.gpuNs);
        std::vector<double> stepNs = std::move(all.stepNs);
        gpuNs.insert(gpuNs.end(), measured->gpuNs.begin(), measured->gpuNs.end());
        stepNs.insert(stepNs.end(), measured->stepNs.begin(), measured->stepNs.end());
        all = *measured;
        all.gpuNs = std::move(gpuNs);
        all.stepNs = std::move(stepNs);
        if (spec.rival.run.empty() && spec.rival.shape.empty())
            record.baseline = rivalIn(spec, traced.processes, record.problem);
        return {};
    };
    KL_TRY(once());
    if (record.status == ResultStatus::ok && !record.baseline) { // a program of its own: the two alternate
        KL_ASSIGN(Baseline rival, rivalRuns(spec, runner, record.problem));
        record.baseline = std::move(rival);
        KL_TRY(once());
    }
    if (record.status != ResultStatus::ok)
        return {};
    Timing timing;
    timing.gpu = summarize(all.gpuNs);
    timing.samples = all.gpuNs;
    timing.stoppedBy = "end of the program";
    record.timing = std::move(timing);
    record.warnings.push_back(
        {"step-time", fmt::format("From one launch to the next the program takes {}.", formatTime(computeMedian(all.stepNs)))});
    record.launches = {collectFacts(all)};
    record.program->kernel = demangle(all.kernel);
    record.program->launches = all.launches;
    record.program->totalNs = all.totalNs;
    record.program->share = all.share;
    if (record.baseline && record.baseline->gpu && record.timing->gpu.median > 0)
        record.speedup = record.baseline->gpu->median / record.timing->gpu.median;
    return {};
}

Result<RunRecord> ProgramSubject::run(const Address& variant, const Params& problem, bool suite, const Job& job)
{
    KL_ASSIGN(const TargetSpec spec, loadAllowedTarget(job));
    KL_TRY(checkStorable(bench_.store()));
    KL_ASSIGN(RunRecord record, newRecord(spec, variant, problem));
    const ProgramRunner runner(spec, spec.folder, gpu(), job);
    KL_ASSIGN(const SubjectBuild built, runner.build());
    if (built.status != ResultStatus::ok) {
        fail(record, built.status, built.reason);
    } else {
        KL_ASSIGN([[maybe_unused]] const std::optional<GpuLock> lock, lockGpu(job));
        // As for kernels: a suite gets inputs that nobody tuned the code for.
        KL_TRY(checkSizes(spec, runner, suite ? spec.suite : std::vector<Params>{}, suite ? freshSeed() : 1, record));
        if (record.status == ResultStatus::ok)
            KL_TRY(measure(spec, runner, record));
    }
    keep(bench_.store(), record, job);
    return record;
}

Result<RunRecord> ProgramSubject::profileByInjection(const TargetSpec& spec, const ProgramRunner& runner, RunRecord record) const
{
    TraceConfig config;
    config.kernel = spec.kernel.kernel;
    config.tier = kSessionTier;
    config.source = true;
    KL_ASSIGN(const ProgramRunner::Counted counted, runner.count(spec.run, {record.problem}, config));
    if (!counted.why.empty()) {
        fail(record, ResultStatus::computationFailed, "The program " + counted.why);
        return record;
    }
    const Result<MeasuredLaunches> found = measureLaunches(counted.program.processes, spec.kernel, record.problem, spec.warmup, 1);
    if (!found) {
        fail(record, ResultStatus::computationFailed, formatErrorText(found.error()));
        return record;
    }
    KL_ASSIGN(const KernelPattern pattern, KernelPattern::parse(spec.kernel.kernel));
    ProgramProfile profile =
        makeProgramProfile(counted.program.program, counted.program.processes, pattern, bench_.tree(), counted.program.counting);
    const std::string name = demangle(found->kernel);
    const LaunchFacts shape = collectFacts(*found);
    const auto mine = std::ranges::find_if(profile.runs, [&](const RunRecord& run) {
        return run.program->kernel == name && run.launches.front().gridBlocks == shape.gridBlocks &&
               run.launches.front().blockThreads == shape.blockThreads;
    });
    if (mine == profile.runs.end()) {
        fail(record, ResultStatus::computationFailed, fmt::format("The second run of the program did not launch {} again.", name));
        return record;
    }
    weighFixes(profile, trainModel(bench_.store(), bench_.catalog(), bench_.tree()), bench_.tree());
    record.device = mine->device;
    record.timing = std::move(mine->timing);
    record.launches = std::move(mine->launches);
    record.metrics = std::move(mine->metrics);
    record.diagnosis = std::move(mine->diagnosis);
    record.sourceProfile = std::move(mine->sourceProfile);
    record.workerSeconds = mine->workerSeconds;
    record.warnings = std::move(mine->warnings);
    record.program = std::move(mine->program);
    if (profile.finding)
        record.warnings.push_back({profile.finding->classId, fmt::format("The program as a whole: {}", profile.finding->title)});
    return record;
}

Result<RunRecord> ProgramSubject::profile(const Address& variant, const Params& problem, const std::string& report, const Job& job)
{
    KL_ASSIGN(const TargetSpec spec, loadAllowedTarget(job));
    KL_TRY(checkStorable(bench_.store()));
    KL_ASSIGN(RunRecord record, newRecord(spec, variant, problem));
    if (!report.empty()) { // whatever is wrong with it is reported before the program runs
        KL_ASSIGN(RunRecord brought, takeBroughtReport(spec, report, record, bench_.tree()));
        record = std::move(brought);
    }
    const ProgramRunner runner(spec, spec.folder, gpu(), job);
    KL_ASSIGN(const SubjectBuild built, runner.build());
    if (built.status != ResultStatus::ok) {
        fail(record, built.status, built.reason);
    } else {
        KL_ASSIGN([[maybe_unused]] const std::optional<GpuLock> lock, lockGpu(job));
        KL_TRY(checkSizes(spec, runner, {}, 1, record));
        if (record.status == ResultStatus::ok && report.empty()) {
            KL_ASSIGN(record, profileByInjection(spec, runner, std::move(record)));
        } else if (!report.empty()) {
            if (const auto note = weighBy(trainModel(bench_.store(), bench_.catalog(), bench_.tree()), record, bench_.tree()))
                record.warnings.push_back(*note);
        }
    }
    keep(bench_.store(), record, job);
    return record;
}

Result<FoundPoint> ProgramSubject::search(const Address& variant, const Params&, double, const Job&)
{
    return Error{.code = ErrorCode::refused,
                 .message = "A program has no tunables to search.",
                 .hint = "Choose another fix.",
                 .where = toText(variant)};
}

Result<FailingCase> ProgramSubject::findFailing(const Address& variant, const Job& job)
{
    FailingCase found;
    KL_ASSIGN(found.run, run(variant, family_.smallest, true, job));
    const std::vector<SuiteRow>& suite = found.run.correctness.suite;
    const auto wrong = std::ranges::find(suite, false, &SuiteRow::pass); // smallest first: only sizes that the target names are tried
    if (wrong != suite.end()) {
        KL_ASSIGN(found.problem, parseParams(wrong->problem));
        found.seen = fmt::format("{}: {}", wrong->problem, wrong->reason);
    } else if (!isUsable(found.run)) {
        found.problem = family_.smallest;
        found.seen = fmt::format("{}: {}", toText(family_.smallest), found.run.reason);
    } else {
        found.seen = fmt::format("correct on all {} sizes that were tried", suite.size());
    }
    return found;
}

std::string ProgramSubject::historyFile() const
{
    return family_.origin.sources.front();
}

std::unique_ptr<Subject> makeSubject(Workbench& bench, const KernelFamily& family)
{
    if (family.isProgram())
        return std::make_unique<ProgramSubject>(bench, family);
    return std::make_unique<KernelSubject>(bench, family);
}

} // namespace kl::inline subjects
