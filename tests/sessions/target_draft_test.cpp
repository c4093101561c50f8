// SPDX-License-Identifier: MIT
// From a profiled kernel of a program to a kernelloop.json that sessions take.
#include "profiler/protocol/kernel_pattern.h"
#include "sessions/subject/target_draft.h"
#include "sessions/target/target_family.h"
#include "sessions/target/target_file.h"
#include "tests/support/fake_program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kl {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

RunRecord profiledRun()
{
    RunRecord run;
    run.problem = {{"BLOCK", std::string("256x1x1")}, {"GRID", std::string("256x2x1")}};
    run.program.emplace();
    run.program->command = {"sh", "run.sh", "a b"};
    run.program->kernel = "void lib::column_sum<float>(float const*, float*, int, int)";
    return run;
}

TEST(TargetDraft, TakesWhatTheProfileKnows)
{
    const TargetDraft draft = proposeTarget(profiledRun(), Catalog({}));
    EXPECT_EQ(draft.id, "column_sum");
    EXPECT_EQ(draft.run, "sh run.sh 'a b'");
    EXPECT_EQ(draft.grid, (std::array<int, 3>{256, 2, 1}));
    EXPECT_EQ(draft.block, (std::array<int, 3>{256, 1, 1}));
    EXPECT_EQ(proposeTarget(RunRecord{}, Catalog({})).run, "") << "a kernel of the catalog";
}

TEST(TargetDraft, ProposesAFreeName)
{
    RunRecord run = profiledRun();
    run.program->kernel = "transpose(float const*, float*, int, int)";
    EXPECT_EQ(proposeTarget(run, *Catalog::loadEmbedded()).id, "transpose-2");
}

TEST(TargetDraft, ThePatternFindsTheKernelAndNoOtherOfALongerName)
{
    for (const std::string name : {"void lib::scale<float>(float*, int)", "scale(float*)", "cudnn_generated.fort{native}",
                                   "void (anonymous namespace)::softmax<c10::Half, 4>(x)"}) {
        const Result<KernelPattern> pattern = KernelPattern::parse(makeKernelPattern(name));
        ASSERT_TRUE(pattern.ok()) << makeKernelPattern(name);
        EXPECT_TRUE(pattern->matches(name)) << makeKernelPattern(name);
    }
    const KernelPattern scale = *KernelPattern::parse(makeKernelPattern("scale(float*)"));
    EXPECT_TRUE(scale.matches("void other::scale<double>(double*)")) << "whatever its types";
    EXPECT_FALSE(scale.matches("rescale(float*)"));
    EXPECT_FALSE(scale.matches("scale_rows(float*)"));
}

class TargetDraftFile : public ::testing::Test {
protected:
    void SetUp() override
    {
        std::filesystem::remove(program_.file("kernelloop.json"));
        draft_ = proposeTarget(profiledRun(), Catalog({}));
        draft_.folder = program_.folder().string();
        draft_.build = "sh build.sh";
        draft_.run = "sh run.sh {N}";
        draft_.problem = "N=512";
        draft_.suite = {"N=1", "N=7", "N=512"};
        draft_.check = TargetDraft::Check::reference;
        draft_.checkCommand = "sh reference.sh {N}";
        draft_.rivalLaunches = "^rival";
        draft_.edit = {"kernel.txt"};
    }

    support::TempDir folder_;
    test::FakeProgram program_{folder_ / "program"};
    TargetDraft draft_;
};

TEST_F(TargetDraftFile, IsATargetThatSessionsTake)
{
    draft_.holdShape = true;
    const Result<std::string> file = writeTargetFile(draft_, Catalog({}));
    ASSERT_TRUE(file.ok()) << file.error().message << file.error().where;
    const Result<TargetSpec> spec = loadTarget(*file);
    ASSERT_TRUE(spec.ok()) << spec.error().message;
    EXPECT_EQ(spec->id, "column_sum");
    EXPECT_THAT(spec->run, ElementsAre("sh", "run.sh", "{N}"));
    EXPECT_THAT(spec->build, ElementsAre("sh", "-c", "sh build.sh"));
    EXPECT_THAT(spec->kernel.grid, ElementsAre("256", "2", "1"));
    EXPECT_EQ(toText(spec->smallest), "N=1");
    EXPECT_EQ(spec->suite.size(), 3U);
    EXPECT_EQ(spec->rival.launches.kernel, "^rival");
    EXPECT_TRUE(std::filesystem::exists(program_.file("kernelloop.schema.json")));
    EXPECT_TRUE(makeFamily(*spec).ok());
    const Error again = writeTargetFile(draft_, Catalog({})).error();
    EXPECT_EQ(again.code, ErrorCode::badInput);
    EXPECT_EQ(again.where, program_.file("kernelloop.json")) << "it is there already";
}

TEST_F(TargetDraftFile, TakesEachRival)
{
    draft_.rival = TargetDraft::Rival::sdpa;
    draft_.rivalLaunches = "B=1,H=16,S=512,D=64";
    ASSERT_TRUE(writeTargetFile(draft_, Catalog({})).ok()) << writeTargetFile(draft_, Catalog({})).error().message;
    EXPECT_EQ(loadTarget(program_.file("kernelloop.json"))->rival.shape.at("H"), "16");
    std::filesystem::remove(program_.file("kernelloop.json"));
    draft_.rival = TargetDraft::Rival::range;
    draft_.rivalLaunches = "rival";
    draft_.rivalRun = "sh other.sh";
    ASSERT_TRUE(writeTargetFile(draft_, Catalog({})).ok());
    EXPECT_EQ(loadTarget(program_.file("kernelloop.json"))->rival.launches.range, "rival");
}

TEST_F(TargetDraftFile, WhatIsMissingIsNamedAndNothingIsWritten)
{
    const Catalog catalog = *Catalog::loadEmbedded();
    const auto refused = [&](auto change) {
        TargetDraft draft = draft_;
        change(draft);
        const Result<std::string> file = writeTargetFile(draft, catalog);
        EXPECT_FALSE(file.ok());
        EXPECT_FALSE(std::filesystem::exists(program_.file("kernelloop.json")));
        EXPECT_FALSE(std::filesystem::exists(program_.file("kernelloop.schema.json")));
        return file.ok() ? std::string() : file.error().where + ' ' + file.error().message;
    };
    EXPECT_THAT(refused([](TargetDraft& d) { d.folder = "/no/such/folder"; }), HasSubstr("/no/such/folder"));
    EXPECT_THAT(refused([](TargetDraft& d) { d.id = "a b"; }), HasSubstr("target.id"));
    EXPECT_THAT(refused([](TargetDraft& d) { d.id = "transpose"; }), HasSubstr("target.id")) << "a kernel of the catalog";
    EXPECT_THAT(refused([](TargetDraft& d) { d.run.clear(); }), HasSubstr("target.run"));
    EXPECT_THAT(refused([](TargetDraft& d) { d.kernel = "a("; }), HasSubstr("target.kernel.name"));
    EXPECT_THAT(refused([](TargetDraft& d) { d.checkCommand.clear(); }), HasSubstr("target.check"));
    EXPECT_THAT(refused([](TargetDraft& d) { d.rivalLaunches.clear(); }), HasSubstr("target.rival"));
    EXPECT_THAT(refused([](TargetDraft& d) { d.edit.clear(); }), HasSubstr("target.edit"));
    EXPECT_THAT(refused([](TargetDraft& d) { d.edit = {"none.cu"}; }), HasSubstr("none.cu"));
    EXPECT_THAT(refused([](TargetDraft& d) { d.suite = {"M=1"}; }), HasSubstr("target.suite"));
}

TEST_F(TargetDraftFile, EachPartOfTheDraftIsInItsPlace)
{
    draft_.rivalRun = "sh other.sh {N}";
    draft_.check = TargetDraft::Check::command;
    draft_.checkCommand = "sh check.sh {N}";
    ASSERT_TRUE(writeTargetFile(draft_, Catalog({}))) << writeTargetFile(draft_, Catalog({})).error().message;
    const Result<TargetSpec> spec = loadTarget(program_.file("kernelloop.json"));
    ASSERT_TRUE(spec) << spec.error().message;
    EXPECT_THAT(spec->check.command, ElementsAre("sh", "-c", "sh check.sh {N}"));
    EXPECT_TRUE(spec->check.reference.empty());
    EXPECT_THAT(spec->rival.run, ElementsAre("sh", "-c", "sh other.sh {N}"));
    EXPECT_EQ(spec->rival.launches.kernel, "^rival");
    EXPECT_TRUE(spec->kernel.grid.empty() && spec->kernel.block.empty()) << "any shape";
    EXPECT_EQ(spec->kernel.kernel, draft_.kernel);
    EXPECT_THAT(spec->edit, ElementsAre("kernel.txt"));
    ASSERT_EQ(spec->problems.size(), 1U);
    EXPECT_EQ(toText(spec->problems[0]), "N=512");
    EXPECT_EQ(toText(spec->smallest), "N=1") << "the first of the suite";
}

TEST_F(TargetDraftFile, WithoutASuiteTheProblemIsTheSuite)
{
    draft_.suite.clear();
    draft_.build.clear();
    draft_.holdShape = true;
    draft_.grid = {7, 1, 2};
    draft_.block = {64, 4, 1};
    ASSERT_TRUE(writeTargetFile(draft_, Catalog({})));
    const Result<TargetSpec> spec = loadTarget(program_.file("kernelloop.json"));
    ASSERT_TRUE(spec) << spec.error().message;
    ASSERT_EQ(spec->suite.size(), 1U);
    EXPECT_EQ(toText(spec->suite[0]), "N=512");
    EXPECT_EQ(toText(spec->smallest), "N=512");
    EXPECT_TRUE(spec->build.empty());
    EXPECT_THAT(spec->kernel.grid, ElementsAre("7", "1", "2"));
    EXPECT_THAT(spec->kernel.block, ElementsAre("64", "4", "1"));
    EXPECT_TRUE(spec->check.command.empty());
    EXPECT_FALSE(spec->check.reference.empty());
}

TEST_F(TargetDraftFile, ATargetThatIsThereStays)
{
    support::writeBytes(program_.file("kernelloop.json"), "mine");
    const Result<std::string> file = writeTargetFile(draft_, Catalog({}));
    EXPECT_EQ(file.error().code, ErrorCode::badInput);
    EXPECT_EQ(file.error().where, program_.file("kernelloop.json").string());
    EXPECT_EQ(program_.text("kernelloop.json"), "mine");
    draft_.folder = "relative";
    EXPECT_EQ(writeTargetFile(draft_, Catalog({})).error().where, "target.folder");
}

TEST(TargetDraft, ShapesAndNamesAreTakenApart)
{
    RunRecord run = profiledRun();
    run.problem = {{"GRID", std::string("12")}, {"BLOCK", std::int64_t{256}}};
    run.program->kernel = "void ns::(anonymous namespace)::my kernel$2<int>(int)";
    const TargetDraft draft = proposeTarget(run, Catalog({}));
    EXPECT_EQ(draft.grid, (std::array<int, 3>{12, 1, 1}));
    EXPECT_EQ(draft.block, (std::array<int, 3>{1, 1, 1})) << "not a shape";
    EXPECT_EQ(draft.id.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"), std::string::npos)
        << draft.id;
    EXPECT_EQ(draft.problem, "SIZE=1");
    EXPECT_EQ(draft.folder, "");
    run.program->kernel = "<>";
    EXPECT_EQ(proposeTarget(run, Catalog({})).id, "kernel");
}

} // namespace
} // namespace kl
