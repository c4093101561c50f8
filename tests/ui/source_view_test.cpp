// SPDX-License-Identifier: MIT
#include "core/diagnosis/tree.h"
#include "core/model/kernel_code.h"
#include "core/model/run.h"
#include "profiler/import/ncu_report.h"
#include "sessions/measure/code_listing.h"
#include "tests/support/real_reports.h"
#include "ui/models/code_diff_model.h"
#include "ui/models/code_table_model.h"
#include "ui/pages/shared/code_table.h"
#include "ui/pages/shared/source_view.h"
#include "ui/widgets/code_view.h"
#include "ui/widgets/heat_map.h"

#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QScrollBar>
#include <QTest>
#include <QTextBlock>

namespace kl::ui {
namespace {

/// A kernel of a real report as a run.
RunRecord runOf(const char* file, std::size_t kernel)
{
    Result<ImportedFile> report = readNcuReport(test::ncuData(file), file);
    EXPECT_TRUE(report);
    RunRecord run;
    run.kernel = {"program", "kernel", {}};
    run.imported = report->results[kernel].facts;
    run.sourceProfile = report->results[kernel].source;
    return run;
}

const Catalog& catalog()
{
    static const Result<Catalog> loaded = Catalog::embedded();
    return *loaded;
}

/// `rows` instructions of as many lines as there are hundreds of them, each hundredth hot.
SharedCode longCode(int rows)
{
    KernelCode code;
    code.language = CodeLanguage::sass;
    code.functions = {"kernel"};
    code.files = {"kernel.cu"};
    code.stalls = {"long_scoreboard", "selected"};
    for (int i = 0; i < rows; ++i) {
        CodeInstruction& one = code.instructions.emplace_back();
        one.offset = 16 * i;
        one.file = 0;
        one.line = 1 + i / 100;
        one.text = "FFMA R1, R2, R3, R4";
        one.executed = 64;
        if (i % 100 == 50) {
            one.samples = 100;
            one.stalls = {90, 10};
        }
    }
    return SharedCode(std::move(code));
}

class SourceViewTest : public testing::Test {
protected:
    SourceViewTest()
    {
        view.resize(1200, 600);
        view.setRun(runOf("three_kernels.ncu-rep", 0), catalog());
        view.show();
        QCoreApplication::processEvents();
    }
    const CodeInstruction& selected() const { return *view.model().at(view.table()->currentIndex().row()); }

    SourceView view;
};

TEST_F(SourceViewTest, ALineLightsItsInstructionsAndAnInstructionItsLine)
{
    ASSERT_EQ(view.model().rowCount(), 144);
    EXPECT_TRUE(view.model().isMarked(*view.model().at(0))) << "the hottest line is chosen first";
    EXPECT_EQ(view.code()->textCursor().blockNumber() + 1, 2);
    view.table()->showRow(0x390 / 16);
    EXPECT_EQ(selected().sectors, 16777216);
    EXPECT_EQ(view.code()->textCursor().blockNumber() + 1, 2);

    SourceView source;
    source.setRun(runOf("source.ncu-rep", 2), catalog());
    const std::vector<LineSum>& lines = source.model().lines();
    ASSERT_GT(lines.size(), 2U);
    const LineSum& second = lines[1];
    source.showPlace("small.cu", second.sum.line);
    for (const std::size_t one : second.instructions)
        EXPECT_TRUE(source.model().isMarked(*source.model().at(static_cast<int>(one))));
    EXPECT_FALSE(source.model().isMarked(lines[0].sum));
    QTextCursor cursor(source.code()->document()->findBlockByNumber(lines[0].sum.line - 1));
    source.code()->setTextCursor(cursor); // as a click does
    EXPECT_TRUE(source.model().isMarked(lines[0].sum));
    EXPECT_TRUE(source.code()->toPlainText().contains("__global__"));
}

TEST_F(SourceViewTest, KeysGoFromHotSpotToHotSpot)
{
    const std::vector<std::size_t>& spots = view.model().hotRows();
    ASSERT_FALSE(spots.empty());
    view.table()->setFocus();
    view.table()->showRow(0);
    QTest::keyClick(view.table(), Qt::Key_N);
    EXPECT_EQ(view.table()->currentIndex().row(), static_cast<int>(spots.front()));
    QTest::keyClick(view.table(), Qt::Key_P);
    EXPECT_EQ(view.table()->currentIndex().row(), static_cast<int>(spots.back())) << "from the other end";
}

TEST_F(SourceViewTest, TheMapLeadsToItsRow)
{
    view.map()->resize(16, 288);
    EXPECT_EQ(view.map()->rowAt(0), 0);
    EXPECT_EQ(view.map()->rowAt(287), 143);
    QTest::mouseClick(view.map(), Qt::LeftButton, {}, QPoint(8, view.map()->height() / 2));
    EXPECT_EQ(view.table()->currentIndex().row(), view.map()->rowAt(view.map()->height() / 2));
}

TEST_F(SourceViewTest, InstructionsAreFoundAndSummedByLine)
{
    auto* find = view.findField();
    find->setText("ld.global");
    QTest::keyClick(find, Qt::Key_Return);
    EXPECT_EQ(selected().offset % 16, 0);
    EXPECT_TRUE(view.table()->currentIndex().siblingAtColumn(CodeTableModel::Text).data().toString().contains("ld.global"));
    EXPECT_FALSE(view.table()->showNext("no such instruction"));
    view.findChild<QCheckBox*>("collapseLines")->setChecked(true);
    EXPECT_EQ(view.model().rowCount(), static_cast<int>(view.model().lines().size()));
    EXPECT_EQ(view.model().at(0)->samples, 31487);
}

TEST_F(SourceViewTest, WithoutTextItSaysWhereTheSourceComesFrom)
{
    const auto* note = view.findChild<QLabel*>("sourceNote");
    EXPECT_TRUE(note->text().contains("--import-source"));
    EXPECT_FALSE(view.code()->toPlainText().isEmpty()) << "a line for each that has instructions";
    EXPECT_FALSE(view.findChild<QComboBox*>("sourceFiles")->isVisible()) << "there is one file";
    SourceView empty;
    empty.setRun(RunRecord(), catalog());
    EXPECT_FALSE(empty.hasContent());
}

TEST(CodeTable, ScrollingAHundredThousandInstructionsAsksOnlyForWhatIsSeen)
{
    /// Counts the cells that are asked for.
    class Counting : public CodeTableModel {
    public:
        QVariant data(const QModelIndex& index, int role) const override
        {
            asked += role == Qt::DisplayRole ? 1 : 0;
            return CodeTableModel::data(index, role);
        }
        mutable int asked = 0;
    };
    Counting model;
    CodeTable table(&model);
    model.setCode(longCode(100'000));
    table.resize(1000, 600);
    table.show();
    QCoreApplication::processEvents();
    const int visible = (table.viewport()->height() / table.rowHeight(0) + 2) * CodeTableModel::ColumnCount;
    for (const int step : {1, 20, 5000, 90'000}) {
        model.asked = 0;
        table.verticalScrollBar()->setValue(table.verticalScrollBar()->value() + step);
        table.viewport()->repaint();
        EXPECT_LE(model.asked, visible) << step;
    }
    model.asked = 0;
    model.setMarked(0, 500);
    table.viewport()->repaint();
    EXPECT_LE(model.asked, visible);
}

TEST(CodeTable, TheModelIsSoundAndHidesWhatWasNotCollected)
{
    CodeTableModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    CodeTable table(&model);
    model.setCode(longCode(300));
    EXPECT_FALSE(table.isColumnHidden(CodeTableModel::Executed));
    EXPECT_TRUE(table.isColumnHidden(CodeTableModel::Sectors));
    EXPECT_TRUE(table.isColumnHidden(CodeTableModel::Live));
    EXPECT_EQ(model.hotRows(), (std::vector<std::size_t>{50, 150, 250}));
    EXPECT_EQ(model.rowsAt(0, 2).size(), 100U);
    EXPECT_EQ(model.hottestAt(0, 2), 150);
    EXPECT_EQ(model.partsOf(*model.at(50)), (std::vector<std::int64_t>{90, 0, 10}));
    model.setCollapsed(true);
    EXPECT_EQ(model.rowCount(), 3);
    EXPECT_EQ(model.rowOf(299), 2);
    model.setCode({});
    EXPECT_EQ(model.rowCount(), 0);
}

TEST(CodeDiffTable, ShowsBothSidesAndTheTimeThatMoved)
{
    CodeDiffModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.setCode(longCode(200), 1000.0, longCode(300), 3000.0);
    EXPECT_EQ(model.rowCount(), 300);
    EXPECT_EQ(model.diff().added, 100);
    EXPECT_EQ(model.index(299, CodeDiffModel::Mark).data().toString(), "+");
    EXPECT_EQ(model.index(299, CodeDiffModel::TextA).data().toString(), "");
    EXPECT_EQ(model.index(50, CodeDiffModel::Moved).data().toString(), "+500\u202fns") << "a half of 1 us, a third of 3 us";
    EXPECT_FALSE(model.summary(32, 40).isEmpty());
    model.setCode({}, {}, longCode(3), {});
    EXPECT_EQ(model.rowCount(), 0);
}

} // namespace
} // namespace kl::ui
