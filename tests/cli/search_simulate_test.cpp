// SPDX-License-Identifier: MIT
#include "../support/sanitized.h"
#include "kloop.h"

#include <filesystem>

namespace kl::test {
namespace {

using SearchSimulate = Kloop;

const std::string kSpace = std::string(KL_SOURCE_DIR) + "/tests/data/search/convolution_part.json.gz";

TEST_F(SearchSimulate, OneSpaceAndStrategyWithoutDatabaseOrDevice)
{
    const Answer answer = kloop({"search", "--simulate", kSpace, "--repeats", "4", "--seed", "3", "--json"});
    ASSERT_EQ(answer.code, 0) << answer.err;
    const Json json = answer.json();
    EXPECT_EQ(json["schema"], "kernelloop.search-replay/1");
    EXPECT_EQ(json["space"], "convolution_part");
    EXPECT_EQ(json["strategy"], "portfolio");
    EXPECT_EQ(json["repeats"], 4);
    EXPECT_EQ(json["points"], 760);
    EXPECT_LE(json["score"]["low"], json["score"]["value"]);
    EXPECT_LE(json["score"]["value"], json["score"]["high"]);
    for (const char* share : {"0.90", "0.95", "0.99"})
        EXPECT_TRUE(json["evaluations_to"].contains(share));
    EXPECT_EQ(json["curve"].size(), 100U);
    EXPECT_EQ(json["curve"].back()["seconds"], json["budget"]["seconds"]);
    EXPECT_EQ(json, kloop({"search", "--simulate", kSpace, "--repeats", "4", "--seed", "3", "--json"}).json());
    EXPECT_FALSE(std::filesystem::exists(file("data")));
    EXPECT_EQ(kloop({"search", "--simulate", kSpace, "--repeats", "4"}).code, 0);
}

TEST_F(SearchSimulate, SeveralStrategiesAndSpacesHaveAMean)
{
    const Json json = kloop({"search", "--simulate", kSpace, "--simulate", kSpace, "--strategy", "vndx,random_sample", "--repeats", "3",
                             "--batch", "4", "--json"})
                          .json();
    ASSERT_EQ(json["results"].size(), 4U);
    EXPECT_EQ(json["results"][1]["strategy"], "random_sample");
    ASSERT_EQ(json["mean"].size(), 2U);
    EXPECT_EQ(json["mean"][0]["strategy"], "vndx");
    EXPECT_EQ(json["mean"][0]["score"]["value"], json["results"][0]["score"]["value"]) << "twice the same space";
    EXPECT_EQ(kloop({"search", "--simulate", kSpace, "--strategy", "all", "--repeats", "1", "--json"}).json()["results"].size(), 10U);
}

TEST_F(SearchSimulate, ReplaysNearTheOptimumAfterSomeTrialsAreCounted)
{
    const std::vector<std::string> words{"search", "--simulate", kSpace, "--repeats", "4", "--trials", "760", "--json"};
    const Json all = kloop(words).json()["after"];
    EXPECT_EQ(all["trials"], 760);
    EXPECT_EQ(all["near"], 4) << "every point was measured";
    EXPECT_TRUE(kloop({"search", "--simulate", kSpace, "--repeats", "4", "--json"}).json()["after"].is_null());
}

TEST_F(SearchSimulate, ExportsInAnotherFormat)
{
    ASSERT_EQ(kloop({"search", "--simulate", kSpace, "--repeats", "1", "--export", file("part.cache.json")}).code, 0);
    EXPECT_EQ(kloop({"search", "--simulate", file("part.cache.json"), "--repeats", "1", "--json"}).json()["points"], 760);
    for (const char* name : {"part.csv", "part.csv.gz"}) {
        ASSERT_EQ(kloop({"search", "--simulate", kSpace, "--repeats", "1", "--export", file(name)}).code, 0);
        const Json original = kloop({"search", "--simulate", kSpace, "--repeats", "2", "--json"}).json();
        const Json read = kloop({"search", "--simulate", file(name), "--repeats", "2", "--json"}).json();
        EXPECT_EQ(read["space"], "part");
        EXPECT_EQ(read["score"], original["score"]) << name;
        EXPECT_EQ(read["optimum_ms"], original["optimum_ms"]);
    }
    EXPECT_EQ(kloop({"search", "--simulate", kSpace, "--repeats", "1", "--export", file("part.txt")}).code, 2);
    EXPECT_EQ(kloop({"search", "--simulate", kSpace, "--simulate", kSpace, "--export", file("part.csv")}).code, 2);
}

TEST_F(SearchSimulate, Refusals)
{
    EXPECT_EQ(kloop({"search"}).code, 2);
    EXPECT_EQ(kloop({"search", "--repeats", "3"}).code, 2);
    EXPECT_EQ(kloop({"search", "--simulate", kSpace, "--strategy", "genetic"}).code, 2);
    EXPECT_EQ(kloop({"search", "attention/fused", "--strategy", "vndx,tpe"}).code, 2) << "one strategy measures";
    EXPECT_EQ(kloop({"search", "--simulate", file("missing.json")}).code, 4);
    EXPECT_EQ(kloop({"search", "--simulate", kSpace, "--strategy", ""}).code, 2);
    for (const char* seed : {"-1", "18446744073709551616", "1e3", ""})
        EXPECT_EQ(kloop({"search", "--simulate", kSpace, "--repeats", "1", "--seed", seed}).code, 2) << seed;
    for (const std::vector<std::string>& unused : {std::vector<std::string>{"attention/fused"},
                                                   {"--problem", "S=8"},
                                                   {"--budget", "1"},
                                                   {"--fresh"},
                                                   {"--jobs", "2"},
                                                   {"--top", "3"}}) {
        std::vector<std::string> words{"search", "--simulate", kSpace, "--repeats", "1"};
        words.insert(words.end(), unused.begin(), unused.end());
        EXPECT_EQ(kloop(words).code, 2) << unused.front() << " has no effect on a replay";
    }
    write("none.json", R"({"results": []})");
    EXPECT_EQ(kloop({"search", "--simulate", file("none.json"), "--json"}).json()["error"]["where"], file("none.json"));
    write("bad.csv", "A,time_ms\n1,2\n2,fast\n");
    const Answer bad = kloop({"search", "--simulate", file("bad.csv"), "--json"});
    EXPECT_EQ(bad.code, 4);
    EXPECT_EQ(bad.json()["error"]["where"], file("bad.csv") + ", line 3, column time_ms");
    EXPECT_EQ(kloop({"search", "--simulate", kSpace, "--strategy", "all,vndx", "--repeats", "1", "--json"}).json()["results"].size(), 10U)
        << "each once";
    write("empty.json", "{}");
    const Answer empty = kloop({"search", "--simulate", file("empty.json"), "--json"});
    EXPECT_EQ(empty.code, 4);
    EXPECT_EQ(empty.json()["error"]["code"], "bad-input");
}

TEST_F(SearchSimulate, ASmallFileThatIsHugeInMemoryIsRefusedWithinTwoGigabytes)
{
    if (isAddressSanitized())
        GTEST_SKIP() << "the sanitizer reserves terabytes of addresses";
    const std::string make = "python3 -c 'import gzip, sys; out = gzip.open(sys.argv[1], \"wb\", 1); out.write(b\"{\\\"results\\\":[\"); "
                             "[out.write(sys.argv[2].encode() * 1000000) for _ in range(int(sys.argv[3]))]' ";
    const auto refused = [&](const char* piece, const char* times) {
        EXPECT_EQ(std::system((make + file("huge.json.gz") + " '" + piece + "' " + times).c_str()), 0);
        EXPECT_LT(std::filesystem::file_size(file("huge.json.gz")), 2'000'000U);
        const Answer answer = kloop({"search", "--simulate", file("huge.json.gz"), "--json"}, "prlimit --as=2000000000");
        EXPECT_EQ(answer.code, 4) << answer.err;
        EXPECT_EQ(answer.json()["error"]["code"], "bad-input");
    };
    refused("{},", "13");       // 39 MB, 13 million objects
    refused("         ", "46"); // 414 MB of nothing
}

} // namespace
} // namespace kl::test
