// SPDX-License-Identifier: MIT
// How often a program is run, with which counters, and what of its runs is taken.
#include "sessions/program/trace_program.h"
#include "tests/sessions/program_support.h"
#include "tests/support/fake_collector.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

namespace kl {
namespace {

using support::kScale;
using support::process;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

/// Five shapes of one kernel, each a fifth of the time but for the first, which has a little more.
ProcessTrace fiveShapes()
{
    ProcessTrace trace = process(51, 1000, 1100);
    for (std::size_t i = 0; i < 51; ++i)
        trace.launches[i].grid = {static_cast<int>(i % 5) + 1, 1, 1};
    return trace;
}

/// The same, all inside a range that was entered so often.
ProcessTrace inRange(std::int64_t entries)
{
    ProcessTrace trace = fiveShapes();
    trace.stacks = {{"step"}};
    for (const TracedLaunch& launch : trace.launches)
        trace.stackOf[launch.correlation] = 0;
    trace.ranges[0].count = entries;
    return trace;
}

class TracedRuns : public testing::Test {
protected:
    Result<TracedProgram> trace(TraceRequest request = {}, const RunWatch& watch = {})
    {
        request.run.command = {"prog", "--fast"};
        request.runner = [this](const InjectedRun& run, const RunWatch&) -> Result<InjectedEnd> {
            runs.push_back(run);
            if (onRun)
                onRun();
            if (failsAt == runs.size())
                return Error{.code = ErrorCode::environment, .message = "It is gone."};
            InjectedEnd end = ends;
            end.exitCode = static_cast<int>(runs.size());
            for (ProcessTrace& one : end.processes)
                one.pid = static_cast<int>(runs.size());
            return end;
        };
        return traceProgram(std::move(request), watch, [this](std::size_t count) { counted.push_back(count); });
    }
    InjectedEnd ends{0, {}, 2.5, "farm-7", {fiveShapes()}};
    std::size_t failsAt = 0;
    std::function<void()> onRun;
    std::vector<InjectedRun> runs;
    std::vector<std::size_t> counted;
};

TEST_F(TracedRuns, TheFirstLooksAndTheSecondCountsWhatTakesTheTime)
{
    TraceRequest request;
    request.run.config.count = 2;
    const Result<TracedProgram> traced = trace(request);
    ASSERT_TRUE(traced) << traced.error().message;
    ASSERT_THAT(runs, SizeIs(2));
    EXPECT_FALSE(runs[0].config.counters);
    EXPECT_FALSE(runs[0].config.executions);
    EXPECT_FALSE(runs[0].again);
    EXPECT_THAT(runs[0].config.wanted, IsEmpty());
    EXPECT_TRUE(runs[1].config.counters);
    EXPECT_FALSE(runs[1].config.executions);
    EXPECT_TRUE(runs[1].again);
    EXPECT_THAT(runs[1].config.wanted, SizeIs(2));
    EXPECT_EQ(runs[1].config.wanted[0].shape.grid, (std::array<int, 3>{1, 1, 1}));
    EXPECT_EQ(runs[1].config.wanted, traced->counting.wanted);
    EXPECT_EQ(runs[1].config.rangeEntries, 0);
    EXPECT_THAT(counted, ElementsAre(2));
    EXPECT_THAT(traced->program.command, ElementsAre("prog", "--fast"));
    EXPECT_EQ(traced->program.exitCode, 1) << "of the first run";
    EXPECT_EQ(traced->program.host, "farm-7");
    EXPECT_EQ(traced->program.wallSeconds, 2.5);
    EXPECT_FALSE(traced->program.startedAt.empty());
    EXPECT_EQ(traced->processes.at(0).pid, 1);
    ASSERT_TRUE(traced->counting.run);
    EXPECT_EQ(traced->counting.run->exitCode, 2);
    EXPECT_EQ(traced->counting.processes.at(0).pid, 2);
    EXPECT_FALSE(traced->counting.off);
}

TEST_F(TracedRuns, OneRunCountsAtOnce)
{
    TraceRequest request;
    request.once = true;
    request.executions = true;
    request.run.config.ranges = {"step", true};
    const Result<TracedProgram> traced = trace(request);
    ASSERT_TRUE(traced);
    ASSERT_THAT(runs, SizeIs(1));
    EXPECT_TRUE(runs[0].config.counters);
    EXPECT_TRUE(runs[0].config.executions);
    EXPECT_FALSE(traced->counting.run);
    EXPECT_EQ(traced->counting.ranges, request.run.config.ranges);
    EXPECT_THAT(counted, IsEmpty());
    request.executions = request.counters = false;
    ASSERT_TRUE(trace(request));
    EXPECT_FALSE(runs.back().config.counters);
    EXPECT_FALSE(runs.back().config.executions) << "times alone";
}

TEST_F(TracedRuns, ExecutionsAreCountedBesideTheCountersOnRequest)
{
    TraceRequest request;
    request.executions = true;
    ASSERT_TRUE(trace(request));
    ASSERT_THAT(runs, SizeIs(2));
    EXPECT_FALSE(runs[0].config.executions);
    EXPECT_TRUE(runs[1].config.executions);
    EXPECT_TRUE(runs[1].config.counters);
}

TEST_F(TracedRuns, WithoutCountersEachOfThreeLaunchesHasARunOfItsOwn)
{
    TraceRequest request;
    request.counters = false;
    const Result<TracedProgram> traced = trace(request);
    ASSERT_TRUE(traced);
    EXPECT_TRUE(traced->counting.off);
    ASSERT_THAT(runs, SizeIs(4));
    std::set<std::array<int, 3>> grids;
    for (std::size_t i = 1; i < runs.size(); ++i) {
        EXPECT_FALSE(runs[i].config.counters);
        EXPECT_TRUE(runs[i].config.executions);
        EXPECT_TRUE(runs[i].again);
        ASSERT_THAT(runs[i].config.wanted, SizeIs(1));
        grids.insert(runs[i].config.wanted[0].shape.grid);
    }
    EXPECT_THAT(grids, SizeIs(3));
    EXPECT_THAT(counted, ElementsAre(3));
    EXPECT_THAT(traced->counting.wanted, SizeIs(3));
    EXPECT_THAT(traced->counting.processes, SizeIs(3)) << "of all of these runs";
    EXPECT_EQ(traced->counting.run->exitCode, 4);
}

TEST_F(TracedRuns, ThereIsNoSecondOneWithoutLaunchesOrOfWhatWasEnded)
{
    TraceRequest request;
    request.run.config.kernel = "^nosuch";
    Result<TracedProgram> traced = trace(request);
    ASSERT_TRUE(traced);
    EXPECT_THAT(runs, SizeIs(1));
    EXPECT_FALSE(traced->counting.run);
    EXPECT_THAT(traced->processes, SizeIs(1));
    runs.clear();
    ends.signal = 9;
    traced = trace();
    ASSERT_TRUE(traced);
    EXPECT_EQ(traced->program.signal, 9);
    EXPECT_THAT(runs, SizeIs(1));
    runs.clear();
    ends.signal.reset();
    std::stop_source stop;
    onRun = [&] { stop.request_stop(); };
    RunWatch watch;
    watch.stop = stop.get_token();
    ASSERT_TRUE(trace({}, watch));
    EXPECT_THAT(runs, SizeIs(1));
    EXPECT_THAT(counted, IsEmpty());
}

TEST_F(TracedRuns, AStopBetweenTheRunsOfLaunchesEndsThem)
{
    std::stop_source stop;
    onRun = [&] {
        if (runs.size() == 2)
            stop.request_stop();
    };
    RunWatch watch;
    watch.stop = stop.get_token();
    TraceRequest request;
    request.counters = false;
    const Result<TracedProgram> traced = trace(request, watch);
    ASSERT_TRUE(traced);
    EXPECT_THAT(runs, SizeIs(2));
    EXPECT_THAT(traced->counting.processes, SizeIs(1));
}

TEST_F(TracedRuns, ARangeThatIsEnteredOftenIsCountedAsAWhole)
{
    TraceRequest request;
    request.run.config.ranges.within = "step";
    const auto entriesFor = [&](std::int64_t entries) {
        runs.clear();
        ends.processes = {inRange(entries)};
        EXPECT_TRUE(trace(request));
        return runs.size() < 2 ? -1 : runs[1].config.rangeEntries;
    };
    EXPECT_EQ(entriesFor(39), 0);
    EXPECT_EQ(entriesFor(40), 40);
    EXPECT_EQ(entriesFor(5'000'000), 1'000'000);
    request.run.config.kernel = "^nosuch";
    EXPECT_EQ(entriesFor(40), 40) << "though no launch is worth counting";
    EXPECT_EQ(entriesFor(39), -1);
    request.counters = false;
    EXPECT_EQ(entriesFor(40), -1);
    request.run.config.kernel.clear();
    EXPECT_EQ(entriesFor(40), 0) << "without counters";
}

TEST_F(TracedRuns, ARunThatFailsAndAPatternThatIsNoneAreErrors)
{
    failsAt = 1;
    EXPECT_EQ(trace().error().code, ErrorCode::environment);
    runs.clear();
    failsAt = 2;
    EXPECT_EQ(trace().error().code, ErrorCode::environment);
    EXPECT_THAT(runs, SizeIs(2));
    runs.clear();
    failsAt = 0;
    TraceRequest request;
    request.run.config.kernel = "(";
    EXPECT_FALSE(trace(request));
}

/// A host that runs programs.
class TracingHost final : public test::FakeCollector {
public:
    TracingHost() : FakeCollector(Source::live) { other_.host = "node-3"; }
    std::string remoteHost() const override { return "farm-7"; }
    const Hello& getAnsweringHello() const override { return other_; }
    Result<Json> ask(Verb verb, const Json& body, const Job&) override
    {
        EXPECT_EQ(verb, Verb::trace);
        request = *fromJsonMessage<TraceProgramRequest>(body);
        return failure ? Result<Json>(*failure) : Result<Json>(toJsonMessage(answer));
    }
    TraceProgramRequest request;
    TraceProgramAnswer answer;
    std::optional<Error> failure;

private:
    Hello other_;
};

TEST(TracesOfAnotherHost, AreThoseOfTheProgramThere)
{
    TracingHost host;
    host.answer = {137, 9, 1.5, {traceLine(41, {"prog"}, "/x/libcupti.so.13") + traceLine(0, kScale) + traceEnd()}};
    InjectedRun run;
    run.command = {"prog", "--fast"};
    run.variables = {"A=1"};
    run.again = true;
    run.config.count = 7;
    const Result<InjectedEnd> end = runOn(host, {})(run, {});
    ASSERT_TRUE(end) << end.error().message;
    EXPECT_EQ(host.request.command, run.command);
    EXPECT_EQ(host.request.variables, run.variables);
    EXPECT_TRUE(host.request.again);
    EXPECT_EQ(parseTraceConfig(host.request.config, "here")->count, 7);
    EXPECT_EQ(end->exitCode, 137);
    EXPECT_EQ(end->signal, 9);
    EXPECT_EQ(end->wallSeconds, 1.5);
    EXPECT_EQ(end->host, "node-3") << "the machine, not what --on named";
    ASSERT_THAT(end->processes, SizeIs(1));
    EXPECT_EQ(end->processes[0].pid, 41);
    host.failure = Error{.code = ErrorCode::notFound, .message = "No prog."};
    EXPECT_EQ(runOn(host, {})(run, {}).error().message, "farm-7: No prog.");
    host.failure->message = "No prog on farm-7.";
    EXPECT_EQ(runOn(host, {})(run, {}).error().message, "No prog on farm-7.") << "it is named once";
}

} // namespace
} // namespace kl
