// SPDX-License-Identifier: MIT
#include "core/codec/json_read.h"
#include "sessions/sanitize/sanitize.h"
#include "tests/sessions/engine_support.h"
#include "tests/support/snapshot.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

namespace kl::test {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

/// What compute-sanitizer 2025.3.1 wrote of the seeded faults of tests/data/sanitizer on an H200, cut to its first records.
std::string written(const std::string& tool)
{
    return support::readBytes(KL_SOURCE_DIR "/tests/data/sanitizer/" + tool + ".txt");
}

TEST(Sanitizer, AnUninitializedReadIsOneFindingWithItsFirstThread)
{
    const auto findings = parseSanitizer("initcheck", written("initcheck"));
    ASSERT_EQ(findings.size(), 1U);
    const SanitizerFinding& one = findings.front();
    EXPECT_EQ(one.what, "Uninitialized __global__ memory read of size 4 bytes");
    EXPECT_EQ(one.place, (SanitizerPlace{"unwritten_read", "kernel.cu", 30}));
    EXPECT_EQ(one.thread, (std::array{32, 0, 0}));
    EXPECT_EQ(one.block, (std::array{0, 0, 0}));
    EXPECT_EQ(one.address, "0x7fadf7801080");
    EXPECT_EQ(one.count, 6);
}

TEST(Sanitizer, AnAccessBeyondABufferTellsWhichAllocationItMissed)
{
    const auto findings = parseSanitizer("memcheck", written("memcheck"));
    ASSERT_EQ(findings.size(), 1U);
    const SanitizerFinding& one = findings.front();
    EXPECT_EQ(one.what, "Invalid __global__ write of size 4 bytes");
    EXPECT_EQ(one.place, (SanitizerPlace{"past_the_end", "kernel.cu", 13}));
    EXPECT_EQ(one.thread, (std::array{255, 0, 0}));
    EXPECT_EQ(one.address, "0x7f26afa03000");
    EXPECT_EQ(one.detail, "Access to 0x7f26afa03000 is out of bounds and is 1 bytes after the nearest allocation at 0x7f26afa02000 of size "
                          "4,096 bytes");
}

TEST(Sanitizer, ARaceNamesBothLinesAndBothThreads)
{
    const auto findings = parseSanitizer("racecheck", written("racecheck"));
    ASSERT_EQ(findings.size(), 1U);
    const SanitizerFinding& one = findings.front();
    EXPECT_THAT(one.what, AllOf(HasSubstr("RAW hazard"), HasSubstr("__shared__")));
    EXPECT_EQ(one.place, (SanitizerPlace{"race", "kernel.cu", 21}));
    ASSERT_TRUE(one.other);
    EXPECT_EQ(*one.other, (SanitizerPlace{"race", "kernel.cu", 23}));
    EXPECT_EQ(one.block, (std::array{2, 0, 0}));
    EXPECT_EQ(one.address, "0x4fc");
    EXPECT_THAT(one.detail, testing::ContainsRegex("Write .*\\(63,0,0\\).*Read .*\\(192,0,0\\)"));
    EXPECT_EQ(one.count, 7);
}

TEST(Sanitizer, ABarrierThatDivergesIsFound)
{
    const auto findings = parseSanitizer("synccheck", written("synccheck"));
    ASSERT_EQ(findings.size(), 1U) << "\"Target application returned an error\" is not a finding";
    EXPECT_EQ(findings.front().what, "Barrier error detected. Divergent thread(s) in warp.");
    EXPECT_EQ(findings.front().place.line, 37);
    EXPECT_EQ(findings.front().thread, (std::array{96, 0, 0}));
}

TEST(Sanitizer, OneFaultAtTwoPlacesIsTwoFindings)
{
    const std::string fault = "========= Invalid __global__ write of size 4 bytes\n=========     at past_the_end+0xe0 in kernel.cu:";
    const auto findings = parseSanitizer("memcheck", fault + "13\n========= \n" + fault + "14\n========= \n" + fault + "13\n");
    ASSERT_EQ(findings.size(), 2U);
    EXPECT_EQ(findings[0].place.line, 13);
    EXPECT_EQ(findings[0].count, 2);
    EXPECT_EQ(findings[1].place.line, 14);
    EXPECT_EQ(findings[1].count, 1);
}

TEST(Sanitizer, NothingFoundIsNothing)
{
    EXPECT_TRUE(parseSanitizer("memcheck", "========= COMPUTE-SANITIZER\n========= ERROR SUMMARY: 0 errors\n").empty());
    EXPECT_TRUE(parseSanitizer("memcheck", "").empty());
}

/// One tool that found nothing, one that found something and one that could not run.
std::vector<SanitizerCheck> makeThreeChecks()
{
    return {{"memcheck", {}, {}, {}},
            {"initcheck", parseSanitizer("initcheck", written("initcheck")), {}, {}},
            {"synccheck", {}, "The kernel faulted.", {}}};
}

TEST(Sanitizer, WordsAndJsonSayTheSame)
{
    const std::vector<SanitizerCheck> checks = makeThreeChecks();
    const std::string text = describe(checks);
    EXPECT_THAT(text, StartsWith(describe(checks[1].findings.at(0)))) << "what was found goes first";
    std::size_t from = 0;
    for (const char* part :
         {"unwritten_read (kernel.cu:30)", "(32,0,0)", "(0,0,0)", "0x7fadf7801080", "6 ", "synccheck", "The kernel faulted.", "memcheck"}) {
        from = text.find(part, from);
        ASSERT_NE(from, std::string::npos) << part << " in " << text;
    }
    const Json json = toJson(checks);
    EXPECT_EQ(json[0]["findings"], Json::array());
    EXPECT_EQ(json[1]["findings"][0]["line"], 30);
    EXPECT_EQ(json[1]["findings"][0]["thread"], (Json{32, 0, 0}));
    EXPECT_EQ(json[2]["trouble"], "The kernel faulted.");
}

/// A debug session on a live device, without the tool.
class SanitizeRow : public EngineTest {
protected:
    SanitizeRow() : live(Source::live), liveBench(catalog, tree, live, *store), session(liveBench)
    {
        live.kernels = gpu.kernels;
        live.kernels["transpose/naive"].wrongSize = toText(unwrap(catalog.family("transpose"))->suite.at(1));
        NewSession request;
        request.kernel = "transpose/naive";
        request.kind = "debug";
        request.objective = "wrong on odd sizes";
        id = unwrap(session.create(request)).header.id;
    }

    FakeCollector live;
    TestBench liveBench;
    TestEngine session;
    SessionId id;
};

TEST_F(SanitizeRow, ComesAfterTheFailingCaseAndAToolThatIsMissingStopsNobody)
{
    EXPECT_EQ(session.act(id, SessionAction::sanitize).error().where, "hypothesis") << "the failing case comes first";
    std::vector<std::string> actions;
    for (int i = 0; i < 4; ++i) {
        actions.push_back(toString(unwrap(session.view(id)).next.front().action));
        unwrap(session.step(id));
    }
    EXPECT_EQ(actions, (std::vector<std::string>{"hypothesis", "instrument", "find-failing", "sanitize"}));
    const SessionView view = unwrap(session.view(id));
    EXPECT_THAT(view.iterations.back().sanitizer, AllOf(HasSubstr("compute-sanitizer"), HasSubstr("transpose/naive")));
    EXPECT_THAT(view.iterations.back().sanitizer, HasSubstr("no-such-tool"));
    EXPECT_EQ(view.next.front().action, SessionAction::analyze) << "the session goes on without it";
    EXPECT_THAT(view.why, HasSubstr("no-such-tool")) << "and the proposed analysis says so";
    EXPECT_EQ(session.act(id, SessionAction::sanitize, "valgrind").error().code, ErrorCode::usage);
}

/// A debug session on a recording of a variant that is incorrect on purpose.
class RecordedFaultTest : public EngineTest {
protected:
    RecordedFaultTest()
    {
        gpu.kernels[kFaulty].wrongOn = [](const Params& p) { return *numberIn(p, "M") > 32; };
        gpu.kernels[kFaulty].wrongSize = toText(unwrap(catalog.family("matvec"))->suite.at(2));
        for (const char* tool : kSanitizerTools)
            gpu.sanitizerLogs[std::string(kFaulty) + ' ' + tool] = std::string(tool) == "racecheck" ? written(tool) : "";
        for (const std::string& tool : candidateTools({"racecheck"}))
            gpu.sanitizerLogs[std::string(kFixed) + ' ' + tool] = "";
        NewSession request;
        request.kernel = kFaulty;
        request.kind = "debug";
        request.objective = "wrong on more than 32 rows";
        id = unwrap(engine.create(request)).header.id;
    }
    std::vector<std::string> walk()
    {
        std::vector<std::string> actions;
        for (SessionView view = unwrap(engine.view(id)); view.phase != "done" && actions.size() < 20; view = step(id))
            actions.push_back(toString(view.next.front().action));
        return actions;
    }

    static constexpr const char* kFaulty = "matvec/missing-barrier";
    static constexpr const char* kFixed = "matvec/barrier";
    SessionId id;
};

TEST_F(RecordedFaultTest, IsWalkedToItsFixWithTheRecordedFindings)
{
    EXPECT_EQ(walk(), (std::vector<std::string>{"hypothesis", "instrument", "find-failing", "sanitize", "analyse", "choose-fix",
                                                "verify-minimal", "verify-suite", "check-memory", "keep", "document", "finish"}));
    const SessionView view = unwrap(engine.view(id));
    EXPECT_EQ(view.outcome, "kept");
    EXPECT_EQ(toText(view.candidate.value_or(Address{})), kFixed);
    EXPECT_THAT(view.iterations.front().sanitizer, HasSubstr("RAW hazard"));
    EXPECT_EQ(findGate(view, "D2").result, GateResult::pass);
    ASSERT_TRUE(view.memoryCheck);
    EXPECT_TRUE(view.memoryCheck->complete);
}

TEST_F(RecordedFaultTest, MemoryErrorsOfTheCandidateHoldItBack)
{
    gpu.sanitizerLogs[std::string(kFixed) + " memcheck"] = written("memcheck");
    stepUntil(id, SessionAction::checkMemory);
    const SessionView view = step(id);
    EXPECT_EQ(findGate(view, "D2").result, GateResult::fail);
    EXPECT_EQ(refusedAct(id, SessionAction::keep).where, "correctness-first");
}

TEST_F(RecordedFaultTest, ARaceOfTheCandidateHoldsItBackToo)
{
    gpu.sanitizerLogs[std::string(kFixed) + " racecheck"] = written("racecheck");
    stepUntil(id, SessionAction::checkMemory);
    EXPECT_EQ(findGate(step(id), "D2").result, GateResult::fail);
    EXPECT_EQ(refusedAct(id, SessionAction::keep).where, "correctness-first");
}

TEST_F(RecordedFaultTest, AToolThatFindsAnErrorLateAsksForTheCheckAgain)
{
    gpu.sanitizerLogs[std::string(kFixed) + " racecheck"] = written("racecheck");
    stepUntil(id, SessionAction::sanitize);
    unwrap(engine.act(id, SessionAction::analyze, "a race, said without the tool"));
    stepUntil(id, SessionAction::keep);
    EXPECT_EQ(findGate(unwrap(engine.view(id)), "D2").result, GateResult::pass) << "by memcheck and initcheck";
    const SessionView found = unwrap(engine.act(id, SessionAction::sanitize, "racecheck"));
    EXPECT_NE(findGate(found, "D2").result, GateResult::pass);
    EXPECT_EQ(found.next.front().action, SessionAction::checkMemory);
    EXPECT_EQ(refusedAct(id, SessionAction::keep).where, "correctness-first");
    EXPECT_EQ(findGate(step(id), "D2").result, GateResult::fail);
}

TEST_F(RecordedFaultTest, AfterAKeepTheKeptVariantIsChecked)
{
    stepUntil(id, SessionAction::keep);
    step(id);
    const SessionView view = unwrap(engine.act(id, SessionAction::sanitize, "racecheck"));
    EXPECT_THAT(view.iterations.back().sanitizer, AllOf(HasSubstr("compute-sanitizer"), HasSubstr(kFixed)));
    EXPECT_EQ(findGate(view, "D2").result, GateResult::pass);
}

TEST_F(RecordedFaultTest, ASecondToolLeavesWhatTheFirstFound)
{
    stepUntil(id, SessionAction::sanitize);
    unwrap(engine.act(id, SessionAction::sanitize, "racecheck"));
    const SessionView view = unwrap(engine.act(id, SessionAction::sanitize, "memcheck"));
    EXPECT_THAT(view.iterations.back().sanitizer, HasSubstr("RAW hazard"));
    EXPECT_THAT(view.iterations.back().sanitizer, HasSubstr(describe(std::vector<SanitizerCheck>{{"memcheck", {}, {}, {}}})));
}

TEST_F(RecordedFaultTest, OneToolThatWasNotRecordedLeavesTheFindingsOfTheOthers)
{
    gpu.sanitizerLogs.erase(std::string(kFixed) + " racecheck");
    gpu.sanitizerLogs[std::string(kFixed) + " memcheck"] = written("memcheck");
    stepUntil(id, SessionAction::checkMemory);
    const SessionView view = step(id);
    EXPECT_EQ(findGate(view, "D2").result, GateResult::fail);
    const std::string& seen = view.memoryCheck->seen;
    EXPECT_THAT(seen, AllOf(HasSubstr("memcheck"), HasSubstr("racecheck"))) << "the one that did not run, too";
    const std::string clean = describe(std::vector<SanitizerCheck>{{"racecheck", {}, {}, {}}});
    EXPECT_THAT(seen, Not(HasSubstr(clean.substr(clean.find("racecheck"))))) << "it is not among those that found nothing";
    EXPECT_FALSE(view.memoryCheck->complete);
}

TEST_F(RecordedFaultTest, WhatWasNotRecordedIsSaidAndStopsNobody)
{
    gpu.sanitizerLogs.clear();
    walk();
    const SessionView view = unwrap(engine.view(id));
    EXPECT_EQ(view.outcome, "kept");
    EXPECT_THAT(view.iterations.front().sanitizer, HasSubstr("sanitize is not recorded"));
    ASSERT_TRUE(view.memoryCheck);
    EXPECT_FALSE(view.memoryCheck->complete);
}

TEST_F(RecordedFaultTest, DebuggingStartsFromTheFirstFaultAndOptimizingFromTheFirstSoundVariant)
{
    NewSession request;
    request.kernel = "matvec";
    request.kind = "debug";
    EXPECT_EQ(toText(unwrap(engine.create(request)).start), "matvec/modulo-index");
    request.kind = "optimize";
    EXPECT_EQ(toText(unwrap(engine.create(request)).start), "matvec/full-index");
}

TEST_F(SanitizeRow, IsNoActionOfASessionThatDebugsNothing)
{
    NewSession request;
    request.kernel = "transpose/naive";
    const SessionId optimize = unwrap(session.create(request)).header.id;
    EXPECT_EQ(session.act(optimize, SessionAction::sanitize).error().code, ErrorCode::usage);
}

TEST(Sanitizer, WordsAndJsonNameEachPartThatIsKnown)
{
    SanitizerFinding finding;
    finding.tool = "racecheck";
    finding.what = "Hazard";
    finding.place = {"race", "k.cu", 21};
    finding.other = SanitizerPlace{"race", "", 0};
    finding.block = std::array{2, 3, 4};
    const std::string withoutThread = describe(finding);
    EXPECT_THAT(withoutThread, AllOf(StartsWith("racecheck: Hazard"), EndsWith("(2,3,4)"), HasSubstr("race (k.cu:21)")));
    EXPECT_THAT(withoutThread.substr(withoutThread.find(')')), HasSubstr("race")) << "the other place has no line";
    finding.thread = std::array{5, 6, 7};
    finding.address = "0x4fc";
    finding.detail = "detail";
    finding.count = 2;
    const std::string whole = describe(finding);
    EXPECT_THAT(whole, testing::ContainsRegex("\\(5,6,7\\).*\\(2,3,4\\).*0x4fc.*2 "));
    EXPECT_THAT(whole, Not(HasSubstr("detail")));
    EXPECT_EQ(toJson({{"racecheck", {finding}, {}, {}}}),
              (Json{{{"tool", "racecheck"},
                     {"trouble", nullptr},
                     {"findings",
                      {{{"kernel", "race"},
                        {"file", "k.cu"},
                        {"line", 21},
                        {"what", "Hazard"},
                        {"thread", {5, 6, 7}},
                        {"block", {2, 3, 4}},
                        {"address", "0x4fc"},
                        {"detail", "detail"},
                        {"count", 2},
                        {"other", {{"kernel", "race"}, {"file", nullptr}, {"line", nullptr}}}}}}}}));
    const Json bare = toJson({{"memcheck", {SanitizerFinding()}, {}, {}}})[0]["findings"][0];
    for (const char* key : {"thread", "block", "address", "other", "file", "line"})
        EXPECT_EQ(bare[key], nullptr) << key;
    EXPECT_THAT(describe(std::vector<SanitizerCheck>{{"a", {}, {}, {}}, {"b", {}, {}, {}}}), HasSubstr("a, b"));
    EXPECT_EQ(describe(std::vector<SanitizerCheck>{}), "");
}

TEST(Sanitizer, SnapshotOfTheWords)
{
    SanitizerFinding finding;
    finding.tool = "racecheck";
    finding.what = "Hazard";
    finding.place = {"race", "k.cu", 21};
    finding.other = SanitizerPlace{"race", "", 0};
    finding.block = std::array{2, 3, 4};
    const SanitizerFinding race = parseSanitizer("racecheck", written("racecheck")).at(0);
    std::string text = describe(makeThreeChecks()) + '\n' + describe(finding) + '\n';
    text += describe(race) + " | " + race.detail + '\n';
    text += describe(std::vector<SanitizerCheck>{{"a", {}, {}, {}}, {"b", {}, {}, {}}}) + '\n';
    expectSnapshot("texts/sanitizer.txt", text);
}

TEST(Sanitizer, TheCommandHasTheOptionsOfItsTool)
{
    const auto words = [](const std::string& tool) {
        std::string all;
        for (const std::string& word : sanitizerCommand("/bin/cs", tool, "/tmp/log"))
            all += word + ' ';
        return all;
    };
    const std::string common = "--log-file /tmp/log --show-backtrace no --print-limit 1000 ";
    EXPECT_EQ(words("initcheck"), "/bin/cs --tool initcheck " + common);
    EXPECT_EQ(words("memcheck"), "/bin/cs --tool memcheck " + common + "--report-api-errors no --padding 4096 ");
    EXPECT_EQ(words("racecheck"), "/bin/cs --tool racecheck " + common + "--racecheck-report hazard ");
    EXPECT_EQ(candidateTools({}), (std::vector<std::string>{"memcheck", "initcheck"}));
    EXPECT_EQ(candidateTools({"racecheck", "memcheck", "racecheck"}), (std::vector<std::string>{"memcheck", "initcheck", "racecheck"}));
}

TEST(Sanitizer, WhatIsNotAboutAKernelIsNoFinding)
{
    const std::string at =
        "\n=========     at k(int*)+0x70 in dir/k.cu:5:in k\n=========     by thread (1,2,3) in block (4,5,6)\n=========\n";
    for (const char* head :
         {"COMPUTE-SANITIZER", "Program hit error 1", "Target application returned an error", "No attachable process found",
          "Error: Target application crashed", "Error: process failed", "Warning: slow", "Unable to launch", "LEAK SUMMARY: 1"})
        EXPECT_TRUE(parseSanitizer("memcheck", std::string("========= ") + head + at).empty()) << head;
    const auto found = parseSanitizer("memcheck", "not the tool\n========= Error: Bad" + at + "========= WARNING: Odd" + at);
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].what, "Bad");
    EXPECT_EQ(found[1].what, "Odd");
    EXPECT_EQ(found[0].tool, "memcheck");
    EXPECT_EQ(found[0].place, (SanitizerPlace{"k", "dir/k.cu", 5}));
    EXPECT_EQ(found[0].thread, (std::array{1, 2, 3}));
    EXPECT_EQ(found[0].block, (std::array{4, 5, 6}));
    EXPECT_EQ(found[0].detail, "");
    EXPECT_TRUE(parseSanitizer("memcheck", "========= Bad\n=========     nowhere\n").empty()) << "it names no kernel";
}

TEST_F(EngineTest, RecordedChecksCarryTheNameOfTheSource)
{
    const WorkSpec work = unwrap(catalog.work({"transpose", "naive", {}}, {}));
    gpu.sanitizerLogs["transpose/naive memcheck"] = written("memcheck");
    const auto checks = unwrap(findRecordedChecks(gpu, work, {"memcheck", "initcheck"}, "mine.cu"));
    ASSERT_EQ(checks.size(), 2U);
    EXPECT_EQ(checks[0].tool, "memcheck");
    EXPECT_EQ(checks[0].findings.at(0).place.file, "mine.cu");
    EXPECT_EQ(checks[0].log, written("memcheck"));
    EXPECT_EQ(checks[0].trouble, "");
    EXPECT_NE(checks[1].trouble, "") << "it was not recorded";
    EXPECT_TRUE(checks[1].findings.empty());
    EXPECT_EQ(unwrap(findRecordedChecks(gpu, work, {"memcheck"}, ""))[0].findings.at(0).place.file, "kernel.cu");
    EXPECT_EQ(findRecordedChecks(gpu, work, {"initcheck"}, "").error().code, ErrorCode::notRecorded);
    gpu.sanitizerLogs["transpose/naive racecheck"] = written("racecheck");
    const auto races = unwrap(findRecordedChecks(gpu, work, {"racecheck"}, "mine.cu"));
    ASSERT_TRUE(races[0].findings.at(0).other);
    EXPECT_EQ(races[0].findings[0].place.file, "mine.cu");
    EXPECT_EQ(races[0].findings[0].other->file, "mine.cu") << "both places of a race";
    EXPECT_TRUE(unwrap(findRecordedChecks(gpu, work, {}, "")).empty());
    gpu.failWith = Error{.code = ErrorCode::environment, .message = "gone"};
    EXPECT_EQ(findRecordedChecks(gpu, work, {"memcheck"}, "").error().code, ErrorCode::environment);
    EXPECT_EQ(chooseSourceName(catalog, {"transpose", "naive", {}}), "transpose.cu");
    EXPECT_EQ(chooseSourceName(catalog, {"none", "naive", {}}), "");
    EXPECT_EQ(chooseSourceName(catalog, {"transpose", "none", {}}), "");
    DeviceSpec elsewhere;
    elsewhere.remote.push_back({.host = "gpu7"});
    EXPECT_EQ(sanitize(work, {"memcheck"}, "", elsewhere).error().code, ErrorCode::environment);
}

TEST_F(RecordedFaultTest, EachCheckKeepsALogOfItsOwn)
{
    stepUntil(id, SessionAction::sanitize);
    const SessionView first = unwrap(engine.act(id, SessionAction::sanitize, "racecheck"));
    const std::string before = fmt::format("session/{}/racecheck-{}.txt", id.text, first.events.back().seq);
    EXPECT_EQ(unwrap(store->artifact(before)), written("racecheck"));
    gpu.sanitizerLogs[std::string(kFaulty) + " racecheck"] = "";
    const SessionView second = unwrap(engine.act(id, SessionAction::sanitize, "racecheck"));
    const std::string after = fmt::format("session/{}/racecheck-{}.txt", id.text, second.events.back().seq);
    EXPECT_NE(after, before);
    EXPECT_EQ(unwrap(store->artifact(before)), written("racecheck")) << "the first stays";
    EXPECT_EQ(unwrap(store->artifact(after)), "");
}

TEST_F(RecordedFaultTest, OneToolIsRunWhereOneIsNamed)
{
    stepUntil(id, SessionAction::sanitize);
    const SessionView one = unwrap(engine.act(id, SessionAction::sanitize, "memcheck"));
    Json data = Json::parse(one.events.back().dataJson);
    ASSERT_EQ(data["checks"].size(), 1U);
    EXPECT_EQ(data["checks"][0]["tool"], "memcheck");
    EXPECT_EQ(data["variant"], kFaulty);
    EXPECT_EQ(data["problem"], toText(*one.failingProblem)) << "the case that fails";
    const SessionView all = unwrap(engine.act(id, SessionAction::sanitize));
    data = Json::parse(all.events.back().dataJson);
    EXPECT_EQ(data["checks"].size(), kSanitizerTools.size());
}

TEST_F(RecordedFaultTest, BothAccessesOfARaceAreInTheKernelsSource)
{
    stepUntil(id, SessionAction::sanitize);
    const SessionView view = unwrap(engine.act(id, SessionAction::sanitize, "racecheck"));
    const Json findings = Json::parse(view.events.back().dataJson)["checks"][0]["findings"];
    ASSERT_FALSE(findings.empty());
    const std::string source = chooseSourceName(catalog, unwrap(parseAddress(kFaulty)));
    EXPECT_FALSE(source.empty());
    int others = 0;
    for (const SanitizerFinding& parsed : parseSanitizer("racecheck", written("racecheck"))) {
        EXPECT_EQ(parsed.place.file, "kernel.cu");
        others += parsed.other ? 1 : 0;
    }
    ASSERT_GT(others, 0);
    const std::string text = findings.dump();
    EXPECT_EQ(text.find("\"kernel.cu\""), std::string::npos) << "the name under which it was compiled";
    EXPECT_NE(text.find('"' + source + '"'), std::string::npos);
}

TEST_F(RecordedFaultTest, AToolThatWasNotRecordedIsNamedBesideTheOthers)
{
    stepUntil(id, SessionAction::sanitize);
    gpu.sanitizerLogs.erase(std::string(kFaulty) + " initcheck");
    SessionView view = unwrap(engine.act(id, SessionAction::sanitize));
    Json checks = Json::parse(view.events.back().dataJson)["checks"];
    ASSERT_EQ(checks.size(), kSanitizerTools.size());
    for (const Json& check : checks)
        EXPECT_EQ(textAt(check, "trouble").empty(), check["tool"] != "initcheck") << check["tool"];
    view = unwrap(engine.act(id, SessionAction::sanitize, "initcheck"));
    EXPECT_TRUE(Json::parse(view.events.back().dataJson)["checks"].empty()) << "nothing of it was recorded";
    EXPECT_EQ(view.events.back().type, "sanitized");
}

} // namespace
} // namespace kl::test
