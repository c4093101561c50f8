// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/replay/replay.h"
#include "sessions/measure/workbench.h"

#include <chrono>
#include <map>
#include <string>
#include <vector>

namespace kl::cli {

/// What of a family is recorded.
struct RecordedParts {
    bool machine = true;                ///< environment check
    bool runs = true;                   ///< compilation, correctness suite, timing
    bool profiles = true;               ///< metrics, source lines
    bool noise = true;                  ///< A/A
    bool pairs = true;                  ///< A/B of every step of a series
    bool faults = true;                 ///< what debugging a variant with a fault asks for
    bool baselines = true;              ///< the last variant of a series beside every baseline of its family, on the first problem
    std::vector<int> tiers = {0, 1, 2}; ///< of the profiles
    /// Suite, all tiers and A/B on every problem, which takes three times as long. Else on the standard problem, a family's first; the
    /// others are profiled at tier 2, the smallest is run.
    bool everywhere = false;
    std::vector<Params> problems; ///< only these of a family, each in full; of the smallest one its run. Empty: all, as above
    std::vector<Params> swept;    ///< profiled at tier 2 besides, whatever the parts, unless the family's own problems have them
};

/// Asks a workbench for everything that the sample holds, and prints a row on stderr for each item. Goes on past failures.
class Recording {
public:
    Recording(Workbench& bench, Recorder& recorder, Job job, const RecordedParts& parts = {})
        : bench_(bench), recorder_(recorder), job_(std::move(job)), parts_(parts)
    {
    }

    /// Probe, which tells the versions that every capture names, and the environment check.
    void machine();
    /// Every variant on every problem, and the A/B of every step of a series.
    void family(const KernelFamily& family);

    int items() const noexcept { return items_; }
    /// What each family took.
    const std::map<std::string, double>& seconds() const noexcept { return seconds_; }
    const std::vector<std::string>& failures() const noexcept { return failures_; }

private:
    void variant(const KernelFamily& family, const Variant& variant);
    void measure(const KernelFamily& family, const Address& address, const Params& problem);
    void sweep(const KernelFamily& family, const Address& address);
    /// What a debugging session of a variant with a fault asks for, until a variant that fixes it is proven correct.
    void recordDebugging(const KernelFamily& family, const Variant& faulty);
    void sanitize(const std::vector<Address>& fixes, const Address& faulty, const Params& problem);
    void noise(const KernelFamily& family);
    void baselines(const KernelFamily& family);
    void edge(const Address& from, const Address& to, const Params& problem);
    void runItem(const char* what, const Address& address, const Params& problem, const Result<RunRecord>& run);
    /// As runItem, of a variant that is incorrect on purpose.
    void faultyItem(const char* what, const Address& address, const Params& problem, const Result<RunRecord>& run);
    std::vector<Params> listProblems(const KernelFamily& family) const;
    bool inFull(const KernelFamily& family, const Params& problem) const;
    void row(const std::string& what, const std::string& subject, const std::string& found);
    double itemSeconds();
    void fail(const std::string& what, const std::string& subject, const std::string& why);
    bool stopped() const { return job_.stop.stop_requested(); }

    Workbench& bench_;
    Recorder& recorder_; ///< of the bench
    Job job_;
    RecordedParts parts_;
    int items_ = 0;
    std::chrono::steady_clock::time_point itemBegan_ = std::chrono::steady_clock::now();
    std::map<std::string, double> seconds_;
    std::vector<std::string> failures_;
};

} // namespace kl::cli
