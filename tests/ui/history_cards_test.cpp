// SPDX-License-Identifier: MIT
// The cards of the page History with a database behind them, each alone: what is entered reaches the right session, step or kernel, and
// what is shown is that of the history shown last.
#include "core/base/format.h"
#include "sessions/learning/money.h"
#include "sessions/learning/roadmap.h"
#include "tests/support/store_support.h"
#include "tests/ui/support/label_texts.h"
#include "ui/charts/chart_card.h"
#include "ui/charts/heat_strip.h"
#include "ui/context/app_context.h"
#include "ui/pages/history/money_card.h"
#include "ui/pages/history/regressions_card.h"
#include "ui/pages/history/roadmap_card.h"
#include "ui/pages/history/session_story.h"
#include "ui/pages/history_page.h"
#include "ui/widgets/data_table.h"
#include "ui/widgets/text.h"

#include <gtest/gtest.h>

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QToolButton>

namespace kl::ui {
namespace {

void pressOn(QWidget& on, const char* name)
{
    auto* button = on.findChild<QPushButton*>(QString::fromLatin1(name));
    ASSERT_NE(button, nullptr) << name;
    ASSERT_TRUE(button->isEnabled()) << name;
    button->click();
    ASSERT_TRUE(waitForJobs());
}

/// A database of one's own with two sessions on the recording.
class HistoryCards : public testing::Test {
protected:
    static void SetUpTestSuite()
    {
        folder = new support::TempDir;
        auto opened = AppContext::open((*folder / "own.db").string(), DeviceSpec::sample());
        ASSERT_TRUE(opened) << opened.error().message;
        context = opened->release();
        for (const char* name : {"first", "second"}) {
            NewSession request;
            request.name = name;
            request.objective = std::string("objective of ") + name;
            request.kernel = "transpose";
            const auto session = context->engine()->sessions.create(request);
            ASSERT_TRUE(session) << session.error().message;
            ids.push_back(session->header.id.text);
        }
    }
    static void TearDownTestSuite()
    {
        delete context;
        delete folder;
        ids.clear();
    }
    static Store& store() { return *context->engine()->store; }
    static History history()
    {
        Result<History> read = loadHistory(store());
        EXPECT_TRUE(read);
        return std::move(*read);
    }
    static support::TempDir* folder;
    static AppContext* context;
    static std::vector<std::string> ids;
};
support::TempDir* HistoryCards::folder = nullptr;
AppContext* HistoryCards::context = nullptr;
std::vector<std::string> HistoryCards::ids;

TEST_F(HistoryCards, ACostIsThatOfTheChosenSessionAndItsUndoTakesItAlone)
{
    MoneyCard card(*context);
    card.show(history(), *MoneyCard::load(store()));
    auto* session = card.findChild<QComboBox*>("costSession");
    ASSERT_EQ(session->count(), 2);
    EXPECT_EQ(session->itemData(0).toString(), q(ids[1])) << "the newest first";
    EXPECT_EQ(session->currentIndex(), 0);
    session->setCurrentIndex(1);
    auto* kind = card.findChild<QComboBox*>("costKind");
    kind->setCurrentIndex(kind->findData("gpu"));
    card.findChild<QDoubleSpinBox*>("costDollars")->setValue(2.5);
    card.findChild<QLineEdit*>("costNote")->setText("a bill");
    pressOn(card, "addCost");
    kind->setCurrentIndex(kind->findData("value"));
    card.findChild<QLineEdit*>("costNote")->setText("worth");
    card.show(history(), *MoneyCard::load(store()));
    EXPECT_EQ(session->currentData().toString(), q(ids[0])) << "what was chosen stays chosen";
    const std::vector<CostEntry> costs = *store().costs();
    ASSERT_EQ(costs.size(), 1U);
    EXPECT_EQ(costs[0].session, ids[0]);
    EXPECT_EQ(costs[0].kind, "gpu");
    EXPECT_EQ(costs[0].dollars, 2.5);
    EXPECT_EQ(costs[0].note, "a bill");
    ASSERT_TRUE(addCost(store(), {ids[1]}, "other", 1, ""));
    card.show(history(), *MoneyCard::load(store()));
    const QStringList texts = labelsIn(card);
    EXPECT_TRUE(texts.contains(q("first · gpu $2.50 · a bill"))) << texts.join('|').toStdString();
    EXPECT_TRUE(texts.contains(q("second · other $1.00"))) << texts.join('|').toStdString();
    const auto undo = card.findChildren<QPushButton*>("removeCost");
    ASSERT_EQ(undo.size(), 2);
    undo[1]->click();
    ASSERT_TRUE(waitForJobs());
    ASSERT_EQ(store().costs()->size(), 1U);
    EXPECT_EQ(store().costs()->at(0).kind, "gpu");
    card.show(history(), *MoneyCard::load(store()));
    settleLayout();
    EXPECT_EQ(card.findChildren<QPushButton*>("removeCost").size(), 1) << "nothing of before is left";
    pressOn(card, "removeCost");
    EXPECT_TRUE(store().costs()->empty());
}

TEST_F(HistoryCards, APriceIsSavedOnlyWhereItWasChanged)
{
    MoneyCard card(*context);
    card.show(history(), *MoneyCard::load(store()));
    auto* gpu = card.findChild<QComboBox*>("gpuName");
    auto* price = card.findChild<QDoubleSpinBox*>("gpuPrice");
    gpu->setCurrentText("NVIDIA H200");
    const double before = findPrice(*gpuPrices(store()), "NVIDIA H200")->dollarsPerHour;
    EXPECT_DOUBLE_EQ(price->value(), before);
    gpu->setCurrentText("no such card");
    EXPECT_EQ(price->value(), 0) << "not the price of the one before";
    card.findChild<QDoubleSpinBox*>("engineerRate")->setValue(41);
    card.findChild<QDoubleSpinBox*>("costTarget")->setValue(9);
    pressOn(card, "savePrices");
    EXPECT_DOUBLE_EQ(engineerRate(store()), 41);
    EXPECT_DOUBLE_EQ(sessionCostTarget(store()), 9);
    EXPECT_FALSE(findPrice(*gpuPrices(store()), "no such card")) << "0 is not a price";
    gpu->setCurrentText("NVIDIA H200");
    pressOn(card, "savePrices");
    EXPECT_NE(findPrice(*gpuPrices(store()), "NVIDIA H200")->priceClass, "own") << "it is as it was";
    price->setValue(before + 1);
    pressOn(card, "savePrices");
    EXPECT_EQ(findPrice(*gpuPrices(store()), "NVIDIA H200")->priceClass, "own");
    EXPECT_DOUBLE_EQ(findPrice(*gpuPrices(store()), "NVIDIA H200")->dollarsPerHour, before + 1);
    card.show(history(), *MoneyCard::load(store()));
    EXPECT_EQ(gpu->currentText(), "NVIDIA H200") << "what was chosen stays";
    EXPECT_DOUBLE_EQ(price->value(), before + 1);
    EXPECT_EQ(card.findChild<QDoubleSpinBox*>("engineerRate")->value(), 41);
    EXPECT_EQ(card.findChild<QDoubleSpinBox*>("costTarget")->value(), 9);
}

TEST_F(HistoryCards, TheGpuIsThatOfTheNewestOwnSession)
{
    History shown;
    for (const char* device : {"NVIDIA L4", "NVIDIA A100-SXM4-80GB", "", "NVIDIA T4"}) {
        HistoryRow row;
        row.id = std::string("id of ") + device;
        row.device = device;
        shown.rows.push_back(row);
    }
    shown.rows.back().sample = true;
    MoneyCard card(*context);
    card.show(shown, {});
    EXPECT_EQ(card.findChild<QComboBox*>("gpuName")->currentText(), "NVIDIA A100-SXM4-80GB");
    EXPECT_EQ(card.findChild<QComboBox*>("costSession")->count(), 3) << "not the shipped one";
    MoneyCard empty(*context);
    empty.show({}, {});
    EXPECT_EQ(empty.findChild<QComboBox*>("gpuName")->currentText(), "NVIDIA H200");
    EXPECT_FALSE(empty.findChild<QComboBox*>("costSession")->isEnabled());
    EXPECT_FALSE(empty.findChild<QPushButton*>("addCost")->isEnabled()) << "costs belong to a session";
    EXPECT_TRUE(empty.findChild<QPushButton*>("savePrices")->isEnabled());
}

TEST_F(HistoryCards, SumsAreOfWhatIsKnown)
{
    History shown;
    MoneyCard card(*context);
    card.show(shown, {});
    EXPECT_FALSE(card.title().contains('$'));
    shown.engineerRate = 30;
    shown.own.costHigh = 2;
    shown.own.costLow = 1;
    shown.own.engineer = 60;
    shown.own.engineerHigh = 60;
    shown.own.valueEntered = 124;
    shown.own.valueMeasured = 31;
    shown.notes = {"a note"};
    card.show(shown, {});
    EXPECT_TRUE(card.title().startsWith(q(formatMoney(*shown.own.sumSpent())))) << card.title().toStdString();
    const QStringList texts = labelsIn(card);
    const QString spent = texts.filter("$2.00 ").value(0);
    EXPECT_LT(spent.indexOf("$2.00 "), spent.indexOf("$60.00 ")) << "bills, then work: " << texts.join('|').toStdString();
    EXPECT_LT(spent.indexOf("$60.00 "), spent.indexOf("$30.00 ")) << "at this rate: " << spent.toStdString();
    const QStringList returns = texts.filter(q("×"));
    ASSERT_EQ(returns.size(), 2) << "nothing was quoted: " << texts.join('|').toStdString();
    EXPECT_TRUE(returns[0].contains("$124.00") && returns[0].endsWith(q("2.00×"))) << returns[0].toStdString();
    EXPECT_TRUE(returns[1].contains("$31.00") && returns[1].endsWith(q("0.50×"))) << returns[1].toStdString();
    EXPECT_TRUE(texts.contains("a note"));
    shown.own.costDerived = true;
    card.show(shown, {});
    EXPECT_TRUE(card.title().startsWith("~$")) << card.title().toStdString();
    card.show({}, {});
    EXPECT_TRUE(labelsIn(card).filter(q("×")).isEmpty()) << "the sums of before are gone";
}

/// The menu of a step.
QList<QAction*> listMenuActions(const RoadmapCard& card, const char* id)
{
    const auto* title = card.findChild<QLineEdit*>(QStringLiteral("step-") + QLatin1String(id));
    return title ? title->parentWidget()->findChild<QToolButton*>()->menu()->actions() : QList<QAction*>();
}

TEST_F(HistoryCards, AStepIsTickedMovedLinkedAndRemoved)
{
    ASSERT_TRUE(resetRoadmap(store()));
    context->setCurrentSession({ids[0]}, "first", "transpose");
    const auto plan = [] { return *loadRoadmap(store()); };
    const auto step = [&](const char* id) {
        for (const RoadmapStep& one : plan().steps)
            if (one.id == id)
                return std::optional(one);
        return std::optional<RoadmapStep>();
    };
    const auto filled = [&] {
        auto card = std::make_unique<RoadmapCard>(*context);
        card->show(plan(), computeStates(plan().steps, {}));
        return card;
    };
    const std::size_t count = plan().steps.size();
    auto card = filled();
    EXPECT_TRUE(card->title().contains(QStringLiteral("0 of %1").arg(count))) << card->title().toStdString();
    EXPECT_EQ(listMenuActions(*card, "frameworks").size(), 4) << "linked, later, earlier, removed";
    EXPECT_EQ(listMenuActions(*card, "first-patterns").size(), 3) << "nothing is before the first week";
    auto* tick = card->findChild<QLineEdit*>("step-frameworks")->parentWidget()->findChild<QCheckBox*>();
    EXPECT_FALSE(tick->isChecked());
    tick->click();
    ASSERT_TRUE(waitForJobs());
    EXPECT_TRUE(step("frameworks")->done);
    EXPECT_FALSE(step("ci")->done);
    card = filled();
    EXPECT_TRUE(card->title().contains(QStringLiteral("1 of %1").arg(count))) << card->title().toStdString();
    tick = card->findChild<QLineEdit*>("step-frameworks")->parentWidget()->findChild<QCheckBox*>();
    EXPECT_TRUE(tick->isChecked() && tick->isEnabled());
    tick->click();
    ASSERT_TRUE(waitForJobs());
    EXPECT_FALSE(step("frameworks")->done);
    listMenuActions(*card, "host-patterns")[0]->trigger();
    ASSERT_TRUE(waitForJobs());
    EXPECT_EQ(step("host-patterns")->sessions, std::vector<std::string>{"first"});
    listMenuActions(*card, "host-patterns")[1]->trigger();
    ASSERT_TRUE(waitForJobs());
    EXPECT_EQ(step("host-patterns")->week, 2);
    listMenuActions(*card, "frameworks")[2]->trigger();
    ASSERT_TRUE(waitForJobs());
    EXPECT_EQ(step("frameworks")->week, 3);
    listMenuActions(*card, "ci").back()->trigger();
    ASSERT_TRUE(waitForJobs());
    EXPECT_FALSE(step("ci"));
    EXPECT_EQ(plan().steps.size(), count - 1);
    card->findChild<QLineEdit*>("stepTitle")->setText("  Write the paper ");
    card->findChild<QComboBox*>("stepWeek")->setCurrentIndex(5);
    pressOn(*card, "addStep");
    ASSERT_TRUE(step("write-the-paper"));
    EXPECT_EQ(step("write-the-paper")->week, 6);
    EXPECT_EQ(step("write-the-paper")->title, "Write the paper");
    EXPECT_TRUE(card->findChild<QLineEdit*>("stepTitle")->text().isEmpty());
    for (QPushButton* button : card->findChildren<QPushButton*>())
        if (button->objectName() != "addStep")
            button->click(); // restores the default plan
    ASSERT_TRUE(waitForJobs());
    EXPECT_TRUE(step("ci"));
    EXPECT_FALSE(step("write-the-paper"));
    context->setCurrentSession({}, {}, {});
    card = filled();
    EXPECT_FALSE(listMenuActions(*card, "ci")[0]->isEnabled()) << "there is no session to link to";
}

TEST_F(HistoryCards, AStepThatSessionsShowIsTickedButNotByHand)
{
    const Roadmap roadmap{"", {{1, "week"}}, {{"shown", 1, "Shown", {"A"}, false, {}}, {"started", 1, "Started", {}, false, {}}}};
    RoadmapCard card(*context);
    card.show(roadmap, {StepState::done, StepState::open});
    const auto findTick = [&](const char* name) {
        return card.findChild<QLineEdit*>(QString::fromLatin1(name))->parentWidget()->findChild<QCheckBox*>();
    };
    EXPECT_TRUE(findTick("step-shown")->isChecked());
    EXPECT_FALSE(findTick("step-shown")->isEnabled());
    EXPECT_FALSE(findTick("step-started")->isChecked());
    EXPECT_TRUE(findTick("step-started")->isEnabled());
    const QStringList texts = labelsIn(card);
    const QStringList done = texts.filter(q("✓ ")), open = texts.filter(q("● "));
    EXPECT_TRUE(done.size() == 1 && done[0].endsWith(q(" · A"))) << texts.join('|').toStdString();
    EXPECT_TRUE(open.size() == 1 && !open[0].contains(q("·"))) << texts.join('|').toStdString();
    card.show({"", {{1, "week"}}, {}}, {});
    settleLayout();
    EXPECT_EQ(card.findChild<QLineEdit*>("step-shown"), nullptr) << "of the plan before" << card.title().toStdString();
}

KernelRegression slowerKernel(const char* kernel, RegressionState state)
{
    KernelRegression row;
    row.kernel = kernel;
    row.problem = "M=64,N=64";
    row.device = "NVIDIA H200";
    row.firstRun = std::string("first of ") + kernel;
    row.newest = std::string("newest of ") + kernel;
    row.since = "2026-03-01T09:10:00.000Z";
    row.levelNs = 100;
    row.afterNs = 120;
    row.change = 0.2;
    row.state = state;
    return row;
}

TEST_F(HistoryCards, ARegressionOffersWhatItsStateAllows)
{
    RegressionsCard card(*context);
    const auto offered = [&](const KernelRegression& row) {
        card.show({row});
        settleLayout();
        QStringList names;
        for (const char* name : {"acknowledgeRegression", "fixedRegression", "newNormalRegression", "undoRegression"})
            if (card.findChild<QPushButton*>(QString::fromLatin1(name)))
                names << QString::fromLatin1(name).remove("Regression");
        return names;
    };
    EXPECT_EQ(offered(slowerKernel("a/b", RegressionState::open)), (QStringList{"acknowledge", "fixed", "newNormal"}));
    EXPECT_TRUE(card.title().startsWith("1 "));
    const QStringList changes = labelsIn(card).filter(q(formatTime(100) + " → " + formatTime(120)));
    ASSERT_EQ(changes.size(), 1) << labelsIn(card).join('|').toStdString();
    EXPECT_TRUE(changes[0].contains(q(formatPercent(20)))) << changes[0].toStdString();
    EXPECT_EQ(offered(slowerKernel("a/b", RegressionState::acknowledged)), (QStringList{"fixed", "newNormal", "undo"}));
    EXPECT_FALSE(card.title().startsWith("1 ")) << "no open one";
    KernelRegression over = slowerKernel("a/b", RegressionState::fixed);
    over.levelNs = 0;
    over.note = "a driver";
    EXPECT_EQ(offered(over), QStringList{"undo"});
    EXPECT_TRUE(card.findChild<QLabel*>("regressionState")->text().endsWith(": a driver"));
    QSignalSpy requested(context, &AppContext::navigationRequested);
    card.show({slowerKernel("a/b", RegressionState::open), slowerKernel("c/d", RegressionState::open)});
    settleLayout();
    EXPECT_TRUE(card.title().startsWith("2 "));
    for (QPushButton* button : card.findChildren<QPushButton*>())
        if (button->text() == "c/d")
            button->click();
    ASSERT_EQ(requested.count(), 1);
    EXPECT_EQ(requested[0][0].toString(), "diagnose");
    EXPECT_EQ(requested[0][1].toString(), "newest of c/d");
    card.show({});
    settleLayout();
    EXPECT_TRUE(card.findChildren<QLabel*>("regressionState").isEmpty());
}

TEST_F(HistoryCards, AMarkThatFailsIsReported)
{
    RegressionsCard card(*context);
    card.show({slowerKernel("a/b", RegressionState::open)}); // there is no such run
    const QSignalSpy posted(context, &AppContext::messagePosted);
    pressOn(card, "fixedRegression");
    EXPECT_EQ(posted.count(), 1);
}

TEST_F(HistoryCards, ASessionIsFoundOpenedAndToldOf)
{
    HistoryPage page(*context);
    page.resize(1200, 900);
    page.QWidget::show();
    page.open(q(ids[0]));
    page.refresh();
    ASSERT_TRUE(waitForJobs());
    auto* table = page.findChild<DataTable*>();
    ASSERT_EQ(table->model()->rowCount(), 2);
    EXPECT_EQ(table->sourceRow(), 0) << "the one that was asked for";
    const auto* story = page.findChild<SessionStory*>();
    EXPECT_EQ(story->title(), "first: objective of first");
    table->selectRow(1);
    EXPECT_EQ(story->title(), "second: objective of second");
    page.refresh();
    ASSERT_TRUE(waitForJobs());
    EXPECT_EQ(story->title(), "first: objective of first") << "asked for once, then the first";
    QSignalSpy requested(context, &AppContext::navigationRequested);
    emit table->opened(1);
    ASSERT_EQ(requested.count(), 1);
    EXPECT_EQ(requested[0][0].toString(), "session");
    EXPECT_EQ(requested[0][1].toString(), q(ids[1]));
    emit table->opened(7);
    EXPECT_EQ(requested.count(), 1) << "there is no such row";
    emit page.findChild<SessionStory*>()->patternRequested("pad-the-tile");
    ASSERT_EQ(requested.count(), 2);
    EXPECT_EQ(requested[1][0].toString(), "patterns");
    EXPECT_EQ(requested[1][1].toString(), "pad-the-tile");
}

TEST_F(HistoryCards, GatesAreCountedOverAllSessions)
{
    ASSERT_TRUE(context->engine()->sessions.act({ids[1]}, SessionAction::checkEnvironment));
    HistoryPage page(*context);
    page.refresh();
    ASSERT_TRUE(waitForJobs());
    const auto* gates = page.findChild<HeatStrip*>();
    const ChartTable table = gates->table();
    EXPECT_EQ(table.header.mid(1), (QStringList{"first", "second"}));
    int judged = 0, passed = 0;
    for (const QStringList& row : table.rows)
        for (const QString& cell : row.mid(1)) {
            judged += cell != markWord(Mark::none);
            passed += cell == markWord(Mark::pass);
        }
    ASSERT_GE(passed, 1);
    bool counted = false;
    for (const ChartCard* card : page.findChildren<ChartCard*>())
        counted = counted || card->title().startsWith(QStringLiteral("%1 of %2 ").arg(passed).arg(judged));
    EXPECT_TRUE(counted) << passed << " of " << judged;
    ASSERT_FALSE(table.rows.empty());
    EXPECT_EQ(table.rows[0][2], markWord(Mark::pass)) << "the check is of the second session";
    EXPECT_NE(table.rows[0][1], markWord(Mark::pass));
}

} // namespace
} // namespace kl::ui
