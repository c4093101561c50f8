// SPDX-License-Identifier: MIT
// What the command line says of a refuted measurement, which a worker of the test's own reports.
#include "tests/cli/kloop.h"

namespace kl::test {
namespace {

using testing::HasSubstr;
using testing::Not;

class RefutedCli : public Kloop {
protected:
    void SetUp() override
    {
        Kloop::SetUp();
        useWorker(R"(
echo '{"event":"hello","protocol":1,"version":"test","devices":[{"uuid":"GPU-1","name":"Test GPU"}],"unavailable":null}'
answer() { echo "{\"event\":\"result\",\"id\":$id,\"body\":$1}"; }
device='"device":{"uuid":"GPU-1","name":"Test GPU"}'
seen='"witness":{"what":"It was not computed.","pass":3,"buffer":"out","index":35,"expected":3,"got":4.5,"address":"0x7f00"}'
seen='{"result":"replays","reason":"It was not computed.",'"$seen"',"proof":{"input_sets":3,"passes":12,"checked":11}}'
while read -r line; do
    id=${line#*\"id\":}; id=${id%%,*}
    case "$line" in
    *'"verb":"shutdown"'*) exit 0 ;;
    *'"verb":"run"'*) answer '{"status":"validation_failed","reason":"It was not computed.",'"$device"',"correctness":'"$seen"'}' ;;
    *'"verb":"ab"'*) answer '{"status":"validation_failed","reason":"no",'"$device"',"correctness_a":{"result":"correct"},"correctness_b":'"$seen"'}' ;;
    esac
done
)");
    }
    static int timesIn(const std::string& text, const std::string& part)
    {
        int count = 0;
        for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
            ++count;
        return count;
    }
};

TEST_F(RefutedCli, ARunShowsItsWordAndItsWitnessOnce)
{
    const Answer words = kloop({"run", "transpose/tiled"});
    EXPECT_EQ(words.code, 1);
    EXPECT_THAT(words.out, HasSubstr("replays"));
    EXPECT_EQ(timesIn(words.out, "It was not computed."), 1) << words.out;
    EXPECT_THAT(words.out, HasSubstr("out[35]"));
    EXPECT_THAT(words.out, HasSubstr("11 of 12"));
    EXPECT_THAT(words.out, Not(HasSubstr("GPU time")));

    const Answer json = kloop({"run", "transpose/tiled", "--json"});
    EXPECT_EQ(json.code, 1);
    const Json run = json.json();
    EXPECT_EQ(run["correctness"]["result"], "replays");
    EXPECT_EQ(run["correctness"]["witness"]["pass"], 3);
    EXPECT_EQ(run["correctness"]["proof"]["checked"], 11);
    EXPECT_TRUE(run["speedup"].is_null());
}

TEST_F(RefutedCli, AnAbNamesTheSideTheWordAndTheWitness)
{
    const Answer answer = kloop({"ab", "transpose/naive", "transpose/tiled", "--json"});
    EXPECT_EQ(answer.code, 3);
    const Json json = answer.json();
    EXPECT_EQ(json["verdict"], "not-comparable");
    EXPECT_EQ(json["reason"], "replays");
    EXPECT_EQ(json["refuted"]["side"], "b");
    EXPECT_EQ(json["refuted"]["witness"]["index"], 35);
    EXPECT_TRUE(json["ratio"].is_null());
}

TEST_F(RefutedCli, ARecordingOfAnOlderVersionClaimsNoProof)
{
    if (!sampleCarried())
        GTEST_SKIP() << "no recorded sample is carried";
    EXPECT_EQ(kloop({"run", "transpose/tiled", "--on", "sample"}).code, 0);
    const Json run = kloop({"run", "transpose/tiled", "--on", "sample", "--json"}).json();
    EXPECT_EQ(run["correctness"]["result"], "correct");
    if (!run["correctness"]["proof"].is_null()) {
        EXPECT_GT(run["correctness"]["proof"]["checked"], 0);
    }
}

} // namespace
} // namespace kl::test
