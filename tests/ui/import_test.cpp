// SPDX-License-Identifier: MIT
// Opening reports of Nsight Compute in the window: dropped, chosen, damaged, and over the read-only sample.
#include "tests/support/real_reports.h"
#include "ui/charts/chart_card.h"
#include "ui/charts/evidence_bars.h"
#include "ui/import/report_opener.h"
#include "ui/pages/diagnose/ncu_card.h"
#include "ui/pages/diagnose/tree_view.h"
#include "ui/pages/shared/kernel_table.h"
#include "ui/widgets/text.h"
#include "ui/window/mainwindow.h"

#include <QApplication>
#include <gtest/gtest.h>

#include <QDropEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>
#include <QTreeView>

namespace kl::ui {
namespace {

class OpeningReports : public testing::Test {
protected:
    void open(const std::string& location)
    {
        ASSERT_TRUE(folder.isValid());
        auto opened = AppContext::open(location, DeviceSpec::sample());
        ASSERT_TRUE(opened) << opened.error().message;
        context = std::move(*opened);
        window = std::make_unique<MainWindow>(*context);
        window->show();
        ASSERT_TRUE(waitForJobs());
        QObject::connect(context.get(), &AppContext::messagePosted,
                         [this](const Message& message) { posted << message.what + ' ' + message.why; });
    }
    void TearDown() override { waitForJobs(); }

    QString write(const QString& name, const std::string& bytes) const
    {
        QFile file(folder.filePath(name));
        EXPECT_TRUE(file.open(QIODevice::WriteOnly));
        file.write(bytes.data(), static_cast<qint64>(bytes.size()));
        return file.fileName();
    }
    void drop(const QString& path) const
    {
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(path)});
        QDragEnterEvent enter({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(window.get(), &enter);
        EXPECT_TRUE(enter.isAccepted());
        QDropEvent dropped({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(window.get(), &dropped);
        ASSERT_TRUE(waitForJobs());
    }
    Page* page() const { return window->page("diagnose"); }
    KernelTable* table() const { return page()->findChild<KernelTable*>("reportKernels"); }
    /// Goes to the kernel as a user does: filters the table and moves to its first row.
    void choose(const QString& words) const
    {
        table()->filterField()->setText(words);
        table()->view()->setCurrentIndex({});
        QTest::keyClick(table()->filterField(), Qt::Key_Down);
        ASSERT_TRUE(waitForJobs());
    }
    QString sentence() const { return page()->findChild<QLabel*>("findingSentence")->text(); }
    QStringList collectTexts(const QWidget* widget) const
    {
        QStringList words;
        for (const QLabel* label : widget->findChildren<QLabel*>())
            words << label->text();
        return words;
    }

    QTemporaryDir folder;
    std::unique_ptr<AppContext> context;
    std::unique_ptr<MainWindow> window;
    QStringList posted;
};

TEST_F(OpeningReports, ADroppedReportIsStoredAndShownWithNcusOpinion)
{
    open(utf8(folder.filePath("test.db")));
    const QString path = write("three_kernels.ncu-rep", test::ncuData("three_kernels.ncu-rep"));
    drop(path);
    EXPECT_EQ(window->currentPage(), "diagnose");
    EXPECT_TRUE(sentence().startsWith("Uncoalesced")) << sentence().toStdString();
    const auto* card = page()->findChild<NcuCard*>();
    ASSERT_TRUE(card);
    EXPECT_TRUE(card->isVisible());
    const QString words = collectTexts(card).join('\n');
    EXPECT_TRUE(words.contains("uncoalesced")) << words.toStdString();
    EXPECT_TRUE(words.contains("k.cu:2")) << words.toStdString();
    EXPECT_TRUE(words.contains("81.8"));
    EXPECT_TRUE(posted.join(' ').contains("3 kernels")) << posted.join(' ').toStdString();
    EXPECT_EQ(table()->rows().size(), 3U);
    drop(path);
    EXPECT_EQ(table()->rows().size(), 3U);
    EXPECT_EQ(context->store().runs({})->size(), 3U) << "none of them is new";
}

TEST_F(OpeningReports, AnotherKernelOfTheReportHasItsOwnCard)
{
    open(utf8(folder.filePath("test.db")));
    drop(write("three_kernels.ncu-rep", test::ncuData("three_kernels.ncu-rep")));
    choose("fma_k");
    EXPECT_TRUE(sentence().startsWith("FP32-bound")) << sentence().toStdString();
    // Its rates a cycle place it under the roofs, as Nsight Compute's own roofline does.
    QStringList titles;
    for (const ChartCard* card : page()->findChildren<ChartCard*>())
        if (card->isVisible())
            titles << card->title();
    EXPECT_FALSE(titles.filter("FP32 roof").isEmpty()) << titles.join('\n').toStdString();
}

TEST_F(OpeningReports, EveryRulesWordsAreShownOnRequest)
{
    open(utf8(folder.filePath("test.db")));
    drop(write("three_kernels.ncu-rep", test::ncuData("three_kernels.ncu-rep")));
    const auto* card = page()->findChild<NcuCard*>();
    const auto words = [&] {
        QStringList shown;
        for (const QLabel* label : card->findChildren<QLabel*>())
            if (label->isVisible())
                shown << label->text();
        return shown;
    };
    const QStringList titles = words();
    auto* more = card->findChild<QPushButton*>("ncuWords");
    ASSERT_TRUE(more && more->isVisible());
    more->click();
    EXPECT_GT(words().size(), titles.size());
    EXPECT_FALSE(words().filter("successfully compressed").isEmpty()) << "of the rule Low Compression Rate";
    more->click();
    EXPECT_EQ(words(), titles);
}

TEST_F(OpeningReports, AQuestionOrAQuantityThatIsClickedIsExplained)
{
    open(utf8(folder.filePath("test.db")));
    drop(write("three_kernels.ncu-rep", test::ncuData("three_kernels.ncu-rep")));
    const auto* quantity = page()->findChild<QLabel*>("evidenceHelp");
    const auto* question = page()->findChild<QLabel*>("questionHelp");
    EXPECT_FALSE(quantity->isVisible() || question->isVisible()) << "nothing was clicked yet";
    auto* evidence = page()->findChild<EvidenceBars*>("evidenceBars");
    evidence->grab(); // what can be hit is known once it is drawn
    QTest::mouseClick(evidence, Qt::LeftButton, {}, {20, 8});
    EXPECT_TRUE(quantity->isVisible());
    EXPECT_EQ(quantity->text(), evidence->rows()[0].name + ": " + evidence->rows()[0].help);
    QTest::keyClick(evidence, Qt::Key_Down);
    EXPECT_EQ(quantity->text(), evidence->rows()[1].name + ": " + evidence->rows()[1].help);
    auto* tree = page()->findChild<TreeView*>();
    EXPECT_FALSE(tree->isVisible()) << "the path is in one line";
    page()->findChild<QPushButton*>("wholeTree")->click();
    QTest::qWait(0);
    QTest::mouseClick(tree, Qt::LeftButton, {}, {20, 20});
    EXPECT_TRUE(question->text().contains(q(context->tree().nodes()[0].title).toHtmlEscaped())) << question->text().toStdString();
    QTest::keyClick(tree, Qt::Key_Right);
    EXPECT_TRUE(question->text().contains(q(context->tree().nodes()[1].title).toHtmlEscaped())) << question->text().toStdString();
    EXPECT_TRUE(question->isVisible());
}

TEST_F(OpeningReports, ADamagedReportIsReportedAndChangesNothing)
{
    open(utf8(folder.filePath("test.db")));
    const QString before = window->currentPage();
    drop(write("cut.ncu-rep", test::ncuData("three_kernels.ncu-rep").substr(0, 5000)));
    EXPECT_EQ(window->currentPage(), before);
    ASSERT_EQ(posted.size(), 1);
    EXPECT_TRUE(posted.front().contains("cut.ncu-rep")) << posted.front().toStdString();
}

TEST_F(OpeningReports, OverTheReadOnlySampleTheyAreKeptWhileTheWindowIsOpen)
{
    open(":sample:");
    const auto before = context->store().dataVersion();
    drop(write("three_kernels.ncu-rep", test::ncuData("three_kernels.ncu-rep")));
    EXPECT_TRUE(sentence().startsWith("Uncoalesced")) << sentence().toStdString();
    EXPECT_TRUE(posted.join(' ').contains("read-only"));
    EXPECT_EQ(context->store().dataVersion(), before);
    // They can be compared as those of the store can.
    for (const char* kernel : {"fma_k", "stride"}) {
        choose(kernel);
        window->findChild<QPushButton*>("addToCompare")->click();
        ASSERT_TRUE(waitForJobs());
        EXPECT_EQ(window->currentPage(), "diagnose") << "adding a run leaves the page as it is";
    }
    window->showPage("compare");
    ASSERT_TRUE(waitForJobs());
    const Page* compare = window->page("compare");
    int runs = 0;
    for (const QPushButton* button : compare->findChildren<QPushButton*>())
        runs += button->isVisible() && button->accessibleName().startsWith("Remove ");
    EXPECT_EQ(runs, 2);
    EXPECT_FALSE(compare->findChild<QLabel*>("verdictSentence")->text().isEmpty());
    EXPECT_FALSE(compare->findChild<QPushButton*>("measureAb")->isVisible()) << "kernels of a report cannot be measured here";
}

TEST_F(OpeningReports, ARunOfOurOwnHasNoCard)
{
    open(":sample:");
    window->showPage("diagnose");
    ASSERT_TRUE(waitForJobs());
    if (sentence().isEmpty())
        GTEST_SKIP() << "this build carries no recorded capture (resources/captures/): run ./dev capture on a GPU host";
    EXPECT_FALSE(page()->findChild<NcuCard*>()->isVisible());
}

} // namespace
} // namespace kl::ui
