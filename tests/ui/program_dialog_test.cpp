// SPDX-License-Identifier: MIT
// A program profiled from the window: one that leaves the trace that the injected library would have written.
#include "tests/support/scale_trace.h"
#include "ui/context/app_context.h"
#include "ui/pages/home/program_dialog.h"
#include "ui/pages/shared/kernel_table.h"
#include "ui/widgets/text.h"
#include "ui/window/mainwindow.h"

#include <gtest/gtest.h>

#include <QCheckBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>

namespace kl::ui {
namespace {

class ProfileDialog : public testing::Test {
protected:
    void SetUp() override
    {
        write("inject.so", "not loaded by programs without CUDA");
        qputenv("KERNELLOOP_INJECT", folder.filePath("inject.so").toUtf8());
        open(utf8(folder.filePath("own.db")));
    }
    void TearDown() override
    {
        waitForJobs();
        qunsetenv("KERNELLOOP_INJECT");
    }
    void open(const std::string& location)
    {
        auto opened = AppContext::open(location, DeviceSpec::sample());
        ASSERT_TRUE(opened) << opened.error().message;
        context = std::move(*opened);
        window = std::make_unique<MainWindow>(*context);
        window->show();
        ASSERT_TRUE(waitForJobs());
        dialog = new ProgramDialog(*context, window.get());
        dialog->show();
    }
    void write(const char* name, const std::string& text) const
    {
        QFile file(folder.filePath(name));
        ASSERT_TRUE(file.open(QIODevice::WriteOnly));
        file.write(text.data(), static_cast<qint64>(text.size()));
    }
    template <class Widget> Widget* find(const char* name) const { return dialog->findChild<Widget*>(name); }
    void run(const QString& command) const
    {
        find<QLineEdit>("program")->setText(command);
        find<QLineEdit>("programFolder")->setText(folder.path());
        QTest::mouseClick(find<QPushButton>("profileProgram"), Qt::LeftButton);
    }

    QTemporaryDir folder;
    std::unique_ptr<AppContext> context;
    std::unique_ptr<MainWindow> window;
    ProgramDialog* dialog = nullptr;
};

TEST_F(ProfileDialog, ItsKernelsAreOnDiagnose)
{
    write("canned", test::scaleTrace());
    find<QPlainTextEdit>("programVariables")->setPlainText("GREETING=hello there");
    find<QLineEdit>("programKernels")->setText("scale");
    find<QLineEdit>("programRange")->setText("one step");
    run("/bin/sh -c 'echo \"$GREETING\"; pwd; cp \"$KLOOP_INJECT_SPOOL\"/config.json .; cp canned \"$KLOOP_INJECT_SPOOL\"/1-1.trace'");
    EXPECT_FALSE(find<QPushButton>("profileProgram")->isEnabled());
    ASSERT_TRUE(waitForJobs());
    EXPECT_TRUE(find<QPlainTextEdit>("programOutput")->toPlainText().startsWith("hello there\n"));
    EXPECT_EQ(window->currentPage(), "diagnose");
    EXPECT_FALSE(dialog->isVisible());
    QFile config(folder.filePath("config.json"));
    ASSERT_TRUE(config.open(QIODevice::ReadOnly));
    EXPECT_TRUE(config.readAll().contains("\"one step\""));
    const auto runs = context->store().runs({.kernel = "program"});
    ASSERT_EQ(runs->size(), 1U);
    EXPECT_EQ(context->store().run(runs->front().id)->program->kernel, "scale(float*, int, float)");
}

TEST_F(ProfileDialog, AProgramWithoutKernelsSaysSoAndKeepsItsStatus)
{
    find<QCheckBox>("programCounters")->setChecked(false);
    EXPECT_FALSE(find<QPlainTextEdit>("programOutput")->isVisible()) << "nothing was written yet";
    run("/bin/sh -c 'echo err >&2; exit 3'");
    EXPECT_TRUE(find<QPushButton>("stopProgram")->isVisible());
    ASSERT_TRUE(waitForJobs());
    EXPECT_TRUE(find<QPlainTextEdit>("programOutput")->isVisible());
    EXPECT_FALSE(find<QPushButton>("stopProgram")->isVisible());
    EXPECT_TRUE(dialog->isVisible());
    EXPECT_TRUE(find<QLabel>("programStatus")->text().contains("3"));
    EXPECT_EQ(find<QPlainTextEdit>("programOutput")->toPlainText(), "err\n");
    EXPECT_TRUE(find<QPushButton>("profileProgram")->isEnabled());
}

TEST_F(ProfileDialog, AProgramIsStopped)
{
    run("/bin/sh -c 'echo started; sleep 60'");
    ASSERT_TRUE(QTest::qWaitFor([&] { return find<QPlainTextEdit>("programOutput")->toPlainText().contains("started"); }, 10000));
    QTest::mouseClick(find<QPushButton>("stopProgram"), Qt::LeftButton);
    ASSERT_TRUE(waitForJobs());
    EXPECT_TRUE(find<QLabel>("programStatus")->isVisible());
    EXPECT_FALSE(find<QPushButton>("stopProgram")->isVisible());
}

TEST_F(ProfileDialog, ItsFieldsAreTheRequestAndAStatusKeepsItOpenBesideItsKernels)
{
    write("canned", test::scaleTrace());
    find<QLineEdit>("programKernels")->setText("scale");
    find<QSpinBox>("programCount")->setValue(7);
    const QString command = "/bin/sh -c 'echo run >> runs; cp \"$KLOOP_INJECT_SPOOL\"/config.json config-$(wc -l < runs).json; cp canned "
                            "\"$KLOOP_INJECT_SPOOL\"/1-1.trace; exit 4'";
    const auto configs = [&] { // of both times that the program runs
        QByteArray all;
        for (const char* name : {"config-1.json", "config-2.json"}) {
            QFile file(folder.filePath(QString::fromLatin1(name)));
            if (file.open(QIODevice::ReadOnly))
                all += file.readAll();
            file.remove();
        }
        QFile::remove(folder.filePath("runs"));
        return all.replace(" ", "").replace("\n", "");
    };
    run(command);
    ASSERT_TRUE(waitForJobs());
    const QByteArray counting = configs();
    EXPECT_TRUE(counting.contains("\"scale\"")) << counting.constData();
    EXPECT_TRUE(counting.contains("\"count\":7")) << counting.constData();
    EXPECT_TRUE(counting.contains("\"counters\":true")) << counting.constData();
    find<QCheckBox>("programCounters")->setChecked(false);
    find<QSpinBox>("programCount")->setValue(0);
    run(command);
    ASSERT_TRUE(waitForJobs());
    const QByteArray timing = configs();
    EXPECT_FALSE(timing.contains("\"counters\":true"));
    EXPECT_FALSE(timing.contains("\"count\":0")) << "unset, as many as take most of the time";
    EXPECT_TRUE(dialog->isVisible()) << "it failed";
    EXPECT_TRUE(find<QLabel>("programStatus")->isVisible());
    EXPECT_LT(find<QLabel>("programStatus")->text().indexOf('4'), find<QLabel>("programStatus")->text().indexOf('1'))
        << find<QLabel>("programStatus")->text().toStdString();
    EXPECT_EQ(window->currentPage(), "diagnose");
    EXPECT_EQ(context->store().runs({.kernel = "program"})->size(), 2U) << "one each time";
}

TEST_F(ProfileDialog, AClickOnCloseStopsWhatRunsBeforeItCloses)
{
    run("/bin/sh -c 'echo started; sleep 60'");
    ASSERT_TRUE(QTest::qWaitFor([&] { return find<QPlainTextEdit>("programOutput")->toPlainText().contains("started"); }, 10000));
    dialog->reject();
    EXPECT_TRUE(dialog->isVisible());
    ASSERT_TRUE(waitForJobs());
    EXPECT_TRUE(dialog->isVisible()) << "what the program wrote can be read";
    EXPECT_TRUE(find<QPushButton>("profileProgram")->isEnabled());
    dialog->reject();
    EXPECT_FALSE(dialog->isVisible());
}

TEST_F(ProfileDialog, WhatCannotRunIsSaidBeforeAnythingRuns)
{
    run("");
    EXPECT_TRUE(find<QLabel>("programStatus")->isVisible());
    find<QLineEdit>("programKernels")->setText("a(");
    run("/bin/true");
    EXPECT_TRUE(find<QLabel>("programStatus")->text().contains("a("));
    find<QLineEdit>("programKernels")->clear();
    run("no-such-program-at-all");
    ASSERT_TRUE(waitForJobs());
    EXPECT_TRUE(find<QLabel>("programStatus")->text().contains("no-such-program-at-all"));
    delete dialog;
    open(":sample:");
    EXPECT_FALSE(find<QPushButton>("profileProgram")->isEnabled()) << "the sample is read-only";
}

} // namespace
} // namespace kl::ui
