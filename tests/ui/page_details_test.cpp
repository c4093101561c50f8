// SPDX-License-Identifier: MIT
// Details of Kernels, Home, Patterns and Diagnose that depend on what is stored: whose lines are hot, whose sweep is shown, how a run of a
// report is called, and what a pattern's card says of its kind.
#include "core/base/format.h"
#include "core/base/ids.h"
#include "core/model/source_lines.h"
#include "sessions/patterns/pattern_body.h"
#include "sessions/patterns/totals.h"
#include "tests/support/store_support.h"
#include "tests/ui/support/counted_run.h"
#include "tests/ui/support/seen_texts.h"
#include "ui/context/app_context.h"
#include "ui/models/sweep_table_model.h"
#include "ui/pages/diagnose/time_history.h"
#include "ui/pages/home_page.h"
#include "ui/pages/kernels/sweep_view.h"
#include "ui/pages/kernels_page.h"
#include "ui/pages/patterns/pattern_detail.h"
#include "ui/widgets/breakable.h"
#include "ui/widgets/data_table.h"
#include "ui/widgets/text.h"

#include <gtest/gtest.h>

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

namespace kl::ui {
namespace {

class StoredDetails : public testing::Test {
protected:
    void SetUp() override
    {
        auto opened = AppContext::open((folder / "own.db").string(), DeviceSpec::sample());
        ASSERT_TRUE(opened) << opened.error().message;
        context = std::move(*opened);
    }
    void TearDown() override { waitForJobs(); }
    Store& store() const { return *context->engine()->store; }
    /// A profile of transpose/naive whose samples are all in one line of the source.
    RunRecord sampled(const char* id, const Params& problem, int day, int line, bool current) const
    {
        RunRecord run = countedRun(id, 1000);
        run.kernel = {"transpose", "naive", {}};
        run.problem = problem;
        run.startedAt = "2026-01-0" + std::to_string(day) + "T00:00:00.000Z";
        run.source = Source::sample;
        run.correctness.result = CorrectnessResult::correct;
        run.sourceHash = current ? contentHash((*context->catalog().family("transpose"))->source) : "another source";
        run.sourceProfile.emplace();
        run.sourceProfile->launch = "transpose_naive";
        run.sourceProfile->samples = 100;
        run.sourceProfile->lines = {{kSourceFile, line, 100, 1, {{"wait", 100}}, {}, {}, {}}};
        return run;
    }

    support::TempDir folder;
    std::unique_ptr<AppContext> context;
};

TEST_F(StoredDetails, HotLinesAreOfTheCurrentSourceAndOfTheChosenSizeIfItHasSome)
{
    const KernelFamily& family = **context->catalog().family("transpose");
    ASSERT_GE(family.problems.size(), 2U);
    KernelsPage page(*context);
    page.resize(1280, 800);
    page.QWidget::show();
    const auto* links = page.findChild<QLabel*>("hotLinks");
    const auto look = [&] {
        page.open("transpose/naive");
        page.refresh();
        EXPECT_TRUE(waitForJobs());
        return links->text();
    };
    QComboBox* sizes = nullptr;
    for (auto* box : page.findChildren<QComboBox*>())
        if (box->accessibleName() == "Problem size")
            sizes = box;
    ASSERT_NE(sizes, nullptr);
    look();
    sizes->setCurrentText(q(toText(family.problems[0])));
    ASSERT_TRUE(store().saveRun(sampled("stale", family.problems[0], 5, 13, false)));
    EXPECT_FALSE(look().contains("href")) << "the source has changed since";
    ASSERT_TRUE(store().saveRun(sampled("other-size", family.problems[1], 4, 14, true)));
    EXPECT_TRUE(look().contains("\"14\"")) << links->text().toStdString();
    EXPECT_TRUE(links->text().contains(spaceProblem(toText(family.problems[1])))) << "and says of which size";
    ASSERT_TRUE(store().saveRun(sampled("this-size", family.problems[0], 2, 15, true)));
    EXPECT_TRUE(look().contains("\"15\"")) << "of this size, though it is older";
    EXPECT_FALSE(links->text().contains("\"14\""));
    EXPECT_TRUE(links->text().contains(q(formatPercent(100)).replace(QChar(0x202F), QChar(QChar::Nbsp))));
    ASSERT_TRUE(store().saveRun(sampled("newest", family.problems[0], 3, 16, true)));
    EXPECT_TRUE(look().contains("\"16\"")) << "the newest of them";
}

TEST_F(StoredDetails, ASweepIsGoneWithItsKernelAndItsFieldsWithTheirSizes)
{
    SweepView view(*context);
    view.resize(900, 700);
    view.show();
    view.setSubject({"transpose", "tiled", {}}, *parseParams("M=4096,N=4096"));
    view.findChild<QLineEdit*>("axis-N")->setText("[2048,4096]");
    buttonOn(view, "startSweep")->click();
    ASSERT_TRUE(waitForJobs());
    QCoreApplication::processEvents();
    const auto* rows = view.findChild<DataTable*>("sweepRows")->model();
    ASSERT_EQ(rows->rowCount(), 2);
    view.setSubject({"transpose", "tiled", {}}, *parseParams("M=1024,N=1024"));
    EXPECT_EQ(rows->rowCount(), 2) << "another size of the same kernel";
    EXPECT_EQ(view.findChild<QLineEdit*>("axis-N")->text(), "1024");
    view.setSubject({"transpose", "tiled", {}}, *parseParams("M=8,N=8,K=8"));
    settleWidgets();
    ASSERT_NE(view.findChild<QLineEdit*>("axis-K"), nullptr) << "it has one size more";
    EXPECT_EQ(view.findChild<QLineEdit*>("axis-K")->text(), "8");
    view.setSubject({"transpose", "naive", {}}, *parseParams("M=8,N=8,K=8"));
    EXPECT_EQ(rows->rowCount(), 0) << "of the kernel before";
    const QString single = buttonOn(view, "startSweep")->text();
    view.findChild<QLineEdit*>("axis-K")->setText("4..16 x2");
    EXPECT_TRUE(buttonOn(view, "startSweep")->text().contains('3'));
    EXPECT_NE(buttonOn(view, "startSweep")->text(), single);
}

TEST_F(StoredDetails, HomeCallsARunOfAReportByItsKernelAndAnOpenSessionByItsNextStep)
{
    RunRecord run = countedRun("imported", 1000);
    run.kernel = {"program", "scale-123456", {}};
    run.startedAt = "2026-01-01T00:00:00.000Z";
    run.imported.emplace();
    run.imported->file = "step.ncu-rep";
    run.imported->kernel = "void scale_it<float>(float*)";
    ASSERT_TRUE(store().saveRun(run));
    NewSession request;
    request.name = "A";
    request.objective = "objective of A";
    request.kernel = "transpose";
    const auto session = context->engine()->sessions.create(request);
    ASSERT_TRUE(session) << session.error().message;
    HomePage home(*context);
    home.refresh();
    ASSERT_TRUE(waitForJobs());
    const QString texts = wordsOn(home);
    EXPECT_TRUE(texts.contains("scale_it<float>")) << texts.toStdString();
    EXPECT_FALSE(texts.contains("program/scale-123456"));
    const SessionView view = *context->engine()->sessions.view(session->header.id);
    ASSERT_FALSE(view.next.empty());
    EXPECT_TRUE(texts.contains("A: " + q(view.next.front().title))) << texts.toStdString();
    EXPECT_TRUE(home.findChild<QPushButton*>("nextAction")->text().endsWith(" A"));
    EXPECT_TRUE(texts.contains(q(view.why.empty() ? view.header.objective : view.why)));
}

TEST_F(StoredDetails, TheBandOfTimesIsTheNoiseThatWasCalibrated)
{
    RunRecord run = countedRun("timed", 1000);
    run.source = Source::sample;
    run.correctness.result = CorrectnessResult::correct;
    run.startedAt = "2026-01-01T00:00:00.000Z";
    ASSERT_TRUE(store().saveRun(run));
    TimeHistory times(*context);
    times.resize(900, 500);
    times.show();
    times.setRun(run);
    ASSERT_TRUE(waitForJobs());
    const QString uncalibrated = wordsOn(times);
    NoiseRecord noise;
    noise.id = newUuid();
    noise.deviceName = run.device.name;
    noise.kernel = "fma/fp32";
    noise.source = Source::sample;
    noise.problem = "N=1";
    noise.noise = 0.035;
    noise.ratios = {1.0};
    noise.at = "2026-02-01T00:00:00.000Z";
    ASSERT_TRUE(store().saveNoise(noise));
    times.setRun(run);
    ASSERT_TRUE(waitForJobs());
    EXPECT_FALSE(uncalibrated.contains(q(formatPercent(3.5))));
    EXPECT_TRUE(wordsOn(times).contains(q(formatPercent(3.5)))) << wordsOn(times).toStdString();
}

TEST(PatternKinds, OwnOnesAreEditedAndRetiredShippedOnesCopied)
{
    PatternRow own, shipped;
    own.pattern.slug = "pad-the-tile";
    own.pattern.title = "Pad the tile";
    own.pattern.kind = "own";
    shipped.pattern = own.pattern;
    shipped.pattern.kind = "technical";
    shipped.pattern.label = "7";
    shipped.pattern.origin = "the documents";
    PatternDetail detail;
    detail.show(own, {}, false, "once");
    const QString edits = buttonOn(detail, "editPattern")->text(), retires = buttonOn(detail, "retirePattern")->text();
    const QString ownCaption = wordsOn(detail);
    EXPECT_TRUE(ownCaption.contains("own") && ownCaption.contains("pad-the-tile"));
    EXPECT_TRUE(detail.findChild<QLabel*>("patternOrigin")->text() != "the documents");
    detail.show(own, {}, true, "once");
    EXPECT_NE(buttonOn(detail, "retirePattern")->text(), retires) << "it can be restored";
    EXPECT_NE(wordsOn(detail), ownCaption);
    detail.show(shipped, {}, false, "once");
    EXPECT_NE(buttonOn(detail, "editPattern")->text(), edits);
    EXPECT_FALSE(buttonOn(detail, "retirePattern")->isVisibleTo(&detail));
    EXPECT_EQ(detail.findChild<QLabel*>("patternOrigin")->text(), "the documents");
    EXPECT_TRUE(seenOn(detail).filter("technical").value(0).contains('7'));
    EXPECT_EQ(detail.findChild<QLabel*>("patternProblemText")->isVisibleTo(&detail), false) << "it says nothing of a problem";
}

} // namespace
} // namespace kl::ui
