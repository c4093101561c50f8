// SPDX-License-Identifier: MIT
// Code as several pages show it, by itself: two sides, the list of instructions beside its source, and the dialog for a .cu file.
#include "core/diagnosis/fix_code.h"
#include "core/model/kernel_code.h"
#include "kernels/catalog.h"
#include "tests/ui/support/counted_run.h"
#include "tests/ui/support/seen_texts.h"
#include "ui/models/code_table_model.h"
#include "ui/pages/shared/code_link.h"
#include "ui/pages/shared/code_pair.h"
#include "ui/pages/shared/code_table.h"
#include "ui/pages/shared/cu_dialog.h"
#include "ui/pages/shared/source_view.h"
#include "ui/widgets/code_view.h"
#include "ui/widgets/text.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBlock>
#include <QVBoxLayout>

namespace kl::ui {
namespace {

TEST(CodePairs, ShowTheSidesThatThereAre)
{
    CodePair pair;
    auto* before = pair.findChild<CodeView*>("codeBefore");
    auto* after = pair.findChild<CodeView*>("codeAfter");
    pair.resize(1000, 400);
    pair.show();
    pair.setCode("int a;", "int b;\nint c;", "mind the rest");
    QCoreApplication::processEvents();
    EXPECT_EQ(before->toPlainText(), "int a;");
    EXPECT_EQ(after->toPlainText(), "int b;\nint c;");
    EXPECT_TRUE(seenOn(pair).contains("mind the rest"));
    EXPECT_LT(before->height(), after->height()) << "as high as its lines";
    EXPECT_GT(after->mapTo(&pair, QPoint()).x(), before->mapTo(&pair, QPoint()).x()) << "beside it";
    pair.resize(600, 400);
    QCoreApplication::processEvents();
    EXPECT_EQ(after->mapTo(&pair, QPoint()).x(), before->mapTo(&pair, QPoint()).x()) << "below it";
    pair.setCode({}, "int b;", {});
    EXPECT_FALSE(before->isVisible());
    EXPECT_TRUE(after->isVisible());
    EXPECT_FALSE(seenOn(pair).contains("mind the rest"));
    pair.setCode("int a;", {}, {});
    EXPECT_TRUE(before->isVisible());
    EXPECT_FALSE(after->isVisible());
    pair.setCode({}, {}, "words");
    EXPECT_FALSE(pair.isVisible());
}

TEST(CodeLinks, ShowAndHideTheirCode)
{
    QWidget parent;
    auto* column = new QVBoxLayout(&parent);
    addCodeLink(column, FixCode{"old", "new", "a note"}, "Show it", "Hide it", "theLink", &parent);
    auto* link = parent.findChild<QPushButton*>("theLink");
    ASSERT_NE(link, nullptr);
    EXPECT_FALSE(parent.findChild<CodePair*>()->isVisibleTo(&parent));
    EXPECT_EQ(link->text(), "Show it");
    link->click();
    EXPECT_TRUE(parent.findChild<CodePair*>()->isVisibleTo(&parent));
    EXPECT_EQ(link->text(), "Hide it");
    EXPECT_EQ(parent.findChild<CodeView*>("codeBefore")->toPlainText(), "old");
    EXPECT_EQ(parent.findChild<CodeView*>("codeAfter")->toPlainText(), "new");
    EXPECT_TRUE(seenOn(parent).contains("a note"));
    link->click();
    EXPECT_FALSE(parent.findChild<CodePair*>()->isVisibleTo(&parent));
    EXPECT_EQ(link->text(), "Show it");
}

/// Instructions of two files, the ones at `hot` with samples, the last of no line.
SharedCode smallCode(std::initializer_list<int> hot)
{
    KernelCode code;
    code.language = CodeLanguage::sass;
    code.functions = {"kernel"};
    code.files = {"a.cu", "b.cu"};
    code.stalls = {"long_scoreboard", "selected"};
    const char* texts[] = {"MOV R1, R2", "LDG.E R3, [R4]", "FADD R1, R2, R3", "LDG.E R5, [R6]", "STG.E [R4], R1", "EXIT"};
    for (int i = 0; i < 6; ++i) {
        CodeInstruction& one = code.instructions.emplace_back();
        one.offset = 16 * i;
        one.file = i < 3 ? 0 : 1;
        one.line = i == 5 ? 0 : 1 + i;
        one.text = texts[i];
        one.executed = 64;
        if (std::ranges::find(hot, i) != hot.end()) {
            one.samples = 100;
            one.stalls = {90, 10};
        }
    }
    return SharedCode(std::move(code));
}

TEST(CodeTable, HotSpotsAndWordsAreFoundFromTheCurrentRowOn)
{
    CodeTableModel model;
    CodeTable table(&model);
    model.setCode(smallCode({1, 3}));
    table.resize(900, 300);
    table.show();
    const auto row = [&] { return table.currentIndex().row(); };
    const QSignalSpy chosen(&table, &CodeTable::chosen);
    table.showHotSpot(true);
    EXPECT_EQ(row(), 1);
    ASSERT_EQ(chosen.count(), 1);
    EXPECT_EQ(chosen[0][0].toInt(), 1);
    table.showHotSpot(true);
    EXPECT_EQ(row(), 3);
    table.showHotSpot(true);
    EXPECT_EQ(row(), 1) << "from the other end";
    table.showHotSpot(false);
    EXPECT_EQ(row(), 3) << "from the other end";
    table.showHotSpot(false);
    EXPECT_EQ(row(), 1) << "the one before, not the current one";
    EXPECT_TRUE(table.showNext("ldg"));
    EXPECT_EQ(row(), 3) << "the next, in any case";
    EXPECT_TRUE(table.showNext("LDG"));
    EXPECT_EQ(row(), 1);
    EXPECT_TRUE(table.showNext("fadd"));
    EXPECT_TRUE(table.showNext("fadd"));
    EXPECT_EQ(row(), 2) << "it is the only one";
    EXPECT_FALSE(table.showNext("no such"));
    EXPECT_EQ(row(), 2);
    EXPECT_TRUE(table.showNext({}));
    EXPECT_EQ(row(), 2) << "nothing is looked for";
    QTest::keyClick(&table, Qt::Key_N);
    EXPECT_EQ(row(), 3);
    QTest::keyClick(&table, Qt::Key_P);
    EXPECT_EQ(row(), 1);
    table.showRow(99);
    EXPECT_EQ(row(), 1);
    model.setCode(smallCode({}));
    table.showRow(2);
    table.showHotSpot(true);
    EXPECT_EQ(row(), 2) << "there is none";
}

TEST(CodeTable, CopiesTheSelectedRowsOrAll)
{
    CodeTableModel model;
    CodeTable table(&model);
    model.setCode(smallCode({1}));
    EXPECT_EQ(table.tsv().split('\n').size(), 7) << "the header and all rows";
    table.showRow(4);
    QTest::keyClick(&table, Qt::Key_C, Qt::ControlModifier);
    const QStringList lines = QApplication::clipboard()->text().split('\n');
    ASSERT_EQ(lines.size(), 2);
    EXPECT_TRUE(lines[0].contains(model.headerData(CodeTableModel::Text, Qt::Horizontal, Qt::DisplayRole).toString()));
    EXPECT_TRUE(lines[1].contains("STG.E [R4], R1"));
    EXPECT_EQ(lines[0].split('\t').size(), lines[1].split('\t').size());
}

TEST(SourceViews, FollowTheirInstructionsThroughTheFiles)
{
    const Result<Catalog> catalog = Catalog::loadEmbedded();
    ASSERT_TRUE(catalog);
    RunRecord run = countedRun("now", 1000);
    run.kernel = {"program", "k", {}};
    run.sourceProfile.emplace();
    run.sourceProfile->code = smallCode({3});
    SourceView view;
    view.resize(1200, 500);
    view.show();
    view.setRun(run, *catalog);
    auto* files = view.findChild<QComboBox*>("sourceFiles");
    ASSERT_EQ(files->count(), 2);
    EXPECT_TRUE(files->isVisible());
    EXPECT_EQ(files->currentText(), "b.cu") << "the hottest";
    const auto line = [&] { return view.code()->textCursor().blockNumber() + 1; };
    view.table()->showRow(1);
    EXPECT_EQ(files->currentText(), "a.cu");
    EXPECT_EQ(line(), 2);
    EXPECT_TRUE(view.model().isMarked(*view.model().at(1)));
    view.table()->showRow(5);
    EXPECT_EQ(files->currentText(), "a.cu") << "it has no line";
    EXPECT_FALSE(view.model().isMarked(*view.model().at(1)));
    view.showPlace("b.cu", 4);
    EXPECT_EQ(files->currentText(), "b.cu");
    EXPECT_EQ(line(), 4);
    EXPECT_TRUE(view.model().isMarked(*view.model().at(3)));
    view.showPlace("b.cu", 0);
    view.showPlace("c.cu", 1);
    EXPECT_EQ(line(), 4) << "neither is a place";
    files->setCurrentText("a.cu");
    EXPECT_EQ(view.code()->toPlainText().split('\n').size(), 3) << "as far as there are instructions";
    auto* next = buttonOn(view, "nextHotSpot");
    EXPECT_TRUE(next->isEnabled());
    next->click();
    EXPECT_EQ(view.table()->currentIndex().row(), 3);
    view.findField()->setText("no such");
    QTest::keyClick(view.findField(), Qt::Key_Return);
    const QStringList notFound = seenOn(view);
    view.findField()->setText("EXIT");
    QTest::keyClick(view.findField(), Qt::Key_Return);
    EXPECT_EQ(view.table()->currentIndex().row(), 5);
    EXPECT_NE(seenOn(view), notFound) << "it no longer says so";
    EXPECT_TRUE(view.findChild<QLabel*>("stallLegend")->text().contains("long"));
    run.sourceProfile->code = smallCode({});
    view.setRun(run, *catalog);
    EXPECT_FALSE(next->isEnabled());
    const QSignalSpy maximized(&view, &SourceView::maximizeRequested);
    EXPECT_FALSE(buttonOn(view, "maximizeSource")->isVisible());
    view.setMaximizable();
    buttonOn(view, "maximizeSource")->click();
    EXPECT_EQ(maximized.count(), 1);
    run.sourceProfile.reset();
    view.setRun(run, *catalog);
    EXPECT_FALSE(view.hasContent());
    EXPECT_FALSE(view.table()->isVisible()) << "instructions of the run before";
    EXPECT_FALSE(view.findField()->isVisible());
}

class CuFile : public testing::Test {
protected:
    QString write(const char* name, const char* text) const
    {
        QFile file(folder.filePath(QString::fromLatin1(name)));
        EXPECT_TRUE(file.open(QIODevice::WriteOnly));
        file.write(text);
        return file.fileName();
    }
    static QString error(const CuDialog& dialog)
    {
        const auto* label = dialog.findChild<QLabel*>("cuError");
        return label->isHidden() ? QString() : label->text();
    }
    static QString field(const CuDialog& dialog, const char* name)
    {
        return dialog.findChild<QLineEdit*>(QString::fromLatin1(name))->text();
    }

    QTemporaryDir folder;
};

TEST_F(CuFile, ProposesADescriptorOfTheChosenFunction)
{
    const QString source = write("my kernel.cu", "extern \"C\" __global__ void add(const float* a, float* out, int n) {}\n"
                                                 "__global__ void mangled(float* x) {}\n"
                                                 "extern \"C\" __global__ void fill(float* y, int rows, int cols) {}\n");
    CuDialog dialog(source);
    EXPECT_EQ(field(dialog, "cuId"), "my-kernel") << "a name that an address can have";
    auto* entries = dialog.findChild<QComboBox*>("cuEntry");
    ASSERT_EQ(entries->count(), 3);
    EXPECT_TRUE(entries->itemText(0).startsWith("add") && entries->itemText(0).contains("1"));
    auto* arguments = dialog.findChild<QTableWidget*>("cuArguments");
    ASSERT_EQ(arguments->rowCount(), 3);
    EXPECT_EQ(arguments->item(0, 0)->text(), "a");
    EXPECT_TRUE(arguments->item(0, 1)->text().endsWith("*"));
    EXPECT_EQ(arguments->item(0, 2)->text(), "input");
    EXPECT_EQ(arguments->item(1, 2)->text(), "output");
    EXPECT_EQ(arguments->item(2, 2)->text(), "") << "a number has no role";
    EXPECT_TRUE(arguments->item(1, 2)->flags() & Qt::ItemIsEditable);
    EXPECT_FALSE(arguments->item(2, 2)->flags() & Qt::ItemIsEditable);
    EXPECT_TRUE(arguments->item(2, 3)->flags() & Qt::ItemIsEditable);
    EXPECT_FALSE(arguments->item(0, 0)->flags() & Qt::ItemIsEditable);
    const QString sizes = field(dialog, "cuProblem");
    entries->setCurrentIndex(1);
    EXPECT_EQ(arguments->rowCount(), 1);
    const QSignalSpy written(&dialog, &CuDialog::written);
    buttonOn(dialog, "cuWrite")->click();
    EXPECT_EQ(written.count(), 0);
    EXPECT_TRUE(error(dialog).contains("mangled"));
    entries->setCurrentIndex(2);
    EXPECT_TRUE(error(dialog).isEmpty()) << "of the function before";
    EXPECT_NE(field(dialog, "cuProblem"), sizes);
    entries->setCurrentIndex(0);
    dialog.findChild<QLineEdit*>("cuId")->setText(" added ");
    dialog.findChild<QLineEdit*>("cuProblem")->setText("N=4096");
    dialog.findChild<QLineEdit*>("cuBlock")->setText("128; 1; 1");
    buttonOn(dialog, "cuWrite")->click();
    EXPECT_TRUE(error(dialog).isEmpty()) << error(dialog).toStdString();
    ASSERT_EQ(written.count(), 1);
    EXPECT_EQ(written[0][1].toString(), "added");
    QFile descriptor(written[0][0].toString());
    ASSERT_TRUE(descriptor.open(QIODevice::ReadOnly));
    const QString text = QString::fromUtf8(descriptor.readAll());
    for (const char* part : {"\"added\"", "N=4096", "128", "\"add\""})
        EXPECT_TRUE(text.contains(part)) << part << ": " << text.toStdString();
    EXPECT_FALSE(text.contains("mangled"));
    CuDialog again(source);
    buttonOn(again, "cuWrite")->click();
    EXPECT_FALSE(error(again).isEmpty()) << "the file is there already";
}

TEST_F(CuFile, WhatHasNoKernelCannotBeWritten)
{
    CuDialog none(write("none.cu", "int f() { return 1; }\n"));
    EXPECT_FALSE(error(none).isEmpty());
    EXPECT_FALSE(buttonOn(none, "cuWrite")->isEnabled());
    CuDialog missing(folder.filePath("missing.cu"));
    EXPECT_TRUE(error(missing).contains("missing.cu"));
    EXPECT_NE(error(missing).section("missing.cu", 1), error(none).section("none.cu", 1));
    EXPECT_FALSE(buttonOn(missing, "cuWrite")->isEnabled());
}

} // namespace
} // namespace kl::ui
