// SPDX-License-Identifier: MIT
// Checking a machine from the page Environment: what its worker is asked, and what the page says of the answer.
#include "kernels/starter.h"
#include "sessions/hosts/host_list.h"
#include "sessions/measure/registered_kernels.h"
#include "sessions/store/store.h"
#include "tests/support/fake_collector.h"
#include "tests/support/set_variable.h"
#include "tests/support/store_support.h"
#include "ui/context/app_context.h"
#include "ui/models/env_check_model.h"
#include "ui/pages/environment/checked_machine.h"
#include "ui/pages/environment/machine_cards.h"
#include "ui/pages/environment/repairs_card.h"
#include "ui/pages/environment_page.h"
#include "ui/widgets/card.h"
#include "ui/widgets/data_table.h"
#include "ui/widgets/text.h"

#include <gtest/gtest.h>

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTest>

namespace kl::ui {
namespace {

/// Keeps what it is asked.
class AskedCollector : public test::FakeCollector {
public:
    using test::FakeCollector::FakeCollector;
    Result<Json> ask(Verb verb, const Json& body, const Job& job) override
    {
        bodies.push_back(body);
        return test::FakeCollector::ask(verb, body, job);
    }
    std::vector<Json> bodies;
};

class MachineChecks : public testing::Test {
protected:
    void SetUp() override
    {
        auto opened = AppContext::open((folder / "own.db").string(), DeviceSpec::sample());
        ASSERT_TRUE(opened) << opened.error().message;
        context = std::move(*opened);
    }
    /// The engine of the window, measuring with another collector.
    std::shared_ptr<Engine> engineWith(std::shared_ptr<Collector> collector) const
    {
        const std::shared_ptr<Engine>& own = context->engine();
        return std::make_shared<Engine>(own->kernels, own->tree, own->store, std::move(collector), std::make_shared<std::mutex>());
    }
    support::TempDir folder;
    const std::string path = folder.path().string();
    support::SetVariable config{"XDG_CONFIG_HOME", path.c_str()};
    support::SetVariable state{"XDG_STATE_HOME", path.c_str()};
    std::unique_ptr<AppContext> context;
};

TEST_F(MachineChecks, TheWorkerThatMeasuresThereIsAskedForWhatIsRequired)
{
    const auto fake = std::make_shared<AskedCollector>(Source::live);
    const Result<CheckedMachine> checked = checkOneMachine(*engineWith(fake), {DeviceSpec::local(), {}, "2.2.1"}, {});
    ASSERT_TRUE(checked) << checked.error().message;
    ASSERT_EQ(fake->bodies.size(), 1U) << "no second worker";
    const std::string requested = fake->bodies[0].dump();
    EXPECT_NE(requested.find("\"2.2.1\""), std::string::npos) << requested;
    EXPECT_NE(requested.find('"' + path + '"'), std::string::npos) << "the disk of the database: " << requested;
    EXPECT_EQ(checked->device, DeviceSpec::local());
    ASSERT_EQ(checked->gpus.size(), 1U);
    EXPECT_EQ(checked->gpus[0].name, "Fake H200");
    EXPECT_EQ(checked->report.checks.front().id, "gpu");
    EXPECT_FALSE(checkOneMachine(*engineWith(fake), {DeviceSpec::local(), (folder / "none.json").string(), {}}, {}))
        << "a project file that is not there";
}

TEST_F(MachineChecks, AMachineWithoutAWorkerHasAReportAndOtherErrorsNone)
{
    const auto fake = std::make_shared<AskedCollector>(Source::live);
    fake->failWith = Error{.code = ErrorCode::environment, .message = "no worker"};
    const Result<CheckedMachine> checked = checkOneMachine(*engineWith(fake), {DeviceSpec::local(), {}, {}}, {});
    ASSERT_TRUE(checked);
    EXPECT_EQ(std::ranges::count(checked->report.checks, CheckResult::pass, &EnvCheck::result) ==
                  static_cast<std::ptrdiff_t>(checked->report.checks.size()),
              false);
    fake->failWith = Error{.code = ErrorCode::interrupted, .message = "stopped"};
    const Result<CheckedMachine> stopped = checkOneMachine(*engineWith(fake), {DeviceSpec::local(), {}, {}}, {});
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().code, ErrorCode::interrupted);
}

TEST_F(MachineChecks, ThePageCountsWhatPassedAndShowsItsDetail)
{
    for (const char* host : {"gpu7", "gpu8"})
        ASSERT_TRUE(HostList().change(host, [](KnownHost&) {}));
    EnvironmentPage page(*context);
    page.refresh();
    ASSERT_TRUE(waitForJobs());
    const auto* table = page.findChild<DataTable*>();
    const auto* model = table->model();
    int passed = 0;
    for (int row = 0; row < model->rowCount(); ++row)
        passed += model->index(row, EnvCheckModel::Result).data().toString().contains(q("✓"));
    ASSERT_GT(passed, 0);
    bool counted = false, detailed = false;
    for (const Card* card : page.findChildren<Card*>()) {
        counted = counted || card->title().contains(QStringLiteral(" %1 of %2 ").arg(passed).arg(model->rowCount()));
        detailed = detailed || card->title() == model->index(0, EnvCheckModel::Check).data().toString();
    }
    EXPECT_TRUE(counted);
    EXPECT_TRUE(detailed) << "of the first, where none failed";
    EXPECT_FALSE(page.findChild<QLabel*>("environmentLog")->text().contains("<a ")) << "a recording has no log";
    const auto* machine = page.findChild<QComboBox*>("machine");
    QStringList machines;
    for (int i = 0; i < machine->count(); ++i)
        machines << machine->itemData(i).toString();
    EXPECT_EQ(machines, (QStringList{"sample", "local", q(toText(makeHostDevice("gpu7"))), q(toText(makeHostDevice("gpu8")))}))
        << "what is measured on first, each once";
    EXPECT_TRUE(machine->itemText(0).contains(context->deviceName()));
    EXPECT_EQ(machine->itemText(2), "gpu7");
    page.refresh();
    ASSERT_TRUE(waitForJobs());
    EXPECT_EQ(machine->count(), 4);
}

TEST_F(MachineChecks, TheFirstCheckThatFailedIsExplainedUntilAnotherIsChosen)
{
    const auto fake = std::make_shared<AskedCollector>(Source::live);
    fake->environment.checks = {{"gpu", Requirement::required, CheckResult::pass, "Fake H200", "why of the first", "fix of the first"},
                                {"numpy", Requirement::required, CheckResult::fail, "numpy 2", "why of numpy", "fix of numpy"},
                                {"torch", Requirement::required, CheckResult::fail, "torch 1", "why of torch", ""}};
    context->engine()->collector = fake;
    EnvironmentPage page(*context);
    page.refresh();
    auto* machine = page.findChild<QComboBox*>("machine");
    machine->setCurrentIndex(machine->findData("local"));
    emit machine->activated(machine->currentIndex());
    ASSERT_TRUE(waitForJobs());
    fake->bodies.clear();
    page.findChild<QLineEdit*>("torch")->setText(" 2.2.1 ");
    page.findChild<QPushButton*>("checkEnvironment")->click();
    ASSERT_TRUE(waitForJobs());
    ASSERT_EQ(fake->bodies.size(), 1U);
    EXPECT_NE(fake->bodies[0].dump().find("\"2.2.1\""), std::string::npos);
    auto* table = page.findChild<DataTable*>();
    const auto* model = table->model();
    const auto findRow = [&](const char* id) {
        for (int row = 0; row < model->rowCount(); ++row)
            if (model->index(row, EnvCheckModel::Check).data().toString() == checkName(id))
                return row;
        return -1;
    };
    const auto* why = page.findChild<QLabel*>("checkWhy");
    const auto* fix = page.findChild<QLabel*>("checkFix");
    const auto explained = [&] {
        QStringList titles;
        for (const Card* card : page.findChildren<Card*>())
            if (card->isAncestorOf(why))
                titles << card->title();
        return titles.value(0);
    };
    EXPECT_EQ(why->text(), "why of numpy");
    EXPECT_EQ(explained(), checkName("numpy"));
    EXPECT_FALSE(fix->isHidden());
    EXPECT_TRUE(fix->text().endsWith("fix of numpy"));
    ASSERT_GE(findRow("gpu"), 0);
    table->selectRow(findRow("gpu"));
    EXPECT_EQ(why->text(), "why of the first");
    EXPECT_TRUE(fix->isHidden()) << "it passed";
    table->selectRow(findRow("torch"));
    EXPECT_EQ(why->text(), "why of torch");
    EXPECT_TRUE(fix->isHidden()) << "nothing is known to fix it";
}

TEST_F(MachineChecks, AHostThatIsNotReadySaysWhyInPlaceOfItsGpus)
{
    Hello hello;
    hello.devices = {DeviceInfo{.name = "NVIDIA H200"}};
    ASSERT_TRUE(HostList().noteUse("gpu7", hello));
    ASSERT_TRUE(HostList().change("gpu7", [](KnownHost& host) {
        host.state = HostState::unreachable;
        host.reason = "no route";
    }));
    CheckedMachine machine;
    machine.device = DeviceSpec::local();
    DevicesCard card(*context);
    card.show(machine);
    QStringList texts;
    for (const QLabel* label : card.findChildren<QLabel*>())
        texts << label->text();
    EXPECT_TRUE(texts.contains("gpu7\nno route")) << texts.join('|').toStdString();
    EXPECT_TRUE(texts.contains(q(toWord(HostState::unreachable))));
    EXPECT_TRUE(texts.filter("$0").isEmpty()) << "what cost nothing has no figure";
}

TEST_F(MachineChecks, RepairsAreOfferedForThisMachineInItsOrder)
{
    CheckedMachine machine;
    machine.device = DeviceSpec::local();
    machine.report.checks = {{"numpy", Requirement::required, CheckResult::fail, "2.0", "", "python3 -m pip install 'numpy<2'"},
                             {"torch", Requirement::optional, CheckResult::pass, "2.2", "", "python3 -m pip install torch"}};
    RepairsCard card(*context);
    card.QWidget::show();
    card.show(machine);
    EXPECT_TRUE(card.findChild<QPushButton*>("fix-numpy"));
    EXPECT_EQ(card.findChild<QPushButton*>("fix-torch"), nullptr) << "it passed";
    EXPECT_TRUE(card.findChild<QPlainTextEdit*>()->isHidden()) << "nothing ran yet";
    QStringList captions;
    for (const bool failed : {true, false}) {
        machine.report.checks[0].result = failed ? CheckResult::fail : CheckResult::pass;
        card.show(machine);
        for (const QLabel* label : card.findChildren<QLabel*>())
            if (label->isVisible() && label->property("token").isValid() && !label->text().isEmpty() && label->parentWidget() == &card)
                captions << label->text();
    }
    EXPECT_EQ(captions.removeDuplicates(), 0) << captions.join('|').toStdString();
}

TEST_F(MachineChecks, AKernelThatAnotherProgramRegistersIsRead)
{
    const auto descriptor = writeStarter("copy", "mine", (folder / "mine").string());
    ASSERT_TRUE(descriptor) << descriptor.error().message;
    int changed = 0;
    QObject::connect(context.get(), &AppContext::kernelsChanged, context.get(), [&](const QStringList&) { ++changed; });
    const auto other = support::openStore((folder / "own.db").string());
    ASSERT_TRUE(other->setSetting("x", "1"));
    context->pollData();
    EXPECT_EQ(changed, 0) << "no kernel";
    ASSERT_TRUE(registerKernel(*other, *descriptor));
    context->pollData();
    EXPECT_EQ(changed, 1);
    EXPECT_TRUE(context->catalog().family("mine"));
}

} // namespace
} // namespace kl::ui
