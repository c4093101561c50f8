// SPDX-License-Identifier: MIT
#include "core/base/format.h"
#include "sessions/store/search_records.h"
#include "tests/support/fake_gpu.h"
#include "ui/models/tuned_table_model.h"
#include "ui/pages/search/measured_view.h"
#include "ui/pages/search_page.h"
#include "ui/widgets/data_table.h"
#include "ui/widgets/text.h"
#include "ui/window/mainwindow.h"

#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>

namespace kl::ui {
namespace {

/// One window on a database of its own, measuring on a GPU that is none.
class SearchRun : public testing::Test {
protected:
    static void SetUpTestSuite()
    {
        folder = new QTemporaryDir;
        ASSERT_TRUE(folder->isValid());
        QFile script(folder->filePath("worker.py"));
        ASSERT_TRUE(script.open(QIODevice::WriteOnly));
        script.write(test::kFakeGpu);
        script.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        script.close();
        worker = qgetenv("KERNELLOOP_WORKER");
        cache = qgetenv("XDG_CACHE_HOME");
        qputenv("KERNELLOOP_WORKER", folder->filePath("worker.py").toUtf8());
        qputenv("XDG_CACHE_HOME", folder->filePath("cache").toUtf8());
        auto opened = AppContext::open(utf8(folder->filePath("own.db")), DeviceSpec::local());
        ASSERT_TRUE(opened) << opened.error().message;
        context = opened->release();
        window = new MainWindow(*context);
        window->resize(1280, 800);
        window->show();
        window->showPage("search");
        page = dynamic_cast<SearchPage*>(window->page("search"));
        ASSERT_NE(page, nullptr);
    }
    static void TearDownTestSuite()
    {
        worker.isEmpty() ? qunsetenv("KERNELLOOP_WORKER") : qputenv("KERNELLOOP_WORKER", worker);
        cache.isEmpty() ? qunsetenv("XDG_CACHE_HOME") : qputenv("XDG_CACHE_HOME", cache);
        delete window;
        delete context;
        delete folder;
    }
    void SetUp() override
    {
        window->showPage("search");
        page->open("attention/fused");
        for (const int problem : {1, 0}) // what an earlier test typed in leaves the index as it was
            page->findChild<QComboBox*>("problem")->setCurrentIndex(problem);
        page->findChild<QDoubleSpinBox*>("budget")->setValue(0);
        ASSERT_TRUE(waitForJobs());
    }
    void TearDown() override
    {
        QFile::remove(folder->filePath("slow"));
        waitForJobs();
    }

    QPushButton* button() const { return page->findChild<QPushButton*>("search"); }
    QString label(const char* name) const { return page->findChild<QLabel*>(QString::fromLatin1(name))->text(); }
    const QAbstractItemModel& times() const { return *page->findChild<DataTable*>("tuned")->model(); }
    QString time(int row, int column) const { return times().index(row, column).data().toString(); }

    static inline QTemporaryDir* folder = nullptr;
    static inline QByteArray worker;
    static inline QByteArray cache;
    static inline AppContext* context = nullptr;
    static inline MainWindow* window = nullptr;
    static inline SearchPage* page = nullptr;
};

TEST_F(SearchRun, FindsTheFastestThatIsRightAndShowsIt)
{
    ASSERT_TRUE(button()->isEnabled());
    const QString idle = button()->text();
    QTest::mouseClick(button(), Qt::LeftButton);
    EXPECT_NE(button()->text(), idle) << "it stops the search now";
    EXPECT_EQ(page->findChild<QTabWidget*>()->currentWidget(), page->findChild<MeasuredView*>());
    ASSERT_TRUE(waitForJobs());
    EXPECT_EQ(button()->text(), idle);
    ASSERT_GT(times().rowCount(), 4);
    EXPECT_EQ(time(0, TunedTableModel::Slower), "1.00×");
    EXPECT_TRUE(time(0, TunedTableModel::How).contains("incorrect"));
    EXPECT_FALSE(time(1, TunedTableModel::How).contains("incorrect"));
    EXPECT_TRUE(time(0, TunedTableModel::Point).contains("WARPS=2")) << "the fastest";
    EXPECT_TRUE(label("searchStatus").startsWith(QString::number(times().rowCount()) + u' ')) << label("searchStatus").toStdString();
    const QString best = label("searchBest");
    EXPECT_TRUE(best.contains("attention/fused")) << best.toStdString();
    EXPECT_TRUE(best.contains("WARPS=2")) << "the incorrect one is named: " << best.toStdString();
    EXPECT_FALSE(best.section("<a ", 0, 0).contains("WARPS=2")) << "as incorrect, not as the best";
    RunQuery query;
    query.kernel = "attention/fused";
    const auto stored = context->store().runs(query);
    ASSERT_TRUE(stored);
    EXPECT_GT(stored->size(), 0U);
}

TEST_F(SearchRun, TheBestRunIsOpened)
{
    QTest::mouseClick(button(), Qt::LeftButton);
    ASSERT_TRUE(waitForJobs());
    auto* best = page->findChild<QLabel*>("searchBest");
    const QString link = best->text().section("href=\"", 1).section('"', 0, 0);
    ASSERT_FALSE(link.isEmpty());
    emit best->linkActivated(link);
    EXPECT_EQ(window->currentPage(), "diagnose");
    waitForJobs();
}

TEST_F(SearchRun, StopsAndKeepsWhatWasTimed)
{
    QFile slow(folder->filePath("slow"));
    ASSERT_TRUE(slow.open(QIODevice::WriteOnly));
    slow.close();
    page->findChild<QComboBox*>("problem")->setCurrentIndex(1); // of which nothing was timed
    ASSERT_TRUE(waitForJobs());
    QTest::mouseClick(button(), Qt::LeftButton);
    QTest::qWait(50);
    QTest::mouseClick(button(), Qt::LeftButton);
    QFile::remove(folder->filePath("slow"));
    ASSERT_TRUE(waitForJobs());
    EXPECT_TRUE(label("searchStatus").startsWith("Stopped")) << label("searchStatus").toStdString();
}

TEST_F(SearchRun, AProblemOfOnesOwnIsTypedIn)
{
    auto* problem = page->findChild<QComboBox*>("problem");
    problem->lineEdit()->selectAll();
    QTest::keyClicks(problem->lineEdit(), "B=1,H=1,S=64,D=64");
    QTest::keyClick(problem->lineEdit(), Qt::Key_Return);
    ASSERT_TRUE(waitForJobs());
    QTest::mouseClick(button(), Qt::LeftButton);
    ASSERT_TRUE(waitForJobs());
    EXPECT_TRUE(label("searchAbout").contains("S=64")) << label("searchAbout").toStdString();
    problem->lineEdit()->selectAll();
    QTest::keyClicks(problem->lineEdit(), "B=");
    QTest::keyClick(problem->lineEdit(), Qt::Key_Return);
    ASSERT_TRUE(waitForJobs());
    EXPECT_FALSE(button()->isEnabled()) << "that is not a problem";
    problem->setCurrentIndex(0);
}

TEST_F(SearchRun, IsStoredWithItsStrategyAndProblem)
{
    page->findChild<QComboBox*>("strategy")->setCurrentIndex(3);
    page->findChild<QComboBox*>("problem")->setCurrentIndex(1);
    ASSERT_TRUE(waitForJobs());
    const QString problem = page->findChild<QComboBox*>("problem")->currentText();
    QTest::mouseClick(button(), Qt::LeftButton);
    ASSERT_TRUE(waitForJobs());
    page->findChild<QComboBox*>("strategy")->setCurrentIndex(0);
    const auto records = searchRecords(context->store(), {});
    ASSERT_TRUE(records && !records->empty());
    int inOrder = 0;
    for (const SearchRecord& record : *records)
        if (record.strategy == "brute_force") {
            ++inOrder;
            EXPECT_EQ(q(record.problem), problem);
            EXPECT_EQ(record.kernel, "attention/fused");
        }
    EXPECT_EQ(inOrder, 1);
}

TEST(TunedTable, IsASoundModel)
{
    TunedTableModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Warning);
    const Result<Catalog> catalog = Catalog::loadEmbedded();
    ASSERT_TRUE(catalog);
    const auto point = [](std::int64_t warps, std::optional<double> ns, bool refined) {
        TunedPoint made{.kernel = "attention/fused@WARPS=" + std::to_string(warps),
                        .tunables = {{"WARPS", ParamValue(warps)}},
                        .ns = ns,
                        .refined = refined};
        made.why = ns ? "" : "it faults";
        return made;
    };
    model.setRows(makeTunedRows({point(8, {}, false), point(2, 2000, false), point(1, 3000, false), point(2, 1500, true)},
                                **catalog->family("attention"), **catalog->variant({"attention", "fused", {}})));
    const auto text = [&](int row, int column) { return model.index(row, column).data().toString(); };
    ASSERT_EQ(model.rowCount(), 3) << "what was timed again appears once";
    EXPECT_EQ(text(0, TunedTableModel::Time), q(formatTime(1500)));
    EXPECT_EQ(text(1, TunedTableModel::Slower), "2.00×");
    EXPECT_NE(text(0, TunedTableModel::How), text(1, TunedTableModel::How)) << "refined and brief";
    EXPECT_EQ(text(2, TunedTableModel::How), "it faults");
    EXPECT_GT(model.index(2, TunedTableModel::Time).data(kSortRole).toDouble(), 1e9) << "failed ones sort last";
}

} // namespace
} // namespace kl::ui
