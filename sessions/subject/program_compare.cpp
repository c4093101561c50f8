// SPDX-License-Identifier: MIT
// Old against new: both are built in copies of the project, and their processes take turns.
#include "sessions/subject/program_subject.h"

#include "core/base/format.h"
#include "core/base/ids.h"
#include "core/base/scratch_folder.h"
#include "core/base/try.h"
#include "core/stats/ab.h"
#include "core/stats/robust.h"
#include "profiler/protocol/gpu_choice.h"
#include "sessions/measure/compare.h"
#include "sessions/measure/keep.h"
#include "sessions/measure/noise_floor.h"
#include "sessions/measure/requests.h"
#include "sessions/subject/compared_outputs.h"
#include "sessions/subject/measured_launches.h"
#include "sessions/subject/program_check.h"
#include "sessions/subject/program_copy.h"
#include "sessions/target/target_family.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <optional>

namespace kl::inline subjects {
namespace {

namespace fs = std::filesystem;

/// One side of the comparison.
struct Side {
    const char* name; ///< "old", "new"
    ProgramRunner runner;
    Correctness correctness;
    int processes = 0;
    std::int64_t launches = 0;
};

/// Blocks of process runs in the order old, new, new, old.
class Blocks {
public:
    Blocks(const TargetSpec& spec, const Params& problem, Side& a, Side& b, const Job& job)
        : spec_(spec), problem_(problem), a_(a), b_(b), job_(job)
    {
    }

    /// Builds both, and checks them on the problem.
    Status prepare()
    {
        for (Side* side : {&a_, &b_}) {
            KL_ASSIGN(const SubjectBuild built, side->runner.build());
            if (built.status != ResultStatus::ok)
                return fails(built.status, fmt::format("the {} version: {}", side->name, built.reason));
            RunRecord record;
            record.problem = problem_;
            KL_TRY(checkSizes(spec_, side->runner, {}, 1, record));
            side->correctness = record.correctness;
            if (record.status != ResultStatus::ok)
                return fails(record.status, fmt::format("the {} version: {}", side->name, record.reason));
        }
        return prepareReference();
    }

    Status measure(int blocks)
    {
        const auto begin = std::chrono::steady_clock::now();
        const int all = static_cast<int>(gpu_.size()) + blocks;
        for (int i = 0; i < blocks && answer.status == ResultStatus::ok; ++i) {
            AbBlock gpu;
            AbBlock wall;
            for (Side* side : {&a_, &b_, &b_, &a_}) {
                const double elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
                step_ = fmt::format("block {} of {}, {}", gpu_.size() + 1, all, side->name);
                job_.report(step_, elapsed, i > 0 ? std::optional(elapsed * blocks / i) : std::nullopt);
                KL_TRY(runOnce(*side, side == &a_ ? gpu.a : gpu.b, side == &a_ ? wall.a : wall.b));
                if (answer.status != ResultStatus::ok)
                    return {};
            }
            gpu_.push_back(std::move(gpu));
            wall_.push_back(std::move(wall));
        }
        answer.blocks = gpu_;
        answer.correctnessA = proveSide(a_);
        answer.correctnessB = proveSide(b_);
        return {};
    }

    const std::vector<AbBlock>& wall() const { return wall_; }

    AbAnswer answer;

private:
    Status fails(ResultStatus status, const std::string& reason)
    {
        answer.status = status;
        answer.reason = reason;
        answer.correctnessA = a_.correctness;
        answer.correctnessB = b_.correctness;
        return {};
    }

    Status prepareReference()
    {
        if (spec_.check.reference.empty())
            return {};
        KL_ASSIGN(ScratchFolder folder, ScratchFolder::make());
        scratch_.emplace(std::move(folder));
        std::error_code failed;
        fs::create_directory(scratch_->path() / "reference", failed);
        KL_ASSIGN(const CommandEnd end, a_.runner.run(spec_.check.reference, {problem_, scratch_->path() / "reference"}, "the reference"));
        return end.why.empty() ? Status{} : fails(ResultStatus::computationFailed, "the reference " + end.why);
    }

    /// One process: its launches, and its outputs where they are checked.
    Status runOnce(Side& side, std::vector<double>& gpu, std::vector<double>& wall)
    {
        const fs::path outputs = scratch_ ? scratch_->path() / "outputs" : fs::path();
        std::error_code failed;
        if (scratch_) {
            fs::remove_all(outputs, failed);
            fs::create_directory(outputs, failed);
        }
        KL_ASSIGN(const ProgramRunner::Traced traced, side.runner.trace(spec_.run, {problem_, outputs}, step_));
        if (!traced.end.why.empty())
            return fails(ResultStatus::computationFailed, fmt::format("the {} version {}", side.name, traced.end.why));
        const Result<MeasuredLaunches> measured = measureLaunches(traced.processes, spec_.kernel, problem_, spec_.warmup, spec_.launches);
        if (!measured)
            return fails(ResultStatus::computationFailed, fmt::format("the {} version: {}", side.name, measured.error().message));
        if (answer.device.uuid.empty())
            answer.device = measured->device;
        gpu.push_back(computeMedian(measured->gpuNs));
        wall.push_back(computeMedian(measured->stepNs));
        ++side.processes;
        side.launches += static_cast<std::int64_t>(measured->gpuNs.size());
        if (!scratch_)
            return {};
        KL_ASSIGN(const SuiteRow row, compareOutputs(outputs, scratch_->path() / "reference", spec_.check.tolerance, toText(problem_)));
        if (row.pass)
            return {};
        side.correctness.result = CorrectnessResult::incorrectWhenTimed;
        side.correctness.reason = fmt::format("In process {} of the {} version {}.", side.processes, side.name, row.reason);
        return fails(ResultStatus::validationFailed, side.correctness.reason);
    }

    /// What the checks of a side prove of the launches that were timed.
    Correctness proveSide(const Side& side) const
    {
        Correctness correctness = side.correctness;
        PassProof proof;
        proof.inputSets = 1;
        proof.passes = static_cast<int>(std::min<std::int64_t>(side.launches, std::numeric_limits<int>::max()));
        proof.checked = scratch_ ? side.processes : 0;
        proof.newInputs = false;
        proof.note = scratch_ ? "the outputs of every process that was timed were compared with the reference"
                              : "the check is a command of its own, which ran before";
        correctness.proof = std::move(proof);
        return correctness;
    }

    const TargetSpec& spec_;
    Params problem_;
    Side& a_;
    Side& b_;
    const Job& job_;
    std::optional<ScratchFolder> scratch_; ///< of outputs; unset where a command checks
    std::vector<AbBlock> gpu_;
    std::vector<AbBlock> wall_;
    std::string step_;
};

/// Steps that are for kernels of a worker.
void dropKernelSteps(Comparison& comparison)
{
    const auto forKernels = [](const NextStep& step) { return step.id == StepId::run || step.id == StepId::calibrate; };
    std::erase_if(comparison.nextSteps, forKernels);
    for (Warning& note : comparison.warnings)
        std::erase_if(note.next, forKernels);
}

void addWall(Comparison& comparison, const std::vector<AbBlock>& blocks)
{
    if (blocks.size() < 2)
        return;
    std::vector<double> a;
    std::vector<double> b;
    for (const AbBlock& block : blocks) {
        a.insert(a.end(), block.a.begin(), block.a.end());
        b.insert(b.end(), block.b.begin(), block.b.end());
    }
    comparison.wall = WallComparison{computeRatio(blocks), computeMedian(std::move(a)), computeMedian(std::move(b))};
}

} // namespace

Result<Comparison> ProgramSubject::compare(const Address& a, const Address& b, const Params&, double, const Job&)
{
    return Error{.code = ErrorCode::notFound,
                 .message = fmt::format("{} and {} are one program: it has no variants.", toText(a), toText(b)),
                 .hint = "Make the change as an edit of its files.",
                 .where = toText(b)};
}

Result<Comparison> ProgramSubject::compareEdit(const KernelFiles& before, const Address& variant, const Params& problem, double keepAt,
                                               const Job& job)
{
    KL_ASSIGN(const TargetSpec spec, loadAllowedTarget(job));
    KL_TRY(canBeCopied(spec));
    KL_TRY(checkStorable(bench_.store()));
    KL_ASSIGN(const KernelFamily now, makeFamily(spec));
    KL_ASSIGN(const KernelFamily then, makeFamily(spec, before.texts));
    std::map<std::string, std::string> texts = before.texts;
    texts.erase(spec.file); // the target is the same for both
    KL_ASSIGN(const ProgramCopy oldCopy, ProgramCopy::make(spec, texts));
    KL_ASSIGN(const ProgramCopy newCopy, ProgramCopy::make(spec, {}));
    Side a{"old", ProgramRunner(spec, oldCopy.folder(), gpu(), job), {}};
    Side b{"new", ProgramRunner(spec, newCopy.folder(), gpu(), job), {}};
    const Params size = problem.empty() ? spec.problems.front() : problem;
    Blocks blocks(spec, size, a, b, job);
    if (const DeviceInfo* device = findMeasuredDevice(bench_.collector().hello()))
        blocks.answer.device = *device;
    KL_TRY(blocks.prepare());
    KL_ASSIGN([[maybe_unused]] const std::optional<GpuLock> lock, lockGpu(job)); // after the builds
    if (blocks.answer.status == ResultStatus::ok)
        KL_TRY(blocks.measure(kBlocksPerLook));
    const AbSubject subject{variant, variant, toText(size), true};
    const NoiseFloor noise = noiseFloor(bench_.store(), blocks.answer.device, Source::live, {toText(variant)});
    Comparison comparison = judgeBlocks(blocks.answer, subject, noise, keepAt);
    if (wantsSecondLook(comparison, keepAt)) {
        KL_TRY(blocks.measure(kBlocksPerLook));
        comparison = judgeBlocks(blocks.answer, subject, noise, keepAt);
    }
    addWall(comparison, blocks.wall());
    comparison.tunables.push_back({"source", then.programHash.substr(0, 12), now.programHash.substr(0, 12), {}});
    comparison.id.text = newUuid();
    dropKernelSteps(comparison);
    keep(bench_.store(), comparison, job);
    return comparison;
}

} // namespace kl::inline subjects
