// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/ids.h"
#include "core/base/next_step.h"
#include "core/model/measurement.h"

#include <optional>
#include <string>
#include <vector>

namespace kl {

enum class Verdict { faster, slower, equivalent, inconclusive, notComparable };

/// time(A) / time(B) with its 95 % interval: above 1, B is faster.
struct Ratio {
    double value = 1;
    double low = 1;
    double high = 1;

    bool operator==(const Ratio&) const = default;
};

/// One re-entered ABBA block: the GPU times of both sides, ns.
struct AbBlock {
    std::vector<double> a;
    std::vector<double> b;

    bool operator==(const AbBlock&) const = default;
};

/// One difference between two runs.
struct Difference {
    std::string name;
    std::string a;
    std::string b;
    std::optional<double> change; ///< b / a − 1 where both are numbers

    bool operator==(const Difference&) const = default;
};

/// The measured difference of identical code on this device (core/model/noise.h): smaller effects get no verdict.
struct NoiseFloor {
    std::optional<double> value; ///< a fraction; unset where the device was never calibrated
    std::string from;            ///< its basis, for display: "5 A/A repeats of transpose/naive"; or "not calibrated"

    bool operator==(const NoiseFloor&) const = default;
};

/// The side of a comparison whose result is not correct, with the witness.
struct RefutedSide {
    std::string side; ///< "a" or "b"
    CorrectnessResult result = CorrectnessResult::incorrect;
    std::optional<Witness> witness; ///< unset if only a plain check failed

    bool operator==(const RefutedSide&) const = default;
};

/// energy(A) / energy(B) per launch, from windows of the two in turns: above 1, B needs less.
struct EnergyComparison {
    std::optional<Ratio> ratio; ///< with the interval of computeRatio(); unset where it was not measured, see `reason`
    std::optional<double> aJ;   ///< joules per launch, median over the windows
    std::optional<double> bJ;
    int blocks = 0;     ///< pairs of windows
    std::string reason; ///< why there is no ratio; empty when there is one

    bool operator==(const EnergyComparison&) const = default;
};

/// Wall time of a step of a program, old / new: from one of its measured launches to the next, medians of the processes in turns.
struct WallComparison {
    Ratio ratio;    ///< with the interval of computeRatio()
    double aNs = 0; ///< median over the processes
    double bNs = 0;

    bool operator==(const WallComparison&) const = default;
};

/// A against B. Ratio is absent where nothing comparable was measured.
struct Comparison {
    ComparisonId id;
    std::string a; ///< address or run:ID
    std::string b;
    Verdict verdict = Verdict::inconclusive;
    std::string reason;   ///< stable code ("interval-above-1", "other-device") …
    std::string sentence; ///< … and the text for display
    std::optional<Ratio> ratio;
    std::optional<RefutedSide> refuted; ///< the side that prevents a verdict; of two, the first
    int blocks = 0;
    std::vector<AbBlock> data;
    std::optional<EnergyComparison> energy; ///< unset: was not requested
    std::optional<WallComparison> wall;     ///< of a program's step; unset for kernels
    std::vector<Difference> metrics;
    std::vector<Difference> tunables;
    std::vector<Difference> environment;
    std::string next;                ///< what to do now, in words; may be empty where nextSteps say it
    std::vector<NextStep> nextSteps; ///< and how
    std::string statistics;          ///< basis of the interval, one sentence
    NoiseFloor noise;                ///< used for the verdict
    std::string waived;              ///< why runs under different conditions were compared anyway; empty when nothing was waived
    std::vector<Warning> warnings;   ///< notes on the measurement ("samples-discarded", "noise-not-calibrated")

    bool operator==(const Comparison&) const = default;
};

} // namespace kl
