// SPDX-License-Identifier: MIT
// What the commands of the history print: each figure below its heading, of the row that it belongs to.
#include "core/base/format.h"
#include "tests/cli/history_text.h"
#include "tests/support/snapshot.h"
#include "tests/support/store_support.h"
#include "text_rows.h"

#include <algorithm>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace kl::test {
namespace {

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

TEST_F(HistoryText, TheDocumentsHaveTheirFigures)
{
    const std::vector<std::string> rows = readRows(text({"learn", "--db", ":documents:"}));
    const std::vector<std::string> figures = readFigures(rows);
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
    const auto lessons = [&](const std::string& session) { // how many lines of each kind, in their order
        std::vector<std::pair<std::string, int>> kinds;
        for (const std::string& row : rows)
            if (row.starts_with(session + " | ") && countCells(row) == 3) {
                const std::string kind = row.substr(session.size() + 3, row.rfind(" | ") - session.size() - 3);
                if (kinds.empty() || kinds.back().first != kind)
                    kinds.emplace_back(kind, 0);
                ++kinds.back().second;
            }
        std::vector<int> counts;
        for (const auto& [kind, count] : kinds)
            counts.push_back(count);
        return counts;
    };
    EXPECT_THAT(lessons("N+3"), ElementsAre(3, 3, 4)) << "what worked, what failed, insights";
    EXPECT_THAT(lessons("N+1"), ElementsAre(4, 4, 3)) << "what worked, what failed, what is next";
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
    const std::vector<std::string> rows = readRows(text({"learn"}));
    const Json answer = json({"learn"});
    EXPECT_THAT(rows, Contains(StartsWith("A | 6 h 40 min | 0.50× | ")));
    EXPECT_THAT(rows, Contains(AllOf(StartsWith("A | "), HasSubstr(" | 2, 1 "))));
    EXPECT_THAT(rows, Contains(AllOf(StartsWith("C | "), HasSubstr(" | 1, 1 ")))) << "another session made it before";
    const std::vector<std::string> figures = readFigures(rows);
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
    EXPECT_THAT(readRows(learned), Contains(AllOf(HasSubstr(": F "), withFigures("1 h | 30 min | 2 h"))))
        << "with nothing above it or short";
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
    const std::vector<std::string> rows = readRows(text({"cost"}));
    const std::vector<std::string> figures = readFigures(rows);
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
    EXPECT_THAT(readRows(text({"cost", "remove", "c3"}))[0], HasSubstr(" c3"));
}

TEST_F(HistoryText, TheShippedCostsSayWhatWasSpent)
{
    const std::vector<std::string> rows = readRows(text({"cost", "--db", ":documents:"}));
    EXPECT_EQ(rows[3], "N+2 | $0.37 | $1.40 | $55.00 | shipped");
    EXPECT_THAT(readFigures(rows), Contains("$503.50 | $670.74 | $5.00 | $7.24 | $498.50 | $663.50 | $30.00"));
    EXPECT_THAT(readFigures(rows), Contains("$95.00 | 0.14× | 0.19×"));
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
    EXPECT_EQ(readRows(text({"cost", "add", "--gpu", "2"}))[0], "B: gpu $2.00");
    const Answer refused = kloop({"cost", "add", "--other", "-1", "--json"});
    EXPECT_EQ(refused.code, 4);
    EXPECT_EQ(refused.json()["error"]["where"], "other");
}

TEST_F(HistoryText, PricesAreListedSetAndResetOneByOne)
{
    const std::vector<std::string> rows = readRows(text({"cost", "price"}));
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
    EXPECT_THAT(readRows(text({"learn", "rules"})), Not(Contains(HasSubstr(" | ")))) << "no table";
    {
        const auto db = store();
        addCase(*db, 1, "uncoalesced", 0.5, 500);
        addCase(*db, 2, "uncoalesced", 0.5, 600);
        addCase(*db, 3, "uncoalesced", 0.5, 1100);
        addCase(*db, 4, "dram-bound", 0.2, 880, Source::sample);
    }
    const std::vector<std::string> rows = readRows(text({"learn", "rules"}));
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
    const std::vector<std::string> rows = readRows(text({"learn", "model"}));
    EXPECT_THAT(readFigures(rows[0]), StartsWith(answer["cases"].dump() + " | 0"));
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
                                   readRows(formatPercent(100.0 * kind["paid"].get<double>() / kind["cases"].get<double>()))[0] + ") | " +
                                   formatRatio(kind["median_ratio"].get<double>()));
    }
    EXPECT_EQ(cases, answer["cases"]);
    EXPECT_THAT(readFigures(rows.back()), HasSubstr("1.20"));
    EXPECT_THAT(text({"learn", "model", "--cross-validate"}), HasSubstr("| transpose |")) << "the tables of its validation instead";
}

TEST_F(HistoryText, ASlowDownIsARowWithItsLevelsSnapshot)
{
    EXPECT_THAT(readRows(text({"regress"})), Not(Contains(HasSubstr(" | ")))) << "no table";
    {
        const auto db = store();
        for (int i = 0; i < 14; ++i)
            ASSERT_TRUE(db->saveRun(timedRun("aaaa00" + std::to_string(10 + i), "naive",
                                             "2026-01-" + std::to_string(10 + i) + "T00:00:00.000Z", i < 12 ? 1000 : 1200))
                            .ok());
    }
    const Answer open = kloop({"regress"});
    EXPECT_EQ(open.code, 1);
    EXPECT_THAT(readRows(open.out),
                ElementsAre(StartsWith("Kernel | "),
                            "transpose/naive | M=64,N=64 | NVIDIA H200 | 1 µs | 1.2 µs | +20 % | 2026-01-22T00:00 | open | run:aaaa0022"));
    EXPECT_THAT(readRows(text({"regress", "acknowledge", "transpose/naive", "--note", "the driver"}))[1],
                HasSubstr(" | acknowledged: the driver | run:aaaa0022"));
    expectSnapshot("cli/regress-rows.txt", open.out);
}

TEST_F(HistoryText, TheRoadmapHasItsStepsBelowTheirWeek)
{
    json({"roadmap", "add", "Write the paper", "--week", "5", "--session", "A", "--session", "B", "--minutes", "45"});
    json({"roadmap", "add", "Read it", "--week", "5"});
    json({"roadmap", "edit", "read-it", "--done"});
    const std::vector<std::string> rows = readRows(text({"roadmap"}));
    const auto week = std::ranges::find_if(rows, [](const std::string& row) { return row.starts_with("Week 5: "); });
    ASSERT_EQ(rows.end() - week, 3) << "the last one";
    EXPECT_THAT(week[1], AllOf(StartsWith("planned | write-the-paper | Write the paper | A, B | "), HasSubstr("45")));
    EXPECT_EQ(week[2], "done | read-it | Read it");
    EXPECT_THAT(rows, Contains(StartsWith("Week 4: ")));
}

} // namespace
} // namespace kl::test
