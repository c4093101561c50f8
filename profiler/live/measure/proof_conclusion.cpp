// SPDX-License-Identifier: MIT
#include "core/base/format.h"
#include "core/base/try.h"
#include "core/device/physics_floor.h"
#include "profiler/live/measure/proven_work.h"
#include "profiler/live/ptx/coarse_arithmetic.h"
#include "profiler/live/session/gpu_session.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

/// What ProvenWork looks at when its passes are over.
namespace kl::inline live {
namespace {

constexpr std::size_t kMostPicked = 65536; ///< elements of a first answer that are held against the reference

/// Places in `expected`: all, or as many as are looked at, drawn at random; the first and the last among them.
std::vector<std::size_t> drawPlaces(const Expected& expected, std::mt19937_64& random)
{
    std::vector<std::size_t> places;
    const std::size_t count = expected.values.size();
    if (count <= kMostPicked) {
        for (std::size_t i = 0; i < count; ++i)
            places.push_back(i);
        return places;
    }
    places = {0, count - 1};
    while (places.size() < kMostPicked)
        places.push_back(random() % count);
    return places;
}

} // namespace

/// A sum for each buffer, 0 for what launches may write.
Result<std::vector<std::uint64_t>> ProvenWork::sumInputs(const BuiltWork& set)
{
    const std::vector<MemorySpan> memory = set.memory();
    std::vector<std::uint64_t> sums(memory.size());
    for (std::size_t i = 0; i < memory.size(); ++i) {
        const BufferSpec& buffer = work_.spec().buffers[i];
        if (buffer.role != BufferRole::input || isReadAndWritten(work_.spec(), buffer))
            continue;
        KL_ASSIGN(const std::uint64_t sum, kernels_.hash(memory[i].first, memory[i].second));
        sums[i] = sum;
    }
    return sums;
}

Status ProvenWork::checkInputs()
{
    for (std::size_t set = 0; set < timed_.size(); ++set) {
        KL_ASSIGN(const std::vector<std::uint64_t> sums, sumInputs(*timed_[set]));
        const auto [now, before] = std::ranges::mismatch(sums, inputSums_[set]);
        if (now == sums.end())
            continue;
        const auto index = static_cast<std::size_t>(now - sums.begin());
        Witness witness;
        witness.buffer = work_.spec().buffers[index].name;
        witness.address = fmt::format("{:#x}", timed_[set]->memory()[index].first);
        witness.what =
            fmt::format("The kernel writes its input {}, so later launches see different data. If that is intended, name it as the "
                        "reference's output.",
                        witness.buffer);
        return refute(CorrectnessResult::stateful, std::move(witness));
    }
    return {};
}

/// A variable may change that is declared, or that every launch leaves alike whatever its inputs are (a table that each computes again):
/// no information passes from one call to the next. With a single input set there is nothing to compare.
Status ProvenWork::checkVariables()
{
    KL_ASSIGN(const std::vector<std::uint64_t> sums, state_->sums(kernels_));
    for (std::size_t i = 0; i < sums.size(); ++i) {
        const ModuleState::Variable& variable = state_->variables()[i];
        const bool alike = afterFirst_.size() > 1 &&
                           std::ranges::all_of(afterFirst_, [&](const std::vector<std::uint64_t>& after) { return after[i] == sums[i]; });
        if (sums[i] == variable.sum || variable.initial || alike)
            continue;
        Witness witness;
        witness.global = variable.of.name;
        witness.address = fmt::format("{:#x}", variable.data);
        witness.what = fmt::format(
            "Launches leave the __device__ variable {} ({}) changed, so later launches can depend on it. If that is intended, declare it: "
            "\"state\": [\"{}\"] in the variant.",
            variable.of.name, formatBytes(static_cast<double>(variable.of.bytes)), variable.of.name);
        return refute(CorrectnessResult::stateful, std::move(witness));
    }
    return {};
}

Status ProvenWork::checkGuards()
{
    for (const std::unique_ptr<BuiltWork>& work : timed_) {
        KL_ASSIGN(const std::optional<std::string> broken, work->guardViolation());
        if (broken) {
            Witness witness;
            witness.what = *broken;
            return refute(CorrectnessResult::incorrectWhenTimed, std::move(witness));
        }
    }
    return {};
}

/// The first answer on a set that was drawn at random, against the reference on the same inputs.
Status ProvenWork::checkReference()
{
    const Result<Expected>* reference = inputs_->awaitExpected();
    if (!reference)
        return {};
    if (!*reference)
        return reference->error();
    const Expected& expected = **reference;
    const std::size_t set = inputs_->referenceSet();
    const auto output = std::ranges::find_if(
        outputs_, [&](const Output& one) { return work_.spec().buffers[one.index].name == work_.spec().reference.output; });
    if (output == outputs_.end() || expected.values.empty())
        return {};
    const BufferSpec& buffer = work_.spec().buffers[output->index];
    std::vector<std::uint64_t> elements;
    const std::vector<std::size_t> places = drawPlaces(expected, random_);
    for (const std::size_t place : places)
        elements.push_back(expected.indices.empty() ? place : static_cast<std::uint64_t>(expected.indices[place]));
    const CUdeviceptr data = timed_[set]->memory()[output->index].first;
    KL_TRY(kernels_.prepare(data, buffer, Before::other, &output->answers[set], 0)); // lays the answer itself open
    KL_ASSIGN(const std::vector<double> got, kernels_.pick(data, buffer.type, elements));
    double errors = 0;
    double squares = 0;
    for (std::size_t i = 0; i < places.size(); ++i) {
        const double want = expected.values[places[i]];
        const double error = std::abs(got[i] - want);
        errors += error * error;
        squares += want * want;
        if (error <= work_.spec().tolerance.maxAbs)
            continue;
        Witness witness;
        witness.buffer = buffer.name;
        witness.index = static_cast<std::int64_t>(elements[i]);
        witness.expected = want;
        witness.got = std::isfinite(got[i]) ? std::optional(got[i]) : std::nullopt;
        witness.what = fmt::format("On other random inputs {}[{}] is {:.9g} instead of {:.9g}.", buffer.name, elements[i], got[i], want);
        return refute(CorrectnessResult::incorrect, std::move(witness));
    }
    secretRelL2_ = squares > 0 ? std::sqrt(errors / squares) : std::sqrt(errors);
    if (secretRelL2_ <= work_.spec().tolerance.relL2)
        return {};
    Witness witness;
    witness.buffer = buffer.name;
    witness.what =
        fmt::format("On other random inputs the relative L2 error is {:.3g}, above {:.3g}.", secretRelL2_, work_.spec().tolerance.relL2);
    return refute(CorrectnessResult::incorrect, std::move(witness));
}

void ProvenWork::checkPhysics(std::optional<double> coldMedianNs)
{
    if (!coldMedianNs)
        return;
    LeastWork least{work_.spec().flops, work_.spec().idealBytes, 0};
    for (const Output& output : outputs_)
        if (!work_.spec().buffers[output.index].after) // not all of it is written
            least.writtenBytes += static_cast<double>(work_.memory()[output.index].second);
    const std::optional<PhysicsFloor> floor = physicsFloor(least, session_.device());
    if (!floor || *coldMedianNs >= floor->ns * kFloorSlack)
        return;
    Witness witness;
    witness.what = fmt::format("{} is below the minimum for this device, {}: {}. Or \"flops\" or \"ideal_bytes\" of the descriptor is "
                               "too large.",
                               formatTime(*coldMedianNs), formatTime(floor->ns), floor->why);
    (void)refute(CorrectnessResult::belowPhysics, std::move(witness));
}

Status ProvenWork::checkArithmetic(double relL2)
{
    KL_ASSIGN(const auto compiled, session_.compile(work_.spec()));
    const double error = std::max(relL2, secretRelL2_);
    if (const std::optional<std::string> opcode = coarseArithmetic(work_.spec(), compiled->ptx, error)) {
        Witness witness;
        witness.what =
            fmt::format("It computes in a lower precision than that of its buffers ({}), as the relative L2 error {:.2g} shows. If that is "
                        "intended, declare it: \"arithmetic\" in the variant.",
                        *opcode, error);
        return refute(CorrectnessResult::precisionDowngrade, std::move(witness));
    }
    return {};
}

Status ProvenWork::conclude(std::optional<double> coldMedianNs, double relL2, Correctness& correctness)
{
    const auto checks = [&]() -> Status {
        KL_TRY(checkReference());
        KL_TRY(checkGuards());
        KL_TRY(checkInputs());
        if (state_)
            KL_TRY(checkVariables());
        return checkArithmetic(relL2);
    };
    if (!refutation_)
        if (const Status status = checks(); !status && status.error().detail != kRefuted)
            return status.error();
    if (!refutation_)
        checkPhysics(coldMedianNs);
    if (!refutation_ && otherBits_ && work_.spec().deterministic) {
        Witness witness = *otherBits_;
        witness.what = fmt::format(
            "In checked pass {}, {}[{}] differs in its bits from a first launch on the same inputs, within the tolerance. If that is "
            "intended, declare it: \"deterministic\": false in the variant.",
            *witness.pass, witness.buffer, *witness.index);
        (void)refute(CorrectnessResult::nonDeterministic, std::move(witness));
    }
    report(correctness);
    return {};
}

void ProvenWork::report(Correctness& correctness) const
{
    correctness.proof = PassProof{static_cast<int>(inputs_->size()), passes_, passes_, inputs_->newInputs(), inputs_->note()};
    if (!refutation_)
        return;
    correctness.result = refutation_->result;
    correctness.reason = refutation_->witness.what;
    correctness.witness = refutation_->witness;
}

} // namespace kl::inline live
