// SPDX-License-Identifier: MIT
// Starting: options, files from outside, what is remembered, and the menu with device and database.
#include "../profiler/fake_slurm.h"
#include "tests/support/build_folder.h"
#include "tests/support/real_reports.h"
#include "ui/context/remembered.h"
#include "ui/widgets/file_choice.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/text.h"
#include "ui/window/mainwindow.h"
#include "ui/window/place_menu.h"
#include "ui/window/title_line.h"

#include <gtest/gtest.h>

#include <QAction>
#include <QDir>
#include <QFile>
#include <QMenu>
#include <QProcess>
#include <QPushButton>
#include <QRegularExpression>
#include <QScreen>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <random>

namespace kl::ui {
namespace {

struct Ended {
    int code = -1;
    QString errors;
};

/// Runs the program to its end, without a display.
Ended runWindow(const QStringList& arguments)
{
    QProcess program;
    program.start(QString::fromStdString(test::buildFolder() + "/bin/kernelloop"), arguments);
    EXPECT_TRUE(program.waitForFinished(60000)) << program.errorString().toStdString();
    return {program.exitCode(), QString::fromUtf8(program.readAllStandardError())};
}

TEST(StartOptions, WhatDoesNotExistIsRefused)
{
    for (const QStringList& arguments :
         {QStringList{"--page", "nosuch"}, {"--theme", "pink"}, {"--on", "foo"}, {"--set", "some", "--shots", "x"}, {"--nosuch"}}) {
        const Ended ended = runWindow(arguments);
        EXPECT_NE(ended.code, 0) << arguments.join(' ').toStdString();
        EXPECT_FALSE(ended.errors.isEmpty()) << arguments.join(' ').toStdString();
        if (arguments != QStringList{"--nosuch"}) { // which Qt refuses by itself
            EXPECT_EQ(ended.code, exitCode(ErrorCode::usage)) << arguments.join(' ').toStdString();
        }
    }
    EXPECT_TRUE(runWindow({"--page", "nosuch"}).errors.contains("diagnose")) << "the pages that there are";
}

TEST(StartOptions, OneDatabaseAtATime)
{
    QTemporaryDir folder;
    const QString file = folder.filePath("a.db");
    ASSERT_TRUE(Store::open(utf8(file)));
    EXPECT_EQ(runWindow({"--db", folder.filePath("b.db"), file}).code, exitCode(ErrorCode::usage));
}

TEST(StartOptions, AWindowThatIsStoppedCancelsItsJob)
{
    const test::FakeSlurm slurm;
    slurm.put("first", "PENDING");
    QTemporaryDir folder;
    QProcess program;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("XDG_CONFIG_HOME"), folder.path()); // the list of hosts
    program.setProcessEnvironment(environment);
    program.start(QString::fromStdString(test::buildFolder() + "/bin/kernelloop"), {"--db", folder.filePath("a.db"), "--on", "slurm:gpu"});
    EXPECT_TRUE(QTest::qWaitFor([&] { return slurm.has("jobs/1/state"); }, 60000));
    program.terminate();
    EXPECT_TRUE(program.waitForFinished(60000)) << program.errorString().toStdString();
    EXPECT_EQ(program.exitCode(), exitCode(ErrorCode::interrupted));
    EXPECT_EQ(slurm.read("jobs/1/state"), "CANCELLED");
}

TEST(Remembered, KeepsPlaceAndRecentDatabases)
{
    QSettings().remove("window");
    EXPECT_TRUE(loadRemembered().database.isEmpty());
    rememberPlace("/a.db", "local");
    rememberPlace("/b.db", "sample");
    rememberPlace("/a.db", "sample");
    rememberPlace(":sample:", "sample");
    EXPECT_EQ(loadRemembered().database, ":sample:");
    EXPECT_EQ(loadRemembered().device, "sample");
    EXPECT_EQ(loadRemembered().databases, (QStringList{"/a.db", "/b.db"}));
    for (int i = 0; i < 20; ++i)
        rememberPlace(QStringLiteral("/%1.db").arg(i), "sample");
    EXPECT_EQ(loadRemembered().databases.size(), 8);
    forgetDatabase("/19.db");
    EXPECT_EQ(loadRemembered().databases.front(), "/18.db");
    EXPECT_TRUE(loadRemembered().database.isEmpty()) << "it was the last one";
    QSettings().remove("window");
}

class Place : public testing::Test {
protected:
    void SetUp() override
    {
        QSettings().remove("window");
        auto opened = AppContext::open(":sample:", DeviceSpec::sample());
        ASSERT_TRUE(opened) << opened.error().message;
        context = std::move(*opened);
        window = std::make_unique<MainWindow>(*context);
        window->show();
        ASSERT_TRUE(waitForJobs());
    }
    void TearDown() override
    {
        waitForJobs();
        window.reset();
        QSettings().remove("window");
    }
    PlaceMenu& place() const { return *window->titleLine()->place(); }
    QAction* entry(const QString& name) const
    {
        emit place().menu()->aboutToShow();
        EXPECT_TRUE(waitForJobs());
        return place().menu()->findChild<QAction*>(name);
    }

    QTemporaryDir folder;
    std::unique_ptr<AppContext> context;
    std::unique_ptr<MainWindow> window;
};

TEST_F(Place, DatabasesAreSwitchedThereAndBack)
{
    const QString own = folder.filePath("work.db");
    place().openDatabase(own);
    ASSERT_TRUE(waitForJobs());
    EXPECT_EQ(context->location(), own);
    EXPECT_TRUE(place().text().contains("work.db"));
    EXPECT_TRUE(window->windowTitle().contains("work.db"));
    entry("database-:sample:")->trigger();
    ASSERT_TRUE(waitForJobs());
    EXPECT_TRUE(context->isSample());
    QAction* recent = entry("database-" + own);
    ASSERT_TRUE(recent) << "it is among the recent ones";
    recent->trigger();
    ASSERT_TRUE(waitForJobs());
    EXPECT_EQ(context->location(), own);
    EXPECT_EQ(loadRemembered().database, own);
}

TEST_F(Place, ADatabaseThatCannotBeOpenedLeavesTheOldOneAndIsForgotten)
{
    QFile file(folder.filePath("broken.db"));
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write("this is not a database, but a text that is long enough to be looked at");
    file.close();
    rememberPlace(file.fileName(), "sample");
    place().openDatabase(file.fileName());
    EXPECT_TRUE(context->isSample());
    EXPECT_EQ(window->messages()->count(), 1);
    EXPECT_FALSE(loadRemembered().databases.contains(file.fileName()));
}

/// A database that is too large to be checked before it is shown.
QString makeLarge(const QString& file)
{
    const auto store = Store::open(utf8(file));
    std::mt19937_64 random(1);
    std::string content(3U << 20U, ' ');
    for (int i = 0; i < 6; ++i) {
        std::ranges::generate(content, [&] { return static_cast<char>(random()); });
        EXPECT_TRUE((*store)->saveArtifact("content-" + std::to_string(i), content));
    }
    return file;
}

/// Its last page, which is one of an artifact.
void damage(const QString& path)
{
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::ReadWrite));
    ASSERT_TRUE(file.seek(file.size() - 4096));
    ASSERT_EQ(file.write(QByteArray(64, '\xee')), 64);
}

QByteArray readContent(const QString& path)
{
    QFile file(path);
    EXPECT_TRUE(file.open(QIODevice::ReadOnly));
    return file.readAll();
}

TEST_F(Place, ALargeDatabaseIsCheckedAfterItIsShown)
{
    const QString file = makeLarge(folder.filePath("large.db"));
    const QSignalSpy checked(context.get(), &AppContext::writabilityChanged);
    place().openDatabase(file);
    EXPECT_EQ(context->location(), file);
    EXPECT_EQ(checked.count(), 0);
    ASSERT_TRUE(waitForJobs());
    EXPECT_EQ(checked.count(), 1);
    EXPECT_FALSE(context->store().unchecked());
    EXPECT_TRUE(context->writeReason().isEmpty());
    EXPECT_TRUE(context->engine()->store->setSetting("x", "1"));
    EXPECT_EQ(window->messages()->count(), 0);
    place().openDatabase(":sample:");
    place().openDatabase(file);
    EXPECT_FALSE(context->store().unchecked()) << "it is remembered";
    ASSERT_TRUE(waitForJobs());
    EXPECT_EQ(checked.count(), 1);
}

TEST_F(Place, KernelsAreAddedOnceALargeDatabaseIsChecked)
{
    window->showPage("kernels");
    ASSERT_TRUE(waitForJobs());
    const auto* add = window->page("kernels")->findChild<QPushButton*>("addKernel");
    ASSERT_NE(add, nullptr);
    place().openDatabase(makeLarge(folder.filePath("large.db")));
    ASSERT_TRUE(waitForJobs());
    EXPECT_TRUE(add->isEnabled()) << add->accessibleDescription().toStdString();
    place().openDatabase(":sample:");
    EXPECT_FALSE(add->isEnabled());
    ASSERT_TRUE(waitForJobs());
}

TEST_F(Place, DamageOfALargeDatabaseIsReportedAfterItIsShownAndNothingIsWritten)
{
    const QString file = makeLarge(folder.filePath("large.db"));
    damage(file);
    const QByteArray before = readContent(file);
    place().openDatabase(file);
    EXPECT_EQ(context->location(), file);
    ASSERT_TRUE(waitForJobs());
    EXPECT_TRUE(context->writeReason().contains(file));
    const Status written = context->engine()->store->setSetting("x", "1");
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().code, ErrorCode::badInput);
    EXPECT_EQ(window->messages()->count(), 1);
    EXPECT_FALSE(loadRemembered().databases.contains(file));
    const auto offered = window->messages()->findChildren<QPushButton*>("messageAction");
    ASSERT_EQ(offered.size(), 2) << "another database, the sample";
    offered[1]->click();
    ASSERT_TRUE(waitForJobs());
    EXPECT_TRUE(context->isSample());
    EXPECT_EQ(readContent(file), before);
}

TEST_F(Place, TheDeviceIsSwitchedWithoutARestart)
{
    QAction* sample = entry("device-sample");
    ASSERT_TRUE(sample);
    EXPECT_TRUE(sample->isChecked());
    context->useDevice(DeviceSpec::local("GPU-00000000"));
    ASSERT_TRUE(waitForJobs());
    EXPECT_EQ(context->device(), DeviceSpec::local("GPU-00000000"));
    EXPECT_FALSE(context->deviceReason().isEmpty()) << "there is no such GPU";
    entry("device-sample")->trigger();
    ASSERT_TRUE(waitForJobs());
    EXPECT_TRUE(context->deviceReason().isEmpty());
    EXPECT_EQ(loadRemembered().device, "sample");
}

TEST_F(Place, TheFirstWindowFitsTheScreen)
{
    ASSERT_LT(window->screen()->availableSize().width(), window->width()) << "the usual size is too large for this screen";
    window->restore();
    window->show();
    EXPECT_TRUE(window->isMaximized()) << "the window manager then gives it what there is";
}

TEST_F(Place, PageAndSizeAreRememberedWhenTheWindowCloses)
{
    window->close();
    EXPECT_TRUE(loadRemembered().page.isEmpty()) << "only of a window that restores them";
    window->restore();
    window->showNormal();
    window->showPage("patterns");
    ASSERT_TRUE(waitForJobs());
    window->close();
    EXPECT_EQ(loadRemembered().page, "patterns");
    MainWindow again(*context);
    again.restore();
    again.show();
    ASSERT_TRUE(waitForJobs());
    EXPECT_EQ(again.currentPage(), "patterns");
}

/// What file managers open with KernelLoop is what the package says that these files are.
TEST(DesktopEntry, OpensTheTypesThatThePackageDefines)
{
    const auto read = [](const char* name) {
        QFile file(QStringLiteral(KL_SOURCE_DIR "/cmake/package/%1").arg(QLatin1String(name)));
        EXPECT_TRUE(file.open(QIODevice::ReadOnly));
        return QString::fromUtf8(file.readAll());
    };
    const auto all = [](const QString& text, const char* pattern) {
        QStringList found;
        for (auto each = QRegularExpression(QLatin1String(pattern)).globalMatch(text); each.hasNext();)
            found << each.next().captured(1);
        found.sort();
        return found;
    };
    const QString entry = read("kernelloop.desktop");
    const QString types = read("kernelloop-mime.xml");
    EXPECT_TRUE(entry.contains("\nExec=kernelloop %F\n")) << "several files at once";
    const QStringList defined = all(types, "<mime-type type=\"([^\"]+)\"");
    ASSERT_EQ(defined.size(), 3);
    EXPECT_EQ(all(entry, "(application/x-[^;=\n]+);"), defined);
    EXPECT_EQ(all(types, "<glob pattern=\"\\*\\.([^\"]+)\""), (QStringList{"bundle", "ncu-rep", "ncu-repz"}));
}

TEST(FileChoice, BeginsWhereTheLastFileForThePurposeWas)
{
    QTemporaryDir folder;
    QSettings().setValue("folders/test", folder.path());
    EXPECT_EQ(lastFolder("test"), folder.path());
    QSettings().setValue("folders/test", "/no/such/folder");
    EXPECT_NE(lastFolder("test"), "/no/such/folder");
    EXPECT_TRUE(QDir(lastFolder("test")).exists());
}

} // namespace
} // namespace kl::ui
