// SPDX-License-Identifier: MIT
// kloop confusion --corpus, on recordings of the sample's kernels.
#include "kloop.h"

namespace kl::test {
namespace {

using testing::HasSubstr;

const std::string kCorpus = KL_SOURCE_DIR "/tests/data/corpus";

class CorpusCli : public Kloop {};

TEST_F(CorpusCli, PrintsHowOftenTheTruthIsFound)
{
    const Answer answer = kloop({"confusion", "--corpus", kCorpus, "--markdown", file("out.md"), "--json"});
    ASSERT_EQ(answer.code, 0) << answer.err;
    const Json json = answer.json();
    EXPECT_EQ(json["schema"], "kernelloop.corpus/1");
    EXPECT_EQ(json["rates"]["counters"], (Json{{"right", 3}, {"of", 3}}));
    EXPECT_EQ(json["classes"]["dram-bound"]["counters"], (Json{{"right", 1}, {"of", 1}}));
    EXPECT_EQ(json["frameworks"]["cuda"]["ncu"]["of"], 2);
    EXPECT_EQ(json["recorded"], 3);
    EXPECT_EQ(json["of"], 4);
    EXPECT_EQ(json["contradictions"], 0);
    EXPECT_EQ(json["damaged"], Json::array());
    EXPECT_THAT(read("out.md"), HasSubstr("| uncoalesced | 1 of 1 (100 %) |"));
}

TEST_F(CorpusCli, ScoresTheHeldOutPartOnRequest)
{
    const Json json = kloop({"confusion", "--corpus", kCorpus + "/recordings/sample.jsonl", "--held-out", "--json"}).json();
    EXPECT_EQ(json["held_out"], true);
    ASSERT_EQ(json["cases"].size(), 1U);
    EXPECT_EQ(json["cases"][0]["counters"], "fp64-bound");
}

TEST_F(CorpusCli, ReadsCompressedRecordings)
{
    std::filesystem::copy(kCorpus + "/labels.json", file("labels.json"));
    if (std::system(("zstd -q " + quoted(kCorpus + "/recordings/sample.jsonl") + " -o " + quoted(file("sample.jsonl.zst"))).c_str()) != 0)
        GTEST_SKIP() << "no zstd on this machine";
    EXPECT_EQ(kloop({"confusion", "--corpus", file(""), "--json"}).json()["recorded"], 3);
}

TEST_F(CorpusCli, DamagedRecordingsAreNamedAndEndWithExit4)
{
    std::filesystem::copy(kCorpus + "/labels.json", file("labels.json"));
    std::filesystem::copy(kCorpus + "/recordings/sample.jsonl", file("sample.jsonl"));
    write("cut.jsonl", R"({"id": "copy-vector", "mode": "coun)");
    write("torn.jsonl.zst", "\x28\xb5\x2f\xfd of no use");
    const Answer answer = kloop({"confusion", "--corpus", file(""), "--json"});
    EXPECT_EQ(answer.code, 4);
    const Json json = answer.json();
    EXPECT_EQ(json["recorded"], 3) << "the others count";
    ASSERT_EQ(json["damaged"].size(), 2U);
    EXPECT_EQ(json["damaged"][0]["where"], file("cut.jsonl") + ":1");
    EXPECT_EQ(json["damaged"][1]["where"], file("torn.jsonl.zst"));
    EXPECT_THAT(answer.err, HasSubstr(file("cut.jsonl")));
}

TEST_F(CorpusCli, WithoutRecordingsItSaysSo)
{
    std::filesystem::copy(kCorpus + "/labels.json", file("labels.json"));
    const Answer answer = kloop({"confusion", "--corpus", file(""), "--json"});
    EXPECT_EQ(answer.code, 4);
    EXPECT_EQ(answer.json()["error"]["code"], "bad-input");
    EXPECT_EQ(answer.json()["error"]["where"], file(""));
    const Answer nowhere = kloop({"confusion", "--corpus", file("none/nowhere"), "--json"});
    EXPECT_EQ(nowhere.code, 4);
    EXPECT_EQ(nowhere.json()["error"]["where"], file("none/nowhere"));
    EXPECT_NE(nowhere.json()["error"]["hint"], answer.json()["error"]["hint"]) << "a folder without recordings is there";
}

TEST_F(CorpusCli, WrongUsage)
{
    EXPECT_EQ(kloop({"confusion", "--held-out"}).code, 2);
    EXPECT_EQ(kloop({"confusion", "answer.json", "--corpus", kCorpus}).code, 2);
}

} // namespace
} // namespace kl::test
