// SPDX-License-Identifier: MIT
// The page Compare on a database of its own: which runs it compares, what it says of them, and that nothing of an earlier comparison stays.
#include "core/base/format.h"
#include "core/model/kernel_code.h"
#include "tests/support/store_support.h"
#include "ui/charts/xy_chart.h"
#include "ui/context/app_context.h"
#include "ui/pages/compare/basket_card.h"
#include "ui/pages/compare/compare_tabs.h"
#include "ui/pages/compare/opening_pair.h"
#include "ui/pages/compare/sample_strip.h"
#include "ui/pages/compare/time_bars.h"
#include "ui/pages/compare_page.h"
#include "ui/widgets/data_table.h"
#include "ui/widgets/text.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QCheckBox>
#include <QHelpEvent>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>
#include <QToolTip>

namespace kl::ui {
namespace {

class ComparePages : public testing::Test {
protected:
    static void SetUpTestSuite()
    {
        folder = new support::TempDir;
        auto opened = AppContext::open((*folder / "own.db").string(), DeviceSpec::sample());
        ASSERT_TRUE(opened) << opened.error().message;
        context = opened->release();
        Store& store = *context->engine()->store;
        ASSERT_TRUE(store.saveRun(support::timedRun("naive", "naive", "2026-03-01T09:00:01.000Z", 2000)));
        ASSERT_TRUE(store.saveRun(support::timedRun("tiled", "tiled", "2026-03-01T09:00:02.000Z", 500)));
        RunRecord other = support::timedRun("other", "padded", "2026-03-01T09:00:00.000Z", 700);
        other.problem["M"] = std::int64_t{65};
        ASSERT_TRUE(store.saveRun(other));
        RunRecord copy = support::timedRun("copy", "vector", "2026-03-01T08:00:00.000Z", 600);
        copy.kernel.family = "copy";
        copy.correctness.result = CorrectnessResult::incorrect;
        ASSERT_TRUE(store.saveRun(copy));
        RunRecord gone = support::timedRun("gone", "nosuch", "2026-03-01T08:00:00.000Z", 600);
        ASSERT_TRUE(store.saveRun(gone));
        RunRecord foreign = support::timedRun("foreign", "tiled", "2026-03-01T07:00:00.000Z", 600);
        foreign.program.emplace().kernel = "norm(float*)";
        ASSERT_TRUE(store.saveRun(foreign));
        Comparison measured;
        measured.id.text = "ab";
        measured.a = "transpose/naive";
        measured.b = "transpose/tiled";
        measured.verdict = Verdict::faster;
        measured.sentence = "The tiled one is faster.";
        measured.next = "Keep it.";
        measured.statistics = "Hodges";
        measured.noise = {0.0123, "5 repeats"};
        measured.warnings = {{"code", "a warning"}};
        measured.blocks = 2;
        measured.data = {{{2000, 2000}, {500, 500}}, {{2000, 2000}, {500, 500}}};
        ASSERT_TRUE(store.saveComparison(measured));
        context->pollData();
    }
    static void TearDownTestSuite()
    {
        delete context;
        delete folder;
    }
    void SetUp() override { page = std::make_unique<ComparePage>(*context); }
    void open(const char* argument)
    {
        page->open(QString::fromLatin1(argument));
        page->refresh();
        ASSERT_TRUE(waitForJobs());
    }
    /// The kernels of the basket, in its order.
    QStringList basket() const
    {
        QStringList names;
        for (const QPushButton* button : page->findChild<BasketCard*>()->findChildren<QPushButton*>())
            if (button->accessibleName().startsWith("Remove "))
                names << button->accessibleName().mid(7).section('/', 1);
        return names;
    }
    QString text(const char* label) const { return page->findChild<QLabel*>(QString::fromLatin1(label))->text(); }
    BasketCard& card() const { return *page->findChild<BasketCard*>(); }
    const QPushButton& measure() const { return *page->findChild<QPushButton*>("measureAb"); }
    bool compares() const { return page->findChild<CompareTabs*>()->isVisibleTo(page.get()); }

    static support::TempDir* folder;
    static AppContext* context;
    std::unique_ptr<ComparePage> page;
};
support::TempDir* ComparePages::folder = nullptr;
AppContext* ComparePages::context = nullptr;

TEST_F(ComparePages, WithoutAChoiceAPairIsSuggestedThatTheFirstChoiceReplaces)
{
    open("");
    EXPECT_EQ(basket(), (QStringList{"naive", "tiled"})) << "what was fixed is A";
    EXPECT_TRUE(compares());
    open("run:other");
    EXPECT_EQ(basket(), QStringList{"padded"});
    EXPECT_FALSE(compares());
    open("run:other");
    EXPECT_EQ(basket(), QStringList{"padded"}) << "once is enough";
    open("run:naive");
    EXPECT_EQ(basket(), (QStringList{"padded", "naive"}));
    open("runs:tiled,naive");
    EXPECT_EQ(basket(), (QStringList{"tiled", "naive"})) << "in place of those before";
    emit card().added("other");
    ASSERT_TRUE(waitForJobs());
    EXPECT_EQ(basket(), (QStringList{"tiled", "naive", "padded"}));
}

TEST_F(ComparePages, RunsAreSwappedRemovedAndEmptiedByTheirIds)
{
    open("runs:naive,tiled,other");
    const QString before = text("verdictSentence");
    emit card().swapped();
    ASSERT_TRUE(waitForJobs());
    EXPECT_EQ(basket(), (QStringList{"tiled", "naive", "padded"})) << "A and B";
    EXPECT_NE(text("verdictSentence"), before);
    emit card().removed("naive");
    ASSERT_TRUE(waitForJobs());
    EXPECT_EQ(basket(), (QStringList{"tiled", "padded"}));
    emit card().emptied();
    ASSERT_TRUE(waitForJobs());
    EXPECT_TRUE(basket().isEmpty());
    open("");
    EXPECT_TRUE(basket().isEmpty()) << "what the user emptied stays empty";
    EXPECT_FALSE(compares());
    page->findChild<QPushButton*>("stateAction")->click();
    ASSERT_TRUE(waitForJobs());
    EXPECT_EQ(basket(), (QStringList{"naive", "tiled"}));
    emit card().emptied();
    ASSERT_TRUE(waitForJobs());
    open("run:tiled");
    emit card().removed("tiled");
    ASSERT_TRUE(waitForJobs());
    EXPECT_TRUE(basket().isEmpty()) << "and none is suggested for the last one that was removed";
}

TEST_F(ComparePages, AMeasuredComparisonStaysUntilAnotherChoice)
{
    for (const char* choice : {"run:other", "runs:tiled,naive"}) {
        open("ab");
        EXPECT_EQ(text("verdictSentence"), "The tiled one is faster.");
        EXPECT_EQ(basket(), (QStringList{"naive", "tiled"}));
        EXPECT_TRUE(measure().isHidden() || !measure().isVisibleTo(page.get())) << "it is interleaved already";
        const QStringList basis = text("verdictBasis").split('\n');
        EXPECT_EQ(basis.value(0), "Hodges");
        EXPECT_TRUE(basis.value(1).contains("1.23 %")) << basis.value(1).toStdString();
        EXPECT_TRUE(basis.value(1).contains(QRegularExpression("\\b5\\b"))) << "how often: " << basis.value(1).toStdString();
        EXPECT_EQ(basis.value(2), "a warning");
        open(choice);
        EXPECT_NE(text("verdictSentence"), "The tiled one is faster.") << choice;
        EXPECT_TRUE(measure().isVisibleTo(page.get())) << choice;
        EXPECT_FALSE(text("verdictBasis").contains("Hodges")) << choice;
    }
    open("ab");
    emit card().swapped();
    ASSERT_TRUE(waitForJobs());
    EXPECT_NE(text("verdictSentence"), "The tiled one is faster.") << "of the other order";
}

TEST_F(ComparePages, AnInterleavedMeasurementNeedsTheSameKernelAndProblem)
{
    const auto reason = [&](const char* runs) {
        open(runs);
        EXPECT_TRUE(measure().isVisibleTo(page.get()));
        EXPECT_EQ(measure().isEnabled(), measure().accessibleDescription().isEmpty());
        return measure().accessibleDescription();
    };
    EXPECT_EQ(reason("runs:naive,tiled"), context->explainUnmeasurable());
    QStringList reasons{reason("runs:naive,other"), reason("runs:naive,copy"), reason("runs:naive,gone"), reason("runs:gone,naive")};
    EXPECT_EQ(reasons[2], reasons[3]);
    EXPECT_EQ(reasons.removeDuplicates(), 1) << reasons.join('|').toStdString();
    EXPECT_FALSE(reasons.contains(""));
    for (const char* runs : {"runs:naive", "runs:naive,foreign", "runs:foreign,naive"}) {
        open(runs);
        EXPECT_FALSE(measure().isVisibleTo(page.get())) << runs << ": a kernel of a program runs in it alone";
    }
}

TEST_F(ComparePages, ItsReportNeedsTwoRuns)
{
    ASSERT_EQ(page->actions().size(), 1U);
    open("runs:naive");
    EXPECT_FALSE(page->actions()[0]->isEnabled());
    open("runs:naive,tiled");
    EXPECT_TRUE(page->actions()[0]->isEnabled());
    open("runs:naive");
    EXPECT_FALSE(page->actions()[0]->isEnabled());
}

TEST_F(ComparePages, ARunThatIsNotThereIsLeftOut)
{
    open("runs:naive,nosuch,tiled");
    EXPECT_EQ(basket(), (QStringList{"naive", "tiled"}));
    const QSignalSpy posted(context, &AppContext::messagePosted);
    open("nosuch");
    EXPECT_FALSE(compares());
    EXPECT_TRUE(page->findChild<QPushButton*>("stateAction")->isVisibleTo(page.get())) << "to try again";
}

TEST_F(ComparePages, AnotherDatabaseHasNothingOfTheBasketBefore)
{
    const std::string own = utf8(context->location());
    open("runs:tiled,other");
    ASSERT_TRUE(context->switchTo((*folder / "empty.db").string()));
    page->refresh();
    ASSERT_TRUE(waitForJobs());
    EXPECT_TRUE(basket().isEmpty());
    QSignalSpy requested(context, &AppContext::navigationRequested);
    page->findChild<QPushButton*>("stateAction")->click();
    ASSERT_EQ(requested.count(), 1) << "without two runs, to the kernels";
    EXPECT_EQ(requested[0][0].toString(), "kernels");
    ASSERT_TRUE(context->switchTo(own));
    page->refresh();
    ASSERT_TRUE(waitForJobs());
    EXPECT_EQ(basket(), (QStringList{"naive", "tiled"})) << "as on the first visit";
}

RunRecord makeTransposeRun(const char* variant, const char* id)
{
    return support::timedRun(id, variant, "2026-03-01T09:00:00.000Z", 1000);
}

TEST(Baskets, ARowIsRemovedByItsRunAndSaysWhatRefutesIt)
{
    BasketCard card(nullptr);
    QSignalSpy removed(&card, &BasketCard::removed);
    RunRecord wrong = makeTransposeRun("tiled", "b");
    wrong.correctness.result = CorrectnessResult::incorrect;
    card.setRuns({makeTransposeRun("naive", "a"), wrong}, "Chosen for you.");
    const auto buttons = [&](const char* begin) {
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        QList<QPushButton*> found;
        for (QPushButton* button : card.findChildren<QPushButton*>())
            if (button->accessibleName().startsWith(QString::fromLatin1(begin)))
                found << button;
        return found;
    };
    ASSERT_EQ(buttons("Remove ").size(), 2);
    buttons("Remove ")[1]->click();
    ASSERT_EQ(removed.count(), 1);
    EXPECT_EQ(removed[0][0].toString(), "b");
    EXPECT_EQ(card.findChildren<QLabel*>("refuted").size(), 1);
    EXPECT_TRUE(card.findChild<QPushButton*>("swapRuns")->isVisibleTo(&card));
    QStringList texts;
    for (const QLabel* label : card.findChildren<QLabel*>())
        texts << label->text().remove(QChar(0x200b));
    EXPECT_TRUE(texts.contains("A  transpose/naive")) << texts.join('|').toStdString();
    EXPECT_TRUE(texts.contains("B  transpose/tiled"));
    EXPECT_EQ(texts.filter("Chosen for you.").size(), 1);
    card.setRuns({makeTransposeRun("naive", "a")}, {});
    EXPECT_EQ(buttons("Remove ").size(), 1);
    EXPECT_FALSE(card.findChild<QPushButton*>("swapRuns")->isVisibleTo(&card)) << "one cannot be swapped";
    EXPECT_TRUE(card.findChildren<QLabel*>("refuted").isEmpty());
}

RunRecord withCode(RunRecord run, const char* text)
{
    KernelCode code;
    code.language = CodeLanguage::sass;
    code.functions = {"k"};
    code.instructions.emplace_back().text = text;
    run.sourceProfile.emplace().code = SharedCode(code);
    return run;
}

TEST(ComparisonTabs, ShowTheComparisonThatTheyGotLast)
{
    CompareTabs tabs;
    Comparison comparison;
    comparison.metrics = {{"gpu_ns", "1000", "500", -0.5}, {"speedup", "2", "2", 0.0}};
    comparison.tunables = {{"variant", "naive", "tiled", {}}};
    comparison.environment = {{"driver", "1.2.3", "1.2.4", {}}};
    const RunRecord a = withCode(makeTransposeRun("naive", "a"), "EXIT");
    const RunRecord b = withCode(makeTransposeRun("tiled", "b"), "BRA");
    tabs.show(comparison, {a, b});
    const auto tables = tabs.findChildren<DataTable*>();
    ASSERT_EQ(tables.size(), 2);
    const bool first = tables[0]->accessibleName().startsWith("Metrics");
    const DataTable* metrics = tables[first ? 0 : 1];
    const DataTable* environment = tables[first ? 1 : 0];
    EXPECT_EQ(metrics->model()->rowCount(), 1) << "equal values are left out";
    EXPECT_EQ(metrics->model()->headerData(1, Qt::Horizontal).toString(), "transpose/naive");
    EXPECT_EQ(metrics->model()->headerData(2, Qt::Horizontal).toString(), "transpose/tiled");
    EXPECT_EQ(environment->model()->rowCount(), 2) << "tunables, then the environment";
    EXPECT_EQ(environment->model()->index(0, 0).data().toString(), "variant");
    tabs.findChild<QCheckBox*>()->setChecked(true);
    EXPECT_EQ(metrics->model()->rowCount(), 2);
    tabs.setCurrentIndex(tabs.count() - 1);
    const auto* listing = tabs.findChild<QAbstractItemView*>("codeDiff");
    ASSERT_TRUE(listing);
    ASSERT_GE(listing->model()->rowCount(), 1);
    QStringList left, right;
    for (int row = 0; row < listing->model()->rowCount(); ++row) {
        left << listing->model()->index(row, 1).data().toString();
        right << listing->model()->index(row, 2).data().toString();
    }
    EXPECT_FALSE(left.filter("EXIT").isEmpty()) << "A is on the left";
    EXPECT_FALSE(right.filter("BRA").isEmpty());
    tabs.show(comparison, {b, a});
    EXPECT_EQ(metrics->model()->headerData(1, Qt::Horizontal).toString(), "transpose/tiled");
    EXPECT_TRUE(listing->model()->index(0, 1).data().toString().contains("BRA") ||
                listing->model()->index(1, 1).data().toString().contains("BRA"))
        << "the code follows while it is looked at";
    tabs.show({}, {a});
    EXPECT_FALSE(tabs.isTabVisible(tabs.count() - 1)) << "the code of one is compared with none";
    EXPECT_EQ(environment->model()->rowCount(), 0);
    EXPECT_EQ(metrics->model()->rowCount(), 0);
}

TEST(ComparisonTabs, NameTheRunsThatTheRooflineCannotShow)
{
    RunRecord shown = makeTransposeRun("naive", "a");
    shown.device.smCount = 132;
    shown.device.clockMhz = 1980;
    shown.device.memoryClockMhz = 3201;
    shown.device.memoryBusBits = 6144;
    shown.flops = 1e6;
    shown.idealBytes = 1e6;
    const RunRecord unknown = makeTransposeRun("tiled", "b");
    CompareTabs tabs;
    const auto texts = [&] {
        QStringList all;
        for (const QLabel* label : tabs.findChildren<QLabel*>())
            all << label->text();
        return all;
    };
    tabs.show({}, {shown, unknown});
    EXPECT_EQ(texts().filter("unknown: transpose/tiled").size(), 1) << texts().join('|').toStdString();
    EXPECT_FALSE(texts().filter(QRegularExpression("^transpose/naive [a-z]")).isEmpty()) << "of the one that is shown";
    tabs.show({}, {shown, shown});
    EXPECT_TRUE(texts().filter("unknown: ").isEmpty()) << "both are";
    tabs.show({}, {unknown});
    EXPECT_TRUE(texts().filter("unknown: ").isEmpty()) << "the chart itself says why it is empty";
}

/// The tooltip of a place in a widget; empty without one.
QString readTip(QWidget& widget, const QPoint& at)
{
    const QString before = QStringLiteral("of before"); // it stays while it fades
    QToolTip::showText(widget.mapToGlobal(at), before, &widget);
    QHelpEvent help(QEvent::ToolTip, at, widget.mapToGlobal(at));
    QApplication::sendEvent(&widget, &help);
    return QToolTip::text() == before ? QString() : QToolTip::text();
}

TEST(ComparedTimes, HaveTheirIntervalAndBaseline)
{
    RunRecord slow = makeTransposeRun("naive", "a");
    slow.timing->gpu = {2000, 1900, 2100, 50};
    slow.baseline.emplace();
    slow.baseline->name = "device copy";
    slow.baseline->gpu = Summary{4000, 4000, 4000, 5};
    RunRecord fast = makeTransposeRun("tiled", "b");
    fast.timing->gpu = {500, 490, 510, 40};
    RunRecord untimed = makeTransposeRun("padded", "c");
    untimed.timing.reset();
    TimeBars bars;
    bars.setRuns({&slow, &fast, &untimed});
    const ChartTable table = bars.table();
    ASSERT_EQ(table.rows.size(), 3U);
    EXPECT_EQ(table.rows[0], (QStringList{"transpose/naive", "2000", "1900", "2100", "50", "4000"}));
    EXPECT_EQ(table.rows[1], (QStringList{"transpose/tiled", "500", "490", "510", "40", ""}));
    EXPECT_EQ(table.rows[2].mid(2), (QStringList{"", "", "", ""}));
    bars.resize(400, 200);
    bars.show();
    QCoreApplication::processEvents();
    EXPECT_TRUE(readTip(bars, {200, 10}).contains(q("device copy: " + formatTime(4000)))) << readTip(bars, {200, 10}).toStdString();
    EXPECT_TRUE(readTip(bars, {200, 54 + 10}).startsWith("transpose/tiled\n"));
    EXPECT_FALSE(readTip(bars, {200, 54 + 10}).contains("device copy"));
    EXPECT_EQ(readTip(bars, {200, 190}), "");
    const QImage image = bars.grab().toImage();
    const auto inked = [&](double share, int row) { return image.pixelColor(static_cast<int>(share * 399), row * 54 + 24); };
    const QColor empty = inked(0.95, 1);
    EXPECT_NE(inked(0.2, 0), empty);
    EXPECT_NE(inked(0.4, 0), empty) << "half of the scale, which the baseline ends";
    EXPECT_EQ(inked(0.7, 0), empty);
    EXPECT_NE(inked(0.1, 1), empty) << "an eighth";
    EXPECT_EQ(inked(0.2, 1), empty);
    RunRecord elsewhere = fast;
    elsewhere.problem["M"] = std::int64_t{65};
    bars.setRuns({&slow, &elsewhere});
    EXPECT_FALSE(bars.finding().contains(q("×"))) << "another size is other work";
    bars.setRuns({&slow, &fast, &elsewhere});
    EXPECT_TRUE(bars.finding().contains(q("×"))) << "the first two are compared";
    bars.setRuns({&elsewhere, &slow, &slow});
    EXPECT_FALSE(bars.finding().contains(q("×")));
    bars.setRuns({&slow, &untimed});
    EXPECT_FALSE(bars.finding().contains(q("×")));
    bars.setRuns({&slow});
    EXPECT_EQ(bars.table().rows.size(), 1U);
    EXPECT_TRUE(bars.emptyReason().isEmpty());
    bars.setRuns({&untimed});
    EXPECT_FALSE(bars.emptyReason().isEmpty());
}

TEST(ComparedSamples, StandInTheirOrderAroundTheirRun)
{
    RunRecord first = makeTransposeRun("naive", "a");
    first.timing->samples = {3000, 1000, 2000};
    first.timing->gpu = {2000, 1900, 2100, 3};
    RunRecord second = makeTransposeRun("tiled", "b");
    second.timing->samples = {500};
    second.timing->gpu = {500, 490, 510, 1};
    RunRecord untimed = makeTransposeRun("padded", "c");
    untimed.timing.reset();
    const XYSpec spec = sampleStrips({&first, &untimed, &second});
    ASSERT_EQ(spec.series.size(), 4U) << "two strips, two medians";
    std::vector<std::pair<double, double>> places;
    for (const XYPoint& point : spec.series[0].points)
        places.emplace_back(point.x, point.y);
    EXPECT_EQ(places, (std::vector<std::pair<double, double>>{{-0.25, 3}, {0, 1}, {0.25, 2}})) << "as measured, in microseconds";
    EXPECT_EQ(spec.series[0].points[0].id, "a");
    EXPECT_EQ(spec.series[0].points[0].tip, q(formatTime(3000)));
    ASSERT_EQ(spec.series[1].points.size(), 1U);
    EXPECT_EQ(spec.series[1].points[0].x, 2) << "the third run, its one sample in the middle";
    EXPECT_EQ(spec.series[2].points[0].x, 0);
    EXPECT_EQ(spec.series[2].points[0].y, 2);
    EXPECT_NEAR(*spec.series[2].points[0].low, 1.9, 1e-9);
    EXPECT_NEAR(*spec.series[2].points[0].high, 2.1, 1e-9);
    EXPECT_EQ(spec.series[3].points[0].x, 2);
    EXPECT_EQ(spec.x.categories, (QStringList{"transpose/naive", "transpose/padded", "transpose/tiled"}));
}

TEST(OpeningPairs, PreferTheSizeOfTheKernelAndTheFasterAsB)
{
    const Result<Catalog> catalog = Catalog::loadEmbedded();
    ASSERT_TRUE(catalog);
    const std::string usual = toText((*catalog->family("transpose"))->problems.front());
    const auto listed = [](const char* id, const char* kernel, double ns, const std::string& problem) {
        RunSummary run;
        run.id.text = id;
        run.kernel = kernel;
        run.problem = problem;
        run.device = "NVIDIA H200";
        run.gpuNs = ns;
        return run;
    };
    const std::vector<RunSummary> runs{listed("6", "transpose/tiled", 5, "M=64,N=65"), listed("5", "transpose/naive", 9, "M=64,N=65"),
                                       listed("4", "transpose/tiled", 50, usual), listed("3", "transpose/naive", 90, usual)};
    EXPECT_EQ(chooseOpeningPair(*catalog, runs).ids, (std::vector<std::string>{"3", "4"}));
    EXPECT_EQ(chooseOpeningPair(*catalog, {runs[0], runs[1]}).ids, (std::vector<std::string>{"5", "6"})) << "else any size";
    EXPECT_EQ(chooseOpeningPair(*catalog, {listed("2", "mine/b", 50, "N=1"), listed("1", "mine/a", 50, "N=1")}).ids,
              (std::vector<std::string>{"1", "2"}))
        << "of equal ones the later is B";
    RunSummary imported = listed("1", "mine/a", 20, "N=1");
    imported.source = Source::import;
    EXPECT_TRUE(chooseOpeningPair(*catalog, {listed("2", "mine/b", 50, "N=1"), imported}).ids.empty());
    RunSummary untimed = listed("1", "mine/a", 20, "N=1");
    untimed.gpuNs.reset();
    EXPECT_TRUE(chooseOpeningPair(*catalog, {listed("2", "mine/b", 50, "N=1"), untimed}).ids.empty());
}

TEST(OpeningPairs, WithoutACommonPlaceTheNewestOfEachSideStands)
{
    const auto listed = [](const char* id, const char* kernel, const char* problem, std::optional<double> ns) {
        RunSummary run;
        run.id.text = id;
        run.kernel = kernel;
        run.problem = problem;
        run.device = "NVIDIA H200";
        run.gpuNs = ns;
        return run;
    };
    Comparison measured;
    measured.a = "k/a";
    measured.b = "k/b";
    const auto ids = [&](const std::vector<RunSummary>& runs) { return listSideRuns(measured, runs); };
    using Ids = std::vector<std::string>;
    EXPECT_EQ(ids({listed("4", "k/b", "N=2", 1), listed("3", "k/a", "N=1", 1), listed("2", "k/a", "N=3", 1)}), (Ids{"3", "4"}));
    EXPECT_EQ(ids({listed("4", "k/b", "N=2", 1)}), Ids{"4"});
    EXPECT_EQ(ids({listed("5", "k/b", "N=1", 1), listed("4", "k/b", "N=2", 1), listed("3", "k/a", "N=2", 1), listed("2", "k/a", "N=1", 1)}),
              (Ids{"3", "4"}))
        << "of equally close pairs the newer A";
    measured.data = {{{100}, {50}}};
    EXPECT_EQ(ids({listed("5", "k/b", "N=2", 500), listed("4", "k/a", "N=2", 1000), listed("3", "k/b", "N=1", 51),
                   listed("2", "k/a", "N=1", 99), listed("1", "k/a", "N=1", {})}),
              (Ids{"2", "3"}))
        << "the pair whose times are those measured";
}

} // namespace
} // namespace kl::ui
