// SPDX-License-Identifier: MIT
// The page History on the shipped histories, its captions and menus, and its cards where nothing can be written.
#include "core/base/format.h"
#include "sessions/learning/money.h"
#include "sessions/learning/roadmap.h"
#include "sessions/learning/scripted.h"
#include "tests/support/store_support.h"
#include "ui/charts/chart_card.h"
#include "ui/charts/waterfall_chart.h"
#include "ui/charts/xy_chart.h"
#include "ui/context/app_context.h"
#include "ui/pages/history/mistakes_card.h"
#include "ui/pages/history/money_card.h"
#include "ui/pages/history/regressions_card.h"
#include "ui/pages/history/roadmap_card.h"
#include "ui/pages/history/rules_card.h"
#include "ui/pages/history_charts.h"
#include "ui/pages/history_page.h"
#include "ui/style/style_sheet.h"
#include "ui/widgets/data_table.h"
#include "ui/widgets/state_panel.h"
#include "ui/widgets/text.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTest>
#include <QTimer>
#include <QToolButton>

#include <cmath>

namespace kl::ui {
namespace {

class ShippedHistory : public testing::Test {
protected:
    void open(const char* location)
    {
        auto opened = AppContext::open(location, DeviceSpec::sample());
        ASSERT_TRUE(opened) << opened.error().message;
        context = std::move(*opened);
    }
    static QStringList visibleTexts(const QWidget& widget)
    {
        QCoreApplication::processEvents();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        QStringList texts;
        for (const QLabel* label : widget.findChildren<QLabel*>())
            if (label->isVisibleTo(&widget))
                texts << label->text();
        return texts;
    }
    std::unique_ptr<AppContext> context;
};

TEST_F(ShippedHistory, TheDocumentsFiguresAreInTheCaptions)
{
    open(":documents:");
    const Result<History> history = loadHistory(context->store());
    ASSERT_TRUE(history);
    HistoryPage page(*context);
    page.resize(1400, 900);
    page.QWidget::show();
    page.refresh();
    ASSERT_TRUE(waitForJobs());
    const QStringList texts = visibleTexts(page);
    const auto findCaption = [&](const QString& part) { return texts.filter(part).join('|'); };
    ASSERT_TRUE(history->goal);
    const QString goal = q(formatPercent(std::round(100 * history->goal->reduction)));
    EXPECT_FALSE(texts.filter(q(history->goal->session)).filter(goal).filter(q(history->goal->before)).isEmpty()) << goal.toStdString();
    if (history->gap && history->gap->minutesLow > 0) {
        EXPECT_FALSE(texts.filter(q(formatMinutes(history->gap->minutesLow))).isEmpty()) << "to the expert's two hours";
    }
    if (history->learningRate) {
        EXPECT_FALSE(findCaption(q(formatChange(*history->learningRate))).isEmpty());
    }
    if (!history->convergence.sessions) {
        EXPECT_FALSE(findCaption(q(history->convergence.why)).isEmpty());
    }
    const Waterfall sums = waterfall(listSavingSteps(*history));
    ASSERT_GT(sums.quotedTotal, 0);
    bool quoted = false;
    for (const ChartCard* card : page.findChildren<ChartCard*>())
        quoted = quoted || card->title().contains(q(formatMinutes(sums.quotedTotal)));
    EXPECT_TRUE(quoted);
    EXPECT_FALSE(texts.filter(q(history->rows.front().name)).isEmpty());
    const auto* table = page.findChild<DataTable*>();
    EXPECT_EQ(table->model()->rowCount(), static_cast<int>(history->rows.size()));
    emit page.findChild<DataTable*>()->opened(0);
    emit page.findChild<DataTable*>()->secondAction(0);
    EXPECT_EQ(QApplication::activePopupWidget(), nullptr) << "a shipped session is not edited";
}

TEST_F(ShippedHistory, APartOfThePageIsShownOnRequest)
{
    open(":sample:");
    HistoryPage page(*context);
    for (QTimer* patience : page.findChild<StateStack*>()->findChildren<QTimer*>())
        patience->setInterval(600000); // on a busy machine the page would be covered while it is read
    page.resize(1000, 500);
    page.QWidget::show();
    page.refresh();
    ASSERT_TRUE(waitForJobs());
    QCoreApplication::processEvents();
    auto* bar = page.findChild<QScrollArea*>()->verticalScrollBar();
    EXPECT_EQ(bar->value(), 0);
    const auto countVisible = [&](const char* part) {
        bar->setValue(0);
        page.open(QString::fromLatin1(part));
        page.refresh();
        EXPECT_TRUE(waitForJobs());
        EXPECT_TRUE(QTest::qWaitFor([&] { return bar->value() > 0; }, 60000)) << part;
        return bar->value();
    };
    EXPECT_LT(countVisible("roadmap"), countVisible("regressions"));
}

TEST_F(ShippedHistory, NothingIsEnteredWhereNothingIsWritten)
{
    open(":sample:");
    const Result<History> history = loadHistory(context->store());
    ASSERT_TRUE(history);
    MoneyCard money(*context);
    money.show(*history, *MoneyCard::load(context->store()));
    EXPECT_FALSE(money.findChild<QPushButton*>("savePrices")->isEnabled());
    EXPECT_FALSE(money.findChild<QPushButton*>("addCost")->isEnabled());
    EXPECT_EQ(money.findChild<QPushButton*>("savePrices")->accessibleDescription(), context->writeReason());
    EXPECT_EQ(money.findChild<QPushButton*>("addCost")->accessibleDescription(), context->writeReason());
    for (const QPushButton* undo : money.findChildren<QPushButton*>("removeCost"))
        EXPECT_FALSE(undo->isEnabled());
    const Roadmap roadmap{"", {{1, "week"}}, {{"step", 1, "Step", {}, false, {}}}};
    RoadmapCard plan(*context);
    plan.show(roadmap, {StepState::planned});
    EXPECT_FALSE(plan.findChild<QPushButton*>("addStep")->isEnabled());
    const auto* title = plan.findChild<QLineEdit*>("step-step");
    EXPECT_TRUE(title->isReadOnly());
    EXPECT_FALSE(title->parentWidget()->findChild<QCheckBox*>()->isEnabled());
    EXPECT_FALSE(title->parentWidget()->findChild<QToolButton*>()->isEnabled());
    RegressionsCard regressions(*context);
    KernelRegression row;
    row.kernel = "a/b";
    row.levelNs = 100;
    row.afterNs = 120;
    regressions.show({row});
    for (const char* name : {"acknowledgeRegression", "fixedRegression", "newNormalRegression"})
        EXPECT_FALSE(regressions.findChild<QPushButton*>(QString::fromLatin1(name))->isEnabled()) << name;
    EXPECT_TRUE(visibleTexts(regressions).contains(context->writeReason()));
}

TEST_F(ShippedHistory, APriceNamesItsSource)
{
    open(":memory:");
    ASSERT_TRUE(setGpuPrice(*context->engine()->store, "NVIDIA H200", 1.5));
    History shown;
    shown.engineerRate = 42;
    shown.sessionCostTarget = 9;
    const Result<MoneyCard::Data> data = MoneyCard::load(context->store());
    ASSERT_TRUE(data);
    MoneyCard card(*context);
    card.show(shown, *data);
    auto* gpu = card.findChild<QComboBox*>("gpuName");
    QStringList sources;
    for (const GpuPrice& price : data->prices) {
        gpu->setCurrentText(q(price.gpu));
        EXPECT_EQ(card.findChild<QDoubleSpinBox*>("gpuPrice")->value(), price.dollarsPerHour) << price.gpu;
        EXPECT_FALSE(visibleTexts(card).filter(q(price.date)).filter(q(price.source)).isEmpty()) << price.gpu;
    }
    gpu->setCurrentText("no such card");
    EXPECT_TRUE(visibleTexts(card).filter(q(data->prices.front().source)).isEmpty());
    EXPECT_EQ(card.findChild<QDoubleSpinBox*>("engineerRate")->value(), 42);
    EXPECT_EQ(card.findChild<QDoubleSpinBox*>("costTarget")->value(), 9);
    const auto* kind = card.findChild<QComboBox*>("costKind");
    QStringList kinds;
    for (int i = 0; i < kind->count(); ++i)
        kinds << kind->itemData(i).toString();
    EXPECT_EQ(kinds, (QStringList{"assistant", "gpu", "other", "value"}));
}

TEST(RuleTables, HaveEstimatedBeforeMeasured)
{
    RulesCard card;
    card.show({{"uncoalesced", "a/b", "a/c", "N=1", 0.8, 0.5, "runs", "2026", false}});
    QStringList texts;
    for (const QLabel* label : card.findChildren<QLabel*>())
        texts << label->text();
    const qsizetype rule = texts.indexOf("uncoalesced");
    ASSERT_GE(rule, 0);
    EXPECT_EQ(texts.value(rule + 1), "1 of 1");
    EXPECT_EQ(texts.value(rule + 2), q(formatPercent(80)));
    EXPECT_EQ(texts.value(rule + 3), q(formatPercent(50)));
    const qsizetype head = texts.indexOf("Finding");
    EXPECT_EQ(texts.mid(head, 5), (QStringList{"Finding", q("Within 2×"), "Estimated", "Measured", "Correction"}));
    card.show({});
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    for (const QLabel* label : card.findChildren<QLabel*>())
        EXPECT_NE(label->text(), "uncoalesced") << "of before";
}

TEST(MistakeTables, MarkWhatWasMadeAndWhatItCost)
{
    History history;
    history.mistakes = {{"blind", "Optimized blindly", "", "rule 1"}, {"large", "Began large", "", "rule 2"}};
    history.rows.resize(1);
    history.rows[0].name = "A";
    history.rows[0].mistakes = {{"blind", 3, 1, 0, "how"}};
    history.own.wrongMinutes = 25;
    MistakesCard card;
    card.show(history);
    EXPECT_EQ(card.findChild<QLabel*>("made-blind")->property("token"), tokenName(Token::worse));
    EXPECT_EQ(card.findChild<QLabel*>("made-large")->property("token"), tokenName(Token::muted));
    QStringList texts, tips;
    for (const QLabel* label : card.findChildren<QLabel*>()) {
        texts << label->text();
        tips << label->toolTip();
    }
    EXPECT_EQ(texts.filter(q(formatMinutes(25))).size(), 1) << "dead ends";
    EXPECT_TRUE(texts.contains("1")) << "caught";
    EXPECT_TRUE(tips.contains("A: how"));
    const QStringList own = texts;
    history.sampleOrigin = "notes";
    card.show(history);
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    texts.clear();
    for (const QLabel* label : card.findChildren<QLabel*>())
        texts << label->text();
    ASSERT_EQ(texts.size(), own.size());
    QStringList others;
    for (qsizetype i = 0; i < texts.size(); ++i)
        if (texts[i] != own[i])
            others << texts[i];
    EXPECT_EQ(others.size(), 1) << "the heading: then they are those of session N: " << others.join('|').toStdString();
}

TEST(HistorySeries, OfAScriptStandApartFromOnesOwn)
{
    History history;
    for (const char* name : {"A", "B", "C"}) {
        HistoryRow& row = history.rows.emplace_back();
        row.name = name;
        row.kind = "optimize";
        row.status = SessionStatus::complete;
        row.speedup = {{1.5, FigureKind::measured, ""}};
        row.minutes = {{100, FigureKind::measured, ""}};
    }
    history.rows[1].kind = nameScriptedKind("optimize");
    history.rows[2].replayed = true;
    const auto series = speedupChart(history, false).spec.series;
    ASSERT_EQ(series.size(), 3U);
    EXPECT_EQ(series[0].points[0].x, 0);
    EXPECT_EQ(series[0].token, Token::series2) << "one's own";
    EXPECT_EQ(series[1].points[0].x, 1);
    EXPECT_TRUE(series[1].line);
    EXPECT_EQ(series[2].points[0].x, 2);
    EXPECT_FALSE(series[2].line) << "recorded data is not a trend";
    EXPECT_TRUE(series[0].points[0].tip.startsWith("A: "));
    history.rows.clear();
    EXPECT_EQ(speedupChart(history, false).spec.series.size(), 1U) << "an empty one that says why";
    EXPECT_FALSE(minutesChart(history).spec.references.empty()) << "an expert's time, for people to come";
}

TEST(HistorySeries, CostsNameTheBillsOfTheirSession)
{
    History history;
    history.sessionCostTarget = 5;
    HistoryRow& row = history.rows.emplace_back();
    row.name = "A";
    row.money.gpu = {{2, FigureKind::entered, "bill"}};
    row.money.assistant = {{1, FigureKind::entered, "help"}};
    const QStringList tip = costChart(history).spec.series[0].points[0].tip.split('\n');
    ASSERT_EQ(tip.size(), 3);
    EXPECT_EQ(tip[0], "A");
    EXPECT_TRUE(tip[1].contains(q(formatMoney(2))) && tip[1].contains("bill"));
    EXPECT_TRUE(tip[2].contains(q(formatMoney(1))) && tip[2].contains("help"));
    EXPECT_EQ(costChart(history).spec.references[0].y, 5);
}

} // namespace
} // namespace kl::ui
