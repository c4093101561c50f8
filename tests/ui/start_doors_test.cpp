// SPDX-License-Identifier: MIT
// The first page of a new database: three ways to begin.
#include "ui/context/app_context.h"
#include "ui/pages/home/new_kernel_dialog.h"
#include "ui/pages/home/program_dialog.h"
#include "ui/pages/home/start_doors.h"
#include "ui/pages/shared/cu_dialog.h"
#include "ui/widgets/text.h"
#include "ui/window/mainwindow.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>

namespace kl::ui {
namespace {

class Doors : public testing::Test {
protected:
    void open(const std::string& location)
    {
        auto opened = AppContext::open(location, DeviceSpec::sample());
        ASSERT_TRUE(opened) << opened.error().message;
        context = std::move(*opened);
        context->setStepWriter([](const NextStep& step) {
            return "kloop --db " + step.at(StepArgument::database) + " profile -- " + step.at(StepArgument::program);
        });
        window = std::make_unique<MainWindow>(*context);
        window->show();
        ASSERT_TRUE(waitForJobs());
    }
    void TearDown() override { waitForJobs(); }
    QPushButton* door(const char* name) const { return window->page("home")->findChild<QPushButton*>(name); }

    QTemporaryDir folder;
    std::unique_ptr<AppContext> context;
    std::unique_ptr<MainWindow> window;
};

TEST_F(Doors, AreOpenInANewDatabaseAndTheOneThatWritesIsClosedOnTheSample)
{
    open(":sample:");
    EXPECT_TRUE(door("openReportDoor")->isVisible());
    EXPECT_FALSE(door("newKernelDoor")->isEnabled()) << "the sample is read-only";
    open(utf8(folder.filePath("own.db")));
    for (const char* name : {"openReportDoor", "profileProgramDoor", "newKernelDoor"})
        EXPECT_TRUE(door(name)->isVisible()) << name;
}

TEST_F(Doors, FiguresOfANewDatabaseAreNotTheSamples)
{
    open(utf8(folder.filePath("own.db")));
    for (const QLabel* label : window->page("home")->findChildren<QLabel*>())
        EXPECT_NE(label->text(), "sample");
}

TEST_F(Doors, AReportIsAskedFor)
{
    open(utf8(folder.filePath("own.db")));
    context->disconnect(SIGNAL(reportsRequested(QStringList))); // no file dialog
    const QSignalSpy requested(context.get(), &AppContext::reportsRequested);
    QTest::mouseClick(door("openReportDoor"), Qt::LeftButton);
    EXPECT_EQ(requested.count(), 1);
}

TEST_F(Doors, ANewKernelIsWrittenRegisteredAndShownInThreeClicks)
{
    open(utf8(folder.filePath("own.db")));
    QTest::mouseClick(door("newKernelDoor"), Qt::LeftButton);
    auto* dialog = window->findChild<NewKernelDialog*>();
    ASSERT_TRUE(dialog && dialog->isVisible());
    dialog->findChild<QLineEdit*>("kernelParent")->setText(folder.path());
    auto* write = dialog->findChild<QPushButton*>("writeKernel");
    QTest::mouseClick(write, Qt::LeftButton);
    EXPECT_TRUE(dialog->findChild<QLabel*>("kernelError")->isVisible()) << "it has no name yet";
    QTest::keyClicks(dialog->findChild<QLineEdit*>("kernelName"), "my-axpy");
    EXPECT_FALSE(dialog->findChild<QLabel*>("kernelError")->isVisible());
    QTest::mouseClick(write, Qt::LeftButton);
    ASSERT_TRUE(waitForJobs());
    EXPECT_TRUE(QFile::exists(folder.filePath("my-axpy/kernel.cu")));
    EXPECT_TRUE(context->catalog().family("my-axpy"));
    EXPECT_EQ(window->currentPage(), "kernels");
}

TEST_F(Doors, ASourceGetsItsDescriptorInAForm)
{
    open(utf8(folder.filePath("own.db")));
    QFile source(folder.filePath("scale.cu"));
    ASSERT_TRUE(source.open(QIODevice::WriteOnly));
    source.write("extern \"C\" __global__ void scale(float* out, const float* in, float a, int n) {}\n__global__ void other(int n) {}\n");
    source.close();
    window->page("home")->findChild<StartDoors*>()->describeSource(source.fileName());
    auto* dialog = window->findChild<CuDialog*>();
    ASSERT_TRUE(dialog && dialog->isVisible());
    auto* write = dialog->findChild<QPushButton*>("cuWrite");
    dialog->findChild<QComboBox*>("cuEntry")->setCurrentIndex(1);
    QTest::mouseClick(write, Qt::LeftButton);
    EXPECT_TRUE(dialog->findChild<QLabel*>("cuError")->isVisible()) << "its name is mangled";
    dialog->findChild<QComboBox*>("cuEntry")->setCurrentIndex(0);
    EXPECT_EQ(dialog->findChild<QTableWidget*>("cuArguments")->rowCount(), 4);
    QTest::mouseClick(write, Qt::LeftButton);
    ASSERT_TRUE(waitForJobs());
    EXPECT_TRUE(context->catalog().family("scale"));
    EXPECT_EQ(window->currentPage(), "kernels");
}

TEST_F(Doors, AProgramsCommandIsForThisDatabaseAndCopied)
{
    open(utf8(folder.filePath("own.db")));
    QTest::mouseClick(door("profileProgramDoor"), Qt::LeftButton);
    auto* dialog = window->findChild<ProgramDialog*>();
    ASSERT_TRUE(dialog && dialog->isVisible());
    QTest::keyClicks(dialog->findChild<QLineEdit*>("program"), "./train --epochs 1");
    dialog->findChild<QPushButton*>("copyCommand")->click();
    EXPECT_EQ(QApplication::clipboard()->text(),
              QStringLiteral("kloop --db %1 profile -- ./train --epochs 1").arg(folder.filePath("own.db")));
    delete dialog;
}

} // namespace
} // namespace kl::ui
