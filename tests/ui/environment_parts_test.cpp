// SPDX-License-Identifier: MIT
// The page Environment and its cards alone, with a machine that is made up.
#include "core/base/format.h"
#include "sessions/hosts/host_list.h"
#include "tests/support/set_variable.h"
#include "tests/support/snapshot.h"
#include "tests/support/store_support.h"
#include "ui/context/app_context.h"
#include "ui/pages/environment/checked_machine.h"
#include "ui/pages/environment/machine_cards.h"
#include "ui/pages/environment/repairs_card.h"
#include "ui/pages/environment_page.h"
#include "ui/widgets/data_table.h"
#include "ui/widgets/text.h"

#include <gtest/gtest.h>

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include <filesystem>

namespace kl::ui {
namespace {

class Machines : public testing::Test {
protected:
    static void SetUpTestSuite()
    {
        auto opened = AppContext::open(":memory:", DeviceSpec::sample());
        ASSERT_TRUE(opened) << opened.error().message;
        context = opened->release();
    }
    static void TearDownTestSuite() { delete context; }
    static CheckedMachine broken(const DeviceSpec& device)
    {
        CheckedMachine checked;
        checked.device = device;
        checked.report.checks = {
            {"disk-space", Requirement::optional, CheckResult::fail, "1 GB", "", "Delete files."},
            {"numpy", Requirement::required, CheckResult::fail, "numpy 2.0.1", "why", "python3 -m pip install 'numpy<2'"},
            {"driver", Requirement::required, CheckResult::pass, "580", "", "Install one."},
        };
        return checked;
    }
    /// A python3 that installs nothing: it writes its arguments, and ends with this status.
    void fakePython(int status)
    {
        support::writeBytes(folder / "python3", "#!/bin/sh\necho \"asked: $*\"\nexit " + std::to_string(status) + "\n");
        std::filesystem::permissions(folder / "python3", std::filesystem::perms::all);
    }
    static QStringList shownIn(const QWidget& widget)
    {
        QCoreApplication::processEvents();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        QStringList texts;
        for (const QLabel* label : widget.findChildren<QLabel*>())
            if (label->isVisibleTo(&widget))
                texts << label->text().remove(QChar(0x200b));
        return texts;
    }

    support::TempDir folder;
    static AppContext* context;
};
AppContext* Machines::context = nullptr;

TEST_F(Machines, AnAllowedRepairRunsItsCommandAndTheCheckComesAgain)
{
    fakePython(0);
    const std::string path = folder.path().string() + ":/usr/bin:/bin";
    const support::SetVariable variable("PATH", path.c_str());
    RepairsCard card(*context);
    card.QWidget::show();
    card.show(broken(DeviceSpec::local()));
    const QSignalSpy repaired(&card, &RepairsCard::repaired);
    QSignalSpy posted(context, &AppContext::messagePosted);
    card.findChild<QPushButton*>("fix-numpy")->click();
    EXPECT_TRUE(shownIn(card).contains("python3 -m pip install 'numpy<2'")) << "what would run";
    auto* run = card.findChild<QPushButton*>("repairRun");
    run->click();
    EXPECT_FALSE(run->isVisible()) << "it was answered";
    ASSERT_TRUE(waitForJobs());
    EXPECT_EQ(repaired.count(), 1);
    const auto* output = card.findChild<QPlainTextEdit*>();
    EXPECT_TRUE(output->isVisible());
    EXPECT_EQ(output->toPlainText(), "asked: -m pip install numpy<2\n");
    ASSERT_EQ(posted.count(), 1);
    EXPECT_EQ(posted[0][0].value<Message>().level, MessageLevel::success);
    run->click();
    ASSERT_TRUE(waitForJobs());
    EXPECT_EQ(repaired.count(), 1) << "one yes is for one command";
    fakePython(3);
    card.findChild<QPushButton*>("fix-numpy")->click();
    run->click();
    ASSERT_TRUE(waitForJobs());
    ASSERT_EQ(posted.count(), 2);
    EXPECT_EQ(posted[1][0].value<Message>().level, MessageLevel::error);
    EXPECT_EQ(repaired.count(), 2) << "what failed is looked at again, too";
}

TEST_F(Machines, OfALongOutputTheEndIsKept)
{
    support::writeBytes(folder / "python3", "#!/bin/sh\necho first line\nhead -c 30000 /dev/zero | tr '\\0' x\necho\necho last line\n");
    std::filesystem::permissions(folder / "python3", std::filesystem::perms::all);
    const std::string path = folder.path().string() + ":/usr/bin:/bin";
    const support::SetVariable variable("PATH", path.c_str());
    RepairsCard card(*context);
    card.QWidget::show();
    card.show(broken(DeviceSpec::local()));
    card.findChild<QPushButton*>("fix-numpy")->click();
    card.findChild<QPushButton*>("repairRun")->click();
    ASSERT_TRUE(waitForJobs());
    const QString output = card.findChild<QPlainTextEdit*>()->toPlainText();
    EXPECT_TRUE(output.endsWith("xxx\nlast line\n")) << output.right(40).toStdString();
    EXPECT_FALSE(output.contains("first line"));
    EXPECT_EQ(output.size(), 20000);
}

TEST_F(Machines, ARepairIsAskedAboutAndCanBeRefused)
{
    RepairsCard card(*context);
    card.QWidget::show();
    card.show(broken(DeviceSpec::local()));
    const QStringList texts = shownIn(card);
    EXPECT_TRUE(texts.contains("numpy") && texts.contains("disk-space"));
    EXPECT_FALSE(texts.contains("driver")) << "it passed";
    EXPECT_EQ(card.findChild<QPushButton*>("fix-disk-space"), nullptr) << "by hand";
    const QSignalSpy repaired(&card, &RepairsCard::repaired);
    card.findChild<QPushButton*>("fix-numpy")->click();
    card.findChild<QPushButton*>("repairRefuse")->click();
    EXPECT_FALSE(card.findChild<QPushButton*>("repairRun")->isVisible());
    ASSERT_TRUE(waitForJobs());
    EXPECT_EQ(repaired.count(), 0);
    CheckedMachine sound;
    sound.device = DeviceSpec::local();
    card.show(sound);
    const QStringList none = shownIn(card);
    card.show(broken(DeviceSpec::sample()));
    EXPECT_NE(shownIn(card), none) << "that nothing failed is not said of another machine";
    EXPECT_EQ(card.findChild<QPushButton*>("fix-numpy"), nullptr);
}

TEST_F(Machines, RepairsAreThoseOfTheMachineShownLast)
{
    RepairsCard card(*context);
    card.QWidget::show();
    card.show(broken(DeviceSpec::local()));
    card.findChild<QPushButton*>("fix-numpy")->click();
    EXPECT_TRUE(card.findChild<QPushButton*>("repairRun")->isVisible());
    EXPECT_FALSE(shownIn(card).filter("Delete files.").isEmpty()) << "by hand";
    card.show(broken(DeviceSpec::sample()));
    EXPECT_FALSE(card.findChild<QPushButton*>("repairRun")->isVisible()) << "the question was of the other machine";
    EXPECT_TRUE(shownIn(card).filter("Delete files.").isEmpty());
    EXPECT_EQ(card.findChild<QPushButton*>("fix-numpy"), nullptr);
}

TEST_F(Machines, GpusHaveTheirCapabilityAndMemory)
{
    CheckedMachine machine = broken(DeviceSpec::local());
    DeviceInfo gpu;
    gpu.name = "NVIDIA H200";
    gpu.ccMajor = 9;
    gpu.ccMinor = 1;
    gpu.smCount = 132;
    gpu.smemPerBlockOptin = 227 * 1024;
    gpu.smemPerSm = 228 * 1024;
    DeviceInfo other = gpu;
    other.name = "NVIDIA L4";
    machine.gpus = {gpu, other, gpu};
    const support::SetVariable config("XDG_CONFIG_HOME", folder.path().c_str());
    DevicesCard card(*context);
    card.show(machine);
    QStringList texts = shownIn(card);
    for (const char* text : {"2 × NVIDIA H200", "NVIDIA L4", "9.1", "132"})
        EXPECT_TRUE(texts.contains(q(text))) << text << " is not in " << texts.join('|').toStdString();
    EXPECT_LT(texts.indexOf(q(formatWithUnit(227, "KiB"))), texts.indexOf(q(formatWithUnit(228, "KiB")))) << "per block, then per SM";
    EXPECT_GE(texts.indexOf(q(formatWithUnit(227, "KiB"))), 0);
    machine.gpus.clear();
    card.show(machine);
    texts = shownIn(card);
    EXPECT_FALSE(texts.contains("NVIDIA L4")) << "of before";
    EXPECT_EQ(texts.filter(machineName(DeviceSpec::local())).size(), 1) << "which has none";
    EXPECT_EQ(machineName(makeHostDevice("gpu7")), "gpu7");
    EXPECT_NE(machineName(DeviceSpec::sample()), machineName(DeviceSpec::local()));
    EXPECT_FALSE(machineName(DeviceSpec::local()).isEmpty() || machineName(DeviceSpec::sample()).isEmpty());
}

TEST_F(Machines, SnapshotOfTheirNames)
{
    QString text;
    for (const DeviceSpec& device : {DeviceSpec::sample(), DeviceSpec::local(), makeHostDevice("gpu7")})
        text += q(toText(device)) + " | " + machineName(device) + u'\n';
    test::expectSnapshot("ui/machine-names.txt", utf8(text));
}

TEST_F(Machines, ARecordingIsCheckedByItselfAndOthersOnDemand)
{
    EnvironmentPage page(*context);
    page.refresh();
    ASSERT_TRUE(waitForJobs());
    auto* table = page.findChild<DataTable*>();
    ASSERT_GT(table->model()->rowCount(), 5);
    EXPECT_TRUE(table->isVisibleTo(&page));
    EXPECT_FALSE(page.findChild<QLineEdit*>("project")->isEnabled()) << "a recording builds nothing";
    EXPECT_FALSE(page.findChild<QLineEdit*>("torch")->isEnabled());
    const QString first = table->model()->index(0, 1).data().toString();
    table->selectRow(0);
    QStringList texts = shownIn(page);
    EXPECT_GE(texts.count(first), 1) << "the detail of the chosen check: " << first.toStdString();
    table->selectRow(2);
    EXPECT_GE(shownIn(page).count(table->model()->index(2, 1).data().toString()), 1);
    auto* machine = page.findChild<QComboBox*>("machine");
    machine->setCurrentIndex(machine->findData("local"));
    emit machine->activated(machine->currentIndex());
    ASSERT_TRUE(waitForJobs());
    EXPECT_FALSE(table->isVisibleTo(&page)) << "the report is of the other machine";
    EXPECT_TRUE(page.findChild<QLineEdit*>("project")->isEnabled());
    EXPECT_TRUE(page.findChild<QLineEdit*>("torch")->isEnabled());
    EXPECT_EQ(machine->currentData().toString(), "local") << "still chosen after the list was made again";
    const QString check = page.findChild<QPushButton*>("checkEnvironment")->text();
    machine->setCurrentIndex(machine->findData("sample"));
    emit machine->activated(machine->currentIndex());
    ASSERT_TRUE(waitForJobs());
    EXPECT_TRUE(table->isVisibleTo(&page));
    EXPECT_NE(page.findChild<QPushButton*>("checkEnvironment")->text(), check) << "again";
    QSignalSpy requested(context, &AppContext::navigationRequested);
    for (QPushButton* button : page.findChildren<QPushButton*>())
        if (button->text() == "Show pattern")
            button->click();
    ASSERT_EQ(requested.count(), 1);
    EXPECT_EQ(requested[0][0].toString(), "patterns");
    EXPECT_EQ(requested[0][1].toString(), "single-compilation-unit");
}

TEST_F(Machines, AReportIsThatOfTheMachineThatWasAskedFor)
{
    const Result<CheckedMachine> checked = checkOneMachine(*context->engine(), {DeviceSpec::sample(), {}, {}}, {});
    ASSERT_TRUE(checked) << checked.error().message;
    EXPECT_EQ(checked->device, DeviceSpec::sample());
    EXPECT_EQ(checked->gpus, context->engine()->collector->hello().devices);
    EXPECT_FALSE(checked->report.checks.empty());
    EXPECT_FALSE(checked->settings.empty());
    EXPECT_TRUE(checked->report.logFile.empty()) << "a recording has no log";
}

} // namespace
} // namespace kl::ui
