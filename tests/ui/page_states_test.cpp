// SPDX-License-Identifier: MIT
// Parts of pages whose second state nobody looked at: another choice, another row, an answer that was withdrawn.
#include "core/base/format.h"
#include "sessions/learning/rule_outcomes.h"
#include "tests/ui/support/counted_run.h"
#include "tests/ui/support/file_answer.h"
#include "tests/ui/support/own_database.h"
#include "tests/ui/support/seen_texts.h"
#include "ui/charts/chart_card.h"
#include "ui/charts/xy_chart.h"
#include "ui/pages/history/rules_card.h"
#include "ui/pages/home/new_kernel_dialog.h"
#include "ui/pages/kernels/own_kernels_bar.h"
#include "ui/pages/kernels/sweep_view.h"
#include "ui/pages/patterns/flow_geometry.h"
#include "ui/pages/patterns/flow_view.h"
#include "ui/pages/search/measured_view.h"
#include "ui/pages/search/search_panel.h"
#include "ui/pages/search/space_inputs.h"
#include "ui/pages/search/space_subject.h"
#include "ui/pages/search_page.h"
#include "ui/pages/session/checklist_card.h"
#include "ui/pages/session_page.h"
#include "ui/pages/shared/roofline_spec.h"
#include "ui/widgets/data_table.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/text.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QComboBox>
#include <QHelpEvent>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTest>
#include <QTimer>
#include <QToolTip>

namespace kl::ui {
namespace {

class PageStates : public OwnDatabase {};

TEST_F(PageStates, ANewKernelSaysWhereItIsWrittenWhicheverFieldChanges)
{
    NewKernelDialog dialog(nullptr);
    const auto says = [&](const QString& place) { return !seenOn(dialog).filter(place).isEmpty(); };
    auto* parent = dialog.findChild<QLineEdit*>("kernelParent");
    auto* name = dialog.findChild<QLineEdit*>("kernelName");
    parent->setText("/first");
    EXPECT_TRUE(says("/first/")) << wordsOn(dialog).toStdString();
    name->setText(" mine ");
    EXPECT_TRUE(says("/first/mine"));
    parent->setText("/second");
    EXPECT_TRUE(says("/second/mine")) << wordsOn(dialog).toStdString();
    EXPECT_FALSE(says("/first"));
    dialog.show();
    name->setText("no name");
    dialog.findChild<QPushButton*>("writeKernel")->click();
    const auto* error = dialog.findChild<QLabel*>("kernelError");
    EXPECT_TRUE(error->isVisible());
    parent->setText("/third");
    EXPECT_FALSE(error->isVisible()) << "it was of the other place";
    const auto* starter = dialog.findChild<QComboBox*>("kernelStarter");
    QStringList ids;
    for (int i = 0; i < starter->count(); ++i)
        ids << starter->itemData(i).toString();
    EXPECT_EQ(ids, (QStringList{"elementwise", "copy", "reduction", "matmul"}));
}

TEST_F(PageStates, AKernelIsAddedFromItsFile)
{
    OwnKernelsBar bar(*context, nullptr);
    NewKernelDialog dialog(nullptr);
    QString descriptor;
    QObject::connect(&dialog, &NewKernelDialog::written, &dialog, [&](const QString& file, const QString&) { descriptor = file; });
    dialog.findChild<QLineEdit*>("kernelParent")->setText(q(folder.path().string()));
    dialog.findChild<QLineEdit*>("kernelName")->setText("mine");
    dialog.findChild<QPushButton*>("writeKernel")->click();
    ASSERT_FALSE(descriptor.isEmpty());
    const QSignalSpy navigated(context.get(), &AppContext::navigationRequested), posted(context.get(), &AppContext::messagePosted);
    {
        const FileAnswer canceled{QString()};
        buttonOn(bar, "addKernel")->click();
        EXPECT_TRUE(canceled.seen());
    }
    EXPECT_EQ(navigated.count(), 0);
    {
        const FileAnswer answer(descriptor);
        buttonOn(bar, "addKernel")->click();
    }
    ASSERT_EQ(navigated.count(), 1);
    EXPECT_EQ(navigated[0][0].toString(), "kernels");
    EXPECT_EQ(navigated[0][1].toString(), "mine");
    EXPECT_TRUE(context->catalog().family("mine"));
    EXPECT_EQ(posted.count(), 0);
    bar.show(descriptor, "mine");
    buttonOn(bar, "removeKernel")->click();
    EXPECT_FALSE(context->catalog().family("mine"));
    EXPECT_EQ(posted.count(), 0);
}

TEST_F(PageStates, TheSizeAlongTheChartStaysWhileRowsCome)
{
    SweepView view(*context);
    view.resize(900, 700);
    view.show();
    view.setSubject({"transpose", "tiled", {}}, *parseParams("M=4096,N=4096"));
    view.findChild<QLineEdit*>("axis-M")->setText("[2048,4096]");
    view.findChild<QLineEdit*>("axis-N")->setText("[2048,4096]");
    const auto sweep = [&] {
        buttonOn(view, "startSweep")->click();
        ASSERT_TRUE(waitForJobs());
        QCoreApplication::processEvents();
    };
    sweep();
    auto* along = view.findChild<QComboBox*>("sweepAlong");
    const auto* chart = view.findChild<ChartCard*>("sweepChart")->findChild<XYChart*>();
    ASSERT_EQ(along->count(), 2);
    EXPECT_TRUE(along->isVisible());
    EXPECT_TRUE(chart->spec().x.title.contains(along->currentText())) << chart->spec().x.title.toStdString();
    const QString other = along->itemText(1);
    along->setCurrentIndex(1);
    emit along->activated(1);
    EXPECT_TRUE(chart->spec().x.title.contains(other));
    sweep();
    EXPECT_EQ(along->currentText(), other) << "what the user chose";
    EXPECT_TRUE(chart->spec().x.title.contains(other));
    EXPECT_EQ(view.findChild<DataTable*>("sweepRows")->model()->rowCount(), 4);
    const QString about = view.findChild<QLabel*>("sweepAbout")->text();
    EXPECT_TRUE(about.startsWith("3 of 4 ")) << "one of them is not recorded: " << about.toStdString();
    view.findChild<QLineEdit*>("axis-M")->setText("4096");
    sweep();
    EXPECT_FALSE(along->isVisible()) << "there is one";
    EXPECT_EQ(along->currentText(), "N");
    auto* figure = view.findChild<QComboBox*>("sweepFigure");
    QStringList axes;
    for (int i = 0; i < figure->count(); ++i) {
        figure->setCurrentIndex(i);
        emit figure->activated(i);
        axes << chart->spec().y.title;
    }
    EXPECT_EQ(axes.removeDuplicates(), 0) << axes.join('|').toStdString();
}

TEST(RuleCaptions, SayRecordedWhereNothingElseIs)
{
    const auto made = [](const char* rule, bool replayed) {
        RuleCase one{rule, "a/b", "a/c", "N=1", 0.5, 0.4, "runs", "2026", replayed};
        return one;
    };
    RulesCard card;
    const auto caption = [&](const std::vector<RuleCase>& cases) {
        card.show(cases);
        settleWidgets();
        return seenOn(card).value(1);
    };
    const QString measured = caption({made("atomics", false)});
    const QString recorded = caption({made("atomics", true)});
    EXPECT_NE(measured, recorded);
    EXPECT_EQ(caption({made("atomics", false), made("atomics", true)}), measured) << "one recorded case among them";
    EXPECT_EQ(caption({made("atomics", true), made("atomics", false)}), measured);
    const QString none = caption({});
    EXPECT_NE(none, measured);
    EXPECT_NE(none, recorded);
    EXPECT_FALSE(seenOn(card).contains("atomics")) << "of the history before";
}

QString flowTipAt(FlowView& view, const QPoint& at)
{
    const QString before = QStringLiteral("of before");
    QToolTip::showText(view.mapToGlobal(at), before, &view);
    QHelpEvent help(QEvent::ToolTip, at, view.mapToGlobal(at));
    QApplication::sendEvent(&view, &help);
    return QToolTip::text() == before ? QString() : QToolTip::text();
}

TEST(FlowTips, HaveStateFactAndTheConditionsThatLeadThere)
{
    PatternFlow flow;
    flow.nodes = {{"a", "First", "slug-a", 0, 0, "kept", FlowState::done},
                  {"b", "Second", "slug-b", 1, 0, "", FlowState::now},
                  {"c", "Third", "", 1, 1, "", FlowState::skipped},
                  {"d", "Fourth", "", 2, 0, "", FlowState::ahead}};
    flow.edges = {{"a", "b", "fast"}, {"a", "c", "slow"}, {"b", "d", ""}, {"c", "d", "at last"}};
    FlowView view;
    view.resize(900, 200);
    view.setFlow(flow);
    view.show();
    QCoreApplication::processEvents();
    const FlowPlan plan = layoutFlow(flow, 900);
    std::vector<QStringList> lines;
    QStringList states;
    for (const FlowBox& box : plan.boxes) {
        lines.push_back(flowTipAt(view, box.place.center().toPoint()).split('\n'));
        states << lines.back()[0].section(": ", 1).section(", ", 0, 0);
    }
    EXPECT_EQ(states.removeDuplicates(), 0) << states.join('|').toStdString();
    EXPECT_TRUE(lines[0][0].startsWith("First: ") && lines[0][0].endsWith(", kept"));
    EXPECT_EQ(lines[0].size(), 1) << "nothing leads to it";
    ASSERT_EQ(lines[1].size(), 2);
    EXPECT_TRUE(lines[1][1].endsWith("fast")) << lines[1][1].toStdString();
    EXPECT_FALSE(lines[1][0].contains(','));
    ASSERT_EQ(lines[2].size(), 2);
    EXPECT_TRUE(lines[2][1].endsWith("slow"));
    ASSERT_EQ(lines[3].size(), 2) << "a line without a condition says nothing";
    EXPECT_TRUE(lines[3][1].endsWith("at last"));
    EXPECT_EQ(flowTipAt(view, QPoint(899, 199)), "") << "beside the boxes";
    EXPECT_EQ(layoutFlow(flow, 200).boxes[0].place.height(), 88) << "titles of narrow boxes take more lines";
    EXPECT_EQ(plan.boxes[0].place.height(), 64);
    EXPECT_EQ(layoutFlow(flow, 5000).boxes[0].place.width(), 220) << "no wider than it reads well";
    EXPECT_TRUE(plan.lines[0].taken);
    EXPECT_FALSE(plan.lines[1].taken);
    EXPECT_FALSE(plan.lines[2].taken) << "the end of it is later";
}

TEST_F(PageStates, EveryGpuIsJudgedByItsOwnLimits)
{
    const SpaceSubject subject{"attention", "fused", (*context->catalog().family("attention"))->problems.front()};
    SpaceInputs inputs(*context);
    inputs.choose("attention/fused");
    inputs.findChild<QComboBox*>("gpu")->setCurrentText("H200");
    const SpaceQuestion requested = inputs.question();
    const Result<SearchSpace> space = subject.judge(context->catalog(), requested);
    ASSERT_TRUE(space) << space.error().message;
    const SpacePoint* largest = nullptr;
    const auto shared = [](const SpacePoint& point) {
        return std::ranges::find(point.verdicts, SpaceGate::sharedMemory, &GateVerdict::gate)->value.value_or(0);
    };
    for (const SpacePoint& point : space->points)
        if (!point.rejectedBy && (!largest || shared(point) > shared(*largest)))
            largest = &point;
    ASSERT_NE(largest, nullptr);
    ASSERT_GT(shared(*largest), 64 * 1024) << "a T4 has no more";
    SpaceQuestion alone = requested;
    alone.fixed = largest->tunables;
    const Result<QString> text = subject.elsewhere(context->catalog(), alone);
    ASSERT_TRUE(text) << text.error().message;
    const QString survives = text->section('.', 0, 0), rejected = text->section('.', 1);
    EXPECT_TRUE(survives.contains("H200")) << text->toStdString();
    EXPECT_FALSE(survives.contains("T4")) << text->toStdString();
    EXPECT_TRUE(rejected.contains("T4"));
    EXPECT_FALSE(rejected.contains("H200"));
    EXPECT_TRUE(rejected.contains(q(titleFor(SpaceGate::sharedMemory)).toLower())) << text->toStdString();
    EXPECT_FALSE(text->contains("NVIDIA"));
}

TunedRow fastRow()
{
    TunedRow row;
    row.point.kernel = "a/b@TILE=1";
    row.point.ns = 1000;
    row.times = 1;
    return row;
}

TEST_F(PageStates, ASearchBeginsWithAnEmptyTableAndItsEndIsReported)
{
    SearchPage page(*context);
    page.resize(1200, 900);
    page.show();
    ASSERT_TRUE(waitForJobs());
    auto* measured = page.findChild<MeasuredView*>();
    auto* panel = page.findChild<SearchPanel*>();
    auto* tabs = page.findChild<QTabWidget*>();
    const auto* table = measured->findChild<DataTable*>("tuned")->model();
    measured->showTimes({fastRow()}, "the search before");
    ASSERT_EQ(table->rowCount(), 1);
    tabs->setCurrentIndex(0);
    emit panel->began("another search");
    EXPECT_EQ(table->rowCount(), 0);
    EXPECT_EQ(measured->findChild<QLabel*>("searchAbout")->text(), "another search");
    EXPECT_EQ(tabs->currentWidget(), measured);
    QSignalSpy posted(context.get(), &AppContext::messagePosted);
    emit panel->ended(Error{.code = ErrorCode::interrupted, .message = "stopped"});
    EXPECT_EQ(posted.count(), 0) << "the user stopped it";
    EXPECT_FALSE(measured->showsContent()) << "nothing was measured";
    emit panel->ended(Error{.code = ErrorCode::environment, .message = "no device"});
    ASSERT_EQ(posted.count(), 1);
    EXPECT_EQ(posted[0][0].value<Message>().level, MessageLevel::error);
    BestPoint best;
    best.wrong = {{"a/b@TILE=1", "out[3] differs"}};
    emit panel->began("a third");
    emit panel->ended(best);
    EXPECT_EQ(posted.count(), 1);
    EXPECT_FALSE(measured->findChild<QLabel*>("searchBest")->isHidden());
    const QSignalSpy navigated(context.get(), &AppContext::navigationRequested);
    emit measured->runOpened("the-run");
    ASSERT_EQ(navigated.count(), 1);
    EXPECT_EQ(navigated[0][0].toString(), "diagnose");
    EXPECT_EQ(navigated[0][1].toString(), "the-run");
    emit panel->began("a fourth");
    EXPECT_TRUE(measured->findChild<QLabel*>("searchBest")->isHidden()) << "the best of the search before";
}

TEST(ExecutedPoints, AreOfTheLevelOfTheChart)
{
    RunRecord run = countedRun("now", 100000);
    run.metrics->values["lts__t_bytes.sum"] = 16e6;
    run.metrics->values["smsp__sass_thread_inst_executed_op_ffma_pred_on.sum"] = 3e9; // 6e9 FLOP where 2e9 would do
    for (const auto& [level, bytes] : {std::pair{MemoryLevel::dram, 8e6}, std::pair{MemoryLevel::l2, 16e6}}) {
        const XYSpec spec = rooflineSpec({&run}, level, false);
        const auto executed =
            std::ranges::find_if(spec.series, [](const XYSeries& series) { return series.name.startsWith("fma/fp32, "); });
        ASSERT_NE(executed, spec.series.end());
        EXPECT_DOUBLE_EQ(executed->points.at(0).y, 60);
        EXPECT_NEAR(executed->points.at(0).x, 6e9 / bytes, 1e-6) << "its traffic is that of this memory";
        EXPECT_EQ(executed->marker, Marker::diamond);
        EXPECT_NEAR(spec.series.back().points.at(0).x, 2e9 / bytes, 1e-6);
    }
}

TEST_F(PageStates, ANoteThatIsCanceledLeavesTheTickAndAnEmptyOneTakesItBack)
{
    NewSession request;
    request.name = "A";
    request.objective = "objective";
    request.kernel = "transpose";
    const auto session = context->engine()->sessions.create(request);
    ASSERT_TRUE(session) << session.error().message;
    const SessionId id = session->header.id;
    SessionPage page(*context);
    page.resize(1280, 800);
    page.show();
    page.open(q(id.text));
    page.refresh();
    ASSERT_TRUE(waitForJobs());
    QString requested;
    const auto noted = [&](const std::optional<QString>& words) {
        QTimer::singleShot(0, [&requested, words] {
            auto* dialog = qobject_cast<QInputDialog*>(QApplication::activeModalWidget());
            ASSERT_NE(dialog, nullptr);
            requested = dialog->textValue();
            if (words)
                dialog->setTextValue(*words);
            words ? dialog->accept() : dialog->reject();
        });
        emit page.findChild<ChecklistCard*>()->noteRequested("git-history", "title", "as it was");
        EXPECT_TRUE(waitForJobs());
        const auto ticks = context->engine()->sessions.view(id)->ticks;
        const auto found = ticks.find("git-history");
        return found == ticks.end() ? std::string() : found->second;
    };
    EXPECT_EQ(noted("  it works "), "it works");
    EXPECT_EQ(requested, "as it was") << "what was written is edited";
    const std::size_t events = context->engine()->sessions.view(id)->events.size();
    EXPECT_EQ(noted({}), "it works");
    EXPECT_EQ(context->engine()->sessions.view(id)->events.size(), events) << "nothing was written";
    EXPECT_EQ(noted(QString()), "");
    const QSignalSpy navigated(context.get(), &AppContext::navigationRequested);
    emit page.findChild<ChecklistCard*>()->calculatorRequested("occupancy");
    ASSERT_EQ(navigated.count(), 1);
    EXPECT_EQ(navigated[0][0].toString(), "calculate");
    EXPECT_EQ(navigated[0][1].toString(), "occupancy");
}

} // namespace
} // namespace kl::ui
