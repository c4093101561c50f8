// SPDX-License-Identifier: MIT
#include "profiler/live/measure/proven_work.h"

#include "core/base/format.h"
#include "core/base/try.h"
#include "kernels/data/numbers.h"
#include "profiler/live/measure/correctness.h"
#include "profiler/live/proof/random_bits.h"
#include "profiler/live/session/gpu_session.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <fmt/format.h>

namespace kl::inline live {
namespace {

constexpr int kFreshLaunches = 5;
constexpr int kTriedLaunches = 3;
constexpr double kBriefNs = 200'000; ///< of the host's time: what fetching code again adds, about 0.1 µs, shows in a launch that is shorter

/// A launch in a fresh copy of the code also fetches it again (1 to 2 µs on an H200) and finds the device's heap as it is at first (a
/// kernel that allocates: 22 µs against 16). What is beyond that is time that other passes save by something that is kept.
constexpr double kFreshFactor = 1.3;
constexpr double kFreshNs = 5000;

/// Launches find zeros in it and may write to it.
bool isZeroed(const BufferSpec& buffer)
{
    return buffer.role != BufferRole::input && buffer.fill == Fill::zeros;
}

bool isOutput(const WorkSpec& work, const BufferSpec& buffer)
{
    return buffer.role == BufferRole::output || isReadAndWritten(work, buffer);
}

} // namespace

ProvenWork::ProvenWork(GpuSession& session, BuiltWork& work, std::shared_ptr<InputSets> inputs, ProofKernels& kernels)
    : session_(session), work_(work), inputs_(std::move(inputs)), kernels_(kernels), random_(secretBits())
{
}

Status ProvenWork::make(GpuSession& session, BuiltWork& work, std::shared_ptr<InputSets> inputs, std::unique_ptr<ProvenWork>& made)
{
    KL_ASSIGN(auto* kernels, session.proofKernels());
    made.reset(new ProvenWork(session, work, std::move(inputs), *kernels));
    const WorkSpec& spec = work.spec();
    made->fromPrepared_ = !spec.state.empty();
    for (std::size_t i = 0; i < spec.buffers.size(); ++i) {
        const BufferSpec& buffer = spec.buffers[i];
        if (isOutput(spec, buffer))
            made->outputs_.push_back({i, {}});
        made->fromPrepared_ = made->fromPrepared_ || isReadAndWritten(spec, buffer) || isZeroed(buffer);
    }
    return made->computeAnswers();
}

/// Each set's by a copy of the code that has never run: nothing that an earlier launch kept can reach it.
Status ProvenWork::computeAnswers()
{
    KL_ASSIGN(const auto compiled, session_.compile(work_.spec()));
    for (std::size_t set = 0; set < inputs_->size(); ++set) {
        KL_ASSIGN(std::vector<std::uint64_t> sums, sumInputs(inputs_->memory(set)));
        inputSums_.push_back(std::move(sums));
        KL_ASSIGN(std::unique_ptr<BuiltWork> fresh,
                  session_.build(work_.spec(), {.memoryOf = &inputs_->memory(set), .fillInputs = false, .opcodes = false}));
        KL_ASSIGN(ModuleState state,
                  ModuleState::read(*fresh->module(), compiled->cubin, work_.spec().state, kernels_, session_.bench().stream()));
        KL_TRY(prepare(*fresh, set, Before::poison, false));
        KL_TRY(fresh->issue());
        KL_TRY(waitFor(session_.bench().stream(), kHangSeconds));
        KL_TRY(takeAnswer(*fresh));
        KL_ASSIGN(std::vector<std::uint64_t> after, state.sums(kernels_));
        afterFirst_.push_back(std::move(after));
        const BuiltWork* loaded = !timed_.empty() ? timed_.front().get() : work_.untouched() ? &work_ : nullptr;
        KL_ASSIGN(
            std::unique_ptr<BuiltWork> timed,
            session_.build(work_.spec(), {.memoryOf = &inputs_->memory(set), .moduleOf = loaded, .fillInputs = false, .opcodes = false}));
        timed_.push_back(std::move(timed));
    }
    KL_ASSIGN(ModuleState state,
              ModuleState::read(*timed_.front()->module(), compiled->cubin, work_.spec().state, kernels_, session_.bench().stream()));
    state_ = std::move(state);
    KL_ASSIGN(const std::vector<double> times, session_.bench().hostTimes([this] { return issue(0); }, kTriedLaunches));
    brief_ = times.back() < kBriefNs;
    return {};
}

/// Restores what launches write of their inputs. Asynchronous; copies, no kernel.
Status ProvenWork::refill(BuiltWork& work, std::size_t set)
{
    const std::vector<MemorySpan> memory = work.memory();
    for (std::size_t i = 0; i < memory.size(); ++i)
        if (isReadAndWritten(work.spec(), work.spec().buffers[i]))
            KL_TRY(inputs_->fill(set, i, memory[i].first));
    return {};
}

Status ProvenWork::issue(std::size_t set)
{
    if (isPlaced(work_.spec()))
        KL_TRY(refill(*timed_[set], set));
    return launch(set);
}

Status ProvenWork::launch(std::size_t set)
{
    return timed_[set]->issue();
}

Status ProvenWork::restore(std::size_t set)
{
    const CUstream stream = session_.bench().stream();
    if (state_)
        KL_TRY(state_->restore(stream));
    KL_TRY(refill(*timed_[set], set));
    const std::vector<MemorySpan> memory = timed_[set]->memory();
    const std::vector<BufferSpec>& buffers = work_.spec().buffers;
    for (std::size_t i = 0; i < memory.size(); ++i)
        if (isZeroed(buffers[i]) && !isReadAndWritten(work_.spec(), buffers[i]))
            KL_TRY(KL_CUDA(MemsetD8Async, memory[i].first, 0, memory[i].second, stream));
    return {};
}

Before ProvenWork::drawBefore()
{
    if (inputs_->size() < 2) // there is no other answer
        return random_() % 2 == 0 ? Before::poison : Before::holes;
    return static_cast<Before>(random_() % 3);
}

Status ProvenWork::takeAnswer(const BuiltWork& fresh)
{
    const std::vector<MemorySpan> memory = fresh.memory();
    for (Output& output : outputs_) {
        const BufferSpec& spec = work_.spec().buffers[output.index];
        SealedAnswer answer;
        answer.key = secretBits();
        KL_ASSIGN(DeviceMemory sealed, allocate(memory[output.index].second));
        answer.memory = std::move(sealed);
        KL_TRY(kernels_.seal(answer, memory[output.index].first, spec));
        KL_ASSIGN(const OutputTally tally, kernels_.check(memory[output.index].first, spec, answer, work_.spec().tolerance.maxAbs, true));
        answer.squares = tally.answerSquares;
        output.answers.push_back(std::move(answer));
        if (tally.notFinite > 0 && !spec.after) {
            Witness witness;
            witness.buffer = spec.name;
            witness.what =
                fmt::format("On other random inputs {} elements of {} are not finite or were never written.", tally.notFinite, spec.name);
            KL_TRY(refute(CorrectnessResult::incorrect, std::move(witness)));
        }
    }
    return {};
}

/// What a pass finds: shared memory first, so that what runs last before the caches are emptied is as without a proof. `before`: of
/// outputs that start as poison; nothing: drawn.
Status ProvenWork::prepare(BuiltWork& work, std::size_t set, std::optional<Before> before, bool cold)
{
    KL_TRY(kernels_.scrub(random_()));
    if (cold)
        KL_TRY(kernels_.flush());
    if (state_)
        KL_TRY(state_->restore(session_.bench().stream()));
    const std::vector<MemorySpan> memory = work.memory();
    const std::vector<BufferSpec>& buffers = work.spec().buffers;
    const Before drawn = before ? *before : drawBefore();
    const std::size_t other = (set + 1 + random_() % std::max<std::size_t>(inputs_->size() - 1, 1)) % inputs_->size();
    lyingThere_ = drawn == Before::other ? std::optional(other) : std::nullopt;
    for (std::size_t i = 0; i < buffers.size(); ++i) {
        if (isReadAndWritten(work.spec(), buffers[i])) {
            KL_TRY(inputs_->fill(set, i, memory[i].first));
            continue;
        }
        if (buffers[i].role == BufferRole::input) {
            KL_TRY(kernels_.touch(memory[i].first, memory[i].second));
            continue;
        }
        KL_TRY(kernels_.touch(memory[i].first, memory[i].second));
        const auto output = std::ranges::find(outputs_, i, &Output::index);
        const bool holds = output != outputs_.end() && buffers[i].fill != Fill::zeros && drawn != Before::poison;
        const SealedAnswer* answer = holds ? &output->answers[drawn == Before::other ? other : set] : nullptr;
        KL_TRY(kernels_.prepare(memory[i].first, buffers[i], drawn, answer, random_()));
    }
    return {};
}

BenchPass ProvenWork::on(std::size_t set, bool cold)
{
    BuiltWork* work = timed_[set].get();
    BenchPass pass;
    pass.timed = [work] { return work->issue(); };
    pass.prepare = [this, work, set, cold] { return prepare(*work, set, {}, cold); };
    pass.check = [this, work, set] { return check(*work, set); };
    pass.fromPrepared = fromPrepared_;
    if (cold && brief_ && timed_.size() > 1) {
        BuiltWork* other = timed_[(set + 1) % timed_.size()].get();
        pass.prime = [other] { return other->issue(); };
    } else if (cold && brief_ && isPlaced(work_.spec())) {
        pass.prime = [this, work, set]() -> Status {
            KL_TRY(work->issue());
            return refill(*work, set);
        };
    }
    return pass;
}

Status ProvenWork::check(BuiltWork& work, std::size_t set)
{
    ++passes_;
    const std::vector<MemorySpan> memory = work.memory();
    const Tolerance& tolerance = work.spec().tolerance;
    for (const Output& output : outputs_) {
        const SealedAnswer& answer = output.answers[set];
        const CUdeviceptr data = memory[output.index].first;
        KL_ASSIGN(const OutputTally tally, kernels_.check(data, work.spec().buffers[output.index], answer, tolerance.maxAbs));
        const bool drifts = answer.squares > 0 && std::sqrt(tally.errorSquares / answer.squares) > tolerance.relL2;
        if (tally.bad > 0 || drifts)
            return refuteElement(work, set, output, tally.bad > 0 ? *tally.firstBad : *tally.firstOther);
        if (tally.different > 0 && !otherBits_)
            otherBits_ = witnessAt(work, set, output, *tally.firstOther);
    }
    return {};
}

/// Whether an answer that fits another set's inputs was kept.
bool ProvenWork::answersOther(CUdeviceptr data, const Output& output, std::size_t set)
{
    const BufferSpec& spec = work_.spec().buffers[output.index];
    for (std::size_t other = 0; other < output.answers.size(); ++other) {
        if (other == set || other == lyingThere_) // the latter was not computed, but left alone
            continue;
        const Result<OutputTally> tally = kernels_.check(data, spec, output.answers[other], work_.spec().tolerance.maxAbs);
        if (tally && tally->bad == 0)
            return true;
    }
    return false;
}

Status ProvenWork::refuteElement(BuiltWork& work, std::size_t set, const Output& output, std::uint64_t element)
{
    Witness witness = witnessAt(work, set, output, element);
    const bool replayed = answersOther(work.memory()[output.index].first, output, set);
    const auto shown = [](std::optional<double> value) { return value ? fmt::format("{:.9g}", *value) : std::string("nothing finite"); };
    witness.what =
        replayed ? fmt::format("After checked pass {} the output belongs to other inputs: it was not computed from the inputs that "
                               "were given.",
                               passes_)
                 : fmt::format("After checked pass {}, {}[{}] is {} instead of {}, which a first launch computed from the same inputs.",
                               passes_, witness.buffer, element, shown(witness.got), shown(witness.expected));
    return refute(replayed ? CorrectnessResult::replays : CorrectnessResult::incorrectWhenTimed, std::move(witness));
}

Result<double> ProvenWork::answerAt(const Output& output, std::size_t set, std::uint64_t element) const
{
    const DType type = work_.spec().buffers[output.index].type;
    const auto size = static_cast<std::size_t>(countBytes(type));
    std::uint64_t bits = 0;
    KL_TRY(KL_CUDA(MemcpyDtoH, &bits, output.answers[set].memory.get() + element * size, size));
    bits ^= randomBitsAt(output.answers[set].key, element);
    return elementAt(reinterpret_cast<const std::byte*>(&bits), type, 0);
}

Witness ProvenWork::witnessAt(BuiltWork& work, std::size_t set, const Output& output, std::uint64_t element)
{
    const BufferSpec& spec = work.spec().buffers[output.index];
    const CUdeviceptr data = work.memory()[output.index].first;
    Witness witness;
    witness.pass = passes_;
    witness.buffer = spec.name;
    witness.index = static_cast<std::int64_t>(element);
    witness.address = fmt::format("{:#x}", data + element * static_cast<std::uint64_t>(countBytes(spec.type)));
    if (const Result<double> expected = answerAt(output, set, element); expected && std::isfinite(*expected))
        witness.expected = *expected;
    if (const auto got = kernels_.pick(data, spec.type, {element}); got && std::isfinite(got->front()))
        witness.got = got->front();
    return witness;
}

Status ProvenWork::refute(CorrectnessResult result, Witness witness)
{
    Error error{.code = ErrorCode::kernelFailed, .message = witness.what, .where = work_.spec().kernel, .detail = kRefuted};
    if (!refutation_)
        refutation_ = Refutation{result, std::move(witness)};
    return error;
}

Result<std::optional<double>> ProvenWork::freshTime(ActivityRecorder& recorder)
{
    const std::size_t set = draw();
    KL_ASSIGN(const std::unique_ptr<BuiltWork> fresh,
              session_.build(work_.spec(), {.memoryOf = &inputs_->memory(set), .fillInputs = false, .opcodes = false}));
    BuiltWork& work = *fresh;
    BenchPass pass;
    pass.timed = [&] { return work.issue(); };
    pass.prepare = [&] { return prepare(work, set, {}, true); };
    pass.check = [&] { return check(work, set); };
    KL_ASSIGN([[maybe_unused]] const auto drained, recorder.drain());
    KL_TRY(session_.bench().enqueue(pass, true));
    KL_ASSIGN(const auto samples, session_.bench().collect(recorder, {work.order().size()}));
    const std::optional<Sample>& sample = samples.front();
    return sample && !sample->throttled ? std::optional(sample->spanNs) : std::nullopt;
}

Status ProvenWork::compareWithFresh(ActivityRecorder& recorder, double medianNs)
{
    std::vector<double> times;
    for (int i = 0; i < kFreshLaunches; ++i) {
        KL_ASSIGN(const std::optional<double> time, freshTime(recorder));
        if (time)
            times.push_back(*time);
    }
    const auto fastest = std::ranges::min_element(times);
    if (fastest == times.end() || *fastest <= medianNs * kFreshFactor + kFreshNs)
        return {};
    Witness witness;
    witness.what =
        fmt::format("{} first launches in freshly loaded copies of the code take at least {}, the timed passes {}: those reuse what "
                    "earlier launches left.",
                    times.size(), formatTime(*fastest), formatTime(medianNs));
    return refute(CorrectnessResult::stateful, std::move(witness));
}

} // namespace kl::inline live
