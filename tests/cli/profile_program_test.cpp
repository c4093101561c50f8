// SPDX-License-Identifier: MIT
// kloop profile -- CMD around programs that need no GPU: some write what the injected library would have written.
#include "kloop.h"
#include "tests/support/build_folder.h"
#include "tests/support/scale_trace.h"
#include "text_rows.h"

#include <fmt/format.h>

namespace kl::test {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class ProfileProgram : public Kloop {
protected:
    void SetUp() override
    {
        Kloop::SetUp();
        write("inject.so", "not loaded by programs without CUDA");
    }
    Answer profile(std::vector<std::string> options, const std::vector<std::string>& command, const std::string& environment = {}) const
    {
        options.insert(options.begin(), "profile");
        options.emplace_back("--");
        options.insert(options.end(), command.begin(), command.end());
        return kloop(options, "KERNELLOOP_INJECT=" + quoted(file("inject.so")) + ' ' + environment);
    }
    /// A shell that leaves this trace, as a process with the library in it would.
    std::vector<std::string> tracing(const std::string& trace, const std::string& more = {}) const
    {
        write("canned", trace);
        return {"/bin/sh", "-c", "cp " + quoted(file("canned")) + " \"$KLOOP_INJECT_SPOOL\"/1-1.trace; " + more};
    }
};

TEST_F(ProfileProgram, OutputAndExitCodeSurvive)
{
    const Answer answer = profile({}, {"/bin/sh", "-c", "echo out; echo err >&2; exit 3"});
    EXPECT_EQ(answer.code, 3);
    EXPECT_EQ(answer.out, "out\n");
    EXPECT_THAT(answer.err, HasSubstr("err\n"));
    EXPECT_THAT(readRows(answer.err), testing::Contains(withFigures(testing::StartsWith("3 | ")))) << "and how long it took";
}

TEST_F(ProfileProgram, ReadsItsInputAndArguments)
{
    const Answer answer = profile({}, {"/bin/sh", "-c", "cat; printf '%s|' \"$@\"", "sh", "--json", "a b", "--", "*"});
    EXPECT_EQ(answer.code, 0);
    EXPECT_EQ(answer.out, "--json|a b|--|*|");
}

TEST_F(ProfileProgram, WithJsonStandardOutputIsTheAnswers)
{
    const Answer answer = profile({"--json"}, {"/bin/sh", "-c", "echo out; exit 4"});
    EXPECT_EQ(answer.code, 4);
    EXPECT_THAT(answer.err, HasSubstr("out\n"));
    const Json json = answer.json();
    EXPECT_EQ(json["program"]["exit_code"], 4);
    EXPECT_THAT(json["results"], IsEmpty());
    EXPECT_EQ(json["program"]["notes"][0]["code"], "no-cuda");
}

TEST_F(ProfileProgram, OutTakesTheAnswerAndLeavesStandardOutput)
{
    const Answer answer = profile({"--out", file("answer.json")}, {"/bin/sh", "-c", "echo out"});
    EXPECT_EQ(answer.code, 0);
    EXPECT_EQ(answer.out, "out\n");
    EXPECT_EQ(parseJson(read("answer.json"), "answer.json")->at("program")["exit_code"], 0);
    EXPECT_EQ(profile({"--out", file("none/answer.json")}, {"/bin/touch", file("ran")}).code, 4);
    EXPECT_FALSE(std::filesystem::exists(file("ran"))) << "said before the program runs: it may take hours";
}

TEST_F(ProfileProgram, AKilledProgramIsReportedAsByAShell)
{
    const Answer answer = profile({"--json"}, {"/bin/sh", "-c", "kill -9 $$"});
    EXPECT_EQ(answer.code, 137);
    EXPECT_EQ(answer.json()["program"]["signal"], 9);
}

TEST_F(ProfileProgram, AProgramThatIsNotThere)
{
    Answer answer = profile({"--json"}, {"no-such-program-at-all"});
    EXPECT_EQ(answer.code, 127);
    EXPECT_THAT(answer.json()["error"]["message"], HasSubstr("no-such-program-at-all"));
    EXPECT_EQ(answer.json()["error"]["code"], "not-found");
    write("plain", "text");
    answer = profile({}, {file("plain")});
    EXPECT_EQ(answer.code, 126);
    EXPECT_THAT(answer.err, HasSubstr(file("plain")));
}

TEST_F(ProfileProgram, KernelsAreStoredAndDiagnosed)
{
    const Answer answer = profile({"--json"}, tracing(scaleTrace(), "exit 5"));
    EXPECT_EQ(answer.code, 5);
    const Json json = answer.json();
    ASSERT_THAT(json["results"], SizeIs(1));
    const Json& run = json["results"][0];
    EXPECT_EQ(run["kernel"], "program");
    EXPECT_EQ(run["program"]["kernel"], "scale(float*, int, float)");
    EXPECT_EQ(run["timing"]["gpu_ns"]["median"], 8000);
    EXPECT_TRUE(run["finding"]["inferred"]);
    const std::string id = run["id"];
    const Answer compared = kloop({"compare", "run:" + id, "run:" + id, "--json"});
    EXPECT_EQ(compared.json()["a"], compared.json()["b"]) << compared.err;
}

TEST_F(ProfileProgram, TheReportNamesTheKernel)
{
    const Answer answer = profile({}, tracing(scaleTrace(), "echo mine"));
    EXPECT_EQ(answer.code, 0);
    EXPECT_EQ(answer.out, "mine\n");
    EXPECT_THAT(answer.err, HasSubstr("scale"));
}

/// A rank of two that launches a graph of two kernels in the range "step", and a kernel beside them in another stream.
std::string rankTrace(int rank)
{
    DeviceInfo device;
    device.uuid = fmt::format("GPU-{}", rank);
    device.name = "NVIDIA H200";
    device.ccMajor = 9;
    device.smCount = 132;
    std::string text = traceLine(10 + rank, {"prog"}, "") + traceLine(ProcessRank{rank, rank, 2}) + traceLine(0, device) +
                       traceLine(0, std::string("_Z5scalePfif")) + traceLine(1, std::string("_Z6stridePf")) +
                       traceLine(0, std::vector<std::string>{"step"});
    for (std::uint32_t i = 0; i < 5; ++i) {
        const std::uint64_t at = 10'000 + 10'000 * std::uint64_t{i};
        const auto line = [&](int kernel, std::uint64_t from, std::uint64_t to, std::uint32_t correlation, bool graph) {
            return traceLine(
                TracedLaunch{kernel, at + from, at + to, 0, 7, correlation, {4, 1, 1}, {256, 1, 1}, 32, 0, 0, 0, graph, graph ? 5U : 0U});
        };
        text += traceLaunchRanges(2 * i + 1, 0, {i}) + line(0, 0, 4000, 2 * i + 1, true) + line(0, 4000, 6000, 2 * i + 1, true) +
                line(1, 1000, 5000, 2 * i + 2, false);
    }
    return text + traceRangeTime(0, {5, 9000}) + traceEnd();
}

TEST_F(ProfileProgram, GraphsRangesStreamsAndRanksAreReported)
{
    write("one", rankTrace(1));
    const std::vector<std::string> program = tracing(rankTrace(0), "cp " + quoted(file("one")) + " \"$KLOOP_INJECT_SPOOL\"/2-2.trace");
    const Answer text = profile({"--range", "step", "--once"}, program);
    for (const char* part : {"CUDA graph", "graph 5", "Runs beside", "Exclusive", "step as a whole", "rank 0", "rank 1", "in total"})
        EXPECT_THAT(text.err, HasSubstr(part));
    const Json answer = profile({"--range", "step", "--once", "--json"}, program).json()["program"];
    EXPECT_EQ(answer["range"]["count"], 10);
    EXPECT_EQ(answer["range"]["launches"], 20);
    EXPECT_EQ(answer["range"]["span_ns"], 10 * 6000);
    ASSERT_THAT(answer["graphs"], SizeIs(2));
    EXPECT_EQ(answer["graphs"][0]["launches"], 5);
    EXPECT_EQ(answer["graphs"][0]["kernels"][0]["launches"], 10);
    ASSERT_THAT(answer["ranks"], SizeIs(2));
    EXPECT_EQ(answer["ranks"][1]["uuid"], "GPU-1");
    EXPECT_EQ(answer["ranks"][1]["kernel_ns"], 5 * 10'000);
}

TEST_F(ProfileProgram, AnotherKernelsNameFindsNothing)
{
    for (const char* expression : {"gemm", "SCALE"}) {
        const Answer answer = profile({"--json", "--kernel", expression}, tracing(scaleTrace()));
        EXPECT_THAT(answer.json()["results"], IsEmpty()) << expression;
        const Json program = answer.json()["program"];
        EXPECT_THAT(program["kernels"], SizeIs(1));
        ASSERT_FALSE(program["notes"].empty()) << expression;
        EXPECT_EQ(program["notes"].back()["code"], "no-kernel-matches");
        EXPECT_THAT(program["notes"].back()["text"].get<std::string>(), HasSubstr("scale")) << "what was launched";
    }
}

TEST_F(ProfileProgram, TellsTheLibraryWhatToCollect)
{
    const Answer answer = profile(
        {"--kernel", "a|b", "--skip", "3", "--count", "2", "--tier", "1", "--range", "step", "--by-range", "--executions", "--once"},
        {"/bin/sh", "-c", "cat \"$KLOOP_INJECT_SPOOL\"/config.json; test \"$CUDA_INJECTION64_PATH\" = \"$NVTX_INJECTION64_PATH\""});
    EXPECT_EQ(answer.code, 0);
    const Result<TraceConfig> config = parseTraceConfig(answer.out, "config");
    ASSERT_TRUE(config.ok()) << answer.out;
    EXPECT_EQ(config->kernel, "a|b");
    EXPECT_EQ(config->skip, 3);
    EXPECT_EQ(config->count, 2);
    EXPECT_EQ(config->tier, 1);
    EXPECT_EQ(config->ranges, (RangeChoice{"step", true}));
    EXPECT_TRUE(config->counters && config->executions);
}

TEST_F(ProfileProgram, LooksAtTheTimesFirstAndCountsInASecondRun)
{
    const std::string keep = "cat \"$KLOOP_INJECT_SPOOL\"/config.json >> " + quoted(file("configs")) + "; echo mine; echo err >&2";
    const Answer answer = profile({"--json"}, tracing(scaleTrace(), keep));
    EXPECT_EQ(answer.code, 0);
    const std::string text = read("configs");
    const std::size_t second = text.find("}{") + 1;
    const Result<TraceConfig> first = parseTraceConfig(text.substr(0, second), "first");
    const Result<TraceConfig> again = parseTraceConfig(text.substr(second), "second");
    ASSERT_TRUE(first.ok() && again.ok()) << text;
    EXPECT_FALSE(first->counters);
    EXPECT_TRUE(again->counters);
    ASSERT_THAT(again->wanted, SizeIs(1));
    EXPECT_EQ(again->wanted[0].kernel, "_Z5scalePfif");
    EXPECT_EQ(again->wanted[0].shape.grid[0], 66000);
    EXPECT_EQ(answer.err.find("err\n"), answer.err.rfind("err\n")) << "the second run is silent";
    EXPECT_TRUE(answer.json()["program"]["second_run"].is_object());
}

TEST_F(ProfileProgram, RunsOnceWhereTold)
{
    const std::string count = "echo x >> " + quoted(file("runs")) + "; cat \"$KLOOP_INJECT_SPOOL\"/config.json";
    Answer answer = profile({"--once"}, tracing(scaleTrace(), count));
    EXPECT_EQ(read("runs"), "x\n");
    EXPECT_TRUE(parseTraceConfig(answer.out, "config")->counters);
    EXPECT_FALSE(parseTraceConfig(answer.out, "config")->executions);
    answer = profile({"--once", "--no-counters"}, tracing(scaleTrace(), count));
    EXPECT_EQ(read("runs"), "x\nx\n");
    EXPECT_FALSE(parseTraceConfig(answer.out, "config")->counters);
    EXPECT_FALSE(parseTraceConfig(answer.out, "config")->executions) << "nothing could be timed after it";
    EXPECT_EQ(profile({"--no-counters", "--source"}, {"/bin/true"}).code, 2);
    EXPECT_EQ(kloop({"profile", "transpose/naive", "--once"}).code, 2);
}

TEST_F(ProfileProgram, WhatIsForKernelsOfTheCatalogIsRefused)
{
    for (const std::vector<std::string>& options : {std::vector<std::string>{"transpose/naive"},
                                                    {"--all"},
                                                    {"--problem", "M=1"},
                                                    {"--on", "sample"},
                                                    {"--plan"},
                                                    {"--chip", "GH100"},
                                                    {"--cache-control", "flush"},
                                                    {"--counters-only"},
                                                    {"--experiments"},
                                                    {"--energy"},
                                                    {"--pm-sampling"}}) {
        std::vector<std::string> words = options;
        words.emplace_back("--json");
        const Answer answer = profile(words, {"/bin/touch", file("ran")});
        EXPECT_EQ(answer.code, 2) << options[0];
        EXPECT_THAT(answer.json()["error"]["where"].get<std::string>(),
                    testing::AnyOf(testing::StartsWith(options[0]), testing::Eq("KERNEL")));
    }
    EXPECT_FALSE(std::filesystem::exists(file("ran")));
    EXPECT_EQ(profile({"--cache-control", "none"}, {"/bin/true"}).code, 0) << "which is how a program is counted";
}

TEST_F(ProfileProgram, ChosenMetricsSourceAndPassesReachTheLibrary)
{
    const std::vector<std::string> show{"/bin/sh", "-c", "cat \"$KLOOP_INJECT_SPOOL\"/config.json"};
    const Result<TraceConfig> usual = parseTraceConfig(profile({"--once"}, show).out, "config");
    ASSERT_TRUE(usual.ok());
    EXPECT_EQ(usual->kernel, "");
    EXPECT_EQ(usual->skip, 0);
    EXPECT_EQ(usual->count, 20);
    EXPECT_EQ(usual->tier, 2);
    EXPECT_FALSE(usual->source);
    EXPECT_EQ(usual->maxPasses, 0);
    EXPECT_THAT(usual->metrics, IsEmpty());
    EXPECT_EQ(usual->ranges, RangeChoice{});
    const Result<TraceConfig> asked =
        parseTraceConfig(profile({"--once", "--metrics", "a,b", "--max-passes", "3", "--source"}, show).out, "config");
    ASSERT_TRUE(asked.ok());
    EXPECT_EQ(asked->metrics, (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(asked->maxPasses, 3);
    EXPECT_TRUE(asked->source);
}

TEST_F(ProfileProgram, WithoutCountersTheSecondRunCountsInstructions)
{
    const std::string keep = "cat \"$KLOOP_INJECT_SPOOL\"/config.json >> " + quoted(file("configs"));
    const Answer answer = profile({"--json", "--no-counters"}, tracing(scaleTrace(), keep));
    const std::string text = read("configs");
    const std::size_t second = text.find("}{") + 1;
    const Result<TraceConfig> first = parseTraceConfig(text.substr(0, second), "first");
    const Result<TraceConfig> again = parseTraceConfig(text.substr(second), "second");
    ASSERT_TRUE(first.ok() && again.ok()) << text;
    EXPECT_FALSE(first->executions || first->counters || again->counters);
    EXPECT_TRUE(again->executions);
    EXPECT_THAT(again->wanted, SizeIs(1));
    EXPECT_TRUE(answer.json()["program"]["second_run"].is_object());
}

TEST_F(ProfileProgram, TheProgramHasItsOwnLibraryPath)
{
    const std::vector<std::string> show{"/bin/sh", "-c", "echo [$LD_LIBRARY_PATH][$KLOOP_ORIGINAL_LD_LIBRARY_PATH]"};
    EXPECT_EQ(profile({}, show, "LD_LIBRARY_PATH=/b/lib KLOOP_ORIGINAL_LD_LIBRARY_PATH=/mine").out, "[/mine][]\n");
    EXPECT_EQ(profile({}, show, "LD_LIBRARY_PATH=/mine").out, "[/mine][]\n");
}

TEST_F(ProfileProgram, LeavesNoFolderBehind)
{
    std::filesystem::create_directories(file("tmp"));
    EXPECT_EQ(profile({}, tracing(scaleTrace()), "TMPDIR=" + quoted(file("tmp"))).code, 0);
    EXPECT_TRUE(std::filesystem::is_empty(file("tmp")));
}

TEST_F(ProfileProgram, WrongUsage)
{
    EXPECT_EQ(profile({}, {}).code, 2);
    EXPECT_EQ(profile({"--kernel", "a("}, {"/bin/true"}).code, 2);
    EXPECT_EQ(profile({"--count", "0"}, {"/bin/true"}).code, 2);
    EXPECT_EQ(profile({"--on", "sample"}, {"/bin/true"}).code, 2);
    EXPECT_EQ(profile({"transpose/naive"}, {"/bin/true"}).code, 2);
    EXPECT_EQ(kloop({"run", "transpose/naive", "--", "x"}).code, 2);
    EXPECT_EQ(kloop({"profile", "transpose/naive", "--skip", "1"}).code, 2);
}

TEST_F(ProfileProgram, AnotherToolInTheProgramIsNotPushedOut)
{
    const Answer answer = profile({}, {"/bin/true"}, "CUDA_INJECTION64_PATH=/other.so");
    EXPECT_EQ(answer.code, 5);
    EXPECT_THAT(answer.err, HasSubstr("CUDA_INJECTION64_PATH"));
}

TEST_F(ProfileProgram, ADamagedTraceIsReportedAndTheProgramKeepsItsExitCode)
{
    const std::string damage = "cd \"$KLOOP_INJECT_SPOOL\"; echo nonsense >> 1-1.trace; echo nonsense > 2-2.trace; exit 3";
    const Answer answer = profile({"--json"}, tracing(scaleTrace(), damage));
    EXPECT_EQ(answer.code, 3);
    const Json program = answer.json()["program"];
    EXPECT_EQ(program["exit_code"], 3);
    EXPECT_EQ(program["gpu"]["launches"], 10) << "what comes before the damage";
    EXPECT_EQ(program["processes"][1]["pid"], nullptr);
    ASSERT_THAT(program["notes"], SizeIs(2));
    EXPECT_THAT(program["notes"][0]["text"], testing::AllOf(HasSubstr(" 1 "), HasSubstr(" 15 "))) << "process and line";
    EXPECT_THAT(program["notes"][1]["text"], HasSubstr(" 1 ")) << "line";
}

TEST_F(ProfileProgram, SignalsReachTheProgram)
{
    const std::string pid = quoted(file("pid"));
    write("run.sh", "trap 'echo got; exit 9' TERM; echo $$ > " + pid + "; while :; do sleep 0.05; done");
    const std::string kill =
        "(while ! test -s " + pid + "; do sleep 0.02; done; kill -TERM $(cut -d' ' -f4 /proc/$(cat " + pid + ")/stat)) & ";
    write("both.sh", kill + "exec " + quoted(test::buildFolder() + "/bin/kloop") + " profile -- /bin/sh " + quoted(file("run.sh")));
    const std::string line = "KERNELLOOP_DB=" + quoted(file("test.db")) + " KERNELLOOP_INJECT=" + quoted(file("inject.so")) + " /bin/sh " +
                             quoted(file("both.sh")) + " >" + quoted(file("out")) + " 2>/dev/null";
    const int status = std::system(line.c_str());
    EXPECT_EQ(WEXITSTATUS(status), 9);
    EXPECT_EQ(read("out"), "got\n");
}

} // namespace
} // namespace kl::test
