// SPDX-License-Identifier: MIT
// kloop analyze, import, export and compare on files of other tools and on bundles.
#include "tests/cli/kloop.h"
#include "tests/support/real_reports.h"
#include "tests/support/snapshot.h"

#include <set>

namespace kl::test {
namespace {

using testing::HasSubstr;

class Imports : public Kloop {
protected:
    void SetUp() override
    {
        Kloop::SetUp();
        for (const char* name : {"three_kernels.ncu-rep", "three_kernels_raw.csv", "three_kernels_details.csv"})
            write(name, ncuData(name));
    }
    int storedRuns() const { return std::stoi(kloop({"db", "info", "--json"}).json()["info"]["runs"].get<std::string>()); }
};

TEST_F(Imports, AReportIsDiagnosedKeptOnceAndSaysWhatNcuSays)
{
    const Answer answer = kloop({"analyze", file("three_kernels.ncu-rep"), "--json"});
    ASSERT_EQ(answer.code, 0) << answer.err;
    const Json results = answer.json()["results"];
    ASSERT_EQ(results.size(), 3u);
    EXPECT_EQ(results[0]["finding"]["class"], "uncoalesced");
    EXPECT_EQ(results[1]["finding"]["class"], "fp32-bound");
    EXPECT_EQ(results[0]["device"]["source"], "import");
    EXPECT_EQ(results[0]["device"]["name"], "NVIDIA H200");
    EXPECT_EQ(results[0]["device"]["cc"], "9.0");
    EXPECT_EQ(results[0]["correctness"]["result"], "not-checked");
    EXPECT_EQ(results[0]["timing"]["gpu_ns"]["n"], 1);
    EXPECT_EQ(results[0]["metrics"]["gpu__time_duration.sum"], 265504);
    EXPECT_EQ(results[0]["metrics"]["launch__func_cache_config"], "CachePreferNone");
    EXPECT_EQ(results[0]["metrics"]["sass__inst_executed_register_spilling_mem_local"], nullptr);
    EXPECT_TRUE(results[0]["missing"].contains("sass__inst_executed_register_spilling_mem_local"));
    EXPECT_EQ(results[0]["imported"]["top_rule"]["class"], "uncoalesced");
    EXPECT_EQ(results[0]["imported"]["top_rule"]["agrees"], true);
    EXPECT_EQ(results[0]["imported"]["rules"].size(), 12u);
    EXPECT_EQ(storedRuns(), 3);
    const Answer again = kloop({"analyze", file("three_kernels.ncu-rep"), "--json"});
    EXPECT_EQ(again.out, answer.out);
    EXPECT_EQ(storedRuns(), 3);
}

TEST_F(Imports, WithoutItsCountersAReportIsNotStored)
{
    ASSERT_EQ(kloop({"analyze", file("three_kernels.ncu-rep"), "--no-counters"}).code, 0);
    EXPECT_FALSE(std::filesystem::exists(file("test.db")));
}

TEST_F(Imports, InWordsBothOpinionsStandSideBySide)
{
    const Answer answer = kloop({"analyze", file("three_kernels.ncu-rep"), "--kernel", "strided"});
    ASSERT_EQ(answer.code, 0) << answer.err;
    EXPECT_THAT(answer.out, HasSubstr("uncoalesced"));
    EXPECT_THAT(answer.out, HasSubstr("strided("));
    EXPECT_THAT(answer.out, HasSubstr("MemoryCacheAccessPattern"));
    EXPECT_THAT(answer.out, HasSubstr("/tmp/k.cu:2: 87.50% of this line's global accesses are excessive."));
    EXPECT_THAT(answer.out, testing::Not(HasSubstr("fma_k")));
    EXPECT_EQ(kloop({"analyze", file("three_kernels.ncu-rep"), "--kernel", "nothing"}).code, 4);
}

TEST_F(Imports, CsvPagesAreAnsweredByTheBranchesThatStillCan)
{
    const Answer raw = kloop({"analyze", file("three_kernels_raw.csv"), "--json", "--no-store"});
    ASSERT_EQ(raw.code, 0) << raw.err;
    EXPECT_EQ(raw.json()["results"][0]["finding"]["class"], "uncoalesced");
    const Answer details = kloop({"analyze", file("three_kernels_details.csv"), "--json", "--no-store"});
    ASSERT_EQ(details.code, 0) << details.err;
    const Json first = details.json()["results"][0];
    EXPECT_FALSE(first["finding"]["class"].get<std::string>().empty());
    EXPECT_TRUE(first["missing"].contains("dram__bytes_read.sum"));
    EXPECT_EQ(first["imported"]["rules"].size(), 12u);
    EXPECT_FALSE(std::filesystem::exists(file("test.db")));
}

TEST_F(Imports, SeveralFilesAtOnceAndTheBrokenOneKeepsNoneFromBeingAnswered)
{
    write("cut.ncu-rep", ncuData("three_kernels.ncu-rep").substr(0, 100'000));
    const Answer answer = kloop({"analyze", file("three_kernels.ncu-rep"), file("cut.ncu-rep"), file("three_kernels_raw.csv"), "--json"});
    EXPECT_EQ(answer.code, 4);
    EXPECT_EQ(answer.json()["results"].size(), 6u);
    ASSERT_EQ(answer.json()["errors"].size(), 1u);
    EXPECT_EQ(answer.json()["errors"][0]["code"], "bad-input");
    EXPECT_THAT(answer.err, HasSubstr("cut.ncu-rep"));
}

TEST_F(Imports, AReportThatCannotBeReadMakesNoDatabase)
{
    write("cut.ncu-rep", ncuData("three_kernels.ncu-rep").substr(0, 100'000));
    EXPECT_EQ(kloop({"analyze", file("cut.ncu-rep"), "--json"}).code, 4);
    EXPECT_FALSE(std::filesystem::exists(file("test.db")));
    write("basic.ncu-rep", ncuData("basic.ncu-rep"));
    EXPECT_EQ(kloop({"analyze", file("basic.ncu-rep"), "--kernel", "no such kernel"}).code, 4);
    EXPECT_FALSE(std::filesystem::exists(file("test.db")));
}

TEST_F(Imports, ForeignFilesAreNamedForWhatTheyAreSnapshot)
{
    const struct {
        const char* name;
        std::string bytes;
    } cases[] = {{"empty", ""},
                 {"database", std::string("SQLite format 3\0....", 20)},
                 {"program", "\x7f"
                             "ELF...."},
                 {"ncu output", "==PROF== Connected to process 1\n"},
                 {"zstd", "\x28\xb5\x2f\xfd...."},
                 {"other JSON", "{\"a\": 1}"},
                 {"text", "some words\n"}};
    std::set<std::string> messages;
    std::string text;
    for (const auto& entry : cases) {
        write("odd", entry.bytes);
        const Answer answer = kloop({"analyze", file("odd"), "--json"});
        EXPECT_EQ(answer.code, 4) << entry.name;
        const Json error = answer.json()["error"];
        EXPECT_EQ(error["code"], "bad-input") << entry.name;
        EXPECT_EQ(error["where"], file("odd")) << entry.name;
        EXPECT_NE(error["hint"], "") << entry.name;
        const std::string message = error["message"];
        EXPECT_TRUE(messages.insert(message).second) << entry.name << " has the message of another one";
        std::string line = entry.name + (" | " + message) + " | " + error["hint"].get<std::string>();
        for (std::size_t at = line.find(file("odd")); at != std::string::npos; at = line.find(file("odd")))
            line.replace(at, file("odd").size(), "FILE");
        text += line + '\n';
    }
    expectSnapshot("errors/foreign-files.txt", text);
}

TEST_F(Imports, AFileLargerThanCanBeReadIsRefusedUnread)
{
    write("huge.ncu-rep", "NVR");
    std::filesystem::resize_file(file("huge.ncu-rep"), std::uintmax_t{3} << 30U); // sparse
    EXPECT_EQ(kloop({"analyze", file("huge.ncu-rep")}).code, 4);
}

TEST_F(Imports, ImportedRunsCompareByTheirSingleTimes)
{
    const Json results = kloop({"analyze", file("three_kernels.ncu-rep"), "--json"}).json()["results"];
    write("again.csv", ncuData("three_kernels_raw.csv") + "\n"); // other bytes, and so another measurement
    const Json first = kloop({"import", file("three_kernels_raw.csv"), "--json"}).json()["results"];
    const Json others = kloop({"import", file("again.csv"), "--json"}).json()["results"];
    EXPECT_EQ(others[0]["state"], "new");
    const Answer answer =
        kloop({"compare", "run:" + first[0]["run"].get<std::string>(), "run:" + others[0]["run"].get<std::string>(), "--json"});
    EXPECT_EQ(answer.code, 3);
    EXPECT_EQ(answer.json()["verdict"], "inconclusive");
    EXPECT_EQ(answer.json()["reason"], "one-launch");
    EXPECT_FALSE(answer.json()["differences"]["metrics"].empty());
    const Answer apart =
        kloop({"compare", "run:" + results[0]["id"].get<std::string>(), "run:" + results[2]["id"].get<std::string>(), "--json"});
    EXPECT_EQ(apart.code, 3);
    EXPECT_EQ(apart.json()["reason"], "other-problem");
}

TEST_F(Imports, BundlesCarryRunsToAnotherDatabaseAndTwiceChangesNothing)
{
    ASSERT_EQ(kloop({"import", file("three_kernels.ncu-rep")}).code, 0);
    const Answer out = kloop({"export", "program", "-o", file("runs.bundle"), "--json"});
    ASSERT_EQ(out.code, 0) << out.err;
    EXPECT_EQ(out.json()["runs"], 3);
    const std::string other = "KERNELLOOP_DB=" + quoted(file("other.db"));
    const Answer in = kloop({"import", file("runs.bundle"), "--json"}, other);
    ASSERT_EQ(in.code, 0) << in.err;
    ASSERT_EQ(in.json()["results"].size(), 3u);
    EXPECT_EQ(in.json()["results"][0]["state"], "new");
    EXPECT_EQ(kloop({"import", file("runs.bundle"), "--json"}, other).json()["results"][0]["state"], "known");
    EXPECT_EQ(kloop({"import", file("runs.bundle"), "--json"}).json()["results"][0]["state"], "known");
    ASSERT_EQ(kloop({"export", "program", "-o", file("runs.json")}, other).code, 0);
    const Json results = kloop({"analyze", file("runs.json"), "--json"}).json()["results"];
    ASSERT_EQ(results.size(), 3u);
    const Answer shown = kloop({"show", "program/" + results[0]["variant"].get<std::string>(), "--occupancy"});
    EXPECT_EQ(shown.code, 0) << "what is printed as its address can be asked for: " << shown.err;
    const std::string one = "run:" + results[0]["id"].get<std::string>();
    EXPECT_EQ(kloop({"export", one, "program", one, "-o", file("once.json"), "--json"}).json()["runs"], 3) << "each run once";
    EXPECT_EQ(kloop({"export", "transpose", "-o", file("none")}).code, 4);
    EXPECT_EQ(kloop({"export", "program", "-o", file("no/such/folder")}).code, 4);
    EXPECT_EQ(kloop({"export", "program", "-o", file("test.db")}).code, 4) << "the database is not replaced by its export";
    EXPECT_EQ(kloop({"import", file("test.db")}).code, 4);
    EXPECT_EQ(storedRuns(), 3);
    write("cut.bundle", read("runs.bundle").substr(0, read("runs.bundle").size() / 2));
    const std::string third = "KERNELLOOP_DB=" + quoted(file("third.db"));
    EXPECT_EQ(kloop({"import", file("cut.bundle")}, third).code, 4);
    EXPECT_FALSE(std::filesystem::exists(file("third.db"))) << "nothing of a damaged file is stored";
    const Answer some = kloop({"import", file("cut.bundle"), file("runs.json"), "--kernel", "strided", "--json"}, third);
    EXPECT_EQ(some.code, 4) << "of the file that cannot be read";
    EXPECT_EQ(some.json()["results"].size(), 1u);
    EXPECT_EQ(some.json()["errors"].size(), 1u);
    EXPECT_EQ(kloop({"import", file("runs.json"), "--kernel", "nothing"}, third).code, 4);
}

} // namespace
} // namespace kl::test
