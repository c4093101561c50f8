// SPDX-License-Identifier: MIT
#include "core/base/ids.h"
#include "profiler/client/wire.h"
#include "profiler/protocol/build_messages.h"
#include "profiler/protocol/message_codec.h"
#include "profiler/protocol/timing_messages.h"

#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

namespace kl {
namespace {

WorkSpec fullWork()
{
    WorkSpec w;
    w.kernel = "transpose/tiled@TILE=32";
    w.problem = "M=64,N=65";
    w.source = "extern \"C\" __global__ void tiled() {}";
    w.sourceHash = contentHash(w.source);
    w.options = {"-DTILE=32"};
    w.launches = {{"tiled", {2, 3, 1}, {32, 8, 1}, 4224, {{"in", {}, 0}, {"", DType::i32, 64}}, 2}};
    w.graph = true;
    w.buffers = {{"in", DType::bf16, 4160, BufferRole::input, Fill::ramp, 0.5}};
    w.reference = {"transpose", {{"M", 64}}, {"in"}, "out"};
    w.tolerance = {0.5, 0.25};
    w.baseline = {"copy", "device copy", "", {{"bytes", 1024}}, "roof"};
    w.flops = 12;
    w.idealBytes = 34;
    w.seed = 7;
    return w;
}

TEST(Protocol, AWorkSpecificationSurvivesTheWire)
{
    const CompileRequest request{fullWork()};
    const auto back = fromJsonMessage<CompileRequest>(*parseJson(encode(toJsonMessage(request)), "wire"));
    ASSERT_TRUE(back.ok()) << back.error().message;
    EXPECT_EQ(back->work, request.work);
}

TEST(Protocol, ABuildOfManyPointsSurvivesTheWire)
{
    BuildManyRequest request{"source", {{"a.h", "text"}}, "sm_100", 3, true, {{"k/v", "sm_90a", {"-DTILE=32"}, {{"entry", 128, 4096}}}}};
    const auto requested = fromJsonMessage<BuildManyRequest>(*parseJson(encode(toJsonMessage(request)), "wire"));
    ASSERT_TRUE(requested.ok()) << requested.error().message;
    EXPECT_EQ(toJsonMessage(*requested), toJsonMessage(request));
    EXPECT_EQ(requested->headers, request.headers);
    EXPECT_EQ(requested->arch, "sm_100");
    EXPECT_EQ(requested->jobs, 3);
    EXPECT_TRUE(requested->lines);
    ASSERT_EQ(requested->points.size(), 1u);
    EXPECT_EQ(requested->points[0].arch, "sm_90a");
    EXPECT_EQ(requested->points[0].options, request.points[0].options);
    EXPECT_EQ(requested->points[0].launches.at(0).threads, 128);
    EXPECT_EQ(requested->points[0].launches.at(0).dynamicSmem, 4096);

    const CompiledLaunch launch{"entry", 128, 40, 16, 24, 32, 512, 4096, 2, {{"mma", 8}}, {{7, {{"int", 3}}}}};
    const BuildManyAnswer answer{"NVRTC 13.0", "sm_100", 3, 1.5, {{"k/v", true, "sm_90a", "a warning", 0.5, true, "hash", {launch}}}};
    const auto back = fromJsonMessage<BuildManyAnswer>(*parseJson(encode(toJsonMessage(answer)), "wire"));
    ASSERT_TRUE(back.ok()) << back.error().message;
    EXPECT_EQ(back->compiler, answer.compiler);
    EXPECT_EQ(back->seconds, 1.5);
    ASSERT_EQ(back->points.size(), 1u);
    const BuiltPoint& point = back->points[0];
    EXPECT_EQ(point.launches, std::vector{launch});
    EXPECT_TRUE(point.ok && point.cached);
    EXPECT_EQ(point.log, "a warning");
    EXPECT_EQ(point.seconds, 0.5);
    EXPECT_EQ(point.code, "hash");
}

TEST(Protocol, ARunAnswerSurvivesTheWire)
{
    RunAnswer answer;
    answer.status = ResultStatus::validationFailed;
    answer.reason = "wrong";
    answer.device.name = "GPU";
    answer.timing.emplace().gpu = {1, 0.5, 2, 100};
    answer.timing->samples = {1, 2, 3};
    answer.metrics.emplace().values = {{"a.sum", 1.5}, {"b.sum", std::nullopt}};
    answer.metrics->missing = {{"b.sum", "not on this chip"}};
    answer.warnings = {{"throttled", "hot"}};
    const auto back = fromJsonMessage<RunAnswer>(toJsonMessage(answer));
    ASSERT_TRUE(back.ok()) << back.error().message;
    EXPECT_EQ(*back, answer);
}

TEST(Protocol, AFieldOfTheWrongTypeIsNamed)
{
    Json json = toJsonMessage(CompileRequest{fullWork()});
    json["work"]["buffers"][0]["count"] = "many";
    const auto back = fromJsonMessage<CompileRequest>(json);
    ASSERT_FALSE(back.ok());
    EXPECT_NE(back.error().message.find("work.buffers[0].count"), std::string::npos) << back.error().message;
}

TEST(Protocol, UnknownFieldsAreIgnored)
{
    Json json = toJsonMessage(Hello{});
    json["from_the_future"] = 1;
    EXPECT_TRUE(fromJsonMessage<Hello>(json).ok());
}

TEST(RequestKey, DoesNotDependOnTheSource)
{
    RunRequest a{fullWork(), {}, true, true, 200, 0.1, 3};
    RunRequest b = a;
    b.work.source = "changed";
    b.work.sourceHash = contentHash("changed");
    b.work.options = {"-DOTHER"};
    EXPECT_EQ(requestKey(Verb::run, toJsonMessage(a)), requestKey(Verb::run, toJsonMessage(b)));
}

TEST(RequestKey, DoesNotDependOnWhetherExperimentsAreMadeToo)
{
    ProfileRequest plain;
    plain.run = {fullWork(), {}, true, true, 200, 0.1, 3};
    ProfileRequest more = plain;
    more.experiments = true;
    EXPECT_EQ(requestKey(Verb::profile, toJsonMessage(plain)), requestKey(Verb::profile, toJsonMessage(more)));
    more.pmSampling = true;
    EXPECT_EQ(requestKey(Verb::profile, toJsonMessage(plain)), requestKey(Verb::profile, toJsonMessage(more)));
    more.tier = 0;
    EXPECT_NE(requestKey(Verb::profile, toJsonMessage(plain)), requestKey(Verb::profile, toJsonMessage(more)));
}

TEST(RequestKey, DependsOnKernelProblemVerbAndSettings)
{
    const RunRequest a{fullWork(), {}, true, true, 200, 0.1, 3};
    const std::string key = requestKey(Verb::run, toJsonMessage(a));
    RunRequest kernel = a;
    kernel.work.kernel = "transpose/padded";
    RunRequest problem = a;
    problem.work.problem = "M=1,N=1";
    RunRequest untimed = a;
    untimed.timed = false;
    EXPECT_NE(key, requestKey(Verb::run, toJsonMessage(kernel)));
    EXPECT_NE(key, requestKey(Verb::run, toJsonMessage(problem)));
    EXPECT_NE(key, requestKey(Verb::run, toJsonMessage(untimed)));
    EXPECT_NE(key, requestKey(Verb::compile, toJsonMessage(a)));
    EXPECT_EQ(key.size(), 40u);
}

TEST(Verbs, AreNamedByTheirWords)
{
    for (const VerbTraits& traits : kVerbTraits) {
        EXPECT_EQ(parseVerb(traits.word), traits.verb);
        EXPECT_STREQ(toWord(traits.verb), traits.word);
    }
    EXPECT_FALSE(parseVerb("cancel"));
    EXPECT_FALSE(parseVerb(""));
}

TEST(Verbs, ThoseThatMeasureNeedADeviceAndThoseThatCheckRunReferences)
{
    const std::map<Verb, std::pair<bool, bool>> needs{
        {Verb::compile, {true, false}}, {Verb::run, {true, true}},       {Verb::profile, {true, true}},  {Verb::count, {true, false}},
        {Verb::launch, {true, false}},  {Verb::compare, {true, true}},   {Verb::timeline, {true, true}}, {Verb::environment, {false, true}},
        {Verb::probe, {false, false}},  {Verb::metrics, {false, false}}, {Verb::build, {false, false}},  {Verb::buildMany, {false, false}},
        {Verb::trace, {false, false}},  {Verb::sanitize, {false, false}}};
    ASSERT_EQ(needs.size(), kVerbCount);
    for (const auto& [verb, wanted] : needs) {
        EXPECT_EQ(findTraits(verb).needsDevice, wanted.first) << toWord(verb);
        EXPECT_EQ(findTraits(verb).runsReference, wanted.second) << toWord(verb);
    }
}

TEST(RequestKey, OfAProbeIsThatOfAnEmptyObject)
{
    EXPECT_EQ(toJsonMessage(ProbeRequest{}), Json::object());
    EXPECT_EQ(requestKey(Verb::probe, toJsonMessage(ProbeRequest{})), contentHash("probe {}"));
}

TEST(RequestKey, HoldsOfAWorkItsNameAndProblemWhereverItIs)
{
    const auto key = [](const Json& body) { return requestKey(Verb::run, body); };
    const auto work = [](const char* kernel, const char* problem, const char* source) {
        return Json{{"kernel", kernel}, {"problem", problem}, {"source", source}, {"options", {source}}};
    };
    const std::string one = key({{"work", work("a/b", "N=1", "x")}, {"suite", {work("c/d", "N=2", "x")}}});
    EXPECT_EQ(one, key({{"work", work("a/b", "N=1", "y")}, {"suite", {work("c/d", "N=2", "y")}}}));
    EXPECT_NE(one, key({{"work", work("a/c", "N=1", "x")}, {"suite", {work("c/d", "N=2", "x")}}}));
    EXPECT_NE(one, key({{"work", work("a/b", "N=3", "x")}, {"suite", {work("c/d", "N=2", "x")}}}));
    EXPECT_NE(one, key({{"work", work("a/b", "N=1", "x")}, {"suite", {work("c/d", "N=3", "x")}}}));
    EXPECT_NE(one, key({{"work", work("a/b", "N=1", "x")}, {"suite", Json::array()}}));
    EXPECT_NE(key({{"kernel", "a"}, {"problem", "p"}}), key({{"kernel", "a"}, {"problem", "q"}}))
        << "without a source it is not a piece of work";
    EXPECT_EQ(key({{"a", 1}}), key({{"a", 1}, {"b", nullptr}}));
    EXPECT_NE(key({{"a", 1}}), key({{"a", 2}}));
    EXPECT_NE(key({{"a", {1, 2}}}), key({{"a", {2, 1}}}));
    EXPECT_NE(requestKey(Verb::run, {{"a", 1}}), requestKey(Verb::profile, {{"a", 1}}));
    EXPECT_EQ(requestKey(Verb::environment, {{"a", 1}}), requestKey(Verb::environment, {{"a", 2}}));
}

TEST(RequestKey, DoesNotDependOnTheOrderOfFields)
{
    EXPECT_EQ(requestKey(Verb::run, Json{{"a", 1}, {"b", 2}}), requestKey(Verb::run, Json{{"b", 2}, {"a", 1}}));
}

TEST(Wire, ARequestIsOneLine)
{
    const std::string line = requestLine(3, "run", Json{{"text", "two\nlines"}});
    EXPECT_EQ(line.find('\n'), line.size() - 1);
    const Json json = *parseJson(line, "line");
    EXPECT_EQ(json["id"], 3);
    EXPECT_EQ(json["verb"], "run");
    EXPECT_EQ(json["body"]["text"], "two\nlines");
}

TEST(Wire, EventsAreReadByKind)
{
    EXPECT_EQ(parseWorkerEvent(R"({"event":"hello","protocol":1,"version":"x","devices":[]})")->hello->version, "x");
    EXPECT_EQ(parseWorkerEvent(R"({"event":"progress","id":4,"seq":2,"step":"s"})")->progress->seq, 2);
    EXPECT_EQ(parseWorkerEvent(R"({"event":"error","id":4,"code":"refused","message":"m"})")->error->code, ErrorCode::refused);
    const auto timed = parseWorkerEvent(R"({"event":"result","id":4,"body":{},"phases":[{"name":"context","begin_ns":5,"end_ns":9}]})");
    EXPECT_EQ(timed->phases, (std::vector<TimedPart>{{"context", 5, 9}}));
    EXPECT_TRUE(parseWorkerEvent(R"({"event":"result","id":4,"body":{},"phases":"none"})")->phases.empty());
    const auto result = parseWorkerEvent(R"({"event":"result","id":4,"body":{"a":1}})");
    EXPECT_EQ(result->id, 4);
    EXPECT_EQ(encode(result->answer), R"({"a":1})");
}

TEST(Wire, EachEventHasWhatBelongsToIt)
{
    const auto partial = parseWorkerEvent(R"({"event":"partial","id":4,"body":{"a":1}})");
    ASSERT_TRUE(partial);
    EXPECT_EQ(partial->kind, WorkerEvent::Kind::partial);
    EXPECT_EQ(encode(partial->answer), R"({"a":1})");
    EXPECT_FALSE(partial->last);
    const auto output = parseWorkerEvent(R"({"event":"output","id":4,"base64":"aGk=","errors":true})");
    ASSERT_TRUE(output);
    EXPECT_EQ(output->kind, WorkerEvent::Kind::output);
    EXPECT_EQ(output->output, "hi");
    EXPECT_TRUE(output->errors);
    EXPECT_FALSE(parseWorkerEvent(R"({"event":"output","id":4,"base64":"aGk="})")->errors);
    EXPECT_TRUE(parseWorkerEvent(R"({"event":"result","id":4,"body":{},"last":true})")->last);
    EXPECT_EQ(parseWorkerEvent(R"({"event":"hello","protocol":1,"version":"x","devices":[]})")->kind, WorkerEvent::Kind::hello);
    EXPECT_FALSE(parseWorkerEvent(R"({"event":"hello","protocol":1,"version":"x","devices":[]})")->id);
    EXPECT_EQ(parseWorkerEvent(R"({"event":"progress","id":4,"seq":2,"step":"s"})")->kind, WorkerEvent::Kind::progress);
    EXPECT_EQ(parseWorkerEvent(R"({"event":"error","id":4,"code":"refused","message":"m"})")->kind, WorkerEvent::Kind::error);
    for (const char* id : {"\"4\"", "4.5", "null", "[4]"})
        EXPECT_FALSE(parseWorkerEvent(std::string(R"({"event":"result","body":{},"id":)") + id + '}')->id) << id;
    for (const char* line : {R"({"event":"partial","id":4})", R"({"event":"output","id":4,"base64":"*"})", R"({"event":7})",
                             R"({"event":"hello","protocol":"one"})", R"({"event":"progress","id":4,"seq":"two"})"}) {
        const auto none = parseWorkerEvent(line);
        EXPECT_FALSE(none) << line;
    }
    const auto shown = parseWorkerEvent("no event " + std::string(300, 'x'));
    EXPECT_EQ(shown.error().code, ErrorCode::internal);
    EXPECT_EQ(shown.error().detail, "no event " + std::string(191, 'x'));
}

TEST(Wire, AnErrorKeepsAllOfItsParts)
{
    const auto failed = parseWorkerEvent(R"({"event":"error","id":4,"code":"bad-input","message":"m","hint":"h","where":"w","detail":"d",)"
                                         R"("last":true,"phases":[{"name":"compile","begin_ns":2,"end_ns":3}]})");
    ASSERT_TRUE(failed);
    ASSERT_TRUE(failed->error);
    EXPECT_EQ(failed->error->code, ErrorCode::badInput);
    EXPECT_EQ(failed->error->message, "m");
    EXPECT_EQ(failed->error->hint, "h");
    EXPECT_EQ(failed->error->where, "w");
    EXPECT_EQ(failed->error->detail, "d");
    EXPECT_EQ(failed->id, 4);
    EXPECT_TRUE(failed->last);
    EXPECT_EQ(failed->phases, (std::vector<TimedPart>{{"compile", 2, 3}}));
    const auto step = parseWorkerEvent(R"({"event":"progress","id":7,"seq":2,"step":"s","elapsed_s":1.5,"expected_s":4})");
    ASSERT_TRUE(step);
    ASSERT_TRUE(step->progress);
    EXPECT_EQ(step->progress->step, "s");
    EXPECT_EQ(step->progress->elapsed, 1.5);
    EXPECT_EQ(step->progress->expected, 4);
    EXPECT_EQ(step->id, 7);
    EXPECT_FALSE(step->last);
}

TEST(Tail, HoldsAsManyBytesAsItIsAllowed)
{
    Tail tail(8);
    tail.append("1234567\n");
    EXPECT_EQ(tail.text(), "1234567\n");
    tail.append("ab\n");
    EXPECT_EQ(tail.text(), "ab\n") << "the first line is cut at its end";
    tail.append("");
    EXPECT_EQ(tail.text(), "ab\n");
    tail.append("cd\nef");
    EXPECT_EQ(tail.text(), "ab\ncd\nef");
    tail.append("g");
    EXPECT_EQ(tail.text(), "cd\nefg");
}

TEST(Wire, TimesOfNoClockAreLeftOut)
{
    const auto part = [](const std::string& name, std::int64_t begin, std::int64_t end) {
        return Json{{"name", name}, {"begin_ns", begin}, {"end_ns", end}};
    };
    constexpr auto kLeast = std::numeric_limits<std::int64_t>::min();
    constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
    const auto parts = timingsFromJson(Json{part("a", 1, 2), part("before all time", kLeast, 2), part("backwards", 3, 2),
                                            part("after all time", 5, kMost), part(std::string(1000, 'x'), 1, 2)});
    ASSERT_EQ(parts.size(), 2U);
    EXPECT_EQ(parts[0].name, "a");
    EXPECT_EQ(parts[1].endNs, kMost);
}

TEST(Wire, PartsOfNoTimeAndWithLongNamesAreKept)
{
    const std::vector<TimedPart> kept{{"none", 5, 5}, {"from the start", 0, 1}, {std::string(200, 'x'), 1, 2}};
    EXPECT_EQ(timingsFromJson(timingsToJson(kept)), kept);
    EXPECT_TRUE(timingsFromJson(timingsToJson({{std::string(201, 'x'), 1, 2}, {"before", -1, 2}, {"backwards", 6, 5}})).empty());
}

TEST(Wire, AnythingElseIsNotAnEvent)
{
    for (const char* line : {"text", "[]", "{}", R"({"event":"dance"})", R"({"event":"result","id":1})"})
        EXPECT_FALSE(parseWorkerEvent(line).ok()) << line;
}

TEST(Tail, KeepsWholeLastLines)
{
    Tail tail(16);
    tail.append("first line\nsecond line\nthird\n");
    EXPECT_EQ(tail.text(), "third\n");
    tail.append("0123456789");
    EXPECT_EQ(tail.text(), "third\n0123456789") << "as much as it holds";
    tail.append("!");
    EXPECT_EQ(tail.text(), "0123456789!");
    tail.append("no end of a line");
    EXPECT_EQ(tail.text(), "no end of a line") << "the last bytes of one long line";
    tail.clear();
    EXPECT_EQ(tail.text(), "");
}

} // namespace
} // namespace kl
