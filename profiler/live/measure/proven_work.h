// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/live/measure/input_sets.h"
#include "profiler/live/proof/module_state.h"
#include "profiler/live/work/bench.h"

#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace kl::inline live {

/// What refutes a measurement.
struct Refutation {
    CorrectnessResult result = CorrectnessResult::incorrectWhenTimed;
    Witness witness;
};

/// A work whose timed passes are proven: each runs on an input set drawn at random, finds its outputs in an unpredictable state
/// (poisoned, with the answer to other inputs, or the correct one with holes), scratch and declared variables in their initial state,
/// shared memory full of random words, and is followed by a check of every output element against the answer that a freshly loaded copy of
/// the code gave as its first. That answer is compared with the reference. All of it happens outside the timed part.
class ProvenWork {
public:
    /// `work`: built, and checked on the problem's own inputs if required; passes run its loaded code. `inputs` serve it.
    /// Computes the first answers. A work that is refuted by these already is an Error with kRefuted, as from passes; the object is
    /// returned through `made` whenever it exists. Other errors: faults and hangs of the kernel, device limits.
    static Status make(GpuSession& session, BuiltWork& work, std::shared_ptr<InputSets> inputs, std::unique_ptr<ProvenWork>& made);

    /// A pass on a set drawn at random. `cold`: with empty caches.
    BenchPass next(bool cold) { return on(draw(), cold); }

    /// A pass on a given set.
    BenchPass on(std::size_t set, bool cold);
    std::size_t draw() { return random_() % timed_.size(); }
    std::size_t sets() const noexcept { return timed_.size(); }

    /// Issues the sequence on a set, unprepared and unchecked: warming up, back-to-back launches. Only for works that are not
    /// fromPrepared() does an output stay correct. A lifted launch finds its memory as the program's own did: kernels that count in it, or
    /// wait for what others write there, need that.
    Status issue(std::size_t set);

    /// Restores what launches change of their initial data: buffers that are read and written, zeroed ones, declared variables.
    /// Asynchronous; unproven as issue() is.
    Status restore(std::size_t set);

    /// The sequence alone, behind a restore().
    Status launch(std::size_t set);

    /// Its launches need restored memory to find their initial data: an in-place kernel, one that adds to its
    /// output, one with declared state.
    bool fromPrepared() const noexcept { return fromPrepared_; }

    /// Median launch time of first launches in freshly loaded copies of the code, against that of `medianNs`, ns, where it is so much
    /// larger that the latter must live on what earlier launches left. Records with the recorder that the passes used.
    Status compareWithFresh(ActivityRecorder& recorder, double medianNs);

    /// Ends the proof: inputs unchanged, variables unchanged, guard bands intact, first answers equal to the reference, no difference
    /// between passes that the descriptor does not allow, no time below the physical limit, no lower precision than declared.
    /// `coldMedianNs`: of passes that found L2 empty; unset where none was timed. `relL2`: error on the problem's own inputs, 0 where
    /// not known. Fills proof and, where something refutes it, result, reason and witness.
    Status conclude(std::optional<double> coldMedianNs, double relL2, Correctness& correctness);

    /// The refutations so far.
    const std::optional<Refutation>& refutation() const noexcept { return refutation_; }

    /// The proof's part of an answer so far, also for a measurement that a refutation ended early.
    void report(Correctness& correctness) const;

private:
    struct Output {
        std::size_t index = 0;             ///< among the specification's buffers
        std::vector<SealedAnswer> answers; ///< one per set
    };

    ProvenWork(GpuSession& session, BuiltWork& work, std::shared_ptr<InputSets> inputs, ProofKernels& kernels);
    Status computeAnswers();
    Status takeAnswer(const BuiltWork& fresh);
    /// `before`: the content of outputs that start as poison; unset: drawn.
    Status prepare(BuiltWork& work, std::size_t set, std::optional<Before> before, bool cold);
    Status check(BuiltWork& work, std::size_t set);
    Before drawBefore();
    Status refill(BuiltWork& work, std::size_t set);
    Result<std::optional<double>> freshTime(ActivityRecorder& recorder);
    Result<std::vector<std::uint64_t>> sumInputs(const BuiltWork& set);
    Status refuteElement(BuiltWork& work, std::size_t set, const Output& output, std::uint64_t element);
    bool answersOther(CUdeviceptr data, const Output& output, std::size_t set);
    Result<double> answerAt(const Output& output, std::size_t set, std::uint64_t element) const;
    Witness witnessAt(BuiltWork& work, std::size_t set, const Output& output, std::uint64_t element);
    Status refute(CorrectnessResult result, Witness witness);
    Status checkInputs();
    Status checkVariables();
    Status checkGuards();
    Status checkReference();
    void checkPhysics(std::optional<double> coldMedianNs);
    Status checkArithmetic(double relL2);

    GpuSession& session_;
    BuiltWork& work_;
    std::shared_ptr<InputSets> inputs_;
    ProofKernels& kernels_;
    std::mt19937_64 random_;
    std::vector<std::unique_ptr<BuiltWork>> timed_; ///< one per set
    std::vector<Output> outputs_;
    std::vector<std::vector<std::uint64_t>> inputSums_;  ///< by set and buffer
    std::optional<ModuleState> state_;                   ///< of the code that passes run
    std::vector<std::vector<std::uint64_t>> afterFirst_; ///< by set: content of the variables after a first launch
    bool fromPrepared_ = false;
    bool brief_ = false;                    ///< so short that fetching its code again would show
    std::optional<std::size_t> lyingThere_; ///< set whose answer the latest pass found in its output
    int passes_ = 0;
    std::optional<Witness> otherBits_; ///< first pass whose output differed within the tolerance
    double secretRelL2_ = 0;
    std::optional<Refutation> refutation_;
};

} // namespace kl::inline live
