// SPDX-License-Identifier: MIT
#include "sessions/search/tuner.h"

#include "core/base/file_cache.h"
#include "core/base/format.h"
#include "core/base/try.h"
#include "core/device/arch.h"
#include "core/stats/correctness_text.h"
#include "core/stats/robust.h"
#include "profiler/expected_request.h"
#include "profiler/protocol/gpu_choice.h"
#include "sessions/measure/requests.h"
#include "sessions/search/candidate_space.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <deque>
#include <fmt/format.h>
#include <iterator>

namespace kl::inline search {
namespace {

constexpr std::uint64_t kMostRemembered = 64U << 20U; ///< bytes

/// Figures measured by earlier searches: so a search that was stopped goes on where it was. By device, driver, code, problem and
/// objective; times of versions that did not check the timed passes have another key.
class Memory {
public:
    Memory(const DeviceInfo& device, std::string problem, Objective objective)
        : objective_(objective), files_(FileCache::locateFolder("search"), kMostRemembered),
          where_((objective == Objective::time ? "proven\n" : "proven energy\n") + device.uuid + '\n' + device.driverVersion + '\n' +
                 std::move(problem) + '\n')
    {
    }
    /// Fills time and energy. Whether what the objective needs is there.
    bool recall(const BuiltPoint& built, TunedPoint& point) const
    {
        const std::optional<std::string> text = files_.get(where_ + built.code);
        if (!text)
            return false;
        const char* end = text->data() + text->size();
        double ns = 0, joules = 0;
        const auto [rest, failure] = std::from_chars(text->data(), end, ns);
        if (failure != std::errc())
            return false;
        if (rest != end && std::from_chars(rest + 1, end, joules).ec == std::errc())
            point.joules = joules;
        point.ns = ns;
        return point.cost(objective_).has_value();
    }
    void keep(const BuiltPoint& built, const TunedPoint& point) const
    {
        (void)files_.put(where_ + built.code, point.joules ? fmt::format("{} {}", *point.ns, *point.joules) : fmt::format("{}", *point.ns));
    }

private:
    Objective objective_;
    FileCache files_;
    std::string where_;
};

/// Timing without baseline, on inputs that all points share.
Result<RunRequest> makeTimingRequest(const Catalog& catalog, const Chip& chip, const Address& address, const Params& problem,
                                     Objective objective, bool atLength)
{
    KL_ASSIGN(RunRequest request, runRequest(catalog, address, problem, false, chip));
    request.trial = true;
    if (objective == Objective::energy)
        request.energy = true;
    request.work.baseline = {};
    request.withBaseline = false;
    if (atLength) { // of one round
        request.maxSamples = 100;
        request.minSeconds = 0.04;
        request.maxSeconds = 1;
    } else { // enough to rank by; the best are timed again
        request.maxSamples = 12;
        request.minSeconds = 0;
        request.maxSeconds = 0.2;
    }
    return request;
}

class Tuning {
public:
    Tuning(Collector& collector, const Catalog& catalog, const Params& problem, const TunePlan& plan, const Job& job,
           std::vector<const CompiledPoint*> candidates, TuneResult& result)
        : collector_(collector), catalog_(catalog), problem_(problem), plan_(plan), job_(job), candidates_(std::move(candidates)),
          result_(result), home_(findMeasuredDevice(collector.hello())->uuid),
          memory_(*findMeasuredDevice(collector.hello()), result.build.space.problem, plan.objective), begin_(Clock::now())
    {
    }

    /// As the strategy proposes, which `setting` is of.
    Status measureAll(const SearchSetting& setting, const StrategyRow& row)
    {
        Strategy strategy(setting, plan_.seed, row.make(setting));
        if (collector_.width() > 1)
            KL_TRY(measureReferences(setting.start));
        std::deque<PointIndex> open;
        while (true) {
            std::ranges::copy(strategy.ask(widthOn(collector_, plan_)), std::back_inserter(open));
            waitWhilePaused();
            if (open.empty() || !isWithinBudget())
                break;
            expectOpen(open);
            const PointIndex next = open.front();
            open.pop_front();
            KL_TRY(measure(next, result_.build.space.points[candidates_[next]->index].tunables));
            strategy.tell(next, computeCost(result_.points.back()));
        }
        collector_.expect({});
        result_.left = candidates_.size() - result_.points.size();
        sortBest();
        KL_TRY(countAll());
        return refine();
    }

private:
    using Clock = std::chrono::steady_clock;

    /// Seconds of measuring, pauses left out.
    double elapsed() const { return std::chrono::duration<double>(Clock::now() - begin_ - paused_).count(); }

    void waitWhilePaused()
    {
        if (!plan_.beforePoint)
            return;
        const Clock::time_point began = Clock::now();
        plan_.beforePoint();
        paused_ += Clock::now() - began;
    }

    bool isWithinBudget() const
    {
        return (plan_.budgetSeconds <= 0 || elapsed() <= plan_.budgetSeconds) &&
               (plan_.budgetTrials == 0 || result_.points.size() < plan_.budgetTrials) &&
               (plan_.budgetJoules <= 0 || joules_ < plan_.budgetJoules);
    }

    /// What will be timed next, for a collector with several workers.
    void expectOpen(const std::deque<PointIndex>& open) const
    {
        if (collector_.width() < 2)
            return;
        std::vector<ExpectedRequest> requests;
        for (const PointIndex next : open) {
            if (plan_.budgetTrials > 0 && result_.points.size() + requests.size() >= plan_.budgetTrials)
                break;
            const BuiltPoint& built = candidates_[next]->built;
            TunedPoint known;
            if (!plan_.fresh && memory_.recall(built, known))
                continue;
            const Result<Address> address = parseAddress(built.kernel);
            Result<RunRequest> request = address
                                             ? makeTimingRequest(catalog_, toChip(collector_), *address, problem_, plan_.objective, false)
                                             : Result<RunRequest>(address.error());
            if (request)
                requests.push_back(makeExpectedRequest<Verb::run>(*request));
        }
        collector_.expect(requests);
    }

    Status measure(std::size_t index, const Params& tunables)
    {
        TunedPoint point;
        point.kernel = candidates_[index]->built.kernel;
        point.tunables = tunables;
        point.seconds = candidates_[index]->built.seconds;
        const Clock::time_point began = Clock::now();
        point.remembered = !plan_.fresh && memory_.recall(candidates_[index]->built, point);
        if (!point.remembered) {
            KL_TRY(time(point, false));
            if (computeCost(point) && isFromThisGpu())
                memory_.keep(candidates_[index]->built, point);
        }
        point.seconds += std::chrono::duration<double>(Clock::now() - began).count();
        point.at = elapsed();
        if (const std::optional<double> cost = computeCost(point); cost && (!best_ || *cost < *best_))
            best_ = cost;
        result_.points.push_back(std::move(point));
        tell(result_.points.back());
        const std::size_t done = result_.points.size();
        double rest = elapsed() / static_cast<double>(done) * static_cast<double>(candidates_.size() - done);
        if (plan_.budgetTrials > 0)
            rest = std::min(rest, elapsed() / static_cast<double>(done) * static_cast<double>(plan_.budgetTrials - done));
        if (plan_.budgetSeconds > 0)
            rest = std::min(rest, std::max(0.0, plan_.budgetSeconds - elapsed()));
        job_.report(fmt::format("timed {} of {}, best {}", done, candidates_.size(), bestText()), elapsed(), elapsed() + rest);
        return {};
    }

    /// One point on each GPU, longer than a trial: the start, or the first other one that runs.
    Status measureReferences(const std::vector<PointIndex>& start)
    {
        constexpr std::size_t kTried = 4;
        std::vector<PointIndex> points = start;
        for (PointIndex point = 0; point < candidates_.size() && points.size() < kTried; ++point)
            points.push_back(point);
        for (const PointIndex point : points)
            if (!findReference(home_)) {
                reference_ = candidates_[point]->built.kernel;
                result_.references.clear(); // of another point: they say nothing beside this one's
                KL_TRY(measureReference());
            }
        return {};
    }

    /// On each GPU that has none. One is expected for each worker; of equal requests, none takes two while another waits for one.
    Status measureReference()
    {
        job_.report("measuring the reference on each GPU");
        const Result<Address> address = parseAddress(reference_);
        KL_ASSIGN(const RunRequest request, address
                                                ? makeTimingRequest(catalog_, toChip(collector_), *address, problem_, plan_.objective, true)
                                                : Result<RunRequest>(address.error()));
        const auto gpus = static_cast<std::size_t>(collector_.width());
        collector_.expect(std::vector(gpus, makeExpectedRequest<Verb::run>(request)));
        for (std::size_t i = 0; i < gpus; ++i) {
            const Result<RunAnswer> answer = run(collector_, request, Job{{}, job_.stop, job_.notice});
            if (!answer && answer.error().code == ErrorCode::interrupted)
                return answer.error();
            const DeviceInfo* const gpu = findMeasuredDevice(collector_.getAnsweringHello());
            if (!gpu || !answer || answer->status != ResultStatus::ok || !answer->timing || findReference(gpu->uuid))
                continue;
            const Timing& timing = *answer->timing;
            const SearchReference reference{gpu->uuid,         collector_.getAnsweringHello().host,
                                            timing.gpu.median, relativeNoise(timing.gpu),
                                            timing.clockMhz,   timing.energy ? timing.energy->perLaunchJ : std::nullopt};
            result_.references.insert(gpu->uuid == home_ ? result_.references.begin() : result_.references.end(), reference);
        }
        return {};
    }

    const SearchReference* findReference(const std::string& gpu) const
    {
        const auto found = std::ranges::find(result_.references, gpu, &SearchReference::gpu);
        return found == result_.references.end() ? nullptr : &*found;
    }

    /// Runs a trial. One of a GPU that has no reference, since it joined late, is measured again by the home, after the reference.
    Result<RunAnswer> measureTrial(const RunRequest& request)
    {
        constexpr int kMostReferences = 5;
        const Job quiet{{}, job_.stop, job_.notice};
        KL_ASSIGN(RunAnswer answer, run(collector_, request, quiet));
        if (isComparable(findAnsweringGpu()))
            return answer;
        if (findReference(home_) && ++lateReferences_ <= kMostReferences)
            KL_TRY(measureReference());
        return run(collector_, request, quiet);
    }

    /// With what the home measures.
    bool isComparable(const std::string& gpu) const
    {
        return collector_.width() < 2 || gpu == home_ || (findReference(home_) && findReference(gpu));
    }

    std::string findAnsweringGpu() const
    {
        const DeviceInfo* const gpu = findMeasuredDevice(collector_.getAnsweringHello());
        return gpu ? gpu->uuid : std::string();
    }

    /// As the home would have measured it; failed where that is not known: times of two GPUs tell nothing of their points.
    void compare(TunedPoint& point) const
    {
        if (collector_.width() < 2)
            return;
        point.gpu = findAnsweringGpu();
        if (!isComparable(point.gpu)) {
            point.ns = point.joules = std::nullopt;
            point.why = "It was measured by a GPU on which the reference does not run.";
            return;
        }
        const SearchReference* const home = findReference(home_);
        const SearchReference* const reference = findReference(point.gpu);
        if (!home || !reference || reference == home)
            return;
        if (point.ns)
            *point.ns *= home->ns / reference->ns;
        if (point.joules && home->joules && reference->joules)
            *point.joules *= *home->joules / *reference->joules;
    }

    /// Of several GPUs, the one whose measurements memory_ has.
    bool isFromThisGpu() const { return findAnsweringGpu() == home_; }

    std::optional<double> computeCost(const TunedPoint& point) const { return point.cost(plan_.objective); }

    std::string bestText() const
    {
        return plan_.objective == Objective::time ? formatTime(best_) : best_ ? formatEnergy(*best_) : std::string(kNoValue);
    }

    void tell(const TunedPoint& point) const
    {
        if (plan_.onTime)
            plan_.onTime(point);
    }

    Status time(TunedPoint& point, bool atLength)
    {
        const Result<Address> address = parseAddress(point.kernel);
        KL_ASSIGN(RunRequest request, address
                                          ? makeTimingRequest(catalog_, toChip(collector_), *address, problem_, plan_.objective, atLength)
                                          : Result<RunRequest>(address.error()));
        const Clock::time_point began = Clock::now();
        KL_ASSIGN(const RunAnswer answer, measureTrial(request));
        const bool usable = answer.status == ResultStatus::ok && !isRefuted(answer.correctness.result) && answer.timing;
        point.ns = usable ? std::optional(answer.timing->gpu.median) : std::nullopt; // a brief time falls with its point
        point.cut = usable && answer.timing->stoppedBy == "hopeless";
        if (usable && plan_.budgetJoules > 0)
            KL_TRY(chargePower(answer, std::chrono::duration<double>(Clock::now() - began).count()));
        if (isRefuted(answer.correctness.result))
            point.why = describeRefuted(answer.correctness);
        else if (!usable)
            point.why = answer.reason;
        if (plan_.objective == Objective::energy && usable)
            KL_TRY(takeEnergy(*answer.timing, point));
        compare(point);
        return {};
    }

    /// `waited`: seconds for the answer; on several GPUs it may have been there already. Error environment where the power is not known:
    /// the search would never end by its budget.
    Status chargePower(const RunAnswer& answer, double waited)
    {
        if (!answer.timing->powerW)
            return Error{.code = ErrorCode::environment,
                         .message = "This GPU does not report the power of its board, so a budget of energy cannot be kept.",
                         .hint = "Give the budget in seconds, points or money.",
                         .where = "--joules"};
        joules_ += *answer.timing->powerW * answer.workerSeconds.value_or(waited);
        return {};
    }

    /// Error environment where not even the first point's energy can be measured: the others' could not either.
    Status takeEnergy(const Timing& timing, TunedPoint& point) const
    {
        point.joules = timing.energy ? timing.energy->perLaunchJ : std::nullopt;
        if (point.joules)
            return {};
        point.why = timing.energy ? timing.energy->reason : "The worker is of a version that measures no energy.";
        if (best_)
            return {};
        return Error{.code = ErrorCode::environment,
                     .message = fmt::format("The energy of {} cannot be measured. {}", point.kernel, point.why),
                     .hint = "Search for the shortest time instead.",
                     .where = "--objective"};
    }

    /// Best first, failed ones last.
    void sortBest()
    {
        std::ranges::stable_sort(result_.points, [this](const TunedPoint& a, const TunedPoint& b) { return isBetter(a, b); });
    }

    bool isBetter(const TunedPoint& a, const TunedPoint& b) const
    {
        const std::optional<double> left = computeCost(a), right = computeCost(b);
        return left && right ? *left < *right : left.has_value() && !right.has_value();
    }

    /// One-pass counters of what was timed, best first, many points at once: setting counters up takes longer than counting. A search
    /// does without what cannot be counted.
    Status countAll()
    {
        constexpr std::size_t kTogether = 64;
        const Clock::time_point began = Clock::now();
        const auto isLate = [&] { return std::chrono::duration<double>(Clock::now() - began).count() >= plan_.countSeconds; };
        const auto timed = static_cast<std::size_t>(
            std::ranges::count_if(result_.points, [this](const TunedPoint& point) { return computeCost(point).has_value(); }));
        for (std::size_t first = 0; first < timed && !isLate(); first += kTogether) {
            const std::size_t end = std::min(first + kTogether, timed);
            job_.report(fmt::format("counting {} to {} of {}", first + 1, end, timed));
            const Status counted = count(first, end);
            if (!counted && counted.error().code == ErrorCode::interrupted)
                return counted;
            if (!counted) {
                if (job_.notice)
                    job_.notice("The points were not counted: " + counted.error().message);
                break;
            }
        }
        return {};
    }

    Status count(std::size_t first, std::size_t end)
    {
        CountRequest request;
        request.tier = 0; // one pass
        for (std::size_t i = first; i < end; ++i) {
            KL_ASSIGN(const Address address, parseAddress(result_.points[i].kernel));
            KL_ASSIGN(WorkSpec work, catalog_.work(address, problem_, toChip(collector_)));
            request.works.push_back(std::move(work));
        }
        KL_ASSIGN(const CountAnswer counted, kl::count(collector_, request, Job{{}, job_.stop, job_.notice}));
        for (std::size_t i = first; i < end && i - first < counted.answers.size(); ++i)
            if (const std::optional<MetricSet>& metrics = counted.answers[i - first].metrics)
                for (const auto& [name, value] : metrics->values)
                    if (value && std::isfinite(*value))
                        result_.points[i].metrics[name] = *value;
        return {};
    }

    /// The best again, longer, in turns and in alternating order, so that a drift of the device falls on all: a brief time of many is the
    /// luckiest one's.
    Status refine()
    {
        std::size_t best = 0;
        while (best < result_.points.size() && best < static_cast<std::size_t>(std::max(0, plan_.refined)) &&
               computeCost(result_.points[best]))
            ++best;
        std::vector<std::vector<double>> times(best), energies(best);
        const int rounds = plan_.objective == Objective::time ? kRefineRounds : 1;
        for (int round = 0; round < rounds; ++round)
            for (std::size_t turn = 0; turn < best; ++turn) {
                const std::size_t i = round % 2 == 0 ? turn : best - 1 - turn;
                TunedPoint& point = result_.points[i];
                if (round > 0 && !computeCost(point))
                    continue;
                job_.report(fmt::format("measuring the best {} again, interleaved: round {} of {}", best, round + 1, rounds), elapsed());
                KL_TRY(time(point, true));
                if (point.ns)
                    times[i].push_back(*point.ns);
                if (point.joules)
                    energies[i].push_back(*point.joules);
            }
        for (std::size_t i = 0; i < best; ++i) {
            TunedPoint& point = result_.points[i];
            if (computeCost(point)) {
                point.ns = computeMedian(times[i]);
                if (point.joules)
                    point.joules = computeMedian(energies[i]);
            }
            point.refined = true;
            tell(point);
        }
        const auto end = result_.points.begin() + static_cast<std::ptrdiff_t>(best);
        std::stable_sort(result_.points.begin(), end, [this](const TunedPoint& a, const TunedPoint& b) { return isBetter(a, b); });
        result_.seconds = elapsed();
        return {};
    }

    Collector& collector_;
    const Catalog& catalog_;
    const Params& problem_;
    const TunePlan& plan_;
    const Job& job_;
    std::vector<const CompiledPoint*> candidates_;
    TuneResult& result_;
    std::string home_; ///< UUID of the GPU that measures what is not spread
    Memory memory_;
    Clock::time_point begin_;
    Clock::duration paused_{};
    std::optional<double> best_;
    std::string reference_; ///< address of the point that all GPUs measure
    int lateReferences_ = 0;
    double joules_ = 0; ///< that measuring took, from the board's power
};

} // namespace

std::size_t widthOn(const Collector& collector, const TunePlan& plan)
{
    const auto gpus = static_cast<std::size_t>(collector.width());
    return plan.width > 0 ? plan.width : gpus < 2 ? 1 : 2 * gpus;
}

Result<TuneResult> tune(Collector& collector, const Catalog& catalog, const KernelFamily& family, const Variant& variant,
                        const Params& fixed, const Params& problem, const TunePlan& plan, const Job& job)
{
    const DeviceInfo* measured = findMeasuredDevice(collector.hello());
    if (collector.hello().unavailable || measured == nullptr)
        return Error{.code = ErrorCode::environment,
                     .message = collector.hello().unavailable.value_or("There is no device to measure on."),
                     .hint = "Checking the space against the gates needs no GPU.",
                     .where = "device"}
            .leadTo({StepId::searchSpace, {{StepArgument::kernel, family.id + '/' + variant.id}}});
    const DeviceInfo& device = *measured;
    const std::optional<SmLimits> sm = smLimits(device);
    if (!sm)
        return Error{.code = ErrorCode::environment,
                     .message = fmt::format("The limits of {} are not known.", device.name),
                     .hint = "The device table does not have its compute capability: use a newer KernelLoop or another GPU.",
                     .where = device.name};
    KL_ASSIGN(const StrategyRow* strategy, findStrategy(plan.strategy));
    TuneResult result;
    KL_ASSIGN(SpaceBuild build,
              buildSpace(collector, family, variant,
                         {fixed, problem, *sm, archName(device.ccMajor, device.ccMinor), plan.minOccupancy, toChip(device)}, plan.jobs,
                         job));
    result.build = std::move(build);
    result.device = device.name;
    Params start = fixed;
    for (const Tunable& tunable : family.tunables)
        if (std::ranges::find(variant.tunables, tunable.name) != variant.tunables.end())
            start.emplace(tunable.name, tunable.defaultValue);
    std::vector<Params> starts;
    if (plan.startsKnown)
        starts.push_back(start);
    for (Params known : plan.known) {
        known.insert(start.begin(), start.end());
        starts.push_back(std::move(known));
    }
    Tuning tuning(collector, catalog, problem, plan, job, result.build.candidates(), result);
    if (!result.build.candidates().empty()) {
        KL_ASSIGN(const SearchSetting setting, candidateSpace(family, result.build, *sm, starts));
        KL_TRY(tuning.measureAll(setting, *strategy));
    }
    return result;
}

} // namespace kl::inline search
