// SPDX-License-Identifier: MIT
// Figures and links of Search, Kernels, Patterns and Home that are computed from what is stored.
#include "core/base/format.h"
#include "sessions/learning/history.h"
#include "sessions/learning/mistake_count.h"
#include "sessions/learning/scripted.h"
#include "sessions/patterns/totals.h"
#include "sessions/store/rows.h"
#include "tests/support/store_support.h"
#include "tests/ui/support/own_database.h"
#include "tests/ui/support/seen_texts.h"
#include "ui/charts/chart_card.h"
#include "ui/context/app_context.h"
#include "ui/models/tuned_table_model.h"
#include "ui/pages/history_charts.h"
#include "ui/pages/home/new_kernel_dialog.h"
#include "ui/pages/home_page.h"
#include "ui/pages/kernels/kernel_list.h"
#include "ui/pages/kernels/variant_facts.h"
#include "ui/pages/kernels_page.h"
#include "ui/pages/patterns/patterns_data.h"
#include "ui/pages/patterns_page.h"
#include "ui/pages/search/measured_view.h"
#include "ui/pages/search/point_card.h"
#include "ui/pages/search/watch_bar.h"
#include "ui/pages/search/watch_charts.h"
#include "ui/pages/search/watch_view.h"
#include "ui/widgets/breakable.h"
#include "ui/widgets/code_view.h"
#include "ui/widgets/data_table.h"
#include "ui/widgets/key_figure.h"
#include "ui/widgets/mark_label.h"
#include "ui/widgets/text.h"

#include <gtest/gtest.h>

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QSlider>
#include <QTabWidget>
#include <QTest>
#include <QTextBlock>
#include <QTreeWidget>
#include <QTreeWidgetItemIterator>

namespace kl::ui {
namespace {

/// Figures of a text, without what groups thousands.
QStringList countsIn(const QString& text)
{
    static const QRegularExpression count(QStringLiteral("[0-9]+(\\.[0-9]+)?"));
    QStringList found;
    for (auto match = count.globalMatch(QString(text).remove(u',')); match.hasNext();)
        found << match.next().captured();
    return found;
}

SearchRecord watchedSearch()
{
    SearchRecord record;
    record.kernel = "attention/fused";
    record.strategy = "greedy_mls";
    record.total = 4000;
    record.gates = {{"threads", 0}, {"registers", 1500}, {"occupancy", 7}};
    const double ns[] = {4000, 3000, 5000, 2000};
    for (int i = 0; i < 4; ++i) {
        SearchTrial& trial = record.trials.emplace_back();
        trial.tunables = "TILE=" + std::to_string(8 << i);
        trial.ns = ns[i];
        trial.at = 10 * (i + 1);
    }
    return record;
}

class WatchedSearches : public OwnDatabase {};

TEST_F(WatchedSearches, AConfirmedBestIsHeldAgainstItsRival)
{
    WatchBar bar(*context);
    SearchRecord record = watchedSearch();
    bar.follow(record);
    const auto* words = bar.findChild<QLabel*>("watchWords");
    const QString plain = words->text();
    EXPECT_TRUE(plain.startsWith("4 of 4"));
    EXPECT_TRUE(plain.contains(q(formatTime(2000))) && plain.contains(q(formatElapsed(40))) && plain.contains("greedy_mls"))
        << plain.toStdString();
    record.best.emplace();
    record.best->confirmed.emplace();
    record.best->confirmed->rival = "cuDNN";
    record.best->confirmed->verdict = TargetVerdict::met;
    record.best->confirmed->student = {1.25, 1.2, 1.3};
    bar.follow(record);
    EXPECT_TRUE(words->text().contains(q("1.25×")) && words->text().contains("cuDNN")) << words->text().toStdString();
    record.best->confirmed->verdict = TargetVerdict::noRival;
    bar.follow(record);
    EXPECT_EQ(words->text(), plain) << "there is none to compare with";
    record.trials[0].ns.reset();
    record.trials[0].why = "it faults";
    bar.follow(record);
    bar.findChild<QSlider*>("watchPosition")->setValue(1);
    EXPECT_TRUE(words->text().startsWith("1 of 4"));
    EXPECT_FALSE(words->text().contains(q(formatElapsed(10)))) << "nothing was measured by then: " << words->text().toStdString();
}

TEST_F(WatchedSearches, GatesThatRejectedSomethingAreCounted)
{
    QTabWidget tabs;
    WatchBar bar(*context);
    WatchView view(bar, tabs);
    SearchRecord record = watchedSearch();
    record.rejected = {{"TILE=64", "spills", "96 bytes"}, {"TILE=128", "spills", "128 bytes"}};
    bar.follow(record);
    EXPECT_EQ(countsIn(tabs.findChild<QLabel*>("rejectedWords")->text()), (QStringList{"2", "4000", "1500", "7"}))
        << tabs.findChild<QLabel*>("rejectedWords")->text().toStdString();
    const auto* rejected = tabs.findChild<DataTable*>("rejected")->model();
    ASSERT_EQ(rejected->rowCount(), 2);
    EXPECT_EQ(rejected->index(1, 2).data().toString(), "128 bytes");
    EXPECT_EQ(rejected->index(1, 2).data(Qt::ToolTipRole).toString(), "128 bytes");
    record.gates.clear();
    record.rejected.clear();
    bar.follow(record);
    EXPECT_EQ(countsIn(tabs.findChild<QLabel*>("rejectedWords")->text()), QStringList{"0"});
    EXPECT_EQ(rejected->rowCount(), 0) << "of the search before";
    QString title;
    for (const auto* card : tabs.findChildren<ChartCard*>())
        title += card->title() + u'|';
    EXPECT_TRUE(title.contains("4 ")) << title.toStdString();
}

TEST(SearchFigures, ImportanceIsInPercentWithPairsBehindTheirTunables)
{
    SearchRecord record;
    for (const int a : {1, 2, 4, 8})
        for (const int b : {1, 2, 4})
            for (const int c : {1, 2}) {
                SearchTrial& trial = record.trials.emplace_back();
                trial.tunables = "A=" + std::to_string(a) + ",B=" + std::to_string(b) + ",C=" + std::to_string(c);
                trial.ns = 1000.0 * a + (a == 8 && b == 4 ? 9000 : 0) + 10 * b;
            }
    const std::vector<EvidenceRow> rows = importanceRows(record, record.trials.size());
    ASSERT_GE(rows.size(), 2U);
    EXPECT_EQ(rows[0].name, "A");
    EXPECT_TRUE(rows[0].holds);
    EXPECT_GT(*rows[0].value, 50);
    EXPECT_EQ(rows[0].valueText, q(formatPercent(*rows[0].value)));
    bool pair = false;
    for (const EvidenceRow& row : rows) {
        EXPECT_GE(*row.value, 0.5);
        EXPECT_NE(row.name, "C") << "it changes nothing";
        if (row.name.contains(q("×"))) {
            pair = true;
            EXPECT_EQ(row.name, q("A × B"));
            EXPECT_FALSE(row.holds);
            EXPECT_NE(row.help, rows[0].help);
        }
    }
    EXPECT_TRUE(pair);
}

TEST(SearchFigures, AGatesLimitIsAMostOrALeast)
{
    SpaceRow row;
    for (std::size_t i = 0; i < kSpaceGates.size(); ++i)
        row.point.verdicts[i] = {kSpaceGates[i], true, true, 10.0 + static_cast<double>(i), 20.0 + static_cast<double>(i), "reason"};
    PointCard card;
    card.show(row, "H200", nullptr, {});
    settleWidgets();
    const auto marks = card.findChildren<MarkLabel*>();
    ASSERT_EQ(marks.size(), static_cast<qsizetype>(kSpaceGates.size()));
    for (std::size_t i = 0; i < kSpaceGates.size(); ++i) {
        const QString text = marks[static_cast<qsizetype>(i)]->text();
        const bool least = kSpaceGates[i] == SpaceGate::occupancy || kSpaceGates[i] == SpaceGate::coalescing;
        EXPECT_EQ(text.contains(" of "), !least && kSpaceGates[i] != SpaceGate::bankConflicts) << text.toStdString();
        const QStringList figures = countsIn(text);
        EXPECT_EQ(figures.value(0), QString::number(10 + i)) << text.toStdString();
        EXPECT_EQ(figures.size(), kSpaceGates[i] == SpaceGate::bankConflicts ? 1 : 2) << text.toStdString();
    }
    row.point.verdicts[0].value.reset();
    card.show(row, "H200", nullptr, {});
    settleWidgets();
    EXPECT_FALSE(card.findChildren<MarkLabel*>()[0]->text().contains("20")) << "a limit of nothing";
}

TEST(SearchFigures, OfTheBestWithoutATimeOrABaselineNothingIsClaimed)
{
    MeasuredView view;
    view.showTimes({}, "about");
    BestPoint best;
    best.run.emplace();
    best.run->id.text = "the-run";
    best.run->kernel = *parseAddress("a/b@TILE=2");
    best.run->speedup = 2;
    view.showBest(best);
    const QString text = view.findChild<QLabel*>("searchBest")->text();
    EXPECT_FALSE(text.contains(q("2.00×"))) << "over what?";
    EXPECT_TRUE(text.contains("the-run"));
    TunedRow wrong;
    wrong.point.kernel = "a/b@TILE=1";
    wrong.point.ns = 1000;
    wrong.wrong = true;
    view.showTimes({wrong}, "about");
    const auto* model = view.findChild<DataTable*>("tuned")->model();
    const QString how = model->index(0, TunedTableModel::How).data().toString();
    view.showBest({});
    EXPECT_EQ(model->index(0, TunedTableModel::How).data().toString(), how) << "what was incorrect before stays so";
}

TEST(KernelFigures, TooltipsSayOfWhatSizeAndWhenATimeIs)
{
    const Result<Catalog> catalog = Catalog::loadEmbedded();
    ASSERT_TRUE(catalog);
    const KernelFamily& family = **catalog->family("transpose");
    const std::string problem = toText(family.problems.front());
    RunSummary slow, fast;
    slow.id.text = "slow";
    slow.kernel = "transpose/naive";
    slow.problem = problem;
    slow.status = ResultStatus::ok;
    slow.correctness = CorrectnessResult::correct;
    slow.source = Source::sample;
    slow.startedAt = "2026-01-02T03:04:05.000Z";
    slow.gpuNs = 900;
    slow.classId = "uncoalesced";
    slow.priority = "P0";
    fast = slow;
    fast.kernel = "transpose/tiled";
    fast.gpuNs = 300;
    fast.classId.clear();
    QTreeWidget list;
    list.setColumnCount(3);
    fillKernels(list, *catalog, {});
    fillVerdicts(list, *catalog, {slow, fast});
    const auto item = [&](const char* address) -> QTreeWidgetItem* {
        for (QTreeWidgetItemIterator it(&list); *it; ++it)
            if ((*it)->data(0, Qt::UserRole).toString() == address)
                return *it;
        return nullptr;
    };
    QTreeWidgetItem *naive = item("transpose/naive"), *tiled = item("transpose/tiled"), *padded = item("transpose/padded");
    ASSERT_TRUE(naive && tiled && padded);
    EXPECT_EQ(naive->text(2), "uncoalesced");
    EXPECT_EQ(naive->toolTip(2), "P0 uncoalesced");
    EXPECT_EQ(naive->toolTip(1), q(problem) + ", " + formatMeasuredTime(Source::sample, slow.startedAt));
    EXPECT_TRUE(tiled->toolTip(1).endsWith(naive->toolTip(1))) << "the fastest says so before";
    EXPECT_GT(tiled->toolTip(1).size(), naive->toolTip(1).size());
    EXPECT_EQ(tiled->text(2), q("–"));
    EXPECT_FALSE(padded->toolTip(1).contains(q(problem)));
    const Variant& expected = **catalog->variant({"transpose", "naive", {}});
    ASSERT_TRUE(expected.expected);
    EXPECT_TRUE(naive->toolTip(0).contains(q(expected.title)) && naive->toolTip(0).endsWith(q(*expected.expected)));
    filterKernels(list, q(*expected.expected));
    EXPECT_FALSE(naive->isHidden()) << "it is found by what is expected of it";
    EXPECT_TRUE(item("copy/plain") == nullptr || item("copy/plain")->isHidden() || item("copy/plain")->parent()->isHidden() ||
                item("copy/plain")->toolTip(0).contains(q(*expected.expected)));
    EXPECT_EQ(naive->parent()->toolTip(0), q(family.title));
}

/// The page of kernels on the recorded device, with a database of its own.
class MeasuredKernels : public testing::Test {
protected:
    void SetUp() override
    {
        auto opened = AppContext::open((folder / "own.db").string(), DeviceSpec::sample());
        ASSERT_TRUE(opened) << opened.error().message;
        context = std::move(*opened);
        page = std::make_unique<KernelsPage>(*context);
        page->resize(1280, 800);
        page->QWidget::show();
        posted = std::make_unique<QSignalSpy>(context.get(), &AppContext::messagePosted);
    }
    void TearDown() override { waitForJobs(); }
    void look(const char* address) const
    {
        page->open(QString::fromLatin1(address));
        page->refresh();
        ASSERT_TRUE(waitForJobs());
    }
    void press(const char* name) const
    {
        page->findChild<QPushButton*>(QString::fromLatin1(name))->click();
        ASSERT_TRUE(waitForJobs());
    }
    Message lastMessage() const { return posted->isEmpty() ? Message{} : posted->last()[0].value<Message>(); }
    QString shown() const
    {
        QStringList texts;
        for (const QLabel* label : page->findChildren<QLabel*>())
            texts << unbroken(label->text());
        return texts.join('\n');
    }

    support::TempDir folder;
    std::unique_ptr<AppContext> context;
    std::unique_ptr<KernelsPage> page;
    std::unique_ptr<QSignalSpy> posted;
};

TEST_F(MeasuredKernels, AVariantHasItsFactsAndTunables)
{
    look("attention/fused");
    const KernelFamily& family = **context->catalog().family("attention");
    const Variant& variant = **context->catalog().variant({"attention", "fused", {}});
    const QString texts = shown();
    ASSERT_FALSE(variant.tunables.empty());
    for (const Tunable& tunable : family.tunables) {
        const bool has = std::ranges::find(variant.tunables, tunable.name) != variant.tunables.end();
        EXPECT_EQ(texts.contains(q(tunable.name + " {")), has) << tunable.name;
    }
    const auto* number = std::get_if<std::int64_t>(&family.tunables.front().values.back());
    if (number) {
        EXPECT_TRUE(texts.contains(QString::number(*number) + "}")) << texts.toStdString();
    }
    for (const std::string& target : variant.targets)
        EXPECT_TRUE(texts.contains(q(target))) << target;
    EXPECT_TRUE(texts.contains(q(family.baseline.name)));
    EXPECT_TRUE(texts.contains(spaceProblem(toText(family.smallest))));
    EXPECT_TRUE(texts.contains(q(variant.summary)));
}

TEST_F(MeasuredKernels, TheSourceBeginsAtTheVariantsFunction)
{
    for (const char* variant : {"naive", "tiled", "padded"}) {
        look((std::string("transpose/") + variant).c_str());
        const CodeView* code = nullptr;
        for (const auto* view : page->findChildren<CodeView*>())
            if (view->objectName() != "compiledCode")
                code = view;
        ASSERT_NE(code, nullptr);
        const std::string entry = (*context->catalog().variant({"transpose", variant, {}}))->launches.front().entry;
        EXPECT_TRUE(code->textCursor().block().text().contains(q(entry + "("))) << code->textCursor().block().text().toStdString();
    }
}

TEST_F(MeasuredKernels, ARunIsReportedWithItsTimeAndAProfileLeadsToItsDiagnosis)
{
    look("transpose/naive");
    press("run");
    ASSERT_GE(posted->count(), 1);
    auto runs = context->store().runs({});
    ASSERT_TRUE(runs && !runs->empty());
    EXPECT_EQ(lastMessage().level, MessageLevel::success) << lastMessage().why.toStdString();
    EXPECT_TRUE(lastMessage().what.contains("transpose/naive") && lastMessage().what.contains(q(formatTime(runs->front().gpuNs))))
        << lastMessage().what.toStdString();
    EXPECT_TRUE(lastMessage().buttons.empty()) << "it was not diagnosed";
    press("profile");
    runs = context->store().runs({.profilesOnly = true, .limit = 1});
    ASSERT_TRUE(runs && !runs->empty());
    ASSERT_EQ(lastMessage().buttons.size(), 1U) << lastMessage().what.toStdString();
    EXPECT_EQ(lastMessage().why, q((*context->store().run(runs->front().id)).diagnosis->finding.title));
    const QSignalSpy navigated(context.get(), &AppContext::navigationRequested);
    lastMessage().buttons[0].action();
    ASSERT_EQ(navigated.count(), 1);
    EXPECT_EQ(navigated[0][0].toString(), "diagnose");
    EXPECT_EQ(navigated[0][1].toString(), q(runs->front().id.text));
    const auto count = posted->count();
    press("timeline");
    ASSERT_EQ(posted->count(), count + 1) << "none was recorded";
    EXPECT_NE(lastMessage().level, MessageLevel::success);
    EXPECT_TRUE(page->findChild<QPushButton*>("run")->isEnabled()) << "it is over";
    EXPECT_TRUE(page->findChild<QPushButton*>("profile")->isEnabled());
}

class FilledPages : public testing::Test {
protected:
    void open(const std::string& location)
    {
        auto opened = AppContext::open(location, DeviceSpec::sample());
        ASSERT_TRUE(opened) << opened.error().message;
        context = std::move(*opened);
    }
    void TearDown() override { waitForJobs(); }
    void fillHome()
    {
        home = std::make_unique<HomePage>(*context);
        home->refresh();
        ASSERT_TRUE(waitForJobs());
        settleWidgets();
    }
    /// Value and note of a key figure.
    QStringList figure(int place) const
    {
        const auto labels = home->findChildren<KeyFigure*>().at(place)->findChildren<QLabel*>();
        return {labels.at(0)->text(), labels.at(1)->text()};
    }
    Store& store() const { return *context->engine()->store; }

    support::TempDir folder;
    std::unique_ptr<AppContext> context;
    std::unique_ptr<HomePage> home;
};

TEST_F(FilledPages, TheFiguresOfHomeAreThoseOfTheHistory)
{
    open(":documents:");
    fillHome();
    const Result<History> history = loadHistory(context->store());
    ASSERT_TRUE(history);
    const HistoryTotals& sample = history->sample;
    const MistakeTotals mistakes = mistakeTotals(*history);
    const HistoryRow* best = bestSession(*history);
    ASSERT_TRUE(best && findShownFigure(best->speedup) && sample.savedQuoted && sample.costLow && sample.costHigh);
    EXPECT_EQ(figure(1)[0], q(formatRatio(findShownFigure(best->speedup)->value)));
    EXPECT_TRUE(figure(1)[1].startsWith(q(best->name))) << figure(1)[1].toStdString();
    EXPECT_TRUE(figure(2)[1].endsWith(q(formatMinutes(*sample.savedQuoted)))) << figure(2)[1].toStdString();
    EXPECT_TRUE(figure(3)[0].contains(QString::number(*sample.costLow, 'f', 0))) << figure(3)[0].toStdString();
    if (*sample.costLow != *sample.costHigh) {
        EXPECT_TRUE(figure(3)[0].endsWith(QString::number(*sample.costHigh, 'f', 0))) << figure(3)[0].toStdString();
        EXPECT_LT(figure(3)[1].indexOf(q(formatMoney(*sample.costLow))), figure(3)[1].indexOf(q(formatMoney(*sample.costHigh))));
    }
    EXPECT_EQ(figure(3)[0].startsWith('~'), sample.costDerived);
    EXPECT_EQ(figure(4)[0], QString::number(mistakes.made));
    EXPECT_EQ(countsIn(figure(4)[1]), (QStringList{QString::number(mistakes.repeated), QString::number(mistakes.blind)}));
    EXPECT_EQ(figure(5)[0], QString::number(history->alerts.size()));
}

TEST_F(FilledPages, OwnCostsComeBeforeThoseOfTheDocuments)
{
    open((folder / "own.db").string());
    NewSession request;
    request.name = "A";
    request.objective = "objective";
    request.kernel = "transpose";
    const auto session = context->engine()->sessions.create(request);
    ASSERT_TRUE(session) << session.error().message;
    ASSERT_TRUE(store().saveCost({"c", session->header.id.text, "2026-01-01T00:00:00.000Z", "gpu", 3.25, ""}));
    fillHome();
    const Result<History> history = loadHistory(context->store());
    ASSERT_TRUE(history);
    ASSERT_TRUE(history->own.costLow);
    EXPECT_TRUE(figure(3)[0].contains(QString::number(*history->own.costLow, 'f', 0))) << figure(3)[0].toStdString();
    EXPECT_EQ(figure(0)[0], "1");
}

TEST_F(FilledPages, PatternsThatSavedMeasuredTimeComeFirst)
{
    open((folder / "own.db").string());
    const std::vector<Pattern> patterns = *context->store().patterns();
    ASSERT_GE(patterns.size(), 5U);
    const auto use = [&](std::size_t pattern, const char* id, std::optional<double> measured, std::optional<double> quoted) {
        PatternApplication one;
        one.id = id;
        one.pattern = patterns[pattern].slug;
        one.at = "2026-01-01T00:00:00.000Z";
        one.measuredMinutes = measured;
        one.quotedMinutes = quoted;
        ASSERT_TRUE(store().saveApplication(one));
    };
    use(0, "a", {}, 500.0);
    use(1, "b", 5.0, {});
    use(1, "c", 6.0, {});
    use(2, "d", 3.0, 900.0);
    use(3, "e", {}, 700.0);
    fillHome();
    QStringList texts;
    for (const QLabel* label : home->findChildren<QLabel*>())
        texts << label->text();
    const auto at = [&](std::size_t pattern) { return texts.indexOf(q(patterns[pattern].title)); };
    ASSERT_GE(at(1), 0) << texts.join('|').toStdString();
    EXPECT_LT(at(1), at(2)) << "11 measured minutes before 3";
    EXPECT_LT(at(2), at(3)) << "measured before quoted";
    EXPECT_LT(at(0), 0) << "there is room for three";
    EXPECT_EQ(texts[at(1) + 1], q(formatMinutes(11)));
    EXPECT_TRUE(texts[at(1) + 2].startsWith("2 ")) << texts[at(1) + 2].toStdString();
    EXPECT_EQ(texts[at(3) + 1], q(formatMinutes(700)));
    PatternsPage page(*context);
    page.refresh();
    ASSERT_TRUE(waitForJobs());
    const PatternReturn all = computeTotal(loadHistory(context->store())->patterns);
    QString totals;
    for (const QLabel* label : page.findChildren<QLabel*>())
        if (label->text().contains(q(formatMinutes(*all.measuredMinutes))) && label->text().contains(q(formatMinutes(*all.quotedMinutes))))
            totals = label->text();
    EXPECT_EQ(countsIn(totals).value(0), "5") << totals.toStdString();
    EXPECT_LT(totals.indexOf(q(formatMinutes(*all.measuredMinutes))), totals.indexOf(q(formatMinutes(*all.quotedMinutes))));
    const PatternsData data = *readPatterns(*context->engine(), {});
    for (const PatternRow& row : data.rows)
        if (row.pattern.slug == patterns[1].slug) {
            EXPECT_EQ(row.gained.measuredMinutes, 11.0);
        }
}

TEST_F(FilledPages, ASavingSaysHowItWasMeasured)
{
    History history;
    HistoryRow row;
    row.id = "id-A";
    row.name = "A";
    history.rows = {row};
    for (const char* session : {"id-A", "id-B"}) {
        PatternApplication& use = history.applications.emplace_back();
        use.pattern = "mine";
        use.session = session;
        use.at = "2020-01-01T00:00:00.000Z";
        use.measuredMinutes = 5;
        MeasuredSaving& saving = history.savings.emplace_back();
        saving.session = session;
        saving.pattern = std::string(session) == "id-A" ? "mine" : "another";
        saving.why = std::string("because of ") + session;
    }
    const QStringList uses = describeUses(history, "mine").split('\n');
    ASSERT_EQ(uses.size(), 2);
    EXPECT_FALSE(uses[0].contains("because")) << "that saving is of another pattern";
    EXPECT_TRUE(uses[1].endsWith("because of id-A")) << uses[1].toStdString();
}

TEST_F(FilledPages, ASuggestionSaysWhyAndEveryTemplateIsWritten)
{
    open((folder / "own.db").string());
    NewSession request;
    request.name = "A";
    request.objective = "objective";
    request.kernel = "transpose";
    const auto session = context->engine()->sessions.create(request);
    ASSERT_TRUE(session) << session.error().message;
    context->setCurrentSession(session->header.id, "A", "transpose");
    PatternsPage page(*context);
    page.refresh();
    ASSERT_TRUE(waitForJobs());
    const PatternsData data = *readPatterns(*context->engine(), session->header.id);
    ASSERT_FALSE(data.suggestions.empty());
    const QStringList texts = seenOn(page);
    int explained = 0;
    for (const Suggestion& suggestion : data.suggestions)
        explained += !texts.filter(q(suggestion.why)).isEmpty() && !suggestion.why.empty();
    EXPECT_GE(explained, 1);
    NewKernelDialog dialog(nullptr);
    auto* starter = dialog.findChild<QComboBox*>("kernelStarter");
    QStringList ids;
    for (int i = 0; i < starter->count(); ++i)
        ids << starter->itemData(i).toString();
    EXPECT_EQ(ids.removeDuplicates(), 0);
    for (const QString& id : ids) {
        NewKernelDialog one(nullptr);
        one.findChild<QLineEdit*>("kernelParent")->setText(q(folder.path().string()));
        one.findChild<QLineEdit*>("kernelName")->setText("my-" + id);
        auto* chosen = one.findChild<QComboBox*>("kernelStarter");
        chosen->setCurrentIndex(chosen->findData(id));
        const QSignalSpy written(&one, &NewKernelDialog::written);
        one.findChild<QPushButton*>("writeKernel")->click();
        ASSERT_EQ(written.count(), 1) << id.toStdString();
        EXPECT_EQ(written[0][1].toString(), "my-" + id);
    }
    QSignalSpy source(&dialog, &NewKernelDialog::sourceRequested);
    dialog.show();
    dialog.findChild<QPushButton*>("fromSource")->click();
    EXPECT_EQ(source.count(), 1);
    EXPECT_FALSE(dialog.isVisible());
}

} // namespace
} // namespace kl::ui
