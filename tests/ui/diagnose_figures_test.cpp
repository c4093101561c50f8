// SPDX-License-Identifier: MIT
// Figures of the cards of the Diagnose page, and the form for a session on a kernel inside a program.
#include "core/base/format.h"
#include "core/device/pm_roles.h"
#include "core/diagnosis/occupancy_what_if.h"
#include "sessions/subject/target_draft.h"
#include "tests/ui/support/counted_run.h"
#include "tests/ui/support/seen_texts.h"
#include "ui/charts/hot_line_bars.h"
#include "ui/charts/timeline_bars.h"
#include "ui/charts/xy_chart.h"
#include "ui/context/app_context.h"
#include "ui/pages/diagnose/duration_card.h"
#include "ui/pages/diagnose/finding_header.h"
#include "ui/pages/diagnose/fix_rows.h"
#include "ui/pages/diagnose/glance_card.h"
#include "ui/pages/diagnose/kernels_roofline.h"
#include "ui/pages/diagnose/likely_fix_card.h"
#include "ui/pages/diagnose/ncu_card.h"
#include "ui/pages/diagnose/occupancy_card.h"
#include "ui/pages/diagnose/target_dialog.h"
#include "ui/pages/diagnose/time_history.h"
#include "ui/pages/diagnose/timeline_tab.h"
#include "ui/pages/diagnose/tree_line.h"
#include "ui/widgets/text.h"

#include <gtest/gtest.h>

#include <QCheckBox>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>

namespace kl::ui {
namespace {

/// Warp 1 waits for warp 0 from cycle 100 to 700 of 1200, at line 10.
RunRecord handedOverRun()
{
    RunRecord run;
    run.timeline.emplace();
    Timeline& timeline = *run.timeline;
    timeline.entry = "kernel_f";
    timeline.gridBlocks = 9;
    timeline.blockWarps = 2;
    timeline.recordedBlocks = 3;
    timeline.automatic = true;
    timeline.sites = {{1, MarkKind::waitBegin, SyncKind::memoryBarrier, "try_wait", 10, false},
                      {2, MarkKind::waitEnd, SyncKind::memoryBarrier, "try_wait", 10, false},
                      {3, MarkKind::arrive, SyncKind::memoryBarrier, "arrive", 11, false}};
    WarpMarks first, second;
    first.endCycle = 1000;
    first.marks = {{3, 600, 8}};
    second.warp = 1;
    second.endCycle = 1200;
    second.marks = {{1, 100, 8}, {2, 700, 8}};
    timeline.warps = {first, second};
    return run;
}

TEST(TimelineFigures, EachRoleHasItsSharesAndItsWaits)
{
    TimelineTab tab;
    tab.setRun(handedOverRun());
    const QStringList lines = tab.findChild<QLabel*>("timelineRoles")->text().split('\n');
    ASSERT_EQ(lines.size(), 3) << lines.join('|').toStdString();
    const auto inOrder = [](const QString& text, const QStringList& figures) {
        qsizetype at = 0;
        for (const QString& figure : figures) {
            const qsizetype found = text.indexOf(figure, at);
            EXPECT_GE(found, 0) << figure.toStdString() << " in " << text.toStdString();
            at = std::max<qsizetype>(at, found + figure.size());
        }
    };
    const auto percent = [](double share) { return q(formatPercent(100 * share)); };
    inOrder(lines[0], {"warp 0", percent(1000.0 / 1200), percent(0), percent(0), percent(0.5)});
    inOrder(lines[1], {"warp 1", percent(0.5), percent(0.5), percent(0), percent(500.0 / 1200)});
    inOrder(lines[2], {percent(0.5), "try_wait", "10", "1", q(formatCount(600)), "warp 0", percent(1)});
    const QString facts = tab.findChild<QLabel*>("timelineFacts")->text();
    inOrder(facts.section('\n', 0, 0), {"warp 0", "warp 1", percent(400.0 / 600)});
    const QString caption = seenOn(tab).filter("kernel_f").value(0);
    inOrder(caption, {"kernel_f", "0", "3", q(formatCount(1200))});
    EXPECT_TRUE(caption.contains(q(kNoValue))) << "without a clock cycles have no time: " << caption.toStdString();
    ASSERT_EQ(tab.findChild<TimelineBars*>("timelineBars")->table().rows.size(), 4U);
    RunRecord unknown = handedOverRun();
    for (MarkSite& site : unknown.timeline->sites)
        site.line = 0;
    tab.setRun(unknown);
    EXPECT_FALSE(tab.findChild<QLabel*>("timelineRoles")->text().section('\n', 2).contains("10,")) << "no line is known";
}

TEST(TimelineFigures, TheCostOfMarksIsAChangeWithItsInterval)
{
    RunRecord run = handedOverRun();
    for (int i = 0; i < 8; ++i)
        run.timeline->overhead.push_back({{100, 101, 99}, {120, 121, 119}});
    TimelineTab tab;
    tab.setRun(run);
    const QString cost = tab.findChild<QLabel*>("timelineFacts")->text().split('\n').value(1);
    EXPECT_TRUE(cost.contains(q(formatChange(0.2)))) << cost.toStdString();
}

TEST(NcuCaptions, SayWhetherBothAgree)
{
    RunRecord run = countedRun("now", 1000);
    run.imported.emplace();
    RuleResult rule;
    rule.rule = "SOLBottleneck";
    rule.title = "Memory is the limit";
    rule.kind = "optimization";
    rule.text = "text of the top rule";
    rule.speedupPercent = 40;
    rule.speedupScope = "global";
    rule.focus = {{"dram__throughput.avg.pct_of_peak_sustained_elapsed", 91, ""}};
    rule.section = "SpeedOfLight";
    run.imported->rules = {rule};
    NcuCard card;
    const auto caption = [&] {
        card.setRun(run);
        QStringList texts = seenOn(card);
        texts.removeAll("text of the top rule");
        return texts.join('\n');
    };
    const QString first = caption();
    run.diagnosis->finding.classId = "another-class";
    const QString second = caption();
    run.imported->rules[0].kind = "info";
    const QString none = caption();
    EXPECT_NE(second, none) << "rules that only inform name no bottleneck";
    EXPECT_FALSE(none.contains("Memory is the limit"));
    run.metrics.reset();
    card.setRun(run);
    EXPECT_TRUE(card.isHidden());
    run.imported->rules.clear();
    EXPECT_FALSE(first.isEmpty());
}

TEST(OccupancyLevers, EachMovesTheSliderOfItsInput)
{
    for (const auto& [fixed, dynamic] : {std::pair{0, 60}, std::pair{48, 0}}) {
        RunRecord run = countedRun("now", 1000);
        run.launches[0].blockThreads = 128;
        run.launches[0].registers = 32;
        run.launches[0].staticSmem = fixed * 1024;
        run.launches[0].dynamicSmem = dynamic * 1024;
        const std::optional<OccupancyWhatIf> expected = occupancyWhatIf(run);
        ASSERT_TRUE(expected && !expected->levers.empty());
        OccupancyCard card;
        card.setRun(run);
        settleWidgets();
        const auto links = card.findChildren<QPushButton*>();
        ASSERT_EQ(links.size(), static_cast<qsizetype>(expected->levers.size()));
        bool shared = false;
        for (std::size_t i = 0; i < expected->levers.size(); ++i) {
            const OccupancyLever& lever = expected->levers[i];
            QPushButton* link = links[static_cast<qsizetype>(i)];
            const bool bytes = lever.input == OccupancyInput::sharedMemory;
            const auto amount = [&](std::int64_t value) {
                return bytes ? q(formatBytes(static_cast<double>(value))) : QString::number(value);
            };
            EXPECT_TRUE(link->text().contains(amount(lever.from) + q(" → ") + amount(lever.to))) << link->text().toStdString();
            EXPECT_TRUE(link->text().endsWith(q(formatPercent(lever.gives.percent)))) << link->text().toStdString();
            EXPECT_TRUE(link->toolTip().endsWith(q(lever.gives.limiter))) << link->toolTip().toStdString();
            link->click();
            EXPECT_EQ(card.findChild<QSlider*>("whatIfShared")->value(), bytes ? (lever.to + 1023) / 1024 : fixed + dynamic);
            EXPECT_TRUE(card.findChild<QLabel*>("whatIfResult")->text().startsWith(q("▲ ") + q(formatPercent(lever.gives.percent))));
            shared = shared || bytes;
        }
        EXPECT_TRUE(shared) << "shared memory is what limits it";
        const QString result = card.findChild<QLabel*>("whatIfResult")->text();
        EXPECT_TRUE(result.contains(QString::number(expected->levers.back().gives.blocksPerSm))) << result.toStdString();
        EXPECT_TRUE(result.endsWith(q(expected->levers.back().gives.limiter)));
    }
}

TEST(FixFigures, ChancesAndCasesAreThoseOfTheChange)
{
    Finding finding;
    finding.fixes = {{"pad", "Pad it", {}, 0.4, {}, "why", "", 0, {}}, {"fma/b", "Unroll", {}, 0.6, "fma/b", "", "unroll", 0, {}}};
    Advice advice;
    Recommendation change;
    change.title = "Unroll more";
    change.chance.kind = "unroll";
    change.chance.gain = std::log(1.5);
    change.chance.chance = 0.755;
    change.chance.cases = 1;
    change.ready = {"fma/x", "fma/y", "fma/z"};
    advice.changes = {change};
    std::vector<FixRow> rows = fixRows(finding, advice);
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0].title, "Unroll") << "the finding's own words";
    EXPECT_TRUE(rows[0].basis.contains(q("1.50×")) && rows[0].basis.contains(q(formatPercent(76)))) << rows[0].basis.toStdString();
    EXPECT_EQ(rows[0].kind, "unroll");
    EXPECT_EQ(rows[0].ready, QStringList{"fma/b"});
    EXPECT_EQ(rows[1].title, "Pad it");
    EXPECT_EQ(rows[1].kind, "pad") << "its id, where its kind has no name";
    EXPECT_EQ(rows[1].why, "why");
    EXPECT_TRUE(rows[1].basis.contains(q(formatPercent(40))));
    EXPECT_TRUE(rows[1].ready.isEmpty());
    QStringList cases;
    for (const int count : {0, 1, 5}) {
        advice.changes[0].chance.cases = count;
        cases << fixRows(finding, advice)[0].basis.section(", ", 2);
    }
    EXPECT_EQ(cases.removeDuplicates(), 0) << cases.join('|').toStdString();
    EXPECT_TRUE(cases[2].startsWith("5 "));
    finding.fixes.clear();
    rows = fixRows(finding, advice);
    ASSERT_EQ(rows.size(), 1U);
    EXPECT_EQ(rows[0].title, "Unroll more");
    EXPECT_EQ(rows[0].ready, (QStringList{"fma/x", "fma/y"}));
    EXPECT_EQ(rows[0].kind, "unroll");
    LikelyFixCard card;
    card.setAdvice(advice);
    EXPECT_TRUE(wordsOn(card).contains(q("1.50×")));
}

TEST(DurationFigures, ASampleStandsInTheMiddleOfItsTime)
{
    RunRecord run;
    run.pmSampling.emplace();
    PmSampling& sampling = *run.pmSampling;
    sampling.intervalNs = 2000;
    PmPass pass;
    pass.endNs = {1000, 3000};
    PmSeries series;
    series.metric = std::string(pmRoles()[7].bases[0]) + std::string(kPmRollup);
    series.values = {10, 30};
    pass.series = {series};
    sampling.passes = {pass};
    const XYSpec spec = durationChart(sampling);
    ASSERT_EQ(spec.series.size(), pmCurves(sampling).size());
    ASSERT_FALSE(spec.series.empty());
    ASSERT_EQ(spec.series[0].points.size(), 2U);
    EXPECT_DOUBLE_EQ(spec.series[0].points[0].x, 0.5) << "µs";
    EXPECT_DOUBLE_EQ(spec.series[0].points[1].x, 2);
    EXPECT_EQ(spec.series[0].points[1].y, 30);
    EXPECT_EQ(spec.x.max, pmDuration(sampling) * 1e-3);
    EXPECT_EQ(spec.x.min, 0.0);
    DurationCard card;
    card.setRun(run);
    EXPECT_TRUE(wordsOn(card).contains(q(formatTime(2000)))) << wordsOn(card).toStdString();
    EXPECT_TRUE(wordsOn(card).contains(q(formatPercent(pmCurves(sampling)[0].mean))));
    sampling.passes.clear();
    sampling.unavailable = "not on this chip";
    card.setRun(run);
    EXPECT_EQ(card.missing(), "not on this chip");
}

TEST(Glances, AreDisabledWhereSomethingIsMissing)
{
    GlanceCard card;
    card.add("a", "First");
    card.add("b", "Second");
    const QSignalSpy chosen(&card, &GlanceCard::chosen);
    card.setText("a", "busy", "not shown");
    card.setText("b", {}, "no counters");
    EXPECT_EQ(card.findChild<QLabel*>("glanceText-a")->text(), "busy");
    EXPECT_EQ(card.findChild<QLabel*>("glanceText-b")->text(), "no counters");
    EXPECT_TRUE(buttonOn(card, "glance-a")->isEnabled());
    EXPECT_FALSE(buttonOn(card, "glance-b")->isEnabled());
    buttonOn(card, "glance-a")->click();
    ASSERT_EQ(chosen.count(), 1);
    EXPECT_EQ(chosen[0][0].toString(), "a");
    card.resize(600, 100);
    card.show();
    settleWidgets();
    EXPECT_LT(buttonOn(card, "glance-a")->x(), buttonOn(card, "glance-b")->x());
    EXPECT_EQ(buttonOn(card, "glance-a")->y(), buttonOn(card, "glance-b")->y());
}

class TargetForms : public testing::Test {
protected:
    void SetUp() override
    {
        auto opened = AppContext::open(utf8(folder.filePath("own.db")), DeviceSpec::sample());
        ASSERT_TRUE(opened) << opened.error().message;
        context = std::move(*opened);
        run.kernel = {"program", "scale-123", {}};
        run.program = ProgramFacts{{"./scale", "512"}, "scale(float*, int)", 100, 24'000, 0.25, {}, 3};
        run.problem = *parseParams("BLOCK=256x1x1,GRID=16x2x1");
        ASSERT_TRUE(QDir(folder.path()).mkpath("project"));
        dialog = std::make_unique<TargetDialog>(*context, run, nullptr);
    }
    void TearDown() override { waitForJobs(); }
    QLineEdit* field(const char* name) const { return dialog->findChild<QLineEdit*>(QString::fromLatin1(name)); }
    QComboBox* box(const char* name) const { return dialog->findChild<QComboBox*>(QString::fromLatin1(name)); }
    /// What is written, of which the file is removed again; empty where that fails.
    QString written() const
    {
        buttonOn(*dialog, "targetWrite")->click();
        QFile file(folder.filePath("project/kernelloop.json"));
        if (!file.open(QIODevice::ReadOnly))
            return {};
        const QString text = QString::fromUtf8(file.readAll()).remove(' ').remove('\n');
        file.remove();
        return text;
    }
    void fill() const
    {
        field("targetFolder")->setText(folder.filePath("project/"));
        field("targetId")->setText(" my-scale ");
        field("targetBuild")->setText(" make all ");
        field("targetRun")->setText(" ./scale {N} ");
        field("targetKernel")->setText(" ^scale ");
        field("targetProblem")->setText("N = 512");
        field("targetSuite")->setText("N=1; N=7;; N=512 ");
        field("targetCheckCommand")->setText(" ./check {N} ");
        field("targetRivalLaunches")->setText(" ^rival ");
        field("targetRivalRun")->setText(" ./rival {N} ");
        dialog->findChild<QPlainTextEdit*>("targetEdit")->setPlainText("kernel.cu\n\n more.cu ");
        for (const char* name : {"kernel.cu", "more.cu"}) {
            QFile file(folder.filePath(QStringLiteral("project/") + name));
            ASSERT_TRUE(file.open(QIODevice::WriteOnly));
        }
    }

    QTemporaryDir folder;
    RunRecord run = countedRun("now", 1000);
    std::unique_ptr<AppContext> context;
    std::unique_ptr<TargetDialog> dialog;
};

TEST_F(TargetForms, BeginWithWhatTheRunTells)
{
    const TargetDraft proposed = proposeTarget(run, context->catalog());
    EXPECT_EQ(field("targetId")->text(), q(proposed.id));
    EXPECT_EQ(field("targetRun")->text(), q(proposed.run));
    EXPECT_EQ(field("targetKernel")->text(), q(proposed.kernel));
    EXPECT_EQ(field("targetProblem")->text(), q(proposed.problem));
    const QString shape = dialog->findChild<QCheckBox*>("targetShape")->text();
    EXPECT_LT(shape.indexOf(q("16 × 2 × 1")), shape.indexOf(q("256 × 1 × 1"))) << shape.toStdString();
    EXPECT_GE(shape.indexOf(q("16 × 2 × 1")), 0);
    EXPECT_TRUE(wordsOn(*dialog).contains("scale(float*, int)"));
}

TEST_F(TargetForms, ARivalIsNamedInItsWayAndPyTorchsNeedsNoCommand)
{
    auto* rival = box("targetRival");
    QStringList names;
    for (const TargetDraft::Rival kind : {TargetDraft::Rival::kernel, TargetDraft::Rival::range, TargetDraft::Rival::sdpa}) {
        rival->setCurrentIndex(rival->findData(static_cast<int>(kind)));
        names << field("targetRivalLaunches")->accessibleName() + field("targetRivalLaunches")->placeholderText();
        EXPECT_EQ(field("targetRivalRun")->isEnabled(), kind != TargetDraft::Rival::sdpa);
        EXPECT_TRUE(seenOn(*dialog).contains(field("targetRivalLaunches")->accessibleName()));
    }
    EXPECT_EQ(names.removeDuplicates(), 0);
}

TEST_F(TargetForms, WriteWhatWasFilledIn)
{
    fill();
    dialog->findChild<QCheckBox*>("targetShape")->setChecked(true);
    const QSignalSpy navigated(context.get(), &AppContext::navigationRequested);
    const QString text = written();
    ASSERT_FALSE(text.isEmpty()) << dialog->findChild<QLabel*>("targetError")->text().toStdString();
    for (const char* part : {"\"my-scale\"", "makeall", "[\"./scale\",\"{N}\"]", "^scale", "N=512", "N=1", "N=7", "./check{N}", "^rival",
                             "./rival{N}", "\"kernel.cu\"", "\"more.cu\"", "16", "256"})
        EXPECT_TRUE(text.contains(QLatin1String(part))) << part << ": " << text.toStdString();
    ASSERT_EQ(navigated.count(), 1);
    EXPECT_EQ(navigated[0][0].toString(), "session");
    EXPECT_EQ(navigated[0][1].toString(), "kernel:my-scale");
    EXPECT_TRUE(context->catalog().family("my-scale"));
}

TEST_F(TargetForms, OtherChecksAndRivalsAreWrittenAsSuch)
{
    fill();
    dialog->findChild<QCheckBox*>("targetShape")->setChecked(false);
    box("targetCheck")->setCurrentIndex(box("targetCheck")->findData(static_cast<int>(TargetDraft::Check::reference)));
    box("targetRival")->setCurrentIndex(box("targetRival")->findData(static_cast<int>(TargetDraft::Rival::sdpa)));
    field("targetRivalLaunches")->setText("B=1,H=16,S=512,D=64");
    const QString text = written();
    ASSERT_FALSE(text.isEmpty()) << dialog->findChild<QLabel*>("targetError")->text().toStdString();
    EXPECT_TRUE(text.contains("./check{N}"));
    EXPECT_FALSE(text.contains("\"command\":\"./check{N}\"")) << "its outputs are the reference: " << text.toStdString();
    EXPECT_FALSE(text.contains("./rival")) << "PyTorch is called without a command";
    EXPECT_TRUE(text.contains("sdpa") && text.contains("\"S\":\"512\"")) << text.toStdString();
    EXPECT_FALSE(text.contains("\"grid\"")) << "launches of any shape";
}

TEST_F(TargetForms, WhatCannotBeWrittenIsSaidAndTheFormStays)
{
    dialog->show();
    fill();
    field("targetId")->setText("no name");
    const QSignalSpy navigated(context.get(), &AppContext::navigationRequested);
    EXPECT_TRUE(written().isEmpty());
    EXPECT_TRUE(dialog->findChild<QLabel*>("targetError")->isVisible());
    EXPECT_TRUE(dialog->isVisible());
    EXPECT_EQ(navigated.count(), 0);
}

TEST_F(TargetForms, TheButtonIsAboutTheRunThatIsShown)
{
    QWidget parent;
    const RunRecord* shown = nullptr;
    QPushButton* button = makeTargetButton(*context, &parent, [&] { return shown; });
    button->click();
    EXPECT_EQ(parent.window()->findChild<TargetDialog*>(), nullptr) << "nothing is shown";
    RunRecord other = run;
    other.program->kernel = "other(int)";
    shown = &other;
    button->click();
    auto* opened = parent.window()->findChild<TargetDialog*>();
    ASSERT_NE(opened, nullptr);
    EXPECT_TRUE(wordsOn(*opened).contains("other(int)"));
    opened->close();
}

TEST(TreeLines, OfferADiagnosisWhereTheTreeIsAnother)
{
    const Result<DiagnosisTree> tree = DiagnosisTree::loadEmbedded();
    ASSERT_TRUE(tree);
    TreeLine line;
    Diagnosis diagnosis = countedRun("now", 1000).diagnosis.value();
    const auto* text = line.findChild<QLabel*>("findingsTree");
    line.setDiagnosis(diagnosis, *tree);
    const QString old = text->text();
    EXPECT_FALSE(line.isHidden());
    diagnosis.treeVersion = "another";
    line.setDiagnosis(diagnosis, *tree);
    EXPECT_NE(text->text(), old);
    EXPECT_LT(text->text().indexOf("another"), text->text().indexOf(q(tree->version())));
    line.setUnstored("it is a sample");
    EXPECT_TRUE(text->text().endsWith("it is a sample"));
    EXPECT_FALSE(buttonOn(line, "diagnoseAgain")->isVisibleTo(&line)) << "it was done";
    line.setDiagnosis(diagnosis, *tree);
    EXPECT_TRUE(buttonOn(line, "diagnoseAgain")->isVisibleTo(&line));
    line.setReason("busy");
    EXPECT_FALSE(buttonOn(line, "diagnoseAgain")->isEnabled());
    diagnosis.treeVersion = tree->version();
    line.setDiagnosis(diagnosis, *tree);
    EXPECT_TRUE(line.isHidden());
}

} // namespace
} // namespace kl::ui
