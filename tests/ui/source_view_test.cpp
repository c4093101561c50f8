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
#include "ui/style/theme.h"
#include "ui/widgets/code_view.h"
#include "ui/widgets/heat_map.h"
#include "ui/widgets/text.h"

#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QRegularExpression>
#include <QScrollBar>
#include <QTest>
#include <QTextBlock>

#include <numeric>

namespace kl::ui {
namespace {

/// A kernel of a real report as a run.
RunRecord readKernelRun(const char* file, std::size_t kernel)
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
    static const Result<Catalog> loaded = Catalog::loadEmbedded();
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
        view.setRun(readKernelRun("three_kernels.ncu-rep", 0), catalog());
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
    source.setRun(readKernelRun("source.ncu-rep", 2), catalog());
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

TEST_F(SourceViewTest, AnInstructionWithoutALineMarksNone)
{
    KernelCode code = *longCode(300);
    code.files = {"kernel.cu", "other.cu"};
    for (int i = 200; i < 300; ++i)
        code.instructions[static_cast<std::size_t>(i)].file = 1;
    code.instructions[5].line = 0;
    RunRecord run = readKernelRun("three_kernels.ncu-rep", 0);
    run.sourceProfile->code = SharedCode(std::move(code));
    view.setRun(run, catalog());
    const auto marked = [&] {
        view.code()->viewport()->repaint();
        return view.code()->extraSelections().size();
    };
    view.table()->showRow(10);
    EXPECT_TRUE(view.model().isMarked(*view.model().at(10)));
    const auto some = marked();
    view.table()->showRow(5);
    EXPECT_FALSE(view.model().isMarked(*view.model().at(10)));
    EXPECT_LT(marked(), some);
    view.table()->showRow(250);
    EXPECT_EQ(view.findChild<QComboBox*>("sourceFiles")->currentText(), "other.cu") << "the file of the instruction";
    EXPECT_EQ(view.code()->textCursor().blockNumber() + 1, 3);
    EXPECT_EQ(marked(), some);
}

TEST_F(SourceViewTest, PtxIsNamedAsWhatAnInstructionCameFromAndNotAsTheInstruction)
{
    RunRecord run = readKernelRun("three_kernels.ncu-rep", 0);
    KernelCode code = *longCode(200);
    const auto head = [&](Qt::ItemDataRole role) {
        run.sourceProfile->code = SharedCode(code);
        view.setRun(run, catalog());
        return view.model().headerData(CodeTableModel::Text, Qt::Horizontal, role).toString();
    };
    const auto* note = view.findChild<QLabel*>("sourceNote");
    EXPECT_EQ(head(Qt::DisplayRole), "SASS");
    EXPECT_TRUE(head(Qt::ToolTipRole).isEmpty());
    code.language = CodeLanguage::ptx;
    code.notDisassembled = "nvdisasm was not found.";
    EXPECT_NE(head(Qt::DisplayRole), "SASS");
    EXPECT_NE(head(Qt::DisplayRole), "PTX");
    EXPECT_FALSE(head(Qt::ToolTipRole).isEmpty());
    EXPECT_TRUE(note->isVisible());
    EXPECT_TRUE(note->text().contains(q(code.notDisassembled)));
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
            requested += role == Qt::DisplayRole ? 1 : 0;
            return CodeTableModel::data(index, role);
        }
        mutable int requested = 0;
    };
    Counting model;
    CodeTable table(&model);
    model.setCode(longCode(100'000));
    table.resize(1000, 600);
    table.show();
    QCoreApplication::processEvents();
    const int visible = (table.viewport()->height() / table.rowHeight(0) + 2) * CodeTableModel::ColumnCount;
    for (const int step : {1, 20, 5000, 90'000}) {
        model.requested = 0;
        table.verticalScrollBar()->setValue(table.verticalScrollBar()->value() + step);
        table.viewport()->repaint();
        EXPECT_LE(model.requested, visible) << step;
    }
    model.requested = 0;
    model.setMarked(0, 500);
    table.viewport()->repaint();
    EXPECT_LE(model.requested, visible);
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
    EXPECT_EQ(model.sumParts(*model.at(50)), (std::vector<std::int64_t>{90, 0, 10}));
    model.setCollapsed(true);
    EXPECT_EQ(model.rowCount(), 3);
    EXPECT_EQ(model.lookUpRow(299), 2);
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

/// Two lines of two files: each has its line 1.
SharedCode twoFiles()
{
    KernelCode code;
    code.language = CodeLanguage::sass;
    code.functions = {"kernel"};
    code.files = {"a.cu", "b.cu"};
    code.stalls = {"barrier", "selected", "long_scoreboard"};
    const auto add = [&](int file, const char* text, std::vector<std::int64_t> stalls) {
        CodeInstruction& one = code.instructions.emplace_back();
        one.offset = 16 * static_cast<std::int64_t>(code.instructions.size() - 1);
        one.file = file;
        one.line = 1;
        one.text = text;
        one.stalls = std::move(stalls);
        one.samples = std::accumulate(one.stalls.begin(), one.stalls.end(), std::int64_t{0});
        one.executed = 4;
        return &one;
    };
    CodeInstruction* load = add(0, "LDG.E R1, [R2]", {1, 1, 1});
    load->threads = 64;
    load->sectors = 32;
    load->idealSectors = 8;
    load->wavefronts = 10;
    load->idealWavefronts = 4;
    add(1, "BAR.SYNC 0x0", {0, 0, 7});
    add(1, "FFMA R1, R2, R3, R4", {30, 50, 10});
    add(1, "FFMA R1, R2, R3, R5", {0, 0, 0});
    return SharedCode(std::move(code));
}

TEST(CodeTable, CellsAreFiguresOfTheirRow)
{
    CodeTableModel model;
    model.setCode(twoFiles());
    const auto cell = [&](int row, int column) { return model.index(row, column).data().toString(); };
    EXPECT_EQ(cell(0, CodeTableModel::Samples), "3\u202f%") << "of all 100";
    EXPECT_EQ(cell(2, CodeTableModel::Samples), "90\u202f%");
    EXPECT_EQ(cell(0, CodeTableModel::Threads), "16.0") << "of 32, on average";
    EXPECT_EQ(cell(0, CodeTableModel::Sectors), "32 / 8") << "what was asked for, then what could be";
    EXPECT_EQ(cell(0, CodeTableModel::Conflicts), "6") << "wavefronts that conflicts add";
    EXPECT_TRUE(model.index(0, 0).data(Qt::ToolTipRole).toString().contains("33.3\u202f%")) << "of its own samples";
    ASSERT_EQ(model.parts().size(), 4) << "two stalls, others, and not stalled";
    EXPECT_EQ(model.sumParts(*model.at(2)), (std::vector<std::int64_t>{30, 10, 0, 50}))
        << "the most frequent first; issuing is not a stall";
    EXPECT_EQ(model.rowsAt(0, 1), (std::vector<int>{0})) << "line 1 of the other file is another line";
    EXPECT_EQ(model.hottestAt(1, 1), 2);
    model.setMarked(0, 1);
    model.setCollapsed(true);
    EXPECT_EQ(model.lookUpRow(2), 1);
    const QString opcodes = cell(1, CodeTableModel::Text);
    EXPECT_LT(opcodes.indexOf("FFMA"), opcodes.indexOf("BAR")) << "the most frequent first";
    model.setCollapsed(false);
    model.setCode(twoFiles());
    EXPECT_FALSE(model.isMarked(*model.at(0))) << "of code that was shown before";
}

TEST(CodeTable, AColumnIsThereWhereItsFigureIs)
{
    CodeTableModel model;
    model.setCode(twoFiles());
    EXPECT_TRUE(model.hasColumn(CodeTableModel::Threads));
    KernelCode bare;
    bare.files = {"a.cu"};
    bare.instructions.resize(1);
    bare.instructions.front().executed = 4;
    model.setCode(SharedCode(std::move(bare)));
    EXPECT_TRUE(model.hasColumn(CodeTableModel::Executed));
    EXPECT_FALSE(model.hasColumn(CodeTableModel::Threads));
    EXPECT_FALSE(model.hasColumn(CodeTableModel::Samples)) << "none was taken";
}

SharedCode makeCodeFromTexts(const std::vector<std::pair<const char*, std::int64_t>>& rows)
{
    KernelCode code;
    code.language = CodeLanguage::sass;
    code.stalls = {"selected"};
    for (const auto& [text, samples] : rows) {
        CodeInstruction& one = code.instructions.emplace_back();
        one.offset = 16 * static_cast<std::int64_t>(code.instructions.size() - 1);
        one.text = text;
        one.samples = samples;
        one.stalls = {samples};
    }
    return SharedCode(std::move(code));
}

TEST(CodeDiffTable, ARemovedInstructionIsOfAAndATimeThatIsSavedIsBetter)
{
    CodeDiffModel model;
    const SharedCode a = makeCodeFromTexts({{"STL [R1], R2", 50}, {"LDL R2, [R1]", 0}, {"FFMA R1, R2, R3, R4", 50}, {"EXIT", 0}});
    const SharedCode b = makeCodeFromTexts({{"FFMA R1, R2, R3, R4", 100}, {"EXIT", 0}});
    model.setCode(a, 1000.0, b, 600.0);
    ASSERT_EQ(model.rowCount(), 4);
    const auto cell = [&](int row, int column) { return model.index(row, column).data().toString(); };
    EXPECT_EQ(cell(0, CodeDiffModel::Mark), q("−"));
    EXPECT_EQ(cell(0, CodeDiffModel::TextB), "");
    EXPECT_TRUE(cell(2, CodeDiffModel::TextA).startsWith("0020"));
    EXPECT_TRUE(cell(2, CodeDiffModel::TextB).startsWith("0000")) << "the places of B";
    EXPECT_TRUE(cell(0, CodeDiffModel::Moved).startsWith(q("−500")));
    const auto readColor = [&](int row) { return model.index(row, CodeDiffModel::Moved).data(Qt::ForegroundRole).value<QColor>(); };
    EXPECT_EQ(readColor(0), color(Token::better));
    EXPECT_EQ(readColor(2), color(Token::worse)) << "500 to 600 ns";
    static const QRegularExpression numbers(QStringLiteral("\\b[0-9]+\\b"));
    QStringList found;
    const QString first = model.summary(32, 32).split('\n').front();
    for (auto match = numbers.globalMatch(first); match.hasNext();)
        found << match.next().captured();
    EXPECT_EQ(found, (QStringList{"32", "2", "0", "0", "2", "0"})) << "registers alike, spills 2 to 0, none added, two removed";
}

} // namespace
} // namespace kl::ui
