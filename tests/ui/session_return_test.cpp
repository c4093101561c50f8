// SPDX-License-Identifier: MIT
#include "core/base/format.h"
#include "sessions/session/session_view.h"
#include "ui/models/session_table_model.h"
#include "ui/pages/session/gate_card.h"
#include "ui/widgets/mark_label.h"
#include "ui/widgets/text.h"
#include "ui/window/mainwindow.h"

#include <QApplication>
#include <gtest/gtest.h>

#include <QComboBox>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QStandardItemModel>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBrowser>
#include <QTextCursor>
#include <QTimer>
#include <QToolButton>

#include <chrono>
#include <memory>

namespace kl::ui {
namespace {

/// What the mark of a gate says that waits for the user.
QString readWaitingMark()
{
    GateView gate;
    gate.progress = GateProgress::running;
    GateCard card;
    card.setGate(gate, nullptr, {});
    return card.findChild<MarkLabel*>()->text();
}

/// One session on the recorded transpose, from its form to the form of the next one by Return alone. Each test begins at the
/// finished session.
class SessionByReturn : public testing::Test {
protected:
    static void SetUpTestSuite()
    {
        folder = new QTemporaryDir;
        auto opened = AppContext::open(utf8(folder->filePath("return.db")), DeviceSpec::sample());
        ASSERT_TRUE(opened) << opened.error().message;
        context = opened->release();
        window = new MainWindow(*context);
        window->resize(1280, 800);
        window->show();
        QApplication::setActiveWindow(window);
        window->showPage("session", "new");
        ASSERT_TRUE(waitForJobs());
        page = window->page("session");
        pressReturn(); // in the field of the objective: opens the session
        planShown = find<QTextBrowser>("plan") != nullptr;
        const QString waitingMark = readWaitingMark();
        for (presses = 0; presses < 20 && view().phase != "done"; ++presses) {
            for (const MarkLabel* mark : page->findChildren<MarkLabel*>())
                waiting = waiting || (mark->isVisible() && mark->text() == waitingMark);
            const auto* focused = qobject_cast<QPushButton*>(window->focusWidget());
            ASSERT_NE(focused, nullptr) << presses << ' ' << view().why;
            ASSERT_TRUE(focused->property("primary").toBool() && focused->isVisible() && focused->isEnabled())
                << "the next step, not a field or a link: " << focused->text().toStdString();
            pressReturn();
        }
        finished = context->currentSession();
        endsWithNextStep = window->focusWidget() == find<QPushButton>("nextSession");
    }
    void SetUp() override { show(q(finished.text)); }
    static void TearDownTestSuite()
    {
        delete window;
        delete context;
        delete folder;
    }

    static void pressReturn()
    {
        QTest::keyClick(window->focusWidget(), Qt::Key_Return);
        ASSERT_TRUE(waitForJobs());
        QCoreApplication::processEvents(); // the focus follows behind
    }
    static void show(const QString& place)
    {
        window->showPage("session", place);
        ASSERT_TRUE(waitForJobs());
        QCoreApplication::processEvents();
    }
    static SessionView view() { return *context->engine()->sessions.view(context->currentSession()); }
    template <class Widget> static Widget* find(const QString& name)
    {
        for (Widget* widget : window->findChildren<Widget*>(name)) // the page's actions are in the window's header
            if (widget->isVisible())
                return widget;
        return nullptr;
    }
    static void click(const QString& name)
    {
        auto* button = find<QPushButton>(name);
        ASSERT_NE(button, nullptr) << name.toStdString();
        ASSERT_TRUE(button->isEnabled()) << name.toStdString();
        QTest::mouseClick(button, Qt::LeftButton);
        ASSERT_TRUE(waitForJobs());
    }
    static void lookAt(int stage)
    {
        page->findChildren<QToolButton*>("stage").at(stage)->click();
        QCoreApplication::processEvents();
    }

    static QTemporaryDir* folder;
    static AppContext* context;
    static MainWindow* window;
    static Page* page;
    static SessionId finished;
    static bool endsWithNextStep;
    static int presses;
    static bool planShown;
    static bool waiting;
};
QTemporaryDir* SessionByReturn::folder = nullptr;
AppContext* SessionByReturn::context = nullptr;
MainWindow* SessionByReturn::window = nullptr;
Page* SessionByReturn::page = nullptr;
SessionId SessionByReturn::finished;
bool SessionByReturn::endsWithNextStep = false;
int SessionByReturn::presses = 0;
bool SessionByReturn::planShown = false;
bool SessionByReturn::waiting = false;

TEST_F(SessionByReturn, ReachesItsEnd)
{
    EXPECT_EQ(view().phase, "done");
    EXPECT_EQ(view().outcome, "kept");
    EXPECT_EQ(presses, 10) << "one for each step";
    EXPECT_TRUE(endsWithNextStep);
    EXPECT_TRUE(planShown) << "when it is opened";
    EXPECT_TRUE(waiting) << "a gate that is not finished waits for the user";
}

TEST_F(SessionByReturn, TheDocumentIsEditedInPlaceAndSentOn)
{
    auto* cause = find<QPlainTextEdit>("document-root-cause");
    ASSERT_NE(cause, nullptr);
    EXPECT_EQ(cause->toPlainText(), q(view().profileRun->diagnosis->finding.title)) << "drafted";
    QTest::mouseClick(cause->viewport(), Qt::LeftButton);
    QTest::keyClick(cause, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(cause, "One row per thread");
    click("saveDocument");
    EXPECT_EQ(view().written.at("root-cause"), "One row per thread");
    EXPECT_EQ(cause->toPlainText(), "One row per thread");
    EXPECT_FALSE(find<QPushButton>("saveDocument")->isEnabled()) << "everything is saved";
    QTest::keyClick(cause, Qt::Key_Home);
    QTest::keyClick(cause, Qt::Key_Right);
    emit context->dataChanged();
    ASSERT_TRUE(waitForJobs());
    QCoreApplication::processEvents();
    EXPECT_EQ(cause->textCursor().position(), 1) << "the cursor stays where one is typing";
    QTest::keyClick(cause, Qt::Key_End);
    QTest::keyClicks(cause, "!");
    click("sendLesson");
    EXPECT_EQ(view().written.at("root-cause"), "One row per thread!") << "saved with it";
    bool taught = false;
    const auto patterns = context->store().patterns();
    ASSERT_TRUE(patterns);
    for (const Pattern& pattern : *patterns)
        taught = taught || (pattern.learnedIn == view().header.id.text && pattern.problem == "One row per thread!");
    EXPECT_TRUE(taught);
    EXPECT_NE(find<QPushButton>("openLesson"), nullptr);
    click("sendNextStep");
    EXPECT_EQ(find<QPushButton>("sendNextStep"), nullptr);
    EXPECT_NE(find<QPushButton>("openRoadmap"), nullptr);
}

TEST_F(SessionByReturn, TheChecklistIsTickedByEvidenceAndNotes)
{
    lookAt(1);
    EXPECT_TRUE(find<MarkLabel>("tick-smoke")->text().contains(QStringLiteral("✓")));
    EXPECT_TRUE(find<MarkLabel>("tick-occupancy"));
    EXPECT_NE(find<QPushButton>("evidence-smoke"), nullptr);
    QTimer::singleShot(0, [] {
        for (QWidget* top : QApplication::topLevelWidgets())
            if (auto* dialog = qobject_cast<QInputDialog*>(top)) {
                dialog->setTextValue("3f2c81a works");
                dialog->accept();
            }
    });
    click("note-git-history");
    EXPECT_EQ(view().ticks.at("git-history"), "3f2c81a works");
    lookAt(1);
    EXPECT_TRUE(find<MarkLabel>("tick-git-history")->text().startsWith(markSign(Mark::waived))) << "noted";
    click("calculate-occupancy");
    EXPECT_TRUE(window->page("calculate")->isVisible());
}

TEST_F(SessionByReturn, TheFixIsTimedInParts)
{
    lookAt(3);
    for (const char* part : {"edit", "rebuild", "test", "measure", "verify"})
        EXPECT_NE(find<QLabel>(QStringLiteral("part-%1").arg(part)), nullptr) << part;
}

TEST_F(SessionByReturn, ItsGainStandsInTheTable)
{
    click("allSessions");
    auto* table = find<QTableView>(QString());
    ASSERT_NE(table, nullptr);
    const QAbstractItemModel& rows = *table->model();
    const auto found = rows.match(rows.index(0, SessionTableModel::Name), Qt::DisplayRole, q(view().header.name));
    ASSERT_EQ(found.size(), 1);
    EXPECT_EQ(found.first().siblingAtColumn(SessionTableModel::Gain).data().toString(), q(formatRatio(*computeGain(view()))));
}

TEST_F(SessionByReturn, TheNextSessionIsProposed)
{
    click("nextSession");
    EXPECT_EQ(find<QComboBox>("sessionKernel")->currentData(), "transpose");
    EXPECT_EQ(window->focusWidget(), find<QLineEdit>("sessionObjective"));
    EXPECT_FALSE(find<QLineEdit>("sessionObjective")->text().isEmpty()) << "what the finished one wants done next";
    emit context->dataChanged();
    ASSERT_TRUE(waitForJobs());
    EXPECT_NE(find<QLineEdit>("sessionObjective"), nullptr) << "the form stays when the data change";
    EXPECT_EQ(find<QComboBox>("sessionKernel")->currentData(), "transpose");
}

TEST_F(SessionByReturn, TheFormSaysWhatWillHappen)
{
    show("new");
    auto* kinds = find<QComboBox>("sessionKind");
    for (const char* kind : {"baseline", "optimize", "profile", "expert", "debug"})
        EXPECT_GE(kinds->findData(kind), 0) << kind;
    auto* kernel = find<QComboBox>("sessionKernel");
    kernel->setCurrentIndex(kernel->findData("transpose"));
    auto* variant = find<QComboBox>("sessionVariant");
    variant->setCurrentIndex(variant->findData("tiled"));
    kinds->setCurrentIndex(kinds->findData("profile"));
    ASSERT_TRUE(waitForJobs());
    EXPECT_EQ(find<QSpinBox>("sessionBudget")->value(), 240);
    int stages = 0;
    for (const QLabel* label : page->findChildren<QLabel*>("previewSteps"))
        stages += label->isVisible();
    EXPECT_EQ(stages, 4);
    EXPECT_NE(find<QLabel>("previewGate"), nullptr);
    EXPECT_FALSE(find<QLineEdit>("answer-target-gpu")->placeholderText().isEmpty()) << "the default answer";
    EXPECT_TRUE(find<QPushButton>("openSession")->isEnabled());
    auto* problem = find<QComboBox>("sessionProblem");
    problem->setEditText("M=3,N=5");
    ASSERT_TRUE(waitForJobs());
    EXPECT_FALSE(find<QPushButton>("openSession")->isEnabled()) << "not recorded";
    EXPECT_TRUE(find<QLabel>("previewCaveats")->text().contains("M=3,N=5"));
    problem->setEditText("M=");
    ASSERT_TRUE(waitForJobs());
    EXPECT_FALSE(find<QPushButton>("openSession")->isEnabled()) << "not a problem";
    problem->setCurrentIndex(0);
    problem->setEditText(problem->itemData(0).toString());
    ASSERT_TRUE(waitForJobs());
    EXPECT_TRUE(find<QPushButton>("openSession")->isEnabled());
}

TEST_F(SessionByReturn, ADebugSessionWithoutAFaultSaysSo)
{
    show("new");
    auto* kernel = find<QComboBox>("sessionKernel");
    kernel->setCurrentIndex(kernel->findData("transpose"));
    auto* kinds = find<QComboBox>("sessionKind");
    kinds->setCurrentIndex(kinds->findData("debug"));
    auto* variant = find<QComboBox>("sessionVariant");
    variant->setCurrentIndex(variant->findData("naive"));
    ASSERT_TRUE(waitForJobs());
    EXPECT_TRUE(find<QLabel>("previewCaveats")->isVisible());
    EXPECT_TRUE(find<QPushButton>("openSession")->isEnabled());
    kernel->setCurrentIndex(kernel->findData("softmax"));
    ASSERT_TRUE(waitForJobs());
    EXPECT_FALSE(find<QPushButton>("openSession")->isEnabled()) << "its suite is not recorded on the smallest size";
    const auto* items = qobject_cast<QStandardItemModel*>(kinds->model());
    EXPECT_FALSE(items->item(kinds->findData("debug"))->isEnabled());
    EXPECT_FALSE(items->item(kinds->findData("debug"))->toolTip().isEmpty()) << "with the reason";
}

TEST_F(SessionByReturn, ASessionIsOpenedAsChosenAndComparedWithTheOther)
{
    const std::string first = view().header.name;
    show("new");
    auto* kinds = find<QComboBox>("sessionKind");
    kinds->setCurrentIndex(kinds->findData("baseline"));
    auto* kernel = find<QComboBox>("sessionKernel");
    kernel->setCurrentIndex(kernel->findData("transpose"));
    auto* variant = find<QComboBox>("sessionVariant");
    variant->setCurrentIndex(variant->findData("tiled"));
    find<QSpinBox>("sessionBudget")->setValue(60);
    find<QLineEdit>("answer-target-gpu")->setText("an L4");
    ASSERT_TRUE(waitForJobs());
    click("openSession");
    EXPECT_EQ(toText(view().start), "transpose/tiled");
    EXPECT_EQ(view().header.kind, "baseline");
    EXPECT_EQ(view().budgetMinutes, 60);
    EXPECT_EQ(view().answers.at("target-gpu"), "an L4");
    click("allSessions");
    EXPECT_EQ(find<QComboBox>("pairA")->currentData(), q(first)) << "the older one first";
    click("comparePair");
    EXPECT_EQ(find<QLabel>("a-kernel")->text(), "transpose/naive");
    EXPECT_EQ(find<QLabel>("b-kernel")->text(), "transpose/tiled");
    EXPECT_NE(find<QLabel>("a-gain"), nullptr);
    EXPECT_NE(find<QPushButton>("savePair"), nullptr);
}

TEST(SessionAlerts, FailingBuildsOfferToBisect)
{
    const QTemporaryDir folder;
    auto opened = AppContext::open(utf8(folder.filePath("builds.db")), DeviceSpec::sample());
    ASSERT_TRUE(opened) << opened.error().message;
    const std::unique_ptr<AppContext> context(opened->release());
    MainWindow window(*context);
    window.show();
    window.showPage("session", "new");
    ASSERT_TRUE(waitForJobs());
    window.findChild<QPushButton*>("openSession")->click();
    ASSERT_TRUE(waitForJobs());
    const SessionView now = *context->engine()->sessions.view(context->currentSession());
    const TimePoint at = std::chrono::system_clock::now();
    int seq = now.events.back().seq;
    for (const int minutesAgo : {40, 0})
        ASSERT_TRUE(context->engine()->store->appendEvent(now.header.id, {++seq, isoTime(at - std::chrono::minutes(minutesAgo)),
                                                                          event::kBuildValidated, R"({"status": "compilation-failed"})"}));
    window.showPage("session", q(now.header.id.text));
    ASSERT_TRUE(waitForJobs());
    EXPECT_NE(window.findChild<QLabel*>("alert-build-history"), nullptr);
    const auto* bisect = window.findChild<QPushButton*>("alertStep-build-history");
    ASSERT_NE(bisect, nullptr);
    EXPECT_TRUE(bisect->isEnabled());
}

} // namespace
} // namespace kl::ui
