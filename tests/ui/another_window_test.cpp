// SPDX-License-Identifier: MIT
#include "ui/pages/home/program_dialog.h"
#include "ui/pages/shared/run_picker.h"
#include "ui/widgets/text.h"
#include "ui/window/another_window.h"
#include "ui/window/mainwindow.h"
#include "ui/window/title_line.h"

#include <gtest/gtest.h>

#include <QAction>
#include <QApplication>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>

namespace kl::ui {
namespace {

class AnotherWindow : public testing::Test {
protected:
    void SetUp() override
    {
        auto opened = AppContext::open(utf8(dir.filePath("own.db")), DeviceSpec::sample());
        ASSERT_TRUE(opened) << opened.error().message;
        context = std::move(*opened);
        window = std::make_unique<MainWindow>(*context);
        window->show();
        ASSERT_TRUE(waitForJobs());
    }
    /// What the action opened.
    static MainWindow* otherThan(const MainWindow* first)
    {
        for (QWidget* top : QApplication::topLevelWidgets())
            if (auto* other = qobject_cast<MainWindow*>(top); other && other != first)
                return other;
        return nullptr;
    }
    QTemporaryDir dir;
    std::unique_ptr<AppContext> context;
    std::unique_ptr<MainWindow> window;
};

TEST_F(AnotherWindow, ShowsTheSameDatabaseAndWhatTheFirstMeasures)
{
    window->showPage("diagnose");
    window->findChild<QAction*>("new-window")->trigger();
    ASSERT_TRUE(waitForJobs());
    QPointer<MainWindow> other = otherThan(window.get());
    ASSERT_TRUE(other && other->isVisible());
    EXPECT_EQ(other->currentPage(), "diagnose");
    EXPECT_EQ(other->windowTitle(), window->windowTitle());
    const auto* picker = other->findChild<RunPicker*>("profilePicker");
    ASSERT_TRUE(picker);
    const QString before = picker->text();
    const auto run = context->engine()->bench.profile({"transpose", "naive", {}}, {}, {}, {});
    ASSERT_TRUE(run) << run.error().message;
    for (int tries = 0; tries < 100 && picker->text() == before; ++tries) { // it looks every second
        QTest::qWait(50);
        ASSERT_TRUE(waitForJobs());
    }
    EXPECT_TRUE(picker->text().contains("transpose")) << picker->text().toStdString();
    other->close();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    EXPECT_TRUE(other.isNull());
    EXPECT_TRUE(window->isVisible());
}

TEST_F(AnotherWindow, TakesAnotherDatabaseWithoutTheFirst)
{
    const QString second = dir.filePath("second.db");
    const auto other = openAnotherWindow(utf8(second), DeviceSpec::sample(), {});
    ASSERT_TRUE(other) << other.error().message;
    ASSERT_TRUE(waitForJobs());
    EXPECT_TRUE((*other)->windowTitle().contains("second.db"));
    EXPECT_TRUE(window->windowTitle().contains("own.db"));
    (*other)->close();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    EXPECT_FALSE(openAnotherWindow(utf8(dir.path()), DeviceSpec::sample(), {})) << "a folder";
}

TEST_F(AnotherWindow, WritesTheCommandsOfStepsAsTheFirstDoes)
{
    const auto other = openAnotherWindow(utf8(dir.filePath("second.db")), DeviceSpec::sample(), [](const NextStep& step) {
        return "tool --db " + step.at(StepArgument::database) + " -- " + step.at(StepArgument::program);
    });
    ASSERT_TRUE(other) << other.error().message;
    ASSERT_TRUE(waitForJobs());
    (*other)->showPage("home");
    ASSERT_TRUE(waitForJobs());
    auto* door = (*other)->findChild<QPushButton*>("profileProgramDoor");
    ASSERT_TRUE(door);
    door->click();
    const auto* dialog = (*other)->findChild<ProgramDialog*>();
    ASSERT_TRUE(dialog);
    dialog->findChild<QLineEdit*>("program")->setText("./mine 1 2");
    EXPECT_EQ(dialog->findChild<QLineEdit*>("command")->text(), "tool --db " + dir.filePath("second.db") + " -- ./mine 1 2");
    delete dialog;
    (*other)->close();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
}

} // namespace
} // namespace kl::ui
