// SPDX-License-Identifier: MIT
#include "kloop.h"

namespace kl::test {
namespace {

using testing::HasSubstr;

class Calibrate : public Kloop {
protected:
    Json newest(const std::string& kernel) const
    {
        const Answer answer = kloop({"run", kernel, "--on", "sample", "--json"});
        EXPECT_EQ(answer.code, 0) << answer.err;
        return answer.json();
    }
};

TEST_F(Calibrate, WithoutAGpuItSaysSo)
{
    const Answer answer = kloop({"calibrate", "transpose/naive", "--json"});
    EXPECT_EQ(answer.code, 5);
    EXPECT_EQ(answer.json()["error"]["code"], "environment");
}

TEST_F(Calibrate, AKernelThatWasNotRecordedAgainstItselfSaysSo)
{
    KL_NEEDS_SAMPLE();
    const Answer answer = kloop({"calibrate", "transpose/padded", "--on", "sample", "--json"});
    EXPECT_EQ(answer.code, 4);
    EXPECT_EQ(answer.json()["error"]["code"], "not-recorded");
}

TEST_F(Calibrate, TheRecordedKernelsAreEquivalentToThemselvesAndTheVerdictsUseTheirNoise)
{
    KL_NEEDS_SAMPLE();
    const Answer answer = kloop({"calibrate", "transpose/naive", "--on", "sample", "--json"});
    if (answer.code == 4)
        GTEST_SKIP() << "the carried recording holds no A/A of transpose/naive: record again";
    ASSERT_EQ(answer.code, 0) << answer.err;
    const Json row = answer.json()["calibrations"][0];
    EXPECT_EQ(answer.json()["schema"], "kernelloop.calibration/1");
    EXPECT_EQ(row["kernel"], "transpose/naive");
    EXPECT_EQ(row["repeats"], 5);
    EXPECT_EQ(row["ratios"].size(), 5U);
    EXPECT_EQ(row["different"], 0);
    EXPECT_GT(row["noise"].get<double>(), 0);
    // Parts of the sample were recorded on different GPUs of one model: the noise of one says nothing of the other.
    const Json measured = kloop({"run", "transpose/naive", "--on", "sample", "--json"}).json();
    const bool sameGpu = measured["device"]["uuid"] == row["device"]["uuid"];
    const Json verdict = kloop({"ab", "transpose/naive", "transpose/tiled", "--on", "sample", "--json"}).json();
    EXPECT_EQ(verdict["noise"]["value"], sameGpu ? row["noise"] : Json(nullptr));
    EXPECT_EQ(verdict["noise"]["from"].get<std::string>().find("transpose/naive") != std::string::npos, sameGpu);
    const Answer fewer = kloop({"calibrate", "transpose/naive", "--repeats", "3", "--on", "sample", "--json"});
    EXPECT_EQ(fewer.json()["calibrations"][0]["repeats"], 3) << fewer.err;
    const Json later = kloop({"ab", "transpose/naive", "transpose/tiled", "--on", "sample", "--json"}).json();
    EXPECT_EQ(later["noise"]["value"], sameGpu ? fewer.json()["calibrations"][0]["noise"] : Json(nullptr)); // the newest counts
}

TEST_F(Calibrate, BadUsageIsExplained)
{
    EXPECT_EQ(kloop({"calibrate", "--repeats", "0"}).code, 2);
    EXPECT_EQ(kloop({"calibrate", "copy", "transpose", "--problem", "N=64"}).code, 2);
    const Answer unknown = kloop({"calibrate", "transposed"});
    EXPECT_EQ(unknown.code, 4);
    EXPECT_THAT(unknown.err, HasSubstr("transposed"));
}

TEST_F(Calibrate, AnUncalibratedVerdictSaysSo)
{
    KL_NEEDS_SAMPLE();
    const Answer answer = kloop({"ab", "transpose/naive", "transpose/tiled", "--on", "sample"});
    EXPECT_EQ(answer.code, 0) << answer.err;
    EXPECT_THAT(answer.out, HasSubstr("kloop calibrate"));
}

TEST_F(Calibrate, AnIntervalAroundWhatAKeepAsksForIsNotDecided)
{
    std::string blocks; // ratios of 1.1 and 1.3 in turn: their interval holds 1.2 after twenty blocks as after ten
    for (int pair = 0; pair < 5; ++pair)
        blocks += std::string(pair > 0 ? "," : "") + R"({"a":[1100,1100],"b":[1000,1000]},{"a":[1300,1300],"b":[1000,1000]})";
    useWorker(R"(
echo '{"event":"hello","protocol":1,"version":"test","devices":[{"uuid":"GPU-1","name":"Test GPU"}],"unavailable":null}'
while read -r line; do
    id=${line#*\"id\":}; id=${id%%,*}
    case "$line" in
    *'"verb":"shutdown"'*) exit 0 ;;
    *'"verb":"ab"'*) echo '{"event":"result","id":'$id',"body":{"status":"ok","device":{"uuid":"GPU-1","name":"Test GPU"},"correctness_a":{"result":"correct"},"correctness_b":{"result":"correct"},"blocks":[)" +
              blocks + R"(]}}' ;;
    esac
done
)");
    const Answer answer = kloop({"ab", "transpose/naive", "transpose/tiled", "--keep-at", "1.2", "--json"});
    EXPECT_EQ(answer.code, 3) << answer.err;
    EXPECT_EQ(answer.json()["keep"]["decision"], "inconclusive");
    EXPECT_EQ(answer.json()["verdict"], "faster");
    EXPECT_EQ(answer.json()["blocks"], 20);
    EXPECT_EQ(kloop({"ab", "transpose/naive", "transpose/tiled", "--keep-at", "1.01"}).code, 0);
}

class CompareStored : public Calibrate {};

TEST_F(CompareStored, RunsAreFoundByTheStartOfTheirIds)
{
    KL_NEEDS_SAMPLE();
    const std::string a = newest("transpose/naive")["id"];
    const std::string b = newest("transpose/tiled")["id"];
    const Answer answer = kloop({"compare", "run:" + a.substr(0, 8), "run:" + b.substr(0, 8), "--json"});
    EXPECT_EQ(answer.code, 0) << answer.err;
    const Json json = answer.json();
    EXPECT_EQ(json["a"], "run:" + a);
    EXPECT_EQ(json["verdict"], "faster");
    EXPECT_NE(json["statistics"], "");
    EXPECT_TRUE(json["waived"].is_null());
    const Answer none = kloop({"compare", "run:zz", "run:" + b, "--json"});
    EXPECT_EQ(none.code, 4);
    EXPECT_EQ(none.json()["error"]["code"], "not-found");
}

TEST_F(CompareStored, TheSameRunIsNotCompared)
{
    KL_NEEDS_SAMPLE();
    const std::string a = newest("transpose/naive")["id"];
    const Answer answer = kloop({"compare", "run:" + a, "run:" + a, "--json"});
    EXPECT_EQ(answer.code, 3);
    EXPECT_EQ(answer.json()["verdict"], "not-comparable");
    EXPECT_EQ(answer.json()["reason"], "same-run");
}

TEST_F(CompareStored, AWaiverNeedsAReason)
{
    EXPECT_EQ(kloop({"compare", "run:a", "run:b", "--waive", " "}).code, 2);
}

TEST_F(CompareStored, ARunSaysHowItsSamplesLieAndKeepsThem)
{
    KL_NEEDS_SAMPLE();
    const Json json = newest("transpose/naive");
    EXPECT_FALSE(json["timing"].contains("samples"));
    const Json samples = json["samples"]["gpu_ns"];
    ASSERT_EQ(samples.size(), json["timing"]["gpu_ns"]["n"].get<std::size_t>());
    const Json lies = json["timing"]["distribution"];
    EXPECT_LE(lies["min"], lies["q1"]);
    EXPECT_LE(lies["q1"], json["timing"]["gpu_ns"]["median"]);
    EXPECT_LE(json["timing"]["gpu_ns"]["median"], lies["q3"]);
    EXPECT_LE(lies["q3"], lies["max"]);
    const Answer text = kloop({"run", "transpose/naive", "--on", "sample"});
    EXPECT_THAT(text.out, HasSubstr("run:" + json["id"].get<std::string>()));
}

} // namespace
} // namespace kl::test
