// SPDX-License-Identifier: MIT
// Thresholds, hosts and prices as forms.
#include "core/diagnosis/tree_thresholds.h"
#include "sessions/hosts/host_list.h"
#include "sessions/learning/money.h"
#include "sessions/session/template_library.h"
#include "tests/support/set_variable.h"
#include "ui/context/app_context.h"
#include "ui/jobs/job.h"
#include "ui/widgets/text.h"
#include "ui/window/preferences/plan_thresholds_form.h"
#include "ui/window/preferences/prices_dialog.h"
#include "ui/window/preferences/tree_thresholds_form.h"
#include "ui/window/preferences/value_table.h"

#include <gtest/gtest.h>

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

namespace kl::ui {
namespace {

class Forms : public testing::Test {
protected:
    void open(const std::string& location)
    {
        auto opened = AppContext::open(location, DeviceSpec::sample());
        ASSERT_TRUE(opened) << opened.error().message;
        context = std::move(*opened);
    }
    static void set(ValueTable& table, int row, const QString& text) { table.item(row, table.columnCount() - 2)->setText(text); }
    static QString value(const ValueTable& table, int row) { return table.item(row, table.columnCount() - 2)->text(); }
    /// The row whose word in a column is this.
    static int findRow(const ValueTable& table, int column, const QString& word)
    {
        for (int row = 0; row < table.rowCount(); ++row)
            if (table.item(row, column)->text() == word)
                return row;
        return -1;
    }

    QTemporaryDir folder;
    const QByteArray path = folder.path().toUtf8();
    support::SetVariable config{"XDG_CONFIG_HOME", path.constData()};
    support::SetVariable data{"XDG_DATA_HOME", path.constData()};
    std::unique_ptr<AppContext> context;
};

TEST(ValueTables, KnowWhatIsNotUsualAndWhatWasChanged)
{
    using Values = std::map<std::string, double>;
    ValueTable table({"Name"}, "Values", nullptr);
    const std::vector<ValueRow> rows{{"a", {"x"}, {}, 1, 1}, {"b", {"y"}, {}, 2, 5}};
    table.setRows(rows);
    const QSignalSpy edited(&table, &ValueTable::edited);
    EXPECT_FALSE(table.item(0, 1)->font().bold());
    EXPECT_TRUE(table.item(1, 1)->font().bold());
    EXPECT_TRUE(table.collectChanged().empty());
    EXPECT_EQ(table.unusual(), (Values{{"b", 2}}));
    table.item(0, 1)->setText("3");
    EXPECT_EQ(edited.count(), 1);
    EXPECT_TRUE(table.item(0, 1)->font().bold());
    for (const char* text : {"3.0", "none", ""})
        table.item(0, 1)->setText(text);
    EXPECT_EQ(edited.count(), 1) << "the same, or no number";
    EXPECT_EQ(table.collectChanged(), (Values{{"a", 3}}));
    table.setToDefaults();
    EXPECT_EQ(edited.count(), 2);
    EXPECT_EQ(table.collectChanged(), (Values{{"b", 5}}));
    EXPECT_TRUE(table.unusual().empty());
    table.setRows(rows);
    EXPECT_TRUE(table.collectChanged().empty());
}

TEST_F(Forms, AThresholdOfTheTreeShowsWhichFindingsItWouldChangeAndIsThenTheTeams)
{
    open(":sample:");
    TreeThresholdsForm form(*context, nullptr);
    form.show();
    auto& table = *form.findChild<ValueTable*>("treeThresholds");
    auto* save = form.findChild<QPushButton*>("treeSave");
    EXPECT_EQ(table.rowCount(), static_cast<int>(listThresholds(context->tree()).size()));
    EXPECT_FALSE(save->isEnabled()) << "nothing has changed";
    form.findChild<QLineEdit*>("thresholdFilter")->setText("bank-conflicts");
    int changed = -1;
    for (int row = 0; row < table.rowCount(); ++row)
        if (!table.isRowHidden(row) && table.item(row, 2)->text().contains('>')) {
            set(table, row, "1e9"); // no profile is that bad
            changed = row;
        }
    ASSERT_GE(changed, 0);
    auto* changes = form.findChild<QListWidget*>("treeChanges");
    ASSERT_TRUE(QTest::qWaitFor([&] { return save->isEnabled(); }, 60000));
    ASSERT_GT(changes->count(), 0);
    for (int i = 0; i < changes->count(); ++i)
        EXPECT_TRUE(changes->item(i)->text().contains("bank-conflicts →")) << changes->item(i)->text().toStdString();
    set(table, changed, "no number");
    EXPECT_EQ(value(table, changed), "1e+09") << "letters are refused";

    save->click();
    EXPECT_NE(DiagnosisTree::loadConfigured()->version(), context->tree().version()) << "what starts now diagnoses by it";
    form.findChild<QPushButton*>("treeDefaults")->click();
    ASSERT_TRUE(QTest::qWaitFor([&] { return save->isEnabled(); }, 60000));
    save->click();
    EXPECT_FALSE(std::filesystem::exists(teamTreeFile()));
}

TEST_F(Forms, TheFindingsThatWouldChangeAreThoseOfTheLastValues)
{
    open(":sample:");
    TreeThresholdsForm form(*context, nullptr);
    form.show();
    auto& table = *form.findChild<ValueTable*>("treeThresholds");
    auto* save = form.findChild<QPushButton*>("treeSave");
    const auto* effect = form.findChild<QLabel*>("treeEffect");
    const auto* changes = form.findChild<QListWidget*>("treeChanges");
    const QString hint = effect->text();
    form.findChild<QLineEdit*>("thresholdFilter")->setText("bank-conflicts");
    std::vector<std::pair<int, QString>> rows;
    for (int row = 0; row < table.rowCount(); ++row)
        if (!table.isRowHidden(row) && table.item(row, 2)->text().contains('>'))
            rows.emplace_back(row, value(table, row));
    ASSERT_FALSE(rows.empty());
    const auto setAll = [&](const QString& text) {
        const QString before = effect->text();
        for (const auto& [row, usual] : rows)
            set(table, row, text.isEmpty() ? usual : text);
        EXPECT_TRUE(QTest::qWaitFor([&] { return effect->text() != before; }, 60000));
        EXPECT_TRUE(waitForJobs());
    };
    setAll("1e9");
    const int count = changes->count();
    ASSERT_GT(count, 0);
    EXPECT_FALSE(changes->isHidden());
    setAll("2e9");
    EXPECT_TRUE(save->isEnabled());
    EXPECT_EQ(changes->count(), count) << "none is listed twice";
    setAll({});
    EXPECT_EQ(effect->text(), hint) << "as it was";
    EXPECT_FALSE(save->isEnabled());
    EXPECT_TRUE(changes->isHidden());
}

TEST_F(Forms, AThresholdOfAKindIsSavedAsAKindOfItsOwn)
{
    open(":sample:");
    PlanThresholdsForm form(*context, nullptr);
    form.show();
    auto& table = *form.findChild<ValueTable*>("planThresholds");
    auto* save = form.findChild<QPushButton*>("planSave");
    const int row = findRow(table, 1, "keep_improvement_min");
    ASSERT_GE(row, 0);
    EXPECT_EQ(value(table, row), "0.2");
    set(table, row, "0.4");
    ASSERT_TRUE(QTest::qWaitFor([&] { return save->isEnabled(); }, 60000));
    form.findChild<QLineEdit*>("planName")->setText("strict");
    save->click();
    EXPECT_EQ(form.findChild<QComboBox*>("planKind")->currentText(), "strict");
    EXPECT_TRUE(form.findChild<QLineEdit*>("planName")->isReadOnly()) << "an own kind is saved over itself";
    EXPECT_EQ(value(table, findRow(table, 1, "keep_improvement_min")), "0.4");
    EXPECT_TRUE(templateText("strict"));
}

TEST_F(Forms, HostsAndPricesAreSavedAtOnce)
{
    open(utf8(folder.filePath("own.db")));
    PricesDialog dialog(*context, nullptr);
    dialog.show();
    auto& hosts = *dialog.findChild<ValueTable*>("hostPrices");
    dialog.findChild<QLineEdit*>("hostName")->setText("gpu7");
    dialog.findChild<QPushButton*>("hostAdd")->click();
    ASSERT_EQ(hosts.rowCount(), 1);
    set(hosts, 0, "12.5");
    QCoreApplication::processEvents();
    EXPECT_EQ(HostList().find("gpu7")->dollarsPerHour, 12.5);
    set(hosts, 0, "0");
    QCoreApplication::processEvents();
    EXPECT_FALSE(HostList().find("gpu7")->dollarsPerHour.has_value());
    hosts.selectRow(0);
    dialog.findChild<QPushButton*>("hostRemove")->click();
    EXPECT_FALSE(HostList().find("gpu7"));

    auto& prices = *dialog.findChild<ValueTable*>("gpuPrices");
    const QString gpu = prices.item(0, 0)->text();
    set(prices, 0, "1.25");
    QCoreApplication::processEvents();
    const auto stored = gpuPrices(context->store());
    ASSERT_TRUE(stored);
    EXPECT_EQ(findPrice(*stored, utf8(gpu))->dollarsPerHour, 1.25);
    EXPECT_EQ(prices.item(0, 1)->text().left(3), "own");
}

} // namespace
} // namespace kl::ui
