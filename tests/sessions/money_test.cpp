// SPDX-License-Identifier: MIT
#include "tests/support/snapshot.h"
#include "tests/support/store_support.h"

#include "core/base/scratch_folder.h"
#include "sessions/learning/history_parts.h"

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <gmock/gmock.h>

namespace kl {
namespace {

using support::openStore;

void addSession(Store& store, const std::string& id, const std::string& device, double minutes, bool finished = true)
{
    const SessionHeader header{{id}, "N+" + id, "optimize", "o", "transpose", Source::live, "2026-03-0" + id + "T09:00:00.000Z", "{}"};
    ASSERT_TRUE(store.createSession(header, {1, header.createdAt, "opened", R"({"device": ")" + device + "\"}"}));
    if (finished) {
        ASSERT_TRUE(store.appendEvent(
            {id}, {2, header.createdAt, "finished", R"({"outcome": "kept", "minutes": )" + std::to_string(minutes) + "}"}));
    }
}

TEST(GpuPrices, TheShippedOnesSayWhenAndFromWhere)
{
    const auto prices = loadShippedPrices();
    ASSERT_TRUE(prices) << prices.error().message;
    for (const GpuPrice& price : *prices) {
        EXPECT_FALSE(price.date.empty()) << price.gpu;
        EXPECT_FALSE(price.source.empty()) << price.gpu;
        EXPECT_TRUE(price.priceClass == "list price" || price.priceClass == "derived") << price.gpu;
    }
    EXPECT_DOUBLE_EQ(findPrice(*prices, "NVIDIA L4")->dollarsPerHour, 0.20);
    EXPECT_EQ(findPrice(*prices, "NVIDIA H200 NVL")->gpu, "NVIDIA H200") << "the same product under a longer name";
    EXPECT_FALSE(findPrice(*prices, "NVIDIA T4")) << "no figure is better than a guess";
    EXPECT_FALSE(findPrice(*prices, ""));
}

TEST(GpuPrices, TheNotesOwnBillsGiveTheL4sPrice)
{
    // Every session of the sample with one bill: dollars over hours.
    const auto rows = sampleHistory();
    for (const HistoryRow& row : *rows)
        if (row.money.gpu.size() == 1 && row.minutes.size() == 1) {
            EXPECT_NEAR(row.money.gpu[0].value / row.minutes[0].value * 60, 0.20, 0.005) << row.name;
        }
}

TEST(GpuPrices, OnesOwnReplaceAndAreTakenBack)
{
    const auto store = openStore(":memory:");
    ASSERT_TRUE(setGpuPrice(*store, "NVIDIA H200", 3.5));
    ASSERT_TRUE(setGpuPrice(*store, "Home GPU", 0.1));
    EXPECT_EQ(findPrice(*gpuPrices(*store), "NVIDIA H200")->priceClass, "own");
    EXPECT_DOUBLE_EQ(findPrice(*gpuPrices(*store), "Home GPU")->dollarsPerHour, 0.1);
    ASSERT_TRUE(setGpuPrice(*store, "NVIDIA H200", std::nullopt));
    EXPECT_EQ(findPrice(*gpuPrices(*store), "NVIDIA H200")->priceClass, "list price");
    EXPECT_EQ(setGpuPrice(*store, "NVIDIA H200", 0).error().code, ErrorCode::badInput);
    EXPECT_EQ(setGpuPrice(*store, "", 1).error().code, ErrorCode::badInput);
}

TEST(GpuPrices, AnyNameOfAGpuSetsThePriceOfThatProduct)
{
    const auto store = openStore(":memory:");
    ASSERT_TRUE(setGpuPrice(*store, "H200", 4.5));
    EXPECT_DOUBLE_EQ(findPrice(*gpuPrices(*store), "NVIDIA H200")->dollarsPerHour, 4.5);
    EXPECT_DOUBLE_EQ(findPrice(*gpuPrices(*store), "H200")->dollarsPerHour, 4.5);
    EXPECT_EQ(gpuPrices(*store)->size(), loadShippedPrices()->size()) << "one row of a product";
    ASSERT_TRUE(setGpuPrice(*store, "NVIDIA H200 NVL", 5));
    EXPECT_DOUBLE_EQ(findPrice(*gpuPrices(*store), "NVIDIA H200")->dollarsPerHour, 5);
    ASSERT_TRUE(setGpuPrice(*store, "H200", std::nullopt));
    EXPECT_EQ(findPrice(*gpuPrices(*store), "NVIDIA H200")->priceClass, "list price");
}

TEST(Money, AbsurdAmountsAreRefused)
{
    const auto store = openStore(":memory:");
    addSession(*store, "6", "NVIDIA H200", 60);
    for (const double amount : {1e300, std::nan(""), HUGE_VAL, -1.0}) {
        EXPECT_EQ(addCost(*store, {"6"}, "other", amount, "").error().code, ErrorCode::badInput) << amount;
        EXPECT_EQ(setGpuPrice(*store, "H200", amount).error().code, ErrorCode::badInput) << amount;
        EXPECT_EQ(setEngineerRate(*store, amount).error().code, ErrorCode::badInput) << amount;
        EXPECT_EQ(setSessionCostTarget(*store, amount).error().code, ErrorCode::badInput) << amount;
        EXPECT_EQ(checkAmounts(amount == 1e300 ? 1e308 : amount, {}, "x").error().code, ErrorCode::badInput) << amount;
    }
    EXPECT_TRUE(addCost(*store, {"6"}, "other", 0, ""));
    EXPECT_TRUE(checkAmounts(kMostMinutes, kMostDollars, "x"));
}

TEST(Money, AReplayedSessionEarnsNothing)
{
    const auto store = openStore(":memory:");
    const SessionHeader header{{"7"}, "N", "optimize", "o", "transpose", Source::sample, "2026-03-07T09:00:00.000Z", "{}"};
    ASSERT_TRUE(store->createSession(header, {1, header.createdAt, "opened", R"({"device": "NVIDIA H200"})"}));
    EXPECT_EQ(addCost(*store, {"7"}, "value", 1700, "").error().code, ErrorCode::badInput);
    ASSERT_TRUE(addCost(*store, {"7"}, "assistant", 1.5, "")) << "money that was spent is spent";
    ASSERT_TRUE(store->saveCost({"old", "7", "2026-03-07T10:00:00.000Z", "value", 1700, ""})); // as an older version stored it
    const auto history = loadHistory(*store);
    ASSERT_TRUE(history);
    EXPECT_FALSE(history->own.valueEntered);
    EXPECT_FALSE(returnOnInvestment(history->own.valueEntered, history->own.sumSpent()));
}

TEST(Money, ATableOfPricesThatIsWrongNamesTheField)
{
    const auto bad = parsePrices(R"({"prices": [{"gpu": "x", "dollars_per_hour": "two"}]})", "p.json");
    ASSERT_FALSE(bad);
    EXPECT_NE(bad.error().message.find("prices[0].dollars_per_hour"), std::string::npos);
    EXPECT_FALSE(parsePrices(R"({"prices": [{"gpu": "x", "dollars_per_hour": 0}]})", "p.json"));
}

TEST(Money, TimeTimesPriceUntilABillComes)
{
    const auto store = openStore(":memory:");
    addSession(*store, "6", "NVIDIA H200", 90);
    ASSERT_TRUE(setGpuPrice(*store, "NVIDIA H200", 4));
    Result<History> history = loadHistory(*store);
    ASSERT_TRUE(history) << history.error().message;
    EXPECT_EQ(findShownFigure(history->rows.back().money.gpu)->kind, FigureKind::measured);
    EXPECT_DOUBLE_EQ(findShownFigure(history->rows.back().money.gpu)->value, 6);
    ASSERT_TRUE(addCost(*store, {"6"}, "assistant", 0.85, "help"));
    const auto bill = addCost(*store, {"6"}, "gpu", 5.10, "invoice");
    ASSERT_TRUE(bill);
    ASSERT_TRUE(addCost(*store, {"6"}, "value", 300, "shipped"));
    history = loadHistory(*store);
    const SessionMoney& money = history->rows.back().money;
    EXPECT_EQ(findShownFigure(money.gpu)->kind, FigureKind::entered);
    EXPECT_DOUBLE_EQ(*computeCash(money), 5.95);
    EXPECT_DOUBLE_EQ(*history->own.costLow, 5.95) << "the bill replaces what was reckoned";
    EXPECT_DOUBLE_EQ(*history->own.costHigh, 5.95);
    EXPECT_DOUBLE_EQ(*history->own.engineer, 45);
    EXPECT_DOUBLE_EQ(*history->own.sumSpent(), 50.95);
    EXPECT_DOUBLE_EQ(*history->own.valueEntered, 300);
    EXPECT_FALSE(history->own.valueMeasured) << "what was entered is not what was measured";
    ASSERT_TRUE(store->removeCost(bill->id));
    EXPECT_EQ(store->removeCost(bill->id).error().code, ErrorCode::notFound);
    EXPECT_DOUBLE_EQ(*computeCash(loadHistory(*store)->rows.back().money), 6.85);
}

TEST(Money, ASessionOnAHostHasThePriceOfTheHost)
{
    const Result<ScratchFolder> folder = ScratchFolder::make();
    const char* before = std::getenv("XDG_CONFIG_HOME");
    const std::string was = before ? before : "";
    ::setenv("XDG_CONFIG_HOME", folder->path().c_str(), 1);
    const auto store = openStore(":memory:");
    ASSERT_TRUE(setGpuPrice(*store, "NVIDIA H200", 4));
    ASSERT_TRUE(HostList().change("gpu7", [](KnownHost& host) { host.dollarsPerHour = 10; }));
    ASSERT_TRUE(HostList().change("gpu8", [](KnownHost&) {}));
    const auto cost = [&](const std::string& id, const std::string& host) {
        addSession(*store, id, "NVIDIA H200\", \"host\": \"" + host, 90);
        return findShownFigure(loadHistory(*store)->rows.back().money.gpu);
    };
    EXPECT_DOUBLE_EQ(cost("1", "gpu7")->value, 15);
    EXPECT_NE(cost("2", "gpu7")->source.find("gpu7"), std::string::npos);
    EXPECT_DOUBLE_EQ(cost("3", "gpu8")->value, 6) << "a host without a price: that of its GPU";
    EXPECT_DOUBLE_EQ(cost("4", "gpu9")->value, 6) << "one that is not in the list";
    std::ofstream(HostList::defaultFile()) << "damaged";
    EXPECT_DOUBLE_EQ(cost("5", "gpu7")->value, 6);
    if (was.empty())
        ::unsetenv("XDG_CONFIG_HOME");
    else
        ::setenv("XDG_CONFIG_HOME", was.c_str(), 1);
}

TEST(Money, BillsCountForTheirOwnSession)
{
    const auto store = openStore(":memory:");
    addSession(*store, "6", "NVIDIA T4", 60);
    addSession(*store, "7", "NVIDIA T4", 60);
    ASSERT_TRUE(addCost(*store, {"6"}, "gpu", 5, ""));
    ASSERT_TRUE(addCost(*store, {"7"}, "gpu", 8, ""));
    std::map<std::string, std::optional<double>> cash;
    const Result<History> history = loadHistory(*store);
    ASSERT_TRUE(history) << history.error().message;
    for (const HistoryRow& row : history->rows)
        cash[row.id] = computeCash(row.money);
    EXPECT_EQ(cash["6"], 5);
    EXPECT_EQ(cash["7"], 8);
}

TEST(Money, AListPriceMakesADerivedCost)
{
    const auto store = openStore(":memory:");
    addSession(*store, "6", "NVIDIA L4", 60);
    const SessionMoney money = loadHistory(*store)->rows.back().money;
    EXPECT_EQ(findShownFigure(money.gpu)->kind, FigureKind::derived);
    EXPECT_DOUBLE_EQ(findShownFigure(money.gpu)->value, 0.20);
    EXPECT_NE(findShownFigure(money.gpu)->source.find("2025-10"), std::string::npos);
}

TEST(Money, WithoutAPriceTheCostIsUnknownWithWhatToType)
{
    const auto store = openStore(":memory:");
    addSession(*store, "6", "NVIDIA T4", 60);
    const SessionMoney money = loadHistory(*store)->rows.back().money;
    EXPECT_TRUE(money.gpu.empty());
    EXPECT_FALSE(computeCash(money));
    ASSERT_TRUE(money.next);
    EXPECT_EQ(money.next->id, StepId::setPrice);
    EXPECT_EQ(money.next->at(StepArgument::device), "NVIDIA T4");
}

TEST(Money, AnAmountBelowZeroOrOfAnUnknownKindIsRefused)
{
    const auto store = openStore(":memory:");
    addSession(*store, "6", "NVIDIA L4", 60);
    EXPECT_EQ(addCost(*store, {"6"}, "assistant", -1, "").error().code, ErrorCode::badInput);
    EXPECT_EQ(addCost(*store, {"6"}, "coffee", 1, "").error().code, ErrorCode::badInput);
    EXPECT_FALSE(addCost(*store, {"nobody"}, "assistant", 1, ""));
}

TEST(Money, RatesAreSettingsWithTheNotesDefaults)
{
    const auto store = openStore(":memory:");
    EXPECT_EQ(engineerRate(*store), 30);
    EXPECT_EQ(sessionCostTarget(*store), 5);
    ASSERT_TRUE(setEngineerRate(*store, 82.5));
    EXPECT_EQ(engineerRate(*store), 82.5);
    EXPECT_FALSE(setSessionCostTarget(*store, 0));
    ASSERT_TRUE(store->setSetting("engineer-rate", "nonsense"));
    EXPECT_EQ(engineerRate(*store), 30);
}

TEST(Money, AnOpenSessionWarnsNearAndOverItsTarget)
{
    const auto store = openStore(":memory:");
    addSession(*store, "6", "NVIDIA L4", 0, false);
    ASSERT_TRUE(addCost(*store, {"6"}, "assistant", 3.9, ""));
    EXPECT_TRUE(loadHistory(*store)->alerts.empty());
    ASSERT_TRUE(addCost(*store, {"6"}, "assistant", 0.3, ""));
    EXPECT_EQ(loadHistory(*store)->alerts.at(0).code, "near-cost");
    ASSERT_TRUE(addCost(*store, {"6"}, "other", 1, ""));
    EXPECT_EQ(loadHistory(*store)->alerts.at(0).code, "over-cost");
    EXPECT_EQ(sessionAlerts(*store, {"6"})->at(0), loadHistory(*store)->alerts.at(0)) << "a session's own answers say the same";
    ASSERT_TRUE(setSessionCostTarget(*store, 20));
    EXPECT_TRUE(loadHistory(*store)->alerts.empty());
    EXPECT_TRUE(sessionAlerts(*store, {"6"})->empty());
}

TEST(Money, OfASessionIsItsBillsOrItsTimeAtAPrice)
{
    const std::vector<CostEntry> entries{{"1", "s", "t", "gpu", 2, "one"},      {"2", "s", "t", "gpu", 3, ""},
                                         {"3", "s", "t", "gpu", 4, "two"},      {"4", "other", "t", "gpu", 100, "x"},
                                         {"5", "s", "t", "assistant", 5, ""},   {"6", "s", "t", "other", 6, "rent"},
                                         {"7", "s", "t", "value", 7, "shipped"}};
    const GpuPrice own{"NVIDIA H200", 4, "2026-01", "own", "bill"};
    const SessionMoney money = computeMoney("s", 90, "NVIDIA H200", own, 30, entries);
    ASSERT_EQ(money.gpu.size(), 2U);
    EXPECT_EQ(money.gpu[0], (Figure{9, FigureKind::entered, "one; two"}));
    EXPECT_DOUBLE_EQ(money.gpu[1].value, 6);
    EXPECT_EQ(money.gpu[1].kind, FigureKind::measured);
    EXPECT_EQ(money.assistant, (std::vector<Figure>{{5, FigureKind::entered, ""}}));
    EXPECT_EQ(money.other, (std::vector<Figure>{{6, FigureKind::entered, "rent"}}));
    EXPECT_EQ(money.value, (std::vector<Figure>{{7, FigureKind::entered, "shipped"}}));
    EXPECT_EQ(money.engineer, 45);
    EXPECT_EQ(money.why, "");
    EXPECT_EQ(computeCash(money), 9 + 5 + 6) << "a value is not a cost";
    GpuPrice listed = own;
    listed.priceClass = "list price";
    EXPECT_EQ(computeMoney("s", 90, "NVIDIA H200", listed, 30, {}).gpu.at(0).kind, FigureKind::derived);
}

TEST(Money, WhatIsNotKnownSaysWhy)
{
    const SessionMoney untimed = computeMoney("s", {}, "NVIDIA T4", {}, 30, {});
    EXPECT_NE(untimed.why, "");
    EXPECT_FALSE(untimed.next || untimed.engineer);
    const SessionMoney anywhere = computeMoney("s", 60, "", {}, 30, {});
    EXPECT_NE(anywhere.why, "");
    EXPECT_NE(anywhere.why, untimed.why);
    EXPECT_FALSE(anywhere.next);
    EXPECT_EQ(anywhere.engineer, 30);
    const SessionMoney unpriced = computeMoney("s", 60, "NVIDIA T4", {}, 30, {});
    EXPECT_THAT(unpriced.why, ::testing::HasSubstr("NVIDIA T4"));
    ASSERT_TRUE(unpriced.next);
    EXPECT_EQ(unpriced.next->inputs.at(0).argument, StepArgument::dollars);
    const SessionMoney billed = computeMoney("s", {}, "NVIDIA T4", {}, 30, {{"1", "s", "t", "gpu", 2, ""}});
    EXPECT_EQ(billed.why, "") << "a bill is there";
    EXPECT_EQ(cashFigure({}), std::nullopt);
}

TEST(MoneyTexts, SnapshotOfWhereACostIsFromOrWhyItIsUnknown)
{
    std::string text = "no time: " + computeMoney("s", {}, "NVIDIA T4", {}, 30, {}).why + '\n';
    text += "no device: " + computeMoney("s", 60, "", {}, 30, {}).why + '\n';
    text += "no price: " + computeMoney("s", 60, "NVIDIA T4", {}, 30, {}).why + '\n';
    for (const char* priceClass : {"own", "list price"}) {
        const GpuPrice price{"NVIDIA H200", 4, "2026-01", priceClass, "bill"};
        text += std::string(priceClass) + ": " + computeMoney("s", 90, "NVIDIA H200", price, 30, {}).gpu.at(0).source + '\n';
    }
    test::expectSnapshot("texts/money.txt", text);
}

TEST(Money, ASumWithADerivedPartIsDerived)
{
    SessionMoney money;
    money.gpu = {{1, FigureKind::planned, {}}, {2, FigureKind::entered, {}}};
    money.assistant = {{3, FigureKind::quoted, {}}};
    EXPECT_EQ(cashFigure(money), (Figure{5, FigureKind::entered, {}}));
    money.other = {{4, FigureKind::derived, {}}};
    EXPECT_EQ(cashFigure(money), (Figure{9, FigureKind::derived, {}}));
    money.gpu.clear();
    money.other.clear();
    EXPECT_EQ(cashFigure(money), (Figure{3, FigureKind::quoted, {}}));
}

TEST(Money, AmountsAreTakenUpToTheMostOfTheirKind)
{
    const auto store = openStore(":memory:");
    addSession(*store, "6", "NVIDIA H200", 60);
    for (const char* kind : kCostKinds)
        EXPECT_TRUE(addCost(*store, {"6"}, kind, kMostDollars, "note")) << kind;
    EXPECT_FALSE(addCost(*store, {"6"}, "gpu", kMostDollars * 1.01, ""));
    const std::vector<CostEntry> costs = *store->costs();
    ASSERT_EQ(costs.size(), 4U);
    EXPECT_EQ(costs[0].session, "6");
    EXPECT_EQ(costs[0].note, "note");
    EXPECT_EQ(costs[3].kind, "value");
    EXPECT_TRUE(setSessionCostTarget(*store, kMostDollars));
    EXPECT_EQ(sessionCostTarget(*store), kMostDollars);
    EXPECT_FALSE(setSessionCostTarget(*store, kMostDollars * 1.01));
    EXPECT_TRUE(setEngineerRate(*store, kMostDollarsPerHour));
    EXPECT_FALSE(setEngineerRate(*store, kMostDollarsPerHour * 1.01));
    EXPECT_TRUE(setGpuPrice(*store, "x", kMostDollarsPerHour));
    EXPECT_FALSE(setGpuPrice(*store, "x", kMostDollarsPerHour * 1.01));
    for (const char* damaged : {"3.5x", "", "0", "-1", "inf", "nan"}) {
        ASSERT_TRUE(store->setSetting("engineer-rate", damaged));
        EXPECT_EQ(engineerRate(*store), 30) << damaged;
    }
}

TEST(GpuPrices, OnesOwnNameTheProductTheDayAndTheirSource)
{
    const auto store = openStore(":memory:");
    ASSERT_TRUE(setGpuPrice(*store, "H200", 4.5));
    const GpuPrice price = *findPrice(*gpuPrices(*store), "NVIDIA H200");
    EXPECT_EQ(price.gpu, "NVIDIA H200");
    EXPECT_EQ(price.priceClass, "own");
    EXPECT_EQ(price.date.size(), 10U);
    EXPECT_FALSE(price.source.empty());
    ASSERT_TRUE(setGpuPrice(*store, "Home GPU", 1));
    EXPECT_EQ(gpuPrices(*store)->back().gpu, "Home GPU");
    EXPECT_FALSE(parsePrices(R"({"prices": [{"gpu": "", "dollars_per_hour": 1}]})", "p.json"));
    ASSERT_TRUE(store->setSetting("gpu-prices", "damaged"));
    EXPECT_FALSE(gpuPrices(*store));
    const std::vector<KnownHost> hosts{{.host = "gpu7", .dollarsPerHour = 10, .usedAt = "2026-02-03T04:05:06.000Z"}, {.host = "gpu8"}};
    EXPECT_EQ(priceOn("gpu7", "T4", hosts, {})->dollarsPerHour, 10);
    EXPECT_EQ(priceOn("gpu7", "T4", hosts, {})->gpu, "T4");
    EXPECT_EQ(priceOn("gpu7", "T4", hosts, {})->date, "2026-02-03");
    EXPECT_EQ(priceOn("gpu7", "T4", hosts, {})->priceClass, "own");
    EXPECT_FALSE(priceOn("gpu8", "T4", hosts, {}));
    EXPECT_FALSE(priceOn("", "T4", {{.host = "", .dollarsPerHour = 3}}, {})) << "this machine has no price of its own";
}

} // namespace
} // namespace kl
