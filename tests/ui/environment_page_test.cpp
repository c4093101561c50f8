// SPDX-License-Identifier: MIT
// The page Environment: a recording is checked at once, a machine on request; settings and recipe to copy; repairs ask first.
#include "sessions/hosts/host_list.h"
#include "ui/pages/environment/machine_cards.h"
#include "ui/pages/environment/repairs_card.h"
#include "ui/pages/environment_page.h"
#include "ui/widgets/data_table.h"
#include "ui/window/mainwindow.h"

#include <gtest/gtest.h>

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

namespace kl::ui {
namespace {

class EnvironmentPages : public testing::Test {
protected:
    static void SetUpTestSuite()
    {
        auto opened = AppContext::open(":sample:", DeviceSpec::sample());
        ASSERT_TRUE(opened) << opened.error().message;
        context = opened->release();
    }
    static void TearDownTestSuite() { delete context; }
    static CheckedMachine failing(const DeviceSpec& device)
    {
        CheckedMachine checked;
        checked.device = device;
        checked.report.checks = {{"numpy", Requirement::required, CheckResult::fail, "numpy 2.0.1", "torch 2.2 needs an older one",
                                  "python3 -m pip install 'numpy<2'"},
                                 {"driver", Requirement::required, CheckResult::fail, "none", "", "Install the driver."}};
        return checked;
    }
    static AppContext* context;
};
AppContext* EnvironmentPages::context = nullptr;

TEST_F(EnvironmentPages, ARecordingIsCheckedAtOnce)
{
    MainWindow window(*context);
    window.show();
    window.showPage("environment");
    ASSERT_TRUE(waitForJobs());
    Page* page = window.page("environment");
    EXPECT_GT(page->findChild<DataTable*>()->model()->rowCount(), 10);
    QTest::mouseClick(page->findChild<QPushButton*>("buildRecipeCopy"), Qt::LeftButton);
    const QString recipe = QApplication::clipboard()->text();
    EXPECT_EQ(recipe, page->findChild<QPlainTextEdit*>("buildRecipe")->toPlainText());
    EXPECT_TRUE(recipe.startsWith("# ")) << "a document";
    for (const char* part : {"\n1. [", "TORCH_CUDA_ARCH_LIST=9.0", "PYBIND11_MODULE"})
        EXPECT_TRUE(recipe.contains(part)) << part;
    QTest::mouseClick(page->findChild<QPushButton*>("shellSettingsCopy"), Qt::LeftButton);
    EXPECT_TRUE(QApplication::clipboard()->text().contains("TORCH_CUDA_ARCH_LIST=9.0"));
    EXPECT_FALSE(QApplication::clipboard()->text().contains("PYBIND11_MODULE")) << "the settings alone";
    auto* machine = page->findChild<QComboBox*>("machine");
    const int local = machine->findData("local");
    ASSERT_GE(local, 0) << "this machine can be chosen, too";
    machine->setCurrentIndex(local);
    emit machine->activated(local);
    ASSERT_TRUE(waitForJobs());
    EXPECT_FALSE(page->findChild<DataTable*>()->isVisible()) << "a machine is checked when it is asked for";
}

TEST_F(EnvironmentPages, ARepairRunsOnlyAfterConsent)
{
    RepairsCard card(*context);
    card.QWidget::show();
    card.show(failing(DeviceSpec::local()));
    EXPECT_FALSE(card.findChild<QPushButton*>("fix-driver")) << "what only a person can do";
    auto* run = card.findChild<QPushButton*>("repairRun");
    EXPECT_FALSE(run->isVisible());
    QTest::mouseClick(card.findChild<QPushButton*>("fix-numpy"), Qt::LeftButton);
    EXPECT_TRUE(run->isVisible());
    QTest::mouseClick(card.findChild<QPushButton*>("repairRefuse"), Qt::LeftButton);
    EXPECT_FALSE(run->isVisible());
    EXPECT_EQ(JobMonitor::instance().active(), 0);
}

TEST_F(EnvironmentPages, WhatIsMissingElsewhereIsNotRepairedHere)
{
    RepairsCard card(*context);
    card.show(failing(DeviceSpec::sample()));
    EXPECT_FALSE(card.findChild<QPushButton*>("fix-numpy"));
}

TEST_F(EnvironmentPages, TheListOfHostsHasStateGpusPriceAndLastUse)
{
    const QTemporaryDir folder;
    const QByteArray before = qgetenv("XDG_CONFIG_HOME");
    qputenv("XDG_CONFIG_HOME", folder.path().toUtf8());
    Hello hello;
    hello.devices = {DeviceInfo{.name = "NVIDIA H200"}, DeviceInfo{.name = "NVIDIA H200"}};
    const HostList hosts;
    ASSERT_TRUE(hosts.noteUse("gpu7", hello));
    ASSERT_TRUE(hosts.change("gpu7", [](KnownHost& host) { host.dollarsPerHour = 2.5; }));
    ASSERT_TRUE(hosts.noteHeld("gpu7", {.begin = 0, .end = 7200}));
    DevicesCard card(*context);
    card.show(failing(DeviceSpec::local()));
    QStringList shown;
    for (const QLabel* label : card.findChildren<QLabel*>())
        shown += label->text();
    const Result<KnownHost> gpu7 = hosts.find("gpu7");
    ASSERT_TRUE(gpu7);
    for (const QString& text : {QStringLiteral("gpu7\n2 × NVIDIA H200"), QStringLiteral("ready"), QStringLiteral("$2.50"),
                                QStringLiteral("$5.00"), QString::fromStdString(lastUse(*gpu7))})
        EXPECT_TRUE(shown.contains(text)) << text.toStdString() << " is not in " << shown.join(" | ").toStdString();
    if (before.isNull())
        qunsetenv("XDG_CONFIG_HOME");
    else
        qputenv("XDG_CONFIG_HOME", before);
}

TEST_F(EnvironmentPages, CardsOfSeveralRecordingsAreNotCounted)
{
    CheckedMachine machine = failing(DeviceSpec::sample());
    machine.gpus = {DeviceInfo{.name = "NVIDIA H200"}, DeviceInfo{.name = "NVIDIA H200"}};
    DevicesCard card(*context);
    const auto shows = [&](const QString& text) {
        return std::ranges::any_of(card.findChildren<QLabel*>(), [&](const QLabel* label) { return label->text() == text; });
    };
    card.show(machine);
    EXPECT_TRUE(shows(QStringLiteral("NVIDIA H200")));
    machine.device = DeviceSpec::local();
    card.show(machine);
    EXPECT_TRUE(shows(QStringLiteral("2 × NVIDIA H200")));
}

TEST_F(EnvironmentPages, TheDeviceMenuLeadsToIt)
{
    MainWindow window(*context);
    window.show();
    window.findChild<QAction*>("check-machine")->trigger();
    EXPECT_EQ(window.currentPage(), "environment");
    ASSERT_TRUE(waitForJobs());
}

} // namespace
} // namespace kl::ui
