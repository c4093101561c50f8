// SPDX-License-Identifier: MIT
// What the commands of stored runs print: their list, names and tags, exports and imports.
#include "tests/cli/history_text.h"
#include "tests/support/store_support.h"
#include "text_rows.h"

#include <filesystem>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace kl::test {
namespace {

using support::profiledRun;
using support::timedRun;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;
using Words = std::vector<std::string>;

class RunsText : public HistoryText {
protected:
    void SetUp() override
    {
        HistoryText::SetUp();
        const auto db = store();
        RunRecord failed = timedRun("aaaa0003-0000-7000-8000-000000000003", "padded", "2026-01-03T10:20:30.000Z", 700);
        failed.status = ResultStatus::computationFailed;
        failed.reason = "an illegal address";
        for (const RunRecord& run :
             {timedRun("aaaa0001-0000-7000-8000-000000000001", "naive", "2026-01-01T10:20:30.000Z", 2000),
              profiledRun("aaaa0002-0000-7000-8000-000000000002", "tiled", "2026-01-02T10:20:30.000Z", 1000), failed})
            ASSERT_TRUE(db->saveRun(run).ok());
        ASSERT_TRUE(db->nameRun({"aaaa0001-0000-7000-8000-000000000001"}, "the first").ok());
        ASSERT_TRUE(db->setTag("run:aaaa0001-0000-7000-8000-000000000001", "slow", true).ok());
        ASSERT_TRUE(db->setTag("run:aaaa0001-0000-7000-8000-000000000001", "keep", true).ok());
    }
};

TEST_F(RunsText, TheListHasAColumnForEachFact)
{
    const std::vector<std::string> rows = readRows(text({"runs", "list"}));
    EXPECT_THAT(rows,
                ElementsAre(StartsWith("Run | "), "aaaa0003-0000 | 2026-01-03 10:20 | transpose/padded | M=64,N=64 | failed | NVIDIA H200",
                            "aaaa0002-0000 | 2026-01-02 10:20 | transpose/tiled | M=64,N=64 | 1 µs | uncoalesced | NVIDIA H200",
                            "aaaa0001-0000 | 2026-01-01 10:20 | transpose/naive | M=64,N=64 | 2 µs | NVIDIA H200 | the first | "
                            "keep slow"));
    const Json runs = json({"runs", "list"})["runs"];
    ASSERT_THAT(runs, SizeIs(3));
    EXPECT_EQ(runs[0]["status"], "computation_failed");
    EXPECT_EQ(runs[1]["id"], "aaaa0002-0000-7000-8000-000000000002");
    EXPECT_EQ(runs[1]["kernel"], "transpose/tiled");
    EXPECT_EQ(runs[1]["problem"], "M=64,N=64");
    EXPECT_EQ(runs[1]["device"], "NVIDIA H200");
    EXPECT_EQ(runs[1]["source"], "live");
    EXPECT_EQ(runs[1]["started_at"], "2026-01-02T10:20:30.000Z");
    EXPECT_EQ(runs[1]["status"], "ok");
    EXPECT_EQ(runs[1]["correctness"], "correct");
    EXPECT_EQ(runs[1]["gpu_ns"], 1000);
    EXPECT_EQ(runs[1]["speedup"], 0.25);
    EXPECT_EQ(runs[1]["class"], "uncoalesced");
    EXPECT_TRUE(runs[1]["name"].is_null());
    EXPECT_EQ(runs[1]["tags"], Json::array());
    EXPECT_TRUE(runs[2]["speedup"].is_null());
    EXPECT_TRUE(runs[2]["class"].is_null());
    EXPECT_EQ(runs[2]["name"], "the first");
    EXPECT_EQ(runs[2]["tags"], Json({"keep", "slow"}));
}

TEST_F(RunsText, APageSaysHowToGoOn)
{
    const Answer page = kloop({"runs", "list", "--limit", "2"});
    EXPECT_THAT(page.err, HasSubstr("--after aaaa0002-0000-7000-8000-000000000002"));
    const Answer all = kloop({"runs", "list"});
    EXPECT_EQ(all.err, "");
    EXPECT_THAT(readRows(text({"runs", "list", "--after", "aaaa0002"})), ElementsAre(StartsWith("Run | "), StartsWith("aaaa0001-0000 | ")));
    EXPECT_THAT(readRows(text({"runs", "list", "--tag", "slow"})), SizeIs(2));
    EXPECT_THAT(readRows(text({"runs", "list", "--find", "tiled h200"})), SizeIs(2));
    EXPECT_THAT(readRows(text({"runs", "list", "--find", "tiled first"})), Not(Contains(HasSubstr("aaaa"))));
}

TEST_F(RunsText, SeveralAreDeletedAtOnceAndNamed)
{
    const Answer asked = kloop({"runs", "delete", "aaaa0001", "transpose/tiled", "--json"});
    EXPECT_EQ(asked.code, 1);
    EXPECT_THAT(asked.json()["error"]["message"].get<std::string>(),
                AllOf(HasSubstr(" aaaa0001-0000-7000-8000-000000000001 (transpose/naive, M=64,N=64)"),
                      HasSubstr(" aaaa0002-0000-7000-8000-000000000002 (transpose/tiled, M=64,N=64)")));
    EXPECT_THAT(json({"runs", "list"})["runs"], SizeIs(3));
    EXPECT_EQ(json({"runs", "delete", "aaaa0001", "transpose/tiled", "--yes"})["deleted"],
              Json({"aaaa0001-0000-7000-8000-000000000001", "aaaa0002-0000-7000-8000-000000000002"}));
    EXPECT_THAT(json({"runs", "list"})["runs"], SizeIs(1));
}

TEST_F(RunsText, ANameAndTagsAreShownAsTheyAreThen)
{
    EXPECT_EQ(json({"runs", "rename", "aaaa0002", "second"})["runs"][0]["name"], "second");
    EXPECT_EQ(readRows(text({"runs", "rename", "aaaa0002", "third"}))[0], "aaaa0002-0000-7000-8000-000000000002: third");
    EXPECT_TRUE(json({"runs", "rename", "aaaa0002", ""})["runs"][0]["name"].is_null());
    EXPECT_EQ(readRows(text({"runs", "untag", "aaaa0001", "slow"}))[0], "run:aaaa0001-0000-7000-8000-000000000001: keep");
    const Json tagged = json({"runs", "tag", "aaaa0001", "b", "a"});
    EXPECT_EQ(tagged["subject"], "run:aaaa0001-0000-7000-8000-000000000001");
    EXPECT_EQ(tagged["tags"], Json({"a", "b", "keep"}));
    EXPECT_THAT(readRows(text({"runs", "untag", "aaaa0001", "a", "b", "keep"}))[0],
                AllOf(StartsWith("run:aaaa0001-0000-7000-8000-000000000001: "), Not(HasSubstr("keep"))));
}

TEST_F(RunsText, AnExportCountsEachRunOnce)
{
    const Json exported = json({"export", "transpose/naive", "run:aaaa0001", "run:aaaa0002", "-o", file("two.json")});
    EXPECT_EQ(exported["runs"], 2);
    EXPECT_EQ(exported["file"], file("two.json"));
    EXPECT_EQ(exported["bytes"], std::filesystem::file_size(file("two.json")));
    EXPECT_EQ(json({"export", "transpose", "-o", file("all.json")})["runs"], 3);
    EXPECT_THAT(readRows(text({"export", "run:aaaa0001", "-o", file("one.klb")}))[0], AllOf(StartsWith("1 "), HasSubstr(file("one.klb"))));
    EXPECT_EQ(kloop({"export", "matmul", "-o", file("none.json")}).code, 4);

    const Json again = json({"import", file("two.json")});
    ASSERT_THAT(again["results"], SizeIs(2));
    EXPECT_EQ(again["results"][0]["state"], "known");
    EXPECT_EQ(again["errors"], Json::array());
    const Words elsewhere{"import", file("two.json"), "--db", file("other.db")};
    const std::vector<std::string> rows = readRows(text(elsewhere));
    EXPECT_THAT(rows, Contains("run:aaaa0001-0000-7000-8000-000000000001 | transpose/naive | 2 µs | balanced | new"));
    EXPECT_THAT(rows, Contains("run:aaaa0002-0000-7000-8000-000000000002 | transpose/tiled | 1 µs | not-measured | new"));
    EXPECT_THAT(readRows(text(elsewhere)),
                Contains("run:aaaa0002-0000-7000-8000-000000000002 | transpose/tiled | 1 µs | not-measured | known"));
}

TEST_F(RunsText, AFileThatCannotBeReadKeepsNoOtherFromBeingImported)
{
    json({"export", "run:aaaa0001", "-o", file("one.json")});
    write("broken.json", "{");
    const Answer both = kloop({"import", file("broken.json"), file("one.json"), "--json"});
    EXPECT_EQ(both.code, 4);
    const Json answer = both.json();
    ASSERT_THAT(answer["results"], SizeIs(1));
    EXPECT_EQ(answer["results"][0]["run"], "aaaa0001-0000-7000-8000-000000000001");
    EXPECT_EQ(answer["results"][0]["kernel"], "transpose/naive");
    EXPECT_EQ(answer["results"][0]["problem"], "M=64,N=64");
    ASSERT_THAT(answer["errors"], SizeIs(1));
    EXPECT_EQ(answer["errors"][0]["code"], "bad-input");
    const Answer none = kloop({"import", file("one.json"), "--kernel", "tiled", "--json"});
    EXPECT_EQ(none.code, 4);
    EXPECT_EQ(none.json()["error"]["where"], "--kernel");
    EXPECT_EQ(kloop({"import", file("broken.json"), file("broken.json")}).code, 4);
    EXPECT_EQ(kloop({"import", file("one.json"), "--kernel", "("}).code, 2);
}

} // namespace
} // namespace kl::test
