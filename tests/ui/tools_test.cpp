// SPDX-License-Identifier: MIT
// The forms of the menu Tools, which run through the engine.
#include "sessions/import/open_file.h"
#include "sessions/store/sqlite.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/text.h"
#include "ui/window/mainwindow.h"
#include "ui/window/tools/bisect_dialog.h"
#include "ui/window/tools/calibrate_dialog.h"
#include "ui/window/tools/database_tools.h"
#include "ui/window/tools/export_dialog.h"
#include "ui/window/tools/support_tool.h"

#include <gtest/gtest.h>

#include <QAction>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>

namespace kl::ui {
namespace {

class Tools : public testing::Test {
protected:
    void SetUp() override
    {
        auto opened = AppContext::open(utf8(dir.filePath("own.db")), DeviceSpec::sample());
        ASSERT_TRUE(opened) << opened.error().message;
        context = std::move(*opened);
    }
    static void start(ToolDialog& dialog)
    {
        dialog.show();
        auto* button = dialog.findChild<QPushButton*>("toolStart");
        ASSERT_TRUE(button->isEnabled());
        QTest::mouseClick(button, Qt::LeftButton);
        ASSERT_TRUE(waitForJobs());
    }
    QTemporaryDir dir;
    std::unique_ptr<AppContext> context;
};

TEST_F(Tools, CalibrationAnswersWithTheNoise)
{
    CalibrateDialog dialog(*context, nullptr);
    auto* kernel = dialog.findChild<QComboBox*>("calibrateKernel");
    kernel->setCurrentIndex(kernel->findData("transpose/naive"));
    ASSERT_GT(kernel->currentIndex(), 0);
    start(dialog);
    const auto* table = dialog.findChild<QTableWidget*>("toolTable");
    const auto noise = context->store().noise();
    ASSERT_TRUE(noise);
    EXPECT_EQ(table->rowCount(), static_cast<int>(noise->size()));
    EXPECT_FALSE(dialog.findChild<QLabel*>("toolAnswer")->text().isEmpty());
}

TEST_F(Tools, ExportedRunsAreABundle)
{
    const auto run = context->engine()->bench.run({"transpose", "naive", {}}, {}, {});
    ASSERT_TRUE(run) << run.error().message;
    ExportDialog dialog(*context, nullptr);
    dialog.show();
    EXPECT_FALSE(dialog.findChild<QPushButton*>("toolStart")->isEnabled()) << "no file yet";
    const QString file = dir.filePath("runs.bundle");
    dialog.findChild<QLineEdit*>("exportFile")->setText(file);
    start(dialog);
    const auto read = openFile(utf8(file), context->tree(), context->catalog());
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->runs.size(), context->store().runs({})->size());
}

TEST_F(Tools, BisectNeedsAKernelOfOnesOwn)
{
    BisectDialog dialog(*context, nullptr);
    dialog.show();
    EXPECT_FALSE(dialog.findChild<QPushButton*>("toolStart")->isEnabled());
    EXPECT_EQ(dialog.findChild<QComboBox*>("bisectKernel")->count(), 0);
}

TEST_F(Tools, BisectAsksForARatioWhereARevisionMayBeSlower)
{
    BisectDialog dialog(*context, nullptr);
    auto* about = dialog.findChild<QComboBox*>("bisectAbout");
    const auto* ratio = dialog.findChild<QDoubleSpinBox*>("bisectRatio");
    for (const auto& [kind, asks] :
         {std::pair{BisectQuestion::About::wrong, false}, {BisectQuestion::About::slower, true}, {BisectQuestion::About::builds, false}}) {
        about->setCurrentIndex(about->findData(static_cast<int>(kind)));
        EXPECT_EQ(ratio->isEnabled(), asks) << about->currentText().toStdString();
    }
}

TEST_F(Tools, TheDatabaseIsCheckedAndBackedUp)
{
    MainWindow window(*context);
    window.show();
    window.findChild<QAction*>("check-database")->trigger();
    ASSERT_TRUE(waitForJobs());
    EXPECT_EQ(window.messages()->count(), 1);
    DatabaseTools tools(*context, &window);
    const QString copy = dir.filePath("copy.db");
    tools.backUpTo(copy);
    ASSERT_TRUE(waitForJobs());
    EXPECT_TRUE(QFileInfo::exists(copy));
    tools.backUpTo(copy);
    ASSERT_TRUE(waitForJobs());
    EXPECT_EQ(window.messages()->count(), 3) << "it must not exist: an error";
}

TEST_F(Tools, ASupportBundleHasTheWindowAndWhatItSaidWithoutPlaces)
{
    MainWindow window(*context);
    window.show();
    context->post({MessageLevel::error, "lost /srv/qzplace/x.db", "for \"python3 qzfile.py\"", {}});
    auto* tool = window.findChild<SupportTool*>();
    ASSERT_TRUE(tool);
    const QString file = dir.filePath("support.txt");
    for (const char* key : {"seeded/one", "seeded/two"})
        QSettings().setValue(key, 1);
    tool->saveTo(file);
    ASSERT_TRUE(waitForJobs());
    QSettings().remove("seeded");
    QFile saved(file);
    ASSERT_TRUE(saved.open(QIODevice::ReadOnly));
    const QString text = QString::fromUtf8(saved.readAll());
    for (const char* shown : {"\n== ", "Qt: ", "screen: ", "error: lost <path ", "seeded: 2", "schema: "})
        EXPECT_TRUE(text.contains(QLatin1String(shown))) << shown << "\n" << text.toStdString();
    EXPECT_FALSE(text.contains("qz"));
    EXPECT_FALSE(text.contains(dir.path()));
    EXPECT_EQ(window.messages()->count(), 2) << "the error and what was saved";
}

TEST_F(Tools, EveryDamageOfADatabaseIsReported)
{
    std::vector<Message> posted;
    QObject::connect(context.get(), &AppContext::messagePosted, [&](const Message& message) { posted.push_back(message); });
    QWidget window;
    DatabaseTools tools(*context, &window);
    const auto check = [&] {
        posted.clear();
        tools.check();
        EXPECT_TRUE(waitForJobs());
    };
    check();
    ASSERT_EQ(posted.size(), 1U);
    EXPECT_EQ(posted[0].level, MessageLevel::success);
    EXPECT_EQ(posted[0].why, context->location()) << "which one is intact";
    {
        const auto file = sqlite::Connection::open(utf8(context->location()), true, false);
        ASSERT_TRUE(file) << file.error().message;
        ASSERT_TRUE(file->exec("PRAGMA foreign_keys = OFF"));
        ASSERT_TRUE(file->run("INSERT INTO run_blocks VALUES('gone', 0, 1, 1.0, x'00')"));
        ASSERT_TRUE(file->run("INSERT INTO comparison_blocks VALUES('lost', 0, x'00', x'00')"));
    }
    check();
    ASSERT_EQ(posted.size(), 1U);
    EXPECT_EQ(posted[0].level, MessageLevel::error);
    const QStringList problems = posted[0].why.split('\n');
    ASSERT_EQ(problems.size(), 2) << posted[0].why.toStdString();
    EXPECT_EQ(problems.filter("run_blocks").size(), 1);
    EXPECT_EQ(problems.filter("comparison_blocks").size(), 1);
    EXPECT_FALSE(posted[0].next.isEmpty());
    const QString copy = dir.filePath("copy.db");
    tools.backUpTo(copy);
    ASSERT_TRUE(waitForJobs());
    tools.backUpTo(copy);
    ASSERT_TRUE(waitForJobs());
    ASSERT_EQ(posted.size(), 3U);
    EXPECT_EQ(posted[1].level, MessageLevel::success);
    EXPECT_TRUE(posted[1].what.contains(copy));
    EXPECT_EQ(posted[2].level, MessageLevel::error) << "it is there already";
}

} // namespace
} // namespace kl::ui
