// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/program/device_work.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kl::inline program {

/// An NVTX range, all its entries in all processes. Nanoseconds.
struct RangeTotals {
    std::vector<std::string> stack; ///< it and those around it, outermost first; of the range that was chosen, it alone
    std::int64_t count = 0;         ///< entries
    double hostNs = 0;              ///< from entering to leaving, on the host
    std::int64_t launches = 0;      ///< made inside it, and inside ranges within it
    double gpuNs = 0;               ///< of these launches, added up
    double unionNs = 0;             ///< any of these launches ran: overlaps counted once
    double spanNs = 0;              ///< from the first start to the last end of what each entry launched, overlaps counted once
    double busyNs = 0;              ///< of that, the GPU did anything, copies and other kernels included
};

/// Adds up NVTX ranges. Activities come device by device, in order of start.
class RangeAdder {
public:
    explicit RangeAdder(RangeChoice choice);
    ~RangeAdder();

    /// An activity of the present device. A launch counts for the range that it is in and for all around it.
    void add(const Activity& activity);

    /// The present device's activities are complete.
    void endDevice();

    /// A launch without an activity record, `ns` by the profiler.
    void addProfiled(const std::vector<std::string>& stack, double ns);

    /// Entries and host times.
    void addProcess(const ProcessTrace& process);

    /// By stack: a range comes before those within it.
    std::vector<RangeTotals> ranges() const;

    /// The chosen range as a whole, wherever it was entered; unset if none was chosen or it was never entered.
    std::optional<RangeTotals> findChosenTotals() const;

private:
    struct Sums;
    std::unique_ptr<Sums> sums_;
};

} // namespace kl::inline program
