// SPDX-License-Identifier: MIT
#include "sessions/program/kernel_overlap.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

namespace kl::inline program {
namespace {

constexpr std::size_t kRowsAtOnce = 8; ///< of more rows that run at once, the pairs of these are told apart

/// Walks over the device's time and knows which rows run.
class Sweep {
public:
    explicit Sweep(int rows) : overlaps_(static_cast<std::size_t>(rows)) {}

    void add(const KernelInterval& interval)
    {
        advance(interval.start);
        ++running_[interval.row];
        ++count_;
        ends_.push({interval.end, interval.row});
    }

    std::vector<RowOverlap> finish()
    {
        advance(UINT64_MAX);
        return std::move(overlaps_);
    }

private:
    using End = std::pair<std::uint64_t, int>;

    void advance(std::uint64_t to)
    {
        while (!ends_.empty() && ends_.top().first <= to) {
            const auto [end, row] = ends_.top();
            pass(end);
            ends_.pop();
            --count_;
            if (const auto found = running_.find(row); --found->second == 0)
                running_.erase(found);
        }
        pass(to);
    }

    void pass(std::uint64_t to)
    {
        if (to > now_ && count_ > 0)
            share(static_cast<double>(to - now_));
        now_ = std::max(now_, to);
    }

    void share(double ns)
    {
        if (count_ == 1) {
            overlaps_[static_cast<std::size_t>(running_.begin()->first)].exclusiveNs += ns;
            return;
        }
        std::size_t shown = 0;
        for (const auto& [row, executions] : running_) {
            RowOverlap& overlap = overlaps_[static_cast<std::size_t>(row)];
            overlap.besideNs += ns * executions;
            if (shown++ >= kRowsAtOnce)
                continue;
            std::size_t others = 0;
            for (const auto& [other, its] : running_)
                if (others++ < kRowsAtOnce && (other != row || its > 1))
                    overlap.beside[other] += ns * executions;
        }
    }

    std::vector<RowOverlap> overlaps_;
    std::map<int, int> running_; ///< executions by row
    int count_ = 0;
    std::uint64_t now_ = 0;
    std::priority_queue<End, std::vector<End>, std::greater<>> ends_;
};

} // namespace

std::vector<RowOverlap> computeOverlaps(const std::vector<KernelInterval>& intervals, int rows)
{
    Sweep sweep(rows);
    for (const KernelInterval& interval : intervals)
        sweep.add(interval);
    return sweep.finish();
}

} // namespace kl::inline program
