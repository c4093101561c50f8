// SPDX-License-Identifier: MIT
// What decides the outcome of a command: what is not there, the sizes and values that are allowed, and whose machine cannot measure.
#include "../profiler/fake_ssh.h"
#include "app/kloop/diagnose/metric_choice.h"
#include "kloop.h"
#include "tests/support/build_folder.h"
#include "tests/support/store_support.h"
#include "text_rows.h"

namespace kl::test {
namespace {

using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using Words = std::vector<std::string>;

TEST(ChosenMetrics, EmptyNamesBesideOthersAreNone)
{
    const auto chosen = [](const Words& metrics, const Words& sections = {}) {
        cli::MetricOptions options;
        options.metrics = metrics;
        options.sections = sections;
        return cli::chooseMetrics(options);
    };
    for (const Words& named : {Words{"a", "", "b", "a", ""}, {"", "a", "b"}}) {
        const Result<Words> metrics = chosen(named);
        ASSERT_TRUE(metrics) << metrics.error().message;
        EXPECT_THAT(*metrics, ElementsAre("a", "b"));
    }
    EXPECT_THAT(*chosen({}), IsEmpty());
    for (const Words& none : {Words{""}, {"", ""}})
        EXPECT_EQ(chosen(none).error().code, ErrorCode::usage) << none.size();
    const Words section = *chosen({}, {"SpeedOfLight"});
    ASSERT_THAT(section, Not(IsEmpty()));
    Words more = section;
    more.emplace_back("a");
    EXPECT_EQ(*chosen({section.back(), "a"}, {"SpeedOfLight"}), more) << "each once, the section's first";
    EXPECT_EQ(chosen({"", ""}, {"SpeedOfLight"}).error().where, "--metrics");
}

class Outcomes : public AskedKloop {
protected:
    /// A worker that has recorded nothing, or answers a verb as `cases` say.
    void useEmptyRecording() const
    {
        useRecorder({},
                    R"(*'"verb":"profile"'*) echo "{\"event\":\"error\",\"id\":$id,\"code\":\"not-recorded\",\"message\":\"none\"}" ;;)");
    }
};

TEST_F(Outcomes, ACatalogOfWhichNothingIsRecordedIsAnError)
{
    useEmptyRecording();
    const Answer all = kloop({"profile", "--all", "--problem", "M=4096,N=4096", "--json"});
    EXPECT_NE(all.code, 0);
    const Answer each = kloop({"profile", "--all", "--json"});
    EXPECT_EQ(each.code, 4) << each.err;
    EXPECT_EQ(each.json()["error"]["code"], "not-recorded");
    EXPECT_EQ(kloop({"profile", "transpose/naive", "transpose/tiled", "--json"}).json()["error"]["code"], "not-recorded");
}

TEST_F(Outcomes, RowsThatAreListedAreAtLeastOne)
{
    for (const Words& words : {Words{"metrics", "--chip", "GH100", "--search", "dram", "--limit"},
                               {"runs", "list", "--limit"},
                               {"session", "list", "--limit"},
                               {"search", "show", "x", "--top"},
                               {"search", "transpose", "--top"},
                               {"search", "transpose", "--trials"},
                               {"search", "transpose", "--batch"},
                               {"profile", "transpose/naive", "--max-passes"},
                               {"profile", "--count"},
                               {"launch", "transpose/naive", "--repeat"},
                               {"timeline", "transpose/naive", "--blocks"},
                               {"calibrate", "--repeats"}}) {
        for (const char* wrong : {"0", "-1", "x"}) {
            Words all = words;
            all.emplace_back(wrong);
            const Answer answer = kloop(all);
            EXPECT_EQ(answer.code, 2) << testing::PrintToString(all);
            EXPECT_THAT(answer.err, HasSubstr(words.back())) << testing::PrintToString(all);
        }
    }
}

TEST_F(Outcomes, BoundsOfNumbersBelongToWhatIsAllowed)
{
    useRecorder();
    const auto code = [&](Words words, const char* value) {
        words.emplace_back(value);
        return kloop(words).code;
    };
    const Words keep{"ab", "transpose/naive", "transpose/tiled", "--keep-at"};
    for (const char* wrong : {"0.99", "100.5", "nan", "inf"})
        EXPECT_EQ(code(keep, wrong), 2) << wrong;
    EXPECT_NE(code(keep, "100"), 2);
    EXPECT_NE(code(keep, "1"), 2);
    for (const auto& [words, least, most, above] :
         {std::tuple{Words{"launch", "transpose/naive", "--problem", "M=64,N=64", "--repeat"}, "1", "1000", "1001"},
          std::tuple{Words{"timeline", "transpose/naive", "--blocks"}, "1", "1024", "1025"},
          std::tuple{Words{"timeline", "transpose/naive", "--marks"}, "64", "65536", "65537"},
          std::tuple{Words{"profile", "transpose/naive", "--max-passes"}, "1", "1000", "1001"},
          std::tuple{Words{"profile", "transpose/naive", "--tier"}, "0", "2", "3"}}) {
        EXPECT_NE(code(words, least), 2) << words[0] << words.back();
        EXPECT_NE(code(words, most), 2) << words[0] << words.back();
        EXPECT_EQ(code(words, above), 2) << words[0] << words.back();
    }
    EXPECT_EQ(code({"timeline", "transpose/naive", "--marks"}, "63"), 2);
}

TEST_F(Outcomes, ARecordingIsNeitherLaunchedNorRecorded)
{
    for (const Words& words : {Words{"launch", "transpose/naive"}, {"record", file("x.zst")}}) {
        Words all = words;
        all.insert(all.end(), {"--on", "sample", "--json"});
        const Answer answer = kloop(all);
        EXPECT_EQ(answer.code, 2) << words[0];
        EXPECT_EQ(answer.json()["error"]["where"], "--on") << words[0];
    }
    EXPECT_FALSE(std::filesystem::exists(file("x.zst")));
}

TEST_F(Outcomes, WhereAHostCannotMeasureItsOwnCheckIsNamed)
{
    const FakeSsh ssh;
    ssh.installWorker("exec '" + test::buildFolder() + "/bin/kloop-worker' \"$@\"");
    const auto errorOn = [&](const std::string& device) {
        return kloop({"run", "transpose/naive", "--on", device, "--json"},
                     "XDG_CONFIG_HOME=" + quoted(file("config")) + " XDG_DATA_HOME=" + quoted(file("data")) +
                         " KERNELLOOP_WORKER=" + quoted(test::kBuiltWorker) + " CUDA_VISIBLE_DEVICES=")
            .json()["error"];
    };
    const Json there = errorOn("ssh:gpu7");
    EXPECT_EQ(there["code"], "environment");
    EXPECT_EQ(there["where"], "gpu7");
    EXPECT_THAT(there["message"].get<std::string>(), AllOf(HasSubstr("gpu7: "), Not(testing::EndsWith("gpu7: "))));
    EXPECT_THAT(there["hint"].get<std::string>(), AllOf(HasSubstr("kloop env --on ssh:gpu7"), Not(HasSubstr("--on sample"))));
    ASSERT_EQ(there["next_steps"].size(), 1U);
    EXPECT_EQ(there["next_steps"][0]["id"], "check-environment");
    EXPECT_EQ(there["next_steps"][0]["argv"], Json({"kloop", "env", "--on", "ssh:gpu7", "--json"}));
    const Json here = errorOn("local");
    EXPECT_THAT(here["hint"].get<std::string>(), HasSubstr("--on sample"));
    EXPECT_NE(here["where"], "gpu7");
    ssh.touch("down");
    const Json gone = errorOn("ssh:gpu7");
    EXPECT_EQ(gone["code"], "environment");
    EXPECT_THAT(gone["hint"].get<std::string>(), Not(HasSubstr("--on sample"))) << "which is a hint for this machine";
}

TEST_F(Outcomes, APromptOfAFreshDatabaseHasTheShippedPatterns)
{
    KL_NEEDS_SAMPLE();
    json({"session", "new", "N", "Coalesce the stores", "--kernel", "transpose", "--on", "sample"});
    for (int i = 0; i < 4; ++i)
        json({"session", "step"});
    const std::string fresh = text({"prompt"});
    EXPECT_THAT(json({"patterns"})["patterns"], Not(SizeIs(0)));
    EXPECT_EQ(text({"prompt"}), fresh) << "as after they were listed";
}

TEST_F(Outcomes, AFixIsShownBeforeAndAfter)
{
    const Json fix = json({"tree", "--fix", "pad-shared-memory"});
    const std::string words = text({"tree", "--fix", "pad-shared-memory"});
    const auto before = words.find(fix["before"].get<std::string>());
    const auto after = words.find(fix["after"].get<std::string>());
    ASSERT_NE(before, std::string::npos);
    ASSERT_NE(after, std::string::npos);
    EXPECT_NE(fix["before"], fix["after"]);
    EXPECT_LT(words.find("Before:"), before);
    EXPECT_LT(before, words.find("After:"));
    EXPECT_LT(words.find("After:"), after);
    EXPECT_THAT(words, testing::StartsWith(fix["title"].get<std::string>()));
    EXPECT_THAT(words, HasSubstr(fix["note"].get<std::string>()));
}

TEST_F(Outcomes, OnlyKernelsOfTheNamedFamilyAreCalibrated)
{
    useRecorder();
    const auto pairs = [&](const Words& kernels) {
        Words words{"calibrate", "--repeats", "1"};
        words.insert(words.end(), kernels.begin(), kernels.end());
        std::vector<std::string> asked;
        for (const Json& body : requestedBy("ab", words)) {
            EXPECT_EQ(body["a"]["kernel"], body["b"]["kernel"]);
            EXPECT_EQ(body["a"]["problem"], body["b"]["problem"]);
            asked.push_back(body["a"]["kernel"].get<std::string>() + ' ' + body["a"]["problem"].get<std::string>());
        }
        return asked;
    };
    EXPECT_THAT(pairs({"transpose"}), Each(testing::StartsWith("transpose/naive M=4096,N=4096")));
    EXPECT_THAT(pairs({"transpose/padded", "--problem", "M=64,N=32"}), Each("transpose/padded M=64,N=32"));
    const Answer several = kloop({"calibrate", "copy", "transpose", "--problem", "M=64,N=64", "--json"});
    EXPECT_EQ(several.json()["error"]["where"], "--problem");
    EXPECT_EQ(kloop({"calibrate", "transpose/naive", "--problem", "M=64,N=64", "--problem", "M=8,N=8"}).code, 2);
}

} // namespace
} // namespace kl::test
