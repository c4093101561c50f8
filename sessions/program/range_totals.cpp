// SPDX-License-Identifier: MIT
#include "sessions/program/range_totals.h"

#include <algorithm>
#include <map>
#include <utility>

namespace kl::inline program {

struct RangeAdder::Sums {
    struct Span {
        std::uint64_t start = 0;
        std::uint64_t end = 0;
    };

    /// When the present device did anything, as stretches without a gap in order, each with the time before it.
    class BusyTimes {
    public:
        void add(std::uint64_t start, std::uint64_t end)
        {
            if (stretches_.empty() || start > stretches_.back().span.end)
                stretches_.push_back({{start, end}, stretches_.empty() ? 0 : upTo(stretches_.back().span.end)});
            else
                stretches_.back().span.end = std::max(stretches_.back().span.end, end);
        }
        double within(const Span& span) const { return upTo(span.end) - upTo(span.start); }

    private:
        struct Stretch {
            Span span;
            double before = 0;
        };
        double upTo(std::uint64_t time) const
        {
            const auto after = std::ranges::upper_bound(stretches_, time, {}, [](const Stretch& one) { return one.span.start; });
            if (after == stretches_.begin())
                return 0;
            const Stretch& last = *(after - 1);
            return last.before + static_cast<double>(std::min(time, last.span.end) - last.span.start);
        }

        std::vector<Stretch> stretches_;
    };

    /// One range, with what is open on the present device.
    struct RangeSum {
        using Entry = std::pair<const ProcessTrace*, std::uint32_t>;

        RangeTotals totals;
        UnionTime ran;
        std::map<Entry, Span> spans;

        void add(const Activity& activity, std::optional<std::uint32_t> entry)
        {
            ++totals.launches;
            totals.gpuNs += activity.ns();
            ran.add(activity.start, activity.end);
            if (!entry)
                return;
            Span& span = spans.try_emplace({activity.process, *entry}, Span{activity.start, activity.end}).first->second;
            span.start = std::min(span.start, activity.start);
            span.end = std::max(span.end, activity.end);
        }

        void endDevice(const BusyTimes& device)
        {
            totals.unionNs += ran.ns();
            ran = {};
            std::vector<Span> list;
            for (const auto& [entry, span] : spans)
                list.push_back(span);
            spans.clear();
            std::ranges::sort(list, {}, &Span::start);
            UnionTime covered;
            for (const Span& span : list) {
                if (const std::uint64_t from = std::max(span.start, covered.until()); span.end > from)
                    totals.busyNs += device.within({from, span.end});
                covered.add(span.start, span.end);
            }
            totals.spanNs += covered.ns();
        }
    };

    /// A range that a launch counts for, and at which place of the launch's stack it is.
    struct Place {
        RangeSum* range = nullptr;
        std::size_t depth = 0;
    };

    RangeChoice choice;
    std::map<std::vector<std::string>, RangeSum> ranges;
    RangeSum chosen;
    BusyTimes busy;
    std::map<std::pair<const ProcessTrace*, int>, std::vector<Place>> places; ///< of a process's stacks

    RangeSum& range(const std::vector<std::string>& stack)
    {
        RangeSum& range = ranges[stack];
        range.totals.stack = stack;
        return range;
    }
    std::size_t findChosenDepth(const std::vector<std::string>& stack) const
    {
        return static_cast<std::size_t>(std::ranges::find(stack, choice.within) - stack.begin());
    }
    bool choosesIn(const std::vector<std::string>& stack) const { return !choice.within.empty() && choice.includes(stack); }
    std::vector<Place> collectPlaces(const std::vector<std::string>& stack)
    {
        std::vector<Place> list;
        for (std::size_t depth = 0; depth < stack.size(); ++depth)
            list.push_back({&range({stack.begin(), stack.begin() + static_cast<std::ptrdiff_t>(depth) + 1}), depth});
        if (choosesIn(stack))
            list.push_back({&chosen, findChosenDepth(stack)});
        return list;
    }
};

RangeAdder::RangeAdder(RangeChoice choice) : sums_(std::make_unique<Sums>())
{
    sums_->chosen.totals.stack = {choice.within};
    sums_->choice = std::move(choice);
}

RangeAdder::~RangeAdder() = default;

void RangeAdder::add(const Activity& activity)
{
    sums_->busy.add(activity.start, activity.end);
    if (!activity.launch)
        return;
    const ProcessTrace& process = *activity.process;
    const auto stack = process.stackOf.find(activity.launch->correlation);
    if (stack == process.stackOf.end())
        return;
    const auto [places, fresh] = sums_->places.try_emplace({&process, stack->second});
    if (fresh)
        places->second = sums_->collectPlaces(process.stacks[static_cast<std::size_t>(stack->second)]);
    const auto entries = process.entriesOf.find(activity.launch->correlation);
    for (const Sums::Place& place : places->second)
        place.range->add(activity, entries != process.entriesOf.end() && place.depth < entries->second.size()
                                       ? std::optional(entries->second[place.depth])
                                       : std::nullopt);
}

void RangeAdder::endDevice()
{
    for (auto& [stack, range] : sums_->ranges)
        range.endDevice(sums_->busy);
    sums_->chosen.endDevice(sums_->busy);
    sums_->busy = {};
}

void RangeAdder::addProfiled(const std::vector<std::string>& stack, double ns)
{
    for (const Sums::Place& place : sums_->collectPlaces(stack)) {
        ++place.range->totals.launches;
        place.range->totals.gpuNs += ns;
    }
}

void RangeAdder::addProcess(const ProcessTrace& process)
{
    for (const auto& [number, time] : process.ranges) {
        const std::vector<std::string>& stack = process.stacks[static_cast<std::size_t>(number)];
        std::vector<RangeTotals*> sums{&sums_->range(stack).totals};
        // Entering the chosen range again inside itself does not count.
        if (sums_->choosesIn(stack) && sums_->findChosenDepth(stack) + 1 == stack.size())
            sums.push_back(&sums_->chosen.totals);
        for (RangeTotals* sum : sums) {
            sum->count += time.count;
            sum->hostNs += time.hostNs;
        }
    }
}

std::vector<RangeTotals> RangeAdder::ranges() const
{
    std::vector<RangeTotals> list;
    for (const auto& [stack, range] : sums_->ranges)
        list.push_back(range.totals);
    return list;
}

std::optional<RangeTotals> RangeAdder::findChosenTotals() const
{
    const RangeTotals& totals = sums_->chosen.totals;
    return totals.count > 0 || totals.launches > 0 ? std::optional(totals) : std::nullopt;
}

} // namespace kl::inline program
