// SPDX-License-Identifier: MIT
#include "core/base/format.h"
#include "core/model/model_words.h"
#include "sessions/learning/mistake_count.h"
#include "sessions/learning/scripted.h"
#include "ui/charts/chart_card.h"
#include "ui/jobs/in_turns.h"
#include "ui/pages/history_charts.h"
#include "ui/pages/home/start_doors.h"
#include "ui/pages/home_page.h"
#include "ui/pages/shared/dashboard_card.h"
#include "ui/pages/shared/step_links.h"
#include "ui/style/theme.h"
#include "ui/widgets/card.h"
#include "ui/widgets/key_figure.h"
#include "ui/widgets/layout_pause.h"
#include "ui/widgets/reasoned_button.h"
#include "ui/widgets/state_panel.h"
#include "ui/widgets/text.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <memory>

namespace kl::ui {

namespace {

constexpr std::size_t kMostPatterns = 3;
constexpr int kMostSteps = 2;

/// An item of a list: text, with a figure at its right, and muted lines below over the whole width.
QWidget* makeRow(const QString& what, const QString& below, const QString& right, Token token)
{
    auto* row = new QWidget;
    auto* lines = new QVBoxLayout(row);
    lines->setContentsMargins(0, 2, 0, 2);
    lines->setSpacing(0);
    auto* first = new QHBoxLayout;
    auto* top = makeLabel(what, TextRole::body, row);
    top->setWordWrap(true);
    first->addWidget(top, 1);
    auto* figure = makeLabel(right, TextRole::body, row);
    setTextToken(figure, token);
    first->addWidget(figure, 0, Qt::AlignTop | Qt::AlignRight);
    lines->addLayout(first);
    if (!below.isEmpty()) {
        auto* lower = makeLabel(below, TextRole::caption, row);
        lower->setObjectName(QStringLiteral("rowDetail"));
        lower->setWordWrap(true);
        lines->addWidget(lower);
    }
    return row;
}

QLabel* makeQuiet(const QString& words)
{
    auto* label = makeLabel(words, TextRole::caption);
    label->setWordWrap(true);
    return label;
}

std::optional<double> sum(std::optional<double> a, std::optional<double> b)
{
    return a && b ? std::optional(*a + *b) : a ? a : b;
}

/// A range of dollars in whole ones, so that a tile has room for it; the note has the cents.
QString shortMoney(std::optional<double> low, std::optional<double> high)
{
    if (!low)
        return q(kNoValue);
    return high && *high != *low ? QStringLiteral("$%1–%2").arg(*low, 0, 'f', 0).arg(*high, 0, 'f', 0) : q(formatMoney(*low));
}

QString exactMoney(const QString& whose, std::optional<double> low, std::optional<double> high)
{
    return high && *high != *low ? HomePage::tr("%1: %2 to %3").arg(whose, q(formatMoney(*low)), q(formatMoney(*high))) : whose;
}

/// Why there is no cost: the newest session's reason.
QString explainNoCost(const std::vector<HistoryRow>& rows)
{
    for (auto row = rows.rbegin(); row != rows.rend(); ++row)
        if (!row->sample && !row->money.why.empty())
            return row->replayed ? HomePage::tr("recorded data costs nothing") : q(row->money.why);
    return HomePage::tr("none recorded");
}

} // namespace

void HomePage::show(const std::shared_ptr<const Data>& found)
{
    const auto part = [this, found](auto does) {
        return [this, found, does] {
            const LayoutPause pause(*this);
            does(*found);
        };
    };
    doInTurns(loader_, {part([this](const Data& of) {
                            doors_->setVisible(context().isSample() || (of.history.own.sessions == 0 && of.runs.empty()));
                            doors_->refresh();
                            showNext(of);
                            showFigures(of.history);
                        }),
                        part([this](const Data& of) { showSessions(of.history); }), part([this](const Data& of) {
                            dashboard_->show(of.history);
                            showAlerts(of.history.alerts);
                            planned_->show(of.history);
                        }),
                        part([this](const Data& of) {
                            showRoadmap(of);
                            showRuns(of);
                            showPatterns(of);
                            state_->showContent();
                        })});
}

void HomePage::showSessions(const History& history)
{
    HistoryChart chart = speedupChart(history, false);
    chart.spec.y.ticks = 3; // the chart is low at 1280 × 800
    chart_->setSpec(std::move(chart.spec));
    chartCard_->setFinding(chart.title, chart.title + QStringLiteral(". ") + tr("Speedup of each session over its baseline."));
    const std::size_t sessions = history.rows.size();
    std::vector<HistoryRow> newestFirst(history.rows.rbegin(),
                                        history.rows.rbegin() + static_cast<std::ptrdiff_t>(std::min(sessions, kMostSessions)));
    sessions_.setRows(std::move(newestFirst));
    all_->setVisible(sessions > kMostSessions);
    all_->setText(history.more ? tr("Newest %1 sessions").arg(sessions) : tr("All %1 sessions").arg(sessions));
}

void HomePage::showNext(const Data& found)
{
    nextPage_ = QStringLiteral("session");
    nextArgument_ = QStringLiteral("new");
    if (found.open) {
        const SessionView& view = *found.open;
        nextArgument_ = q(view.header.id.text);
        nextText_->setText(q(view.header.name) + QStringLiteral(": ") + (view.next.empty() ? q(view.why) : q(view.next.front().title)));
        nextWhy_->setText(q(view.why.empty() ? view.header.objective : view.why));
        nextButton_->setText(tr("Continue %1").arg(escapeMnemonics(q(view.header.name))));
        context().setCurrentSession(view.header.id, q(view.header.name), q(view.header.kernel));
        return;
    }
    if (context().isSample() && found.history.own.sessions > 0) { // where no session can be opened
        nextPage_ = QStringLiteral("tour");
        nextArgument_.clear();
        nextText_->setText(tr("See a kernel become faster in five steps"));
        nextWhy_->setText(tr("What limited it, what fixed it, how much faster it became, and how the gates decided."));
        nextButton_->setText(tr("Tour"));
        return;
    }
    const auto toCome = std::ranges::find_if(found.history.planned, [](const PlannedSession& session) { return session.became.empty(); });
    if (!found.history.rows.empty() && found.history.own.sessions == 0 && toCome != found.history.planned.end()) {
        const PlannedSession& planned = *toCome;
        nextText_->setText(tr("Open session %1: %2").arg(q(planned.name), q(planned.objective)));
        const QString low = q(formatMinutes(planned.minutesLow));
        const QString high = q(formatMinutes(planned.minutesHigh));
        nextWhy_->setText(tr("Planned in the October 2025 documents: %1. Starts with the environment check.")
                              .arg(low == high ? low : tr("%1 to %2").arg(low, high)));
    } else {
        nextText_->setText(tr("Open a session: choose a kernel and set a goal"));
        nextWhy_->setText(tr("Measure the baseline first, profile before you optimize, and make one change at a time."));
    }
    nextButton_->setText(tr("New session"));
}

void HomePage::showFigures(const History& history)
{
    const HistoryTotals& own = history.own;
    const HistoryTotals& sample = history.sample;
    figures_[0]->set(QString::number(own.sessions + sample.sessions), history.more ? tr("the newest ones; figures are of these")
                                                                      : own.sessions && sample.sessions
                                                                          ? tr("%1 own, %2 sample").arg(own.sessions).arg(sample.sessions)
                                                                      : own.sessions && context().isSample() ? tr("recorded by a script")
                                                                      : own.sessions                         ? tr("in this database")
                                                                      : sample.sessions                      ? tr("sample")
                                                                                                             : tr("none yet"));
    const HistoryRow* best = bestSession(history); // the same one as in the chart below
    const std::optional<double> speedup = best ? std::optional(findShownFigure(best->speedup)->value) : std::nullopt;
    std::optional<double> gain; // a session may double a speed that is still below the baseline's
    for (const HistoryRow& row : history.rows)
        gain = std::max(gain, row.gain);
    const QString whose = !best            ? tr("not measured yet")
                          : best->sample   ? tr("%1, sample").arg(q(best->name))
                          : best->replayed ? tr("%1, recorded").arg(q(best->name))
                                           : q(best->name);
    figures_[1]->set(q(formatRatio(speedup)), gain ? tr("%1; best improvement %2").arg(whose, q(formatRatio(gain))) : whose,
                     !best           ? Token::text
                     : *speedup >= 1 ? Token::better
                                     : Token::worse);
    const auto quoted = sum(own.savedQuoted, sample.savedQuoted);
    const std::optional<double> byScript = own.valueMeasured ? std::nullopt : computeScriptedTotals(history.rows).computeSavedShare();
    figures_[2]->set(byScript            ? q(formatPercent(100 * *byScript))
                     : own.savedMeasured ? q(formatMinutes(*own.savedMeasured))
                                         : q(kNoValue),
                     quoted              ? tr("claimed: %1").arg(q(formatMinutes(*quoted)))
                     : byScript          ? tr("of session time, driven by a script")
                     : own.savedMeasured ? tr("from stage times")
                                         : tr("none yet"));
    const bool ownCost = own.costLow.has_value();
    const HistoryTotals& paid = ownCost ? own : sample;
    const QString mark = paid.costDerived ? QStringLiteral("~") : QString();
    figures_[3]->set(mark + shortMoney(paid.costLow, paid.costHigh), ownCost ? exactMoney(tr("this database"), own.costLow, own.costHigh)
                                                                     : sample.costLow
                                                                         ? exactMoney(tr("sample"), sample.costLow, sample.costHigh)
                                                                         : explainNoCost(history.rows));
    const bool ownSessions = own.sessions > own.replayed;
    const MistakeTotals mistakes = mistakeTotals(history);
    figures_[4]->set(QString::number(mistakes.made),
                     ownSessions || sample.sessions ? tr("%1 repeated, %2 unprofiled").arg(mistakes.repeated).arg(mistakes.blind)
                                                    : tr("none yet"),
                     ownSessions && mistakes.made > 0 ? Token::worse : Token::text);
    const auto alerts = history.alerts.size();
    figures_[5]->set(QString::number(alerts), alerts ? tr("see Alerts") : tr("none"), alerts ? Token::worse : Token::better);
}

void HomePage::showRoadmap(const Data& found)
{
    clearLayout(roadmap_);
    int listed = 0;
    for (std::size_t i = 0; i < found.states.size(); ++i) {
        const RoadmapStep& step = found.roadmap.steps[i];
        const StepState state = found.states[i];
        if (state == StepState::done || listed == kMostSteps)
            continue;
        ++listed;
        QStringList below{tr("Week %1").arg(step.week)};
        for (const std::string& name : step.sessions)
            below << q(name);
        below << QString::fromLatin1(toString(state));
        roadmap_->addWidget(makeRow(q(step.title), below.join(QStringLiteral(" · ")), {}, Token::muted));
    }
    if (listed == 0)
        roadmap_->addWidget(makeQuiet(tr("All steps are done.")));
    auto* all = makeLinkButton(tr("Show roadmap"));
    connect(all, &QPushButton::clicked, this, [this] { context().navigate(QStringLiteral("history"), QStringLiteral("roadmap")); });
    roadmap_->addWidget(all, 0, Qt::AlignLeft);
}

void HomePage::showAlerts(const std::vector<Alert>& alerts)
{
    clearLayout(alerts_);
    if (alerts.empty())
        alerts_->addWidget(makeQuiet(tr("No alerts: no session is over its time budget or the cost target, and no kernel got slower.")));
    for (const Alert& alert : alerts) {
        alerts_->addWidget(makeRow(q(alert.text), {}, markSign(Mark::worse), Token::worse));
        auto* steps = new QHBoxLayout;
        showStepLinks(context(), alert.next ? std::vector{*alert.next} : std::vector<NextStep>{}, steps);
        if (alert.code == "regression") {
            auto* mark = makeLinkButton(tr("Acknowledge or mark it"));
            connect(mark, &QPushButton::clicked, this,
                    [this] { context().navigate(QStringLiteral("history"), QStringLiteral("regressions")); });
            steps->addWidget(mark);
        }
        alerts_->addLayout(steps);
    }
}

void HomePage::showRuns(const Data& found)
{
    clearLayout(runs_);
    if (found.runs.empty())
        runs_->addWidget(makeQuiet(tr("No runs yet. Run or profile a kernel on the Kernels page.")));
    for (std::size_t i = 0; i < found.runs.size(); ++i) {
        const RunSummary& run = found.runs[i];
        const bool failed = !isUsable(run);
        const QString outcome = isRefuted(run.correctness) ? q(toWord(run.correctness)) : tr("failed");
        QStringList below;
        if (!run.classId.empty())
            below << q(run.priority + " " + run.classId);
        if (run.speedup)
            below << q(formatRatio(*run.speedup));
        below << formatMeasuredTime(run.source, run.startedAt);
        auto* row = makeRow(q(found.kernels[i]), spaceProblem(run.problem) + u'\n' + below.join(QStringLiteral(" · ")),
                            failed ? markSign(Mark::fail) + u' ' + outcome : q(formatTime(run.gpuNs)), failed ? Token::worse : Token::text);
        row->setToolTip(q(run.problem) + u'\n' + absoluteTime(run.startedAt) +
                        (run.refutation.empty() ? QString() : u'\n' + q(run.refutation)));
        runs_->addWidget(row);
    }
    if (!found.runs.empty()) {
        auto* all = makeLinkButton(tr("Diagnose latest profile"));
        connect(all, &QPushButton::clicked, this, [this] { context().navigate(QStringLiteral("diagnose")); });
        runs_->addWidget(all, 0, Qt::AlignLeft);
    }
}

void HomePage::showPatterns(const Data& found)
{
    clearLayout(patterns_);
    std::vector<PatternReturn> paid;
    for (const PatternReturn& row : found.history.patterns)
        if (row.measuredMinutes || row.quotedMinutes)
            paid.push_back(row);
    if (paid.empty()) {
        patterns_->addWidget(makeQuiet(tr("No patterns applied yet. Time saved per use, as claimed in the October 2025 documents:")));
        std::vector<Pattern> quoted;
        for (const Pattern& pattern : found.patterns)
            if (pattern.quotedMinutes)
                quoted.push_back(pattern);
        std::stable_sort(quoted.begin(), quoted.end(),
                         [](const Pattern& a, const Pattern& b) { return *a.quotedMinutes > *b.quotedMinutes; });
        for (std::size_t i = 0; i < std::min(kMostPatterns, quoted.size()); ++i)
            patterns_->addWidget(makeRow(q(quoted[i].title), {}, q(formatMinutes(*quoted[i].quotedMinutes)), Token::muted));
        return;
    }
    // Measured savings rank before quoted ones; the two are never added.
    const auto value = [](const PatternReturn& row) { return std::pair(row.measuredMinutes.value_or(0), row.quotedMinutes.value_or(0)); };
    std::stable_sort(paid.begin(), paid.end(), [&](const PatternReturn& a, const PatternReturn& b) { return value(a) > value(b); });
    for (std::size_t i = 0; i < std::min(kMostPatterns, paid.size()); ++i) {
        const PatternReturn& row = paid[i];
        const bool measured = row.measuredMinutes.has_value();
        patterns_->addWidget(makeRow(q(row.title), tr("%1 uses, %2").arg(row.applications).arg(measured ? tr("measured") : tr("claimed")),
                                     q(formatMinutes(measured ? *row.measuredMinutes : *row.quotedMinutes)),
                                     measured ? Token::better : Token::muted));
    }
}

} // namespace kl::ui
