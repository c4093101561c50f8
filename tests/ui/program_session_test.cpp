// SPDX-License-Identifier: MIT
// From a program to a kept fix in the window alone: profiled, a kernel picked in the table, the target described, the session walked.
#include "sessions/engine/own_edit.h"
#include "tests/support/fake_program.h"
#include "tests/support/set_variable.h"
#include "ui/pages/diagnose/target_dialog.h"
#include "ui/pages/home/program_dialog.h"
#include "ui/pages/shared/kernel_table.h"
#include "ui/widgets/text.h"
#include "ui/window/mainwindow.h"

#include <gtest/gtest.h>

#include <QComboBox>
#include <QFile>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QTreeView>

#include <deque>

namespace kl::ui {
namespace {

/// A machine that passes its checks, and measures nothing itself.
constexpr const char* kWorker = R"(#!/bin/sh
echo '{"event":"hello","protocol":1,"version":"test","devices":[{"uuid":"GPU-fake","name":"NVIDIA H200","cc_major":9,"sm_count":132}],"unavailable":null}'
while read -r line; do
    id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9][0-9]*\).*/\1/p')
    case "$line" in
    *'"verb":"shutdown"'*) exit 0 ;;
    *'"verb":"env"'*) echo "{\"event\":\"result\",\"id\":$id,\"body\":{\"checks\":[{\"id\":\"gpu\",\"result\":\"pass\",\"found\":\"one\"}]}}" ;;
    *) echo "{\"event\":\"error\",\"id\":$id,\"code\":\"environment\",\"message\":\"not here\",\"hint\":\"\",\"where\":\"\",\"detail\":\"\"}" ;;
    esac
done
)";

class ProgramSession : public testing::Test {
protected:
    void SetUp() override
    {
        set("KERNELLOOP_WORKER", write("worker.sh", kWorker));
        set("KERNELLOOP_INJECT", write("inject.so", "not loaded by programs without CUDA"));
        set("XDG_DATA_HOME", folder.filePath("data"));
        set("XDG_STATE_HOME", folder.filePath("state"));
        std::filesystem::remove(program.file("kernelloop.json")); // the window writes it
        program.write("kernel.txt", "time=8000\nresult=right\n");
        ASSERT_EQ(std::system(("cd " + quotedFolder() + " && sh build.sh >/dev/null").c_str()), 0);
        auto opened = AppContext::open(utf8(folder.filePath("own.db")), DeviceSpec::local());
        ASSERT_TRUE(opened) << opened.error().message;
        context = std::move(*opened);
        window = std::make_unique<MainWindow>(*context);
        window->show();
        QObject::connect(&allows, &QTimer::timeout, [this] { click(*window, "consentRun"); });
        allows.start(20);
        ASSERT_TRUE(waitForJobs());
    }
    void TearDown() override
    {
        allows.stop();
        waitForJobs();
        window.reset();
        context.reset();
    }

    void set(const char* name, const QString& value) { variables.emplace_back(name, value.toUtf8().constData()); }
    QString write(const QString& name, const QByteArray& text) const
    {
        QFile file(folder.filePath(name));
        EXPECT_TRUE(file.open(QIODevice::WriteOnly));
        file.write(text);
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        return file.fileName();
    }
    std::string quotedFolder() const { return '\'' + program.folder().string() + '\''; }

    static bool click(const QWidget& inside, const QString& name, const QString& fix = {})
    {
        for (QPushButton* button : inside.findChildren<QPushButton*>(name))
            if (button->isVisible() && button->isEnabled() && (fix.isEmpty() || button->property("fix").toString() == fix)) {
                QTest::mouseClick(button, Qt::LeftButton);
                return true;
            }
        return false;
    }
    static void type(const QWidget& form, const char* name, const QString& text)
    {
        auto* field = form.findChild<QLineEdit*>(QString::fromLatin1(name));
        ASSERT_NE(field, nullptr) << name;
        field->selectAll();
        QTest::keyClicks(field, text);
    }

    /// The program's kernels, with the one of this name shown.
    void profiled(const QString& kernel)
    {
        window->showPage("home");
        ASSERT_TRUE(waitForJobs());
        ASSERT_TRUE(click(*window, "profileProgramDoor"));
        auto* dialog = window->findChild<ProgramDialog*>();
        ASSERT_NE(dialog, nullptr);
        type(*dialog, "program", "sh run.sh 512");
        type(*dialog, "programFolder", q(program.folder().string()));
        ASSERT_TRUE(click(*dialog, "profileProgram"));
        ASSERT_TRUE(waitForJobs());
        ASSERT_EQ(window->currentPage(), "diagnose");
        QTreeView& view = *window->page("diagnose")->findChild<KernelTable*>("reportKernels")->view();
        ASSERT_EQ(view.model()->rowCount(), 2);
        for (int row = 0; row < view.model()->rowCount(); ++row)
            if (const QModelIndex index = view.model()->index(row, 0); index.data().toString().startsWith(kernel))
                QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.visualRect(index).center());
        ASSERT_TRUE(waitForJobs());
    }
    void described()
    {
        ASSERT_TRUE(click(*window, "openTarget"));
        auto* dialog = window->findChild<TargetDialog*>();
        ASSERT_NE(dialog, nullptr);
        type(*dialog, "targetFolder", q(program.folder().string()));
        type(*dialog, "targetBuild", "sh build.sh");
        type(*dialog, "targetRun", "sh run.sh {N}");
        type(*dialog, "targetProblem", "N=512");
        type(*dialog, "targetSuite", "N=1; N=7; N=512");
        dialog->findChild<QComboBox*>("targetCheck")->setCurrentIndex(1);
        type(*dialog, "targetCheckCommand", "sh reference.sh {N}");
        type(*dialog, "targetRivalLaunches", "^rival");
        QTest::keyClicks(dialog->findChild<QPlainTextEdit*>("targetEdit"), "kernel.txt");
        ASSERT_TRUE(click(*dialog, "targetWrite"));
        ASSERT_TRUE(waitForJobs());
        ASSERT_EQ(window->currentPage(), "session");
    }
    SessionView view() const
    {
        const Result<SessionView> seen = context->engine()->sessions.view(context->currentSession());
        EXPECT_TRUE(seen) << seen.error().message;
        return seen ? *seen : SessionView{};
    }
    /// One button, as recommended.
    bool step(const QWidget& page)
    {
        const NextAction next = view().next.front();
        switch (next.action) {
        case SessionAction::chooseFix: return click(page, {}, q(kOwnEdit));
        case SessionAction::takeEdit: program.code(4000); return QTest::qWaitFor([&] { return click(page, "editTake"); }, 10000);
        case SessionAction::keep:
        case SessionAction::revert: return click(page, q(toString(next.action)));
        default: return click(page, "gateAction");
        }
    }

    QTemporaryDir folder;
    test::FakeProgram program{std::filesystem::path(utf8(folder.path())) / "my project"};
    std::deque<support::SetVariable> variables; ///< until the window is gone
    std::unique_ptr<AppContext> context;
    std::unique_ptr<MainWindow> window;
    QTimer allows;
};

TEST_F(ProgramSession, IsWalkedFromTheProgramToAKeptFix)
{
    ASSERT_NO_FATAL_FAILURE(profiled("column_sum"));
    ASSERT_NO_FATAL_FAILURE(described());
    QWidget& page = *window->page("session");
    type(page, "sessionObjective", "Make the sums faster");
    ASSERT_TRUE(waitForJobs());
    ASSERT_TRUE(click(page, "openSession"));
    ASSERT_TRUE(waitForJobs());
    for (int steps = 0; steps < 30 && view().phase != "done"; ++steps) {
        ASSERT_FALSE(view().next.empty()) << view().why;
        ASSERT_TRUE(step(page)) << view().next.front().title << ": " << view().next.front().reason;
        ASSERT_TRUE(waitForJobs());
    }
    EXPECT_EQ(view().phase, "done") << view().why;
    EXPECT_EQ(view().outcome, "kept") << view().why;
    ASSERT_TRUE(view().evaluation && view().evaluation->ratio);
    EXPECT_NEAR(view().evaluation->ratio->value, 2, 0.01);
}

} // namespace
} // namespace kl::ui
