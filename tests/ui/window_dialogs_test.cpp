// SPDX-License-Identifier: MIT
// Forms of the menus File, Tools and Help without the window, and the actions of these menus.
#include "kernels/starter.h"
#include "sessions/import/open_file.h"
#include "sessions/learning/money.h"
#include "tests/support/set_variable.h"
#include "tests/support/store_support.h"
#include "ui/context/app_context.h"
#include "ui/widgets/text.h"
#include "ui/window/help_window.h"
#include "ui/window/preferences/prices_dialog.h"
#include "ui/window/preferences/value_table.h"
#include "ui/window/preferences_dialog.h"
#include "ui/window/tools/bisect_dialog.h"
#include "ui/window/tools/calibrate_dialog.h"
#include "ui/window/tools/export_dialog.h"
#include "ui/window/window_actions.h"

#include <gtest/gtest.h>

#include <QAction>
#include <QComboBox>
#include <QCoreApplication>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTableWidget>
#include <QTextBrowser>

namespace kl::ui {
namespace {

TEST(ValueFilters, ShowRowsWithEveryWord)
{
    ValueTable table({"Question", "Class"}, "Values", nullptr);
    table.setRows({{"a", {"Is it DRAM?", "dram-bound"}, {}, 1, 1}, {"b", {"Is it L2?", "l2-bound"}, {}, 2, 2}});
    const auto hidden = [&](const char* words) {
        table.filter(QString::fromLatin1(words));
        return std::pair(table.isRowHidden(0), table.isRowHidden(1));
    };
    EXPECT_EQ(hidden("dram"), std::pair(false, true));
    EXPECT_EQ(hidden("BOUND is"), std::pair(false, false));
    EXPECT_EQ(hidden("bound dram l2"), std::pair(true, true));
    EXPECT_EQ(hidden(""), std::pair(false, false));
    EXPECT_EQ(table.item(1, 0)->text(), "Is it L2?");
    EXPECT_EQ(table.item(1, 2)->text(), "2");
    EXPECT_EQ(table.item(1, 3)->text(), "2");
    EXPECT_FALSE(table.item(0, 0)->flags().testFlag(Qt::ItemIsEditable));
    EXPECT_TRUE(table.item(0, 2)->flags().testFlag(Qt::ItemIsEditable));
    EXPECT_FALSE(table.item(0, 3)->flags().testFlag(Qt::ItemIsEditable)) << "a default stays";
}

class Dialogs : public testing::Test {
protected:
    void SetUp() override { open((folder / "own.db").string()); }
    void open(const std::string& location)
    {
        auto opened = AppContext::open(location, DeviceSpec::sample());
        ASSERT_TRUE(opened) << opened.error().message;
        context = std::move(*opened);
    }
    static QPushButton& start(ToolDialog& dialog) { return *dialog.findChild<QPushButton*>("toolStart"); }
    support::TempDir folder;
    const std::string path = folder.path().string();
    support::SetVariable config{"XDG_CONFIG_HOME", path.c_str()};
    std::unique_ptr<AppContext> context;
};

TEST_F(Dialogs, PricesAreThoseOfTheDatabaseWithTheirDefaults)
{
    ASSERT_TRUE(setGpuPrice(*context->engine()->store, "NVIDIA H200", 1.5));
    PricesDialog dialog(*context, nullptr);
    auto& prices = *dialog.findChild<ValueTable*>("gpuPrices");
    int row = 0;
    while (row < prices.rowCount() && prices.item(row, 0)->text() != "NVIDIA H200")
        ++row;
    ASSERT_LT(row, prices.rowCount());
    EXPECT_EQ(prices.item(row, 2)->text(), "1.5");
    EXPECT_NE(prices.item(row, 3)->text(), "1.5") << "the shipped price";
    EXPECT_TRUE(prices.item(row, 2)->font().bold());
    EXPECT_TRUE(prices.isEnabled());
    const QSignalSpy posted(context.get(), &AppContext::messagePosted);
    prices.item(row, 2)->setText("-3");
    QCoreApplication::processEvents();
    EXPECT_EQ(posted.count(), 1) << "no such price";
    EXPECT_EQ(prices.item(row, 2)->text(), "1.5");
    dialog.findChild<QPushButton*>("hostAdd")->click();
    EXPECT_EQ(dialog.findChild<ValueTable*>("hostPrices")->rowCount(), 0) << "without a name";
    EXPECT_FALSE(dialog.findChild<QPushButton*>("hostRemove")->isEnabled()) << "none is chosen";
    for (const char* host : {"gpu7", "gpu8"}) {
        dialog.findChild<QLineEdit*>("hostName")->setText(QString::fromLatin1(host));
        dialog.findChild<QPushButton*>("hostAdd")->click();
    }
    auto& hosts = *dialog.findChild<ValueTable*>("hostPrices");
    ASSERT_EQ(hosts.rowCount(), 2);
    EXPECT_TRUE(dialog.findChild<QLineEdit*>("hostName")->text().isEmpty());
    const QString second = hosts.item(1, 0)->text();
    hosts.selectRow(1);
    dialog.findChild<QPushButton*>("hostRemove")->click();
    ASSERT_EQ(hosts.rowCount(), 1);
    EXPECT_NE(hosts.item(0, 0)->text(), second);
    open(":sample:");
    const PricesDialog locked(*context, nullptr);
    EXPECT_FALSE(locked.findChild<ValueTable*>("gpuPrices")->isEnabled()) << "read-only";
    EXPECT_TRUE(locked.findChild<ValueTable*>("hostPrices")->isEnabled()) << "not of the database";
}

TEST_F(Dialogs, PreferencesAreKeptOnceTheyAreEntered)
{
    const support::SetVariable python("KLOOP_PYTHON", nullptr);
    PreferencesDialog dialog(*context, nullptr);
    auto* rate = dialog.findChild<QDoubleSpinBox*>("engineerRate");
    EXPECT_DOUBLE_EQ(rate->value(), engineerRate(context->store()));
    rate->setValue(77.5);
    emit rate->editingFinished();
    EXPECT_DOUBLE_EQ(engineerRate(context->store()), 77.5);
    auto* line = dialog.findChild<QLineEdit*>("python");
    line->setText(" /opt/python ");
    emit line->editingFinished();
    EXPECT_EQ(qEnvironmentVariable("KLOOP_PYTHON"), "/opt/python");
    line->clear();
    emit line->editingFinished();
    EXPECT_FALSE(qEnvironmentVariableIsSet("KLOOP_PYTHON"));
    EXPECT_DOUBLE_EQ(PreferencesDialog(*context, nullptr).findChild<QDoubleSpinBox*>("engineerRate")->value(), 77.5);
    QSettings().remove("python");
}

TEST_F(Dialogs, AnExportIsOfTheChosenKernel)
{
    Store& store = *context->engine()->store;
    ASSERT_TRUE(store.saveRun(support::timedRun("a", "naive", "2026-03-01T09:00:00.000Z", 5)));
    RunRecord other = support::timedRun("b", "vector", "2026-03-01T09:00:01.000Z", 5);
    other.kernel.family = "copy";
    ASSERT_TRUE(store.saveRun(other));
    ExportDialog dialog(*context, nullptr);
    dialog.show();
    auto* kernel = dialog.findChild<QComboBox*>("exportKernel");
    const auto exported = [&](const char* family, const char* name) {
        kernel->setCurrentIndex(kernel->findData(QString::fromLatin1(family)));
        dialog.findChild<QLineEdit*>("exportFile")->setText(q((folder / name).string()));
        start(dialog).click();
        EXPECT_FALSE(start(dialog).isEnabled()) << "while it writes";
        EXPECT_TRUE(waitForJobs());
        EXPECT_TRUE(start(dialog).isEnabled());
        const auto read = openFile((folder / name).string(), context->tree(), context->catalog());
        return read ? static_cast<int>(read->runs.size()) : -1;
    };
    const QSignalSpy posted(context.get(), &AppContext::messagePosted);
    EXPECT_EQ(exported("copy", "copy.bundle"), 1);
    EXPECT_EQ(exported("", "all.bundle"), 2);
    EXPECT_EQ(posted.count(), 2);
    const QString answer = dialog.findChild<QLabel*>("toolAnswer")->text();
    EXPECT_TRUE(answer.startsWith("2 runs")) << answer.toStdString();
    EXPECT_EQ(exported("reduction", "none.bundle"), -1);
    EXPECT_EQ(posted.count(), 2) << "nothing was saved";
    EXPECT_NE(dialog.findChild<QLabel*>("toolAnswer")->text(), answer);
    dialog.findChild<QLineEdit*>("exportFile")->setText("  ");
    EXPECT_FALSE(start(dialog).isEnabled());
}

TEST_F(Dialogs, BisectingNeedsARevisionAndADeviceThatCanJudge)
{
    const auto descriptor = writeStarter("copy", "mine", (folder / "mine").string());
    ASSERT_TRUE(descriptor) << descriptor.error().message;
    ASSERT_TRUE(context->addKernel(*descriptor));
    BisectDialog dialog(*context, nullptr);
    dialog.show();
    auto* kernel = dialog.findChild<QComboBox*>("bisectKernel");
    ASSERT_GE(kernel->count(), 1);
    EXPECT_TRUE(kernel->itemText(0).startsWith("mine/"));
    EXPECT_FALSE(start(dialog).isEnabled()) << "no good revision";
    auto* good = dialog.findChild<QLineEdit*>("bisectGood");
    good->setText("  ");
    EXPECT_FALSE(start(dialog).isEnabled());
    good->setText("HEAD~3");
    EXPECT_TRUE(start(dialog).isEnabled()) << "builds can be judged anywhere";
    auto* about = dialog.findChild<QComboBox*>("bisectAbout");
    for (int i = 1; i < about->count(); ++i) {
        about->setCurrentIndex(i);
        EXPECT_FALSE(start(dialog).isEnabled()) << "a recording runs no other code: " << i;
    }
    about->setCurrentIndex(0);
    EXPECT_TRUE(start(dialog).isEnabled());
    EXPECT_EQ(dialog.findChild<QLineEdit*>("bisectBad")->text(), "HEAD");
    dialog.findChild<QLineEdit*>("bisectProblem")->setText("no size");
    start(dialog).click();
    EXPECT_EQ(JobMonitor::instance().active(), 0) << "the size is not one";
    EXPECT_FALSE(dialog.findChild<QLabel*>("toolAnswer")->text().isEmpty());
    dialog.findChild<QLineEdit*>("bisectProblem")->clear();
    start(dialog).click();
    ASSERT_TRUE(waitForJobs());
    EXPECT_TRUE(start(dialog).isEnabled()) << "its folder has no history";
    EXPECT_TRUE(dialog.findChild<QTableWidget*>("toolTable")->isHidden());
}

TEST_F(Dialogs, ACalibrationIsOfTheChosenKernelAsOftenAsAsked)
{
    CalibrateDialog dialog(*context, nullptr);
    dialog.show();
    auto* kernel = dialog.findChild<QComboBox*>("calibrateKernel");
    EXPECT_EQ(kernel->count(), static_cast<int>(context->catalog().addresses().size()) + 1);
    kernel->setCurrentIndex(kernel->findData("transpose/naive"));
    dialog.findChild<QSpinBox*>("calibrateRepeats")->setValue(2);
    ASSERT_TRUE(start(dialog).isEnabled());
    start(dialog).click();
    ASSERT_TRUE(waitForJobs());
    const auto* table = dialog.findChild<QTableWidget*>("toolTable");
    ASSERT_EQ(table->rowCount(), 1) << dialog.findChild<QLabel*>("toolAnswer")->text().toStdString();
    EXPECT_EQ(table->item(0, 0)->text(), "transpose/naive");
    EXPECT_EQ(table->item(0, 4)->text().toInt() + table->item(0, 5)->text().toInt(), 2) << "each is equivalent or different";
    const auto noise = *context->store().noise();
    ASSERT_EQ(noise.size(), 1U);
    EXPECT_EQ(noise[0].kernel, "transpose/naive");
    open(":sample:");
    CalibrateDialog locked(*context, nullptr);
    EXPECT_FALSE(start(locked).isEnabled());
}

TEST_F(Dialogs, AHelpPageIsShownFollowedAndSavedByItsSuffix)
{
    QWidget window;
    window.resize(900, 700);
    HelpWindow help(*context, &window);
    const auto* list = help.findChild<QListWidget*>("helpPages");
    auto* text = help.findChild<QTextBrowser*>("helpText");
    EXPECT_EQ(list->count(), static_cast<int>(help.pages().size()));
    const auto shown = [&] { return help.pages()[static_cast<std::size_t>(list->currentRow())].id; };
    EXPECT_EQ(shown(), "start");
    help.showPage("faq");
    EXPECT_EQ(shown(), "faq");
    EXPECT_EQ(text->accessibleName(), list->currentItem()->text());
    help.showPage("nosuch");
    EXPECT_EQ(shown(), "faq");
    emit text->anchorClicked(QUrl("help:prevention"));
    EXPECT_EQ(shown(), "prevention");
    const auto saved = [&](const char* name) {
        const Status status = help.savePage(q((folder / name).string()));
        EXPECT_TRUE(status);
        return support::readBytes(folder / name);
    };
    EXPECT_NE(saved("a.html").find("<html"), std::string::npos);
    EXPECT_EQ(saved("a.MD").find("<html"), std::string::npos);
    EXPECT_TRUE(saved("a.pdf").starts_with("%PDF"));
    help.showPage("quick-reference");
    EXPECT_TRUE(saved("b.pdf").starts_with("%PDF"));
    EXPECT_NE(saved("b.html").find("<"), std::string::npos);
    EXPECT_FALSE(help.savePage("/no/such/folder/a.html"));
    EXPECT_FALSE(help.savePage("/no/such/folder/a.pdf"));
}

TEST(WindowActionLists, DoWhatTheirRowSaysWhereTheirNeedIsMet)
{
    QWidget window;
    std::vector<WindowAction> performed;
    QStringList pages;
    WindowActions actions(
        &window, {{"home", "Home", "home", {}}, {"diagnose", "Diagnose", "diagnose", {}}},
        [&](WindowAction action) { performed.push_back(action); }, [&](const QString& page) { pages << page; });
    for (const WindowActionRow& row : windowActionTable()) {
        QAction* action = actions.of(row.action);
        ASSERT_EQ(WindowActions::lookUpRow(action), &row);
        EXPECT_EQ(action->objectName(), QString::fromLatin1(row.name));
        performed.clear();
        action->trigger();
        EXPECT_EQ(performed, std::vector<WindowAction>{row.action}) << row.name;
    }
    ASSERT_EQ(actions.all().size(), windowActionTable().size() + 2);
    actions.all()[1]->trigger();
    EXPECT_EQ(pages, QStringList{"diagnose"});
    EXPECT_EQ(WindowActions::lookUpRow(actions.all()[1]), nullptr);
    EXPECT_EQ(actions.all()[1]->shortcut(), QKeySequence("Ctrl+2"));
    actions.setReason(ActionNeed::measuring, "no GPU");
    EXPECT_FALSE(actions.of(WindowAction::runKernel)->isEnabled());
    EXPECT_EQ(actions.of(WindowAction::profileKernel)->toolTip(), "no GPU");
    EXPECT_TRUE(actions.of(WindowAction::back)->isEnabled()) << "another need";
    EXPECT_TRUE(actions.of(WindowAction::help)->isEnabled());
    actions.setReason(ActionNeed::measuring, {});
    EXPECT_TRUE(actions.of(WindowAction::runKernel)->isEnabled());
    EXPECT_NE(actions.of(WindowAction::profileKernel)->toolTip(), "no GPU");
    actions.setReason(ActionNeed::earlierPage, "none");
    EXPECT_FALSE(actions.of(WindowAction::back)->isEnabled());
    EXPECT_TRUE(actions.of(WindowAction::forward)->isEnabled());
}

} // namespace
} // namespace kl::ui
