// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/ids.h"

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

/// A against B. Ratio is absent where nothing comparable was measured.
struct Comparison {
    ComparisonId id;
    std::string a; ///< address or run:ID
    std::string b;
    Verdict verdict = Verdict::inconclusive;
    std::string reason;   ///< stable code ("interval-above-1", "other-device") …
    std::string sentence; ///< … and the words for a person
    std::optional<Ratio> ratio;
    int blocks = 0;
    std::vector<AbBlock> data;
    std::vector<Difference> metrics;
    std::vector<Difference> tunables;
    std::vector<Difference> environment;
    std::string next;

    bool operator==(const Comparison&) const = default;
};

} // namespace kl
