// SPDX-License-Identifier: MIT
// Edges of a program as a subject: which launches are measured, how outputs compare, what a draft of a target says.
#include "core/base/shell_line.h"
#include "kernels/catalog.h"
#include "kernels/data/npy.h"
#include "sessions/subject/compared_outputs.h"
#include "sessions/subject/measured_launches.h"
#include "sessions/subject/target_draft.h"
#include "tests/sessions/program_support.h"
#include "tests/sessions/text_lines.h"
#include "tests/support/snapshot.h"
#include "tests/support/store_support.h"

#include <cmath>
#include <gmock/gmock.h>
#include <limits>
#include <nlohmann/json.hpp>

namespace kl::test {
namespace {

using support::kCopy;
using support::kScale;
using support::process;
using support::TempDir;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

const Params kFourElements{{"N", std::int64_t{4}}};

TEST(MeasuredLaunchesEdges, AreExactlyThoseAfterTheWarmUp)
{
    ProcessTrace trace = process(6, 400, 1000);
    TracedLaunch other = trace.launches[0];
    other.kernel = 1;
    other.correlation = 99;
    other.start = 20'000;
    other.end = 20'600;
    trace.launches.push_back(other);
    const LaunchChoice choice{"scale"};
    const auto measured = measureLaunches({trace}, choice, kFourElements, 2, 4);
    ASSERT_TRUE(measured) << measured.error().message;
    EXPECT_THAT(measured->gpuNs, ElementsAre(400, 400, 400, 400));
    EXPECT_THAT(measured->stepNs, ElementsAre(1000, 1000, 1000)) << "of the last one nothing follows";
    EXPECT_EQ(measured->kernel, kScale);
    EXPECT_EQ(measured->launches, 6) << "with the warm-up";
    EXPECT_EQ(measured->totalNs, 2400);
    EXPECT_DOUBLE_EQ(measured->share, 0.8);
    EXPECT_EQ(measured->device.name, "NVIDIA H200");
    EXPECT_EQ(measured->example.correlation, 1U);
    EXPECT_EQ(measureLaunches({trace}, choice, kFourElements, 2, 5).error().code, ErrorCode::kernelFailed) << "one is missing";
    EXPECT_EQ(measureLaunches({trace}, choice, kFourElements, 6, 1).error().code, ErrorCode::kernelFailed);
    EXPECT_EQ(measureLaunches({trace}, choice, kFourElements, 9, 1).error().code, ErrorCode::kernelFailed);
    EXPECT_EQ(measureLaunches({process(0, 0, 0), trace}, choice, kFourElements, 2, 4)->launches, 6) << "another process launches none";
}

TEST(MeasuredLaunchesEdges, WhatWasDoneInsteadIsNamed)
{
    ProcessTrace trace = process(3, 400, 1000);
    trace.notes = {{"lost", "Five were lost."}};
    const Error none = measureLaunches({trace}, {"nowhere"}, kFourElements, 0, 1).error();
    EXPECT_EQ(none.where, "target.kernel");
    EXPECT_THAT(none.message, AllOf(HasSubstr("scale ("), HasSubstr("1320x1x1"), HasSubstr("256x1x1")));
    EXPECT_THAT(none.message, HasSubstr("Five were lost."));
    const Error idle = measureLaunches({}, {"scale"}, kFourElements, 0, 1).error();
    EXPECT_EQ(idle.code, none.code);
    EXPECT_EQ(idle.where, none.where);
    EXPECT_THAT(idle.message, AllOf(HasSubstr("\"scale\""), Not(HasSubstr("(")))) << "there is no launch to name";
    for (int i = 0; i < 8; ++i) {
        trace.kernels.push_back("k" + std::to_string(i));
        trace.launches.push_back(trace.launches[0]);
        trace.launches.back().kernel = i + 2;
    }
    EXPECT_THAT(measureLaunches({trace}, {"nowhere"}, kFourElements, 0, 1).error().message, HasSubstr(" 3 ")) << "of nine";
    trace = process(3, 400, 1000);
    trace.launches[2].grid = {7, 1, 1};
    EXPECT_EQ(measureLaunches({trace}, {"scale"}, kFourElements, 0, 1).error().code, ErrorCode::kernelFailed) << "two shapes";
    EXPECT_EQ(measureLaunches({trace}, {"scale", {"N + 3"}}, kFourElements, 0, 1)->launches, 1);
    EXPECT_EQ(measureLaunches({trace}, {"scale", {"1320"}}, kFourElements, 0, 1)->launches, 2);
    trace.launches[1].block = {64, 1, 1};
    EXPECT_EQ(measureLaunches({trace}, {"scale", {}, {"64"}}, kFourElements, 0, 1)->launches, 1);
    EXPECT_EQ(measureLaunches({trace}, {"scale", {}, {"M"}}, kFourElements, 0, 1).error().code, ErrorCode::badInput)
        << "a size that is not there";
    trace = process(3, 400, 1000);
    EXPECT_EQ(measureLaunches({trace, trace}, {"scale"}, kFourElements, 0, 1).error().code, ErrorCode::kernelFailed) << "two processes";
    trace.cut = true;
    EXPECT_EQ(measureLaunches({trace}, {"scale"}, kFourElements, 0, 1).error().code, ErrorCode::kernelFailed);
    trace.cut = false;
    trace.damage = "line 3";
    EXPECT_THAT(measureLaunches({trace}, {"scale"}, kFourElements, 0, 1).error().message, HasSubstr("line 3"));
}

TEST(MeasuredLaunchesEdges, SnapshotOfWhatWasDoneInstead)
{
    ProcessTrace trace = process(3, 400, 1000);
    trace.notes = {{"lost", "Five were lost."}};
    std::string text = test::errorLine("no process", measureLaunches({}, {"scale"}, kFourElements, 0, 1).error());
    text += test::errorLine("no match", measureLaunches({trace}, {"nowhere"}, kFourElements, 0, 1).error());
    for (int i = 0; i < 8; ++i) {
        trace.kernels.push_back("k" + std::to_string(i));
        trace.launches.push_back(trace.launches[0]);
        trace.launches.back().kernel = i + 2;
    }
    text += test::errorLine("of nine", measureLaunches({trace}, {"nowhere"}, kFourElements, 0, 1).error());
    test::expectSnapshot("texts/unmeasured-launches.txt", text);
}

TEST(MeasuredLaunchesEdges, ARangesEntriesAreSumsOfTheirLaunches)
{
    ProcessTrace trace = process(7, 100, 1000);
    for (const std::size_t i : {1U, 3U, 5U}) {
        trace.launches[i].kernel = 1;
        trace.launches[i].end += 200;
    }
    trace.stacks = {{"step"}, {"step", "inner"}, {"other"}};
    trace.stackOf = {{1, 0}, {2, 1}, {3, 0}, {4, 0}, {5, 0}, {6, 1}, {7, 2}};
    trace.ranges = {{0, {3, 1}}, {1, {2, 1}}, {2, {9, 1}}};
    LaunchChoice choice;
    choice.range = "step";
    const auto measured = measureLaunches({trace}, choice, kFourElements, 1, 2);
    ASSERT_TRUE(measured) << measured.error().message;
    EXPECT_THAT(measured->gpuNs, ElementsAre(400, 400));
    EXPECT_THAT(measured->stepNs, ElementsAre(2000));
    EXPECT_EQ(measured->kernel, kCopy) << "that takes the most time";
    EXPECT_EQ(measured->launches, 3);
    EXPECT_EQ(measured->totalNs, 900);
    EXPECT_DOUBLE_EQ(measured->share, 900.0 / 1300);
    EXPECT_FALSE(measureLaunches({trace}, choice, kFourElements, 1, 3));
    trace.ranges[0].count = 4;
    EXPECT_EQ(measureLaunches({trace}, choice, kFourElements, 0, 1).error().code, ErrorCode::kernelFailed) << "six in four entries";
    trace.ranges.erase(0);
    EXPECT_EQ(measureLaunches({trace}, choice, kFourElements, 0, 1).error().code, ErrorCode::kernelFailed) << "never entered by itself";
    choice.range = "nowhere";
    EXPECT_THAT(measureLaunches({trace}, choice, kFourElements, 0, 1).error().message, HasSubstr("nowhere"));
}

TEST(MeasuredLaunchesEdges, AChoiceIsOfNameGridAndBlock)
{
    const auto chosen = [](const LaunchChoice& choice) { return *isChosen(choice, kFourElements, "scale(float*)", {8, 2, 1}, {64, 1, 1}); };
    EXPECT_TRUE(chosen({"scale"}));
    EXPECT_FALSE(chosen({"other"}));
    EXPECT_FALSE(chosen({}));
    EXPECT_TRUE(chosen({"scale", {"N*2", "2"}, {"64"}}));
    EXPECT_FALSE(chosen({"scale", {"N*2"}, {"64"}})) << "what is left out is 1";
    EXPECT_FALSE(chosen({"scale", {"N*2", "2"}, {"32"}}));
    EXPECT_TRUE(chosen({"scale", {}, {"64", "1", "1"}}));
}

class OutputEdges : public testing::Test {
protected:
    OutputEdges()
    {
        std::filesystem::create_directory(dir / "wanted");
        std::filesystem::create_directory(dir / "got");
    }
    void write(const std::string& name, const std::vector<float>& values, std::vector<std::int64_t> shape = {}) const
    {
        if (shape.empty())
            shape = {static_cast<std::int64_t>(values.size())};
        support::writeBytes(dir / name, toNpy(DType::f32, shape, reinterpret_cast<const std::byte*>(values.data())));
    }
    SuiteRow compared(double maxAbs = 0.5, double relL2 = 1) const
    {
        return *compareOutputs(dir / "got", dir / "wanted", {maxAbs, relL2}, "N=4");
    }
    TempDir dir;
};

TEST_F(OutputEdges, TheWorstElementAndTheNormDecide)
{
    write("wanted/b.npy", {3, 4});
    write("wanted/a.npy", {0, 0});
    write("got/a.npy", {0, 0.5});
    write("got/b.npy", {3, 4});
    write("got/extra.npy", {9});
    support::writeBytes(dir / "wanted/notes.txt", "not an output");
    SuiteRow row = compared();
    EXPECT_TRUE(row.pass) << row.reason;
    EXPECT_EQ(row.problem, "N=4");
    EXPECT_EQ(row.maxAbs, 0.5);
    EXPECT_DOUBLE_EQ(row.relL2, 0.1);
    EXPECT_FALSE(row.firstWrong) << "within the tolerance";
    row = compared(0.49);
    EXPECT_FALSE(row.pass);
    EXPECT_EQ(row.firstWrong->buffer, "a");
    EXPECT_EQ(row.firstWrong->index, 1);
    EXPECT_EQ(row.firstWrong->expected, 0);
    EXPECT_EQ(row.firstWrong->got, 0.5);
    EXPECT_EQ(row.firstWrong->fault, "wrong");
    EXPECT_TRUE(compared(0.5, 0.1001).pass);
    EXPECT_FALSE(compared(0.5, 0.0999).pass);
    write("got/b.npy", {3, 5});
    EXPECT_EQ(compared(0.1).firstWrong->buffer, "a") << "the first one, by name";
    std::filesystem::remove(dir / "wanted/b.npy");
    EXPECT_DOUBLE_EQ(compared().relL2, 0.5) << "of a reference of zeros the error itself";
}

TEST_F(OutputEdges, WhatIsNotFiniteOrNotThereIsCounted)
{
    const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
    write("wanted/a.npy", {nan, inf, -inf, 1});
    write("got/a.npy", {nan, inf, -inf, 1});
    EXPECT_TRUE(compared().pass) << "the reference has it, too";
    write("got/a.npy", {nan, -inf, nan, 1});
    SuiteRow row = compared();
    EXPECT_EQ(row.nonfinite, 2);
    EXPECT_FALSE(row.pass);
    EXPECT_EQ(row.firstWrong->index, 1);
    EXPECT_EQ(row.firstWrong->fault, "infinite");
    EXPECT_FALSE(row.firstWrong->expected || row.firstWrong->got);
    write("got/a.npy", {nan, inf, -inf, nan});
    EXPECT_EQ(compared().firstWrong->fault, "NaN");
    EXPECT_EQ(compared().firstWrong->expected, 1);
    write("got/a.npy", {5, inf, -inf, 1});
    row = compared();
    EXPECT_FALSE(row.pass) << "a number where the reference has none";
    EXPECT_EQ(row.maxAbs, std::numeric_limits<double>::max());
    write("got/a.npy", {nan, inf, -inf, 1}, {2, 2});
    EXPECT_EQ(compared().unwritten, 4) << "another shape";
    std::filesystem::remove(dir / "got/a.npy");
    write("wanted/b.npy", {1, 2});
    write("got/b.npy", {1, 2});
    row = compared();
    EXPECT_EQ(row.unwritten, 4);
    EXPECT_FALSE(row.pass);
    EXPECT_THAT(row.reason, HasSubstr(" a "));
    support::writeBytes(dir / "wanted/b.npy", "no array");
    EXPECT_FALSE(compareOutputs(dir / "got", dir / "wanted", {}, "N=4"));
}

TEST(TargetDraftEdges, ProposesWhatTheProfileKnows)
{
    const Catalog catalog = *Catalog::loadEmbedded();
    RunRecord run;
    EXPECT_EQ(proposeTarget(run, catalog).id, "") << "not of a program";
    run.program.emplace();
    run.program->kernel = "void ns::My__Kernel<float>(float*)";
    run.program->command = {"python3", "a b.py"};
    run.problem = {{"GRID", std::string("1320x2x3")}, {"BLOCK", std::string("256x1x1")}};
    TargetDraft draft = proposeTarget(run, catalog);
    EXPECT_EQ(draft.id, "My__Kernel");
    EXPECT_EQ(draft.run, shellLine(run.program->command));
    EXPECT_EQ(draft.grid, (std::array<int, 3>{1320, 2, 3}));
    EXPECT_EQ(draft.block, (std::array<int, 3>{256, 1, 1}));
    EXPECT_EQ(draft.kernel, makeKernelPattern(run.program->kernel));
    EXPECT_FALSE(draft.problem.empty());
    run.program->kernel = "softmax(float*)";
    run.problem = {{"GRID", std::int64_t{7}}};
    draft = proposeTarget(run, catalog);
    EXPECT_EQ(draft.id, "softmax-2") << "the catalog has one of that name";
    EXPECT_EQ(draft.grid, (std::array<int, 3>{1, 1, 1}));
    run.program->kernel = "$$f~~g$";
    EXPECT_EQ(proposeTarget(run, catalog).id, "f-g");
    run.program->kernel = "$$";
    EXPECT_EQ(proposeTarget(run, catalog).id, "kernel");
    EXPECT_EQ(makeKernelPattern("void ns::f<int>(int)"), "(^|[: ])f[<(]");
    EXPECT_EQ(makeKernelPattern("a.b"), "^a\\.b$") << "not called";
}

TEST(TargetDraftEdges, EveryFieldReachesTheFile)
{
    const TempDir dir;
    const Catalog catalog = *Catalog::loadEmbedded();
    support::writeBytes(dir / "k.cu", "x");
    TargetDraft draft;
    draft.folder = dir.path();
    draft.id = "mine";
    draft.build = "make";
    draft.run = "./prog '{N} x' {M}";
    draft.kernel = "^f";
    draft.holdShape = true;
    draft.grid = {4, 3, 2};
    draft.block = {64, 1, 1};
    draft.problem = "M=2,N=4";
    draft.suite = {"M=1,N=1", "M=2,N=4"};
    draft.checkCommand = "./check";
    draft.rivalLaunches = "^g";
    draft.rivalRun = "./rival";
    draft.edit = {"k.cu"};
    const auto written = writeTargetFile(draft, catalog);
    ASSERT_TRUE(written) << written.error().message;
    Json target = (*parseJson(support::readBytes(*written), *written))["target"];
    EXPECT_EQ(target["id"], "mine");
    EXPECT_EQ(target["problems"], Json({"M=2,N=4"}));
    EXPECT_EQ(target["sizes"], Json({"M", "N"}));
    EXPECT_EQ(target["suite"], Json({"M=1,N=1", "M=2,N=4"}));
    EXPECT_EQ(target["smallest"], "M=1,N=1");
    EXPECT_EQ(target["build"], "make");
    EXPECT_EQ(target["run"], Json({"./prog", "{N} x", "{M}"}));
    EXPECT_EQ(target["kernel"]["name"], "^f");
    EXPECT_EQ(target["kernel"]["grid"], Json({"4", "3", "2"}));
    EXPECT_EQ(target["kernel"]["block"], Json({"64", "1", "1"}));
    EXPECT_EQ(target["check"]["command"], "./check");
    EXPECT_EQ(target["rival"]["kernel"], "^g");
    EXPECT_EQ(target["rival"]["run"], "./rival");
    EXPECT_EQ(target["edit"], Json({"k.cu"}));
    const Error twice = writeTargetFile(draft, catalog).error();
    EXPECT_EQ(twice.code, ErrorCode::badInput);
    EXPECT_EQ(twice.where, *written) << "it is there already";
    std::filesystem::remove(*written);
    draft.suite.clear();
    draft.build.clear();
    draft.holdShape = false;
    draft.check = TargetDraft::Check::reference;
    draft.rival = TargetDraft::Rival::range;
    draft.rivalRun.clear();
    target = (*parseJson(support::readBytes(*writeTargetFile(draft, catalog)), "t"))["target"];
    EXPECT_EQ(target["suite"], Json({"M=2,N=4"}));
    EXPECT_EQ(target["check"]["reference"], "./check");
    EXPECT_EQ(target["rival"], Json({{"range", "^g"}}));
    EXPECT_FALSE(target.contains("build") || target["kernel"].contains("grid"));
    std::filesystem::remove(*written);
    const auto refused = [&](auto change) {
        TargetDraft wrong = draft;
        change(wrong);
        const auto file = writeTargetFile(wrong, catalog);
        EXPECT_FALSE(std::filesystem::exists(dir / "kernelloop.json")) << "nothing is left behind";
        return file ? std::string() : file.error().where;
    };
    EXPECT_EQ(refused([](TargetDraft& d) { d.folder = "relative"; }), "target.folder");
    EXPECT_EQ(refused([](TargetDraft& d) { d.folder = "/nowhere/at/all"; }), "target.folder");
    EXPECT_EQ(refused([](TargetDraft& d) { d.id = "softmax"; }), "target.id");
    EXPECT_EQ(refused([](TargetDraft& d) { d.checkCommand.clear(); }), "target.check");
    EXPECT_EQ(refused([](TargetDraft& d) { d.rivalLaunches.clear(); }), "target.rival");
    EXPECT_EQ(refused([](TargetDraft& d) { d.edit = {"gone.cu"}; }), "target.edit");
}

} // namespace
} // namespace kl::test
