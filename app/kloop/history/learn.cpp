// SPDX-License-Identifier: MIT
#include "app/kloop/common/arguments.h"
#include "app/kloop/common/library.h"
#include "app/kloop/history/learn_verbs.h"
#include "app/kloop/terminal/streams.h"
#include "app/kloop/terminal/table.h"
#include "core/base/format.h"
#include "core/base/try.h"
#include "sessions/learning/history_json.h"
#include "sessions/learning/mistake_count.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl::cli {
namespace {

std::string figureText(const std::vector<Figure>& figures, std::string (*format)(double))
{
    const std::optional<Figure> figure = findShownFigure(figures);
    if (const std::optional<Figure> doubt = findDoubtedFigure(figures); doubt && !figure)
        return format(doubt->value) + '?';
    return figure ? formatMarked(*figure, format) : std::string();
}

std::string mistakesText(const HistoryRow& row)
{
    int made = 0;
    int repeated = 0;
    for (const Mistake& item : row.mistakes) {
        made += item.count;
        repeated += item.before > 0 ? item.count : item.count - 1;
    }
    return made == 0 ? std::string() : repeated > 0 ? fmt::format("{}, {} repeated", made, repeated) : fmt::format("{}", made);
}

void printSessions(const std::vector<HistoryRow>& rows)
{
    Table table({"Session", "Time>", "Speedup>", "Cost>", "Mistakes>", "Unprofiled changes>", "Time to build>", "Time to bottleneck>",
                 "Patterns used>", "Patterns added>", "Grade", ""});
    for (const HistoryRow& row : rows) {
        const std::optional<Figure> cash = cashFigure(row.money);
        table.add({row.name, figureText(row.minutes, &formatMinutes), figureText(row.speedup, &formatRatio),
                   cash ? formatMarked(*cash, &formatMoney) : "", mistakesText(row), row.blind ? fmt::format("{}", *row.blind) : "",
                   minutesCell(row.minutesToBuild), minutesCell(row.minutesToBottleneck),
                   row.patternsApplied ? fmt::format("{}", *row.patternsApplied) : "",
                   row.learned.empty() ? "" : fmt::format("{}", row.learned.size()), row.grade.letter, row.grade.reason});
    }
    printText("{}", table.text());
}

void printTotals(const char* who, const HistoryTotals& t)
{
    const auto range = [](const std::optional<double>& low, const std::optional<double>& high, std::string (*format)(double)) {
        return !low ? std::string("not recorded") : *low == *high ? format(*low) : format(*low) + " to " + format(*high);
    };
    printText("\n{}: {} session{}, {} complete, {} open{}\n", applyTone(who, Tone::strong), t.sessions, t.sessions == 1 ? "" : "s",
              t.complete, t.open, t.replayed > 0 ? fmt::format(", {} on recorded data (not in the sums)", t.replayed) : "");
    if (t.sessions == 0)
        return;
    printText("  time {} · cost {}{}", range(t.minutesLow, t.minutesHigh, &formatMinutes), t.costDerived ? "~" : "",
              range(t.costLow, t.costHigh, &formatMoney));
    if (t.successRate)
        printText(" · success rate {}", formatPercent(*t.successRate * 100));
    printText("\n  saved: measured {} · claimed {} · derived {}\n", t.savedMeasured ? formatMinutes(*t.savedMeasured) : "none yet",
              t.savedQuoted ? formatMinutes(*t.savedQuoted) : "none", t.savedDerived ? formatMinutes(*t.savedDerived) : "none");
    if (t.mistakes > 0 || t.blind > 0)
        printText("  mistakes {} ({} repeated) · unprofiled changes {} · time on dead ends {}\n", t.mistakes, t.repeated, t.blind,
                  formatMinutes(t.wrongMinutes));
}

/// What the documents plan and quote beyond their sessions, and the dashboard.
void printQuoted(const History& history)
{
    Table planned({"Planned", "Time>", "Speedup>", "Patterns>", "Objective", "Became"});
    for (const PlannedSession& plan : history.planned)
        planned.add({plan.name,
                     plan.minutesLow == plan.minutesHigh ? formatMinutes(plan.minutesLow)
                                                         : formatMinutes(plan.minutesLow) + " to " + formatMinutes(plan.minutesHigh),
                     plan.speedup ? formatRatio(*plan.speedup) : "", plan.patterns, plan.objective,
                     plan.became.empty() ? "still planned" : plan.became});
    if (!planned.empty())
        printText("\n{}", planned.text());
    if (history.trend && history.goal)
        printText("\nClaimed trend: {}. Stated goal: {} in {}, {} less than the {} of {}.\n", history.trend->text, history.goal->session,
                  formatMinutes(history.goal->minutes), formatPercent(history.goal->reduction * 100),
                  formatMinutes(history.goal->beforeMinutes), history.goal->before);
    Table dashboard({"Dashboard", "This database", history.sampleOrigin.empty() ? "" : "October 2025 documents"});
    for (const DashboardRow& row : history.dashboard)
        dashboard.add({row.title, row.own, row.quoted});
    printText("\n{}", dashboard.text());
}

/// What the sessions' own retrospectives list.
void printRetrospectives(const std::vector<HistoryRow>& rows)
{
    for (const HistoryRow& row : rows)
        for (const auto& [title, list] : {std::pair{"worked", &row.worked}, std::pair{"failed", &row.failed},
                                          std::pair{"insight", &row.insights}, std::pair{"next time", &row.nextTime}})
            for (const std::string& text : *list)
                printText("{}{:<5} {:<10} {}\n", &text == &row.worked.front() ? "\n" : "", row.name, title, text);
}

void printMistakes(const History& history)
{
    Table table({"Mistake", "Made>", "Caught>", "Description", "Prevented by"});
    for (const MistakeKind& kind : history.mistakes) {
        const MistakeCount count = mistakeCount(history, kind.id);
        table.add({kind.id, fmt::format("{}", count.made), fmt::format("{}", count.caught), kind.text, kind.prevention});
    }
    printText("\n{}", table.text());
}

void printLearning(const History& history)
{
    const Convergence& c = history.convergence;
    if (history.learningRate)
        printText("\nLearning rate: {} less time from one session to the next (target: 30 to 50 %)\n",
                  formatPercent(*history.learningRate * 100));
    else
        printText("\nLearning rate: unknown until two sessions of a kind are finished\n");
    if (c.sessions)
        printText("Convergence to {}: {:.0f} sessions after the first, 95 % CI {:.0f} to {} ({})\n", formatMinutes(c.targetMinutes),
                  *c.sessions, c.low.value_or(0), c.high ? fmt::format("{:.0f}", *c.high) : std::string("never"), c.why);
    else
        printText("Convergence: no estimate, {}. Expected: {} to {} sessions.\n", c.why, kQuotedConvergenceLow, kQuotedConvergenceHigh);
    if (history.gap)
        printText(
            "Expert's time, {} to {}: {} {}{}\n", formatMinutes(kExpertMinutesLow), formatMinutes(kExpertMinutesHigh), history.gap->session,
            history.gap->minutesLow <= 0 ? std::string("was within it") : formatMinutes(history.gap->minutesLow) + " above it",
            history.gap->speedup && *history.gap->speedup > 0 ? fmt::format("; {} short of 2×", formatRatio(*history.gap->speedup)) : "");
}

Result<int> showHistory(Program& program)
{
    KL_ASSIGN([[maybe_unused]] const PatternLibrary library, seedLibrary(program));
    KL_ASSIGN(const History history, loadHistory(**program.store()));
    if (program.printAsJson(historyToJson(history)))
        return 0;
    printSessions(history.rows);
    if (!history.sampleOrigin.empty())
        printTotals("Shipped history", history.sample);
    printTotals("This database", history.own);
    printLearning(history);
    printQuoted(history);
    printMistakes(history);
    printRetrospectives(history.rows);
    for (const Alert& alert : history.alerts)
        printText("\n{} {}\n", applyTone(alert.code, Tone::bad), alert.text);
    for (const std::string& note : history.notes)
        printText("\n{}\n", applyTone(note, Tone::faint));
    return 0;
}

} // namespace

Runner addLearn(CLI::App& app)
{
    app.footer("Mistakes are counted from the sessions' events: actions that a rule refused, a waived environment gate, a change kept\n"
               "although it is slower, claims that were never measured, a GPU other than the target.\n"
               "Grades: D if the session ended undecided or kept a change without proof; otherwise A if nothing is missing, B for one or\n"
               "two things, C for more, of: time budget, cost target, no gate waived, no mistake, a working build within 30 min, the\n"
               "bottleneck known within 15 min.\n"
               "Convergence: minutes = a * decay^i, fitted on logarithms; 95 % CI from 2,000 resamples of the residuals.");
    return addCommands(app,
                       {{"rules", "Show how often the findings' estimates were accurate, by rule", addLearnRules},
                        {"model", "Show what the recommender has learned, and how accurate it is", addLearnModel}},
                       showHistory);
}

} // namespace kl::cli
