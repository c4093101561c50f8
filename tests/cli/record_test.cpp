// SPDX-License-Identifier: MIT
#include "kloop.h"
#include "tests/support/build_folder.h"

#include <map>
#include <set>
#include <sstream>

namespace kl::test {
namespace {

using testing::HasSubstr;

class Record : public Kloop {
protected:
    /// The problems by what was asked of them: "run", "run suite", "profile".
    std::map<std::string, std::set<std::string>> askedFor() const
    {
        std::map<std::string, std::set<std::string>> asked;
        std::istringstream requests(read("requests"));
        for (std::string line; std::getline(requests, line);) {
            const Json request = *parseJson(line, "requests");
            const Json& body = request["verb"] == "profile" ? request["body"]["run"] : request["body"];
            if (request["verb"] == "run" || request["verb"] == "profile")
                asked[request["verb"].get<std::string>() + (body["suite"].empty() ? "" : " suite")].insert(body["work"]["problem"]);
        }
        return asked;
    }
};

/// Every answer but an A/B's two blocks holds its defaults; a profile of the vector variant ends the worker.
constexpr const char* kAnswers =
    R"(*'"verb":"profile"'*'"kernel":"copy/vector"'*) exit 9 ;;
    *'"verb":"ab"'*) echo "{\"event\":\"result\",\"id\":$id,\"body\":{\"blocks\":[{\"a\":[9],\"b\":[9]},{\"a\":[9],\"b\":[9]}]}}" ;;)";

TEST_F(Record, GoesOnPastFailuresAndListsThem)
{
    useRecorder({}, kAnswers);
    const Answer answer = kloop({"record", file("capture.zst"), "--only", "copy", "--json"});
    EXPECT_EQ(answer.code, 1) << answer.err;
    const Json json = answer.json();
    EXPECT_GT(json["items"].get<int>(), 20);
    ASSERT_FALSE(json["failures"].empty());
    for (const Json& failure : json["failures"]) {
        EXPECT_THAT(failure.get<std::string>(), HasSubstr("profile"));
        EXPECT_THAT(failure.get<std::string>(), HasSubstr("copy/vector"));
        EXPECT_THAT(failure.get<std::string>(), HasSubstr(" 9")) << "as what it ended";
    }
    EXPECT_THAT(answer.err, HasSubstr("copy/coalesced"));
    EXPECT_GT(std::filesystem::file_size(file("capture.zst")), 100u);
}

TEST_F(Record, AFaultThatIsNotFoundIsAFailure)
{
    useRecorder(); // answers that everything is correct
    const Answer answer = kloop({"record", file("capture.zst"), "--only", "matvec", "--part", "faults", "--json"});
    EXPECT_EQ(answer.code, 1) << answer.err;
    std::set<std::string> faulty;
    const Json json = answer.json();
    for (const Json& failure : json["failures"])
        faulty.insert(failure.get<std::string>().substr(0, failure.get<std::string>().find(':')));
    EXPECT_EQ(faulty,
              (std::set<std::string>{"failing matvec/missing-barrier", "failing matvec/missing-bounds", "failing matvec/missing-row-check",
                                     "failing matvec/modulo-index", "failing matvec/uninitialized-sum", "failing matvec/wrong-stride"}));
}

TEST_F(Record, OnlyTheNamedProblemsAreAskedFor)
{
    useRecorder();
    kloop({"record", file("capture.zst"), "--only", "attention", "--part", "runs", "--part", "profiles", "--problem",
           "B=2,H=8,S=128,D=64,CAUSAL=0", "--problem", "B=1,H=1,S=32,D=64,CAUSAL=0"});
    std::map<std::string, std::set<std::string>> asked = askedFor();
    const std::string standard = "B=2,CAUSAL=0,D=64,H=8,S=128";
    const std::string smallest = "B=1,CAUSAL=0,D=64,H=1,S=32";
    EXPECT_EQ(asked["run"], (std::set{smallest, standard}));
    EXPECT_EQ(asked["run suite"], (std::set{standard}));
    EXPECT_EQ(asked["profile"], (std::set{standard}));
}

TEST_F(Record, TheOtherProblemsAreRecordedInFullOnRequest)
{
    useRecorder();
    kloop({"record", file("capture.zst"), "--only", "copy", "--part", "runs"});
    const std::size_t first = askedFor()["run suite"].size();
    kloop({"record", file("capture.zst"), "--only", "copy", "--part", "runs", "--everywhere"});
    std::set<std::string> all;
    const Json kernels = kloop({"kernels", "--json"}).json();
    for (const Json& family : kernels["kernels"])
        if (family["id"] == "copy") {
            all = family["problems"].get<std::set<std::string>>();
            all.insert(family["smallest_problem"]);
        }
    EXPECT_EQ(first, 1U);
    EXPECT_EQ(askedFor()["run suite"], all);
}

TEST_F(Record, AnUnclearPairIsLookedAtTwice)
{
    const auto looks = [&](int a, int b) {
        std::string blocks;
        for (int i = 0; i < 10; ++i)
            blocks += (i > 0 ? "," : "") + std::string(R"({\"a\":[)") + std::to_string(a + i % 2) + R"(],\"b\":[)" +
                      std::to_string(b + i % 2) + "]}";
        std::filesystem::remove(file("requests"));
        useRecorder({}, R"(*'"verb":"ab"'*) echo "{\"event\":\"result\",\"id\":$id,\"body\":{\"status\":\"ok\",\"blocks\":[)" + blocks +
                            R"(],\"correctness_a\":{\"result\":\"correct\"},\"correctness_b\":{\"result\":\"correct\"}}}" ;;)");
        EXPECT_EQ(kloop({"record", file("capture.zst"), "--only", "copy", "--part", "pairs"}).code, 0);
        const std::string requests = read("requests");
        int count = 0;
        for (std::size_t at = requests.find("\"verb\":\"ab\""); at != std::string::npos; at = requests.find("\"verb\":\"ab\"", at + 1))
            ++count;
        return count;
    };
    const int clear = looks(9000, 1000);
    EXPECT_GT(clear, 0);
    EXPECT_EQ(looks(1000, 9000), clear) << "the other way round, too";
    EXPECT_EQ(looks(1200, 1000), 2 * clear);
}

TEST_F(Record, WhatFailedOrIsIncorrectIsListedWithItsReason)
{
    useRecorder({},
                R"(*'"verb":"run"'*'"kernel":"copy/vector"'*) said='"status":"computation_failed","reason":"it faulted"'
        echo "{\"event\":\"result\",\"id\":$id,\"body\":{$said}}" ;;
    *'"verb":"run"'*'"kernel":"copy/coalesced"'*) said='"correctness":{"result":"replays","reason":"an earlier one"}'
        echo "{\"event\":\"result\",\"id\":$id,\"body\":{$said}}" ;;)");
    const Answer answer = kloop({"record", file("capture.zst"), "--only", "copy", "--part", "runs", "--json"});
    EXPECT_EQ(answer.code, 1) << answer.err;
    std::set<std::string> failed;
    const Json json = answer.json();
    for (const Json& failure : json["failures"])
        failed.insert(failure.get<std::string>());
    EXPECT_THAT(failed,
                testing::Contains(testing::AllOf(testing::StartsWith("run copy/vector "), HasSubstr("computation_failed: it faulted"))));
    EXPECT_THAT(failed,
                testing::Contains(testing::AllOf(testing::StartsWith("run suite copy/coalesced "), HasSubstr("replays: an earlier one"))));
    EXPECT_THAT(failed, testing::Not(testing::Contains(HasSubstr("copy/strided"))));
}

TEST_F(Record, NeedsAGpu)
{
    const Answer answer = kloop({"record", file("capture.zst")});
    EXPECT_EQ(answer.code, 5);
    EXPECT_FALSE(std::filesystem::exists(file("capture.zst")));
}

TEST_F(Record, AnUnknownFamilyExits4)
{
    EXPECT_EQ(kloop({"record", file("capture.zst"), "--only", "nope"}).code, 4);
}

TEST_F(Record, APartDoesNotJoinAFolder)
{
    useRecorder();
    std::filesystem::create_directories(file("folder"));
    const Answer answer = kloop({"record", file("folder"), "--only", "copy", "--part", "machine", "--json"});
    EXPECT_EQ(answer.code, 4) << answer.err;
    EXPECT_EQ(answer.json()["error"]["where"], file("folder"));
}

TEST_F(Record, AReplayedFolderHoldsFilesOnly)
{
    std::filesystem::create_directories(file("captures/inner"));
    useWorker("exec '" + test::buildFolder() + "/bin/kloop-worker' --replay '" + file("captures") + "'\n");
    const Answer answer = kloop({"run", "copy/vector", "--json"});
    EXPECT_EQ(answer.code, 5) << answer.err;
    EXPECT_EQ(answer.json()["error"]["code"], "environment");
}

} // namespace
} // namespace kl::test
