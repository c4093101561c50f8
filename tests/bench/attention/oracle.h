// SPDX-License-Identifier: MIT
#pragma once

#include "points.h"

#include <memory>

namespace bench {

/// How far an output is from the right one.
struct Difference {
    double squares = 0, reference = 0, largest = 0, nonfinite = 0, guards = 0; ///< guards: words overwritten beside the output

    double relativeL2() const;
    /// The limits of kernels/families/attention/attention.json.
    bool within(const Problem& problem) const;
};

/// One problem on the device: inputs, an output between guard bands of 4 KiB, scratch for split keys, the right answer (scores and sums in
/// double precision, weights in single, on the GPU by a plain kernel of its own).
class Oracle {
public:
    Oracle(const Problem& problem, bool withAnswer);
    ~Oracle();
    Oracle(const Oracle&) = delete;
    Oracle& operator=(const Oracle&) = delete;

    const Problem& problem() const noexcept { return problem_; }
    /// Starts the variant.
    void launch(const Variant& variant) const;
    /// Poisons the output, runs the variant and leaves the difference in `slot` of a device array of Difference.
    void compare(const Variant& variant, CUdeviceptr differences, std::size_t slot) const;
    /// Median of `times` launches by events, nanoseconds; worth something for launches well above 10 µs.
    double nanoseconds(const Variant& variant, int times) const;

private:
    struct Buffers;
    Problem problem_;
    std::unique_ptr<Buffers> buffers_;
};

} // namespace bench
