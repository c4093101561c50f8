// SPDX-License-Identifier: MIT
// Kernels found in other programs belong to no family of the catalog: every page lives with them, and Diagnose shows them.
#include "sessions/program/program_profile.h"
#include "sessions/target/target_file.h"
#include "ui/pages/diagnose/fact_rows.h"
#include "ui/pages/diagnose/target_dialog.h"
#include "ui/pages/shared/kernel_table.h"
#include "ui/widgets/breakable.h"
#include "ui/widgets/text.h"
#include "ui/window/mainwindow.h"

#include <gtest/gtest.h>

#include <QCheckBox>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPointer>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>

namespace kl::ui {
namespace {

ProcessTrace twoKernels()
{
    ProcessTrace trace;
    trace.ended = true;
    trace.devices[0].uuid = "GPU-1";
    trace.devices[0].name = "NVIDIA H200";
    trace.devices[0].ccMajor = 9;
    trace.devices[0].smCount = 132;
    trace.kernels = {"_Z5scalePfif", "_Z6stridePf"};
    for (std::uint64_t i = 0; i < 20; ++i)
        trace.launches.push_back(
            {static_cast<int>(i % 2), i * 9000 + 1, i * 9000 + 8001, 0, 7, 1, {66000, 1, 1}, {256, 1, 1}, 32, 0, 0, 0, false});
    return trace;
}

class ProgramRuns : public testing::Test {
protected:
    void SetUp() override
    {
        const std::string location = folder_.filePath("a.db").toStdString();
        const DiagnosisTree tree = *DiagnosisTree::loadEmbedded();
        const ProgramRun run{{"python3", "train.py"}, 0, {}, 1, "2026-01-02T03:04:05.678Z"};
        const ProgramProfile profile = makeProgramProfile(run, {twoKernels()}, *KernelPattern::parse(""), tree);
        ASSERT_EQ(profile.runs.size(), 2U);
        run_ = profile.runs[0];
        {
            const auto store = Store::open(location);
            ASSERT_TRUE(store.ok()) << store.error().message;
            for (const RunRecord& record : profile.runs)
                ASSERT_TRUE((*store)->saveRun(record).ok());
        }
        auto opened = AppContext::open(location, DeviceSpec::sample());
        ASSERT_TRUE(opened.ok()) << opened.error().message;
        context_ = std::move(*opened);
        window_ = std::make_unique<MainWindow>(*context_);
        window_->show();
        ASSERT_TRUE(waitForJobs());
    }

    QTemporaryDir folder_;
    RunRecord run_;
    std::unique_ptr<AppContext> context_;
    std::unique_ptr<MainWindow> window_;
};

TEST_F(ProgramRuns, EveryPageLivesWithThem)
{
    for (const PageEntry& entry : window_->entries()) {
        window_->showPage(entry.id);
        EXPECT_TRUE(waitForJobs()) << entry.id.toStdString();
        EXPECT_EQ(window_->currentPage(), entry.id);
    }
}

TEST_F(ProgramRuns, DiagnoseNamesTheKernelAndTheProgram)
{
    window_->showPage("diagnose", QString::fromStdString(run_.id.text));
    ASSERT_TRUE(waitForJobs());
    const QWidget* page = window_->page("diagnose");
    EXPECT_EQ(page->findChild<QLabel*>("findingSentence")->text().toStdString(), run_.diagnosis->finding.title);
    QStringList words;
    for (const QLabel* label : page->findChildren<QLabel*>())
        words << label->text();
    const QString all = unbroken(words.join('\n'));
    EXPECT_TRUE(all.contains("scale(float*, int, float)"));
    EXPECT_TRUE(all.contains("python3 train.py"));
    EXPECT_EQ(page->findChild<KernelTable*>("reportKernels")->rows().size(), 2U) << "both kernels of the program";
    EXPECT_TRUE(page->findChild<QLabel*>("likelyFix")->text().contains("ikely")) << "the tree's fixes, by what similar kernels gained";
}

TEST_F(ProgramRuns, ChartsWithoutDataAreLeftOutAndTheirReasonsListed)
{
    window_->showPage("diagnose", QString::fromStdString(run_.id.text));
    ASSERT_TRUE(waitForJobs());
    const QWidget* page = window_->page("diagnose");
    EXPECT_TRUE(page->findChild<QWidget*>("evidenceBars")->isVisibleTo(page));
    for (const char* chart : {"unitBars", "roofline", "memoryChart", "stallBars", "hotLines"})
        EXPECT_FALSE(page->findChild<QWidget*>(QString::fromLatin1(chart))->isVisibleTo(page)) << chart;
    const auto* gaps = page->findChild<QLabel*>("chartGaps");
    ASSERT_TRUE(gaps->isVisibleTo(page));
    EXPECT_EQ(gaps->text().count('\n'), 3) << gaps->text().toStdString();
}

/// The form that makes the shown kernel the subject of sessions.
TargetDialog* openTarget(MainWindow& window, const RunRecord& run)
{
    window.showPage("diagnose", QString::fromStdString(run.id.text));
    EXPECT_TRUE(waitForJobs());
    auto* open = window.findChild<QPushButton*>("openTarget");
    EXPECT_TRUE(open->isVisible());
    QTest::mouseClick(open, Qt::LeftButton);
    return window.findChild<TargetDialog*>();
}

TEST_F(ProgramRuns, ASessionIsOpenedOnOneOfTheirKernels)
{
    TargetDialog* dialog = openTarget(*window_, run_);
    ASSERT_TRUE(dialog && dialog->isVisible());
    const auto field = [&](const char* name) { return dialog->findChild<QLineEdit*>(QString::fromLatin1(name)); };
    EXPECT_EQ(field("targetRun")->text(), "python3 train.py");
    EXPECT_EQ(field("targetKernel")->text(), "(^|[: ])scale[<(]");
    EXPECT_TRUE(dialog->findChild<QCheckBox*>("targetShape")->text().contains("66000"));
    QTest::mouseClick(dialog->findChild<QPushButton*>("targetWrite"), Qt::LeftButton);
    auto* error = dialog->findChild<QLabel*>("targetError");
    EXPECT_TRUE(error->isVisible()) << "the check and the rival are missing";
    QFile source(folder_.filePath("scale.py"));
    ASSERT_TRUE(source.open(QIODevice::WriteOnly));
    source.close();
    field("targetFolder")->setText(folder_.path());
    field("targetProblem")->setText("N=512");
    field("targetSuite")->setText("N=1; N=512");
    field("targetCheckCommand")->setText("python3 check.py {N}");
    dialog->findChild<QComboBox*>("targetRival")->setCurrentIndex(2);
    EXPECT_FALSE(field("targetRivalRun")->isEnabled()) << "PyTorch's attention runs by itself";
    dialog->findChild<QComboBox*>("targetRival")->setCurrentIndex(0);
    field("targetRivalLaunches")->setText("copy");
    dialog->findChild<QPlainTextEdit*>("targetEdit")->setPlainText("scale.py");
    const QPointer<TargetDialog> shown(dialog); // it deletes itself when it is closed
    QTest::mouseClick(dialog->findChild<QPushButton*>("targetWrite"), Qt::LeftButton);
    ASSERT_TRUE(waitForJobs());
    EXPECT_FALSE(shown && shown->isVisible());
    const Result<TargetSpec> spec = loadTarget(utf8(folder_.filePath("kernelloop.json")));
    ASSERT_TRUE(spec.ok()) << spec.error().message;
    EXPECT_EQ(spec->kernel.kernel, "(^|[: ])scale[<(]");
    ASSERT_EQ(context_->catalog().programs().size(), 1U);
    EXPECT_EQ(window_->currentPage(), "session");
    bool chosen = false;
    for (const QComboBox* box : window_->page("session")->findChildren<QComboBox*>())
        chosen = chosen || box->currentData().toString() == "scale";
    EXPECT_TRUE(chosen) << "the form of a new session has it";
}

TEST_F(ProgramRuns, KernelsOfOneProgramAreNotComparedUnasked)
{
    window_->showPage("compare");
    ASSERT_TRUE(waitForJobs());
    for (const QLabel* label : window_->page("compare")->findChildren<QLabel*>())
        EXPECT_FALSE(label->isVisible() && label->text().contains("faster")) << label->text().toStdString();
}

TEST(ProgramFacts, AreWordsBesideTheRun)
{
    RunRecord run;
    run.program = ProgramFacts{{"prog"}, "scale(float*)", 12, 24'000, 0.25, {"step", "forward"}, 3};
    std::map<std::string, std::string> rows;
    for (const auto& [name, value] : factRows(run))
        rows[name] = value;
    EXPECT_EQ(rows["Kernel"], "scale(float*)");
    EXPECT_EQ(rows["NVTX ranges"], "step › forward");
    EXPECT_TRUE(rows["Profiled launch"].ends_with(" 4")) << "the fourth";
    EXPECT_TRUE(rows["Calls"].starts_with("12 ")) << rows["Calls"];
    run.program->profiledLaunch.reset();
    for (const auto& [name, value] : factRows(run))
        rows[name] = value;
    EXPECT_FALSE(rows["Profiled launch"].empty()) << "it says that there is none";
    EXPECT_EQ(rows["Profiled launch"].find_first_of("0123456789"), std::string::npos) << rows["Profiled launch"];
}

} // namespace
} // namespace kl::ui
