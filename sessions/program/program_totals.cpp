// SPDX-License-Identifier: MIT
#include "sessions/program/program_totals.h"

#include "core/device/metric_value.h"
#include "sessions/program/kernel_overlap.h"

#include <algorithm>
#include <functional>

namespace kl::inline program {
namespace {

class Adder {
public:
    Adder(const std::vector<ProcessTrace>& processes, const RangeChoice& choice) : processes_(processes), choice_(choice), ranges_(choice)
    {
    }

    ProgramTotals run()
    {
        for (const auto& [key, work] : workByDevice(processes_))
            addDevice(key, work);
        addProfiled();
        addExecuted();
        addSampled();
        for (const ProcessTrace& process : processes_)
            ranges_.addProcess(process);
        totals_.ranges = ranges_.ranges();
        totals_.chosen = ranges_.findChosenTotals();
        totals_.graphs = graphs_.graphs();
        totals_.ranks = ranks_.ranks(processes_);
        for (auto& [key, kernel] : kernels_) {
            totals_.launches += kernel.launches;
            totals_.kernelNs += kernel.totalNs;
            totals_.kernels.push_back(std::move(kernel));
        }
        std::ranges::stable_sort(totals_.kernels, std::greater{}, &KernelTotals::totalNs);
        return std::move(totals_);
    }

private:
    using KernelKey = std::pair<std::string, DeviceKey>;
    struct Row {
        ShapeTotals* shape = nullptr;
        const std::string* name = nullptr;
    };

    KernelTotals& kernel(const std::string& mangled, const ProcessTrace& process, int device)
    {
        const auto [found, fresh] = kernels_.try_emplace(KernelKey{mangled, makeKey(process, device)});
        if (fresh) {
            found->second.mangled = mangled;
            found->second.name = demangle(mangled);
            found->second.device = describeDevice(process, device);
        }
        return found->second;
    }

    void addDevice(const DeviceKey& device, const DeviceWork& work)
    {
        std::vector<Row> rows;
        std::vector<KernelInterval> intervals;
        std::map<const ShapeTotals*, int> rowNumbers;
        std::uint64_t busyUntil = 0;
        bool waitedFor = false; // the program was held up before this activity
        for (const Activity& activity : work.activities) {
            std::optional<double> idle;
            const bool alone = activity.launch && activity.process->alone.contains(activity.launch->correlation);
            const bool sampled = activity.launch && activity.process->sampledAt.contains(activity.launch->correlation);
            if (busyUntil > 0 && !alone && !sampled && !waitedFor && sumPauses(work.pauses, busyUntil, activity.start) == 0)
                idle = activity.start > busyUntil ? static_cast<double>(activity.start - busyUntil) : 0.0;
            const std::uint64_t from = std::max(activity.start, busyUntil);
            totals_.busyNs += activity.end > from ? static_cast<double>(activity.end - from) : 0;
            busyUntil = std::max(busyUntil, activity.end);
            waitedFor = alone || sampled;
            const double ns = activity.ns();
            ranges_.add(activity);
            ranks_.add(device, activity);
            graphs_.add(activity);
            if (!activity.launch) {
                totals_.copyNs += ns;
                continue;
            }
            const Row row = addLaunch(*activity.process, *activity.launch, {ns, idle, alone, sampled});
            const auto [known, fresh] = rowNumbers.try_emplace(row.shape, static_cast<int>(rows.size()));
            if (fresh)
                rows.push_back(row);
            intervals.push_back({known->second, activity.start, activity.end});
        }
        ranges_.endDevice();
        addOverlaps(rows, intervals);
        if (!work.activities.empty()) {
            const std::uint64_t first = work.activities.front().start;
            totals_.spanNs += static_cast<double>(busyUntil - first - sumPauses(work.pauses, first, busyUntil));
        }
    }

    Row addLaunch(const ProcessTrace& process, const TracedLaunch& launch, const KernelTime& time)
    {
        KernelTotals& totals = kernel(process.kernels[static_cast<std::size_t>(launch.kernel)], process, launch.device);
        const auto stack = process.stackOf.find(launch.correlation);
        const std::vector<std::string> ranges =
            stack == process.stackOf.end() ? std::vector<std::string>{} : process.stacks[static_cast<std::size_t>(stack->second)];
        ShapeTotals& shape = totals.shapes[{launch.grid, launch.block, launch.dynamicSmem, choice_.makeKey(ranges)}];
        if (shape.ranges.empty())
            shape.ranges = ranges;
        shape.example = launch;
        shape.times.push_back(time);
        shape.graphLaunches += launch.graph ? 1 : 0;
        if (!choice_.within.empty() && choice_.includes(ranges)) {
            ++shape.chosenLaunches;
            shape.chosenNs += time.ns;
        }
        ++totals.launches;
        totals.graphLaunches += launch.graph ? 1 : 0;
        totals.totalNs += time.ns;
        return {&shape, &totals.name};
    }

    void addOverlaps(const std::vector<Row>& rows, const std::vector<KernelInterval>& intervals)
    {
        const std::vector<RowOverlap> overlaps = computeOverlaps(intervals, static_cast<int>(rows.size()));
        UnionTime any;
        for (const KernelInterval& interval : intervals)
            any.add(interval.start, interval.end);
        totals_.kernelUnionNs += any.ns();
        for (std::size_t i = 0; i < rows.size(); ++i) {
            ShapeTotals& shape = *rows[i].shape;
            shape.exclusiveNs = overlaps[i].exclusiveNs;
            const double worth = kBesideWorthTelling * (overlaps[i].exclusiveNs + overlaps[i].besideNs);
            for (const auto& [other, ns] : overlaps[i].beside)
                if (ns >= worth)
                    shape.beside.push_back({*rows[static_cast<std::size_t>(other)].name, ns});
            std::ranges::stable_sort(shape.beside, std::greater{}, &BesideKernel::ns);
        }
    }

    void addProfiled()
    {
        for (const ProcessTrace& process : processes_)
            for (const ProfiledLaunch& launch : process.profiled) {
                KernelTotals& totals = kernel(launch.kernel, process, launch.device);
                totals.profiled.push_back(launch);
                if (!launch.failure.empty())
                    continue; // recorded like any other
                ++totals.launches;
                const double ns = metricValue(launch.metrics, "gpu__time_duration.sum").value_or(0);
                totals.totalNs += ns;
                totals.profiledNs = ns;
                ranges_.addProfiled(launch.ranges, ns);
            }
    }

    /// Patched code runs slower: these launches have no time of their own.
    void addExecuted()
    {
        for (const ProcessTrace& process : processes_)
            for (const ProfiledLaunch& launch : process.executed) {
                KernelTotals& totals = kernel(launch.kernel, process, launch.device);
                totals.executed.push_back(launch);
                if (!launch.failure.empty())
                    continue; // recorded like any other
                ++totals.launches;
                ranges_.addProfiled(launch.ranges, 0);
            }
    }

    void addSampled()
    {
        for (const ProcessTrace& process : processes_) {
            std::map<std::string, const SampledKernel*> last; // a kernel's later lines hold its earlier ones
            for (const SampledKernel& sampled : process.sampled)
                last[sampled.kernel] = &sampled;
            for (const auto& [name, sampled] : last) {
                KernelTotals& totals = kernel(name, process, sampled->device);
                totals.launches += sampled->launches;
                totals.totalNs += sampled->launches * totals.profiledNs;
                if (!totals.source || sampled->source.samples > totals.source->samples)
                    totals.source = sampled->source;
            }
        }
    }

    const std::vector<ProcessTrace>& processes_;
    const RangeChoice& choice_;
    std::map<KernelKey, KernelTotals> kernels_;
    RangeAdder ranges_;
    RankAdder ranks_;
    GraphAdder graphs_;
    ProgramTotals totals_;
};

} // namespace

double ShapeTotals::totalNs() const
{
    double sum = 0;
    for (const KernelTime& time : times)
        sum += time.again ? 0 : time.ns;
    return sum;
}

ProgramTotals computeTotals(const std::vector<ProcessTrace>& processes, const RangeChoice& ranges)
{
    return Adder(processes, ranges).run();
}

void addCounted(ProgramTotals& totals, ProgramTotals counted)
{
    for (KernelTotals& kernel : counted.kernels) {
        const auto known = std::ranges::find_if(totals.kernels, [&](const KernelTotals& one) {
            return one.mangled == kernel.mangled && one.device.uuid == kernel.device.uuid;
        });
        if (known == totals.kernels.end()) // the program did something else this time
            continue;
        known->profiled = std::move(kernel.profiled);
        known->executed = std::move(kernel.executed);
        known->profiledNs = kernel.profiledNs;
        known->source = std::move(kernel.source);
        known->countedAgain = true;
        for (const auto& [shape, seen] : kernel.shapes)
            if (const auto same = known->shapes.find(shape); same != known->shapes.end())
                for (KernelTime time : seen.times)
                    if (time.alone) {
                        time.again = true;
                        same->second.times.push_back(time);
                    }
    }
}

std::vector<WantedLaunch> chooseLaunchesToCount(const ProgramTotals& totals, const KernelPattern& pattern, int count,
                                                const RangeChoice& ranges)
{
    struct Candidate {
        WantedLaunch launch;
        double ns = 0;
    };
    std::vector<Candidate> candidates;
    double all = 0;
    for (const KernelTotals& kernel : totals.kernels) {
        if (!pattern.matches(kernel.name))
            continue;
        const bool possible = explainNotReplayed(kernel.mangled).empty();
        for (const auto& [shape, seen] : kernel.shapes) {
            if (!ranges.includes(seen.ranges))
                continue;
            all += seen.totalNs();
            if (possible && seen.graphLaunches < static_cast<std::int64_t>(seen.times.size()))
                candidates.push_back({{kernel.mangled, shape}, seen.totalNs()});
        }
    }
    std::ranges::stable_sort(candidates, std::greater{}, &Candidate::ns);
    std::vector<WantedLaunch> wanted;
    double covered = 0;
    for (const Candidate& one : candidates) {
        if (covered >= kShareWorthCounting * all || wanted.size() >= static_cast<std::size_t>(count))
            break;
        covered += one.ns;
        wanted.push_back(one.launch);
    }
    return wanted;
}

} // namespace kl::inline program
