// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/diagnosis/tree.h"
#include "core/model/comparison.h"
#include "core/model/environment.h"
#include "core/model/run.h"
#include "kernels/catalog.h"
#include "profiler/collector.h"
#include "sessions/measure/requests.h"
#include "sessions/store/store.h"

#include <functional>

namespace kl::inline measure {

struct AbSubject;
class Recommender;
using EarlyLook = std::function<void(const RunRecord&)>;

/// Runs, profiles and compares kernels: builds the request, asks the collector, diagnoses, stores. Command line,
/// window and session engine all use it, so that they agree. Blocking; borrows its arguments.
class Workbench {
public:
    Workbench(const Catalog& catalog, const DiagnosisTree& tree, Collector& collector, Store& store, Recommender& recommender);

    const Catalog& catalog() const noexcept { return catalog_; }
    const DiagnosisTree& tree() const noexcept { return tree_; }
    Collector& collector() noexcept { return collector_; }
    Store& store() noexcept { return store_; }

    /// Environment answer of this collector. Error needsConsent: the project's extension would have to be built first.
    Result<EnvReport> environment(const Job& job = {});

    /// Correctness on the measured problem and, with `suite`, on every suite size; then timing and baseline.
    /// A kernel that fails is a RunRecord with its status and reason, stored too; only problems around it are an Error.
    /// `seed`: of the random inputs; unset = 1, which recordings were made with. `baselines`: by name, measured
    /// instead of the kernel's own ("all": every one); the speedup is over the fastest. `energy`: per launch, too, or why not.
    Result<RunRecord> run(const Address& address, const Params& problem, bool suite, const Job& job = {},
                          std::optional<std::uint64_t> seed = {}, const std::vector<std::string>& baselines = {}, bool energy = false);

    /// As run, with metrics, hot lines and a diagnosis, whose fixes carry the chances that the recommender gives them. Where it cannot,
    /// they keep the tree's confidence, and a warning says so. `early`: given the run with a diagnosis inferred from its time and its code,
    /// as soon as a live worker knows both and before counters are read, on the calling thread. It is not stored.
    Result<RunRecord> profile(const Address& address, const Params& problem, const ProfileScope& scope, const Job& job = {},
                              const EarlyLook& early = {});

    /// Profiles that will be asked for, in this order, for a collector with several workers (Collector::expect).
    void expectProfiles(const std::vector<std::pair<Address, Params>>& kernels, const ProfileScope& scope);

    /// Metrics of each kernel on its problem, collected in one go, without correctness, timing and baseline. Diagnosed and stored.
    /// A kernel that fails is a record with its status and reason.
    Result<std::vector<RunRecord>> count(const std::vector<std::pair<Address, Params>>& kernels, const ProfileScope& scope,
                                         const Job& job = {});

    /// What the warps of the kernel's longest launch do over time, the marked kernel's correctness, and what marking costs. Stored, as a
    /// run without a timing of its own. A kernel that fails is a record with its status and reason, and no timeline.
    Result<RunRecord> recordTimeline(const Address& address, const Params& problem, const TimelineScope& scope, const Job& job = {});

    /// Interleaved A/B of two variants on one problem: 10 blocks, 10 more if the first look is inconclusive. `keepAt`: the
    /// ratio of a keep decision (1.20); 1 for a plain comparison. `energy`: the ratio of the energies per launch, too, or why not. Stored.
    Result<Comparison> ab(const Address& a, const Address& b, const Params& problem, double keepAt = 1.0, const Job& job = {},
                          bool energy = false);

    /// The same of one variant before and after an edit of its source: side A is built from `before`, side B from catalog().
    Result<Comparison> runEditAb(const Catalog& before, const Address& variant, const Params& problem, double keepAt, const Job& job = {});

    /// A/A noise of a kernel: itself against itself, `repeats` times, by the path of ab(). Stored; later A/Bs on this device and driver
    /// are held against it. Errors: as ab(); notComparable when the kernel fails or is incorrect.
    Result<NoiseRecord> calibrate(const Address& kernel, const Params& problem, int repeats, const Job& job = {});

    /// Two stored runs: compareRuns() with the calibrated noise. `waive`: why different conditions do not matter; empty: no waiver.
    Result<Comparison> compare(const RunId& a, const RunId& b, const std::string& waive = {}) const;

private:
    struct AbPlan {
        Params problem;
        double keepAt = 1;
        int firstBlock = 0;
        bool check = true;               ///< both sides against the reference first
        bool judgedByNoise = true;       ///< false while the noise itself is measured
        bool energy = false;             ///< per launch, of both sides
        const Catalog* before = nullptr; ///< source of side A; unset: the workbench's own
    };
    Result<ProfileRequest> requestFor(const Address& address, const Params& problem, const ProfileScope& scope) const;
    Result<AbRequest> makeRequest(const AbPlan& plan, const AbSubject& subject) const;
    /// Of a pair that a recording holds the other way round, the error leads there.
    Error nameRecordedOrder(Error error, const AbPlan& plan, const AbSubject& subject) const;
    Result<Comparison> judgePair(const AbPlan& plan, const Address& a, const Address& b, const Job& job);
    /// One A/B: a look, and a second one if the first is inconclusive. The judged blocks go into `comparison`.
    Result<AbAnswer> measureBlocks(const AbPlan& plan, const AbSubject& subject, const Job& job, Comparison& comparison);

    const Catalog& catalog_;
    const DiagnosisTree& tree_;
    Collector& collector_;
    Store& store_;
    Recommender& recommender_;
};

} // namespace kl::inline measure
