// SPDX-License-Identifier: MIT
// Measuring on another machine from the window, with a program in the place of ssh.
#include "sessions/hosts/host_list.h"
#include "tests/profiler/fake_ssh.h"
#include "tests/support/build_folder.h"
#include "tests/support/set_variable.h"
#include "ui/context/remembered.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/text.h"
#include "ui/window/mainwindow.h"
#include "ui/window/place_menu.h"
#include "ui/window/preferences/prices_dialog.h"
#include "ui/window/title_line.h"

#include <gtest/gtest.h>

#include <QAction>
#include <QMenu>
#include <QPushButton>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

namespace kl::ui {
namespace {

class RemotePlace : public testing::Test {
protected:
    void SetUp() override
    {
        QSettings().remove("window");
        ssh.installWorker("exec '" + test::buildFolder() +
                          "/bin/kloop-worker' --replay '" KL_SOURCE_DIR "/resources/captures/h200-transpose.zst' \"$@\"");
        for (const char* host : {"gpu7", "gpu8"})
            ASSERT_TRUE(HostList().change(host, [](KnownHost& known) { known.gpus = {"NVIDIA H200"}; }));
        auto opened = AppContext::open(utf8(folder.filePath("own.db")), DeviceSpec::sample());
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
        context.reset();
        QSettings().remove("window");
    }
    PlaceMenu& place() const { return *window->titleLine()->place(); }
    QAction* entry(const QString& name) const
    {
        emit place().menu()->aboutToShow();
        EXPECT_TRUE(waitForJobs());
        return place().menu()->findChild<QAction*>(name);
    }
    void choose(const QString& name) const
    {
        QAction* action = entry(name);
        ASSERT_TRUE(action) << utf8(name);
        action->trigger();
        ASSERT_TRUE(waitForJobs());
    }

    QTemporaryDir folder;
    support::SetVariable config{"XDG_CONFIG_HOME", folder.filePath("config").toUtf8().constData()};
    support::SetVariable data{"XDG_DATA_HOME", folder.filePath("data").toUtf8().constData()};
    support::SetVariable worker{"KERNELLOOP_WORKER", test::kBuiltWorker.c_str()};
    test::FakeSsh ssh;
    std::unique_ptr<AppContext> context;
    std::unique_ptr<MainWindow> window;
};

TEST_F(RemotePlace, AKernelIsMeasuredOnTheHostChosenInTheTitle)
{
    choose("device-ssh:gpu7");
    EXPECT_EQ(context->device(), makeHostDevice("gpu7"));
    EXPECT_TRUE(place().text().contains("gpu7")) << utf8(context->deviceReason());
    EXPECT_EQ(loadRemembered().device, "ssh:gpu7");
    EXPECT_TRUE(entry("device-ssh:gpu7")->isChecked());
    window->showPage("kernels", "transpose/naive");
    ASSERT_TRUE(waitForJobs());
    auto* measure = window->page("kernels")->findChild<QPushButton*>("run");
    ASSERT_TRUE(measure && measure->isEnabled());
    QTest::mouseClick(measure, Qt::LeftButton);
    ASSERT_TRUE(waitForJobs());
    const auto runs = context->store().runs({});
    ASSERT_TRUE(runs && runs->size() == 1U) << window->messages()->count();
    EXPECT_EQ(runs->front().kernel, "transpose/naive");
    const Result<RunRecord> run = context->store().run(runs->front().id);
    ASSERT_TRUE(run) << run.error().message;
    EXPECT_EQ(run->source, Source::live);
    EXPECT_TRUE(run->timing);
    EXPECT_FALSE(HostList().find("gpu7")->usedAt.empty());
}

TEST_F(RemotePlace, AHostThatIsDownSaysWhyAndTheNextOneIsAClickAway)
{
    ssh.touch("down-gpu8");
    choose("device-ssh:gpu8");
    EXPECT_FALSE(context->deviceReason().isEmpty());
    EXPECT_FALSE(context->explainUnmeasurable().isEmpty());
    choose("device-ssh:gpu7");
    EXPECT_TRUE(context->deviceReason().isEmpty());
    EXPECT_TRUE(context->explainUnmeasurable().isEmpty());
}

TEST_F(RemotePlace, WhatAHostHasIsNotedWhenTheWindowMeetsIt)
{
    ASSERT_TRUE(HostList().change("gpu7", [](KnownHost& known) { known.gpus = {"NVIDIA T4"}; }));
    choose("device-ssh:gpu7");
    const KnownHost met = *HostList().find("gpu7");
    EXPECT_EQ(met.state, HostState::ready);
    EXPECT_FALSE(met.checkedAt.empty());
    EXPECT_FALSE(met.worker.empty());
    ASSERT_EQ(met.gpus.size(), 1U);
    EXPECT_NE(met.gpus[0], "NVIDIA T4") << "of its worker, not of the list";
    ssh.touch("down-gpu8");
    choose("device-ssh:gpu8");
    const KnownHost down = *HostList().find("gpu8");
    EXPECT_NE(down.state, HostState::ready);
    EXPECT_FALSE(down.reason.empty());
    EXPECT_EQ(HostList().find("gpu7")->state, HostState::ready) << "the other one is as it was";
}

TEST_F(RemotePlace, HostsAreAddedFromTheMenu)
{
    entry("hostsOpen")->trigger();
    auto* dialog = window->findChild<PricesDialog*>();
    ASSERT_TRUE(dialog && dialog->isVisible());
    dialog->close();
    EXPECT_EQ(entry("device-ssh:gpu9"), nullptr);
    context->useDevice(makeHostDevice("gpu9"));
    ASSERT_TRUE(waitForJobs());
    EXPECT_NE(entry("device-ssh:gpu9"), nullptr) << "what is measured on is in the menu, too";
}

} // namespace
} // namespace kl::ui
