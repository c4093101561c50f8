// SPDX-License-Identifier: MIT
// Runs as several pages show them, by itself: their table, their rows, their menu, their picker, and the charts of their findings.
#include "core/base/format.h"
#include "core/device/metric_catalog.h"
#include "sessions/learning/history.h"
#include "tests/ui/support/counted_run.h"
#include "tests/ui/support/seen_texts.h"
#include "ui/charts/linked_hover.h"
#include "ui/context/app_context.h"
#include "ui/context/baselines.h"
#include "ui/models/kernel_tree_model.h"
#include "ui/pages/shared/dashboard_card.h"
#include "ui/pages/shared/finding_charts.h"
#include "ui/pages/shared/kernel_rows.h"
#include "ui/pages/shared/kernel_table.h"
#include "ui/pages/shared/label_dialogs.h"
#include "ui/pages/shared/roofline_spec.h"
#include "ui/pages/shared/run_actions.h"
#include "ui/pages/shared/run_picker.h"
#include "ui/widgets/text.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QTreeView>

namespace kl::ui {
namespace {

TEST(LabelDialogs, TakeTheWordsOnlyWhenTheyAreAccepted)
{
    QWidget parent;
    parent.show();
    QStringList taken;
    askText(&parent, "Rename", "Name", "before", [&](const QString& text) { taken << text; });
    auto* dialog = parent.findChild<QInputDialog*>();
    ASSERT_NE(dialog, nullptr);
    EXPECT_EQ(dialog->textValue(), "before");
    EXPECT_EQ(dialog->labelText(), "Name");
    dialog->setTextValue("after");
    dialog->reject();
    settleWidgets();
    EXPECT_TRUE(taken.isEmpty());
    askText(&parent, "Rename", "Name", "before", [&](const QString& text) { taken << text; });
    dialog = parent.findChild<QInputDialog*>();
    dialog->setTextValue("after");
    dialog->accept();
    EXPECT_EQ(taken, QStringList{"after"});
}

TEST(LabelDialogs, DeleteOnlyWhatIsConfirmedAndNotBlocked)
{
    QWidget parent;
    parent.show();
    int removed = 0;
    const auto ask = [&](const char* blocked) {
        settleWidgets();
        confirmDeletion(&parent, {"Delete Runs", "Delete it?", "3 notes", QString::fromLatin1(blocked)}, [&] { ++removed; });
        return parent.findChild<QMessageBox*>("confirmDeletion");
    };
    QMessageBox* box = ask("");
    EXPECT_EQ(box->text(), "Delete it?");
    EXPECT_TRUE(box->informativeText().contains("3 notes"));
    box->reject();
    EXPECT_EQ(removed, 0);
    box = ask("it is evidence");
    EXPECT_EQ(box->informativeText(), "it is evidence");
    EXPECT_EQ(box->findChild<QPushButton*>("confirmDelete"), nullptr);
    box->reject();
    box = ask("");
    box->findChild<QPushButton*>("confirmDelete")->click();
    EXPECT_EQ(removed, 1);
}

KernelRow kernelInList(const char* id, const char* name, double ns)
{
    KernelRow row;
    row.id.text = id;
    row.name = row.shortName = QString::fromLatin1(name);
    row.ns = row.totalNs = ns;
    row.savedNs = ns / 2;
    row.origin = "file";
    return row;
}

class ListOfKernels : public testing::Test {
protected:
    ListOfKernels() : table("list-test")
    {
        table.setRows({kernelInList("a", "alpha", 3000), kernelInList("b", "beta", 2000), kernelInList("c", "gamma", 1000)});
        table.resize(1200, 300);
        table.show();
        QCoreApplication::processEvents();
    }
    ~ListOfKernels() override { LinkedHover::instance().set({}); }
    QPoint at(int row) const { return table.view()->visualRect(table.view()->model()->index(row, 0)).center(); }
    QStringList ids() const
    {
        QStringList list;
        for (const RunId& id : table.selected())
            list << q(id.text);
        return list;
    }

    KernelTable table;
};

TEST_F(ListOfKernels, AreOpenedByReturnAndDoubleClickAndChosenByArrows)
{
    const QSignalSpy chosen(&table, &KernelTable::chosen), opened(&table, &KernelTable::opened);
    QTest::keyClick(table.filterField(), Qt::Key_Return);
    EXPECT_EQ(opened.count(), 0) << "none is chosen";
    QTest::keyClick(table.filterField(), Qt::Key_Down);
    ASSERT_EQ(chosen.count(), 1);
    EXPECT_EQ(chosen[0][0].toString(), "a");
    QTest::keyClick(table.filterField(), Qt::Key_Down);
    EXPECT_EQ(chosen.last()[0].toString(), "b") << "the field leaves the arrows to the list";
    QTest::keyClick(table.filterField(), Qt::Key_Return);
    ASSERT_EQ(opened.count(), 1);
    EXPECT_EQ(opened[0][0].toString(), "b");
    QTest::mouseClick(table.view()->viewport(), Qt::LeftButton, {}, at(2));
    EXPECT_EQ(chosen.last()[0].toString(), "c");
    QTest::mouseDClick(table.view()->viewport(), Qt::LeftButton, {}, at(2));
    EXPECT_EQ(opened.last()[0].toString(), "c");
    QTest::keyClicks(table.filterField(), "beta");
    EXPECT_EQ(opened.count(), 2) << "letters are typed";
    EXPECT_EQ(table.view()->model()->rowCount(), 1);
}

TEST_F(ListOfKernels, SeveralAreComparedInTheirOrderAndCounted)
{
    EXPECT_TRUE(wordsOn(table).contains("3 kernels") && wordsOn(table).contains(q(formatTime(6000))));
    auto* compare = buttonOn(table, "compareSelected");
    EXPECT_FALSE(compare->isEnabled());
    QTest::mouseClick(table.view()->viewport(), Qt::LeftButton, {}, at(2));
    EXPECT_FALSE(compare->isEnabled()) << "one is not compared";
    QTest::mouseClick(table.view()->viewport(), Qt::LeftButton, Qt::ControlModifier, at(0));
    EXPECT_TRUE(compare->isEnabled());
    EXPECT_TRUE(wordsOn(table).contains("2 selected"));
    const QSignalSpy compared(&table, &KernelTable::compareRequested);
    compare->click();
    ASSERT_EQ(compared.count(), 1);
    EXPECT_EQ(compared[0][0].toStringList(), (QStringList{"a", "c"})) << "as shown, not as clicked";
    EXPECT_EQ(table.tsv(true).split('\n').size(), 3);
    EXPECT_FALSE(table.tsv(true).contains("beta"));
    EXPECT_EQ(table.tsv(false).split('\n').size(), 4);
    table.filterField()->setText("gamma");
    EXPECT_TRUE(wordsOn(table).contains("1 of 3 kernels"));
    table.setRows({kernelInList("d", "delta", 1000)});
    EXPECT_TRUE(ids().isEmpty()) << "the chosen ones are gone";
    EXPECT_FALSE(compare->isEnabled());
}

TEST_F(ListOfKernels, TheMenuIsOfTheSelectedOnesAndThePointerLightsItsRow)
{
    std::vector<RunId> requested;
    table.setMenuFiller([&](QMenu& menu, const std::vector<RunId>& runs) {
        requested = runs;
        menu.addAction("mine");
    });
    table.setCurrent(RunId{"b"});
    QTimer::singleShot(0, [] {
        if (QWidget* menu = QApplication::activePopupWidget())
            menu->close();
    });
    emit table.view()->customContextMenuRequested(at(1));
    ASSERT_EQ(requested.size(), 1U);
    EXPECT_EQ(requested[0].text, "b");
    emit table.view()->entered(table.view()->model()->index(0, 0));
    EXPECT_EQ(LinkedHover::instance().id(), "a");
    QEvent leave(QEvent::Leave);
    QCoreApplication::sendEvent(table.view()->viewport(), &leave);
    EXPECT_TRUE(LinkedHover::instance().id().isEmpty());
    table.setCurrent(RunId{"none"});
    EXPECT_TRUE(ids().isEmpty()) << "nothing stays chosen that is not meant";
}

TEST(StallCharts, NameTheSixLargestAndSumUpTheRest)
{
    RunRecord run = countedRun("now", 1000);
    const char* reasons[] = {"long_scoreboard",  "wait",          "barrier", "math_pipe_throttle", "lg_throttle", "short_scoreboard",
                             "branch_resolving", "no_instruction"};
    for (int i = 0; i < 8; ++i)
        run.metrics->values["smsp__average_warps_issue_stalled_" + std::string(reasons[i]) + "_per_issue_active.ratio"] = 0.8 - 0.1 * i;
    run.metrics->values["smsp__average_warp_latency_per_inst_issued.ratio"] = 10.0;
    const StallBars bars = stallBars({&run}, {"mine"});
    ASSERT_EQ(bars.parts.size(), 8) << "six, the rest, not stalled";
    EXPECT_EQ(bars.parts[0], q(kl::stallTitle("long_scoreboard")));
    EXPECT_EQ(bars.parts[5], q(kl::stallTitle("short_scoreboard")));
    for (const char* reason : reasons)
        EXPECT_NE(bars.parts[6], q(kl::stallTitle(reason))) << "the rest has a name of its own";
    EXPECT_FALSE(bars.parts[6].isEmpty());
    EXPECT_NE(bars.parts[6], bars.parts[7]) << "nor is it what is not stalled";
    ASSERT_EQ(bars.rows.size(), 1U);
    EXPECT_EQ(bars.rows[0].name, "mine");
    EXPECT_NEAR(bars.rows[0].parts[0], 8, 1e-6);
    EXPECT_NEAR(bars.rows[0].parts[6], 2 + 1, 1e-6) << "the seventh and the eighth";
    EXPECT_NEAR(bars.rows[0].parts[7], 100 - 36, 1e-6);
    EXPECT_EQ(stallMeanings(run).count("<br>"), 2) << "the three largest";
    EXPECT_TRUE(stallChange(bars).isEmpty()) << "there is one run";
    run.metrics->values["smsp__average_warp_latency_per_inst_issued.ratio"] = 14.0;
    EXPECT_EQ(stallMeanings(run).count("<br>"), 1) << "of those above 5 %";
}

TEST(EvidenceRows, AreTheNineMostRelevant)
{
    Finding finding;
    for (int i = 0; i < 12; ++i)
        finding.path.push_back({i == 11 ? "last" : "before", "metric " + std::to_string(i), 1.0 * i, 5.0, ">=", i == 11});
    const std::vector<EvidenceRow> rows = evidenceRows(finding);
    ASSERT_EQ(rows.size(), 9U);
    EXPECT_EQ(rows[0].name, "metric 11");
    EXPECT_TRUE(rows[0].holds);
    EXPECT_EQ(rows[1].name, "metric 10") << "the newest question before it";
    EXPECT_EQ(rows[0].sense, q("≥"));
    EXPECT_EQ(rows[0].threshold, 5.0);
    EXPECT_TRUE(evidenceRows({}).empty());
}

TEST(Rooflines, RunsInOrderAreJoinedAndDifferInTheirMarks)
{
    RunRecord first = countedRun("first", 100000), second = countedRun("second", 50000);
    const XYSpec spec = rooflineSpec({&first, &second}, MemoryLevel::dram, true);
    const auto way = std::ranges::find_if(
        spec.series, [](const XYSeries& series) { return series.line && series.points.size() == 2 && series.points[0].id == "first"; });
    ASSERT_NE(way, spec.series.end());
    EXPECT_EQ(way->points[1].id, "second");
    EXPECT_EQ(way->points[1].y, 2 * way->points[0].y);
    std::vector<const XYSeries*> marks;
    for (const XYSeries& series : spec.series)
        if (!series.line && series.points.size() == 1)
            marks.push_back(&series);
    ASSERT_EQ(marks.size(), 2U);
    EXPECT_EQ(marks[0]->points[0].id, "first");
    EXPECT_NE(std::pair(marks[0]->token, marks[0]->marker), std::pair(marks[1]->token, marks[1]->marker));
    const XYSpec alone = rooflineSpec({&first, &second}, MemoryLevel::dram, false);
    EXPECT_TRUE(std::ranges::none_of(alone.series, [](const XYSeries& series) { return series.line && series.points[0].id == "first"; }));
    EXPECT_TRUE(spec.x.min && spec.x.max && *spec.x.min < 250 && *spec.x.max > 250);
    const QString title = rooflineTitle(first, MemoryLevel::dram);
    RunRecord twice = first;
    twice.flops *= 2;
    EXPECT_NE(rooflineTitle(twice, MemoryLevel::dram), title);
}

TEST(Dashboards, HaveQuotedFiguresOnlyBesideTheSample)
{
    History history;
    history.dashboard = {{"a", "First", "quoted", "where", "own"}};
    history.planned.resize(2);
    history.planned[0].name = "P1";
    history.planned[0].objective = "faster";
    history.planned[0].minutesLow = history.planned[0].minutesHigh = 30;
    history.planned[0].speedup = 2;
    history.planned[0].patterns = "3, 4";
    history.planned[1].name = "P2";
    history.planned[1].minutesLow = 60;
    history.planned[1].minutesHigh = 90;
    DashboardCard dashboard;
    dashboard.show(history);
    settleWidgets();
    EXPECT_EQ(dashboard.findChild<QLabel*>("quoted-a"), nullptr);
    EXPECT_EQ(dashboard.findChild<QLabel*>("own-a")->text(), "own");
    history.sampleOrigin = "notes";
    history.dashboard.push_back({"b", "Second", "", "", "mine"});
    dashboard.show(history);
    settleWidgets();
    EXPECT_EQ(dashboard.findChild<QLabel*>("quoted-a")->toolTip(), "where");
    EXPECT_EQ(dashboard.findChild<QLabel*>("quoted-b")->text(), q(kNoValue));
    PlannedCard planned;
    planned.show(history);
    settleWidgets();
    const QString one = planned.findChild<QLabel*>("planned-P1")->text(), two = planned.findChild<QLabel*>("planned-P2")->text();
    EXPECT_TRUE(one.startsWith(q(formatMinutes(30)) + q(" ·"))) << one.toStdString();
    EXPECT_TRUE(one.contains(q("2.00×")) && one.contains("3, 4"));
    EXPECT_TRUE(two.contains(q(formatMinutes(60))) && two.contains(q(formatMinutes(90)))) << two.toStdString();
    EXPECT_TRUE(seenOn(planned).contains("faster"));
    history.planned.clear();
    planned.show(history);
    EXPECT_TRUE(planned.isHidden());
    history.dashboard.pop_back();
    dashboard.show(history);
    settleWidgets();
    EXPECT_EQ(dashboard.findChild<QLabel*>("own-b"), nullptr);
}

/// Runs of a program and of the catalog in a database of their own.
class SharedRuns : public testing::Test {
protected:
    void SetUp() override
    {
        auto opened = AppContext::open(utf8(folder.filePath("own.db")), DeviceSpec::sample());
        ASSERT_TRUE(opened) << opened.error().message;
        context = std::move(*opened);
        RunRecord catalog = countedRun("shared-catalog", 1000);
        catalog.startedAt = "2026-01-03T00:00:00.000Z";
        ASSERT_TRUE(store().saveRun(catalog));
        for (const char* id : {"shared-one", "shared-two", "shared-other"}) {
            RunRecord run = countedRun(id, 3000);
            run.kernel = {"program", std::string("k-") + id, {}};
            run.startedAt = "2026-01-02T00:00:00.000Z";
            run.imported.emplace();
            run.imported->file = std::string(id) == "shared-other" ? "other.ncu-rep" : "step.ncu-rep";
            run.imported->fileHash = run.imported->file;
            run.imported->kernel = id;
            ASSERT_TRUE(store().saveRun(run));
        }
        ASSERT_TRUE(store().nameRun(RunId{"shared-one"}, "mine"));
        ASSERT_TRUE(store().setTag("run:shared-one", "slow", true));
    }
    void TearDown() override
    {
        waitForJobs();
        for (const RunId& id : Baselines::instance().of(context->location()))
            Baselines::instance().pin(context->location(), id, false);
    }
    Store& store() const { return *context->engine()->store; }
    static QStringList listIds(const Result<std::vector<KernelRow>>& rows)
    {
        QStringList ids;
        if (rows)
            for (const KernelRow& row : *rows)
                ids << q(row.id.text);
        ids.sort();
        return ids;
    }

    QTemporaryDir folder;
    std::unique_ptr<AppContext> context;
};

TEST_F(SharedRuns, RowsHaveTheUsersNamesAndAreOfOneReport)
{
    KernelRows& rows = KernelRows::instance();
    RunQuery all;
    all.limit = 100;
    const Result<std::vector<KernelRow>> read = rows.read(store(), {}, all);
    ASSERT_TRUE(read);
    ASSERT_EQ(read->size(), 4U);
    const auto one = std::ranges::find(*read, "shared-one", [](const KernelRow& row) { return row.id.text; });
    EXPECT_TRUE(one->shortName.startsWith("mine") && one->shortName.endsWith("#slow")) << one->shortName.toStdString();
    EXPECT_NEAR(*one->share, 0.5, 1e-9) << "of its report";
    ASSERT_TRUE(store().nameRun(RunId{"shared-one"}, "renamed"));
    const Result<std::vector<KernelRow>> again = rows.glance(store(), {}, all);
    EXPECT_TRUE(std::ranges::any_of(*again, [](const KernelRow& row) { return row.shortName.startsWith("renamed"); })) << "the new name";
    const RunRecord run = *store().run(RunId{"shared-one"});
    EXPECT_EQ(listIds(rows.readOrigin(store(), {}, run)), (QStringList{"shared-one", "shared-two"}));
    EXPECT_EQ(listIds(rows.readOrigin(store(), {}, *store().run(RunId{"shared-catalog"}))), (QStringList{"shared-catalog"}));
    const RunRecord opened = countedRun("shared-opened", 1);
    EXPECT_EQ(listIds(rows.read(store(), {opened}, all)).size(), 5);
    all.words = {"renamed"};
    EXPECT_EQ(listIds(rows.read(store(), {opened}, all)), (QStringList{"shared-one"})) << "what is looked for in the database";
}

TEST_F(SharedRuns, ActionsAreThoseThatAreKnownForTheirNumber)
{
    QWidget parent;
    int done = 0;
    const auto makeMenu = [&](const std::vector<RunId>& runs) {
        auto menu = std::make_unique<QMenu>();
        addRunActions(*menu, *context, runs, &parent, [&] { ++done; });
        return menu;
    };
    EXPECT_TRUE(makeMenu({})->actions().isEmpty());
    auto two = makeMenu({{"shared-one"}, {"shared-two"}});
    EXPECT_FALSE(two->findChild<QAction*>("renameRun")->isEnabled()) << "a name is of one run";
    EXPECT_TRUE(two->findChild<QAction*>("tagRuns")->isEnabled());
    EXPECT_TRUE(two->findChild<QAction*>("deleteRuns")->isEnabled());
    two->findChild<QAction*>("pinRun")->trigger();
    for (const char* id : {"shared-one", "shared-two"})
        EXPECT_TRUE(Baselines::instance().isPinned(context->location(), RunId{id})) << id;
    auto pinned = makeMenu({{"shared-one"}});
    EXPECT_NE(pinned->findChild<QAction*>("pinRun")->text(), two->findChild<QAction*>("pinRun")->text());
    pinned->findChild<QAction*>("pinRun")->trigger();
    EXPECT_FALSE(Baselines::instance().isPinned(context->location(), RunId{"shared-one"}));
    EXPECT_TRUE(Baselines::instance().isPinned(context->location(), RunId{"shared-two"}));
    EXPECT_EQ(done, 0) << "nothing in the database changed";
    ASSERT_TRUE(context->switchTo(":sample:"));
    auto sample = makeMenu({{"shared-one"}});
    for (const char* name : {"renameRun", "tagRuns", "deleteRuns"})
        EXPECT_FALSE(sample->findChild<QAction*>(name)->isEnabled()) << name;
    QMenu sessions;
    addSessionActions(sessions, *context, SessionId{"s"}, &parent, [] {});
    for (const QAction* action : sessions.actions())
        EXPECT_FALSE(action->isEnabled()) << action->objectName().toStdString();
    EXPECT_EQ(sessions.actions().size(), 3);
}

TEST_F(SharedRuns, APickerOffersWhatItMayAndTellsWhatWasPicked)
{
    RunRecord timed = countedRun("shared-timed", 10);
    timed.diagnosis.reset();
    ASSERT_TRUE(store().saveRun(timed));
    QWidget parent;
    RunPicker picker(*context, true, &parent);
    parent.show();
    picker.setRun(RunId{"shared-two"}, "the second");
    EXPECT_EQ(picker.text(), "the second");
    EXPECT_EQ(picker.toolTip(), "the second");
    picker.click();
    ASSERT_TRUE(waitForJobs());
    EXPECT_EQ(picker.table()->rows().size(), 4U) << "profiles only";
    ASSERT_EQ(picker.table()->selected().size(), 1U);
    EXPECT_EQ(picker.table()->selected()[0].text, "shared-two") << "what is shown is marked";
    EXPECT_TRUE(picker.table()->isVisible());
    const QSignalSpy picked(&picker, &RunPicker::picked);
    emit picker.table()->opened("shared-one");
    ASSERT_EQ(picked.count(), 1);
    EXPECT_EQ(picked[0][0].toString(), "shared-one");
    EXPECT_FALSE(picker.table()->isVisible());
    picker.table()->filterField()->setText("mine");
    picker.open();
    EXPECT_TRUE(picker.table()->filterField()->text().isEmpty()) << "of the time before";
    ASSERT_TRUE(waitForJobs());
    RunPicker every(*context, false, &parent);
    every.open();
    ASSERT_TRUE(waitForJobs());
    EXPECT_EQ(every.table()->rows().size(), 5U);
    every.table()->window()->hide();
    picker.table()->window()->hide();
}

TEST_F(SharedRuns, OpenedRunsComeFirstAndEveryTagIsShown)
{
    KernelRows& rows = KernelRows::instance();
    ASSERT_TRUE(store().setTag("run:shared-one", "again", true));
    RunQuery all;
    all.limit = 100;
    RunRecord opened = countedRun("shared-in-window", 1000);
    opened.kernel = {"program", "k-opened", {}};
    opened.imported.emplace();
    opened.imported->file = opened.imported->fileHash = "step.ncu-rep";
    opened.imported->kernel = "opened_kernel";
    const Result<std::vector<KernelRow>> read = rows.read(store(), {opened}, all);
    ASSERT_TRUE(read);
    ASSERT_EQ(read->size(), 5U);
    EXPECT_EQ(read->front().id.text, "shared-in-window");
    EXPECT_EQ((*read)[1].id.text, "shared-catalog") << "then the newest of the database";
    EXPECT_NEAR(*read->front().share, 1.0 / 7, 1e-9) << "of its report, with those that are stored";
    const auto one = std::ranges::find(*read, "shared-one", [](const KernelRow& row) { return row.id.text; });
    ASSERT_NE(one, read->end());
    for (const QString& name : {one->name, one->shortName}) {
        EXPECT_TRUE(name.startsWith(q("mine · "))) << name.toStdString();
        EXPECT_TRUE(name.contains(" #slow") && name.contains(" #again")) << name.toStdString();
        EXPECT_EQ(name.count('#'), 2);
    }
    const auto two = std::ranges::find(*read, "shared-two", [](const KernelRow& row) { return row.id.text; });
    EXPECT_FALSE(two->name.contains('#') || two->name.contains(q("·"))) << two->name.toStdString();
    EXPECT_EQ(listIds(rows.readOrigin(store(), {opened}, opened)), (QStringList{"shared-in-window", "shared-one", "shared-two"}));
    EXPECT_EQ(listIds(rows.readOrigin(store(), {opened}, *store().run(RunId{"shared-other"}))), (QStringList{"shared-other"}));
    all.limit = 1;
    EXPECT_EQ(listIds(rows.glance(store(), {}, all)), (QStringList{"shared-catalog"}));
}

} // namespace
} // namespace kl::ui
