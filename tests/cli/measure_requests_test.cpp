// SPDX-License-Identifier: MIT
// Commands that measure: what they ask a worker for, what they print of its answer, and their exit codes.
#include "kloop.h"
#include "tests/support/snapshot.h"
#include "tests/support/store_support.h"
#include "text_rows.h"

#include <set>

namespace kl::test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;
using Words = std::vector<std::string>;

class MeasureRequests : public Kloop {
protected:
    /// A branch of the recorder's for one verb.
    static std::string answering(const std::string& verb, std::string body)
    {
        for (std::size_t at = body.find('"'); at != std::string::npos; at = body.find('"', at + 2))
            body.insert(at, "\\");
        return "*'\"verb\":\"" + verb + "\"'*) echo \"{\\\"event\\\":\\\"result\\\",\\\"id\\\":$id,\\\"body\\\":" + body + "}\" ;;\n";
    }
    /// An A/B whose blocks all have these times.
    static std::string compared(int a, int b)
    {
        std::string blocks;
        for (int i = 0; i < 10; ++i)
            blocks += (i > 0 ? "," : "") + std::string(R"({"a":[)") + std::to_string(a + i % 3) + ',' + std::to_string(a + i % 2) +
                      R"(],"b":[)" + std::to_string(b + i % 3) + ',' + std::to_string(b + i % 2) + "]}";
        return answering("ab", R"({"status":"ok","device":{"uuid":"GPU-1","name":"Test GPU"},"correctness_a":{"result":"correct"},)"
                               R"("correctness_b":{"result":"correct"},"blocks":[)" +
                                   blocks + "]}");
    }
};

TEST_F(MeasureRequests, EachKernelIsMeasuredOnEachProblemInTheirOrder)
{
    useRecorder();
    const Words problems{"--problem", "M=64,N=32", "--problem", "M=32,N=64"};
    const std::vector<std::string> both{"transpose/naive M=64,N=32", "transpose/naive M=32,N=64", "transpose/tiled M=64,N=32",
                                        "transpose/tiled M=32,N=64"};
    struct Case {
        const char* verb;
        Words words;
        std::vector<std::string> asked;
        bool problems = true;
    };
    const std::vector<Case> cases{{"run", {"run", "transpose/naive"}, {both[0], both[1]}},
                                  {"run", {"baselines", "transpose/tiled"}, {both[2], both[3]}},
                                  {"profile", {"profile", "transpose/naive", "transpose/tiled"}, both},
                                  {"launch", {"launch", "transpose/naive", "transpose/tiled"}, both},
                                  {"profile",
                                   {"sweep", "transpose/naive", "transpose/tiled", "--problem", "M=64,N=[32,64]"},
                                   {both[0], "transpose/naive M=64,N=64", both[2], "transpose/tiled M=64,N=64"},
                                   false},
                                  {"timeline", {"timeline", "transpose/naive", "--problem", "M=64,N=32"}, {both[0]}, false}};
    for (const Case& one : cases) {
        Words words = one.words;
        if (one.problems)
            words.insert(words.end(), problems.begin(), problems.end());
        std::vector<std::string> asked;
        for (const Json& body : requestedBy(one.verb, words)) {
            const Json& work = body.contains("run") ? body["run"]["work"] : body["work"];
            asked.push_back(work["kernel"].get<std::string>() + ' ' + work["problem"].get<std::string>());
        }
        EXPECT_EQ(asked, one.asked) << testing::PrintToString(words);
    }
    const std::vector<Json> pair = requestedBy("ab", {"ab", "transpose/naive", "transpose/tiled", "--problem", "M=64,N=32"});
    ASSERT_THAT(pair, SizeIs(1));
    EXPECT_EQ(pair[0]["a"]["problem"], "M=64,N=32");
    EXPECT_EQ(pair[0]["b"]["problem"], "M=64,N=32");
    const std::vector<Json> noise = requestedBy("ab", {"calibrate", "transpose", "--problem", "M=64,N=32"});
    ASSERT_FALSE(noise.empty());
    EXPECT_EQ(noise[0]["a"]["kernel"], "transpose/naive") << "the first that is meant to be correct";
    EXPECT_EQ(noise[0]["b"]["kernel"], "transpose/naive");
    EXPECT_EQ(noise[0]["a"]["problem"], "M=64,N=32");
}

TEST_F(MeasureRequests, WhereOneProblemIsMeantTwoAreRefused)
{
    for (const Words& command : {Words{"ab", "transpose/naive", "transpose/tiled"},
                                 {"compare", "transpose/naive", "transpose/tiled"},
                                 {"calibrate", "transpose/naive"},
                                 {"timeline", "transpose/naive"},
                                 {"recommend", "transpose/naive"},
                                 {"sass", "transpose/naive"},
                                 {"show", "transpose/naive"},
                                 {"space", "attention/fused"},
                                 {"search", "attention/fused"},
                                 {"search", "best", "transpose/naive"},
                                 {"watch", "transpose/naive"},
                                 {"session", "new", "N", "Make it fast", "--kernel", "transpose"},
                                 {"report", "--compare", "transpose/naive", "transpose/tiled"},
                                 {"bisect", "transpose/naive", "--good", "HEAD", "--incorrect"}}) {
        Words words = command;
        words.insert(words.end(), {"--problem", "M=64,N=64", "--problem", "M=32,N=32", "--json"});
        const Answer answer = kloop(words);
        EXPECT_EQ(answer.code, 2) << testing::PrintToString(words) << answer.err;
        EXPECT_EQ(answer.json()["error"]["where"], "--problem") << testing::PrintToString(words);
    }
}

TEST_F(MeasureRequests, ASeedIsANumberOrFresh)
{
    useRecorder();
    const auto listSeeds = [&](Words words) {
        words.insert(words.begin(), {"run", "transpose/naive", "--problem", "M=64,N=32", "--problem", "M=32,N=64"});
        std::vector<std::uint64_t> seeds;
        for (const Json& body : requestedBy("run", words))
            seeds.push_back(body["work"]["seed"].get<std::uint64_t>());
        EXPECT_THAT(seeds, SizeIs(2));
        return seeds;
    };
    EXPECT_THAT(listSeeds({}), ElementsAre(1, 1));
    EXPECT_THAT(listSeeds({"--seed", "18446744073709551615"}), ElementsAre(18446744073709551615U, 18446744073709551615U));
    EXPECT_THAT(listSeeds({"--suite", "--seed", "0"}), ElementsAre(0, 0));
    for (const Words& fresh : {Words{"--seed", "fresh"}, {"--suite"}}) {
        const std::vector<std::uint64_t> seeds = listSeeds(fresh);
        EXPECT_NE(seeds[0], 1U) << fresh[0];
        EXPECT_EQ(seeds[0], seeds[1]) << fresh[0];
    }
    for (const char* wrong : {"-1", "1.5", "18446744073709551616", "1 ", "freshly"}) {
        const Answer answer = kloop({"run", "transpose/naive", "--seed", wrong, "--json"});
        EXPECT_EQ(answer.code, 2) << wrong;
        EXPECT_EQ(answer.json()["error"]["where"], "--seed") << wrong;
    }
    const auto countSuite = [&](const Words& words) { return requestedBy("run", words)[0]["suite"].size(); };
    EXPECT_EQ(countSuite({"run", "transpose/naive"}), 0U);
    EXPECT_GT(countSuite({"run", "transpose/naive", "--suite"}), 1U);
}

TEST_F(MeasureRequests, AVerdictIsTheExitCode)
{
    struct Case {
        int a;
        int b;
        const char* verdict;
        int code;
    };
    const Words pair{"ab", "transpose/naive", "transpose/tiled"};
    for (const Case& one : {Case{2000, 1000, "faster", 0}, Case{1000, 2000, "slower", 1}, Case{1000, 1000, "equivalent", 0}}) {
        useRecorder({}, compared(one.a, one.b));
        Words words = pair;
        words.emplace_back("--json");
        const Answer answer = kloop(words);
        EXPECT_EQ(answer.code, one.code) << one.verdict << answer.err;
        EXPECT_EQ(answer.json()["verdict"], one.verdict);
        EXPECT_FALSE(answer.json().contains("keep"));
        EXPECT_EQ(kloop(pair).code, one.code) << one.verdict;
    }
    useRecorder({}, compared(1300, 1000));
    for (const auto& [at, decision, code] : {std::tuple{"1.2", "keep", 0}, std::tuple{"1.5", "revert", 1}}) {
        const Answer answer = kloop({"ab", "transpose/naive", "transpose/tiled", "--keep-at", at, "--json"});
        EXPECT_EQ(answer.code, code) << at;
        EXPECT_EQ(answer.json()["keep"], Json({{"at", std::stod(at)}, {"decision", decision}}));
        EXPECT_EQ(answer.json()["verdict"], "faster");
    }
    const Answer text = kloop({"ab", "transpose/naive", "transpose/tiled", "--keep-at", "1.5"});
    EXPECT_EQ(text.code, 1);
    EXPECT_FALSE(kloop({"ab", "transpose/naive", "transpose/tiled", "--keep-at", "1", "--json"}).json().contains("keep"))
        << "a plain comparison";
    for (const char* wrong : {"0.9", "101", "nan"})
        EXPECT_EQ(kloop({"ab", "transpose/naive", "transpose/tiled", "--keep-at", wrong}).code, 2) << wrong;
}

TEST_F(MeasureRequests, SnapshotOfWhetherToKeep)
{
    useRecorder({}, compared(1300, 1000));
    std::string text;
    for (const char* at : {"1.2", "1.5"})
        text += readRows(kloop({"ab", "transpose/naive", "transpose/tiled", "--keep-at", at}).out).back() + '\n';
    expectSnapshot("cli/keep.txt", text);
}

TEST_F(MeasureRequests, StoredRunsAreComparedByTheSameExitCodes)
{
    {
        const auto store = support::openStore(file("test.db"));
        const auto save = [&](const std::string& id, const std::string& variant, const std::string& at, double ns, int size) {
            RunRecord run = support::timedRun(id, variant, at, ns);
            run.problem = {{"M", std::int64_t{size}}};
            run.timing->gpu = {ns, ns * 0.999, ns * 1.001, 50};
            run.timing->samples.clear();
            for (int i = 0; i < 50; ++i)
                run.timing->samples.push_back(ns + i % 3);
            ASSERT_TRUE(store->saveRun(run).ok());
        };
        save("aaaa0001", "naive", "2026-01-01T00:00:00.000Z", 20000, 64);
        save("aaaa0002", "tiled", "2026-01-02T00:00:00.000Z", 10000, 64);
        save("aaaa0003", "naive", "2026-01-03T00:00:00.000Z", 80000, 128);
    }
    const Answer faster = kloop({"compare", "run:aaaa0001", "run:aaaa0002", "--json"});
    EXPECT_EQ(faster.code, 0);
    EXPECT_EQ(faster.json()["verdict"], "faster");
    EXPECT_NEAR(faster.json()["ratio"]["value"].get<double>(), 2, 0.01);
    const Answer slower = kloop({"compare", "aaaa0002", "aaaa0001", "--json"});
    EXPECT_EQ(slower.code, 1) << "of an id alone, too";
    EXPECT_EQ(slower.json()["a"], "run:aaaa0002");
    EXPECT_EQ(slower.json()["verdict"], "slower");
    const Json shared = kloop({"compare", "transpose/naive", "transpose/tiled", "--json"}).json();
    EXPECT_EQ(shared["a"], "run:aaaa0001") << "not the newest, but that of the size that both have";
    EXPECT_EQ(shared["b"], "run:aaaa0002");
    const Json given = kloop({"compare", "run:aaaa0002", "transpose/naive", "--json"}).json();
    EXPECT_EQ(given["b"], "run:aaaa0001") << "on the other side's size";
    EXPECT_EQ(kloop({"compare", "transpose/naive", "transpose/tiled", "--problem", "M=128", "--json"}).json()["error"]["code"],
              "not-found");
    EXPECT_EQ(kloop({"compare", "transpose/naive", "run:aaaa", "--json"}).code, 4) << "the start of several ids";
}

TEST_F(MeasureRequests, BaselinesOfSeveralProblemsAreAListAndAFailureIsOne)
{
    useRecorder(
        {}, answering(
                "run",
                R"({"status":"ok","correctness":{"result":"correct"},"timing":{"gpu_ns":{"median":4000,"low":3900,"high":4100,"n":50}}})"));
    const Json one = kloop({"baselines", "transpose/naive", "--problem", "M=64,N=32", "--json"}).json();
    EXPECT_EQ(one["problem"], "M=64,N=32");
    EXPECT_FALSE(one.contains("results"));
    const Answer two = kloop({"baselines", "transpose/naive", "--problem", "M=64,N=32", "--problem", "M=32,N=32", "--json"});
    EXPECT_EQ(two.code, 0) << two.err;
    ASSERT_THAT(two.json()["results"], SizeIs(2));
    EXPECT_EQ(two.json()["results"][1]["problem"], "M=32,N=32");
    EXPECT_THAT(
        readRows(kloop({"baselines", "transpose/naive", "--problem", "M=64,N=32"}).out),
        AllOf(Contains(AllOf(StartsWith("transpose/naive "), EndsWith(" M=64,N=32"))), Contains("transpose/naive | 4 µs | – | – | 0")));
    useRecorder({}, answering("run", R"({"status":"computation_failed","reason":"it faulted"})"));
    const Answer failed = kloop({"baselines", "transpose/naive"});
    EXPECT_EQ(failed.code, 1);
    EXPECT_THAT(readRows(failed.out), Contains("it faulted"));
}

TEST_F(MeasureRequests, ASweepHasTheColumnsThatItCanFill)
{
    const std::string timed =
        R"("status":"ok","correctness":{"result":"correct"},"timing":{"gpu_ns":{"median":4000,"low":3900,"high":4100,"n":50}},)"
        R"("baseline":{"name":"a copy","gpu_ns":{"median":6000,"low":5900,"high":6100,"n":50}})";
    useRecorder({}, answering("profile", '{' + timed + '}'));
    const Answer copies = kloop({"sweep", "transpose/naive", "--problem", "M=1024,N=1024", "--csv", file("rows.csv")});
    EXPECT_EQ(copies.code, 0) << copies.err;
    EXPECT_EQ(countCells(readRows(copies.out)[0]), 7);
    EXPECT_THAT(readRows(copies.out)[1], StartsWith("transpose/naive | M=1024,N=1024 | 4 µs | 2.1 TB/s | 1.50× | a copy | "));
    EXPECT_THAT(read("rows.csv"), HasSubstr("\ntranspose/naive,1024,1024,4000.0,"));
    const Answer both = kloop({"sweep", "transpose/naive", "matmul/rows", "--problem", "M=1024,N=1024,K=64"});
    EXPECT_EQ(countCells(readRows(both.out)[0]), 8) << "a rate of each kind";
    EXPECT_EQ(kloop({"sweep", "transpose/naive", "--problem", "M=1024", "--csv", file("no/such/rows.csv")}).code, 4);
    const Json row = kloop({"sweep", "transpose/naive", "--problem", "M=1024,N=1024", "--json"}).json()["rows"][0];
    EXPECT_EQ(row["kernel"], "transpose/naive");
    EXPECT_EQ(row["gpu_ns"], 4000);
    EXPECT_EQ(row["speedup"], 1.5);
}

TEST_F(MeasureRequests, TheNoiseOfAKernelIsARow)
{
    useRecorder({}, compared(1000, 1000));
    const Answer answer = kloop({"calibrate", "transpose/tiled", "--repeats", "3", "--problem", "M=64,N=32"});
    ASSERT_EQ(answer.code, 0) << answer.err;
    EXPECT_THAT(readRows(answer.out)[0], HasSubstr(" Test GPU, "));
    EXPECT_THAT(readRows(answer.out)[2], AllOf(StartsWith("transpose/tiled | M=64,N=32 | 0.0"), EndsWith(" | 3 | 3 | 0")));
    const Json row = kloop({"calibrate", "transpose/tiled", "--json"}).json()["calibrations"][0];
    EXPECT_EQ(row["repeats"], 5) << "the default";
    EXPECT_EQ(row["equivalent"], 5);
    EXPECT_EQ(row["different"], 0);
    EXPECT_EQ(row["device"]["uuid"], "GPU-1");
    EXPECT_EQ(row["device"]["name"], "Test GPU");
    EXPECT_EQ(row["device"]["source"], "live");
    EXPECT_THAT(row["ratios"], SizeIs(5));
    EXPECT_EQ(kloop({"calibrate", "transpose/missing", "--json"}).json()["error"]["code"], "not-found");
}

TEST_F(MeasureRequests, ALaunchIsALineForEach)
{
    useRecorder({}, answering("launch", R"({"launches":[{"entry":"f","grid_blocks":2,"block_threads":64}]})"));
    const Answer answer = kloop({"launch", "transpose/naive", "--problem", "M=64,N=32", "--repeat", "2"});
    EXPECT_EQ(answer.code, 0) << answer.err;
    ASSERT_THAT(readRows(answer.out), SizeIs(2));
    for (const std::string& row : readRows(answer.out)) {
        EXPECT_THAT(row, AllOf(StartsWith("transpose/naive "), HasSubstr(" M=64,N=32: f, ")));
        EXPECT_EQ(readFigures(row.substr(row.find(": "))), "2 | 64") << "blocks, threads";
    }
    EXPECT_EQ(kloop({"launch"}).code, 2);
    EXPECT_EQ(kloop({"launch", "transpose/naive", "--repeat", "0"}).code, 2);
}

TEST_F(MeasureRequests, ChosenMetricsAreEachAskedForOnce)
{
    useRecorder();
    const Words chosen{"profile", "--plan", "--chip", "GH100", "--metrics", "a,b,a", "--metrics", "c", "--max-passes", "7"};
    const std::vector<Json> plan = requestedBy("metrics", chosen);
    ASSERT_THAT(plan, SizeIs(1));
    EXPECT_EQ(plan[0]["chip"], "GH100");
    EXPECT_EQ(plan[0]["metrics"], Json({"a", "b", "c"}));
    EXPECT_EQ(plan[0]["max_passes"], 7);
    const std::vector<Json> tier = requestedBy("metrics", {"profile", "--plan", "--chip", "GH100", "--tier", "1"});
    EXPECT_EQ(tier[0]["tier"], 1);
    EXPECT_EQ(tier[0]["metrics"], Json::array());
    const std::vector<Json> search = requestedBy("metrics", {"metrics", "--chip", "AD102", "--search", "bytes read", "--limit", "3"});
    ASSERT_THAT(search, SizeIs(1));
    EXPECT_EQ(search[0]["chip"], "AD102");
    EXPECT_EQ(search[0]["search"], "bytes read");
    EXPECT_EQ(search[0]["limit"], 3);
    const std::vector<Json> passes = requestedBy("metrics", {"metrics", "--chip", "AD102"});
    ASSERT_GT(passes.size(), 4U);
    for (std::size_t i = 0; i < passes.size(); ++i) {
        EXPECT_EQ(passes[i]["chip"], "AD102");
        EXPECT_EQ(passes[i]["metrics"].empty(), i < 3) << "three tiers, then the sections";
        if (i < 3) {
            EXPECT_EQ(passes[i]["tier"], i);
        }
    }
    const std::vector<Json> count = requestedBy("count", {"profile", "transpose/naive", "--counters-only", "--tier", "0"});
    ASSERT_THAT(count, SizeIs(1));
    EXPECT_EQ(count[0]["works"][0]["kernel"], "transpose/naive");
    EXPECT_EQ(count[0]["tier"], 0);
}

TEST_F(MeasureRequests, AProfileCollectsWhatItsPlanSettled)
{
    useRecorder({}, answering("metrics", R"({"chip":"GH100","names":["a.sum"],"missing":{"b":"not on this chip"},"passes":2})"));
    std::vector<Json> sent = requestedBy("profile", {"profile", "transpose/naive", "--metrics", "regex:^a,b"});
    ASSERT_THAT(sent, SizeIs(1));
    EXPECT_EQ(sent[0]["metrics"], Json({"a.sum", "b"})) << "which the answer lists as missing";
    const Answer planned = kloop({"profile", "transpose/naive", "--metrics", "regex:^a,b"});
    EXPECT_THAT(readRows(planned.err), Contains(AllOf(HasSubstr(" GH100, "), withFigures("1 | 2 | 1"))));
    sent = requestedBy("profile", {"profile", "transpose/naive", "--max-passes", "5"});
    EXPECT_EQ(sent[0]["metrics"], Json::array()) << "the tier's";
    EXPECT_EQ(sent[0]["max_passes"], 5);
    EXPECT_THAT(requestedBy("metrics", {"profile", "transpose/naive"}), SizeIs(0)) << "the plan of a tier is known";
    EXPECT_THAT(requestedBy("metrics", {"profile", "transpose/naive", "--no-counters"}), SizeIs(0));
    useRecorder({},
                "*'\"verb\":\"metrics\"'*) echo "
                "\"{\\\"event\\\":\\\"error\\\",\\\"id\\\":$id,\\\"code\\\":\\\"environment\\\",\\\"message\\\":\\\"No CUPTI.\\\"}\" ;;\n");
    EXPECT_THAT(requestedBy("profile", {"profile", "transpose/naive", "--max-passes", "5"}), SizeIs(1)) << "the finding is inferred then";
    EXPECT_EQ(kloop({"profile", "transpose/naive", "--metrics", "a"}).code, 5);
}

TEST_F(MeasureRequests, WithoutAWorkerTheSampleIsSuggested)
{
    const Answer answer = kloop({"run", "transpose/naive", "--json"}, "KERNELLOOP_WORKER=/nonexistent");
    EXPECT_EQ(answer.code, 5);
    EXPECT_THAT(answer.json()["error"]["hint"].get<std::string>(), HasSubstr("--on sample"));
    EXPECT_EQ(answer.json()["error"]["next_steps"][0]["command"], "kloop env");
}

TEST_F(MeasureRequests, ATargetIsListedAmongThePrograms)
{
    ASSERT_EQ(kloop({"new-target", "solver", "--dir", file("solver"), "--add"}).code, 0);
    const Json list = kloop({"kernels", "--json"}).json();
    ASSERT_THAT(list["programs"], SizeIs(1));
    EXPECT_EQ(list["programs"][0]["id"], "solver");
    EXPECT_EQ(list["programs"][0]["origin"]["descriptor"], file("solver/kernelloop.json"));
    EXPECT_THAT(readRows(kloop({"kernels"}).out), Contains(StartsWith("solver | ")));
    EXPECT_EQ(kloop({"calibrate", "solver", "--json"}).json()["error"]["where"], "solver") << "it has no A/A comparison";
    EXPECT_EQ(kloop({"kernels", "check", file("solver")}).code, 0);
    EXPECT_EQ(kloop({"bisect", file("solver"), "--good", "HEAD", "--slower-than", "2", "--json"}).json()["error"]["where"],
              "--slower-than");
}

TEST_F(MeasureRequests, APlanSaysWhichNameIsUnknown)
{
    useRecorder({}, answering("metrics", R"({"chip":"GH100","unknown":{"x":["y","z"],"w":[]},"names":[]})"));
    const Json error = kloop({"profile", "--plan", "--chip", "GH100", "--metrics", "x,w", "--json"}).json()["error"];
    EXPECT_EQ(error["code"], "bad-input");
    EXPECT_EQ(error["where"], "--metrics");
    EXPECT_THAT(error["message"].get<std::string>(), AllOf(HasSubstr("\"w\""), HasSubstr(" 1 ")));
    EXPECT_EQ(error["next_steps"][0]["command"], "kloop metrics --chip GH100 --search SEARCH");
    useRecorder({}, answering("metrics", R"({"chip":"GH100","unknown":{"x":["y","z"]},"names":[]})"));
    EXPECT_THAT(kloop({"profile", "--plan", "--chip", "GH100", "--metrics", "x", "--json"}).json()["error"]["hint"].get<std::string>(),
                HasSubstr("y or z"));
}

TEST_F(MeasureRequests, OptionsOfAProgramNeedAProgram)
{
    KL_NEEDS_SAMPLE();
    for (const Words& option : {Words{"--kernel", "x"},
                                {"--skip", "1"},
                                {"--count", "1"},
                                {"--once"},
                                {"--range", "r"},
                                {"--by-range"},
                                {"--executions"},
                                {"--out", file("o")}}) {
        Words words{"profile", "transpose/naive", "--on", "sample"};
        words.insert(words.end(), option.begin(), option.end());
        EXPECT_EQ(kloop(words).code, 2) << option[0];
    }
    EXPECT_EQ(kloop({"profile", "transpose/naive", "--skip", "0", "--on", "sample"}).code, 0) << "which is none";
}

TEST_F(MeasureRequests, AUsersKernelIsCheckedListedAndRemoved)
{
    ASSERT_EQ(kloop({"new-kernel", "mine", "--dir", file("mine")}).code, 0);
    const Answer checked = kloop({"kernels", "check", file("mine"), "--json"});
    EXPECT_EQ(checked.code, 0) << checked.err;
    const Json kernel = checked.json()["kernel"];
    EXPECT_EQ(kernel["id"], "mine");
    EXPECT_EQ(kernel["variants"][0]["address"], "mine/plain");
    EXPECT_EQ(kernel["variants"][1]["id"], "vector");
    EXPECT_EQ(kernel["variants"][1]["fixes"], "plain");
    EXPECT_TRUE(kernel["variants"][0]["fixes"].is_null());
    EXPECT_TRUE(kernel["variants"][0]["fault"].is_null());
    EXPECT_EQ(kernel["tunables"][0]["name"], "BLOCK");
    EXPECT_EQ(kernel["origin"]["descriptor"], file("mine/kernel.json"));
    EXPECT_EQ(kernel["origin"]["sources"], Json({file("mine/kernel.cu")}));
    const auto listed = [&] {
        std::set<std::string> ids;
        const Json list = kloop({"kernels", "--json"}).json();
        for (const Json& one : list["kernels"])
            ids.insert(one["id"].get<std::string>());
        EXPECT_EQ(list["broken"], Json::array());
        return ids;
    };
    EXPECT_FALSE(listed().contains("mine"));
    const Answer added = kloop({"kernels", "add", file("mine")});
    EXPECT_EQ(added.code, 0) << added.err;
    EXPECT_THAT(readRows(added.out), AllOf(Contains(AllOf(HasSubstr(" mine | "), EndsWith("(" + file("mine/kernel.json") + ")"))),
                                           Contains(StartsWith("mine/vector | "))));
    EXPECT_TRUE(listed().contains("mine"));
    EXPECT_THAT(readRows(kloop({"kernels"}).out), Contains(EndsWith(": " + file("mine/kernel.json"))));
    write("mine/kernel.json", "{");
    const Answer broken = kloop({"kernels", "--json"});
    EXPECT_EQ(broken.code, 0);
    ASSERT_THAT(broken.json()["broken"], SizeIs(1));
    EXPECT_EQ(broken.json()["broken"][0]["path"], file("mine/kernel.json"));
    EXPECT_EQ(broken.json()["broken"][0]["error"]["code"], "bad-input");
    const Json removed = kloop({"kernels", "remove", file("mine/kernel.json"), "--json"}).json();
    EXPECT_EQ(removed["done"], "removed");
    EXPECT_EQ(removed["path"], file("mine/kernel.json"));
    EXPECT_FALSE(listed().contains("mine"));
    EXPECT_EQ(kloop({"kernels", "remove", "mine"}).code, 4);
    EXPECT_NE(kloop({"kernels", "schema"}).out, kloop({"kernels", "schema", "--project"}).out);
}

TEST_F(MeasureRequests, ADescriptorsFormulasAreCheckedOnEverySize)
{
    ASSERT_EQ(kloop({"new-kernel", "mine", "--dir", file("mine")}).code, 0);
    Json descriptor = *parseJson(read("mine/kernel.json"), "kernel.json");
    descriptor["smallest"] = {{"N", 0}};
    write("mine/kernel.json", descriptor.dump());
    EXPECT_EQ(kloop({"kernels", "check", file("mine")}).code, 4) << "of the smallest size as well";
}

} // namespace
} // namespace kl::test
