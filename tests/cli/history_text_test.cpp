// SPDX-License-Identifier: MIT
// What the commands of the history print: each figure below its heading, of the row that it belongs to.
#include "kloop.h"
#include "sessions/session/template_library.h"
#include "sessions/store/search_records.h"
#include "tests/sessions/store_support.h"
#include "tests/support/snapshot.h"
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

class HistoryText : public AskedKloop {
protected:
    std::unique_ptr<Store> store() const { return openStore(file("test.db")); }
    /// A session on a GPU of so many minutes that begins on that day of 2026-01; unfinished with 0.
    static void addSession(Store& store, const std::string& name, int day, int minutes, double speedup, int refusals = 0)
    {
        const auto at = [&](int minute) { return fmt::format("2026-01-{:02}T{:02}:{:02}:00.000Z", day, 8 + minute / 60, minute % 60); };
        SessionHeader header;
        header.id.text = "id-" + name;
        header.name = name;
        header.kind = "optimize";
        header.objective = "Make it fast";
        header.kernel = "transpose";
        header.createdAt = at(0);
        header.templateJson = *templateText("optimize");
        const Json opened{{"answers", Json::object()},
                          {"start", "transpose/naive"},
                          {"problem", {{"M", 64}, {"N", 64}}},
                          {"device", "NVIDIA H200"},
                          {"device_uuid", "GPU-1"},
                          {"driver", ""},
                          {"claims", Json::array()},
                          {"options", {{"cumulative", false}}}};
        ASSERT_TRUE(store.createSession(header, {1, at(0), "opened", encode(opened)}).ok());
        int seq = 1;
        for (int i = 0; i < refusals; ++i)
            ASSERT_TRUE(store
                            .appendEvent(header.id, {++seq, at(0), "refused-attempt",
                                                     R"({"action":"verify-smallest","rule":"G1","message":"Check it first."})"})
                            .ok());
        if (minutes == 0)
            return;
        const Json finished{{"speedup", speedup}, {"minutes", minutes}, {"outcome", "kept"}, {"gates", Json::object()}};
        ASSERT_TRUE(store.appendEvent(header.id, {++seq, at(minutes), "finished", encode(finished)}).ok());
    }
};

TEST_F(HistoryText, TheDocumentsHaveTheirFigures)
{
    const std::vector<std::string> rows = rowsOf(text({"learn", "--db", ":documents:"}));
    const std::vector<std::string> figures = figuresOf(rows);
    EXPECT_THAT(rows[1], StartsWith("N | 3 h | 0.090× | $0.60 | 7 | 2 | 2 h | 0 | 4 | "));
    EXPECT_THAT(rows[2], StartsWith("N+1 | 1 h | 0.12×? | $0.20 | 2 | 2 | B+ | ")) << "a doubtful figure";
    EXPECT_THAT(rows[3], StartsWith("N+2 | 1 h 50 min | 0.10× | $1.77 | 3 | 1 | A- | "));
    EXPECT_THAT(rows[7], StartsWith("Loop 1 | 7 h | $1.36 | A+ | "));
    for (const char* row :
         {"7 | 5 | 0", "16 h | 37 min | 22 h | 07 min | $5.00 | $7.24 | 71.4 %", "3 h | 10 min | 1 h | 04 min", "7 | 0 | 2 | 0 s"})
        EXPECT_THAT(figures, Contains(row));
    EXPECT_THAT(rows, Contains(AllOf(StartsWith("N+4 | 30 min | 0.10× | 10 of 10 | "), EndsWith(" | 30 min, 0.034×"))));
    EXPECT_THAT(figures, Contains("45 min | 1 h")) << "of N+6";
    EXPECT_THAT(rows, Contains(AllOf(StartsWith("large-size-first | 1 | 0 | "), EndsWith(" smallest-first"))));
    EXPECT_THAT(figures, Contains(HasSubstr("30 min | 83 % | 3 h"))) << "the trend";
    const auto own = std::ranges::find(figures, "0 | 0 | 0");
    ASSERT_LT(own + 1, figures.end());
    EXPECT_EQ(rows[static_cast<std::size_t>(own + 1 - figures.begin())], "") << "nothing to add up";
    const auto lines = [&](const std::string& begin) {
        return std::ranges::count_if(rows, [&](const std::string& row) { return row.starts_with(begin); });
    };
    EXPECT_EQ(lines("N+3 | worked"), 3);
    EXPECT_EQ(lines("N+3 | failed"), 3);
    EXPECT_EQ(lines("N+3 | insight"), 4);
    EXPECT_EQ(lines("N+1 | next time"), 3);
}

TEST_F(HistoryText, OfTheDocumentsSnapshot)
{
    expectSnapshot("cli/learn-documents.txt", text({"learn", "--db", ":documents:"}));
}

TEST_F(HistoryText, OwnSessionsAddUpAndLearn)
{
    {
        const auto db = store();
        addSession(*db, "A", 1, 400, 0.5, 2);
        addSession(*db, "B", 2, 300, 0.8);
        addSession(*db, "C", 3, 225, 1.25, 1);
        addSession(*db, "D", 4, 168, 1.5);
        addSession(*db, "E", 5, 0, 0);
    }
    const std::vector<std::string> rows = rowsOf(text({"learn"}));
    const Json answer = json({"learn"});
    EXPECT_THAT(rows, Contains(StartsWith("A | 6 h 40 min | 0.50× | ")));
    EXPECT_THAT(rows, Contains(AllOf(StartsWith("A | "), HasSubstr(" | 2, 1 "))));
    EXPECT_THAT(rows, Contains(AllOf(StartsWith("C | "), HasSubstr(" | 1, 1 ")))) << "another session made it before";
    const std::vector<std::string> figures = figuresOf(rows);
    EXPECT_THAT(figures, Contains(AllOf(StartsWith("5 | "), EndsWith(" | 1")))) << "sessions, and those that are open";
    EXPECT_EQ(answer["own"]["sessions"], 5);
    EXPECT_EQ(answer["own"]["open"], 1);
    EXPECT_EQ(answer["own"]["mistakes"], Json({{"count", 3}, {"repeated", 2}}));
    EXPECT_EQ(answer["own"]["minutes"]["low"], 1093);
    EXPECT_THAT(figures, Contains(StartsWith("18 h | 13 min | ~$")));
    EXPECT_THAT(figures, Contains("3 | 2 | 0 | 0 s"));
    EXPECT_THAT(figures, Contains(StartsWith("25.1 %")));
    EXPECT_THAT(rows, Contains(StartsWith("unvalidated-build | 3 | 3 | ")));
    EXPECT_THAT(rows, Contains(AllOf(StartsWith("Convergence "), HasSubstr(" 95 % "))));
    EXPECT_THAT(rows, Contains(HasSubstr(": D 48 min ")));
    EXPECT_THAT(figures, Contains("1 h | 30 min | 2 h | 48 min | 0.50× | 2×"));
    {
        const auto db = store();
        addSession(*db, "F", 6, 120, 2.5);
    }
    const std::string learned = text({"learn"});
    EXPECT_THAT(rowsOf(learned), Contains(HasSubstr(" 1 h 30 min to 2 h: F ")));
    EXPECT_THAT(figuresOf(rowsOf(learned)), Contains("1 h | 30 min | 2 h")) << "with nothing above it or short";
}

TEST_F(HistoryText, CostsStandBelowTheirKindSnapshot)
{
    {
        const auto db = store();
        addSession(*db, "A", 1, 60, 1.5);
        addSession(*db, "B", 2, 120, 1.5);
        ASSERT_TRUE(db->saveCost({"c1", "id-A", "2026-01-01T09:00:00.000Z", "gpu", 1, "the bill"}).ok());
        ASSERT_TRUE(db->saveCost({"c2", "id-A", "2026-01-01T09:00:00.000Z", "assistant", 2, ""}).ok());
        ASSERT_TRUE(db->saveCost({"c3", "id-A", "2026-01-01T09:00:00.000Z", "other", 4, ""}).ok());
        ASSERT_TRUE(db->saveCost({"c4", "id-A", "2026-01-01T09:00:00.000Z", "value", 148, ""}).ok());
        ASSERT_TRUE(db->saveCost({"c5", "id-B", "2026-01-02T09:00:00.000Z", "gpu", 5, ""}).ok());
    }
    const std::vector<std::string> rows = rowsOf(text({"cost"}));
    const std::vector<std::string> figures = figuresOf(rows);
    EXPECT_THAT(rows[1], StartsWith("A | $1.00 | $2.00 | $4.00 | $30.00 | $148.00 | "));
    EXPECT_EQ(figures[1], "$1.00 | $2.00 | $4.00 | $30.00 | $148.00 | $5.00") << "over the target";
    EXPECT_EQ(rows[2], "B | $5.00 | $60.00") << "at the target";
    EXPECT_THAT(figures, Contains("$102.00 | $12.00 | $90.00 | $30.00"));
    EXPECT_THAT(figures, Contains("$148.00 | 1.45×"));
    const auto spent = [](const std::string& row) { return row.starts_with("Spent "); };
    EXPECT_EQ(std::ranges::count_if(rows, spent), 1) << "nothing of the shipped history";
    EXPECT_THAT(rows, Contains("c1 | gpu | $1.00 | the bill"));
    const Json answer = json({"cost"});
    EXPECT_EQ(answer["sessions"][0]["id"], "id-A");
    EXPECT_EQ(answer["sessions"][0]["over_target"], true);
    EXPECT_EQ(answer["sessions"][1]["over_target"], false);
    EXPECT_EQ(answer["sessions"][1]["sample"], false);
    EXPECT_EQ(answer["entries"][3]["kind"], "value");
    EXPECT_EQ(answer["entries"][3]["dollars"], 148);
    EXPECT_EQ(answer["entries"][3]["session"], "id-A");
    EXPECT_EQ(answer["entries"][0]["note"], "the bill");
    EXPECT_EQ(answer["engineer_rate"], 30);
    EXPECT_EQ(answer["session_cost_target"], 5);
    EXPECT_EQ(answer["own"]["spent"], 102);
    expectSnapshot("cli/cost-entries.txt", text({"cost"}));
    const Json removed = json({"cost", "remove", "c4"});
    EXPECT_EQ(removed["removed"], "c4");
    EXPECT_EQ(json({"cost"})["entries"].size(), 4U);
    EXPECT_THAT(rowsOf(text({"cost", "remove", "c3"}))[0], HasSubstr(" c3"));
}

TEST_F(HistoryText, TheShippedCostsSayWhatWasSpent)
{
    const std::vector<std::string> rows = rowsOf(text({"cost", "--db", ":documents:"}));
    EXPECT_EQ(rows[3], "N+2 | $0.37 | $1.40 | $55.00 | shipped");
    EXPECT_THAT(figuresOf(rows), Contains("$503.50 | $670.74 | $5.00 | $7.24 | $498.50 | $663.50 | $30.00"));
    EXPECT_THAT(figuresOf(rows), Contains("$95.00 | 0.14× | 0.19×"));
    const auto spent = [](const std::string& row) { return row.starts_with("Spent "); };
    EXPECT_EQ(std::ranges::count_if(rows, spent), 1) << "nothing of this database";
}

TEST_F(HistoryText, AnAmountOfACostIsBoundedAndKeepsItsNote)
{
    {
        const auto db = store();
        addSession(*db, "A", 1, 60, 1.5);
        addSession(*db, "B", 2, 60, 1.5);
    }
    const Json added = json({"cost", "add", "--session", "A", "--other", "3", "--value", "7", "--assistant", "0", "--note", "n"});
    EXPECT_EQ(added["session"], "A");
    ASSERT_EQ(added["entries"].size(), 3U);
    EXPECT_EQ(added["entries"][0]["kind"], "assistant");
    EXPECT_EQ(added["entries"][1]["kind"], "other");
    EXPECT_EQ(added["entries"][1]["dollars"], 3);
    EXPECT_EQ(added["entries"][2]["note"], "n");
    EXPECT_EQ(json({"cost", "add", "--gpu", "1"})["session"], "B") << "the latest one";
    EXPECT_EQ(rowsOf(text({"cost", "add", "--gpu", "2"}))[0], "B: gpu $2.00");
    const Answer refused = kloop({"cost", "add", "--other", "-1", "--json"});
    EXPECT_EQ(refused.code, 4);
    EXPECT_EQ(refused.json()["error"]["where"], "other");
}

TEST_F(HistoryText, PricesAreListedSetAndResetOneByOne)
{
    const std::vector<std::string> rows = rowsOf(text({"cost", "price"}));
    EXPECT_THAT(rows, Contains(StartsWith("NVIDIA L4 | $0.20 | ")));
    const Json all = json({"cost", "price"})["prices"];
    EXPECT_EQ(rows.size(), all.size() + 1);
    const Json set = json({"cost", "price", "NVIDIA L4", "0.75"})["prices"];
    ASSERT_THAT(set, SizeIs(1));
    EXPECT_EQ(set[0]["gpu"], "NVIDIA L4");
    EXPECT_EQ(set[0]["dollars_per_hour"], 0.75);
    EXPECT_EQ(set[0]["class"], "own");
    EXPECT_NE(set[0]["date"], "");
    EXPECT_EQ(json({"cost", "price"})["prices"].size(), all.size()) << "it replaces the shipped one";
    EXPECT_EQ(kloop({"cost", "price", "NVIDIA L4", "2", "--reset"}).code, 2);
    EXPECT_EQ(json({"cost", "price", "NVIDIA L4"})["prices"][0]["dollars_per_hour"], 0.75) << "nothing was done";
    EXPECT_EQ(json({"cost", "rate", "45"}), Json({{"schema", "kernelloop.cost-setting/1"}, {"setting", "engineer-rate"}, {"dollars", 45}}));
    EXPECT_EQ(json({"cost", "budget", "7"})["setting"], "session-cost-target");
    EXPECT_EQ(json({"cost"})["session_cost_target"], 7);
    EXPECT_EQ(json({"cost"})["engineer_rate"], 45);
}

/// A profile that promises half the time, and its fix as it was measured then.
class RuleText : public HistoryText {
protected:
    static void addCase(Store& store, int number, const std::string& classId, double estimate, double after, Source source = Source::live)
    {
        const std::string day = "2026-01-0" + std::to_string(number);
        RunRecord before = profiledRun("before" + std::to_string(number), "naive", day + "T00:00:00.000Z", 1000);
        before.problem = {{"M", std::int64_t{number}}};
        before.source = source;
        before.diagnosis->finding.classId = classId;
        before.diagnosis->finding.estimate = Estimate{estimate, "how"};
        before.diagnosis->finding.fixes = {{.id = "transpose/tiled", .title = "Tile it", .variant = "transpose/tiled"}};
        RunRecord fixed = timedRun("fixed" + std::to_string(number), "tiled", day + "T01:00:00.000Z", after);
        fixed.problem = before.problem;
        fixed.source = source;
        ASSERT_TRUE(store.saveRun(before).ok());
        ASSERT_TRUE(store.saveRun(fixed).ok());
    }
};

TEST_F(RuleText, EstimatesAreHeldAgainstWhatWasMeasured)
{
    EXPECT_EQ(kloop({"learn", "rules", "--json"}).json()["rules"], Json::array());
    EXPECT_THAT(rowsOf(text({"learn", "rules"})), Not(Contains(HasSubstr(" | ")))) << "no table";
    {
        const auto db = store();
        addCase(*db, 1, "uncoalesced", 0.5, 500);
        addCase(*db, 2, "uncoalesced", 0.5, 600);
        addCase(*db, 3, "uncoalesced", 0.5, 1100);
        addCase(*db, 4, "dram-bound", 0.2, 880, Source::sample);
    }
    const std::vector<std::string> rows = rowsOf(text({"learn", "rules"}));
    EXPECT_THAT(rows, Contains(StartsWith("uncoalesced | 3 | 2 (66.7 %) | 2 | 50 % | 40 % | ")));
    EXPECT_THAT(rows, Contains("all | 3 | 2 (66.7 %) | 2"));
    EXPECT_THAT(rows, Contains(StartsWith("dram-bound | 1 | 1 (100 %) | 1 | 20 % | 12 % | ")));
    EXPECT_THAT(rows, Contains("all | 1 | 1 (100 %) | 1")) << "recorded data have a table of their own";
    const Json answer = json({"learn", "rules"});
    ASSERT_THAT(answer["cases"], SizeIs(4));
    const Json& first = answer["cases"][0];
    EXPECT_EQ(first["rule"], "uncoalesced");
    EXPECT_EQ(first["kernel"], "transpose/naive");
    EXPECT_EQ(first["fix"], "transpose/tiled");
    EXPECT_EQ(first["problem"], "M=1");
    EXPECT_EQ(first["estimated"], 0.5);
    EXPECT_EQ(first["realised"], 0.5);
    EXPECT_EQ(first["hit"], true);
    EXPECT_EQ(first["from"], "runs");
    EXPECT_EQ(first["replayed"], false);
    EXPECT_EQ(answer["cases"][2]["hit"], false);
    EXPECT_EQ(answer["cases"][3]["replayed"], true);
    EXPECT_EQ(answer["rules"][0]["rule"], "uncoalesced");
    EXPECT_EQ(answer["rules"][0]["cases"], 3);
    EXPECT_EQ(answer["rules"][0]["hits"], 2);
    EXPECT_EQ(answer["rules"][0]["paid"], 2);
    EXPECT_EQ(answer["rules"][0]["estimated"], 0.5);
    EXPECT_DOUBLE_EQ(answer["rules"][0]["realised"].get<double>(), 0.4);
    EXPECT_LT(answer["rules"][0]["factor"].get<double>(), 1);
}

TEST_F(RuleText, OfEstimatesSnapshot)
{
    {
        const auto db = store();
        addCase(*db, 1, "uncoalesced", 0.5, 500);
        addCase(*db, 2, "dram-bound", 0.2, 880, Source::sample);
    }
    expectSnapshot("cli/learn-rules.txt", text({"learn", "rules"}));
}

TEST_F(HistoryText, TheModelLearnsFromTheDatabaseToo)
{
    const Json with = json({"learn", "model", "--db", ":sample:"});
    int own = 0;
    for (const Json& kind : with["kinds"])
        own += kind["own"].get<int>();
    EXPECT_GT(own, 20) << "its sessions have measured that many changes";
    EXPECT_EQ(with["cases"].get<int>(), json({"learn", "model"})["cases"].get<int>() + own);
}

TEST_F(HistoryText, TheModelsTableIsThatOfItsData)
{
    const Json answer = json({"learn", "model"});
    const std::vector<std::string> rows = rowsOf(text({"learn", "model"}));
    EXPECT_THAT(figuresOf(rows[0]), StartsWith(answer["cases"].dump() + " | 0"));
    EXPECT_TRUE(answer["cross_validation"].is_null());
    EXPECT_EQ(answer["pays"], 1.2);
    int cases = 0;
    for (std::size_t i = 0; i < answer["kinds"].size(); ++i) {
        const Json& kind = answer["kinds"][i];
        cases += kind["cases"].get<int>();
        EXPECT_LE(kind["paid"], kind["cases"]);
        EXPECT_EQ(kind["own"], 0);
        EXPECT_EQ(rows[2 + i], kind["kind"].get<std::string>() + " | " + kind["cases"].dump() + " | 0 | " + kind["kernels"].dump() + " | " +
                                   kind["paid"].dump() + " (" +
                                   rowsOf(formatPercent(100.0 * kind["paid"].get<double>() / kind["cases"].get<double>()))[0] + ") | " +
                                   formatRatio(kind["median_ratio"].get<double>()));
    }
    EXPECT_EQ(cases, answer["cases"]);
    EXPECT_THAT(figuresOf(rows.back()), HasSubstr("1.20"));
    EXPECT_THAT(text({"learn", "model", "--cross-validate"}), HasSubstr("| transpose |")) << "the tables of its validation instead";
}

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
    const std::vector<std::string> rows = rowsOf(text({"runs", "list"}));
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
    EXPECT_THAT(rowsOf(text({"runs", "list", "--after", "aaaa0002"})), ElementsAre(StartsWith("Run | "), StartsWith("aaaa0001-0000 | ")));
    EXPECT_THAT(rowsOf(text({"runs", "list", "--tag", "slow"})), SizeIs(2));
    EXPECT_THAT(rowsOf(text({"runs", "list", "--find", "tiled h200"})), SizeIs(2));
    EXPECT_THAT(rowsOf(text({"runs", "list", "--find", "tiled first"})), Not(Contains(HasSubstr("aaaa"))));
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
    EXPECT_EQ(rowsOf(text({"runs", "rename", "aaaa0002", "third"}))[0], "aaaa0002-0000-7000-8000-000000000002: third");
    EXPECT_TRUE(json({"runs", "rename", "aaaa0002", ""})["runs"][0]["name"].is_null());
    EXPECT_EQ(rowsOf(text({"runs", "untag", "aaaa0001", "slow"}))[0], "run:aaaa0001-0000-7000-8000-000000000001: keep");
    const Json tagged = json({"runs", "tag", "aaaa0001", "b", "a"});
    EXPECT_EQ(tagged["subject"], "run:aaaa0001-0000-7000-8000-000000000001");
    EXPECT_EQ(tagged["tags"], Json({"a", "b", "keep"}));
    EXPECT_THAT(rowsOf(text({"runs", "untag", "aaaa0001", "a", "b", "keep"}))[0],
                AllOf(StartsWith("run:aaaa0001-0000-7000-8000-000000000001: "), Not(HasSubstr("keep"))));
}

TEST_F(RunsText, AnExportCountsEachRunOnce)
{
    const Json exported = json({"export", "transpose/naive", "run:aaaa0001", "run:aaaa0002", "-o", file("two.json")});
    EXPECT_EQ(exported["runs"], 2);
    EXPECT_EQ(exported["file"], file("two.json"));
    EXPECT_EQ(exported["bytes"], std::filesystem::file_size(file("two.json")));
    EXPECT_EQ(json({"export", "transpose", "-o", file("all.json")})["runs"], 3);
    EXPECT_THAT(rowsOf(text({"export", "run:aaaa0001", "-o", file("one.klb")}))[0], AllOf(StartsWith("1 "), HasSubstr(file("one.klb"))));
    EXPECT_EQ(kloop({"export", "matmul", "-o", file("none.json")}).code, 4);

    const Json again = json({"import", file("two.json")});
    ASSERT_THAT(again["results"], SizeIs(2));
    EXPECT_EQ(again["results"][0]["state"], "known");
    EXPECT_EQ(again["errors"], Json::array());
    const Words elsewhere{"import", file("two.json"), "--db", file("other.db")};
    const std::vector<std::string> rows = rowsOf(text(elsewhere));
    EXPECT_THAT(rows, Contains("run:aaaa0001-0000-7000-8000-000000000001 | transpose/naive | 2 µs | balanced | new"));
    EXPECT_THAT(rows, Contains("run:aaaa0002-0000-7000-8000-000000000002 | transpose/tiled | 1 µs | not-measured | new"));
    EXPECT_THAT(rowsOf(text(elsewhere)),
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

TEST_F(HistoryText, ASlowDownIsARowWithItsLevelsSnapshot)
{
    EXPECT_THAT(rowsOf(text({"regress"})), Not(Contains(HasSubstr(" | ")))) << "no table";
    {
        const auto db = store();
        for (int i = 0; i < 14; ++i)
            ASSERT_TRUE(db->saveRun(timedRun("aaaa00" + std::to_string(10 + i), "naive",
                                             "2026-01-" + std::to_string(10 + i) + "T00:00:00.000Z", i < 12 ? 1000 : 1200))
                            .ok());
    }
    const Answer open = kloop({"regress"});
    EXPECT_EQ(open.code, 1);
    EXPECT_THAT(rowsOf(open.out),
                ElementsAre(StartsWith("Kernel | "),
                            "transpose/naive | M=64,N=64 | NVIDIA H200 | 1 µs | 1.2 µs | +20 % | 2026-01-22T00:00 | open | run:aaaa0022"));
    EXPECT_THAT(rowsOf(text({"regress", "acknowledge", "transpose/naive", "--note", "the driver"}))[1],
                HasSubstr(" | acknowledged: the driver | run:aaaa0022"));
    expectSnapshot("cli/regress-rows.txt", open.out);
}

TEST_F(HistoryText, TheRoadmapHasItsStepsBelowTheirWeek)
{
    json({"roadmap", "add", "Write the paper", "--week", "5", "--session", "A", "--session", "B", "--minutes", "45"});
    json({"roadmap", "add", "Read it", "--week", "5"});
    json({"roadmap", "edit", "read-it", "--done"});
    const std::vector<std::string> rows = rowsOf(text({"roadmap"}));
    const auto week = std::ranges::find_if(rows, [](const std::string& row) { return row.starts_with("Week 5: "); });
    ASSERT_EQ(rows.end() - week, 3) << "the last one";
    EXPECT_THAT(week[1], AllOf(StartsWith("planned | write-the-paper | Write the paper | A, B | "), HasSubstr("45")));
    EXPECT_EQ(week[2], "done | read-it | Read it");
    EXPECT_THAT(rows, Contains(StartsWith("Week 4: ")));
}

class PatternText : public HistoryText {
protected:
    void SetUp() override
    {
        HistoryText::SetUp();
        json({"patterns", "add", "--title", "Swizzle the tile", "--problem", "Bank conflicts", "--advice", "Swizzle it", "--when",
              "finding", "--dollars", "12"});
        const auto db = store();
        addSession(*db, "A", 1, 60, 1.5);
        addSession(*db, "B", 2, 60, 1.5);
        PatternApplication use{.id = "u1",
                               .pattern = "swizzle-the-tile",
                               .session = "id-A",
                               .at = "2026-01-01T00:00:00.000Z",
                               .quotedMinutes = 20,
                               .note = "by hand"};
        ASSERT_TRUE(db->saveApplication(use).ok());
        use.id = "u2";
        use.pattern = "baseline-first";
        use.session = "id-B";
        use.note.clear();
        ASSERT_TRUE(db->saveApplication(use).ok());
    }
};

TEST_F(PatternText, TheListCountsTheUsesOfEach)
{
    const std::vector<std::string> rows = rowsOf(text({"patterns"}));
    EXPECT_THAT(rows, Contains("swizzle-the-tile | own | finding | 1 | $12.00 | Swizzle the tile"));
    EXPECT_THAT(rows, Contains(StartsWith("baseline-first | operational | session-start | 1 | 1 h | ")));
    EXPECT_THAT(rows, Contains(StartsWith("profile-before-optimize | operational | ")));
    const Json list = json({"patterns"});
    for (const Json& pattern : list["patterns"])
        EXPECT_EQ(pattern["applications"], pattern["slug"] == "swizzle-the-tile" || pattern["slug"] == "baseline-first" ? 1 : 0)
            << pattern["slug"];
    EXPECT_EQ(list["totals"]["applications"], 2);
    EXPECT_FALSE(list["totals"].contains("slug"));
}

TEST_F(PatternText, OneIsShownWithItsUses)
{
    const Json shown = json({"patterns", "show", "swizzle-the-tile"});
    EXPECT_EQ(shown["retired"], false);
    ASSERT_THAT(shown["uses"], SizeIs(1));
    EXPECT_EQ(shown["uses"][0]["session_name"], "A");
    EXPECT_EQ(shown["uses"][0]["note"], "by hand");
    const std::vector<std::string> rows = rowsOf(text({"patterns", "show", "swizzle-the-tile"}));
    EXPECT_EQ(rows[0], "Swizzle the tile");
    EXPECT_EQ(rows[1], "own · swizzle-the-tile");
    EXPECT_THAT(rows, Contains(EndsWith(": Bank conflicts")));
    EXPECT_THAT(rows, Contains(EndsWith(": Swizzle it")));
    EXPECT_THAT(figuresOf(rows), Contains("$12.00"));
    EXPECT_THAT(rows, Contains(AllOf(StartsWith("A | 20 min | "), EndsWith("; by hand"))));
    EXPECT_THAT(rowsOf(text({"patterns", "show", "profile-before-optimize"})), Not(Contains(StartsWith("A | "))));
}

TEST_F(PatternText, ReturnsAreListedForThoseThatWereUsed)
{
    const std::vector<std::string> rows = rowsOf(text({"patterns", "roi"}));
    EXPECT_THAT(rows, Contains(StartsWith("swizzle-the-tile | 1 | ")));
    EXPECT_THAT(rows, Contains(StartsWith("all | 2 | ")));
    EXPECT_THAT(rows, Not(Contains(StartsWith("profile-before-optimize"))));
    const Json answer = json({"patterns", "roi"});
    EXPECT_EQ(answer["engineer_rate"], 30);
    EXPECT_EQ(answer["total"]["applications"], 2);
    EXPECT_GT(answer["patterns"].size(), 2U) << "all of them";
    const std::vector<std::string> shipped = rowsOf(text({"patterns", "roi", "--db", ":documents:"}));
    EXPECT_THAT(shipped, Contains(AllOf(StartsWith("baseline-first | "), HasSubstr(" | N | ")))) << "the session that taught it";
}

TEST_F(PatternText, ABodyIsPrintedInItsParts)
{
    const std::vector<std::string> rows =
        rowsOf(text({"patterns", "edit", "swizzle-the-tile", "--why", "W", "--evidence", "E", "--step", "s1", "--step", "s2", "--before",
                     "b1\nb2", "--after", "A", "--example", "X", "--check", "c1"}));
    EXPECT_THAT(rows, ElementsAre(EndsWith(": W"), EndsWith(": E"), "1. s1", "2. s2", StartsWith("Before"), "b1", "b2", StartsWith("After"),
                                  "A", EndsWith(": X"), "[ ] c1"));
    EXPECT_THAT(rowsOf(text({"patterns", "show", "swizzle-the-tile"})), Contains("2. s2"));
    const std::string retired = rowsOf(text({"patterns", "retire", "swizzle-the-tile"}))[0];
    const std::string back = rowsOf(text({"patterns", "retire", "swizzle-the-tile", "--undo"}))[0];
    EXPECT_THAT(retired, StartsWith("swizzle-the-tile "));
    EXPECT_THAT(back, StartsWith("swizzle-the-tile "));
    EXPECT_NE(retired, back);
}

TEST_F(PatternText, OfOneAndItsChangesSnapshot)
{
    std::string all = text({"patterns", "show", "swizzle-the-tile"});
    all += text({"patterns", "edit", "swizzle-the-tile", "--why", "W", "--evidence", "E", "--step", "s1", "--before", "b1", "--after", "A",
                 "--example", "X", "--check", "c1"});
    all += text({"patterns", "retire", "swizzle-the-tile"});
    all += text({"patterns", "retire", "swizzle-the-tile", "--undo"});
    expectSnapshot("cli/patterns-own.txt", all + text({"patterns", "show", "profile-before-optimize"}));
}

TEST_F(PatternText, ASuggestionNamesItsOccasion)
{
    const Json found = json({"patterns", "suggest", "--finding", "bank-conflicts"});
    EXPECT_EQ(found["when"], "finding");
    EXPECT_EQ(found["finding"], "bank-conflicts");
    EXPECT_FALSE(found["suggestions"][0].contains("argv")) << "no session to apply it in";
    const Json phase = json({"patterns", "suggest", "--phase", "profile", "--kind", "optimize"});
    EXPECT_EQ(phase["phase"], "profile");
    EXPECT_EQ(phase["kind"], "optimize");
    EXPECT_EQ(json({"patterns", "suggest", "--when", "session-start"})["when"], "session-start");
    EXPECT_THAT(rowsOf(text({"patterns", "suggest", "--when", "session-start"})), Contains(StartsWith("baseline-first | ")));
    const Answer unknown = kloop({"patterns", "suggest", "--finding", "slow", "--json"});
    EXPECT_EQ(unknown.json()["error"]["where"], "--finding");
    EXPECT_EQ(kloop({"patterns", "suggest", "--when", "x", "--json"}).json()["error"]["where"], "--when");
}

} // namespace
} // namespace kl::test
