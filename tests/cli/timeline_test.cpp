// SPDX-License-Identifier: MIT
// Timelines by the command line, of a worker that answers what a GPU recorded.
#include "tests/cli/kloop.h"

#include <fstream>
#include <sstream>

namespace kl::test {
namespace {

/// Two warps: the second waits for the first at barrier 1 from cycle 100 to 900.
constexpr const char* kTimeline =
    R"({"entry":"k","grid_blocks":1,"block_warps":2,"recorded_blocks":1,"automatic":true,"notes":[],"no_overhead":"",)"
    R"("sites":[{"id":1024,"kind":"wait-begin","sync":"barrier","name":"bar.sync","line":5},)"
    R"({"id":1025,"kind":"wait-end","sync":"barrier","name":"bar.sync","line":5},)"
    R"({"id":1026,"kind":"arrive","sync":"barrier","name":"bar.arrive","line":9}],)"
    R"("warps":[{"block":0,"warp":0,"sm":3,"begin_cycle":50,"begin_ns":7,"end_cycle":1000,"end_ns":500,"lost":0,"marks":[1026,900,1]},)"
    R"({"block":0,"warp":1,"sm":3,"begin_cycle":50,"begin_ns":7,"end_cycle":1000,"end_ns":500,"lost":0,"marks":[1024,100,1,1025,805,1]}],)"
    R"("overhead":[{"a":[100,101],"b":[103,104]},{"a":[100,100],"b":[103,103]}]})";

class TimelineCommand : public Kloop {
protected:
    void answerWith(const std::string& body)
    {
        useWorker(R"(
echo '{"event":"hello","protocol":1,"version":"test","devices":[{"name":"Fake GPU","uuid":"GPU-1"}],"unavailable":null}'
while read -r line; do
    id=${line#*\"id\":}; id=${id%%,*}
    case "$line" in
    *'"verb":"timeline"'*) printf '%s\n' "$line" > ')" +
                  file("asked.json") + R"('; echo "{\"event\":\"result\",\"id\":$id,\"body\":$(cat ')" + file("body.json") + R"(')}" ;;
    *'"verb":"shutdown"'*) exit 0 ;;
    esac
done
)");
        write("body.json", body);
    }
    static std::string timelineBody()
    {
        return std::string(R"({"status":"ok","reason":"","device":{"name":"Fake GPU","uuid":"GPU-1"},"timeline":)") + kTimeline + "}";
    }
    static constexpr const char* kKernel = "transpose/tiled";
};

TEST_F(TimelineCommand, NamesWhoWaitsForWhomAndStoresTheRun)
{
    answerWith(timelineBody());
    const Answer answer = kloop({"timeline", kKernel, "--auto", "--blocks", "3", "--json", "--out", file("trace.json")});
    ASSERT_EQ(answer.code, 0) << answer.err;
    const Json json = answer.json();
    EXPECT_EQ(json["schema"], "kernelloop.timeline/1");
    EXPECT_EQ(json["finding"]["waiting"], Json{"warp 1"});
    EXPECT_EQ(json["finding"]["waited_for"], "warp 0");
    EXPECT_NEAR(json["overhead"]["value"].get<double>(), 1.03, 0.01);
    std::ifstream asked(file("asked.json"));
    const Json request = Json::parse(asked);
    EXPECT_EQ(request["body"]["automatic"], true);
    EXPECT_EQ(request["body"]["blocks"], 3);
    std::ifstream trace(file("trace.json"));
    EXPECT_EQ(Json::parse(trace)["displayTimeUnit"], "ns");
    const Answer again = kloop({"timeline", "run:" + json["id"].get<std::string>()});
    EXPECT_EQ(again.code, 0) << again.err;
    EXPECT_THAT(again.out, testing::ContainsRegex("\nwarp 1 [^\n]*warp 0\\.\n")) << "who waits for whom";
}

TEST_F(TimelineCommand, AKernelThatFailsSaysWhy)
{
    answerWith(R"({"status":"validation_failed","reason":"row 3 is incorrect","timeline":null})");
    const Answer answer = kloop({"timeline", kKernel});
    EXPECT_NE(answer.code, 0);
    EXPECT_NE(answer.out.find("row 3 is incorrect"), std::string::npos);
}

TEST_F(TimelineCommand, ARunWithoutOneIsAnErrorWithTheCommand)
{
    const Answer run = kloop({"run", "transpose/naive", "--on", "sample", "--json"});
    const Answer answer = kloop({"timeline", "run:" + run.json()["id"].get<std::string>()});
    EXPECT_EQ(answer.code, 4);
    EXPECT_NE(answer.err.find("kloop timeline transpose/naive"), std::string::npos) << answer.err;
    const std::string id = "run:" + run.json()["id"].get<std::string>();
    EXPECT_EQ(kloop({"timeline", id, "--json"}).json()["error"]["where"], id);
}

TEST_F(TimelineCommand, TheSampleSaysThatItHasNone)
{
    const Answer answer = kloop({"timeline", kKernel, "--on", "sample", "--json"});
    EXPECT_EQ(answer.code, 4);
    EXPECT_EQ(answer.json()["error"]["code"], "not-recorded") << answer.err;
    EXPECT_EQ(answer.json()["error"]["where"], kKernel);
}

TEST_F(TimelineCommand, AnswersWithTheRunAndWhatWasRecorded)
{
    answerWith(timelineBody());
    const Json json = kloop({"timeline", kKernel, "--problem", "M=64,N=32", "--json"}).json();
    EXPECT_EQ(json["kernel"], "transpose");
    EXPECT_EQ(json["variant"], "tiled");
    EXPECT_EQ(json["tunables"], "");
    EXPECT_EQ(json["problem"], "M=64,N=32");
    EXPECT_EQ(json["device"], "Fake GPU");
    EXPECT_EQ(json["status"], "ok");
    EXPECT_EQ(json["reason"], "");
    EXPECT_EQ(json["entry"], "k");
    EXPECT_EQ(json["automatic"], true);
    EXPECT_EQ(json["blocks"], 1);
    Json stored = kloop({"timeline", "run:" + json["id"].get<std::string>(), "--json"}).json();
    EXPECT_EQ(stored, json);
    const Answer traced = kloop({"timeline", "run:" + json["id"].get<std::string>(), "--out", file("trace.json")});
    EXPECT_EQ(traced.code, 0) << traced.err;
    EXPECT_TRUE(parseJson(read("trace.json"), "trace.json").ok()) << "of a stored one, too";
    answerWith(R"({"status":"validation_failed","reason":"row 3 is incorrect","timeline":null})");
    const Json failed = kloop({"timeline", kKernel, "--json"}).json();
    EXPECT_EQ(failed["status"], "validation_failed");
    EXPECT_EQ(failed["reason"], "row 3 is incorrect");
    EXPECT_FALSE(failed.contains("entry"));
}

TEST_F(TimelineCommand, AFileThatCannotBeWrittenIsSaidBeforeItIsMeasured)
{
    answerWith(timelineBody());
    EXPECT_EQ(kloop({"timeline", kKernel, "--out", file("no/such/trace.json")}).code, 4);
    EXPECT_FALSE(std::filesystem::exists(file("asked.json")));
    for (const std::vector<std::string>& wrong :
         {std::vector<std::string>{"--blocks", "0"}, {"--blocks", "1025"}, {"--marks", "63"}, {"--marks", "65537"}}) {
        EXPECT_EQ(kloop({"timeline", kKernel, wrong[0], wrong[1]}).code, 2) << wrong[0] << wrong[1];
    }
    for (const std::vector<std::string>& most : {std::vector<std::string>{"--blocks", "1024"}, {"--marks", "64"}, {"--marks", "65536"}}) {
        EXPECT_EQ(kloop({"timeline", kKernel, most[0], most[1]}).code, 0) << most[0] << most[1];
    }
}

} // namespace
} // namespace kl::test
