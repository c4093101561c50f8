// SPDX-License-Identifier: MIT
// What widgets, dialogs and lists of the window do in rarer cases: other lines, other users' words, what is not there.
#include "core/base/format.h"
#include "sessions/learning/history.h"
#include "sessions/learning/money.h"
#include "tests/support/store_support.h"
#include "tests/ui/support/seen_texts.h"
#include "ui/context/app_context.h"
#include "ui/pages/history/money_card.h"
#include "ui/pages/kernels_page.h"
#include "ui/pages/shared/label_dialogs.h"
#include "ui/style/theme.h"
#include "ui/widgets/code_view.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/option_card.h"
#include "ui/widgets/text.h"
#include "ui/window/finder_entries.h"
#include "ui/window/preferences/prices_dialog.h"
#include "ui/window/preferences/value_table.h"

#include <gtest/gtest.h>

#include <QComboBox>
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QTextBlock>

#include <set>

namespace kl::ui {
namespace {

TEST(CodeViewsAgain, OtherCodeHasNothingOfTheCodeBefore)
{
    CodeView view;
    view.setCode("one\ntwo\nthree\n");
    const QSignalSpy chosen(&view, &CodeView::lineChosen);
    const int narrow = view.marginWidth();
    view.setHeat({{2, {0.5, "hot"}}, {9, {0.5, "gone"}}});
    EXPECT_EQ(view.extraSelections().size(), 1) << "there is no ninth line";
    EXPECT_GT(view.marginWidth(), narrow);
    view.setMarked(3);
    ASSERT_EQ(view.extraSelections().size(), 2);
    EXPECT_EQ(view.extraSelections()[1].cursor.blockNumber(), 2);
    view.setMarked(1);
    ASSERT_EQ(view.extraSelections().size(), 2) << "one line is marked";
    EXPECT_EQ(view.extraSelections()[1].cursor.blockNumber(), 0);
    view.setHeat({});
    EXPECT_EQ(view.extraSelections().size(), 1) << "the mark stays";
    view.setMarked(0);
    EXPECT_TRUE(view.extraSelections().isEmpty());
    view.setMarked(2);
    view.setHeat({{1, {0.5, "hot"}}});
    view.showLine(3);
    EXPECT_EQ(view.textCursor().blockNumber(), 2);
    view.setCode("other\ncode\n");
    EXPECT_TRUE(view.extraSelections().isEmpty());
    EXPECT_EQ(view.marginWidth(), narrow);
    view.showLine(0);
    EXPECT_EQ(view.textCursor().blockNumber(), 0);
    view.showLine(2);
    EXPECT_EQ(view.textCursor().blockNumber(), 1);
    EXPECT_EQ(chosen.count(), 0) << "nobody chose a line";
}

TEST(OptionDiffs, CodeKeepsItsBlanksAndItsSigns)
{
    OptionCard card("Fix");
    card.setDiff("- a < b && c\n\u2212 d\n  e\n+ f > \"g\"");
    const QLabel* diff = nullptr;
    for (const QLabel* label : card.findChildren<QLabel*>())
        if (label->textFormat() == Qt::RichText)
            diff = label;
    ASSERT_TRUE(diff);
    const QStringList lines = diff->text().split("<br>");
    ASSERT_EQ(lines.size(), 4);
    EXPECT_TRUE(lines[0].contains("-&nbsp;a&nbsp;&lt;&nbsp;b&nbsp;&amp;&amp;&nbsp;c")) << lines[0].toStdString();
    EXPECT_TRUE(lines[0].contains(color(Token::worse).name()));
    EXPECT_TRUE(lines[1].contains(color(Token::worse).name())) << "both signs for less";
    EXPECT_EQ(lines[2], "&nbsp;&nbsp;e") << "without a color";
    EXPECT_TRUE(lines[3].contains(color(Token::better).name()));
    EXPECT_TRUE(lines[3].contains("&gt;"));
}

TEST(MessageBarsAgain, AreAsWideAsTheyMayBeAndMoveWithTheWindow)
{
    QWidget parent;
    parent.resize(1200, 600);
    MessageBar bar(&parent);
    parent.show();
    bar.setBottom(0);
    EXPECT_TRUE(bar.isHidden()) << "there is nothing to say";
    bar.post({MessageLevel::error, "what", {}, {}});
    EXPECT_EQ(bar.width(), 760);
    const int gap = parent.width() - bar.geometry().right() - 1;
    EXPECT_GT(gap, 0);
    const int top = bar.y();
    bar.setBottom(40);
    EXPECT_EQ(bar.y(), top - 40) << "above the list of tasks";
    parent.resize(600, 500);
    EXPECT_EQ(bar.width(), 600 - 2 * gap);
    EXPECT_LT(bar.geometry().bottom(), 460);
    bar.post({MessageLevel::success, "done", {}, {}});
    bar.clearSettled();
    EXPECT_EQ(bar.count(), 1);
    EXPECT_FALSE(bar.isHidden());
    bar.dismissNewest();
    EXPECT_TRUE(bar.isHidden());
    bar.dismissNewest();
    EXPECT_EQ(bar.count(), 0);
}

TEST(DeletionBoxes, WhatIsBlockedCanOnlyBeCanceled)
{
    QWidget parent;
    parent.show();
    const auto ask = [&](const QString& blocked) {
        settleWidgets();
        confirmDeletion(&parent, {"Delete Run", "Delete it?", "2 notes", blocked}, [] {});
        return parent.findChild<QMessageBox*>("confirmDeletion");
    };
    QMessageBox* box = ask("it is evidence");
    EXPECT_EQ(box->buttons().size(), 1);
    EXPECT_EQ(box->icon(), QMessageBox::Warning);
    EXPECT_FALSE(box->informativeText().contains("2 notes")) << "nothing is lost";
    box->reject();
    box = ask({});
    ASSERT_EQ(box->buttons().size(), 2);
    EXPECT_EQ(box->buttonRole(box->findChild<QPushButton*>("confirmDelete")), QMessageBox::DestructiveRole);
    EXPECT_TRUE(box->button(QMessageBox::Cancel));
    box->reject();
}

/// What needs a database of its own.
class WidgetsAgain : public testing::Test {
protected:
    void SetUp() override
    {
        auto opened = AppContext::open((folder / "own.db").string(), DeviceSpec::sample());
        ASSERT_TRUE(opened) << opened.error().message;
        context = std::move(*opened);
        QObject::connect(context.get(), &AppContext::messagePosted, [this](const Message& message) { posted.push_back(message); });
    }
    void TearDown() override { waitForJobs(); }
    Store& store() const { return *context->engine()->store; }

    support::TempDir folder;
    std::unique_ptr<AppContext> context;
    std::vector<Message> posted;
};

TEST_F(WidgetsAgain, EntriesOfTheFinderSayWhatTheyAre)
{
    RunRecord run = support::profiledRun("profile", "naive", "2026-03-01T09:00:00.000Z", 400);
    run.source = Source::sample;
    ASSERT_TRUE(store().saveRun(run));
    NewSession request;
    request.name = "A";
    request.objective = "Coalesce";
    request.kernel = "transpose";
    ASSERT_TRUE(context->engine()->sessions.create(request));
    const auto entries = finderEntries(*context->engine());
    ASSERT_TRUE(entries);
    std::set<std::pair<QString, QString>> kinds;
    for (const FinderEntry& entry : *entries)
        kinds.insert({entry.page + (entry.argument.startsWith("metric:") ? "/metric" : ""), entry.kind});
    EXPECT_EQ(kinds, (std::set<std::pair<QString, QString>>{{"session", "session"},
                                                            {"kernels", "kernel"},
                                                            {"patterns", "pattern"},
                                                            {"diagnose", "profile"},
                                                            {"diagnose/metric", "metric"}}));
    const auto profile = std::ranges::find(*entries, q("profile"), &FinderEntry::argument);
    ASSERT_NE(profile, entries->end());
    const std::vector<RunSummary> stored = *store().runs({});
    ASSERT_EQ(stored.size(), 1U);
    EXPECT_EQ(profile->words.split(q(" · ")), (QStringList{q(stored[0].kernel), q(stored[0].problem), q(stored[0].classId),
                                                           formatMeasuredTime(Source::sample, "2026-03-01T09:00:00.000Z")}));
    EXPECT_EQ(std::ranges::count(*entries, q("metric"), &FinderEntry::kind) +
                  std::ranges::count(*entries, q("kernel"), &FinderEntry::kind) +
                  std::ranges::count(*entries, q("pattern"), &FinderEntry::kind) + 2,
              static_cast<std::ptrdiff_t>(entries->size()));
}

TEST_F(WidgetsAgain, ASizeThatCannotBeReadMeasuresNothing)
{
    KernelsPage page(*context);
    page.QWidget::show();
    page.open("transpose/naive");
    page.refresh();
    ASSERT_TRUE(waitForJobs());
    QComboBox* sizes = nullptr;
    for (auto* box : page.findChildren<QComboBox*>())
        if (box->accessibleName() == "Problem size")
            sizes = box;
    ASSERT_NE(sizes, nullptr);
    const QString good = sizes->currentText();
    sizes->setEditable(true);
    for (const char* name : {"run", "profile", "timeline"}) {
        sizes->setEditText("M=");
        posted.clear();
        buttonOn(page, QString::fromLatin1(name))->click();
        EXPECT_EQ(posted.size(), 1U) << name;
        EXPECT_TRUE(buttonOn(page, QString::fromLatin1(name))->isEnabled()) << name << ": nothing runs";
        ASSERT_TRUE(waitForJobs());
    }
    EXPECT_TRUE(store().runs({})->empty());
    sizes->setEditText("M=7,N=7");
    posted.clear();
    buttonOn(page, "run")->click();
    ASSERT_TRUE(waitForJobs());
    ASSERT_EQ(posted.size(), 1U);
    EXPECT_EQ(posted[0].level, MessageLevel::error) << "the recording has no such size";
    EXPECT_TRUE(posted[0].what.contains("transpose/naive"));
    EXPECT_TRUE(posted[0].buttons.empty());
    sizes->setEditText(good);
    posted.clear();
    buttonOn(page, "profile")->click();
    ASSERT_TRUE(waitForJobs());
    ASSERT_FALSE(posted.empty());
    EXPECT_EQ(posted.back().level, MessageLevel::success);
    ASSERT_EQ(posted.back().buttons.size(), 1U);
    const QSignalSpy navigated(context.get(), &AppContext::navigationRequested);
    posted.back().buttons[0].action();
    ASSERT_EQ(navigated.count(), 1);
    EXPECT_EQ(navigated[0][0].toString(), "diagnose");
    EXPECT_EQ(navigated[0][1].toString(), q(store().runs({})->front().id.text));
}

TEST_F(WidgetsAgain, CostsNameTheirSessionOrItsId)
{
    History history;
    HistoryRow& row = history.rows.emplace_back();
    row.id = "id-A";
    row.name = "A";
    row.kernel = "transpose";
    MoneyCard card(*context);
    MoneyCard::Data entered;
    entered.entries = {{"1", "id-A", "", "gpu", 2.5, ""}, {"2", "id-gone", "", "value", 7, "a bill"}};
    card.show(history, entered);
    settleWidgets();
    const QStringList texts = seenOn(card);
    EXPECT_TRUE(texts.contains(q("A · gpu $2.50"))) << texts.join('|').toStdString();
    EXPECT_TRUE(texts.contains(q("id-gone · value $7.00 · a bill"))) << texts.join('|').toStdString();
    EXPECT_EQ(card.findChild<QComboBox*>("costSession")->itemText(0), q("A · transpose"));
    history.own.valueQuoted = 30;
    history.own.costHigh = 10;
    card.show(history, {});
    settleWidgets();
    EXPECT_FALSE(seenOn(card).filter(q("$30.00")).isEmpty());
    EXPECT_TRUE(card.findChildren<QPushButton*>("removeCost").isEmpty()) << "of before";
}

TEST_F(WidgetsAgain, PricesHaveTheirClassDateAndUsualFigure)
{
    ASSERT_TRUE(setGpuPrice(store(), "My GPU", 2.25));
    const PricesDialog dialog(*context, nullptr);
    const auto& table = *dialog.findChild<ValueTable*>("gpuPrices");
    const Result<std::vector<GpuPrice>> known = gpuPrices(store()), shipped = loadShippedPrices();
    ASSERT_TRUE(known && shipped);
    ASSERT_EQ(table.rowCount(), static_cast<int>(known->size()));
    for (int row = 0; row < table.rowCount(); ++row) {
        const auto price = std::ranges::find(*known, utf8(table.item(row, 0)->text()), &GpuPrice::gpu);
        ASSERT_NE(price, known->end());
        EXPECT_EQ(table.item(row, 1)->text(), q(price->priceClass + ", " + price->date));
        EXPECT_EQ(table.item(row, 2)->text().toDouble(), price->dollarsPerHour) << price->gpu;
        const auto usual = std::ranges::find(*shipped, price->gpu, &GpuPrice::gpu);
        EXPECT_EQ(table.item(row, 3)->text().toDouble(), usual == shipped->end() ? price->dollarsPerHour : usual->dollarsPerHour);
    }
}

} // namespace
} // namespace kl::ui
