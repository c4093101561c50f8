// SPDX-License-Identifier: MIT
// Commands that diagnose, in words and in data: which runs and files they take, what each row says, and their exit codes.
#include "../support/real_reports.h"
#include "core/codec/run_codec.h"
#include "kloop.h"
#include "tests/support/snapshot.h"
#include "tests/support/store_support.h"
#include "text_rows.h"

#include <fmt/format.h>

namespace kl::test {
namespace {

using support::openStore;
using support::profiledRun;
using support::timedRun;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;
using Words = std::vector<std::string>;

class DiagnosisText : public AskedKloop {
protected:
    static std::vector<std::string> kernelsIn(const Json& answer)
    {
        std::vector<std::string> names;
        for (const Json& result : answer["results"])
            names.push_back(result["imported"].is_object() ? result["imported"]["kernel"].get<std::string>().substr(0, 5)
                                                           : result["variant"].get<std::string>());
        return names;
    }
};

TEST_F(DiagnosisText, FilesAreAnsweredInTheirOrderAndFiltered)
{
    write("three.ncu-rep", ncuData("three_kernels.ncu-rep"));
    const Json all = json({"analyze", file("three.ncu-rep")});
    EXPECT_THAT(kernelsIn(all), ElementsAre("strid", "fma_k", "tiny("));
    EXPECT_EQ(all["results"][0]["imported"]["top_rule"],
              Json({{"rule", "MemoryCacheAccessPattern"}, {"class", "uncoalesced"}, {"agrees", true}}));
    EXPECT_EQ(all["results"][1]["imported"]["top_rule"]["agrees"], false);
    EXPECT_TRUE(all["results"][0].contains("targets"));
    EXPECT_EQ(all["notes"], Json::array());
    EXPECT_EQ(all["errors"], Json::array());
    EXPECT_THAT(json({"runs", "list"})["runs"], SizeIs(3)) << "each is stored once";
    EXPECT_THAT(kernelsIn(json({"analyze", file("three.ncu-rep"), "--kernel", "fma|tiny"})), ElementsAre("fma_k", "tiny("));
    EXPECT_THAT(json({"runs", "list"})["runs"], SizeIs(3));
    const std::string stored = json({"runs", "list", "--find", "tiny"})["runs"][0]["id"];
    EXPECT_THAT(kernelsIn(json({"analyze", "run:" + stored, file("three.ncu-rep"), "--kernel", "strided|tiny"})),
                ElementsAre("tiny(", "strid", "tiny("));
    const Answer none = kloop({"analyze", file("three.ncu-rep"), "--kernel", "nosuch", "--json"});
    EXPECT_EQ(none.code, 4);
    EXPECT_EQ(none.json()["error"]["where"], "--kernel");
    EXPECT_THAT(none.json()["error"]["message"].get<std::string>(), HasSubstr("fma_k")) << "one of those that there are";
    EXPECT_EQ(kloop({"analyze", file("three.ncu-rep"), "--kernel", "TINY"}).code, 4);
    EXPECT_EQ(kloop({"analyze", file("three.ncu-rep"), "--kernel", "("}).code, 2);
    const std::vector<std::string> text = rows({"analyze", file("three.ncu-rep"), "--kernel", "tiny"});
    EXPECT_THAT(text, Contains(EndsWith(" | run:" + stored)));
    const Json tiny = json({"analyze", file("three.ncu-rep"), "--kernel", "tiny"})["results"][0];
    EXPECT_THAT(text, Contains(StartsWith("> " + tiny["imported"]["top_rule"]["rule"].get<std::string>() + ", ")));
    EXPECT_THAT(text, Not(Contains(HasSubstr(" | false | "))));
    EXPECT_THAT(rows({"analyze", file("three.ncu-rep"), "--kernel", "tiny", "--explain"}), Contains(HasSubstr(" | false | ")))
        << "the answers to the tree's questions";
}

TEST_F(DiagnosisText, WhatIsNotToBeStoredIsNot)
{
    write("three.ncu-rep", ncuData("three_kernels.ncu-rep"));
    EXPECT_THAT(rows({"analyze", file("three.ncu-rep"), "--no-store"}), Not(Contains(HasSubstr(" | run:"))));
    EXPECT_FALSE(std::filesystem::exists(file("test.db"))) << "nor a database made";
    json({"analyze", file("three.ncu-rep"), "--no-counters"});
    EXPECT_FALSE(std::filesystem::exists(file("test.db")));
    json({"analyze", file("three.ncu-rep"), "--kernel", "fma"});
    EXPECT_THAT(json({"runs", "list"})["runs"], SizeIs(1));
}

TEST_F(DiagnosisText, OfSeveralFilesTheUnreadableOnesAreListed)
{
    write("three.ncu-rep", ncuData("three_kernels.ncu-rep"));
    const Answer some = kloop({"analyze", file("none.json"), file("three.ncu-rep"), file("gone.json"), "--json"});
    EXPECT_EQ(some.code, 4);
    EXPECT_THAT(some.json()["results"], SizeIs(3));
    ASSERT_THAT(some.json()["errors"], SizeIs(2));
    EXPECT_THAT(some.json()["errors"][1]["message"].get<std::string>(), HasSubstr("gone.json"));
    EXPECT_THAT(some.err, AllOf(HasSubstr("none.json"), HasSubstr("gone.json")));
    const Answer one = kloop({"analyze", file("none.json"), "--json"});
    EXPECT_EQ(one.json()["error"]["code"], "bad-input");
    EXPECT_EQ(kloop({"analyze", file("none.json"), file("gone.json")}).code, 4);
}

TEST_F(DiagnosisText, StoredFindingsAreRowsOldestFirst)
{
    const RunRecord run = profiledRun("aaaa0001", "naive", "2026-01-01T00:00:00.000Z", 1000);
    {
        const auto store = openStore(file("test.db"));
        ASSERT_TRUE(store->saveRun(run).ok());
        StoredDiagnosis later{"2026-02-01T00:00:00.000Z", *run.diagnosis};
        later.diagnosis.treeVersion = "abc123";
        later.diagnosis.finding.classId = "dram-bound";
        later.diagnosis.finding.title = "DRAM limits it.";
        later.diagnosis.finding.confidence = 0.75;
        ASSERT_TRUE(store->saveDiagnosis(run.id, later).ok());
    }
    const std::vector<std::string> text = rows({"show", "run:aaaa0001", "--findings"});
    EXPECT_THAT(text[0], AllOf(StartsWith("transpose/naive "), EndsWith(" M=64,N=64 on NVIDIA H200")));
    EXPECT_THAT(text[3],
                AllOf(StartsWith("2026-01-01T00:00:00.000Z | "), EndsWith(" | uncoalesced | 0 % | " + run.diagnosis->finding.title)));
    EXPECT_EQ(text[4], "2026-02-01T00:00:00.000Z | abc123 | dram-bound | 75 % | DRAM limits it.");
    EXPECT_THAT(text, SizeIs(5)) << "the findings alone";
    const Json findings = json({"show", "run:aaaa0001", "--findings"})["results"][0]["findings"];
    ASSERT_THAT(findings, SizeIs(2));
    EXPECT_TRUE(findings[0]["tree_version"].is_null());
    EXPECT_EQ(findings[0]["priority"], "P0");
    EXPECT_EQ(findings[1], Json({{"at", "2026-02-01T00:00:00.000Z"},
                                 {"tree_version", "abc123"},
                                 {"class", "dram-bound"},
                                 {"title", "DRAM limits it."},
                                 {"priority", "P0"},
                                 {"confidence", 0.75}}));
    const Json shown = json({"show", "run:aaaa0001", "--occupancy"})["results"][0];
    EXPECT_EQ(shown["id"], "aaaa0001");
    EXPECT_EQ(shown["problem"], "M=64,N=64");
    EXPECT_EQ(shown["device"], "NVIDIA H200");
    EXPECT_FALSE(shown.contains("findings"));
    write("profile.json", encode(runToJson(run)));
    EXPECT_THAT(json({"show", file("profile.json"), "--findings"})["results"][0]["findings"], SizeIs(1)) << "of a file, its own";
}

TEST_F(DiagnosisText, ARefutedRunIsShownAsInvalid)
{
    RunRecord run = profiledRun("aaaa0001", "naive", "2026-01-01T00:00:00.000Z", 1000);
    run.correctness.result = CorrectnessResult::replays;
    run.correctness.reason = "It returned an earlier result.";
    ASSERT_TRUE(openStore(file("test.db"))->saveRun(run).ok());
    EXPECT_THAT(rows({"show", "run:aaaa0001", "--stalls"})[1], EndsWith(" replays: It returned an earlier result."));
}

TEST_F(DiagnosisText, TheNewestProfileIsTheOneOfTheProblem)
{
    {
        const auto store = openStore(file("test.db"));
        for (const auto& [id, day, size] : {std::tuple{"aaaa0001", "2026-01-01", 64}, std::tuple{"aaaa0002", "2026-01-02", 128},
                                            std::tuple{"aaaa0003", "2026-01-03", 64}}) {
            RunRecord run = profiledRun(id, "naive", std::string(day) + "T00:00:00.000Z", 1000);
            run.problem = {{"M", std::int64_t{size}}};
            ASSERT_TRUE(store->saveRun(run).ok());
        }
        RunRecord plain = timedRun("aaaa0004", "naive", "2026-01-04T00:00:00.000Z", 1000);
        plain.problem = {{"M", std::int64_t{64}}};
        ASSERT_TRUE(store->saveRun(plain).ok());
        ASSERT_TRUE(store->saveRun(profiledRun("aaaa0005", "tiled", "2026-01-05T00:00:00.000Z", 1000)).ok());
    }
    const auto shown = [&](Words words) {
        words.insert(words.begin(), "show");
        words.emplace_back("--stalls");
        return json(words)["results"][0]["id"].get<std::string>();
    };
    EXPECT_EQ(shown({"transpose/naive"}), "aaaa0003") << "a run without a finding is not a profile";
    EXPECT_EQ(shown({"transpose/naive", "--problem", "M=128"}), "aaaa0002");
    EXPECT_EQ(shown({"transpose/naive", "--problem", "M=64"}), "aaaa0003");
    EXPECT_EQ(shown({"aaaa0001"}), "aaaa0001") << "an id alone";
    const Answer none = kloop({"show", "transpose/naive", "--problem", "M=1", "--json"});
    EXPECT_EQ(none.code, 4);
    EXPECT_EQ(none.json()["error"]["next_steps"][0]["command"], "kloop profile transpose/naive --problem M=1");
    EXPECT_EQ(kloop({"compare", "transpose/naive", "transpose/padded", "--json"}).json()["error"]["next_steps"][0]["id"], "run");
}

TEST_F(DiagnosisText, ARediagnosisListsWhatChangesAndStoresItOnce)
{
    {
        const auto store = openStore(file("test.db"));
        RunRecord run = profiledRun("aaaa0001", "naive", "2026-01-01T00:00:00.000Z", 1000);
        run.diagnosis->treeVersion = "abc123";
        ASSERT_TRUE(store->saveRun(run).ok());
        ASSERT_TRUE(store->saveRun(timedRun("aaaa0002", "naive", "2026-01-02T00:00:00.000Z", 1000)).ok());
    }
    const Json dry = json({"rediagnose", "--all", "--dry-run"});
    EXPECT_EQ(dry["dry_run"], true);
    EXPECT_EQ(dry["changed"], 1);
    EXPECT_EQ(dry["stored"], 0);
    ASSERT_THAT(dry["runs"], SizeIs(1)) << "of profiles";
    const Json& row = dry["runs"][0];
    EXPECT_EQ(row["run"], "aaaa0001");
    EXPECT_EQ(row["kernel"], "transpose/naive");
    EXPECT_EQ(row["problem"], "M=64,N=64");
    EXPECT_EQ(row["device"], "NVIDIA H200");
    EXPECT_EQ(row["old"]["class"], "uncoalesced");
    EXPECT_EQ(row["old"]["priority"], "P0");
    EXPECT_EQ(row["old"]["tree_version"], "abc123");
    EXPECT_EQ(row["new"]["tree_version"], dry["tree_version"]);
    EXPECT_EQ(row["changed"], true);
    EXPECT_EQ(row["stored"], false);
    const std::string found = row["new"]["class"];
    std::vector<std::string> text = rows({"rediagnose", "transpose/naive", "--dry-run"});
    EXPECT_EQ(readFigures(text[0].substr(text[0].find(": "))), "1 | 1");
    EXPECT_EQ(text[2], "run:aaaa0001 | transpose/naive | M=64,N=64 | uncoalesced | " + found + " | abc123");
    EXPECT_THAT(text[3], HasSubstr("--dry-run"));
    EXPECT_THAT(rows({"rediagnose", "--all"}).at(3), StartsWith("1 "));
    EXPECT_EQ(json({"runs", "list", "--class", found})["runs"][0]["id"], "aaaa0001") << "the lists have it from now on";
    text = rows({"rediagnose", "run:aaaa0001", "--dry-run"});
    EXPECT_THAT(text[2], AllOf(HasSubstr(" | " + found + " | "), Not(HasSubstr(found + " | " + found)))) << "which stays";
    EXPECT_THAT(rows({"rediagnose", "--all", "--dry-run"}), SizeIs(2)) << "of all, those whose class changes";
}

TEST_F(DiagnosisText, AConfusionIsAMatrixOfExpectedAndFound)
{
    KL_NEEDS_SAMPLE();
    write("naive.json", kloop({"profile", "transpose/naive", "--on", "sample", "--json"}).out);
    write("tiled.json", kloop({"profile", "transpose/tiled", "--on", "sample", "--json"}).out);
    const Json answer = json({"confusion", file("naive.json"), file("tiled.json")});
    ASSERT_THAT(answer["kernels"], SizeIs(2));
    EXPECT_EQ(answer["kernels"][1]["kernel"], "transpose/tiled");
    EXPECT_EQ(answer["kernels"][1]["problem"], "M=4096,N=4096");
    EXPECT_EQ(answer["kernels"][1]["expected"], "bank-conflicts");
    EXPECT_EQ(answer["kernels"][1]["counters"], "bank-conflicts");
    EXPECT_TRUE(answer["kernels"][1]["ncu"].is_null());
    ASSERT_THAT(answer["steps"], SizeIs(1));
    EXPECT_EQ(answer["steps"][0]["from"], "transpose/naive");
    EXPECT_EQ(answer["steps"][0]["to"], "transpose/tiled");
    EXPECT_EQ(answer["steps"][0]["fixed"], "uncoalesced");
    EXPECT_EQ(answer["steps"][0]["after"], "bank-conflicts");
    EXPECT_NEAR(answer["steps"][0]["realised"].get<double>(), 0.7, 0.01);
    EXPECT_NEAR(answer["steps"][0]["estimated"].get<double>(), 0.78, 0.01);
    const Json all{{"right", 2}, {"of", 2}}, none{{"right", 0}, {"of", 0}};
    EXPECT_EQ(answer["rates"]["counters"], Json({{"all", all}, {"tuned", all}, {"held_out", none}, {"unseen", none}}));
    EXPECT_EQ(answer["rates"]["ncu"]["all"]["of"], 0);
    const Answer text = kloop({"confusion", file("naive.json"), file("tiled.json"), "--markdown", file("out.md")});
    EXPECT_EQ(text.code, 0);
    EXPECT_EQ(text.out, read("out.md"));
    const Answer corpus =
        kloop({"confusion", "--corpus", std::string(KL_SOURCE_DIR) + "/tests/data/corpus", "--markdown", file("corpus.md")});
    EXPECT_EQ(corpus.code, 0);
    EXPECT_EQ(corpus.out, read("corpus.md"));
    EXPECT_EQ(kloop({"confusion", file("naive.json"), "--ncu", file("missing.json")}).code, 4);
    EXPECT_EQ(kloop({"confusion", file("naive.json"), "--ncu", KL_SOURCE_DIR "/tests/data/ncu_rules.json"}).code, 0);
}

TEST_F(DiagnosisText, OfAFileWithSeveralKernelsTheLongestIsListed)
{
    write("three.ncu-rep", ncuData("three_kernels.ncu-rep"));
    const Answer longest = kloop({"sass", file("three.ncu-rep"), "--json"}, "KERNELLOOP_NVDISASM=/nowhere/nvdisasm");
    ASSERT_EQ(longest.code, 0) << longest.err;
    EXPECT_THAT(longest.json()["kernel"].get<std::string>(), StartsWith("fma_k("));
    EXPECT_EQ(longest.json()["gpu_ns"], 297856);
    EXPECT_THAT(longest.err, HasSubstr(" 3 "));
    const Answer one = kloop({"sass", file("three.ncu-rep"), "--kernel", "strided", "--json"}, "KERNELLOOP_NVDISASM=/nowhere/nvdisasm");
    EXPECT_THAT(one.json()["kernel"].get<std::string>(), StartsWith("strided("));
    EXPECT_EQ(one.err, "");
}

TEST_F(DiagnosisText, CheckersSayWhatTheyFoundSnapshot)
{
    const std::string tool = R"(#!/bin/sh
while [ $# -gt 0 ]; do
    case "$1" in
    --tool) tool=$2; shift 2 ;;
    --log-file) log=$2; shift 2 ;;
    --show-backtrace|--print-limit|--report-api-errors|--padding|--racecheck-report) shift 2 ;;
    *) break ;;
    esac
done
cp ')" KL_SOURCE_DIR R"(/tests/data/sanitizer/'"$tool.txt" "$log"
[ "$tool" = initcheck ] || printf '========= COMPUTE-SANITIZER\n========= ERROR SUMMARY: 0 errors\n' > "$log"
exec "$@"
)";
    write("tool.sh", tool);
    std::filesystem::permissions(file("tool.sh"), std::filesystem::perms::owner_all);
    useRecorder();
    const Words words{"sanitize", std::string(KL_SOURCE_DIR) + "/tests/data/sanitizer:unwritten_read", "--tool", "memcheck", "--tool",
                      "initcheck"};
    const Answer text = kloop(words, "KERNELLOOP_SANITIZER=" + quoted(file("tool.sh")));
    EXPECT_EQ(text.code, 1) << text.err;
    EXPECT_THAT(readRows(text.out),
                AllOf(Contains(AllOf(StartsWith("faults/unwritten_read "), EndsWith(" N=1024"))), Contains(HasSubstr("faults.cu:30"))));
    EXPECT_THAT(findRow(text.out, "memcheck"), StartsWith("memcheck | "));
    EXPECT_EQ(readFigures(findRow(text.out, "memcheck")), "") << "none";
    EXPECT_EQ(readFigures(findRow(text.out, "initcheck")), "1");
    expectSnapshot("cli/sanitize-tools.txt", findRow(text.out, "memcheck") + '\n' + findRow(text.out, "initcheck") + '\n');
    Words sized = words;
    sized.insert(sized.end(), {"--problem", "N=2048", "--problem", "N=4096", "--json"});
    const Json both = kloop(sized, "KERNELLOOP_SANITIZER=" + quoted(file("tool.sh"))).json();
    ASSERT_THAT(both["kernels"], SizeIs(2));
    EXPECT_EQ(both["kernels"][0]["problem"], "N=2048");
    EXPECT_EQ(both["kernels"][1]["findings"], 1);
    EXPECT_THAT(both["kernels"][1]["checks"], SizeIs(2));
    EXPECT_EQ(both["findings"], 2) << "of both";
}

TEST_F(DiagnosisText, WhatARecordingLacksIsLeftOutOfABatch)
{
    KL_NEEDS_SAMPLE();
    const Json profiles = json({"profile", "transpose/naive", "--problem", "M=4096,N=4096", "--on", "sample"});
    EXPECT_FALSE(profiles.contains("results")) << "one alone is the run itself";
    EXPECT_EQ(profiles["variant"], "naive");
    const Json two = json({"profile", "transpose/naive", "transpose/tiled", "--on", "sample"});
    EXPECT_THAT(two["results"], SizeIs(2));
    EXPECT_FALSE(two.contains("missing"));
    EXPECT_EQ(kloop({"profile", "transpose/naive", "--problem", "M=5,N=5", "--on", "sample", "--json"}).json()["error"]["code"],
              "not-recorded");
    const Answer explained = kloop({"profile", "transpose/naive", "--explain", "--on", "sample"});
    EXPECT_THAT(readRows(explained.out), Contains(HasSubstr(" | true | ")));
    EXPECT_THAT(rows({"profile", "transpose/naive", "--on", "sample"}), Not(Contains(HasSubstr(" | true | "))));
    EXPECT_EQ(kloop({"profile", "transpose/naive", "--explain", "--counters-only", "--on", "sample"}).code, 2);
    EXPECT_EQ(kloop({"profile", "--all", "--problem", "M=5,N=5", "--on", "sample"}).code, 4) << "none at all";
}

} // namespace
} // namespace kl::test
