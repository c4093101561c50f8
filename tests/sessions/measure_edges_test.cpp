// SPDX-License-Identifier: MIT
// Edges of measuring: what requests ask for, what a narrowed recording holds, what is listed and kept of what was measured.
#include "core/device/metric_sections.h"
#include "core/model/kernel_code.h"
#include "sessions/measure/code_listing.h"
#include "sessions/measure/hot_lines.h"
#include "sessions/measure/keep.h"
#include "sessions/measure/problem_axes.h"
#include "sessions/measure/registered_kernels.h"
#include "sessions/measure/requests.h"
#include "sessions/shipped/sample_store.h"
#include "sessions/store/spool.h"
#include "tests/sessions/engine_support.h"

#include <gmock/gmock.h>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace kl::test {
namespace {

using support::TempDir;
using support::timedRun;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST_F(EngineTest, RequestsAskForWhatTheScopeSays)
{
    const Address naive{"transpose", "naive", {}};
    ProfileScope scope(1);
    scope.metrics = {"m"};
    scope.maxPasses = 3;
    scope.source = false;
    scope.cacheControl = "none";
    scope.counters = false;
    scope.experiments = true;
    scope.energy = true;
    scope.pmSampling = true;
    const ProfileRequest requested = *profileRequest(catalog, naive, {}, scope);
    EXPECT_EQ(requested.tier, 1);
    EXPECT_THAT(requested.metrics, ElementsAre("m"));
    EXPECT_EQ(requested.maxPasses, 3);
    EXPECT_EQ(requested.source, false);
    EXPECT_EQ(requested.cacheControl, "none");
    EXPECT_EQ(requested.counters, false);
    EXPECT_EQ(requested.experiments, true);
    EXPECT_EQ(requested.run.energy, true);
    EXPECT_EQ(requested.pmSampling, true);
    EXPECT_THAT(requested.run.suite, IsEmpty());
    const ProfileRequest plain = *profileRequest(catalog, naive, {}, 2);
    EXPECT_FALSE(plain.run.energy || plain.pmSampling || plain.counters || plain.source || plain.experiments);
    TimelineScope timeline{true, 3, 99, false};
    const TimelineRequest marks = *timelineRequest(catalog, naive, {}, timeline);
    EXPECT_EQ(marks.automatic, true);
    EXPECT_EQ(marks.blocks, 3);
    EXPECT_EQ(marks.marks, 99);
    EXPECT_EQ(marks.overhead, false);
    const AbRequest ab = *abRequest(catalog, naive, {"transpose", "tiled", {}}, {}, 10);
    EXPECT_EQ(ab.a.kernel, "transpose/naive");
    EXPECT_EQ(ab.b.kernel, "transpose/tiled");
    EXPECT_EQ(ab.firstBlock, 10);
    EXPECT_EQ(ab.blocks, 10);
    RunRequest suite = *runRequest(catalog, naive, {}, true);
    EXPECT_EQ(suite.suite.size(), (*catalog.family("transpose"))->suite.size());
    seedInputs(suite, 7);
    EXPECT_EQ(suite.work.seed, 7U);
    EXPECT_EQ(suite.suite.back().seed, 7U);
    const KernelFamily& copy = **catalog.family("copy");
    EXPECT_EQ(envRequest(catalog)->smoke->kernel, toText(Address{"copy", copy.variants.back().id, {}}));
    EXPECT_FALSE(envRequest(Catalog(std::vector<KernelFamily>{}))->smoke);
    EXPECT_EQ(envRequest(Catalog({**catalog.family("transpose")}))->smoke->kernel,
              toText(Address{"transpose", (*catalog.family("transpose"))->variants.back().id, {}}));
}

TEST_F(EngineTest, ANarrowedProfileTakesItsPartOfTheRecordedOne)
{
    const Address naive{"transpose", "naive", {}};
    const std::map<std::string, std::optional<double>> all = unwrap(bench.profile(naive, {}, 2)).metrics->values;
    ASSERT_FALSE(all.empty());
    const std::string name = all.begin()->first;
    ProfileScope scope(2);
    scope.metrics = {name};
    RunRecord run = unwrap(bench.profile(naive, {}, scope));
    EXPECT_EQ(run.metrics->values, (std::map<std::string, std::optional<double>>{{name, all.at(name)}}));
    EXPECT_FALSE(run.sourceProfile);
    scope.metrics = {"regex:^" + name.substr(0, 8)};
    EXPECT_TRUE(unwrap(bench.profile(naive, {}, scope)).metrics->values.contains(name));
    for (const char* wrong : {"regex:(", "regex:^nothing$", "no_such.metric"}) {
        scope.metrics = {wrong};
        const Error error = bench.profile(naive, {}, scope).error();
        EXPECT_EQ(error.code, ErrorCode::badInput) << wrong;
        EXPECT_EQ(error.where, "--metrics") << wrong;
    }
    for (const MetricSection& section : metricSections())
        for (const std::string_view known : section.metrics)
            if (!all.contains(std::string(known))) {
                scope.metrics = {std::string(known)};
                EXPECT_TRUE(unwrap(bench.profile(naive, {}, scope)).metrics->missing.contains(std::string(known)));
                break;
            }
    scope = ProfileScope(2);
    scope.cacheControl = "none";
    EXPECT_EQ(bench.profile(naive, {}, scope).error().code, ErrorCode::notRecorded);
    scope.cacheControl = "flush";
    EXPECT_EQ(unwrap(bench.profile(naive, {}, scope)).metrics->values, all);
    scope = ProfileScope(2);
    scope.counters = false;
    run = unwrap(bench.profile(naive, {}, scope));
    EXPECT_FALSE(run.metrics);
    EXPECT_TRUE(run.timing);
    scope = ProfileScope(2);
    scope.countersOnly = true;
    run = unwrap(bench.profile(naive, {}, scope));
    EXPECT_TRUE(run.metrics);
    EXPECT_FALSE(run.timing || run.baseline || run.sourceProfile);
    EXPECT_EQ(run.correctness.result, CorrectnessResult::notChecked);
    EXPECT_FALSE(run.correctness.reason.empty());
}

TEST_F(EngineTest, RegisteredKernelsAreKeptByTheirDescriptor)
{
    EXPECT_THAT(listRegisteredKernels(*store), IsEmpty());
    EXPECT_THAT(unregisterKernel(*store, "mine").error().next, testing::SizeIs(1)) << "how to add one";
    ASSERT_TRUE(store->setSetting("user-kernels", R"(["/gone/kernel.json", 7, "/gone/other.json"])"));
    EXPECT_THAT(listRegisteredKernels(*store), ElementsAre("/gone/kernel.json", "/gone/other.json"));
    const OpenCatalog open = *openCatalog(*store);
    ASSERT_EQ(open.broken.size(), 2U);
    EXPECT_EQ(open.broken[1].path, "/gone/other.json");
    EXPECT_EQ(open.catalog.families().size(), catalog.families().size());
    const Error none = unregisterKernel(*store, "mine").error();
    EXPECT_EQ(none.code, ErrorCode::notFound);
    EXPECT_EQ(none.where, "mine");
    EXPECT_THAT(none.hint, HasSubstr("/gone/other.json"));
    EXPECT_THAT(none.next, IsEmpty());
    EXPECT_EQ(*unregisterKernel(*store, "/gone/kernel.json"), "/gone/kernel.json");
    EXPECT_THAT(listRegisteredKernels(*store), ElementsAre("/gone/other.json"));
    EXPECT_FALSE(registerKernel(*store, "/gone"));
    for (const char* odd : {"{}", "no json", "\"x\""}) {
        ASSERT_TRUE(store->setSetting("user-kernels", odd));
        EXPECT_THAT(listRegisteredKernels(*store), IsEmpty());
    }
}

TEST(CodeListing, HasEachCounterOrNull)
{
    KernelCode code;
    code.language = CodeLanguage::sass;
    code.functions = {"k", "f"};
    code.files = {"a.cu"};
    code.stalls = {"wait", "barrier"};
    code.instructions.resize(2);
    CodeInstruction& one = code.instructions[0];
    one.function = 1;
    one.offset = 16;
    one.file = 0;
    one.line = 3;
    one.text = "LDG";
    one.samples = 5;
    one.stalls = {0, 5};
    one.executed = 6;
    one.threads = 7;
    one.sectors = 8;
    one.idealSectors = 2;
    one.wavefronts = 9;
    one.idealWavefronts = 4;
    one.liveRegisters = 10;
    RunRecord run;
    run.launches = {{"k", 16, 256, 32, 0, 0, 0}};
    Json json = codeListingToJson(code, run);
    EXPECT_EQ(json["language"], "sass");
    EXPECT_EQ(json["not_disassembled"], nullptr);
    EXPECT_EQ(json["functions"], Json({"k", "f"}));
    EXPECT_EQ(json["samples"], 5);
    EXPECT_EQ(json["registers"], 32);
    const Json expected = Json::parse(R"({"file":"a.cu","line":3,"samples":5,"stall":"barrier","stalls":{"barrier":5},"executed":6,
        "threads":7,"sectors":8,"ideal_sectors":2,"wavefronts":9,"ideal_wavefronts":4,"bank_conflicts":5,"live_registers":10,"function":"f",
        "offset":16,"text":"LDG"})");
    EXPECT_EQ(json["instructions"][0], expected);
    for (const char* unknown : {"file", "line", "executed", "threads", "sectors", "wavefronts", "bank_conflicts", "live_registers"})
        EXPECT_EQ(json["instructions"][1][unknown], nullptr) << unknown;
    EXPECT_EQ(json["lines"][0]["instructions"], 1);
    code.language = CodeLanguage::none;
    code.notDisassembled = "no tool";
    run.launches[0].registers = 0;
    json = codeListingToJson(code, run);
    EXPECT_EQ(json["language"], "none");
    EXPECT_EQ(json["not_disassembled"], "no tool");
    EXPECT_EQ(json["registers"], nullptr);
    EXPECT_FALSE(findCode(run));
    run.sourceProfile.emplace();
    EXPECT_FALSE(findCode(run)) << "neither code nor samples";
    run.sourceProfile->code = SharedCode(code);
    EXPECT_EQ(findCode(run)->notDisassembled, "no tool");
}

TEST(HotLinesOfPrograms, ShowInstructionsTextOrThePlaceAlone)
{
    const Catalog catalog = *Catalog::loadEmbedded();
    RunRecord run;
    run.kernel = {"program", "k-1", {}};
    EXPECT_FALSE(hotLines(run, catalog).unavailable.empty());
    run.program.emplace();
    run.sourceProfile.emplace();
    SourceProfile& profile = *run.sourceProfile;
    profile.samples = 10;
    profile.lines = {{"a.cu", 2, 6, 0.6, {{"wait", 6}}, 5, {}, {}}, {"a.cu", 9, 4, 0.4, {}, {}, {}, {}}, {"a.cu", 1, 0, 0, {}, {}, {}, {}}};
    HotLines hot = hotLines(run, catalog);
    ASSERT_EQ(hot.lines.size(), 2U) << "none without samples";
    EXPECT_EQ(hot.lines[0].text, "");
    EXPECT_EQ(hot.lines[0].stall, "wait");
    EXPECT_FALSE(hot.note.empty());
    EXPECT_EQ(hotLines(run, catalog, 1).lines.size(), 1U);
    EXPECT_FALSE(findShownSource(run, catalog));
    profile.texts = {{"a.cu", "first\n  second  \nthird"}, {"b.cu", "other"}};
    hot = hotLines(run, catalog);
    EXPECT_EQ(hot.lines[0].text, "second");
    EXPECT_EQ(hot.lines[1].text, "") << "beyond its end";
    EXPECT_EQ(hot.note, "");
    EXPECT_EQ(findShownSource(run, catalog)->file, "a.cu");
    profile.countsUnavailable = "no permission";
    EXPECT_THAT(hotLines(run, catalog).note, HasSubstr("no permission"));
    profile.lines = {{"", 0, 10, 1, {}, {}, {}, {}}};
    for (const auto& [function, offset, samples] : {std::tuple{"f", 32, 6}, std::tuple{"g", 16, 4}, std::tuple{"g", 48, 0}}) {
        SampledInstruction& one = profile.instructions.emplace_back();
        one.function = function;
        one.offset = offset;
        one.samples = samples;
    }
    hot = hotLines(run, catalog);
    EXPECT_TRUE(hot.instructions);
    ASSERT_EQ(hot.lines.size(), 2U);
    EXPECT_EQ(hot.lines[0].offset, 32);
    EXPECT_EQ(hot.lines[0].text, "f");
    EXPECT_DOUBLE_EQ(hot.lines[0].line.share, 0.6);
    EXPECT_EQ(hotLines(run, catalog, 1).lines.size(), 1U);
    const Json json = runToJsonWithLines(run, catalog);
    EXPECT_EQ(json["hot_instructions"].size(), 2U);
    EXPECT_EQ(json["hot_instructions"][0]["offset"], 32);
    EXPECT_EQ(json["hot_lines"], Json::array());
    run.program.reset();
    EXPECT_FALSE(hotLines(run, catalog).instructions) << "a kernel of the catalog has its lines";
}

TEST(Kept, WhatCannotBeStoredIsNamedWithItsPlace)
{
    const TempDir dir;
    const auto store = support::openStore((dir / "kl.db").string());
    std::vector<std::string> notices;
    Job job;
    job.notice = [&](const std::string& text) { notices.push_back(text); };
    Unstored what;
    what.runs = {timedRun("r1", "naive", "t", 1)};
    EXPECT_FALSE(keep(*store, what, job));
    EXPECT_TRUE(store->run({"r1"}));
    const auto frozen = openSampleStore();
    const std::optional<Warning> sample = keep(**frozen, what, job);
    EXPECT_EQ(sample->code, "not-stored");
    EXPECT_THAT(notices, ElementsAre(sample->text)) << "no file is left that nothing would read";
    what.runs[0].id = {};
    EXPECT_EQ(keep(*store, what, job)->code, "not-stored");
    RunRecord run = timedRun("r2", "naive", "t", 1);
    keep(**frozen, run, job);
    EXPECT_EQ(run.warnings.at(0).code, "not-stored");
    Comparison comparison;
    comparison.id = {"c1"};
    keep(*store, comparison, job);
    EXPECT_THAT(comparison.warnings, IsEmpty());
    EXPECT_TRUE(store->comparison({"c1"}));
}

TEST(Kept, ALaterMeasurementStoresWhatWasKeptInAFile)
{
    const TempDir dir;
    const auto store = support::openStore((dir / "kl.db").string());
    Unstored earlier, later;
    earlier.runs = {timedRun("r1", "naive", "t", 1)};
    later.runs = {timedRun("r2", "naive", "t", 1)};
    ASSERT_TRUE(Spool((dir / "kl.db").string()).keep(earlier));
    EXPECT_FALSE(keep(*store, later, {}));
    EXPECT_TRUE(store->run({"r1"}));
    EXPECT_THAT(Spool((dir / "kl.db").string()).files(), IsEmpty());
    EXPECT_TRUE(addKept(*store, {"s1"})) << "nothing is kept";
    Unstored step;
    step.events.emplace_back(SessionId{"s1"}, SessionEvent{9, "t", "note", "{}"});
    SessionHeader header{{"s1"}, "N", "optimize", "", "copy", Source::live, "t", "{}"};
    ASSERT_TRUE(store->createSession(header, {1, "t", "opened", "{}"}));
    ASSERT_TRUE(Spool((dir / "kl.db").string()).keep(step)); // leaves a gap: it cannot be stored
    const Status waits = addKept(*store, {"s1"});
    ASSERT_FALSE(waits);
    EXPECT_EQ(waits.error().code, ErrorCode::environment);
    EXPECT_EQ(waits.error().where, "session:s1");
    EXPECT_TRUE(addKept(*store, {"s2"})) << "another session's step";
}

TEST(ProblemAxesEdges, RangesIncludeTheirEndAndNamesAreTexts)
{
    const auto text = [](const char* axes) {
        std::string all;
        const auto problems = parseAxes(axes);
        EXPECT_TRUE(problems) << axes;
        for (const Params& problem : *problems)
            all += toText(problem) + ' ';
        return all;
    };
    EXPECT_EQ(text("M=1..8"), "M=1 M=2 M=4 M=8 ");
    EXPECT_EQ(text("M=1..9 x3"), "M=1 M=3 M=9 ");
    EXPECT_EQ(text("M=4..4"), "M=4 ");
    EXPECT_EQ(text("M=1..3 +1"), "M=1 M=2 M=3 ");
    EXPECT_EQ(text("M=[1]"), "M=1 ");
    EXPECT_EQ(text("T=f16,M=[a,2]"), "M=a,T=f16 M=2,T=f16 ");
    EXPECT_EQ(text("M=8x"), "M=8x ");
    EXPECT_EQ(parseAxes("M=N,N=M").error().code, ErrorCode::usage);
    EXPECT_EQ(parseAxes("M=1..9 x").error().where, "--problem");
}

} // namespace
} // namespace kl::test
