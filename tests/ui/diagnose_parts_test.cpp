// SPDX-License-Identifier: MIT
// The parts of a diagnosis by themselves: what they say of a run, against which baseline, and what is left of the run before.
#include "core/model/run.h"
#include "kernels/catalog.h"
#include "sessions/learning/rule_outcomes.h"
#include "ui/pages/compare/opening_pair.h"
#include "ui/pages/diagnose/baseline_strip.h"
#include "ui/pages/diagnose/fact_rows.h"
#include "ui/pages/diagnose/finding_header.h"
#include "ui/pages/diagnose/gaps_card.h"
#include "ui/pages/diagnose/likely_fix_card.h"
#include "ui/pages/diagnose/ncu_card.h"
#include "ui/pages/diagnose/time_history.h"
#include "ui/pages/kernels/kernel_list.h"
#include "ui/pages/kernels/variant_facts.h"
#include "ui/pages/shared/run_deltas.h"
#include "ui/widgets/text.h"

#include <gtest/gtest.h>

#include <QCoreApplication>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTreeWidget>

namespace kl::ui {
namespace {

QString readText(const QWidget& widget)
{
    QCoreApplication::processEvents(); // which shows what was added
    QString text;
    for (const QLabel* label : widget.findChildren<QLabel*>())
        if (!label->isHidden())
            text += label->text() + u'\n';
    return text;
}

QStringList figuresIn(const QString& text)
{
    static const QRegularExpression figure(QStringLiteral("[0-9]+(\\.[0-9]+)?"));
    QStringList figures;
    for (auto match = figure.globalMatch(text); match.hasNext();)
        figures << match.next().captured();
    return figures;
}

RunRecord makeTimed(const char* id, double ns)
{
    RunRecord run;
    run.id.text = id;
    run.kernel = {"transpose", "naive", {}};
    run.problem = *parseParams("M=64,N=64");
    run.timing.emplace();
    run.timing->gpu = {ns, ns, ns, 5};
    run.diagnosis.emplace();
    run.diagnosis->finding.classId = "dram-bound";
    run.diagnosis->finding.confidence = 0.8;
    return run;
}

std::string findFact(const RunRecord& run, const std::string& name)
{
    for (const auto& [fact, value] : factRows(run))
        if (fact == name)
            return value;
    return {};
}

TEST(DiagnoseParts, ABaselineIsComparedWithAndUnpinned)
{
    const RunRecord run = makeTimed("now", 50), before = makeTimed("before", 100);
    BaselineStrip strip;
    strip.setRun(run, {{&before, Token::series5}});
    EXPECT_TRUE(strip.findChild<QLabel*>("baselineTime")->text().contains(q("\u221250"))) << "half of it";
    const QSignalSpy unpinned(&strip, &BaselineStrip::unpinned), opened(&strip, &BaselineStrip::opened);
    strip.findChild<QPushButton*>("unpinBaseline")->click();
    ASSERT_EQ(unpinned.count(), 1);
    EXPECT_EQ(unpinned[0][0].toString(), "before");
    EXPECT_EQ(opened.count(), 0);
    EXPECT_EQ(baselineName(before, run), "transpose/naive");
    RunRecord other = before;
    other.problem = *parseParams("M=128,N=128");
    EXPECT_TRUE(baselineName(other, run).contains("M=128")) << "of another size";
}

TEST(DiagnoseParts, TheHeaderHasTheRulesRecordAndSaysWhatIsInferred)
{
    RunRecord run = makeTimed("now", 50);
    FindingHeader header;
    header.setRun(run, nullptr);
    EXPECT_TRUE(header.findChild<QLabel*>("findingEstimate")->isHidden());
    const qsizetype chips = readText(header).count(q(" · "));
    run.diagnosis->finding.inferred = true;
    run.diagnosis->finding.estimate = Estimate{0.25, "x"};
    RuleOutcome rule;
    rule.hits = 7;
    rule.cases = 9;
    rule.estimated = 0.31;
    rule.realized = 0.23;
    header.setRun(run, &rule);
    EXPECT_EQ(readText(header).count(q(" · ")), chips + 1);
    const QString record = header.findChild<QLabel*>("findingEstimate")->text().section('\n', 1);
    EXPECT_EQ(figuresIn(record), (QStringList{"7", "9", "31", "23"}));
}

TEST(DiagnoseParts, TheRecommendedChangeHasItsSpeedupAndBasis)
{
    Advice advice;
    advice.sentence = "Likely.";
    advice.cases = 41;
    advice.own = 3;
    advice.calibrated = true;
    Recommendation& change = advice.changes.emplace_back();
    change.chance.gain = 0.7; // e^0.7 = 2.01
    LikelyFixCard card;
    card.setAdvice(advice);
    const QStringList figures = figuresIn(readText(card));
    EXPECT_TRUE(figures.contains("2.01")) << figures.join(' ').toStdString();
    EXPECT_LT(figures.indexOf("41"), figures.indexOf("3"));
    const qsizetype calibrated = readText(card).size();
    advice.calibrated = false;
    card.setAdvice(advice);
    EXPECT_GT(readText(card).size(), calibrated) << "it says that there were too few";
}

TEST(DiagnoseParts, OnlyGapsAreListed)
{
    GapsCard card;
    card.setGaps({{"Stalls", {}}, {"Memory", "not counted"}});
    EXPECT_FALSE(card.isHidden());
    EXPECT_EQ(card.findChild<QLabel*>("chartGaps")->text(), "Memory: not counted");
    card.setGaps({{"Stalls", {}}});
    EXPECT_TRUE(card.isHidden());
}

TEST(DiagnoseParts, RulesOfAReportThatPromiseSomethingAreListedOnce)
{
    RunRecord run = makeTimed("now", 50);
    run.metrics.emplace();
    run.imported.emplace();
    RuleResult rule;
    rule.rule = "SomeRule";
    rule.title = "Some rule";
    rule.kind = "optimization";
    rule.speedupPercent = 12;
    rule.speedupScope = "global";
    rule.places.resize(2);
    for (RulePlace& place : rule.places) {
        place.file = "/src/a.cu";
        place.line = 7;
        place.text = "found";
    }
    RuleResult local = rule;
    local.title = "Local rule";
    local.speedupScope = "local";
    local.places.clear();
    RuleResult info = rule;
    info.title = "Only informs";
    info.kind = "info";
    run.imported->rules = {rule, local, info};
    NcuCard card;
    card.setRun(run);
    const QString text = readText(card);
    EXPECT_EQ(text.count("a.cu:7"), 1) << "ncu repeats it per instruction";
    EXPECT_FALSE(text.contains("Only informs"));
    const QStringList lines = text.split('\n');
    const auto scope = [&](const char* title) { return lines.filter(title).value(0).section(' ', -1); };
    EXPECT_NE(scope("Some rule"), scope("Local rule")) << text.toStdString();
    EXPECT_EQ(scope("Local rule"), "local");
}

TEST(DiagnoseParts, FactsHaveTheirUnitsAndCounts)
{
    RunRecord run = makeTimed("now", 2000);
    run.timing->gpuHot = 1000;
    run.launches.resize(1);
    run.launches.front().staticSmem = 1024;
    run.launches.front().dynamicSmem = 1024;
    run.metrics.emplace();
    run.metrics->plan.passes = 9;
    run.metrics->plan.ran = 4;
    run.source = Source::sample;
    run.host = "gpu7";
    run.device.name = "H200";
    EXPECT_EQ(figuresIn(q(findFact(run, "GPU time, L2 hot"))).value(0), "1");
    EXPECT_EQ(figuresIn(q(findFact(run, "Shared memory"))).value(0), "2");
    EXPECT_EQ(figuresIn(q(findFact(run, "Metric passes"))), (QStringList{"9", "4"}));
    EXPECT_EQ(findFact(run, "Device").find("gpu7"), std::string::npos) << "a recording was not made there";
    run.source = Source::live;
    EXPECT_NE(findFact(run, "Device").find("gpu7"), std::string::npos);
    run.program.emplace();
    run.program->launches = 3;
    run.program->totalNs = 6000;
    run.program->share = 0.25;
    run.program->profiledLaunch = 4;
    EXPECT_EQ(figuresIn(q(findFact(run, "Calls"))), (QStringList{"3", "6", "25"}));
    EXPECT_EQ(figuresIn(q(findFact(run, "Profiled launch"))).value(0), "5") << "counted from one";
    run.program.reset();
    run.imported.emplace();
    run.imported->file = "a.ncu-rep";
    run.imported->kind = "result";
    run.imported->index = 1;
    EXPECT_TRUE(findFact(run, "File").ends_with(" 2"));
}

TEST(DiagnoseParts, DeltasOfMemoryAreInPointsForSharesAlone)
{
    const MemoryFigure share{"of peak", 40, "%", {}, {}}, bytes{"bytes", 40, "bytes", {}, {}};
    const MemoryFigure shareBefore{"of peak", 20, "%", {}, {}}, bytesBefore{"bytes", 20, "bytes", {}, {}};
    EXPECT_EQ(figureDeltas(share, {{&shareBefore, Token::series5}})[0].text, q("+20\u202fpts"));
    EXPECT_EQ(figureDeltas(bytes, {{&bytesBefore, Token::series5}})[0].text, "×2");
    EXPECT_EQ(figureDeltas(bytes, {{nullptr, Token::series5}})[0].text, "n/a");
}

RunSummary makeSummary(const char* kernel, const char* problem, std::optional<double> ns)
{
    RunSummary run;
    run.id.text = std::string(kernel) + problem;
    run.kernel = kernel;
    run.problem = problem;
    run.device = "H200";
    run.status = ResultStatus::ok;
    run.correctness = CorrectnessResult::correct;
    run.gpuNs = ns;
    return run;
}

TEST(DiagnoseParts, TheListOfKernelsMarksTheFastestOfAFamilyOnOneProblem)
{
    const Result<Catalog> catalog = Catalog::loadEmbedded();
    ASSERT_TRUE(catalog);
    const KernelFamily& family = **catalog->family("transpose");
    const std::string problem = toText(family.problems.front()), other = toText(family.problems.back());
    ASSERT_NE(problem, other);
    QTreeWidget list;
    list.setColumnCount(3);
    fillKernels(list, *catalog, {});
    RunSummary slow = makeSummary("transpose/naive", problem.c_str(), 900), fast = makeSummary("transpose/tiled", problem.c_str(), 300);
    RunSummary failed = makeSummary("transpose/tiled", problem.c_str(), 1);
    failed.correctness = CorrectnessResult::incorrect;
    failed.status = ResultStatus::validationFailed;
    RunSummary profile = makeSummary("transpose/naive", other.c_str(), 5);
    profile.classId = "dram-bound";
    const auto findRow = [&](const char* address) -> QTreeWidgetItem* {
        for (QTreeWidgetItemIterator it(&list); *it; ++it)
            if ((*it)->data(0, Qt::UserRole).toString() == address)
                return *it;
        return nullptr;
    };
    const RunSummary elsewhere = makeSummary("transpose/padded", other.c_str(), 10);
    fillVerdicts(list, *catalog, {failed, slow, fast, profile, elsewhere});
    ASSERT_TRUE(findRow("transpose/tiled") && findRow("transpose/naive"));
    EXPECT_TRUE(findRow("transpose/tiled")->data(1, kBestRole).toBool());
    EXPECT_TRUE(findRow("transpose/tiled")->text(1).contains("300")) << "a failed run has no time that counts";
    EXPECT_FALSE(findRow("transpose/naive")->data(1, kBestRole).toBool());
    EXPECT_EQ(findRow("transpose/naive")->text(2), q("–")) << "its finding is of another size";
    EXPECT_EQ(findRow("transpose/padded")->text(1), q("–")) << "and so is this time";
    slow.gpuNs = 100;
    fillVerdicts(list, *catalog, {slow, fast});
    EXPECT_TRUE(findRow("transpose/naive")->data(1, kBestRole).toBool());
    EXPECT_FALSE(findRow("transpose/tiled")->data(1, kBestRole).toBool()) << "it no longer is";
    RunSummary profiled = slow;
    profiled.classId = "some-class";
    fillVerdicts(list, *catalog, {profiled, fast});
    filterKernels(list, "SOME-class");
    QStringList shown;
    int families = 0;
    for (QTreeWidgetItemIterator it(&list, QTreeWidgetItemIterator::NotHidden); *it; ++it)
        if ((*it)->parent())
            shown << (*it)->data(0, Qt::UserRole).toString();
        else
            ++families;
    EXPECT_EQ(shown, QStringList{"transpose/naive"}) << "found by what limits it";
    EXPECT_EQ(families, 1);
}

TEST(DiagnoseParts, SidesOfAMeasuredComparisonAreRunsOfOneProblem)
{
    Comparison measured;
    measured.a = "transpose/naive";
    measured.b = "transpose/tiled";
    const std::vector<RunSummary> runs{makeSummary("transpose/naive", "M=1", 9), makeSummary("transpose/tiled", "M=2", 9),
                                       makeSummary("transpose/tiled", "M=1", 9)};
    EXPECT_EQ(listSideRuns(measured, runs), (std::vector<std::string>{"transpose/naiveM=1", "transpose/tiledM=1"}));
}

TEST(DiagnoseParts, SidesOfAMeasuredComparisonAreRunsOfItsSize)
{
    Comparison measured;
    measured.a = "transpose/naive";
    measured.b = "transpose/tiled";
    measured.data = {{{5100, 4900}, {900, 1000}}, {{5000}, {1000}}};
    const std::vector<RunSummary> runs{makeSummary("transpose/naive", "M=1", 3), makeSummary("transpose/tiled", "M=1", 2),
                                       makeSummary("transpose/naive", "M=2", 5200), makeSummary("transpose/tiled", "M=2", 1100)};
    EXPECT_EQ(listSideRuns(measured, runs), (std::vector<std::string>{"transpose/naiveM=2", "transpose/tiledM=2"})) << "not the newest";
}

TEST(DiagnoseParts, ATimeSeriesMarksOtherSourcesAndItsBandIsTheNoise)
{
    TimeSeries series;
    series.noise = 0.05;
    for (int i = 0; i < 60; ++i) {
        RunSummary run = makeSummary("transpose/naive", "M=1", i < 10 ? 5000 : 1000);
        run.startedAt = "2026-01-01T00:00:00.000Z";
        run.sourceHash = i < 40 ? "aaaaaaaaaa" : "bbbbbbbbbb";
        series.runs.push_back(run);
    }
    const XYSpec spec = timeChart(series).spec;
    const XYSeries *runs = nullptr, *edits = nullptr;
    double highest = 0;
    for (const XYSeries& one : spec.series) {
        if (one.marker == Marker::circle)
            runs = &one;
        if (one.marker == Marker::diamond)
            edits = &one;
        if (one.dashed)
            for (const XYPoint& point : one.points)
                highest = std::max(highest, point.y);
    }
    ASSERT_TRUE(runs && edits);
    EXPECT_EQ(runs->points.size(), 59U);
    ASSERT_EQ(edits->points.size(), 1U);
    EXPECT_EQ(edits->points.front().x, 40);
    EXPECT_NEAR(highest, 1.1, 1e-9) << "twice the noise, above the level of the newest runs";
}

} // namespace
} // namespace kl::ui
