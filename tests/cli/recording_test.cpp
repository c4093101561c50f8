// SPDX-License-Identifier: MIT
// What kloop record asks a worker for, by its options, and what it reports of the answers.
#include "kloop.h"
#include "tests/support/build_folder.h"
#include "text_rows.h"

#include <algorithm>
#include <set>
#include <sstream>

namespace kl::test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;
using testing::UnorderedElementsAre;
using Words = std::vector<std::string>;

class RecordingRequests : public Kloop {
protected:
    Answer record(const std::string& family, Words options, const std::string& environment = {}) const
    {
        std::filesystem::remove(file("requests"));
        options.insert(options.begin(), {"record", file("capture.zst"), "--only", family, "--json"});
        return kloop(options, environment);
    }
    /// Each request but the first and the last, in a line: "profile 2 transpose/naive M=32,N=32".
    std::vector<std::string> asked() const
    {
        std::vector<std::string> all;
        std::istringstream lines(read("requests"));
        for (std::string line; std::getline(lines, line);) {
            const Json request = *parseJson(line, "requests");
            const std::string verb = request["verb"];
            const Json& body = request["body"];
            const auto place = [](const Json& work) {
                return ' ' + work["kernel"].get<std::string>() + ' ' + work["problem"].get<std::string>();
            };
            if (verb == "run")
                all.push_back((body["suite"].empty() ? "run" : "suite") + place(body["work"]));
            else if (verb == "profile")
                all.push_back("profile " + body["tier"].dump() + place(body["run"]["work"]));
            else if (verb == "ab")
                all.push_back("ab " + body["a"]["kernel"].get<std::string>() + place(body["b"]));
            else if (verb == "compile" || verb == "launch")
                all.push_back(verb + place(body["work"]));
            else if (verb != "probe" && verb != "shutdown")
                all.push_back(verb);
        }
        return all;
    }
    std::vector<std::string> askedWith(Words options) const
    {
        record("transpose", std::move(options));
        return asked();
    }
    /// For each variant of the family, the same lines with "@" in the place of its name.
    static std::vector<std::string> ofEachVariant(const Words& lines)
    {
        std::vector<std::string> all;
        for (const char* variant : {"naive", "tiled", "padded", "vector"})
            for (std::string line : lines)
                all.push_back(line.replace(line.find('@'), 1, std::string("transpose/") + variant));
        return all;
    }
    static std::string makeAnswer(const std::string& pattern, std::string body)
    {
        for (std::size_t at = body.find('"'); at != std::string::npos; at = body.find('"', at + 2))
            body.insert(at, "\\");
        return pattern + ") echo \"{\\\"event\\\":\\\"result\\\",\\\"id\\\":$id,\\\"body\\\":" + body + "}\" ;;\n";
    }
    static constexpr const char* kFirst = "M=4096,N=4096";
    static constexpr const char* kSecond = "M=4096,N=2048";
    static constexpr const char* kSmallest = "M=32,N=32";
};

TEST_F(RecordingRequests, EachPartIsAskedForAlone)
{
    useRecorder();
    EXPECT_THAT(askedWith({"--part", "machine"}), ElementsAre("env"));
    EXPECT_EQ(askedWith({"--part", "runs"}),
              ofEachVariant({"compile @ M=32,N=32", "suite @ M=4096,N=4096", "run @ M=4096,N=4096", "run @ M=32,N=32"}));
    EXPECT_EQ(askedWith({"--part", "profiles"}), ofEachVariant({"profile 0 @ M=4096,N=4096", "profile 1 @ M=4096,N=4096",
                                                                "profile 2 @ M=4096,N=4096", "profile 2 @ M=4096,N=2048"}));
    EXPECT_THAT(askedWith({"--part", "noise"}), ElementsAre("ab transpose/naive transpose/naive M=4096,N=4096"));
    EXPECT_THAT(askedWith({"--part", "faults"}), IsEmpty()) << "the family has none";
    EXPECT_THAT(askedWith({"--part", "machine", "--part", "noise"}),
                ElementsAre("env", "ab transpose/naive transpose/naive M=4096,N=4096"));
    record("attention", {"--part", "baselines"});
    EXPECT_THAT(asked(), ElementsAre("run attention/hopper-short B=2,CAUSAL=0,D=64,H=8,S=512",
                                     "suite attention/hopper-short B=2,CAUSAL=0,D=64,H=8,S=512"));
    EXPECT_EQ(kloop({"record", file("capture.zst"), "--part", "walls"}).code, 2);
}

TEST_F(RecordingRequests, APairIsAFixAgainstWhatItFixes)
{
    std::string blocks;
    for (int i = 0; i < 10; ++i)
        blocks += std::string(i > 0 ? "," : "") + R"({"a":[9000,9001],"b":[1000,1001]})";
    useRecorder({}, makeAnswer("*'\"verb\":\"ab\"'*",
                               R"({"status":"ok","correctness_a":{"result":"correct"},"correctness_b":{"result":"correct"},"blocks":[)" +
                                   blocks + "]}"));
    EXPECT_THAT(askedWith({"--part", "pairs"}),
                ElementsAre("ab transpose/naive transpose/tiled M=4096,N=4096", "ab transpose/tiled transpose/padded M=4096,N=4096",
                            "ab transpose/padded transpose/vector M=4096,N=4096"));
    EXPECT_THAT(askedWith({"--part", "pairs", "--problem", "M=4096,N=2048"}), Contains("ab transpose/naive transpose/tiled M=4096,N=2048"));
    EXPECT_THAT(askedWith({"--part", "pairs", "--problem", "M=32,N=32"}), IsEmpty()) << "the smallest is for its run";
    const std::vector<std::string> everywhere = askedWith({"--part", "pairs", "--everywhere"});
    EXPECT_THAT(everywhere, SizeIs(9));
    for (const char* problem : {kFirst, kSecond, kSmallest})
        EXPECT_THAT(everywhere, Contains(std::string("ab transpose/naive transpose/tiled ") + problem));
    EXPECT_THAT(record("transpose", {"--part", "pairs"}).err, HasSubstr("transpose/naive > tiled M=4096,N=4096"));
}

TEST_F(RecordingRequests, TiersProblemsAndSweepsAreChosen)
{
    useRecorder();
    EXPECT_EQ(askedWith({"--part", "profiles", "--tier", "1"}), ofEachVariant({"profile 1 @ M=4096,N=4096"}));
    EXPECT_EQ(askedWith({"--part", "profiles", "--tier", "2", "--tier", "0"}),
              ofEachVariant({"profile 2 @ M=4096,N=4096", "profile 0 @ M=4096,N=4096", "profile 2 @ M=4096,N=2048"}));
    EXPECT_EQ(askedWith({"--part", "profiles", "--tier", "2", "--problem", "M=4096,N=2048"}), ofEachVariant({"profile 2 @ M=4096,N=2048"}));
    EXPECT_EQ(askedWith({"--part", "profiles", "--problem", "M=4096,N=2048"}),
              ofEachVariant({"profile 0 @ M=4096,N=2048", "profile 1 @ M=4096,N=2048", "profile 2 @ M=4096,N=2048"}))
        << "in full";
    EXPECT_EQ(askedWith({"--part", "profiles", "--tier", "2", "--everywhere"}),
              ofEachVariant({"profile 2 @ M=4096,N=4096", "profile 2 @ M=4096,N=2048", "profile 2 @ M=32,N=32"}));
    EXPECT_EQ(askedWith({"--part", "runs", "--problem", "M=32,N=32"}), ofEachVariant({"compile @ M=32,N=32", "run @ M=32,N=32"}));
    EXPECT_EQ(askedWith({"--part", "profiles", "--tier", "2", "--sweep", "M=4096,N=[2048,64]"}),
              ofEachVariant({"profile 2 @ M=4096,N=4096", "profile 2 @ M=4096,N=2048", "profile 2 @ M=4096,N=64"}))
        << "what was profiled already is not swept again";
    EXPECT_EQ(askedWith({"--part", "faults", "--sweep", "M=4096,N=[2048,64]"}),
              ofEachVariant({"profile 2 @ M=4096,N=2048", "profile 2 @ M=4096,N=64"}));
    EXPECT_EQ(kloop({"record", file("capture.zst"), "--sweep", "M=64,N=64"}).code, 2) << "of one family";
    EXPECT_EQ(kloop({"record", file("capture.zst"), "--tier", "3"}).code, 2);
    EXPECT_EQ(record("transpose", {"--problem", "M"}).code, 4);
}

TEST_F(RecordingRequests, AProfileHasWhatTheWindowShows)
{
    useRecorder();
    record("transpose", {"--part", "profiles"});
    const std::vector<Json> profiles = requested("profile");
    EXPECT_FALSE(profiles.empty());
    for (const Json& body : profiles)
        for (const char* field : {"experiments", "pm_sampling"})
            EXPECT_EQ(body[field], body["tier"] == 2 ? Json(true) : Json(nullptr)) << field;
    record("attention", {"--part", "baselines"});
    EXPECT_THAT(read("requests"), HasSubstr("\"sdpa-flash\"")) << "all of them";
}

TEST_F(RecordingRequests, ARowHasItsFigures)
{
    useRecorder(
        {},
        makeAnswer("*'\"verb\":\"profile\"'*'\"kernel\":\"transpose/naive\"'*",
                   R"({"status":"ok","correctness":{"result":"correct"},"timing":{"gpu_ns":{"median":4000,"low":3900,"high":4100,"n":50}},)"
                   R"("baseline":{"name":"a copy","gpu_ns":{"median":6000,"low":5900,"high":6100,"n":50}},)"
                   R"("metrics":{"values":{},"missing":{"a":"gone","b":"gone"},"plan":{"passes":3,"ran":2}}})"));
    const Answer answer = record("transpose", {"--part", "profiles", "--tier", "1"});
    EXPECT_EQ(answer.code, 1) << answer.err;
    const std::string row = findRow(answer.err, "profile 1 | transpose/naive");
    EXPECT_THAT(row, AllOf(HasSubstr(" M=4096,N=4096 | "), HasSubstr(" | 4 µs | 1.50× | "), HasSubstr(" 2/3 "), EndsWith(" 2")))
        << "two of three passes, two metrics missing";
    const Json json = answer.json();
    EXPECT_EQ(json["schema"], "kernelloop.record/1");
    EXPECT_EQ(json["file"], file("capture.zst"));
    EXPECT_EQ(json["items"], 5) << "the probe and four profiles";
    EXPECT_TRUE(json["seconds"]["transpose"].is_number());
    ASSERT_THAT(json["failures"], SizeIs(1));
    EXPECT_THAT(json["failures"][0].get<std::string>(), StartsWith("profile 1 transpose/naive M=4096,N=4096: "))
        << "passes that did not run";
}

TEST_F(RecordingRequests, WhatCannotBeCompiledOrProbedIsAFailure)
{
    const std::string refused = R"(echo "{\"event\":\"error\",\"id\":$id,\"code\":\"environment\",\"message\":\"No way.\"}" ;;)";
    useRecorder(
        {}, "*'\"verb\":\"probe\"'*|*'\"verb\":\"env\"'*) " + refused + "\n" +
                makeAnswer("*'\"verb\":\"compile\"'*'transpose/tiled\"'*", R"({"status":"compilation_failed","reason":"no such type"})"));
    EXPECT_THAT(record("transpose", {"--part", "machine"}).json()["failures"], ElementsAre("probe : No way.", "env : No way."));
    const Json failures = record("transpose", {"--part", "runs", "--problem", "M=32,N=32"}).json()["failures"];
    EXPECT_THAT(failures, ElementsAre("probe : No way.", "compile transpose/tiled: no such type"));
}

TEST_F(RecordingRequests, APartJoinsWhatTheFileHoldsAndAWholeReplacesIt)
{
    const auto replayed = [&](const Words& words) {
        useWorker("exec '" + test::buildFolder() + "/bin/kloop-worker' --replay '" + file("capture.zst") + "'\n");
        const int code = kloop(words).code;
        useRecorder();
        return code;
    };
    const Words run{"run", "transpose/naive", "--problem", "M=32,N=32", "--on", "local"},
        profile{"profile", "transpose/naive", "--tier", "1", "--on", "local"};
    useRecorder();
    ASSERT_EQ(record("transpose", {"--part", "runs"}).code, 0);
    EXPECT_EQ(replayed(run), 0);
    EXPECT_EQ(replayed(profile), 4);
    ASSERT_EQ(record("transpose", {"--part", "profiles", "--tier", "1"}).code, 0);
    EXPECT_EQ(replayed(run), 0) << "it is kept";
    EXPECT_EQ(replayed(profile), 0);
    record("copy", {"--problem", "N=1024"});
    EXPECT_EQ(replayed(run), 4);
    write("capture.zst", "no capture");
    EXPECT_EQ(record("transpose", {"--part", "runs"}).code, 4) << "what cannot be read is not written over";
    EXPECT_EQ(read("capture.zst"), "no capture");
}

TEST_F(RecordingRequests, AFaultIsCheckedByEachToolWhereItShows)
{
    useRecorder({}, makeAnswer("*'\"verb\":\"run\"'*'\"kernel\":\"matvec/wrong-stride\"'*",
                               R"({"status":"validation_failed","reason":"row 3","correctness":{"result":"incorrect","reason":"row 3",)"
                               R"("suite":[{"problem":"M=31,N=33","pass":false}]}})"));
    write("tool.sh", R"(#!/bin/sh
while [ $# -gt 0 ]; do
    case "$1" in
    --tool) tool=$2; shift 2 ;;
    --log-file) log=$2; shift 2 ;;
    --show-backtrace|--print-limit|--report-api-errors|--padding|--racecheck-report) shift 2 ;;
    *) break ;;
    esac
done
printf '========= COMPUTE-SANITIZER\n========= ERROR SUMMARY: 0 errors\n' > "$log"
echo $tool >> ')" + file("tools") +
                         R"('
exec "$@"
)");
    std::filesystem::permissions(file("tool.sh"), std::filesystem::perms::owner_all);
    const Answer answer = record("matvec", {"--part", "faults"}, "KERNELLOOP_SANITIZER=" + quoted(file("tool.sh")));
    std::vector<std::string> of;
    for (const std::string& line : asked())
        if (line.find("stride") != std::string::npos && !line.starts_with("run matvec/wrong-stride ")) // which reduce the size
            of.push_back(line);
    EXPECT_THAT(of, UnorderedElementsAre(
                        "suite matvec/wrong-stride M=32,N=32", "run matvec/row-stride M=1,N=1", "compile matvec/row-stride M=4096,N=4096",
                        "launch matvec/wrong-stride M=1,N=1", "launch matvec/wrong-stride M=1,N=1", "launch matvec/wrong-stride M=1,N=1",
                        "launch matvec/wrong-stride M=1,N=1", "launch matvec/row-stride M=1,N=1", "launch matvec/row-stride M=1,N=1"))
        << answer.err;
    std::istringstream tools(read("tools"));
    std::multiset<std::string> used{std::istream_iterator<std::string>(tools), {}};
    for (const auto& [tool, count] : {std::pair{"memcheck", 2U}, {"racecheck", 1U}, {"initcheck", 2U}, {"synccheck", 1U}})
        EXPECT_EQ(used.count(tool), count) << tool;
    const Json failures = answer.json()["failures"];
    for (const Json& failure : failures)
        EXPECT_THAT(failure.get<std::string>(), Not(HasSubstr("stride")));
    for (const char* tool : {"memcheck", "racecheck", "initcheck", "synccheck"})
        EXPECT_NE(findRow(answer.err, std::string(tool) + " | matvec/wrong-stride M=1,N=1 | "), "") << tool;
}

TEST_F(RecordingRequests, OfAFaultyKernelNoTimeIsAskedFor)
{
    useRecorder();
    record("matvec", {"--part", "runs", "--part", "profiles", "--tier", "1"});
    std::vector<std::string> faulty;
    for (const std::string& line : asked())
        if (line.find("wrong-stride") != std::string::npos)
            faulty.push_back(line);
    EXPECT_THAT(faulty, ElementsAre("compile matvec/wrong-stride M=32,N=32", "suite matvec/wrong-stride M=4096,N=4096",
                                    "run matvec/wrong-stride M=4096,N=4096", "run matvec/wrong-stride M=32,N=32"));
}

TEST_F(RecordingRequests, WhatIsWrittenForOtherChipsIsLeftOut)
{
    useRecorder(R"(,"cc_major":8,"cc_minor":0)");
    const Answer answer = record("attention", {"--part", "runs", "--problem", "B=1,H=1,S=32,D=64,CAUSAL=0"});
    const std::vector<std::string> lines = asked();
    EXPECT_THAT(lines, Contains(StartsWith("run attention/fused ")));
    EXPECT_THAT(lines, Not(Contains(HasSubstr("attention/hopper"))));
    EXPECT_THAT(readRows(answer.err), Contains(AllOf(HasSubstr(" | attention/hopper"), EndsWith("sm_90a"))));
    EXPECT_THAT(answer.json()["failures"], SizeIs(0));
}

TEST_F(RecordingRequests, WhatAWorkerRefusesIsAFailureOfItsItem)
{
    const std::string refused = R"(echo "{\"event\":\"error\",\"id\":$id,\"code\":\"bad-input\",\"message\":\"No way.\"}" ;;)";
    useRecorder({}, "*'\"verb\":\"compile\"'*|*'\"verb\":\"ab\"'*|*'matvec/wrong-stride'*) " + refused + "\n");
    EXPECT_THAT(record("transpose", {"--part", "runs", "--problem", "M=32,N=32"}).json()["failures"],
                Contains("compile transpose/tiled: No way."));
    const Json pairs = record("transpose", {"--part", "pairs"}).json()["failures"];
    ASSERT_THAT(pairs, SizeIs(3));
    EXPECT_EQ(pairs[0], "ab transpose/naive > tiled M=4096,N=4096: No way.");
    EXPECT_THAT(record("transpose", {"--part", "noise"}).json()["failures"], ElementsAre("noise transpose/naive: No way."));
    const Json faults = record("matvec", {"--part", "runs", "--part", "faults", "--problem", "M=32,N=32"}).json()["failures"];
    for (const char* failure : {"run matvec/wrong-stride M=32,N=32: No way.", "failing matvec/wrong-stride: No way."})
        EXPECT_THAT(faults, Contains(failure));
}

TEST_F(RecordingRequests, AnUnclearPairsSecondLookMayFail)
{
    std::string blocks;
    for (int i = 0; i < 10; ++i)
        blocks += std::string(i > 0 ? "," : "") + R"({"a":[1200,1201],"b":[1000,1001]})";
    const std::string refused = R"(echo "{\"event\":\"error\",\"id\":$id,\"code\":\"bad-input\",\"message\":\"No way.\"}" ;;)";
    useRecorder({},
                "*'\"first_block\":10'*) " + refused + "\n" +
                    makeAnswer("*'\"verb\":\"ab\"'*",
                               R"({"status":"ok","correctness_a":{"result":"correct"},"correctness_b":{"result":"correct"},"blocks":[)" +
                                   blocks + "]}"));
    const Json failures = record("transpose", {"--part", "pairs"}).json()["failures"];
    ASSERT_THAT(failures, SizeIs(3));
    EXPECT_EQ(failures[0], "ab second transpose/naive > tiled M=4096,N=4096: No way.");
}

TEST_F(RecordingRequests, NoiseIsTheFiveRepeatsOfACalibration)
{
    std::string blocks;
    for (int i = 0; i < 10; ++i)
        blocks += std::string(i > 0 ? "," : "") + R"({"a":[1000,1001],"b":[1000,1001]})";
    useRecorder({}, makeAnswer("*'\"verb\":\"ab\"'*",
                               R"({"status":"ok","correctness_a":{"result":"correct"},"correctness_b":{"result":"correct"},"blocks":[)" +
                                   blocks + "]}"));
    const Answer answer = record("transpose", {"--part", "noise"});
    EXPECT_EQ(answer.code, 0) << answer.err;
    EXPECT_EQ(asked(), std::vector<std::string>(5, "ab transpose/naive transpose/naive M=4096,N=4096"));
    EXPECT_THAT(findRow(answer.err, "noise | transpose/naive"), withFigures(EndsWith(" % | 5 | 5")));
}

} // namespace
} // namespace kl::test
