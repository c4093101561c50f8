// SPDX-License-Identifier: MIT
// What is done with runs and files in several pages: what a dialog begins with and says is lost, what a table of kernels shows and keeps,
// what is noted under a source, and the descriptor that is written for a .cu file.
#include "core/base/format.h"
#include "core/base/ids.h"
#include "core/model/kernel_code.h"
#include "kernels/catalog.h"
#include "sessions/store/rows.h"
#include "tests/ui/support/counted_run.h"
#include "tests/ui/support/seen_texts.h"
#include "ui/context/app_context.h"
#include "ui/context/baselines.h"
#include "ui/models/kernel_tree_model.h"
#include "ui/pages/shared/code_table.h"
#include "ui/pages/shared/cu_dialog.h"
#include "ui/pages/shared/kernel_table.h"
#include "ui/pages/shared/run_actions.h"
#include "ui/pages/shared/run_picker.h"
#include "ui/pages/shared/source_view.h"
#include "ui/widgets/code_view.h"
#include "ui/widgets/heat_map.h"
#include "ui/widgets/text.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QFile>
#include <QHeaderView>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QTreeView>

namespace kl::ui {
namespace {

QStringList numbersIn(const QString& text)
{
    static const QRegularExpression number(QStringLiteral("[0-9]+"));
    QStringList found;
    for (auto match = number.globalMatch(text); match.hasNext();)
        found << match.next().captured();
    return found;
}

class ActionDialogs : public testing::Test {
protected:
    void SetUp() override
    {
        auto opened = AppContext::open(utf8(folder.filePath("own.db")), DeviceSpec::sample());
        ASSERT_TRUE(opened) << opened.error().message;
        context = std::move(*opened);
        for (const char* id : {"one", "two", "three"})
            ASSERT_TRUE(store().saveRun(countedRun(id, 1000)));
        parent.show();
    }
    void TearDown() override { waitForJobs(); }
    Store& store() const { return *context->engine()->store; }
    void trigger(const char* action, const std::vector<RunId>& runs)
    {
        QMenu menu;
        addRunActions(menu, *context, runs, &parent, [this] { ++changes; });
        menu.findChild<QAction*>(QString::fromLatin1(action))->trigger();
    }
    void triggerOnSession(const char* action, const SessionId& session)
    {
        QMenu menu;
        addSessionActions(menu, *context, session, &parent, [this] { ++changes; });
        menu.findChild<QAction*>(QString::fromLatin1(action))->trigger();
    }
    /// What the dialog that asks for words begins with; it is then answered, or canceled.
    QString answered(const std::optional<QString>& text)
    {
        auto* dialog = parent.findChild<QInputDialog*>();
        EXPECT_NE(dialog, nullptr);
        if (!dialog)
            return {};
        const QString begin = dialog->textValue();
        if (text)
            dialog->setTextValue(*text);
        text ? dialog->accept() : dialog->reject();
        settleWidgets();
        return begin;
    }
    /// Text and explanation of the dialog that confirms a deletion, which is closed.
    std::pair<QString, QString> confirmed(bool yes)
    {
        auto* box = parent.findChild<QMessageBox*>("confirmDeletion");
        EXPECT_NE(box, nullptr);
        if (!box)
            return {};
        const std::pair stated{box->text(), box->informativeText()};
        if (yes)
            box->findChild<QPushButton*>("confirmDelete")->click();
        else
            box->reject();
        settleWidgets();
        return stated;
    }

    QTemporaryDir folder;
    QWidget parent;
    std::unique_ptr<AppContext> context;
    int changes = 0;
};

TEST_F(ActionDialogs, BeginWithWhatIsThereAndTakeItTrimmed)
{
    ASSERT_TRUE(store().nameRun(RunId{"one"}, "before"));
    ASSERT_TRUE(store().setTag("run:one", "slow", true));
    ASSERT_TRUE(store().setTag("run:two", "slow", true));
    ASSERT_TRUE(store().setTag("run:two", "odd", true));
    trigger("renameRun", {{"one"}});
    EXPECT_EQ(answered(QStringLiteral("  after ")), "before");
    EXPECT_EQ(store().summary(RunId{"one"})->name, "after");
    trigger("renameRun", {{"one"}});
    answered({});
    EXPECT_EQ(store().summary(RunId{"one"})->name, "after");
    EXPECT_EQ(changes, 1) << "a canceled one changes nothing";
    trigger("renameRun", {{"one"}});
    answered(QString());
    EXPECT_EQ(store().summary(RunId{"one"})->name, "") << "an empty one takes it away";
    trigger("tagRuns", {{"one"}, {"two"}});
    EXPECT_EQ(answered(QStringLiteral(" slow   new ")), "slow odd") << "each once";
    EXPECT_EQ(*store().tags("run:one"), (std::vector<std::string>{"new", "slow"}));
    EXPECT_EQ(*store().tags("run:two"), (std::vector<std::string>{"new", "slow"}));
    EXPECT_TRUE(store().tags("run:three")->empty());
    EXPECT_EQ(changes, 3);
}

TEST_F(ActionDialogs, ATagOfOneRunIsNotGivenToTheOthers)
{
    ASSERT_TRUE(store().setTag("run:one", "slow", true));
    ASSERT_TRUE(store().setTag("run:two", "odd", true));
    trigger("tagRuns", {{"one"}, {"two"}});
    answered(QStringLiteral("slow odd new"));
    EXPECT_EQ(*store().tags("run:one"), (std::vector<std::string>{"new", "slow"}));
    EXPECT_EQ(*store().tags("run:two"), (std::vector<std::string>{"new", "odd"}));
}

TEST_F(ActionDialogs, ADeletionSaysHowMuchIsLostWithIt)
{
    for (const char* id : {"n1", "n2", "n3"})
        ASSERT_TRUE(store().saveNote({id, std::string(id) == "n3" ? "run:two" : "run:one", "2026-01-01T00:00:00.000Z", "text"}));
    Comparison comparison;
    comparison.id.text = newUuid();
    comparison.a = "run:one";
    comparison.b = "run:three";
    ASSERT_TRUE(store().saveComparison(comparison));
    trigger("deleteRuns", {{"one"}, {"two"}});
    const auto [both, lost] = confirmed(false);
    EXPECT_EQ(numbersIn(both), QStringList{"2"});
    EXPECT_EQ(numbersIn(lost), (QStringList{"1", "3"})) << "comparisons, then notes: " << lost.toStdString();
    EXPECT_TRUE(store().run(RunId{"one"}));
    EXPECT_EQ(changes, 0);
    trigger("deleteRuns", {{"two"}});
    const auto [one, less] = confirmed(true);
    EXPECT_TRUE(numbersIn(one).isEmpty()) << one.toStdString();
    EXPECT_EQ(numbersIn(less), (QStringList{"0", "1"}));
    EXPECT_FALSE(store().run(RunId{"two"}));
    EXPECT_TRUE(store().run(RunId{"one"}));
    EXPECT_EQ(changes, 1);
    const QSignalSpy posted(context.get(), &AppContext::messagePosted);
    trigger("deleteRuns", {{"two"}});
    EXPECT_EQ(posted.count(), 1) << "it is gone";
    EXPECT_EQ(changes, 2) << "which the table should show";
}

TEST_F(ActionDialogs, ASessionsActionsAreOfThatSession)
{
    for (const char* id : {"s", "t"}) {
        SessionHeader header{SessionId{id}, std::string("name ") + id,  "optimize", "", "transpose",
                             Source::live,  "2026-01-01T00:00:00.000Z", "{}"};
        ASSERT_TRUE(store().createSession(header, {1, header.createdAt, "opened", "{}"}));
    }
    ASSERT_TRUE(store().appendEvent(SessionId{"s"}, {2, "2026-01-01T00:01:00.000Z", "note", "{}"}));
    ASSERT_TRUE(store().saveNote({"n", "session:s", "2026-01-01T00:00:00.000Z", "text"}));
    for (const char* id : {"c1", "c2", "c3"})
        ASSERT_TRUE(store().saveCost({id, "s", "2026-01-01T00:00:00.000Z", "gpu", 1, ""}));
    ASSERT_TRUE(store().setTag("session:s", "paper", true));
    triggerOnSession("renameSession", {"s"});
    EXPECT_EQ(answered(QStringLiteral(" renamed ")), "name s");
    EXPECT_EQ(store().session(SessionId{"s"})->name, "renamed");
    EXPECT_EQ(store().session(SessionId{"t"})->name, "name t");
    triggerOnSession("tagSession", {"s"});
    EXPECT_EQ(answered(QStringLiteral("talk")), "paper");
    EXPECT_EQ(*store().tags("session:s"), (std::vector<std::string>{"talk"}));
    EXPECT_EQ(changes, 2);
    triggerOnSession("deleteSession", {"s"});
    const auto [what, lost] = confirmed(false);
    EXPECT_TRUE(what.contains("renamed"));
    EXPECT_EQ(numbersIn(lost), (QStringList{"2", "1", "3", "0"})) << "events, notes, costs, uses: " << lost.toStdString();
    EXPECT_TRUE(store().session(SessionId{"s"}));
    triggerOnSession("deleteSession", {"s"});
    confirmed(true);
    EXPECT_FALSE(store().session(SessionId{"s"}));
    EXPECT_TRUE(store().session(SessionId{"t"}));
    EXPECT_EQ(changes, 3);
    const QSignalSpy posted(context.get(), &AppContext::messagePosted);
    triggerOnSession("deleteSession", {"s"});
    EXPECT_EQ(posted.count(), 1) << "it is gone";
}

TEST_F(ActionDialogs, OfOneTheMenuOfAPickerPinsAndUnpinsIt)
{
    trigger("pinRun", {{"one"}});
    EXPECT_TRUE(Baselines::instance().isPinned(context->location(), RunId{"one"}));
    trigger("pinRun", {{"one"}, {"two"}});
    EXPECT_TRUE(Baselines::instance().isPinned(context->location(), RunId{"one"})) << "of several each is pinned";
    EXPECT_TRUE(Baselines::instance().isPinned(context->location(), RunId{"two"}));
    for (const char* id : {"one", "two"}) {
        trigger("pinRun", {{id}});
        EXPECT_FALSE(Baselines::instance().isPinned(context->location(), RunId{id})) << id;
    }
}

KernelRow listedKernel(const char* id, const char* name, const char* origin, const char* range = "")
{
    KernelRow row;
    row.id.text = id;
    row.name = row.shortName = QString::fromLatin1(name);
    row.range = QString::fromLatin1(range);
    row.origin = QString::fromLatin1(origin);
    row.ns = row.totalNs = 1000;
    row.device = "H200";
    row.startedAt = "2026-01-02T03:04:05.000Z";
    return row;
}

TEST(KernelLists, DateAndDeviceAreThereWhereTheyMayDiffer)
{
    KernelTable table("dates-test");
    table.resize(2000, 300);
    const auto hidden = [&](std::vector<KernelRow> rows) {
        table.setRows(std::move(rows));
        return std::pair(table.view()->isColumnHidden(KernelTreeModel::Device), table.view()->isColumnHidden(KernelTreeModel::Started));
    };
    EXPECT_EQ(hidden({listedKernel("a", "alpha", "file"), listedKernel("b", "beta", "file")}), std::pair(true, true)) << "of one report";
    EXPECT_EQ(hidden({listedKernel("a", "alpha", "file"), listedKernel("b", "beta", "other")}), std::pair(false, false));
    EXPECT_EQ(hidden({listedKernel("a", "alpha", ""), listedKernel("b", "beta", "")}), std::pair(false, false)) << "of the history";
    EXPECT_TRUE(wordsOn(table).contains("2 kernels"));
    EXPECT_FALSE(wordsOn(table).contains(q(formatTime(2000)))) << "a history has no total";
    hidden({listedKernel("a", "alpha", "file"), listedKernel("b", "beta", "file")});
    EXPECT_TRUE(wordsOn(table).contains(q(formatTime(2000))));
}

TEST(KernelLists, GroupsByRangeAreCountedByTheirKernelsAndKeepTheCurrentOne)
{
    KernelTable table("groups-test");
    table.resize(1200, 300);
    table.show();
    table.setRows({listedKernel("a", "alpha", "file", "forward"), listedKernel("b", "beta", "file", "forward"),
                   listedKernel("c", "gamma", "file", "backward")});
    table.setCurrent(RunId{"b"});
    const QSignalSpy chosen(&table, &KernelTable::chosen);
    auto* grouping = table.findChild<QComboBox*>("kernelGrouping");
    grouping->setCurrentIndex(2);
    QStringList groups;
    for (int i = 0; i < table.view()->model()->rowCount(); ++i)
        groups << table.view()->model()->index(i, 0).data().toString().section(' ', 0, 0);
    groups.sort();
    EXPECT_EQ(groups, (QStringList{"backward", "forward"}));
    EXPECT_TRUE(wordsOn(table).contains("3 kernels")) << wordsOn(table).toStdString();
    EXPECT_TRUE(table.view()->rootIsDecorated());
    ASSERT_EQ(table.selected().size(), 1U);
    EXPECT_EQ(table.selected()[0].text, "b");
    EXPECT_EQ(chosen.count(), 0) << "the user chose none";
    table.filterField()->setText("gamma");
    EXPECT_TRUE(wordsOn(table).contains("1 of 3 kernels")) << wordsOn(table).toStdString();
    EXPECT_EQ(table.tsv(false).split('\n').size(), 3) << "the header, the group and its kernel";
    table.filterField()->clear();
    grouping->setCurrentIndex(0);
    EXPECT_FALSE(table.view()->rootIsDecorated());
    EXPECT_EQ(table.view()->model()->rowCount(), 3);
    table.setRows({listedKernel("a", "alpha", "file")});
    EXPECT_TRUE(wordsOn(table).contains("1 kernel"));
}

/// The actions of the menu over the table, with whether they can be taken; the one of this text is triggered.
QList<std::pair<QString, bool>> menuOver(KernelTable& table, const QString& take = {})
{
    QList<std::pair<QString, bool>> actions;
    QTimer::singleShot(0, &table, [&] {
        auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
        ASSERT_NE(menu, nullptr);
        for (QAction* action : menu->actions()) {
            actions.emplace_back(action->text(), action->isEnabled());
            if (!take.isEmpty() && action->text() == take)
                action->trigger();
        }
        menu->close();
    });
    emit table.view()->customContextMenuRequested({5, 5});
    return actions;
}

TEST(KernelLists, TheMenuOpensComparesAndCopiesWhatIsSelected)
{
    KernelTable table("menu-test");
    table.resize(1200, 300);
    table.show();
    table.setRows({listedKernel("a", "alpha", "file"), listedKernel("b", "beta", "file"), listedKernel("c", "gamma", "file")});
    const QSignalSpy opened(&table, &KernelTable::opened), compared(&table, &KernelTable::compareRequested);
    auto none = menuOver(table);
    ASSERT_EQ(none.size(), 3);
    EXPECT_FALSE(none[0].second) << "none is chosen to open";
    EXPECT_FALSE(none[1].second);
    table.setCurrent(RunId{"b"});
    const auto one = menuOver(table, none[0].first);
    ASSERT_EQ(opened.count(), 1);
    EXPECT_EQ(opened[0][0].toString(), "b");
    EXPECT_FALSE(one[1].second) << "one is not compared";
    menuOver(table, none[2].first);
    EXPECT_EQ(QApplication::clipboard()->text().split('\n').size(), 2);
    EXPECT_TRUE(QApplication::clipboard()->text().contains("beta"));
    table.view()->selectAll();
    EXPECT_TRUE(menuOver(table, none[1].first)[1].second);
    ASSERT_EQ(compared.count(), 1);
    EXPECT_EQ(compared[0][0].toStringList().size(), 3);
    KernelTable picking("menu-picking-test");
    picking.setPicking();
    picking.resize(1200, 300);
    picking.show();
    picking.setRows(table.rows());
    EXPECT_EQ(menuOver(picking).size(), 2) << "one is picked, none compared";
    EXPECT_FALSE(picking.findChild<QPushButton*>("compareSelected")->isVisibleTo(&picking));
    picking.filterField()->setText("a");
    EXPECT_EQ(picking.selected().size(), 1U) << "Return takes the first that is found";
    table.view()->clearSelection();
    table.filterField()->setText("a");
    EXPECT_TRUE(table.selected().empty());
}

TEST(KernelLists, WidthsAreRememberedOnceTheUserMovedThem)
{
    const std::vector<KernelRow> rows{listedKernel("a", "alpha", "file"), listedKernel("b", "beta", "other")};
    int width = 0;
    {
        KernelTable table("remembered-test");
        table.resize(1400, 300);
        table.show();
        table.setRows(rows);
        width = table.view()->columnWidth(KernelTreeModel::Time) + 37;
        table.view()->header()->resizeSection(KernelTreeModel::Time, width);
        QMouseEvent release(QEvent::MouseButtonRelease, QPointF(5, 5), QPointF(5, 5), Qt::LeftButton, Qt::NoButton, Qt::NoModifier);
        QCoreApplication::sendEvent(table.view()->header()->viewport(), &release);
    }
    KernelTable again("remembered-test"), other("remembered-other-test");
    for (KernelTable* table : {&again, &other}) {
        table->resize(1400, 300);
        table->show();
        table->setRows(rows);
    }
    EXPECT_EQ(again.view()->columnWidth(KernelTreeModel::Time), width);
    EXPECT_NE(other.view()->columnWidth(KernelTreeModel::Time), width) << "another table has its own";
}

TEST(KernelLists, AReadTableStaysWhereItIsScrolledTo)
{
    KernelTable table("scrolled-test");
    table.resize(900, 200);
    table.show();
    std::vector<KernelRow> rows;
    for (int i = 0; i < 100; ++i)
        rows.push_back(listedKernel(("k" + std::to_string(i)).c_str(), ("kernel" + std::to_string(i)).c_str(), "file"));
    table.setRows(rows);
    QCoreApplication::processEvents();
    table.view()->verticalScrollBar()->setValue(30);
    const int scrolled = table.view()->verticalScrollBar()->value();
    ASSERT_GT(scrolled, 0);
    table.setRows(rows);
    EXPECT_EQ(table.view()->verticalScrollBar()->value(), scrolled);
    QTest::keyClick(table.filterField(), Qt::Key_PageDown);
    ASSERT_EQ(table.selected().size(), 1U) << "the keys of the field move in the table";
}

SharedCode notedCode(CodeLanguage language, bool files, const char* why)
{
    KernelCode code;
    code.language = language;
    if (files)
        code.files = {"a.cu"};
    for (int i = 0; i < 6; ++i) {
        CodeInstruction& one = code.instructions.emplace_back();
        one.offset = 16 * i;
        one.file = 0;
        one.line = files ? 1 + i / 3 : 0;
        one.text = "FFMA";
    }
    code.notDisassembled = why;
    return SharedCode(std::move(code));
}

TEST(SourceNotes, AreThoseOfTheRunThatIsShown)
{
    const Result<Catalog> catalog = Catalog::loadEmbedded();
    ASSERT_TRUE(catalog);
    SourceView view;
    const auto* note = view.findChild<QLabel*>("sourceNote");
    RunRecord run = countedRun("now", 1000);
    run.kernel = {"program", "k", {}};
    const auto notes = [&](SharedCode code) {
        run.sourceProfile->code = std::move(code);
        view.setRun(run, *catalog);
        return note->isHidden() ? QStringList() : note->text().split('\n');
    };
    run.sourceProfile.emplace();
    const QStringList local = notes(notedCode(CodeLanguage::sass, true, ""));
    ASSERT_EQ(local.size(), 1) << "its text is not there";
    EXPECT_EQ(view.code()->toPlainText().split('\n').size(), 2);
    EXPECT_EQ(numbersIn(view.code()->toPlainText()), (QStringList{"3", "3"})) << "instructions of each line";
    run.imported.emplace();
    EXPECT_NE(notes(notedCode(CodeLanguage::sass, true, "")), local) << "a report has its own reason";
    run.imported.reset();
    run.sourceProfile->texts = {{"a.cu", "int a;\nint b;\n"}};
    EXPECT_TRUE(notes(notedCode(CodeLanguage::sass, true, "")).isEmpty());
    const QStringList bare = notes(notedCode(CodeLanguage::sass, false, ""));
    EXPECT_EQ(bare.size(), 1) << "there is no line table";
    EXPECT_EQ(notes(notedCode(CodeLanguage::none, true, "no tool")).size(), 1);
    EXPECT_TRUE(note->text().endsWith("no tool"));
    run.sourceProfile->unavailable = "no permission";
    run.sourceProfile->countsUnavailable = "not patched";
    EXPECT_EQ(notes(notedCode(CodeLanguage::sass, true, "")), QStringList{"no permission"}) << "without samples nothing could be counted";
    run.sourceProfile->unavailable.clear();
    run.sourceProfile->samples = 10;
    const QStringList counts = notes(notedCode(CodeLanguage::sass, true, ""));
    ASSERT_EQ(counts.size(), 1);
    EXPECT_TRUE(counts[0].endsWith("not patched"));
    run.sourceProfile->countsUnavailable.clear();
    EXPECT_TRUE(notes(notedCode(CodeLanguage::sass, true, "")).isEmpty()) << "of the run before";
}

TEST(SourceNotes, TheMapHasTheRowsThatAreListed)
{
    const Result<Catalog> catalog = Catalog::loadEmbedded();
    ASSERT_TRUE(catalog);
    KernelCode code;
    code.language = CodeLanguage::sass;
    code.files = {"a.cu"};
    code.stalls = {"wait"};
    for (int i = 0; i < 90; ++i) {
        CodeInstruction& one = code.instructions.emplace_back();
        one.offset = 16 * i;
        one.file = 0;
        one.line = 1 + i / 30;
        one.text = "FFMA";
        one.samples = i == 45 ? 10 : 0;
        one.stalls = {one.samples};
    }
    RunRecord run = countedRun("now", 1000);
    run.kernel = {"program", "k", {}};
    run.sourceProfile.emplace();
    run.sourceProfile->code = SharedCode(std::move(code));
    SourceView view;
    view.resize(1200, 400);
    view.show();
    view.setRun(run, *catalog);
    view.map()->resize(16, 360);
    EXPECT_EQ(view.map()->rowAt(359), 89);
    view.findChild<QCheckBox*>("collapseLines")->setChecked(true);
    EXPECT_EQ(view.map()->rowAt(359), 2) << "a row per line";
    view.findChild<QCheckBox*>("collapseLines")->setChecked(false);
    EXPECT_EQ(view.map()->rowAt(359), 89);
    emit view.map()->picked(80);
    EXPECT_EQ(view.table()->currentIndex().row(), 80);
    EXPECT_EQ(view.code()->textCursor().blockNumber() + 1, 3);
}

TEST(CuDescriptors, HaveWhatWasTypedIn)
{
    QTemporaryDir folder;
    QFile file(folder.filePath("k.cu"));
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write("extern \"C\" __global__ void mix(float* a, float* b, int n) {}\n");
    file.close();
    CuDialog dialog(file.fileName());
    auto* arguments = dialog.findChild<QTableWidget*>("cuArguments");
    ASSERT_EQ(arguments->rowCount(), 3);
    dialog.findChild<QLineEdit*>("cuProblem")->setText(" LENGTH=4096 ");
    dialog.findChild<QLineEdit*>("cuGrid")->setText("LENGTH / 64; 2; 3");
    dialog.findChild<QLineEdit*>("cuBlock")->setText("64; 4; 1");
    arguments->item(0, 2)->setText(" scratch ");
    arguments->item(0, 3)->setText(" LENGTH * 2 ");
    arguments->item(1, 2)->setText("output");
    arguments->item(1, 3)->setText("LENGTH");
    arguments->item(2, 3)->setText("LENGTH + 7");
    const QSignalSpy written(&dialog, &CuDialog::written);
    buttonOn(dialog, "cuWrite")->click();
    ASSERT_EQ(written.count(), 1) << dialog.findChild<QLabel*>("cuError")->text().toStdString();
    QFile descriptor(written[0][0].toString());
    ASSERT_TRUE(descriptor.open(QIODevice::ReadOnly));
    const QString text = QString::fromUtf8(descriptor.readAll()).remove(' ').remove('\n');
    for (const char* part : {"LENGTH=4096", "LENGTH/64", "\"scratch\"", "\"output\"", "LENGTH*2", "LENGTH+7", "64"})
        EXPECT_TRUE(text.contains(QLatin1String(part))) << part << ": " << text.toStdString();
    EXPECT_LT(text.indexOf("\"scratch\""), text.indexOf("\"output\"")) << "each argument's own";
    EXPECT_FALSE(text.contains("\"input\""));
}

} // namespace
} // namespace kl::ui
