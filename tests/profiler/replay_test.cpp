// SPDX-License-Identifier: MIT
#include "profiler/replay/replay.h"

#include "core/base/resource.h"
#include "profiler/protocol/message_codec.h"
#include "profiler/replay/capture_file.h"

#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace kl {
namespace {

using testing::HasSubstr;

WorkSpec makeWork(const std::string& kernel, const std::string& problem, const std::string& source = "__global__ void k() {}")
{
    WorkSpec work;
    work.kernel = kernel;
    work.problem = problem;
    work.source = source;
    work.sourceHash = contentHash(source);
    return work;
}

RunRequest makeRunRequest(const std::string& kernel, const std::string& problem, const std::string& source = "__global__ void k() {}")
{
    RunRequest request;
    request.work = makeWork(kernel, problem, source);
    return request;
}

/// Answers as a worker would: with what was asked, so that a test sees which recording it got.
class FakeLive final : public Collector {
public:
    explicit FakeLive(const std::string& device = "Recorded GPU")
    {
        hello_.version = "1.2.3";
        hello_.devices.push_back({});
        hello_.devices[0].uuid = "GPU-1";
        hello_.devices[0].name = device;
        hello_.devices[0].driverVersion = "580.1";
    }
    Source source() const override { return Source::live; }
    const Hello& hello() const override { return hello_; }
    Result<Json> ask(Verb verb, const Json& body, const Job&) override
    {
        ++requested;
        if (verb == Verb::run) {
            RunAnswer answer;
            answer.reason = body["work"]["problem"].get<std::string>();
            answer.sourceHash = body["work"]["source_hash"].get<std::string>();
            answer.memoryBytes = requested;
            return toJsonMessage(answer);
        }
        if (verb == Verb::profile) {
            RunAnswer answer;
            answer.metrics.emplace().tier = body["tier"].get<int>();
            return toJsonMessage(answer);
        }
        if (verb == Verb::probe) {
            ProbeAnswer answer;
            answer.nvrtcVersion = "13.0";
            answer.python = "python3, torch";
            return toJsonMessage(answer);
        }
        if (verb == Verb::compare)
            return toJsonMessage(AbAnswer{});
        return Error{.code = ErrorCode::kernelFailed, .message = "It hung."};
    }
    int requested = 0;

private:
    Hello hello_;
};

class Replay : public testing::Test {
protected:
    void SetUp() override { file_ = std::filesystem::temp_directory_path() / ("kl-replay-" + std::to_string(::getpid()) + ".zst"); }
    void TearDown() override { std::filesystem::remove(file_); }

    std::string saved()
    {
        const Status status = recorder_->save(file_);
        EXPECT_TRUE(status.ok());
        std::ifstream in(file_, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    std::unique_ptr<Collector> replayed()
    {
        auto opened = openCapture(saved(), "test capture");
        EXPECT_TRUE(opened.ok()) << (opened ? "" : opened.error().message);
        return opened ? std::move(*opened) : nullptr;
    }

    FakeLive live_;
    std::unique_ptr<Recorder> recorder_ = recordFrom(live_);
    std::filesystem::path file_;
};

TEST_F(Replay, TheRecorderPassesAnswersOnUnchanged)
{
    const Result<RunAnswer> answer = run(*recorder_, makeRunRequest("copy/plain", "N=8"));
    ASSERT_TRUE(answer.ok());
    EXPECT_EQ(answer->reason, "N=8");
    EXPECT_TRUE(answer->recordedAt.empty());
    EXPECT_EQ(recorder_->source(), Source::live);
    EXPECT_EQ(recorder_->hello().version, "1.2.3");
}

TEST_F(Replay, ARecordedRequestIsAnsweredWithItsDate)
{
    ASSERT_TRUE(run(*recorder_, makeRunRequest("copy/plain", "N=8")).ok());
    const auto replay = replayed();
    const Result<RunAnswer> answer = run(*replay, makeRunRequest("copy/plain", "N=8"));
    ASSERT_TRUE(answer.ok()) << answer.error().message;
    EXPECT_EQ(answer->reason, "N=8");
    EXPECT_THAT(answer->recordedAt, testing::MatchesRegex("20..-..-..T..:..:......Z"));
    EXPECT_TRUE(answer->warnings.empty());
}

TEST_F(Replay, ReplayIsMarkedAsSampleAndKnowsTheDevice)
{
    const auto replay = replayed();
    EXPECT_EQ(replay->source(), Source::sample);
    ASSERT_EQ(replay->hello().devices.size(), 1u);
    EXPECT_EQ(replay->hello().devices[0].name, "Recorded GPU");
    EXPECT_EQ(replay->hello().version, "1.2.3");
    EXPECT_FALSE(replay->hello().unavailable);
}

TEST_F(Replay, SeveralProblemsAndTiersAreKeptApart)
{
    for (const char* problem : {"N=8", "N=16"})
        ASSERT_TRUE(run(*recorder_, makeRunRequest("copy/plain", problem)).ok());
    for (const int tier : {0, 1, 2})
        ASSERT_TRUE(profile(*recorder_, {makeRunRequest("copy/plain", "N=8"), tier, {}, 0}).ok());
    const auto replay = replayed();
    EXPECT_EQ(run(*replay, makeRunRequest("copy/plain", "N=16"))->reason, "N=16");
    EXPECT_EQ(profile(*replay, {makeRunRequest("copy/plain", "N=8"), 1, {}, 0})->metrics->tier, 1);
    EXPECT_EQ(profile(*replay, {makeRunRequest("copy/plain", "N=8"), 2, {}, 0})->metrics->tier, 2);
}

TEST_F(Replay, ASuiteIsPartOfTheKey)
{
    RunRequest withSuite = makeRunRequest("copy/plain", "N=8");
    withSuite.suite = {makeWork("copy/plain", "N=1"), makeWork("copy/plain", "N=8")};
    ASSERT_TRUE(run(*recorder_, withSuite).ok());
    const auto replay = replayed();
    EXPECT_TRUE(run(*replay, withSuite).ok());
    EXPECT_FALSE(run(*replay, makeRunRequest("copy/plain", "N=8")).ok());
}

TEST_F(Replay, AChangedSourceIsAnsweredWithAWarning)
{
    ASSERT_TRUE(run(*recorder_, makeRunRequest("copy/plain", "N=8", "old")).ok());
    const auto replay = replayed();
    const Result<RunAnswer> answer = run(*replay, makeRunRequest("copy/plain", "N=8", "new"));
    ASSERT_TRUE(answer.ok());
    ASSERT_EQ(answer->warnings.size(), 1u);
    EXPECT_EQ(answer->warnings[0].code, "recorded-from-older-source");
    EXPECT_THAT(answer->warnings[0].text, HasSubstr("copy/plain"));
    EXPECT_EQ(answer->sourceHash, contentHash("old")) << "what was measured is the old source";
}

TEST_F(Replay, AChangedSourceOfOneSideOfAnAbIsNamed)
{
    AbRequest request;
    request.a = makeWork("copy/plain", "N=8");
    request.b = makeWork("copy/vector", "N=8");
    ASSERT_TRUE(interleave(*recorder_, request).ok());
    const auto replay = replayed();
    request.b = makeWork("copy/vector", "N=8", "changed");
    const Result<AbAnswer> answer = interleave(*replay, request);
    ASSERT_TRUE(answer.ok()) << answer.error().message;
    ASSERT_EQ(answer->warnings.size(), 1u);
    EXPECT_THAT(answer->warnings[0].text, HasSubstr("copy/vector"));
}

TEST_F(Replay, WhatWasNotRecordedIsReportedWithWhatIs)
{
    ASSERT_TRUE(run(*recorder_, makeRunRequest("copy/plain", "N=8")).ok());
    ASSERT_TRUE(profile(*recorder_, {makeRunRequest("copy/plain", "N=16"), 1, {}, 0}).ok());
    const auto replay = replayed();
    const Result<RunAnswer> answer = run(*replay, makeRunRequest("copy/plain", "N=999"));
    ASSERT_FALSE(answer.ok());
    EXPECT_EQ(answer.error().code, ErrorCode::notRecorded);
    EXPECT_THAT(answer.error().message, AllOf(HasSubstr("run"), HasSubstr("copy/plain")));
    EXPECT_THAT(answer.error().message, HasSubstr("N=999"));
    EXPECT_THAT(answer.error().hint, HasSubstr("N=8"));
    EXPECT_THAT(answer.error().hint, testing::Not(HasSubstr("N=16"))); // only what was recorded of the same verb ...
    const Result<RunAnswer> other = profile(*replay, {makeRunRequest("copy/plain", "N=16"), 2, {}, 0});
    ASSERT_FALSE(other.ok());
    EXPECT_THAT(other.error().hint, AllOf(HasSubstr("run"), HasSubstr("tier 1"))); // ... and what there is, where there is none of that
}

TEST_F(Replay, AnUnknownKernelSaysThatNothingIsRecordedForIt)
{
    ASSERT_TRUE(run(*recorder_, makeRunRequest("copy/plain", "N=8")).ok());
    const auto replay = replayed();
    const Result<RunAnswer> answer = run(*replay, makeRunRequest("mine/own", "N=1"));
    ASSERT_FALSE(answer.ok());
    EXPECT_EQ(answer.error().code, ErrorCode::notRecorded);
    EXPECT_EQ(answer.error().where, "mine/own");
    EXPECT_THAT(answer.error().hint, AllOf(HasSubstr(" mine/own."), testing::Not(HasSubstr(":")))) << "no list follows";
}

TEST_F(Replay, FailuresOfTheLiveSideAreNotRecorded)
{
    EXPECT_FALSE(compile(*recorder_, {makeWork("copy/plain", "N=8")}).ok());
    const auto replay = replayed();
    const Result<CompileAnswer> answer = compile(*replay, {makeWork("copy/plain", "N=8")});
    ASSERT_FALSE(answer.ok());
    EXPECT_EQ(answer.error().code, ErrorCode::notRecorded);
}

TEST_F(Replay, AskedTwiceTheNewestAnswerCounts)
{
    ASSERT_TRUE(run(*recorder_, makeRunRequest("copy/plain", "N=8")).ok());
    ASSERT_TRUE(run(*recorder_, makeRunRequest("copy/plain", "N=8")).ok());
    EXPECT_EQ(run(*replayed(), makeRunRequest("copy/plain", "N=8"))->memoryBytes, 2);
}

TEST_F(Replay, AResumedRecordingKeepsWhatIsNotTestedAgain)
{
    ASSERT_TRUE(run(*recorder_, makeRunRequest("copy/plain", "N=8")).ok());
    ASSERT_TRUE(run(*recorder_, makeRunRequest("copy/plain", "N=9")).ok());
    const std::string earlier = saved();
    recorder_ = recordFrom(live_);
    ASSERT_TRUE(recorder_->resume(earlier, "earlier").ok());
    ASSERT_TRUE(run(*recorder_, makeRunRequest("copy/plain", "N=9")).ok());
    const auto replay = replayed();
    EXPECT_EQ(run(*replay, makeRunRequest("copy/plain", "N=8"))->memoryBytes, 1);
    EXPECT_EQ(run(*replay, makeRunRequest("copy/plain", "N=9"))->memoryBytes, 3);
}

TEST_F(Replay, ARunOverASuiteThatTheFamilyHasNoLongerIsDropped)
{
    const auto makeSuiteRequest = [](const char* size) {
        RunRequest request = makeRunRequest("copy/plain", "N=8");
        request.suite = {makeWork("copy/plain", size)};
        return request;
    };
    ASSERT_TRUE(run(*recorder_, makeRunRequest("copy/plain", "N=8")).ok());
    ASSERT_TRUE(run(*recorder_, makeSuiteRequest("N=1")).ok());
    const std::string earlier = saved();
    recorder_ = recordFrom(live_);
    ASSERT_TRUE(recorder_->resume(earlier, "earlier").ok());
    ASSERT_TRUE(run(*recorder_, makeSuiteRequest("N=2")).ok());
    const auto replay = replayed();
    EXPECT_TRUE(run(*replay, makeSuiteRequest("N=2")).ok());
    EXPECT_TRUE(run(*replay, makeRunRequest("copy/plain", "N=8")).ok()) << "a run without a suite is another question";
    EXPECT_EQ(run(*replay, makeSuiteRequest("N=1")).error().code, ErrorCode::notRecorded);
}

TEST_F(Replay, WhatIsBesideADroppedRunKeepsItsPlace)
{
    const auto makeSuiteRequest = [](const char* size) {
        RunRequest request = makeRunRequest("copy/plain", "N=8");
        request.suite = {makeWork("copy/plain", size)};
        return request;
    };
    const RunRequest other = makeRunRequest("copy/plain", "N=9");
    ASSERT_TRUE(run(*recorder_, makeSuiteRequest("N=1")).ok());
    ASSERT_TRUE(run(*recorder_, other).ok());
    ASSERT_TRUE(run(*recorder_, makeSuiteRequest("N=2")).ok());
    ASSERT_TRUE(run(*recorder_, other).ok());
    const auto replay = replayed();
    EXPECT_EQ(run(*replay, makeSuiteRequest("N=2"))->memoryBytes, 3);
    EXPECT_EQ(run(*replay, other)->memoryBytes, 4);
    EXPECT_EQ(unpackRequests(saved(), "x")->size(), 2U);
    ASSERT_TRUE(profile(*recorder_, {makeSuiteRequest("N=1"), 1, {}, 0}).ok());
    ASSERT_TRUE(profile(*recorder_, {makeSuiteRequest("N=2"), 1, {}, 0}).ok());
    EXPECT_EQ(unpackRequests(saved(), "x")->size(), 4U) << "of runs alone";

    recorder_ = recordFrom(live_);
    const ProfileRequest first{other, 1, {}, 0};
    ASSERT_TRUE(profile(*recorder_, first).ok());
    ASSERT_TRUE(run(*recorder_, makeSuiteRequest("N=1")).ok());
    ASSERT_TRUE(run(*recorder_, makeSuiteRequest("N=2")).ok());
    ASSERT_TRUE(profile(*recorder_, first).ok());
    EXPECT_EQ(unpackRequests(saved(), "x")->size(), 2U) << "and so does what comes before it";
}

TEST_F(Replay, WhatIsRecordedIsListedOnce)
{
    RunRequest again = makeRunRequest("copy/plain", "N=8");
    again.maxSamples = 3; // another question, which reads the same
    ASSERT_TRUE(run(*recorder_, makeRunRequest("copy/plain", "N=8")).ok());
    ASSERT_TRUE(run(*recorder_, again).ok());
    ASSERT_TRUE(run(*recorder_, makeRunRequest("copy/plain", "N=16")).ok());
    ASSERT_TRUE(run(*recorder_, makeRunRequest("copy/other", "N=1")).ok());
    ASSERT_TRUE(profile(*recorder_, {makeRunRequest("copy/plain", "N=8"), 1, {}, 0}).ok());
    const auto replay = replayed();
    EXPECT_THAT(run(*replay, makeRunRequest("copy/plain", "N=999")).error().hint, HasSubstr(" copy/plain: N=8; N=16. "));
    EXPECT_THAT(profile(*replay, {makeRunRequest("copy/plain", "N=8"), 2, {}, 0}).error().hint,
                HasSubstr(" copy/plain: run, tier 1 profile. "));
    EXPECT_EQ(run(*replay, makeRunRequest("copy/plain", "N=999")).error().where, "copy/plain");
}

TEST_F(Replay, AnAnswerWithoutWarningsGetsNone)
{
    Conversation reported = describeRequest(Verb::run, toJsonMessage(makeRunRequest("copy/plain", "N=8", "old")));
    reported.at = "2026-01-02T03:04:05Z";
    for (const char* text : {"{\"a\":1}", "{\"warnings\":7}", "[1]", "3"}) {
        reported.answer = Json::parse(text);
        const auto replay = openCapture(*compressCapture(headerLine({}) + '\n' + conversationLine(reported) + '\n'), "x");
        ASSERT_TRUE(replay.ok());
        const Result<Json> answer = (*replay)->ask(Verb::run, toJsonMessage(makeRunRequest("copy/plain", "N=8", "new")), {});
        ASSERT_TRUE(answer.ok()) << text;
        EXPECT_EQ(*answer, reported.answer) << text;
    }
}

TEST_F(Replay, ARecordingOfAnotherDeviceIsNotResumed)
{
    const std::string earlier = saved();
    FakeLive other("Another GPU");
    const Status resumed = recordFrom(other)->resume(earlier, "earlier.zst");
    ASSERT_FALSE(resumed.ok());
    EXPECT_EQ(resumed.error().code, ErrorCode::badInput);
    EXPECT_THAT(resumed.error().message, HasSubstr("Recorded GPU"));
    EXPECT_FALSE(recordFrom(live_)->resume("no capture", "notes.txt").ok());
}

TEST_F(Replay, TheEnvironmentIsFoundWhateverItsBody)
{
    const Json answer = toJsonMessage(EnvReport{});
    const Conversation reported = describeRequest(Verb::environment, toJsonMessage(EnvRequest{"", "/a", makeWork("copy/plain", "N=8")}));
    EXPECT_EQ(reported.key, describeRequest(Verb::environment, toJsonMessage(EnvRequest{"2.2", "/b", {}})).key);
    EXPECT_EQ(reported.body["smoke"]["source"], "");
}

TEST_F(Replay, TheFolderOfARecordedCheckIsNamedForWhatItWas)
{
    const EnvRequest requested{"", "/tmp/recorder-1", {}};
    Conversation reported = describeRequest(Verb::environment, toJsonMessage(requested));
    EnvReport report;
    report.checks = {{"disk", Requirement::required, CheckResult::pass, "63 GiB free for /tmp/recorder-1", {}, {}},
                     {"gpu", Requirement::required, CheckResult::pass, "/tmp/another", {}, {}}};
    reported.answer = toJsonMessage(report);
    const auto replay = openCapture(*compressCapture(headerLine({}) + '\n' + conversationLine(reported) + '\n'), "x");
    ASSERT_TRUE(replay.ok()) << replay.error().message;
    const Result<EnvReport> answer = checkEnvironment(**replay, EnvRequest{"", "/home/me", {}});
    ASSERT_TRUE(answer.ok()) << answer.error().message;
    EXPECT_THAT(answer->checks.at(0).found,
                AllOf(testing::MatchesRegex("63 GiB free for .+"), testing::Not(HasSubstr("/")))); // nothing of its path
    EXPECT_EQ(answer->checks.at(1).found, "/tmp/another");
}

TEST_F(Replay, SourcesAreLeftOutAndTheirHashesKept)
{
    const std::string secret = "__global__ void unmistakable() {}";
    ASSERT_TRUE(run(*recorder_, makeRunRequest("copy/plain", "N=8", secret)).ok());
    const Result<std::string> text = decompressCapture(saved(), "test");
    ASSERT_TRUE(text.ok());
    EXPECT_EQ(text->find("unmistakable"), std::string::npos);
    EXPECT_NE(text->find(contentHash(secret)), std::string::npos);
}

TEST_F(Replay, TheHeaderHoldsDeviceVersionsAndDate)
{
    ASSERT_TRUE(probe(*recorder_).ok());
    const Result<std::string> text = decompressCapture(saved(), "test");
    const Result<CaptureHeader> header = parseHeader(splitIntoLines(*text).front(), "test");
    ASSERT_TRUE(header.ok()) << header.error().message;
    EXPECT_EQ(header->device.name, "Recorded GPU");
    EXPECT_EQ(header->versions.at("nvrtc"), "13.0");
    EXPECT_EQ(header->versions.at("driver"), "580.1");
    EXPECT_EQ(header->program, "1.2.3");
    EXPECT_FALSE(header->recordedAt.empty());
}

TEST_F(Replay, RequestsOfListsEveryConversation)
{
    ASSERT_TRUE(run(*recorder_, makeRunRequest("copy/plain", "N=8")).ok());
    ASSERT_TRUE(profile(*recorder_, {makeRunRequest("copy/plain", "N=16"), 2, {}, 0}).ok());
    const auto requests = unpackRequests(saved(), "test");
    ASSERT_TRUE(requests.ok());
    ASSERT_EQ(requests->size(), 2u);
    EXPECT_EQ((*requests)[0].verb, Verb::run);
    EXPECT_EQ((*requests)[0].kernel, "copy/plain");
    EXPECT_EQ((*requests)[1].problem, "N=16");
    EXPECT_EQ((*requests)[1].body["tier"], 2);
}

TEST_F(Replay, ARecordedBodyFindsItsOwnAnswer)
{
    ASSERT_TRUE(run(*recorder_, makeRunRequest("copy/plain", "N=8")).ok());
    const std::string bytes = saved();
    const auto requests = unpackRequests(bytes, "test");
    const auto replay = openCapture(bytes, "test");
    ASSERT_TRUE(requests.ok() && replay.ok());
    EXPECT_TRUE((*replay)->ask((*requests)[0].verb, (*requests)[0].body, {}).ok());
}

TEST_F(Replay, AStopIsHeeded)
{
    ASSERT_TRUE(run(*recorder_, makeRunRequest("copy/plain", "N=8")).ok());
    std::stop_source stop;
    stop.request_stop();
    const auto answer = run(*replayed(), makeRunRequest("copy/plain", "N=8"), Job{{}, stop.get_token()});
    ASSERT_FALSE(answer.ok());
    EXPECT_EQ(answer.error().code, ErrorCode::interrupted);
}

TEST_F(Replay, SavingIntoAMissingFolderIsBadInput)
{
    const Status status = recorder_->save("/nonexistent/folder/x.zst");
    ASSERT_FALSE(status.ok());
    EXPECT_EQ(status.error().code, ErrorCode::badInput);
}

TEST(CaptureFile, ARequestIsDescribedByWhatItIsAbout)
{
    const auto work = [](const std::string& kernel, const std::string& problem) {
        return Json{
            {"kernel", kernel}, {"problem", problem}, {"source", "text"}, {"source_hash", "hash of " + kernel}, {"options", {"-w"}}};
    };
    const auto about = [](Verb verb, const Json& body) {
        const Conversation one = describeRequest(verb, body);
        EXPECT_EQ(one.verb, verb);
        EXPECT_EQ(one.key, requestKey(verb, body));
        EXPECT_EQ(one.key, requestKey(verb, one.body)) << "the body that is kept gives the same key";
        return one.kernel + '|' + one.problem + '|' + std::to_string(one.tier);
    };
    const Json ofWork{{"work", work("a/b", "N=1")}, {"tier", 2}};
    for (const Verb verb : {Verb::run, Verb::compile, Verb::sanitize, Verb::timeline})
        EXPECT_EQ(about(verb, ofWork), "a/b|N=1|-1") << toWord(verb);
    EXPECT_EQ(about(Verb::build, ofWork), "||-1");
    EXPECT_EQ(about(Verb::profile, {{"run", ofWork}, {"tier", 2}}), "a/b|N=1|2");
    EXPECT_EQ(about(Verb::profile, {{"run", ofWork}, {"tier", "two"}}), "a/b|N=1|-1");
    EXPECT_EQ(about(Verb::profile, {{"run", ofWork}}), "a/b|N=1|-1");
    EXPECT_EQ(about(Verb::compare, {{"a", work("a/b", "N=1")}, {"b", work("c/d", "N=2")}}), "a/b vs c/d|N=1|-1");
    EXPECT_EQ(about(Verb::compare, {{"a", work("a/b", "N=1")}}), "||-1");
    EXPECT_EQ(about(Verb::compare, {{"b", work("a/b", "N=1")}}), "||-1");
    EXPECT_EQ(about(Verb::run, Json::object()), "||-1");
    const Json noWork{{"part", {{"kernel", "a/b"}, {"problem", "N=1"}}}}; // without a source
    EXPECT_TRUE(describeRequest(Verb::run, noWork).sourceHashes.empty());
    EXPECT_EQ(describeRequest(Verb::run, noWork).body, noWork);
    const Conversation pair = describeRequest(Verb::compare, {{"a", work("a/b", "N=1")}, {"b", work("c/d", "N=2")}});
    EXPECT_EQ(pair.sourceHashes, (SourceHashes{{"a/b", "hash of a/b"}, {"c/d", "hash of c/d"}}));
    EXPECT_EQ(pair.body["b"], (Json{{"kernel", "c/d"}, {"problem", "N=2"}, {"source", ""}, {"source_hash", "hash of c/d"}}));
}

TEST(CaptureFile, LinesComeBackAsTheyWere)
{
    Conversation stated =
        describeRequest(Verb::profile, {{"run", {{"work", {{"kernel", "a/b"}, {"problem", "N=1"}, {"source", "s"}}}}}, {"tier", 1}});
    stated.at = "2026-01-02T03:04:05Z";
    stated.answer = Json{{"answer", {{"a", 1}}}};
    const std::string line = conversationLine(stated);
    EXPECT_EQ(findLineKey(line), stated.key);
    for (const bool withAnswer : {false, true}) {
        const Result<Conversation> read = parseConversation(line, "x", withAnswer);
        ASSERT_TRUE(read) << read.error().message;
        EXPECT_EQ(read->key, stated.key);
        EXPECT_EQ(read->verb, Verb::profile);
        EXPECT_EQ(read->kernel, "a/b");
        EXPECT_EQ(read->problem, "N=1");
        EXPECT_EQ(read->tier, 1);
        EXPECT_EQ(read->at, stated.at);
        EXPECT_EQ(read->sourceHashes, stated.sourceHashes);
        EXPECT_EQ(read->body, stated.body);
        EXPECT_EQ(read->answer, withAnswer ? stated.answer : Json());
    }
    EXPECT_EQ(parseConversation("{}", "x.zst", true).error().where, "x.zst");
    EXPECT_FALSE(parseConversation("[]", "x.zst", true));
    EXPECT_FALSE(parseConversation("", "x.zst", true));
    CaptureHeader header;
    header.recordedAt = "then";
    header.program = "1.2";
    header.versions = {{"driver", "580"}};
    header.device.name = "GPU";
    const Result<CaptureHeader> back = parseHeader(headerLine(header), "x");
    ASSERT_TRUE(back);
    EXPECT_EQ(headerLine(*back), headerLine(header));
    EXPECT_EQ(back->device.name, "GPU");
    for (const char* bad : {"", "[]", "{}", "{\"capture\": 2}", "{\"capture\": \"1\"}"})
        EXPECT_EQ(parseHeader(bad, "x.zst").error().where, "x.zst") << bad;
}

TEST(CaptureFile, EmptyLinesCountForNothing)
{
    using Lines = std::vector<std::string_view>;
    EXPECT_EQ(splitIntoLines(""), Lines{});
    EXPECT_EQ(splitIntoLines("\n\n"), Lines{});
    EXPECT_EQ(splitIntoLines("a"), Lines{"a"});
    EXPECT_EQ(splitIntoLines("a\n"), Lines{"a"});
    EXPECT_EQ(splitIntoLines("\na\n\nb\nc"), (Lines{"a", "b", "c"}));
}

TEST(CaptureFile, GarbageIsBadInput)
{
    for (const char* bytes : {"", "garbage", "{\"capture\":1}"}) {
        const auto opened = openCapture(bytes, "x.zst");
        ASSERT_FALSE(opened.ok());
        EXPECT_EQ(opened.error().code, ErrorCode::badInput);
        EXPECT_THAT(opened.error().message, HasSubstr("x.zst"));
    }
}

TEST(CaptureFile, ATruncatedCaptureIsBadInput)
{
    const Result<std::string> whole = compressCapture(headerLine({}) + '\n' + std::string(5000, ' '));
    ASSERT_TRUE(whole.ok());
    EXPECT_FALSE(openCapture(std::string_view(*whole).substr(0, whole->size() - 4), "x").ok());
}

TEST(CaptureFile, AnotherVersionIsRefusedInWords)
{
    const auto opened = openCapture(*compressCapture("{\"capture\":7}\n"), "x");
    ASSERT_FALSE(opened.ok());
    EXPECT_THAT(opened.error().message, HasSubstr("version 7"));
}

TEST(CaptureFile, ALineInAnotherKeyOrderIsStillFound)
{
    Conversation reported = describeRequest(Verb::probe, Json::object());
    const std::string line = R"({"verb":"probe","answer":{"nvrtc":"12.9"},"key":")" + reported.key + "\"}";
    const auto opened = openCapture(*compressCapture(headerLine({}) + '\n' + line + '\n'), "x");
    ASSERT_TRUE(opened.ok()) << opened.error().message;
    const Result<ProbeAnswer> answer = probe(**opened);
    ASSERT_TRUE(answer.ok()) << answer.error().message;
    EXPECT_EQ(answer->nvrtcVersion, "12.9");
}

TEST(CaptureFile, TheFirstLineNeedsNoMoreThanItsStart)
{
    CaptureHeader header;
    header.program = std::string(10000, 'x'); // more than is unpacked at a time
    std::string body;
    for (int i = 0; i < 100000; ++i)
        body += std::to_string(i * 7919 % 100003);
    const std::string bytes = compressCapture(headerLine(header) + '\n' + body + '\n').value();
    const Result<std::string> line = readFirstLine(bytes, "x.zst");
    ASSERT_TRUE(line.ok()) << line.error().message;
    EXPECT_EQ(*line, headerLine(header));
    EXPECT_EQ(readFirstLine(std::string_view(bytes).substr(0, bytes.size() - 100), "x.zst").value(), headerLine(header));
    EXPECT_EQ(readFirstLine(*compressCapture("one"), "x.zst").value(), "one");
    EXPECT_EQ(readFirstLine("garbage", "x.zst").error().code, ErrorCode::badInput);
}

TEST(CaptureFile, KeyOfLineReadsOnlyOurLayout)
{
    const std::string key(40, 'a');
    EXPECT_EQ(findLineKey("{\"key\":\"" + key + "\",\"verb\":\"run\"}"), key);
    EXPECT_FALSE(findLineKey("{\"key\":\"short\"}"));
    EXPECT_EQ(findLineKey("{\"key\":\"" + key + '"'), key) << "nothing behind it";
    EXPECT_FALSE(findLineKey("{\"key\":\"" + key));
    EXPECT_FALSE(findLineKey("{\"key\":\"" + key + "a\"}")) << "a longer one";
    EXPECT_FALSE(findLineKey(""));
    EXPECT_FALSE(findLineKey("{\"verb\":\"run\"}"));
}

TEST(Sample, OpensOrSaysThatNoneIsCarried)
{
    const auto sample = openSample();
    if (resourcesUnder("resources/captures/").empty()) {
        ASSERT_FALSE(sample.ok());
        EXPECT_EQ(sample.error().code, ErrorCode::notRecorded);
        EXPECT_THAT(sample.error().hint, HasSubstr("./dev capture"));
    } else {
        ASSERT_TRUE(sample.ok()) << sample.error().message;
        EXPECT_FALSE((*sample)->hello().devices.empty());
    }
}

// What names no kernel is looked for in every capture, and so is what a request asks of a family that has none.
TEST(Sample, AnswersWhatItHoldsInAnyOrder)
{
    if (resourcesUnder("resources/captures/").empty())
        GTEST_SKIP() << "no recorded sample";
    std::vector<RecordedRequest> all;
    for (const std::string& path : resourcesUnder("resources/captures/"))
        std::ranges::copy(unpackRequests(*resource(path), path).value(), std::back_inserter(all));
    for (const RecordedRequest* request : {&all.back(), &all[all.size() / 2], &all.front()}) {
        const auto sample = openSample();
        EXPECT_TRUE((*sample)->holds(request->verb, request->body)) << request->kernel << ' ' << request->problem;
        EXPECT_TRUE((*sample)->ask(request->verb, request->body, {}).ok());
        EXPECT_FALSE((*sample)->holds(Verb::run, Json{{"work", {{"kernel", "unknown/one"}, {"source_hash", "0"}, {"source", ""}}}}));
        EXPECT_TRUE((*sample)->holds(request->verb, request->body));
    }
}

} // namespace
} // namespace kl
