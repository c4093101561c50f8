// SPDX-License-Identifier: MIT
#include "kloop.h"
#include "tests/support/build_folder.h"

namespace kl::test {
namespace {

using testing::HasSubstr;

/// The first version's promises, on the recording that the program carries.
class OnSample : public Kloop {
protected:
    Answer sample(std::vector<std::string> words) const
    {
        words.insert(words.end(), {"--on", "sample", "--json"});
        return kloop(words);
    }
};

TEST_F(OnSample, WithoutACaptureItSaysSo)
{
    if (sampleCarried())
        GTEST_SKIP() << "this build carries a capture";
    const Answer answer = sample({"profile", "transpose/naive"});
    EXPECT_EQ(answer.code, 4);
    EXPECT_EQ(answer.json()["error"]["code"], "not-recorded");
}

TEST_F(OnSample, NaiveTransposeIsUncoalescedWithItsEvidence)
{
    KL_NEEDS_SAMPLE();
    const Answer answer = sample({"profile", "transpose/naive"});
    ASSERT_EQ(answer.code, 0) << answer.err;
    const Json json = answer.json();
    EXPECT_EQ(json["kernel"], "transpose");
    EXPECT_EQ(json["variant"], "naive");
    EXPECT_EQ(json["device"]["source"], "sample");
    EXPECT_EQ(json["correctness"]["result"], "correct");
    EXPECT_EQ(json["finding"]["class"], "uncoalesced");
    EXPECT_FALSE(json["finding"]["fixes"].empty());
    EXPECT_EQ(json["plan"]["passes"], json["plan"]["ran"]);
    const Json path = json["finding"]["path"];
    ASSERT_FALSE(path.empty());
    EXPECT_EQ(path.back()["taken"], true);
    EXPECT_TRUE(path.back()["value"].is_number());
    EXPECT_TRUE(path.back()["threshold"].is_number());
}

TEST_F(OnSample, OfTheWholeCatalogWhatIsNotRecordedIsListed)
{
    KL_NEEDS_SAMPLE();
    useWorker("exec '" + test::buildFolder() +
              "/bin/kloop-worker' --replay '" KL_SOURCE_DIR "/resources/captures/h200-morton.zst' \"$@\"\n");
    const Json json = kloop({"profile", "--all", "--on", "local", "--json"}).json();
    for (const Json& run : json["results"])
        EXPECT_EQ(run["kernel"], "morton");
    EXPECT_EQ(json["results"].size(), 4u);
    EXPECT_GT(json["missing"].size(), 200u);
    const Json first{{"kernel", "attention/unfused"}, {"problem", "B=2,CAUSAL=0,D=64,H=8,S=512"}};
    EXPECT_THAT(json["missing"], testing::Contains(first));
    // Of kernels that are named, one that is not recorded is an error.
    EXPECT_EQ(kloop({"profile", "morton/bits", "copy/strided", "--on", "local"}).code, 4);
}

TEST_F(OnSample, APairThatIsRecordedInTheOtherOrderLeadsThere)
{
    KL_NEEDS_SAMPLE();
    const Answer answer = sample({"ab", "transpose/tiled", "transpose/naive"});
    EXPECT_EQ(answer.code, 4);
    const Json error = answer.json()["error"];
    EXPECT_EQ(error["code"], "not-recorded");
    ASSERT_EQ(error["next_steps"].size(), 1U) << answer.out;
    const Json& step = error["next_steps"][0];
    EXPECT_EQ(step["id"], "compare-in-turn");
    EXPECT_EQ(step["arguments"]["kernel"], "transpose/naive");
    EXPECT_EQ(step["arguments"]["other"], "transpose/tiled");
    const std::vector<std::string> argv = step["argv"];
    EXPECT_EQ(kloop({argv.begin() + 1, argv.end()}).code, 0) << step["command"];
    const Json neither = sample({"ab", "transpose/tiled", "transpose/naive", "--problem", "M=96,N=96"}).json()["error"];
    EXPECT_EQ(neither["code"], "not-recorded");
    EXPECT_FALSE(neither.contains("next_steps") && !neither["next_steps"].empty());
}

TEST_F(OnSample, AProfileNamesItsHotLines)
{
    KL_NEEDS_SAMPLE();
    const Json json = sample({"profile", "transpose/naive"}).json();
    if (!json.contains("source"))
        GTEST_SKIP() << "this recording is older than source profiles";
    EXPECT_EQ(json["source"]["unavailable"], "");
    EXPECT_EQ(json["source"]["counts_unavailable"], "");
    EXPECT_GT(json["source"]["samples"], 1000);
    const Json hot = json["hot_lines"][0];
    EXPECT_THAT(hot["text"].get<std::string>(), HasSubstr("out[")); // the strided store
    EXPECT_GT(hot["share"], 0.3);
    EXPECT_GT(hot["executed"], 0);
    EXPECT_EQ(hot["cause"]["line"], hot["line"]);
    const std::string text = hot["text"];
    EXPECT_THAT(kloop({"profile", "transpose/naive", "--on", "sample"}).out, HasSubstr(text.substr(text.find_first_not_of(' '), 20)));
    EXPECT_FALSE(sample({"profile", "transpose/naive", "--tier", "0"}).json().contains("source"));
}

TEST_F(OnSample, PaddedTransposeIsNeitherUncoalescedNorConflicted)
{
    KL_NEEDS_SAMPLE();
    const Json json = sample({"profile", "transpose/padded"}).json();
    EXPECT_NE(json["finding"]["class"], "uncoalesced");
    EXPECT_NE(json["finding"]["class"], "bank-conflicts");
}

TEST_F(OnSample, EveryLabeledVariantIsFoundAndItsFixedVariantIsNot)
{
    KL_NEEDS_SAMPLE();
    std::map<std::string, std::string> sizes; // by kernel, the first at which its label is judged: not each holds at the default size
    const Json judged = kloop({"confusion", "--on", "sample", "--json"}).json()["kernels"];
    for (const Json& row : judged)
        sizes.emplace(row["kernel"].get<std::string>(), row["problem"].get<std::string>());
    const auto diagnoseClass = [&](const Json& variant, const std::string& problem) {
        const Answer answer = sample({"profile", variant["address"].get<std::string>(), "--problem", problem});
        EXPECT_EQ(answer.code, 0) << variant["address"] << answer.err;
        return answer.code == 0 ? answer.json()["finding"]["class"].get<std::string>() : std::string();
    };
    int labeled = 0;
    const Json kernels = kloop({"kernels", "--json"}).json()["kernels"];
    for (const Json& kernel : kernels)
        for (const Json& variant : kernel["variants"]) {
            if (variant["expected"].is_null())
                continue;
            ++labeled;
            const std::string problem = sizes.at(variant["address"].get<std::string>());
            const auto expected = variant["expected"].get<std::string>();
            EXPECT_EQ(diagnoseClass(variant, problem), expected) << variant["address"];
            for (const Json& fixed : kernel["variants"])
                if (fixed["fixes"] == variant["id"]) {
                    EXPECT_NE(diagnoseClass(fixed, problem), expected) << fixed["address"];
                }
        }
    EXPECT_GT(labeled, 60);
}

TEST_F(OnSample, AnalyzeGivesTheSameFindingAgain)
{
    KL_NEEDS_SAMPLE();
    const Answer profile = sample({"profile", "transpose/naive"});
    write("profile.json", profile.out);
    const Answer answer = kloop({"analyze", file("profile.json"), "--json"});
    ASSERT_EQ(answer.code, 0) << answer.err;
    const Json json = answer.json();
    ASSERT_EQ(json["results"].size(), 1u);
    EXPECT_EQ(json["results"][0]["finding"], profile.json()["finding"]);
}

TEST_F(OnSample, ReplayingTwiceStoresOneRun)
{
    KL_NEEDS_SAMPLE();
    const Json first = sample({"profile", "transpose/naive"}).json();
    const Json second = sample({"profile", "transpose/naive"}).json();
    EXPECT_EQ(first["id"], second["id"]);
    EXPECT_EQ(kloop({"db", "info", "--json"}).json()["info"]["runs"], "1");
}

TEST_F(OnSample, TheSampleDatabaseAnswersWhatItHoldsAndStoresNothing)
{
    KL_NEEDS_SAMPLE();
    const Answer held = sample({"profile", "transpose/naive", "--db", ":sample:"});
    EXPECT_EQ(held.code, 0) << held.err;
    EXPECT_EQ(held.json()["finding"]["class"], "uncoalesced");
    EXPECT_EQ(sample({"session", "new", "N+6", "Mine", "--kernel", "transpose", "--db", ":sample:"}).code, 4);
}

TEST_F(OnSample, EachStepIsFaster)
{
    KL_NEEDS_SAMPLE();
    const Answer ab = sample({"ab", "transpose/naive", "transpose/tiled"});
    EXPECT_EQ(ab.code, 0) << ab.err;
    EXPECT_EQ(ab.json()["verdict"], "faster");
    EXPECT_GT(ab.json()["ratio"]["low"].get<double>(), 1.0);
}

TEST_F(OnSample, AKeepThatIsRequestedDecidesTheExitCode)
{
    KL_NEEDS_SAMPLE();
    const Answer kept = sample({"ab", "transpose/naive", "transpose/tiled", "--keep-at", "1.2"});
    EXPECT_EQ(kept.code, 0) << kept.err;
    EXPECT_EQ(kept.json()["keep"]["decision"], "keep");
    const Answer short_ = sample({"ab", "transpose/naive", "transpose/tiled", "--keep-at", "100"});
    EXPECT_EQ(short_.code, 1) << "faster, but not by as much";
    EXPECT_EQ(short_.json()["verdict"], "faster");
    EXPECT_EQ(short_.json()["keep"]["decision"], "revert");
    EXPECT_EQ(short_.json()["keep"]["at"], 100);
    EXPECT_FALSE(sample({"ab", "transpose/naive", "transpose/tiled"}).json().contains("keep")) << "nobody asked";
}

TEST_F(OnSample, StoredRunsCompareByAddress)
{
    KL_NEEDS_SAMPLE();
    ASSERT_EQ(sample({"run", "transpose/naive"}).code, 0);
    ASSERT_EQ(sample({"run", "transpose/padded"}).code, 0);
    const Answer answer = kloop({"compare", "transpose/naive", "transpose/padded", "--json"});
    EXPECT_EQ(answer.code, 0) << answer.err;
    EXPECT_EQ(answer.json()["verdict"], "faster");
    const Answer backwards = kloop({"compare", "transpose/padded", "transpose/naive", "--json"});
    EXPECT_EQ(backwards.code, 1) << "slower is a regression";
}

TEST_F(OnSample, StoredRunsOfTheSameSizeAreComparedWhereBothHaveOne)
{
    KL_NEEDS_SAMPLE();
    for (const char* side : {"transpose/naive", "transpose/tiled"})
        ASSERT_EQ(sample({"run", side}).code, 0);
    ASSERT_EQ(sample({"run", "transpose/naive", "--problem", "M=32,N=32"}).code, 0) << "the newest run of one side has another size";
    const Answer answer = kloop({"compare", "transpose/naive", "transpose/tiled", "--json"});
    EXPECT_EQ(answer.code, 0) << answer.err << answer.out;
    EXPECT_EQ(answer.json()["verdict"], "faster");
    EXPECT_EQ(kloop({"report", "--compare", "transpose/naive", "transpose/tiled", "--json"}).json()["comparison"]["verdict"], "faster");
    const std::string small = "run:" + sample({"run", "transpose/tiled", "--problem", "M=32,N=32"}).json()["id"].get<std::string>();
    const Answer beside = kloop({"compare", "transpose/naive", small, "--json"});
    EXPECT_NE(beside.json()["reason"], "other-problem") << "the size of the run that is named";
}

TEST_F(OnSample, WhatWasNotRecordedIsReported)
{
    KL_NEEDS_SAMPLE();
    const Answer answer = sample({"run", "transpose/naive", "--problem", "M=77,N=33"});
    EXPECT_EQ(answer.code, 4);
    EXPECT_EQ(answer.json()["error"]["code"], "not-recorded");
    EXPECT_THAT(answer.err, HasSubstr("M=4096")) << "what is recorded";
}

TEST_F(OnSample, TheSeedOfTheInputsIsKeptAndAnotherIsNotRecorded)
{
    KL_NEEDS_SAMPLE();
    const Answer recorded = sample({"run", "transpose/naive"});
    ASSERT_EQ(recorded.code, 0) << recorded.err;
    EXPECT_EQ(recorded.json()["correctness"]["seed"], 1);
    EXPECT_EQ(sample({"run", "transpose/naive", "--seed", "1"}).json()["id"], recorded.json()["id"]);
    for (const char* seed : {"7", "fresh"}) {
        const Answer other = sample({"run", "transpose/naive", "--seed", seed});
        EXPECT_EQ(other.code, 4) << seed;
        EXPECT_EQ(other.json()["error"]["code"], "not-recorded") << seed;
    }
    for (const char* seed : {"-1", "seven", "1x", "18446744073709551616"}) {
        const Answer wrong = sample({"run", "transpose/naive", std::string("--seed=") + seed});
        EXPECT_EQ(wrong.code, 2) << seed;
        EXPECT_EQ(wrong.json()["error"]["where"], "--seed") << seed;
    }
}

TEST_F(OnSample, AScriptThatOnlyStepsCompletesASession)
{
    KL_NEEDS_SAMPLE();
    const Answer opened = sample({"session", "new", "N+6", "Coalesce the stores", "--kind", "optimize", "--kernel", "transpose"});
    ASSERT_EQ(opened.code, 0) << opened.err;
    const Answer early = kloop({"session", "keep", "--json"});
    EXPECT_EQ(early.code, 1) << early.out << early.err;
    EXPECT_EQ(early.json()["error"]["code"], "refused");
    EXPECT_NE(early.json()["error"]["where"], "");

    std::string phase = opened.json()["phase"];
    for (int steps = 0; phase != "done" && steps < 40; ++steps) {
        const Answer step = kloop({"session", "step", "--json", "--session", "N+6"});
        ASSERT_EQ(step.code, 0) << step.out << step.err;
        phase = step.json()["phase"];
    }
    EXPECT_EQ(phase, "done");
    const Json listed = kloop({"session", "list", "--json"}).json()["sessions"];
    ASSERT_EQ(listed.size(), 1u);
    EXPECT_EQ(listed[0]["outcome"], "kept");
    EXPECT_EQ(kloop({"session", "gate", "G5", "--session", "N+6", "--json"}).json()["gate"]["result"], "pass");
    EXPECT_EQ(kloop({"report", "--html", file("report.html")}).code, 0);
    EXPECT_THAT(read("report.html"), HasSubstr("N+6"));
}

TEST_F(OnSample, AnAssistantThatFollowsNextTakesEveryStepUntilNothingIsWorthKeeping)
{
    KL_NEEDS_SAMPLE();
    for (const auto& [name, start, outcome] : {std::tuple{"N", "transpose/naive", "kept"}, std::tuple{"N+1", "transpose/tiled", "kept"},
                                               std::tuple{"N+2", "transpose/padded", "reverted"}}) {
        const Answer opened = sample({"session", "new", name, "Make it faster", "--kernel", "transpose"});
        ASSERT_EQ(opened.code, 0) << opened.err;
        Json view = opened.json();
        for (int steps = 0; view["phase"] != "done" && steps < 40; ++steps) {
            ASSERT_FALSE(view["next"].empty()) << name << ' ' << view["phase"];
            const auto argv = view["next"][0]["argv"].get<std::vector<std::string>>();
            ASSERT_EQ(argv.front(), "kloop");
            std::vector<std::string> words(argv.begin() + 1, argv.end());
            words.push_back("--json");
            const Answer step = kloop(words);
            ASSERT_LE(step.code, 1) << step.out << step.err;
            EXPECT_EQ(step.code == 1, step.json()["blocked"].get<bool>()) << step.json()["phase"];
            view = step.json();
        }
        EXPECT_EQ(view["phase"], "done") << name;
        EXPECT_EQ(view["start"], start) << name;
        EXPECT_EQ(kloop({"session", "list", "--json"}).json()["sessions"].back()["outcome"], outcome) << name;
    }
}

TEST_F(OnSample, KeepBeforeTheProfileNamesTheRule)
{
    KL_NEEDS_SAMPLE();
    ASSERT_EQ(sample({"session", "new", "N", "Coalesce the stores", "--kernel", "transpose"}).code, 0);
    const Answer early = kloop({"session", "keep", "--json"});
    EXPECT_EQ(early.code, 1);
    EXPECT_EQ(early.json()["error"]["where"], "profile-before-optimizing");
    EXPECT_THAT(early.err, HasSubstr("profile-before-optimizing"));
}

TEST_F(OnSample, TwoSessionsGoOnSideBySide)
{
    KL_NEEDS_SAMPLE();
    ASSERT_EQ(sample({"session", "new", "N", "Transpose", "--kernel", "transpose"}).code, 0);
    const Answer again = sample({"session", "new", "N", "Once more", "--kernel", "copy"});
    EXPECT_EQ(again.code, 4) << "the name is taken";
    const Answer other = sample({"session", "new", "second", "Copy", "--kernel", "copy"});
    ASSERT_EQ(other.code, 0) << other.err;
    const Json stepped = kloop({"session", "step", "--session", "N", "--json"}).json();
    EXPECT_EQ(stepped["phase"], "baseline");
    const Json shown = kloop({"session", "show", "sec", "--json"}).json();
    EXPECT_EQ(shown["session"], other.json()["session"]);
    EXPECT_EQ(shown["phase"], "environment");
}

TEST_F(OnSample, ASessionStaysOnItsDevice)
{
    KL_NEEDS_SAMPLE();
    ASSERT_EQ(sample({"session", "new", "N", "Coalesce the stores", "--kernel", "transpose"}).code, 0);
    const Answer answer = kloop({"session", "step", "--on", "local", "--json"});
    EXPECT_EQ(answer.code, 3);
    EXPECT_EQ(answer.json()["error"]["code"], "not-comparable");
}

} // namespace
} // namespace kl::test
