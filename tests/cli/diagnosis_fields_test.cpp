// SPDX-License-Identifier: MIT
// Commands that diagnose: each field of their answers, which of two sides is which, and what happens where a file or the database is
// damaged.
#include "core/diagnosis/fix_code.h"
#include "core/diagnosis/quantities.h"
#include "kloop.h"
#include "tests/support/real_reports.h"
#include "tests/support/store_support.h"
#include "text_rows.h"

#include <map>
#include <set>

namespace kl::test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;
using Words = std::vector<std::string>;

class DiagnosisFields : public AskedKloop {
protected:
    std::string recorded(const std::string& kernel, const std::string& problem) const
    {
        const std::string name = kernel.substr(kernel.find('/') + 1) + ".json";
        write(name, kloop({"profile", kernel, "--problem", problem, "--on", "sample", "--json"}).out);
        return file(name);
    }
    void bringDisassembler() const
    {
        write("nvdisasm", "#!/bin/sh\nexec cat '" KL_SOURCE_DIR "/tests/data/sass/three_kernels.nvdisasm.txt'\n");
        std::filesystem::permissions(file("nvdisasm"), std::filesystem::perms::owner_all);
    }
    Answer withDisassembler(const Words& words) const { return kloop(words, "KERNELLOOP_NVDISASM=" + quoted(file("nvdisasm"))); }
    Answer withoutDisassembler(const Words& words) const { return kloop(words, "KERNELLOOP_NVDISASM=/nowhere/nvdisasm"); }
};

TEST_F(DiagnosisFields, EachJudgeHasItsFieldAndEachPartItsRate)
{
    KL_NEEDS_SAMPLE();
    const Json answer = json({"confusion", recorded("occupancy/tiny-blocks", "RECORDS=65536,WALKS=33792"),
                              recorded("stencil/shared", "M=3072,N=3072"), recorded("morton/bits", "N=16777216")});
    const Json& held = answer["kernels"][0];
    EXPECT_EQ(held["problem"], "RECORDS=65536,WALKS=33792");
    EXPECT_EQ(held["held_out"], true);
    EXPECT_EQ(held["counters"], "occupancy-limited");
    EXPECT_EQ(held["inferred"], "occupancy-limited");
    EXPECT_EQ(held["early"], "l2-bound");
    const Json& tuned = answer["kernels"][1];
    EXPECT_EQ(tuned["held_out"], false);
    EXPECT_EQ(tuned["expected"], "l1-bound");
    EXPECT_EQ(tuned["counters"], "latency-bound");
    EXPECT_EQ(tuned["inferred"], "l1-bound");
    const auto rate = [](int right, int of) { return Json{{"right", right}, {"of", of}}; };
    EXPECT_EQ(answer["rates"]["counters"],
              Json({{"all", rate(2, 3)}, {"tuned", rate(0, 1)}, {"held_out", rate(2, 2)}, {"unseen", rate(0, 0)}}));
    EXPECT_EQ(answer["rates"]["inferred"]["all"], rate(3, 3));
    EXPECT_EQ(answer["rates"]["early"]["held_out"], rate(1, 2));
    EXPECT_EQ(answer["rates"]["lost"], rate(0, 0)) << "no series of steps";
    EXPECT_EQ(answer["rates"]["estimates"], rate(0, 0));
    const Json holdout = Json::parse(*resource("resources/diagnosis-holdout.json"));
    for (const char* field : {"chosen_at", "seed", "families", "one_size_in"})
        EXPECT_EQ(answer["holdout"][field], holdout[field]) << field;
}

TEST_F(DiagnosisFields, WhatNsightComputeSaysIsBesideTheTree)
{
    KL_NEEDS_SAMPLE();
    const Json answer = json({"confusion", recorded("transpose/naive", "M=4096,N=4096"), recorded("transpose/tiled", "M=4096,N=4096"),
                              "--ncu", std::string(KL_SOURCE_DIR) + "/tests/data/ncu_rules.json"});
    EXPECT_EQ(answer["kernels"][0]["ncu"], "uncoalesced");
    EXPECT_EQ(answer["kernels"][0]["ncu_speed_of_light"], "l2-bound");
    EXPECT_EQ(answer["kernels"][1]["ncu"], "bank-conflicts");
    EXPECT_EQ(answer["kernels"][1]["ncu_speed_of_light"], "l1-bound");
    EXPECT_EQ(answer["rates"]["ncu"]["all"], Json({{"right", 2}, {"of", 2}}));
    EXPECT_EQ(answer["rates"]["ncu_speed_of_light"]["all"], Json({{"right", 0}, {"of", 2}}));
    EXPECT_EQ(answer["rates"]["lost"], Json({{"right", 1}, {"of", 1}}));
    EXPECT_EQ(answer["rates"]["estimates"], Json({{"right", 1}, {"of", 1}}));
    EXPECT_EQ(answer["steps"][0]["problem"], "M=4096,N=4096");
    EXPECT_EQ(answer["steps"][0]["held_out"], false);
    EXPECT_EQ(answer["steps"][0]["unseen"], false);
}

TEST_F(DiagnosisFields, ACorpusHasItsCasesAndPairs)
{
    const std::string corpus = KL_SOURCE_DIR "/tests/data/corpus";
    std::filesystem::create_directories(file("corpus/recordings"));
    std::filesystem::copy(corpus + "/labels.json", file("corpus/labels.json"));
    std::filesystem::copy(corpus + "/recordings/sample.jsonl", file("corpus/recordings/sample.jsonl"));
    EXPECT_EQ(json({"confusion", "--corpus", file("corpus")})["pairs"], Json::array());
    write("corpus/pairs.json", R"({"pairs":[{"slow":"transpose-naive","fast":"copy-vector","work":1,"why":"the same bytes"}]})");
    const Json answer = json({"confusion", "--corpus", file("corpus")});
    const Json labels = *parseJson(read("corpus/labels.json"), "labels.json");
    std::map<std::string, Json> labeled;
    for (const Json& label : labels["cases"])
        labeled[label["id"].get<std::string>()] = label;
    for (const Json& one : answer["cases"]) {
        const Json& label = labeled[one["id"].get<std::string>()];
        EXPECT_EQ(label["held_out"], false);
        for (const char* field : {"framework", "library", "subject", "expected", "also", "why"})
            EXPECT_EQ(one[field], label[field]) << one["id"] << ' ' << field;
        ASSERT_TRUE(one.contains("contradiction"));
        EXPECT_TRUE(one["contradiction"].is_null());
        EXPECT_EQ(one["failed"], one["id"] == "histogram-global" ? Json({{"counters", "it took more than 60 s"}}) : Json::object());
    }
    const Json& copy = answer["cases"][0];
    EXPECT_EQ(copy["counters"], "dram-bound");
    EXPECT_EQ(copy["inferred"], "dram-bound");
    EXPECT_EQ(copy["ncu"], "latency-bound");
    EXPECT_EQ(copy["ncu_speed_of_light"], "l2-bound");
    EXPECT_TRUE(answer["cases"].back()["inferred"].is_null()) << "not recorded";
    EXPECT_EQ(answer["rates"]["inferred"], Json({{"right", 2}, {"of", 2}}));
    EXPECT_EQ(answer["rates"]["ncu"], Json({{"right", 1}, {"of", 2}}));
    EXPECT_EQ(answer["rates"]["ncu_speed_of_light"], Json({{"right", 0}, {"of", 2}}));
    EXPECT_EQ(answer["balanced"], Json({{"right", 0}, {"of", 3}}));
    EXPECT_EQ(answer["held_out"], false);
    ASSERT_THAT(answer["pairs"], SizeIs(1));
    EXPECT_EQ(answer["pairs"][0]["slow"], "transpose-naive");
    EXPECT_EQ(answer["pairs"][0]["fast"], "copy-vector");
    EXPECT_EQ(answer["pairs"][0]["class"], "uncoalesced");
    EXPECT_NEAR(answer["pairs"][0]["estimated_speedup"].get<double>(), 4.5, 0.01);
    EXPECT_NEAR(answer["pairs"][0]["measured_speedup"].get<double>(), 8.35, 0.01);
    EXPECT_THAT(readRows(text({"confusion", "--corpus", file("corpus")})), Contains(HasSubstr("| 4.50x | 8.35x |")));
    EXPECT_EQ(json({"confusion", "--corpus", file("corpus"), "--held-out"})["pairs"], Json::array()) << "which are of the others";
    const Json beside = json({"confusion", "--corpus", file("corpus/recordings/sample.jsonl")});
    EXPECT_EQ(beside["recorded"], 3) << "its labels are in the folder above";
    EXPECT_THAT(beside["pairs"], SizeIs(1));
    std::filesystem::copy(file("corpus/recordings/sample.jsonl"), file("corpus/here.jsonl"));
    EXPECT_EQ(json({"confusion", "--corpus", file("corpus/here.jsonl")})["recorded"], 3) << "and beside it";
    write("corpus/pairs.json", "{}");
    EXPECT_EQ(kloop({"confusion", "--corpus", file("corpus")}).code, 4);
}

TEST_F(DiagnosisFields, ADamagedDatabaseIsNoReasonWhereNothingIsKept)
{
    write("raw.csv", ncuData("three_kernels_raw.csv"));
    write("test.db", "These are my notes, not a database.");
    EXPECT_EQ(kloop({"analyze", file("raw.csv"), "--json"}).code, 4);
    const Answer unkept = kloop({"analyze", file("raw.csv"), "--no-store", "--json"});
    EXPECT_EQ(unkept.code, 0) << unkept.err;
    EXPECT_THAT(unkept.json()["results"], SizeIs(3));
    EXPECT_EQ(read("test.db"), "These are my notes, not a database.");
}

TEST_F(DiagnosisFields, WhatIsReadAgainFromTheDatabaseIsNotStoredTwice)
{
    write("three.ncu-rep", ncuData("three_kernels.ncu-rep"));
    const Json results = json({"analyze", file("three.ncu-rep")})["results"];
    const std::string run = "run:" + results[0]["id"].get<std::string>();
    EXPECT_EQ(json({"analyze", run})["results"][0]["id"], results[0]["id"]);
    EXPECT_EQ(json({"analyze", run})["results"][0]["finding"], results[0]["finding"]);
    EXPECT_EQ(json({"db", "info"})["info"]["runs"], "3");
    const Json inferred = json({"analyze", run, "--no-counters"})["results"][0];
    EXPECT_EQ(inferred["finding"]["inferred"], true);
    EXPECT_FALSE(inferred["metrics"].contains("dram__bytes_read.sum"));
    EXPECT_TRUE(json({"analyze", run})["results"][0]["metrics"].contains("dram__bytes_read.sum"));
}

TEST_F(DiagnosisFields, AKernelOfAProgramIsFoundByItsOwnName)
{
    {
        RunRecord run = support::profiledRun("aaaa0001", "x", "2026-01-01T00:00:00.000Z", 1000);
        run.kernel = {"program", "scale-1", {}};
        run.program.emplace();
        run.program->kernel = "scale(float*, int)";
        const auto store = support::openStore(file("test.db"));
        ASSERT_TRUE(store->saveRun(run).ok());
        run = support::profiledRun("aaaa0002", "x", "2026-01-02T00:00:00.000Z", 1000);
        run.imported.emplace(); // by a tool that names no kernel
        ASSERT_TRUE(store->saveRun(run).ok());
    }
    EXPECT_THAT(json({"show", "run:aaaa0001", "--kernel", "scale\\(", "--stalls"})["results"], SizeIs(1));
    EXPECT_EQ(kloop({"show", "run:aaaa0001", "--kernel", "scale-1", "--stalls"}).code, 4);
    EXPECT_THAT(json({"show", "run:aaaa0002", "--kernel", "^transpose/x$", "--stalls"})["results"], SizeIs(1));
    EXPECT_THAT(json({"show", "program/scale-1", "--stalls"})["results"], SizeIs(1));
}

TEST_F(DiagnosisFields, EachSideOfADiffIsItsOwnBuild)
{
    write("three.ncu-rep", ncuData("three_kernels.ncu-rep"));
    bringDisassembler();
    const Json results = withDisassembler({"analyze", file("three.ncu-rep"), "--json"}).json()["results"];
    const std::string a = results[0]["id"], b = results[1]["id"];
    const auto diff = [&](const std::string& from, const std::string& to) {
        return withoutDisassembler({"sass", "run:" + from, "--diff", "run:" + to, "--json"}).json();
    };
    const Json forth = diff(a, b), back = diff(b, a);
    EXPECT_EQ(forth["a"]["run"], a);
    EXPECT_EQ(forth["b"]["run"], b);
    EXPECT_THAT(forth["a"]["kernel"].get<std::string>(), StartsWith("strided("));
    EXPECT_THAT(forth["b"]["kernel"].get<std::string>(), StartsWith("fma_k("));
    EXPECT_EQ(forth["a"]["gpu_ns"], results[0]["timing"]["gpu_ns"]["median"]);
    EXPECT_EQ(forth["b"]["gpu_ns"], results[1]["timing"]["gpu_ns"]["median"]);
    EXPECT_NE(forth["a"]["instructions"], forth["b"]["instructions"]);
    EXPECT_EQ(back["a"]["instructions"], forth["b"]["instructions"]);
    EXPECT_GT(forth["diff"]["added"].get<int>() + forth["diff"]["removed"].get<int>(), 0);
    EXPECT_EQ(forth["diff"]["added"], back["diff"]["removed"]);
    EXPECT_EQ(forth["diff"]["most_live"]["a"], back["diff"]["most_live"]["b"]);
    const std::vector<std::string> rows = readRows(withoutDisassembler({"sass", "run:" + a, "--diff", "run:" + b}).out);
    const std::string head = rows[0] + ' ' + rows[1];
    EXPECT_LT(head.find("strided("), head.find("fma_k("));
    EXPECT_LT(head.find("fma_k("), head.size());
}

TEST_F(DiagnosisFields, BuildsWhoseInstructionsAreNotBothKnownAreNotCompared)
{
    write("three.ncu-rep", ncuData("three_kernels.ncu-rep"));
    bringDisassembler();
    const std::string known =
        withDisassembler({"analyze", file("three.ncu-rep"), "--kernel", "strided", "--json"}).json()["results"][0]["id"];
    const Json listed = withoutDisassembler({"sass", file("three.ncu-rep"), "--kernel", "fma", "--json"}).json();
    for (const Words& words : {Words{"sass", "run:" + known, "--diff", file("three.ncu-rep"), "--kernel", "fma", "--json"},
                               {"sass", file("three.ncu-rep"), "--diff", "run:" + known, "--kernel", "fma", "--json"}}) {
        const Answer answer = withoutDisassembler(words);
        EXPECT_EQ(answer.code, 3) << answer.err;
        EXPECT_EQ(answer.json()["error"]["code"], "not-comparable");
        EXPECT_EQ(answer.json()["error"]["where"], "run:" + listed["run"].get<std::string>()) << "the one that is not disassembled";
        EXPECT_NE(answer.json()["error"]["hint"], "");
    }
}

TEST_F(DiagnosisFields, CodeOfAFileIsNotStoredWithoutItsRun)
{
    write("three.ncu-rep", ncuData("three_kernels.ncu-rep"));
    bringDisassembler();
    EXPECT_EQ(withDisassembler({"sass", file("three.ncu-rep"), "--kernel", "strided", "--json"}).json()["language"], "sass");
    EXPECT_EQ(json({"db", "info"})["info"]["runs"], "0");
    RunRecord bare = support::profiledRun("aaaa0001", "naive", "2026-01-01T00:00:00.000Z", 1000);
    ASSERT_TRUE(support::openStore(file("test.db"))->saveRun(bare).ok());
    const Answer none = kloop({"sass", "run:aaaa0001", "--json"});
    EXPECT_EQ(none.code, 4);
    EXPECT_EQ(none.json()["error"]["where"], "run:aaaa0001") << "nothing is known of its instructions";
}

TEST_F(DiagnosisFields, ARooflineHasThePointsOfEachProfile)
{
    KL_NEEDS_SAMPLE();
    json({"profile", "fma/fp32", "--on", "sample"});
    json({"profile", "matmul/rows", "--on", "sample"});
    const Json both = json({"show", "matmul/rows", "fma/fp32", "--roofline", "--svg", file("roof.svg")});
    EXPECT_EQ(both["results"][0]["kernel"], "matmul");
    EXPECT_EQ(both["results"][1]["kernel"], "fma");
    EXPECT_THAT(read("roof.svg"), AllOf(HasSubstr("matmul/rows"), HasSubstr("fma/fp32"), HasSubstr("</svg>")));
    json({"show", "fma/fp32", "--svg", file("one.svg")});
    EXPECT_THAT(read("one.svg"), Not(HasSubstr("matmul/rows")));
}

TEST_F(DiagnosisFields, OfFilesThatAreShownAnUnreadableOneIsTheExitCode)
{
    KL_NEEDS_SAMPLE();
    const std::string naive = recorded("transpose/naive", "M=4096,N=4096");
    const Answer some = kloop({"show", naive, file("gone.json"), "--stalls", "--json"});
    EXPECT_EQ(some.code, 4);
    EXPECT_THAT(some.json()["results"], SizeIs(1));
    const std::string id = json({"show", naive, "--stalls"})["results"][0]["id"];
    const Json beside = json({"show", naive, "run:" + id, "--stalls"});
    EXPECT_THAT(beside["results"], SizeIs(2)) << "stored runs beside files";
    EXPECT_EQ(kloop({"show", naive, "--kernel", "nosuch", "--json"}).json()["error"]["where"], "--kernel");
}

TEST_F(DiagnosisFields, ARediagnosisCountsTheMeasuredChanges)
{
    const auto save = [&](RunRecord run) {
        run.kernel.family = "histogram";
        ASSERT_TRUE(support::openStore(file("test.db"))->saveRun(run).ok());
    };
    save(support::profiledRun("aaaa0001", "global", "2026-01-01T00:00:00.000Z", 1000));
    EXPECT_EQ(json({"rediagnose", "--all", "--dry-run"})["fix_cases"], Json({{"states", 0}, {"changes", 0}}));
    const std::size_t without = rows({"rediagnose", "--all", "--dry-run"}).size();
    save(support::timedRun("aaaa0002", "aggregated", "2026-01-02T00:00:00.000Z", 500));
    save(support::timedRun("aaaa0003", "private", "2026-01-02T00:00:00.000Z", 400));
    EXPECT_EQ(json({"rediagnose", "--all", "--dry-run"})["fix_cases"], Json({{"states", 1}, {"changes", 2}}));
    const std::vector<std::string> text = rows({"rediagnose", "--all", "--dry-run"});
    EXPECT_EQ(text.size(), without + 1);
    EXPECT_EQ(readFigures(text.back()), "2 | 1");
}

TEST_F(DiagnosisFields, ARediagnosisHasBothFindingsWithTheirConfidence)
{
    RunRecord run = support::profiledRun("aaaa0001", "naive", "2026-01-01T00:00:00.000Z", 1000);
    run.diagnosis->finding.confidence = 0.75;
    ASSERT_TRUE(support::openStore(file("test.db"))->saveRun(run).ok());
    const Json row = json({"rediagnose", "run:aaaa0001"})["runs"][0];
    EXPECT_EQ(row["old"]["title"], run.diagnosis->finding.title);
    EXPECT_EQ(row["old"]["confidence"], 0.75);
    EXPECT_TRUE(row["old"]["tree_version"].is_null());
    const Json found = json({"show", "run:aaaa0001", "--findings"})["results"][0]["findings"];
    ASSERT_THAT(found, SizeIs(2));
    for (const char* field : {"class", "title", "priority", "confidence", "tree_version"})
        EXPECT_EQ(row["new"][field], found[1][field]) << field;
    EXPECT_EQ(row["stored"], true);
}

TEST_F(DiagnosisFields, ATreesNamesAndFixesAreThoseOfTheProgram)
{
    const Json names = json({"tree", "--names"})["quantities"];
    ASSERT_EQ(names.size(), quantities().size());
    for (std::size_t i = 0; i < names.size(); ++i) {
        const Quantity& quantity = quantities()[i];
        EXPECT_EQ(names[i], Json({{"id", quantity.id}, {"title", quantity.title}, {"unit", quantity.unit}, {"how", quantity.how}}));
    }
    for (const char* id : {"pad-shared-memory", "stage-through-shared-memory", "coalesce-access"}) {
        const FixCode* code = fixCode(id);
        if (!code)
            continue;
        const Json fix = json({"tree", "--fix", id});
        EXPECT_EQ(fix["before"], code->before);
        EXPECT_EQ(fix["after"], code->after);
        EXPECT_EQ(fix["note"], code->note);
    }
    const Answer none = kloop({"tree", "--fix", "nosuch", "--json"});
    EXPECT_EQ(none.code, 4);
    EXPECT_EQ(none.json()["error"]["where"], "nosuch");
}

} // namespace
} // namespace kl::test
