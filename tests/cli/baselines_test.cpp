// SPDX-License-Identifier: MIT
#include "kloop.h"

namespace kl::test {
namespace {

using testing::HasSubstr;
using testing::Not;

/// A worker with a GPU that answers every run alike: right, 4 µs, beside two libraries that ran and one that cannot. What it was asked is
/// kept in `asked`, the interpreter that it would start in `python`.
class Baselines : public Kloop {
protected:
    void SetUp() override
    {
        Kloop::SetUp();
        useWorker(R"(
echo "$KLOOP_PYTHON" > ')" +
                  file("python") + R"('
echo '{"event":"hello","protocol":1,"version":"test","devices":[{"name":"Test GPU","uuid":"GPU-1","cc_major":9,"cc_minor":0,"sm_count":132}],"unavailable":null}'
while read -r line; do
    id=${line#*\"id\":}; id=${id%%,*}
    case "$line" in
    *'"verb":"run"'*)
        printf '%s\n' "$line" >> ')" +
                  file("asked") + R"('
        printf '%s\n' "{\"event\":\"result\",\"id\":$id,\"body\":{\"status\":\"ok\",\"correctness\":{\"result\":\"pass\",\"max_abs\":0.001,\"peer_max_abs\":0.0008},\"timing\":{\"gpu_ns\":{\"median\":4000,\"low\":3900,\"high\":4100,\"n\":50},\"host_ns\":9000},\"baseline\":{\"name\":\"PyTorch SDPA (cuDNN)\",\"id\":\"sdpa\",\"gpu_ns\":{\"median\":6000,\"low\":5900,\"high\":6100,\"n\":50}},\"baselines\":[{\"name\":\"PyTorch SDPA (cuDNN)\",\"id\":\"sdpa\",\"version\":\"torch 2.11.0\",\"gpu_ns\":{\"median\":6000,\"low\":5900,\"high\":6100,\"n\":50},\"kernels_ns\":4800,\"host_ns\":30000,\"max_abs\":0.0009,\"kernels\":[\"sdpa\"]},{\"name\":\"cuBLAS, product, softmax, product\",\"id\":\"cublas\",\"version\":\"cuBLAS 13.1.0\",\"gpu_ns\":{\"median\":20000,\"low\":19000,\"high\":21000,\"n\":50}},{\"name\":\"cuDNN, fused attention\",\"id\":\"cudnn\",\"unavailable\":\"cuDNN 9 was not found.\"}]}}" ;;
    *'"verb":"shutdown"'*) exit 0 ;;
    esac
done
)");
    }
};

TEST_F(Baselines, NamesOfEveryFamilyNeedNoGpu)
{
    const Answer answer = kloop({"baselines", "--json"});
    ASSERT_EQ(answer.code, 0) << answer.err;
    bool attention = false;
    const Json json = answer.json();
    for (const Json& family : json["kernels"])
        if (family["kernel"] == "attention") {
            attention = true;
            EXPECT_EQ(family["baselines"], (Json{"sdpa", "sdpa-cudnn", "sdpa-flash", "sdpa-efficient", "sdpa-math", "cudnn", "cublas"}));
        }
    EXPECT_TRUE(attention);
    EXPECT_THAT(kloop({"baselines"}).out, HasSubstr("cub-sum"));
}

TEST_F(Baselines, TableHasARowEachAndSaysWhyOneIsMissing)
{
    const Answer words = kloop({"baselines", "attention", "--problem", "S=128", "--on", "local"});
    ASSERT_EQ(words.code, 0) << words.err;
    EXPECT_THAT(words.out, HasSubstr("attention/hopper-short at B=2,CAUSAL=0,D=64,H=8,S=128"));
    EXPECT_THAT(words.out, HasSubstr("1.50×"));
    EXPECT_THAT(words.out, HasSubstr("cuDNN 9 was not found."));
    const Json json = kloop({"baselines", "attention", "--problem", "S=128", "--on", "local", "--json"}).json();
    EXPECT_EQ(json["schema"], "kernelloop.baselines/1");
    ASSERT_EQ(json["rows"].size(), 4U);
    EXPECT_EQ(json["rows"][0]["id"], nullptr);
    EXPECT_NEAR(json["rows"][0]["tflops"].get<double>(), 4.0 * 2 * 8 * 128 * 128 * 64 / 4000 / 1e3, 1e-9);
    EXPECT_EQ(json["rows"][1]["speedup"], 1.5);
    EXPECT_EQ(json["rows"][1]["kernels_ns"], 4800);
    EXPECT_EQ(json["rows"][3]["gpu_ns"], nullptr);
    EXPECT_EQ(json["rows"][3]["speedup"], nullptr);
}

TEST_F(Baselines, TheWorkerMeasuresThoseThatAreNamed)
{
    const Answer answer = kloop({"run", "attention/fused", "--baseline", "sdpa-flash,cudnn", "--baseline", "cublas", "--on", "local"});
    ASSERT_EQ(answer.code, 0) << answer.err;
    const std::string asked = read("asked");
    const Result<Json> request = parseJson(asked, "request");
    ASSERT_TRUE(request);
    const Json& list = (*request)["body"]["baselines"];
    ASSERT_EQ(list.size(), 3U);
    EXPECT_EQ(list[0]["op"], "sdpa-flash");
    EXPECT_EQ(list[1]["kind"], "cudnn");
    EXPECT_EQ(list[1]["params"]["S"], 512);
    EXPECT_EQ(list[2]["id"], "cublas");
    EXPECT_THAT(answer.out, HasSubstr("0.0008"));
    EXPECT_THAT(answer.out, HasSubstr("cuBLAS 13.1.0"));
}

TEST_F(Baselines, OnlyTheNamedOnesAreCompared)
{
    ASSERT_EQ(kloop({"baselines", "attention", "--baseline", "sdpa-flash,cudnn", "--on", "local"}).code, 0);
    const Result<Json> request = parseJson(read("asked"), "request");
    ASSERT_TRUE(request);
    const Json& list = (*request)["body"]["baselines"];
    ASSERT_EQ(list.size(), 2U);
    EXPECT_EQ(list[0]["id"], "sdpa-flash");
    EXPECT_EQ(list[1]["id"], "cudnn");
}

TEST_F(Baselines, WithoutANameTheKernelsOwnAloneIsRequested)
{
    ASSERT_EQ(kloop({"run", "attention/fused", "--on", "local"}).code, 0);
    const Result<Json> request = parseJson(read("asked"), "request");
    ASSERT_TRUE(request);
    EXPECT_TRUE((*request)["body"]["baselines"].is_null());
    EXPECT_TRUE((*request)["body"]["work"]["baseline"]["id"].is_null());
}

TEST_F(Baselines, TheInterpreterReachesTheWorker)
{
    ASSERT_EQ(kloop({"run", "attention/fused", "--python", "/opt/venv/bin/python", "--on", "local"}).code, 0);
    EXPECT_EQ(read("python"), "/opt/venv/bin/python\n");
}

TEST_F(Baselines, AnUnknownNameIsAUsageErrorWithTheList)
{
    const Answer answer = kloop({"run", "attention/fused", "--baseline", "tensorrt", "--on", "local", "--json"});
    EXPECT_EQ(answer.code, 2);
    EXPECT_EQ(answer.json()["error"]["code"], "usage");
    EXPECT_THAT(answer.json()["error"]["hint"].get<std::string>(), HasSubstr("sdpa-efficient, sdpa-math, cudnn, cublas"));
    EXPECT_THAT(answer.json()["error"]["message"].get<std::string>(), HasSubstr("tensorrt"));
}

TEST_F(Baselines, TheSampleAnswersForThoseThatItHolds)
{
    KL_NEEDS_SAMPLE();
    const Answer none = kloop({"baselines", "attention/unfused", "--on", "sample", "--json"});
    EXPECT_EQ(none.code, 4);
    EXPECT_EQ(none.json()["error"]["code"], "not-recorded");
    const Answer all = kloop({"baselines", "attention", "--on", "sample", "--json"});
    if (all.code == 4)
        GTEST_SKIP() << "the recording holds no baselines of attention: kloop record FILE --part baselines --only attention";
    const Json rows = all.json()["rows"];
    ASSERT_EQ(rows.size(), 8U);
    for (const Json& row : rows)
        EXPECT_GT(row["gpu_ns"]["median"].get<double>(), 0) << row["name"];
    const Json one = kloop({"run", "attention/hopper-short", "--baseline", "sdpa-flash", "--on", "sample", "--json"}).json();
    ASSERT_EQ(one["baselines"].size(), 1U);
    EXPECT_EQ(one["baseline"]["id"], "sdpa-flash");
}

} // namespace
} // namespace kl::test
