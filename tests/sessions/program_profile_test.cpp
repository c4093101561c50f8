// SPDX-License-Identifier: MIT
// From the traces of a program's processes to runs: sums, gaps, the launch that a run is about, the messages where something is missing.
#include "core/codec/run_codec.h"
#include "sessions/measure/hot_lines.h"
#include "sessions/program/program_profile.h"
#include "sessions/store/sqlite.h"
#include "tests/sessions/program_support.h"
#include "tests/support/snapshot.h"
#include "tests/support/store_support.h"
#include "tests/support/value_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace kl {
namespace {

using support::codes;
using support::kScale;
using support::process;
using support::profiled;
using support::summed;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

TEST(ProgramProfile, TimesAreThoseOfLaunchesThatNobodyProfiled)
{
    ProcessTrace trace = process(20, 5000, 5100);
    trace.profiled = {profiled(kScale, 6000)};
    const ProgramProfile profile = summed({trace});
    ASSERT_THAT(profile.runs, SizeIs(1));
    const RunRecord& run = profile.runs[0];
    EXPECT_EQ(run.timing->gpu.n, 20);
    EXPECT_EQ(run.timing->gpu.median, 5000);
    EXPECT_NEAR(*run.timing->busyFraction, 5000.0 / 5100, 1e-9);
    EXPECT_EQ(run.program->launches, 21);
    EXPECT_EQ(run.program->totalNs, 106'000);
    EXPECT_EQ(run.program->share, 1);
    EXPECT_EQ(run.program->kernel, "scale(float*, int, float)");
    EXPECT_EQ(run.program->profiledLaunch, 0);
    EXPECT_THAT(run.program->ranges, ElementsAre("step"));
    EXPECT_EQ(run.kernel.family, "program");
    EXPECT_THAT(run.kernel.variant, ::testing::StartsWith("scale-"));
    EXPECT_EQ(toText(run.problem), "BLOCK=256x1x1,GRID=1320x1x1");
    EXPECT_EQ(run.launches.at(0).blocksPerSm, 8);
    EXPECT_EQ(run.launches[0].waves, 1.25);
    ASSERT_TRUE(run.diagnosis);
    EXPECT_FALSE(run.diagnosis->finding.inferred);
    EXPECT_THAT(run.warnings, IsEmpty());
}

TEST(ProgramProfile, LaunchesMadeAloneAreTheTimeAndTheOthersAreReported)
{
    ProcessTrace trace = process(20, 5000, 5100);
    trace.profiled = {profiled(kScale, 5400)};
    for (std::uint32_t i = 0; i < 8; ++i) {
        trace.launches[i].end += 400;
        trace.alone.insert(trace.launches[i].correlation);
    }
    const ProgramProfile profile = summed({trace});
    const RunRecord& run = profile.runs.at(0);
    EXPECT_EQ(run.timing->gpu.median, 5400);
    EXPECT_EQ(run.timing->gpu.n, 8);
    EXPECT_NEAR(*run.timing->busyFraction, 5000.0 / 5100, 1e-9) << "the gaps around waiting are not the program's";
    EXPECT_EQ(togetherNs(profile.totals.kernels.at(0), run), 5000);
    ASSERT_THAT(codes(run.warnings), ElementsAre("faster-together"));
    EXPECT_THAT(run.warnings[0].text, HasSubstr("7.4"));
    const Json kernel = profileToJson(profile, *Catalog::loadEmbedded())["program"]["kernels"][0];
    EXPECT_EQ(kernel["gpu_ns"], 5400);
    EXPECT_EQ(kernel["median_ns"], 5000);
}

TEST(ProgramProfile, TwoLaunchesAloneAreNoMedian)
{
    ProcessTrace trace = process(4, 5000, 5100);
    trace.profiled = {profiled(kScale, 5400)};
    trace.alone = {trace.launches[0].correlation, trace.launches[1].correlation};
    const ProgramProfile profile = summed({trace});
    EXPECT_EQ(profile.runs.at(0).timing->gpu.n, 4);
    EXPECT_EQ(togetherNs(profile.totals.kernels.at(0), profile.runs[0]), std::nullopt);
    EXPECT_THAT(profile.runs[0].warnings, IsEmpty());
}

TEST(ProgramProfile, SamplesBelongToTheirKernel)
{
    ProcessTrace trace = process(20, 5000, 5100);
    trace.profiled = {profiled(kScale, 6000)};
    for (const std::int64_t samples : {100, 250}) { // the second line holds the first one's
        SampledKernel sampled{kScale, 0, samples == 100 ? 1 : 2, {}};
        sampled.source.samples = samples;
        trace.sampled.push_back(sampled);
    }
    const RunRecord run = summed({trace}).runs.at(0);
    ASSERT_TRUE(run.sourceProfile);
    EXPECT_EQ(run.sourceProfile->samples, 250);
    EXPECT_EQ(run.sourceProfile->launch, run.program->kernel);
    EXPECT_EQ(run.program->launches, 23);
    EXPECT_EQ(run.program->totalNs, 100'000 + 3 * 6000);
    EXPECT_THAT(run.warnings, IsEmpty()) << "counted launches are no other geometry";
}

TEST(ProgramProfile, ASampledKernelOfLittleTimeIsReported)
{
    ProcessTrace trace = process(1000, 5000, 5100);
    trace.kernels.push_back("small");
    TracedLaunch small = trace.launches[0];
    small.kernel = 1;
    small.correlation = 999'999;
    small.end = small.start + 100;
    trace.launches.push_back(small);
    EXPECT_THAT(summed({trace}).runs, SizeIs(1));
    trace.sampledAt = {small.correlation};
    trace.sampled = {SampledKernel{"small", 0, 0, {}}};
    EXPECT_THAT(summed({trace}).runs, SizeIs(2));
}

TEST(ProgramProfile, TimesOfSampledLaunchesCountWhereThereAreNoOthers)
{
    ProcessTrace trace = process(3, 5000, 5100);
    trace.launches[0].end += 900;
    trace.sampledAt = {trace.launches[0].correlation};
    EXPECT_EQ(summed({trace}).runs.at(0).timing->gpu.n, 2);
    EXPECT_EQ(summed({trace}).runs[0].timing->gpu.median, 5000);
    trace.launches.resize(1);
    SampledKernel sampled{kScale, 0, 0, {}};
    sampled.source.samples = 900;
    trace.sampled.push_back(sampled);
    const RunRecord once = summed({trace}).runs.at(0);
    EXPECT_EQ(once.timing->gpu.median, 5900);
    EXPECT_EQ(once.program->launches, 1);
    EXPECT_THAT(codes(once.warnings), ElementsAre("no-counters", "sampled-time"));
    EXPECT_NE(once.warnings[0].text, summed({process(4, 5000, 6000)}).runs.at(0).warnings.at(0).text) << "it was sampled";
    const Json json = profileToJson(summed({trace}), *Catalog::loadEmbedded())["results"][0];
    EXPECT_TRUE(json["metrics"].is_object()) << "a profile has them, be there none";
    EXPECT_EQ(json["plan"]["passes"], 0);
}

TEST(ProgramProfile, HotLinesByFileAndNumberOrWhyNot)
{
    const Catalog catalog = *Catalog::loadEmbedded();
    RunRecord run = summed({process(20, 5000, 5100)}).runs.at(0);
    run.sourceProfile.emplace();
    run.sourceProfile->samples = 9;
    run.sourceProfile->lines = {{"train.cu", 12, 9, 1, {{"long_scoreboard", 9}}, {}, {}, {}}};
    HotLines hot = hotLines(run, catalog);
    ASSERT_THAT(hot.lines, SizeIs(1));
    EXPECT_NE(hot.note, "");
    EXPECT_THAT(hot.note, Not(HasSubstr("--import-source"))) << "this is not a report";
    EXPECT_FALSE(findShownSource(run, catalog));
    EXPECT_EQ(runToJsonWithLines(run, catalog)["hot_lines"][0]["file"], "train.cu");
}

TEST(ProgramProfile, HotLinesCarryTheTextThatWasFoundWhereItWasCompiled)
{
    const Catalog catalog = *Catalog::loadEmbedded();
    RunRecord run = summed({process(20, 5000, 5100)}).runs.at(0);
    run.sourceProfile.emplace();
    run.sourceProfile->samples = 10;
    run.sourceProfile->lines = {{"half.h", 7, 6, 0.6, {{"wait", 6}}, {}, {}, {}}, {"train.cu", 2, 4, 0.4, {{"wait", 4}}, {}, {}, {}}};
    run.sourceProfile->texts = {{"train.cu", "// one\n  x[i] = 2;\n"}};
    const HotLines hot = hotLines(run, catalog);
    ASSERT_THAT(hot.lines, SizeIs(2));
    EXPECT_EQ(hot.lines[0].text, "");
    EXPECT_EQ(hot.lines[1].text, "x[i] = 2;");
    EXPECT_EQ(hot.note, "");
    ASSERT_TRUE(findShownSource(run, catalog));
    EXPECT_EQ(findShownSource(run, catalog)->file, "train.cu");
}

TEST(ProgramProfile, CodeWithoutALineTableHasHotInstructions)
{
    const Catalog catalog = *Catalog::loadEmbedded();
    RunRecord run = summed({process(20, 5000, 5100)}).runs.at(0);
    run.sourceProfile.emplace();
    run.sourceProfile->samples = 10;
    run.sourceProfile->lines = {{"", 0, 10, 1, {{"barrier", 9}, {"wait", 1}}, {}, {}, {}}};
    run.sourceProfile->instructions = {{"sdpa", 0x1a40, "", 0, 8, {{"barrier", 8}}, 64, 2048},
                                       {"sdpa", 16, "", 0, 2, {{"wait", 1}}, {}, {}}};
    const HotLines hot = hotLines(run, catalog, 1);
    EXPECT_TRUE(hot.instructions);
    ASSERT_THAT(hot.lines, SizeIs(1));
    EXPECT_EQ(hot.lines[0].offset, 0x1a40);
    EXPECT_EQ(hot.lines[0].text, "sdpa");
    EXPECT_THAT(hot.note, HasSubstr("-lineinfo"));
    const Json json = runToJsonWithLines(run, catalog);
    EXPECT_THAT(json["hot_lines"], IsEmpty());
    EXPECT_EQ(json["hot_instructions"][0]["offset"], 0x1a40);
    EXPECT_EQ(json["hot_instructions"][0]["share"], 0.8);
    EXPECT_EQ(json["hot_instructions"][0]["stall"], "barrier");
    EXPECT_EQ(json["hot_instructions"][0]["executed"], 64);
    EXPECT_TRUE(json["hot_instructions"][1]["executed"].is_null());
}

TEST(ProgramProfile, AKernelLaunchedOnceHasTheProfilersTimeAlone)
{
    ProcessTrace trace = process(0, 0, 0);
    trace.profiled = {profiled(kScale, 6000)};
    const ProgramProfile profile = summed({trace});
    ASSERT_THAT(profile.runs, SizeIs(1));
    EXPECT_FALSE(profile.runs[0].timing);
    EXPECT_EQ(profile.runs[0].program->totalNs, 6000);
    EXPECT_THAT(codes(profile.runs[0].warnings), ElementsAre("launched-once"));
}

TEST(ProgramProfile, OtherGeometriesAreDistinguished)
{
    ProcessTrace trace = process(4, 5000, 6000);
    trace.launches[3].grid = {7, 1, 1};
    trace.profiled = {profiled(kScale, 6000)};
    const ProgramProfile profile = summed({trace});
    EXPECT_EQ(profile.runs.at(0).timing->gpu.n, 3);
    ASSERT_THAT(codes(profile.runs[0].warnings), ElementsAre("other-shapes"));
    EXPECT_EQ(test::valueText(profile.runs[0].warnings[0].text), "\"1 5 4\"") << "of five launches one is other than the four";
    ASSERT_THAT(profile.runs, SizeIs(2)) << "the other shape takes more than a hundredth of the time";
    EXPECT_EQ(toText(profile.runs[1].problem), "BLOCK=256x1x1,GRID=7x1x1");
    EXPECT_EQ(profile.runs[1].program->launches, 1);
    EXPECT_NEAR(profile.runs[0].program->share + profile.runs[1].program->share, 1, 1e-9);
    EXPECT_EQ(profileToJson(profile, *Catalog::loadEmbedded())["program"]["kernels"][0]["run"], profile.runs[0].id.text);
}

TEST(ProgramProfile, LaunchesOfOneGridAreToldApartByTheirSharedMemory)
{
    ProcessTrace trace = process(4, 5000, 6000);
    trace.launches[3].dynamicSmem = 1024;
    const ProgramProfile profile = summed({trace});
    ASSERT_THAT(profile.runs, SizeIs(2));
    EXPECT_EQ(toText(profile.runs[1].problem), "BLOCK=256x1x1,GRID=1320x1x1,SMEM=1024");
    EXPECT_EQ(profile.runs[1].timing->gpu.n, 1);
}

TEST(ProgramProfile, GapsAreTheProgramsAndNotTheKernels)
{
    ProcessTrace trace = process(50, 38'000, 200'000);
    trace.profiled = {profiled(kScale, 38'000)};
    const ProgramProfile profile = summed({trace});
    ASSERT_TRUE(profile.finding);
    EXPECT_EQ(profile.finding->classId, "host-bound");
    EXPECT_NEAR(profile.finding->estimate->runtimeReduction, 1 - 50 * 38'000.0 / (49 * 200'000 + 38'000), 1e-9);
    EXPECT_NE(profile.runs.at(0).diagnosis->finding.classId, "launch-overhead");
    EXPECT_EQ(profileToJson(profile, *Catalog::loadEmbedded())["program"]["finding"]["class"], "host-bound");
    ProcessTrace copying = process(50, 38'000, 200'000);
    for (const TracedLaunch& launch : process(50, 38'000, 200'000).launches) // to the device before each, back after it
        copying.copies.insert(copying.copies.end(), {{false, launch.start - 900, launch.start - 100, 0, 4096},
                                                     {false, launch.end + 1000, launch.end + 20'000, 0, 4096}});
    copying.profiled = trace.profiled;
    const ProgramProfile between = summed({copying});
    ASSERT_TRUE(between.finding);
    EXPECT_EQ(between.finding->classId, "host-bound") << "the GPU idles between its copies, too";
    EXPECT_NE(between.runs.at(0).diagnosis->finding.classId, "launch-overhead");
    EXPECT_FALSE(summed({process(50, 5000, 6000)}).finding) << "the GPU is busy";
    EXPECT_FALSE(summed({process(2, 5000, 60'000)}).finding) << "too few launches to say";
}

TEST(ProgramProfile, NotesWhatWasLost)
{
    EXPECT_THAT(codes(summed({}).notes), ElementsAre("no-cuda"));
    EXPECT_THAT(codes(summed({process(0, 0, 0)}).notes), ElementsAre("no-launches"));
    ProcessTrace killed = process(2, 5, 10);
    killed.ended = false;
    killed.notes = {{"records-dropped", "x"}};
    EXPECT_THAT(codes(summed({killed}).notes), ElementsAre("records-dropped", "cut-short"));
    ProcessTrace cut = process(2, 5, 10);
    cut.ended = false;
    cut.cut = true;
    const ProgramProfile full = summed({cut});
    EXPECT_THAT(codes(full.notes), ElementsAre("cut-short"));
    EXPECT_THAT(full.notes.at(0).text, HasSubstr("TMPDIR"));
    ProcessTrace damaged = process(2, 5, 10);
    damaged.damage = "line 7 (why)";
    const ProgramProfile profile = summed({damaged});
    EXPECT_THAT(codes(profile.notes), ElementsAre("damaged-trace"));
    EXPECT_THAT(profile.notes.at(0).text, ::testing::AllOf(HasSubstr("7"), HasSubstr("why")));
    EXPECT_EQ(profile.totals.launches, 2) << "what could be read";
}

TEST(ProgramTexts, SnapshotOfNotesAndWarnings)
{
    std::string text;
    const auto add = [&](const std::string& which, const ProgramProfile& profile) {
        for (const Warning& note : profile.notes)
            text += which + ": " + note.code + ": " + note.text + '\n';
        for (const RunRecord& run : profile.runs)
            for (const Warning& warning : run.warnings)
                text += which + ": " + warning.code + ": " + warning.text + '\n';
    };
    add("no process", summed({}));
    add("no launch", summed({process(0, 0, 0)}));
    ProcessTrace trace = process(2, 5, 10);
    trace.profiled = {profiled(kScale, 5)};
    trace.ended = false;
    add("killed", summed({trace}));
    trace.cut = true;
    add("cut", summed({trace}));
    trace.damage = "line 7 (why)";
    add("damaged", summed({trace}));
    trace = process(0, 0, 0);
    trace.profiled = {profiled(kScale, 6000)};
    add("launched once", summed({trace}));
    trace = process(4, 5000, 6000);
    trace.launches[3].grid = {7, 1, 1};
    trace.profiled = {profiled(kScale, 6000)};
    add("two shapes", summed({trace}));
    trace = process(20, 5000, 60'000);
    for (std::size_t i = 0; i < 10; ++i)
        trace.launches[2 * i].end += 20'000;
    trace.profiled = {profiled(kScale, 6000)};
    add("varied", summed({trace}));
    trace = process(20, 5000, 5100);
    for (std::uint32_t i = 0; i < 8; ++i) {
        trace.launches[i].end += 400;
        trace.alone.insert(trace.launches[i].correlation);
    }
    trace.profiled = {profiled(kScale, 5400)};
    add("alone", summed({trace}));
    test::expectSnapshot("texts/program-notes.txt", text);
}

TEST(ProgramProfile, WhatCannotBeStoredIsReportedAndKept)
{
    const support::TempDir folder;
    const auto store = support::openStore(folder / "a.db");
    ProgramProfile profile = summed({process(20, 5000, 5100)});
    storeRuns(*store, profile, {});
    EXPECT_THAT(profile.notes, IsEmpty());
    const char* refusing = "CREATE TRIGGER full BEFORE INSERT ON runs BEGIN SELECT RAISE(FAIL, 'as if'); END";
    ASSERT_TRUE(sqlite::Connection::open(folder / "a.db", true, false)->exec(refusing));
    ProgramProfile later = summed({process(20, 5000, 5100)});
    storeRuns(*store, later, {});
    EXPECT_THAT(codes(later.notes), ElementsAre("not-stored"));
    EXPECT_THAT(later.runs, SizeIs(1));
}

TEST(ProgramProfile, AJsonResultIsAProfileAndSurvivesTheStore)
{
    ProcessTrace trace = process(20, 5000, 5100);
    trace.profiled = {profiled(kScale, 6000)};
    const ProgramProfile profile = summed({trace});
    const Json json = profileToJson(profile, *Catalog::loadEmbedded());
    EXPECT_EQ(json["program"]["exit_code"], 0);
    EXPECT_EQ(json["program"]["kernels"][0]["run"], profile.runs[0].id.text);
    EXPECT_EQ(json["program"]["kernels"][0]["median_ns"], 5000);
    EXPECT_EQ(json["program"]["kernels"][0]["alone_ns"], 6000);
    const Json& result = json["results"][0];
    EXPECT_EQ(result["schema"], "kernelloop.profile/1");
    EXPECT_EQ(result["kernel"], "program");
    EXPECT_TRUE(result.contains("finding"));
    EXPECT_EQ(result["program"]["kernel"], "scale(float*, int, float)");

    const support::TempDir folder;
    const auto store = support::openStore((folder / "a.db").string());
    const Status saved = store->saveRun(profile.runs[0]);
    ASSERT_TRUE(saved.ok()) << saved.error().message;
    EXPECT_EQ(*store->run(profile.runs[0].id), profile.runs[0]);
}

} // namespace
} // namespace kl
