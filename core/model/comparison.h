// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/ids.h"
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

/// One row of what differs between two runs.
struct Difference {
    std::string name;
    std::string a;
    std::string b;
    std::optional<double> change; ///< b / a − 1 where both are numbers

    bool operator==(const Difference&) const = default;
};

/// What identical code was measured to differ by on this device (core/model/noise.h): no smaller effect carries a verdict.
struct NoiseFloor {
    std::optional<double> value; ///< a fraction; nothing where the device was never calibrated
    std::string from;            ///< what it rests on, for people: "5 A/A repeats of transpose/naive"; or "not calibrated"

    bool operator==(const NoiseFloor&) const = default;
};

/// The side of a comparison whose result is not correct, and where that was seen.
struct RefutedSide {
    std::string side; ///< "a" or "b"
    CorrectnessResult result = CorrectnessResult::incorrect;
    std::optional<Witness> witness; ///< nothing where only a plain check failed

    bool operator==(const RefutedSide&) const = default;
};

/// A against B. Ratio is absent where nothing comparable was measured.
struct Comparison {
    ComparisonId id;
    std::string a; ///< address or run:ID
    std::string b;
    Verdict verdict = Verdict::inconclusive;
    std::string reason;   ///< stable code ("interval-above-1", "other-device") …
    std::string sentence; ///< … and the words for a person
    std::optional<Ratio> ratio;
    std::optional<RefutedSide> refuted; ///< why there is no verdict, where that is a side's result; of two, the first
    int blocks = 0;
    std::vector<AbBlock> data;
    std::vector<Difference> metrics;
    std::vector<Difference> tunables;
    std::vector<Difference> environment;
    std::string next;
    std::string statistics;        ///< what the interval rests on, one sentence
    NoiseFloor noise;              ///< that the verdict was held against
    std::string waived;            ///< why runs under other conditions were compared all the same; empty when nothing was waived
    std::vector<Warning> warnings; ///< notes on the measurement ("samples-discarded", "noise-not-calibrated")

    bool operator==(const Comparison&) const = default;
};

} // namespace kl
