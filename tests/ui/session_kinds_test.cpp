// SPDX-License-Identifier: MIT
#include "core/base/format.h"
#include "sessions/session/rules.h"
#include "tests/support/build_folder.h"
#include "ui/pages/session/evaluate_panel.h"
#include "ui/widgets/mark_label.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/text.h"
#include "ui/window/mainwindow.h"

#include <QApplication>
#include <gtest/gtest.h>

#include <QCheckBox>
#include <QComboBox>
#include <QFile>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QProcess>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QToolButton>

#include <algorithm>

namespace kl::ui {
namespace {

/// A window on a database of its own, on the recorded device.
class SessionKinds : public testing::Test {
protected:
    SessionKinds()
    {
        auto opened = AppContext::open(utf8(folder.filePath("kinds.db")), DeviceSpec::sample());
        EXPECT_TRUE(opened) << opened.error().message;
        context = std::move(*opened);
        window = std::make_unique<MainWindow>(*context);
        window->resize(1280, 800);
        window->show();
        window->showPage("session", "new");
        EXPECT_TRUE(waitForJobs());
        page = window->page("session");
    }

    SessionView view() const { return *context->engine()->sessions.view(context->currentSession()); }

    template <class Widget> Widget* find(const char* name) const
    {
        for (Widget* widget : page->findChildren<Widget*>(QString::fromLatin1(name)))
            if (widget->isVisible())
                return widget;
        return nullptr;
    }
    bool shows(const QString& text) const
    {
        for (const QLabel* label : page->findChildren<QLabel*>())
            if (label->isVisible() && label->text().contains(text))
                return true;
        return false;
    }
    bool showsCode(const char* side, const QString& text) const
    {
        for (const QPlainTextEdit* code : page->findChildren<QPlainTextEdit*>(QString::fromLatin1(side)))
            if (code->isVisible() && code->toPlainText().contains(text))
                return true;
        return false;
    }
    /// Whether any fix can be chosen on the stage shown.
    bool offersFix() const
    {
        for (const QPushButton* button : page->findChildren<QPushButton*>())
            if (button->isVisible() && button->isEnabled() && button->property("fix").isValid())
                return true;
        return false;
    }
    void click(const char* name)
    {
        auto* button = find<QPushButton>(name);
        ASSERT_NE(button, nullptr) << name;
        ASSERT_TRUE(button->isEnabled()) << name;
        QTest::mouseClick(button, Qt::LeftButton);
        ASSERT_TRUE(waitForJobs());
    }
    void openKind(const char* kind, const char* family = "transpose")
    {
        auto* kinds = find<QComboBox>("sessionKind");
        ASSERT_NE(kinds, nullptr);
        kinds->setCurrentIndex(kinds->findData(QString::fromLatin1(kind)));
        auto* kernel = find<QComboBox>("sessionKernel");
        kernel->setCurrentIndex(kernel->findData(QString::fromLatin1(family)));
        find<QLineEdit>("sessionObjective")->setText("See how it stands");
        click("openSession");
    }
    void stepTo(SessionAction action)
    {
        const SessionView now = view();
        for (std::size_t i = 0; i < now.phases.size(); ++i)
            if (now.phases[i].id == now.phase)
                look(static_cast<int>(i)); // the button is on the current stage
        for (int i = 0; i < 15 && view().next.front().action != action; ++i)
            click("gateAction");
        ASSERT_EQ(view().next.front().action, action);
    }
    void look(int stage)
    {
        page->findChildren<QToolButton*>("stage").at(stage)->click();
        QCoreApplication::processEvents();
    }
    /// Another program adds an event to the session; the window notices.
    void append(const char* type, const std::string& data)
    {
        const SessionView now = view();
        ASSERT_TRUE(context->engine()->store->appendEvent(now.header.id, {now.events.back().seq + 1, isoNow(), type, data}));
        window->showPage("session", q(now.header.id.text));
        ASSERT_TRUE(waitForJobs());
    }

    QTemporaryDir folder;
    std::unique_ptr<AppContext> context;
    std::unique_ptr<MainWindow> window;
    Page* page = nullptr;
};

TEST_F(SessionKinds, ABaselineSessionWithAClaimIsWalkedToItsEnd)
{
    find<QLineEdit>("sessionClaimSource")->setText("a blog");
    find<QLineEdit>("sessionClaimFigure")->setText("2x");
    openKind("baseline");
    EXPECT_EQ(page->findChildren<QToolButton*>("stage").size(), 3);
    look(1);
    EXPECT_TRUE(shows("a blog"));
    ASSERT_EQ(view().claims.size(), 1U);
    EXPECT_FALSE(view().claims.front().reached) << "it is not measured yet";
    ASSERT_FALSE(view().claims.front().verdict.empty());
    const QString unknown = q(view().claims.front().verdict);
    EXPECT_TRUE(shows(unknown));
    find<QLineEdit>("claimSource")->setText("the README");
    find<QLineEdit>("claimFigure")->setText("5 us");
    click("claimAdd");
    ASSERT_EQ(view().claims.size(), 2U);
    stepTo(SessionAction::document);
    look(1);
    ASSERT_TRUE(view().claims.front().reached);
    EXPECT_LT(*view().claims.front().reached, 1) << "it is missed";
    EXPECT_NE(q(view().claims.front().verdict), unknown);
    EXPECT_TRUE(shows(q(view().claims.front().verdict)));
    EXPECT_TRUE(shows(q(view().claims.front().measured)));
    stepTo(SessionAction::finish);
    click("gateAction");
    EXPECT_EQ(view().outcome, "baseline measured");
}

TEST_F(SessionKinds, TheFormOfANewSessionHasTheFocus)
{
    EXPECT_EQ(window->focusWidget(), find<QLineEdit>("sessionObjective"));
}

TEST_F(SessionKinds, KindsAreOfferedWithWhatTheyAreFor)
{
    auto* kinds = find<QComboBox>("sessionKind");
    ASSERT_GE(kinds->count(), 4);
    EXPECT_TRUE(find<QCheckBox>("sessionCumulative"));
    kinds->setCurrentIndex(kinds->findData("baseline"));
    EXPECT_FALSE(find<QCheckBox>("sessionCumulative")) << "a baseline session evaluates no change";
}

TEST_F(SessionKinds, TheDebuggingLoopIsShownRowByRow)
{
    openKind("debug");
    EXPECT_EQ(page->findChildren<QToolButton*>("stage").size(), 7);
    auto* words = find<QLineEdit>("debugWords");
    ASSERT_NE(words, nullptr);
    words->setText("an index is swapped");
    click("debugWrite");
    EXPECT_TRUE(shows("an index is swapped"));
    EXPECT_EQ(view().phase, "instrument");
    stepTo(SessionAction::document); // the recorded kernels are right: nothing fails
    EXPECT_FALSE(view().outcome.empty() && view().why.empty());
}

TEST_F(SessionKinds, ARecordedFaultIsWalkedToItsFix)
{
    openKind("debug", "matvec");
    EXPECT_EQ(toText(view().start), "matvec/modulo-index");
    stepTo(SessionAction::chooseFix);
    EXPECT_TRUE(std::ranges::any_of(page->findChildren<QLabel*>(), [](const QLabel* label) {
        return label->isVisible() && label->text().contains("compute-sanitizer") && label->text().contains("matvec/modulo-index");
    }));
    click("showFixSources");
    EXPECT_TRUE(showsCode("codeBefore", "% TILE"));
    stepTo(SessionAction::finish);
    click("gateAction");
    EXPECT_EQ(view().outcome, "kept");
    EXPECT_EQ(toText(view().candidate.value_or(Address{})), "matvec/full-index");
}

TEST_F(SessionKinds, AFixShowsItsCodeAndTheSourcesOfBothVariants)
{
    openKind("optimize");
    stepTo(SessionAction::chooseFix);
    EXPECT_FALSE(showsCode("codeAfter", "["));
    ASSERT_TRUE(waitForJobs());
    QTest::qWait(300); // the stage is drawn once more when all of it is there
    click("showFixCode");
    EXPECT_TRUE(showsCode("codeAfter", "["));
    click("showFixCode");
    EXPECT_FALSE(showsCode("codeAfter", "["));
    click("showFixSources");
    EXPECT_TRUE(showsCode("codeBefore", "transpose_naive"));
    EXPECT_TRUE(showsCode("codeAfter", "transpose_tiled"));
}

TEST_F(SessionKinds, StaleGatesSayWhyAndCanBeWaived)
{
    openKind("optimize");
    stepTo(SessionAction::profile);
    append("conditions-changed", R"({"device": "H200", "device_uuid": "u", "driver": "581.7", "what": "The driver changed to 581.7."})");
    EXPECT_TRUE(shows("581.7"));
    bool marked = false;
    for (const MarkLabel* mark : page->findChildren<MarkLabel*>())
        marked = marked || (mark->isVisible() && mark->text().contains("stale"));
    EXPECT_TRUE(marked);
    ASSERT_TRUE(find<QPushButton>("waive"));
    QTimer::singleShot(0, [] {
        for (QWidget* top : QApplication::topLevelWidgets())
            if (auto* dialog = qobject_cast<QInputDialog*>(top)) {
                dialog->setTextValue("a patch release");
                dialog->accept();
            }
    });
    click("waive");
    EXPECT_EQ(view().gates.front().progress, GateProgress::waived);
    EXPECT_EQ(view().gates.front().waivedReason, "a patch release");
}

TEST_F(SessionKinds, ParkedStepsAndTheOptionAreShown)
{
    openKind("optimize");
    stepTo(SessionAction::keep);
    auto* option = find<QCheckBox>("cumulative");
    ASSERT_NE(option, nullptr);
    option->click();
    ASSERT_TRUE(waitForJobs());
    EXPECT_TRUE(view().cumulative);
    EXPECT_EQ(find<QPushButton>("park"), nullptr) << "a step that can be kept is not parked";
    append("parked", R"({"from": "transpose/naive", "to": "transpose/tiled", "title": "t", "comparison": ")" + view().evaluation->id.text +
                         R"(", "ratio": 1.12, "low": 1.1, "high": 1.14})");
    EXPECT_EQ(view().next.front().action, SessionAction::profile) << "another variant is current now";
    look(4);
    EXPECT_TRUE(find<QLabel>("parked")->text().contains("transpose/tiled"));
    EXPECT_TRUE(find<QLabel>("parked")->text().contains("1.12×"));
}

TEST_F(SessionKinds, TheEvaluateStageHasOneButtonPerDecision)
{
    openKind("optimize");
    stepTo(SessionAction::keep);
    EXPECT_TRUE(find<QPushButton>("keep")->isEnabled());
    EXPECT_TRUE(find<QPushButton>("revert")->isEnabled());
    EXPECT_EQ(find<QPushButton>("gateAction"), nullptr) << "Keep is the panel's";
    for (const QPushButton* link : page->findChildren<QPushButton*>("otherAction"))
        EXPECT_FALSE(link->isVisible() && (link->property("action") == "keep" || link->property("action") == "revert"));
    click("keep");
    EXPECT_EQ(view().phase, "document") << view().why;
}

TEST(EvaluatePanel, AKeepThatTheGateWouldRefuseCannotBePressed)
{
    SessionView view;
    NextAction revert;
    revert.action = SessionAction::revert;
    NextAction keep;
    keep.action = SessionAction::keep;
    keep.enabled = false;
    keep.reason = "below what a keep asks for";
    view.next = {revert, keep};
    EvaluatePanel panel;
    panel.setView(view);
    const auto pressable = [&](const char* name) { return panel.findChild<QPushButton*>(QString::fromLatin1(name))->isEnabled(); };
    EXPECT_FALSE(pressable("keep"));
    EXPECT_TRUE(pressable("revert"));
    view.next = {keep};
    view.next.front().enabled = true;
    panel.setView(view);
    EXPECT_TRUE(pressable("keep"));
    EXPECT_FALSE(pressable("revert")) << "it is not offered";
}

// Each rule, and that the window offers no way round it.

TEST_F(SessionKinds, NothingIsOfferedOutOfTheMethodsOrder)
{
    openKind("optimize");
    for (int stage = 1; stage < 6; ++stage) { // rules profile-before-optimizing, baseline-first, smallest-first: looking is all one can do
        look(stage);
        EXPECT_EQ(find<QPushButton>("gateAction"), nullptr) << stage;
        EXPECT_EQ(find<QPushButton>("waive"), nullptr) << stage;
    }
    look(4);
    EXPECT_FALSE(find<QPushButton>("keep")->isEnabled());
    look(3);
    EXPECT_FALSE(offersFix());
    look(0);
    click("gateAction");
    EXPECT_EQ(view().next.front().action, SessionAction::verifySmallest) << "smallest-first";
    click("gateAction");
    click("gateAction");
    look(3);
    EXPECT_EQ(view().rule, "stop-below-half");
    EXPECT_FALSE(offersFix()) << "stop-below-half: no fix can be chosen";
    look(2);
    EXPECT_EQ(view().next.front().action, SessionAction::profile);
    EXPECT_TRUE(find<QPushButton>("gateAction"));
}

TEST_F(SessionKinds, OneChangeAtATimeAndRightBeforeFast)
{
    openKind("optimize");
    stepTo(SessionAction::verifySuite);
    EXPECT_FALSE(offersFix()) << "one-variable";
    look(4);
    EXPECT_EQ(find<QPushButton>("gateAction"), nullptr) << "correctness-first: nothing measures before the suite";
    EXPECT_FALSE(find<QPushButton>("keep")->isEnabled());
}

TEST_F(SessionKinds, AKernelThatWantsTooMuchSharedMemoryIsRefusedBeforeItCompiles)
{
    const QString database = folder.filePath("own.db");
    const auto kloop = [&](QStringList words) {
        QProcess process;
        process.start(QString::fromStdString(test::buildFolder() + "/bin/kloop"), words << QStringLiteral("--db") << database);
        return process.waitForFinished(60000) && process.exitCode() == 0;
    };
    ASSERT_TRUE(kloop({"new-kernel", "big", "--dir", folder.filePath("big")}));
    QFile descriptor(folder.filePath("big/kernel.json"));
    ASSERT_TRUE(descriptor.open(QIODevice::ReadWrite));
    QByteArray text = descriptor.readAll();
    text.insert(text.indexOf("\"block\""), "\"dynamic_smem\": \"300*1024\", ");
    descriptor.seek(0);
    descriptor.write(text);
    descriptor.close();
    ASSERT_TRUE(kloop({"kernels", "add", descriptor.fileName()}));
    ASSERT_TRUE(context->switchTo(utf8(database)));
    window->showPage("session", "new");
    ASSERT_TRUE(waitForJobs());
    auto* kernel = find<QComboBox>("sessionKernel");
    ASSERT_GE(kernel->findData("big"), 0);
    kernel->setCurrentIndex(kernel->findData("big"));
    window->messages()->clear();
    click("openSession");
    EXPECT_EQ(window->messages()->count(), 1);
    const auto broken = std::ranges::find(rules(), rule::kSharedMemoryFirst, &Rule::id);
    ASSERT_NE(broken, rules().end());
    bool stated = false;
    for (const QLabel* label : window->messages()->findChildren<QLabel*>())
        stated = stated || label->text().contains(q(broken->name));
    EXPECT_TRUE(stated);
    EXPECT_TRUE(context->engine()->store->sessions()->empty());
    window->messages()->clear();
}

TEST_F(SessionKinds, SilenceIsReported)
{
    window->messages()->clear();
    JobMonitor::instance().stall("Profiling", "Nothing new from \"pass 3\" for 60 s. The device: H200: 100 %.");
    EXPECT_EQ(window->messages()->count(), 1);
    bool stated = false;
    for (const QLabel* label : window->messages()->findChildren<QLabel*>())
        stated = stated || label->text().contains("pass 3");
    EXPECT_TRUE(stated);
    window->messages()->clear();
}

TEST_F(SessionKinds, AJobThatGoesSilentReachesTheMonitor)
{
    BackgroundJob job;
    QStringList reported;
    QObject::connect(&JobMonitor::instance(), &JobMonitor::stalled, &job,
                     [&](const QString& title, const QString& text) { reported << title + u'|' + text; });
    job.start(
        "Slow work",
        [](const Job& handle) {
            handle.notice("nothing new");
            return 0;
        },
        [](int) {});
    ASSERT_TRUE(waitForJobs());
    EXPECT_EQ(reported, QStringList{"Slow work|nothing new"});
    window->messages()->clear();
}

} // namespace
} // namespace kl::ui
