// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/comparison.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace kl {

/// The result of confirming a winner: whether it is so much faster than its rival.
enum class TargetVerdict { met, missed, inconclusive, noRival };

/// A winner and its rival, measured in turns. Both ratios are time(rival) / time(winner): above 1, the winner is faster.
struct Confirmation {
    std::string rival;   ///< "PyTorch SDPA (cuDNN)"; empty where there is none
    std::string version; ///< of the rival
    int samples = 0;     ///< of each side
    int blocks = 0;      ///< re-entered, each with samples / blocks of either side
    double winnerNs = 0; ///< median over the blocks' medians
    double rivalNs = 0;
    Ratio student;   ///< with its 95 % interval by Student's t over the blocks
    Ratio bootstrap; ///< with the 95 % percentile interval over resampled blocks
    double target = 1;
    TargetVerdict verdict = TargetVerdict::noRival;
    std::string reason; ///< one sentence

    bool operator==(const Confirmation&) const = default;
};

/// A point of a search as it was measured.
struct SearchTrial {
    std::string tunables;         ///< all of the variant's: "BLOCK_M=64,WARPS=4"
    std::optional<double> ns;     ///< median GPU time, cold L2; unset when it failed
    std::optional<double> joules; ///< energy per launch; unset unless it was the objective
    std::string why;              ///< it failed
    std::string gpu;              ///< UUID of the one that measured it, where several did
    double at = 0;                ///< seconds from the first measurement to the end of this one
    double seconds = 0;           ///< that compiling and timing it took
    bool remembered = false;      ///< measured by an earlier search
    bool cut = false;             ///< ended early: clearly slower than the best so far
    std::optional<double> again;  ///< of the best: median of the interleaved rounds, ns, or joules if energy was the objective
    std::map<std::string, double>
        facts; ///< by the compiler: "registers", "local_bytes", "smem", "occupancy" (percent), "opcode …" (counts)
    std::map<std::string, double> metrics; ///< one-pass counters, CUPTI's names

    bool operator==(const SearchTrial&) const = default;
};

/// A combination that the compiler's result rejected.
struct SearchRejection {
    std::string tunables;
    std::string gate; ///< "compile", "spills", "occupancy"
    std::string why;

    bool operator==(const SearchRejection&) const = default;
};

/// How many combinations a gate rejected, as the first of them.
struct SearchGateCount {
    std::string gate;
    std::int64_t rejected = 0;

    bool operator==(const SearchGateCount&) const = default;
};

/// The fastest point that is correct on the whole suite.
struct SearchBest {
    std::string kernel;   ///< address, tunables at their default left out
    std::string tunables; ///< all of the variant's
    std::string run;      ///< id of the stored run
    double ns = 0;        ///< that run's median GPU time, cold L2
    std::optional<double> joules;
    std::string comparison;                ///< id of the A/B of the default against it; empty: it is the default
    std::optional<Ratio> overDefault;      ///< time(default) / time(best)
    std::optional<Confirmation> confirmed; ///< against its rival
    std::string profile;                   ///< id of the run with its diagnosis; empty: not diagnosed
    std::string finding;                   ///< title of that diagnosis

    bool operator==(const SearchBest&) const = default;
};

/// How long one of several GPUs took for the point that times are compared through.
struct SearchReference {
    std::string gpu;  ///< UUID
    std::string host; ///< name of its machine
    double ns = 0;    ///< median
    double noise = 0; ///< width of the median's interval as a share of it
    std::optional<double> clockMhz;
    std::optional<double> joules; ///< energy per launch, if that was the objective

    bool operator==(const SearchReference&) const = default;
};

/// How far a search came.
enum class SearchStage { measuring, stopped, timed, finished };

/// A search, from its first point on: saved while it runs.
struct SearchRecord {
    std::string id;        ///< UUID
    std::string startedAt; ///< UTC, ISO 8601
    SearchStage state = SearchStage::measuring;
    std::string device; ///< its name
    std::string deviceUuid;
    std::string driver;
    std::string arch; ///< compiled for: "sm_90"
    std::string host;
    std::string kernel;     ///< "attention/fused"
    std::string fixed;      ///< tunables with a fixed value
    std::string problem;    ///< canonical
    std::string sourceHash; ///< of the code that was searched
    std::string objective = "time";
    std::string strategy;
    std::string protocol; ///< "loop1", "notes"
    std::uint64_t seed = 1;
    std::int64_t width = 1;
    std::vector<SearchReference>
        references;         ///< where several GPUs measured, that of `device` first: times of the others are as it would have taken
    std::int64_t total = 0; ///< combinations
    std::vector<SearchGateCount> gates; ///< before compiling, in their order
    std::vector<SearchRejection> rejected;
    std::map<std::string, std::string> twins; ///< points whose program is that of another one, which was measured for both
    double compileSeconds = 0;
    double seconds = 0;              ///< of measuring
    std::int64_t left = 0;           ///< candidates that the budget did not reach
    std::vector<SearchTrial> trials; ///< in order of measurement
    std::optional<SearchBest> best;
    std::vector<std::string> wrong; ///< faster ones, each with its reason: "ADDRESS: reason"

    bool operator==(const SearchRecord&) const = default;
};

} // namespace kl
