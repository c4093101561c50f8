// SPDX-License-Identifier: MIT
#include "sessions/program/program_totals.h"

#include "core/device/metric_value.h"

#include <algorithm>

namespace kl::inline program {
namespace {

/// Anything that kept a device busy; kernel executions point at their launch.
struct Activity {
    std::uint64_t start = 0;
    std::uint64_t end = 0;
    const ProcessTrace* process = nullptr;
    const TracedLaunch* launch = nullptr;
};

/// A device as the program's processes name it: two processes may number it differently.
struct DeviceKey {
    std::string uuid;
    int index = 0; ///< tells devices apart that the driver did not describe

    auto operator<=>(const DeviceKey&) const = default;
};

struct DeviceWork {
    std::vector<Activity> activities;
    std::vector<TracedPause> pauses;
};

DeviceInfo deviceOf(const ProcessTrace& process, int index)
{
    const auto found = process.devices.find(index);
    return found == process.devices.end() ? DeviceInfo{} : found->second;
}

DeviceKey keyOf(const ProcessTrace& process, int index)
{
    std::string uuid = deviceOf(process, index).uuid;
    const int number = uuid.empty() ? index : 0;
    return {std::move(uuid), number};
}

std::map<DeviceKey, DeviceWork> workByDevice(const std::vector<ProcessTrace>& processes)
{
    std::map<DeviceKey, DeviceWork> work;
    for (const ProcessTrace& process : processes) {
        for (const TracedLaunch& launch : process.launches)
            work[keyOf(process, launch.device)].activities.push_back({launch.start, launch.end, &process, &launch});
        for (const TracedCopy& copy : process.copies)
            work[keyOf(process, copy.device)].activities.push_back({copy.start, copy.end, &process, nullptr});
    }
    for (auto& [key, device] : work) {
        std::ranges::sort(device.activities, {}, &Activity::start);
        for (const ProcessTrace& process : processes)
            device.pauses.insert(device.pauses.end(), process.pauses.begin(), process.pauses.end());
        std::ranges::sort(device.pauses, {}, &TracedPause::start);
    }
    return work;
}

/// Part of the stretch in which activity was not recorded.
std::uint64_t pausedWithin(const std::vector<TracedPause>& pauses, std::uint64_t from, std::uint64_t to)
{
    std::uint64_t sum = 0;
    for (const TracedPause& pause : pauses) {
        const std::uint64_t begin = std::max(pause.start, from);
        const std::uint64_t end = std::min(pause.end, to);
        sum += end > begin ? end - begin : 0;
    }
    return sum;
}

class Adder {
public:
    Adder(const std::vector<ProcessTrace>& processes, const RangeChoice& choice) : processes_(processes), choice_(choice) {}

    ProgramTotals run()
    {
        for (const auto& [key, work] : workByDevice(processes_))
            addDevice(work);
        addProfiled();
        addExecuted();
        addSampled();
        addRanges();
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

    KernelTotals& kernel(const std::string& mangled, const ProcessTrace& process, int device)
    {
        const auto [found, fresh] = kernels_.try_emplace(KernelKey{mangled, keyOf(process, device)});
        if (fresh) {
            found->second.mangled = mangled;
            found->second.name = demangled(mangled);
            found->second.device = deviceOf(process, device);
        }
        return found->second;
    }

    void addDevice(const DeviceWork& work)
    {
        std::uint64_t busyUntil = 0;
        bool waitedFor = false; // the program was held up before this activity
        for (const Activity& activity : work.activities) {
            std::optional<double> idle;
            const bool alone = activity.launch && activity.process->alone.contains(activity.launch->correlation);
            const bool sampled = activity.launch && activity.process->sampledAt.contains(activity.launch->correlation);
            if (busyUntil > 0 && !alone && !sampled && !waitedFor && pausedWithin(work.pauses, busyUntil, activity.start) == 0)
                idle = activity.start > busyUntil ? static_cast<double>(activity.start - busyUntil) : 0.0;
            const std::uint64_t from = std::max(activity.start, busyUntil);
            totals_.busyNs += activity.end > from ? static_cast<double>(activity.end - from) : 0;
            busyUntil = std::max(busyUntil, activity.end);
            waitedFor = alone || sampled;
            const auto ns = static_cast<double>(activity.end - activity.start);
            if (activity.launch)
                addLaunch(*activity.process, *activity.launch, {ns, idle, alone, sampled});
            else
                totals_.copyNs += ns;
        }
        if (!work.activities.empty()) {
            const std::uint64_t first = work.activities.front().start;
            totals_.spanNs += static_cast<double>(busyUntil - first - pausedWithin(work.pauses, first, busyUntil));
        }
    }

    void addLaunch(const ProcessTrace& process, const TracedLaunch& launch, const KernelTime& time)
    {
        KernelTotals& totals = kernel(process.kernels[static_cast<std::size_t>(launch.kernel)], process, launch.device);
        const auto stack = process.stackOf.find(launch.correlation);
        const std::vector<std::string> ranges =
            stack == process.stackOf.end() ? std::vector<std::string>{} : process.stacks[static_cast<std::size_t>(stack->second)];
        ShapeTotals& shape = totals.shapes[{launch.grid, launch.block, launch.dynamicSmem, choice_.keyOf(ranges)}];
        if (shape.ranges.empty())
            shape.ranges = ranges;
        shape.example = launch;
        shape.times.push_back(time);
        ++totals.launches;
        totals.graphLaunches += launch.graph ? 1 : 0;
        totals.totalNs += time.ns;
        addToRanges(ranges, time.ns);
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
                addToRanges(launch.ranges, ns);
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
                addToRanges(launch.ranges, 0);
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

    /// A launch counts for the range it is in and for all around it.
    void addToRanges(const std::vector<std::string>& stack, double ns)
    {
        for (std::size_t depth = 1; depth <= stack.size(); ++depth) {
            RangeTotals& range = ranges_[{stack.begin(), stack.begin() + static_cast<std::ptrdiff_t>(depth)}];
            ++range.launches;
            range.gpuNs += ns;
        }
    }

    void addRanges()
    {
        for (const ProcessTrace& process : processes_)
            for (const auto& [stack, time] : process.ranges) {
                RangeTotals& range = ranges_[process.stacks[static_cast<std::size_t>(stack)]];
                range.count += time.count;
                range.hostNs += time.hostNs;
            }
        for (auto& [stack, range] : ranges_) {
            range.stack = stack;
            totals_.ranges.push_back(std::move(range));
        }
    }

    const std::vector<ProcessTrace>& processes_;
    const RangeChoice& choice_;
    std::map<KernelKey, KernelTotals> kernels_;
    std::map<std::vector<std::string>, RangeTotals> ranges_;
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

ProgramTotals totalsOf(const std::vector<ProcessTrace>& processes, const RangeChoice& ranges)
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

std::vector<WantedLaunch> launchesWorthCounting(const ProgramTotals& totals, const KernelPattern& pattern, int count,
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
        const bool possible = whyNotReplayed(kernel.mangled).empty();
        for (const auto& [shape, seen] : kernel.shapes) {
            if (!ranges.includes(seen.ranges))
                continue;
            all += seen.totalNs();
            if (possible && !seen.example.graph)
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
