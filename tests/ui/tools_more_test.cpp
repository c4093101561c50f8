// SPDX-License-Identifier: MIT
// The dialogs of tools and preferences: what they propose, what their answers are made of, what they leave alone.
#include "core/base/format.h"
#include "core/diagnosis/tree_thresholds.h"
#include "sessions/hosts/host_list.h"
#include "sessions/learning/money.h"
#include "sessions/measure/calibrated_kernels.h"
#include "tests/support/set_variable.h"
#include "tests/support/store_support.h"
#include "tests/ui/support/file_answer.h"
#include "ui/context/app_context.h"
#include "ui/context/remembered.h"
#include "ui/jobs/job.h"
#include "ui/style/theme.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme_menu.h"
#include "ui/window/help_pages.h"
#include "ui/window/help_window.h"
#include "ui/window/place_menu.h"
#include "ui/window/preferences/plan_thresholds_form.h"
#include "ui/window/preferences/prices_dialog.h"
#include "ui/window/preferences/thresholds_dialog.h"
#include "ui/window/preferences/tree_thresholds_form.h"
#include "ui/window/preferences/value_table.h"
#include "ui/window/preferences_dialog.h"
#include "ui/window/tools/calibrate_dialog.h"
#include "ui/window/tools/export_dialog.h"
#include "ui/window/tools/support_tool.h"

#include <gtest/gtest.h>

#include <QAction>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTableWidget>
#include <QTest>

#include <cmath>

namespace kl::ui {
namespace {

class ToolForms : public testing::Test {
protected:
    void SetUp() override { open((folder / "own.db").string()); }
    void open(const std::string& location)
    {
        auto opened = AppContext::open(location, DeviceSpec::sample());
        ASSERT_TRUE(opened) << opened.error().message;
        context = std::move(*opened);
    }
    static void start(ToolDialog& dialog)
    {
        dialog.findChild<QPushButton*>("toolStart")->click();
        ASSERT_TRUE(waitForJobs());
    }
    static int findRow(const ValueTable& table, int column, const QString& word)
    {
        for (int row = 0; row < table.rowCount(); ++row)
            if (table.item(row, column)->text() == word)
                return row;
        return -1;
    }
    QString readFile(const char* name) const
    {
        QFile file(q((folder / name).string()));
        EXPECT_TRUE(file.open(QIODevice::ReadOnly)) << name;
        return QString::fromUtf8(file.readAll());
    }
    support::TempDir folder;
    const std::string path = folder.path().string();
    support::SetVariable config{"XDG_CONFIG_HOME", path.c_str()};
    support::SetVariable data{"XDG_DATA_HOME", path.c_str()};
    std::unique_ptr<AppContext> context;
};

TEST_F(ToolForms, ACalibrationShowsNoiseAndWorstOfEachKernel)
{
    CalibrateDialog dialog(*context, nullptr);
    dialog.findChild<QSpinBox*>("calibrateRepeats")->setValue(3);
    auto* kernel = dialog.findChild<QComboBox*>("calibrateKernel");
    EXPECT_EQ(kernel->currentIndex(), 0) << "one of every family";
    kernel->setCurrentIndex(kernel->findData("transpose/naive"));
    start(dialog);
    const auto* table = dialog.findChild<QTableWidget*>("toolTable");
    const std::vector<NoiseRecord> noise = *context->store().noise();
    ASSERT_EQ(noise.size(), 1U);
    ASSERT_EQ(table->rowCount(), 1);
    double worst = 0;
    for (const double ratio : noise[0].ratios)
        worst = std::max(worst, 100 * std::abs(ratio - 1));
    const QStringList wanted{q(noise[0].kernel),
                             q(noise[0].problem),
                             q(formatPercent(100 * noise[0].noise)),
                             q(formatPercent(worst)),
                             QString::number(noise[0].equivalent),
                             QString::number(noise[0].different)};
    for (int column = 0; column < wanted.size(); ++column)
        EXPECT_EQ(table->item(0, column)->text(), wanted[column]) << column;
    const QString answer = dialog.findChild<QLabel*>("toolAnswer")->text();
    EXPECT_TRUE(answer.contains(q(noise[0].deviceName)) && answer.endsWith(q(noise[0].driver))) << answer.toStdString();
}

TEST_F(ToolForms, AnExportIsWrittenWhereTheDialogSays)
{
    ASSERT_TRUE(context->engine()->store->saveRun(support::timedRun("a", "naive", "2026-03-01T09:00:00.000Z", 5)));
    ExportDialog dialog(*context, nullptr);
    const QString file = q((folder / "a.bundle").string());
    const FileAnswer answer(file);
    for (QPushButton* button : dialog.findChildren<QPushButton*>())
        if (button->text().startsWith("Choose"))
            button->click();
    EXPECT_EQ(answer.name(), "runs.bundle");
    EXPECT_EQ(dialog.findChild<QLineEdit*>("exportFile")->text(), file);
    start(dialog);
    EXPECT_TRUE(QFile::exists(file));
    const QString words = dialog.findChild<QLabel*>("toolAnswer")->text();
    EXPECT_TRUE(words.contains(file));
    EXPECT_TRUE(words.endsWith(q(formatBytes(static_cast<double>(QFile(file).size()))))) << words.toStdString();
    dialog.findChild<QLineEdit*>("exportFile")->setText("/no/such/folder/a.bundle");
    start(dialog);
    EXPECT_NE(dialog.findChild<QLabel*>("toolAnswer")->text(), words) << "why it failed";
    EXPECT_TRUE(dialog.findChild<QPushButton*>("toolStart")->isEnabled());
}

TEST_F(ToolForms, SpacesAroundAFileAreNotPartOfItsName)
{
    ASSERT_TRUE(context->engine()->store->saveRun(support::timedRun("a", "naive", "2026-03-01T09:00:00.000Z", 5)));
    ExportDialog dialog(*context, nullptr);
    auto* file = dialog.findChild<QLineEdit*>("exportFile");
    const auto* begin = dialog.findChild<QPushButton*>("toolStart");
    EXPECT_FALSE(begin->isEnabled());
    file->setText("  ");
    EXPECT_FALSE(begin->isEnabled()) << "no name";
    const QString name = q((folder / "b.json").string());
    file->setText(QStringLiteral("  %1  ").arg(name));
    ASSERT_TRUE(begin->isEnabled());
    start(dialog);
    EXPECT_TRUE(QFile::exists(name));
    EXPECT_TRUE(readFile("b.json").trimmed().startsWith('{')) << "plain JSON, by its suffix";
}

TEST_F(ToolForms, ThresholdsAreClosedByTheirButton)
{
    ThresholdsDialog dialog(*context, nullptr);
    EXPECT_TRUE(dialog.findChild<TreeThresholdsForm*>());
    EXPECT_TRUE(dialog.findChild<PlanThresholdsForm*>());
    dialog.show();
    dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Close)->click();
    EXPECT_TRUE(dialog.isHidden());
    EXPECT_EQ(dialog.result(), QDialog::Rejected);
}

TEST_F(ToolForms, ASupportBundleHasTheNewestFiftyMessagesWithTheirLevels)
{
    QWidget window;
    window.resize(321, 123);
    SupportTool tool(*context, &window);
    for (int i = 0; i < 60; ++i)
        context->post({MessageLevel::info, QStringLiteral("note%1n").arg(i), {}, {}});
    context->post({MessageLevel::warning, "slowly", "because", {}});
    context->post({MessageLevel::error, "not at all", {}, {}});
    context->post({MessageLevel::success, "done", {}, {}});
    tool.saveTo(q((folder / "support.txt").string()));
    ASSERT_TRUE(waitForJobs());
    const QString text = readFile("support.txt");
    EXPECT_FALSE(text.contains("note12n"));
    EXPECT_TRUE(text.contains("info: note13n"));
    EXPECT_TRUE(text.contains("info: note59n"));
    EXPECT_TRUE(text.contains("warning: slowly because"));
    EXPECT_TRUE(text.contains("error: not at all"));
    EXPECT_TRUE(text.contains("success: done"));
    EXPECT_TRUE(text.contains("321 x 123"));
    EXPECT_TRUE(text.contains("theme: light"));
    EXPECT_TRUE(text.contains(context->deviceName()));
    EXPECT_TRUE(text.contains("kernelloop ")) << "the program that wrote it";
    QSignalSpy posted(context.get(), &AppContext::messagePosted);
    tool.saveTo("/no/such/folder/support.txt");
    ASSERT_TRUE(waitForJobs());
    ASSERT_EQ(posted.count(), 1);
    EXPECT_EQ(posted[0][0].value<Message>().level, MessageLevel::error);
}

TEST_F(ToolForms, PreferencesBeginWithWhatIsAndWriteOnlyWhatChanged)
{
    const support::SetVariable python("KLOOP_PYTHON", "/usr/bin/python3");
    PreferencesDialog dialog(*context, nullptr);
    const auto* theme = dialog.findChild<QComboBox*>("themeChoice");
    EXPECT_EQ(static_cast<ThemeChoice>(theme->currentData().toInt()), Theme::instance().choice());
    EXPECT_EQ(theme->count(), 3);
    auto* line = dialog.findChild<QLineEdit*>("python");
    EXPECT_EQ(line->text(), "/usr/bin/python3");
    const auto version = context->store().dataVersion();
    auto* rate = dialog.findChild<QDoubleSpinBox*>("engineerRate");
    emit rate->editingFinished();
    EXPECT_EQ(context->store().dataVersion(), version) << "it is as it was";
    EXPECT_EQ(rate->prefix(), "$");
    EXPECT_GT(rate->minimum(), 0);
    QFile(q((folder / "python9").string())).open(QIODevice::WriteOnly);
    {
        const FileAnswer answer(q((folder / "python9").string()));
        for (QPushButton* button : dialog.findChildren<QPushButton*>())
            if (button->text().startsWith("Choose"))
                button->click();
    }
    EXPECT_EQ(line->text(), q((folder / "python9").string()));
    EXPECT_EQ(qEnvironmentVariable("KLOOP_PYTHON"), line->text());
    QStringList texts;
    for (const QLabel* label : dialog.findChildren<QLabel*>())
        texts << label->text().remove(QChar(0x200b));
    EXPECT_TRUE(texts.contains(context->location()));
    EXPECT_TRUE(texts.contains(q(formatBytes(static_cast<double>(QFile(context->location()).size())))));
    const FileAnswer copied(q((folder / "copy.db").string()));
    for (QPushButton* button : dialog.findChildren<QPushButton*>())
        if (button->text().startsWith("Back up"))
            button->click();
    ASSERT_TRUE(waitForJobs());
    EXPECT_EQ(copied.name(), "own-backup.db");
    EXPECT_TRUE(QFile::exists(q((folder / "copy.db").string())));
    dialog.findChild<QPushButton*>("pricesOpen")->click();
    EXPECT_TRUE(dialog.findChild<PricesDialog*>());
    dialog.findChild<QPushButton*>("thresholdsOpen")->click();
    EXPECT_TRUE(dialog.findChild<ThresholdsDialog*>());
    QSettings().remove("python");
    QSettings().remove("folders");
    open(":sample:");
    const PreferencesDialog locked(*context, nullptr);
    QStringList shown;
    for (const QLabel* label : locked.findChildren<QLabel*>())
        shown << label->text();
    EXPECT_TRUE(shown.contains(context->writeReason()));
    EXPECT_EQ(shown.filter("KiB").size() + shown.filter("MiB").size(), 0) << "what is in memory has no size";
}

TEST_F(ToolForms, PricesHaveTheirSourceAsTooltip)
{
    ASSERT_TRUE(HostList().change("gpu7", [](KnownHost& host) {
        host.note = "in the cellar";
        host.gpus = {"NVIDIA H200"};
        host.dollarsPerHour = 3;
    }));
    const PricesDialog dialog(*context, nullptr);
    const auto& hosts = *dialog.findChild<ValueTable*>("hostPrices");
    ASSERT_EQ(hosts.rowCount(), 1);
    EXPECT_EQ(hosts.item(0, 0)->toolTip(), "in the cellar");
    EXPECT_EQ(hosts.item(0, 1)->text(), q(gpusText(*HostList().find("gpu7"))));
    EXPECT_EQ(hosts.item(0, 2)->text(), "3");
    EXPECT_EQ(hosts.item(0, 3)->text(), "0");
    const auto& prices = *dialog.findChild<ValueTable*>("gpuPrices");
    const std::vector<GpuPrice> known = *gpuPrices(context->store());
    ASSERT_EQ(prices.rowCount(), static_cast<int>(known.size()));
    EXPECT_EQ(prices.item(0, 0)->text(), q(known[0].gpu));
    EXPECT_EQ(prices.item(0, 1)->text(), q(known[0].priceClass + ", " + known[0].date));
    EXPECT_EQ(prices.item(0, 0)->toolTip(), q(known[0].source));
    EXPECT_EQ(prices.item(0, 2)->text(), prices.item(0, 3)->text()) << "as shipped";
}

TEST_F(ToolForms, GatesThatWouldBeJudgedOtherwiseAreListed)
{
    open(":sample:");
    PlanThresholdsForm form(*context, nullptr);
    form.show();
    auto& table = *form.findChild<ValueTable*>("planThresholds");
    auto* save = form.findChild<QPushButton*>("planSave");
    auto* changes = form.findChild<QListWidget*>("planChanges");
    const QString begin = form.findChild<QLabel*>("planEffect")->text();
    EXPECT_TRUE(changes->isHidden());
    EXPECT_FALSE(save->isEnabled());
    EXPECT_EQ(form.findChild<QLineEdit*>("planName")->text(), form.findChild<QComboBox*>("planKind")->currentText() + "-own");
    const int row = findRow(table, 1, "keep_improvement_min");
    ASSERT_GE(row, 0);
    const int value = table.columnCount() - 2;
    const QString before = table.item(row, value)->text();
    EXPECT_EQ(table.item(row, value + 1)->text(), before);
    table.item(row, value)->setText("1000");
    ASSERT_TRUE(QTest::qWaitFor([&] { return save->isEnabled(); }, 60000));
    EXPECT_NE(form.findChild<QLabel*>("planEffect")->text(), begin);
    EXPECT_EQ(changes->isHidden(), changes->count() == 0);
    for (int i = 0; i < changes->count(); ++i)
        EXPECT_TRUE(changes->item(i)->text().endsWith(q("pass → fail"))) << changes->item(i)->text().toStdString();
    EXPECT_GT(changes->count(), 0) << "no session improves that much";
    table.item(row, value)->setText(before);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !save->isEnabled(); }, 60000)) << "nothing differs any more";
    EXPECT_TRUE(changes->isHidden());
    EXPECT_EQ(form.findChild<QLabel*>("planEffect")->text(), begin);
    table.item(row, value)->setText("0.4");
    ASSERT_TRUE(QTest::qWaitFor([&] { return save->isEnabled(); }, 60000));
    form.findChild<QLineEdit*>("planName")->setText("strict");
    save->click();
    const int own = findRow(table, 1, "keep_improvement_min");
    EXPECT_EQ(table.item(own, value + 1)->text(), before) << "the default stays that of the method";
    EXPECT_TRUE(table.item(own, value)->font().bold());
}

TEST_F(ToolForms, ThresholdsOfTheTreeAreComparisonsWithTheirDefaults)
{
    TreeThresholdsForm form(*context, nullptr);
    const auto& table = *form.findChild<ValueTable*>("treeThresholds");
    const auto wanted = listThresholds(context->tree());
    ASSERT_EQ(table.rowCount(), static_cast<int>(wanted.size()));
    bool unless = false;
    for (int row = 0; row < table.rowCount(); ++row) {
        const TreeThreshold& one = wanted[static_cast<std::size_t>(row)];
        EXPECT_EQ(table.item(row, 1)->text(), q(one.classId));
        EXPECT_TRUE(table.item(row, 2)->text().contains(q(one.quantity) + u' ' + q(one.sense))) << row;
        EXPECT_EQ(table.item(row, 2)->text().startsWith(q(one.quantity)), !one.unless) << row;
        EXPECT_EQ(table.item(row, 2)->text().endsWith(u')'), !one.unit.empty()) << row;
        EXPECT_EQ(table.item(row, 3)->text(), table.item(row, 4)->text()) << row;
        unless = unless || one.unless;
    }
    EXPECT_TRUE(unless);
    EXPECT_TRUE(form.findChild<QListWidget*>("treeChanges")->isHidden());
}

TEST_F(ToolForms, AHelpPageIsSavedFromItsButton)
{
    QWidget window;
    window.resize(900, 700);
    HelpWindow help(*context, &window);
    help.showPage("faq");
    QSignalSpy posted(context.get(), &AppContext::messagePosted);
    {
        const FileAnswer answer(q((folder / "faq.html").string()));
        help.findChild<QPushButton*>("helpSave")->click();
        EXPECT_EQ(answer.name(), "faq.pdf");
        EXPECT_EQ(answer.filters().size(), 3);
    }
    EXPECT_TRUE(readFile("faq.html").contains("<html"));
    ASSERT_EQ(posted.count(), 1);
    EXPECT_EQ(posted[0][0].value<Message>().level, MessageLevel::success);
    EXPECT_EQ(posted[0][0].value<Message>().buttons.size(), 2U);
    {
        const FileAnswer answer("/no/such/folder/faq.html");
        help.findChild<QPushButton*>("helpSave")->click();
    }
    ASSERT_EQ(posted.count(), 2);
    EXPECT_EQ(posted[1][0].value<Message>().level, MessageLevel::error);
    QSettings().remove("folders");
    QStringList titles;
    int rich = 0;
    for (const HelpPage& page : helpPages(*context)) {
        titles << page.title;
        rich += page.html;
        EXPECT_EQ(page.html, page.id == "quick-reference") << page.id.toStdString();
    }
    EXPECT_EQ(titles.removeDuplicates(), 0);
    EXPECT_EQ(rich, 1);
}

TEST_F(ToolForms, PlacesNameHostsWithTheirGpusAndSayThatNoneIsHere)
{
    QSettings().remove("window");
    ASSERT_TRUE(HostList().change("gpu7", [](KnownHost& host) { host.gpus = {"NVIDIA H200"}; }));
    ASSERT_TRUE(HostList().change("gpu8", [](KnownHost&) {}));
    QWidget window;
    PlaceMenu menu(*context, &window);
    EXPECT_TRUE(menu.toolTip().contains(context->deviceName()) && menu.toolTip().contains(context->location()));
    emit menu.menu()->aboutToShow();
    const auto readText = [&](const QString& name) {
        const auto* action = menu.menu()->findChild<QAction*>(name);
        return action ? action->text() : QString();
    };
    EXPECT_EQ(readText("device-" + q(toText(makeHostDevice("gpu7")))),
              "gpu7 (" + q(gpusText(*HostList().find("gpu7"))).remove("NVIDIA ") + ")");
    EXPECT_EQ(readText("device-" + q(toText(makeHostDevice("gpu8")))), "gpu8");
    const QAction* looking = nullptr;
    for (const QAction* action : menu.menu()->actions())
        if (!action->isEnabled() && !action->isSeparator())
            looking = action;
    ASSERT_TRUE(looking);
    const QString before = looking->text();
    ASSERT_TRUE(waitForJobs());
    const QAction* local = menu.menu()->findChild<QAction*>("device-local");
    EXPECT_EQ(looking->isVisible(), local == nullptr) << "none, or those that there are";
    EXPECT_NE(looking->text(), before);
    EXPECT_EQ(menu.menu()->findChild<QAction*>("database-" + context->location()), nullptr) << "it was never opened by the user";
    {
        const FileAnswer canceled{QString()};
        menu.menu()->findChild<QAction*>("chooseDatabase")->trigger();
        EXPECT_TRUE(canceled.seen());
    }
    EXPECT_TRUE(context->location().endsWith("own.db"));
    menu.openDatabase(":sample:");
    EXPECT_EQ(loadRemembered().database, ":sample:");
    EXPECT_TRUE(loadRemembered().databases.isEmpty()) << "it is always in the menu";
    QSettings().remove("window");
}

} // namespace
} // namespace kl::ui
