// SPDX-License-Identifier: MIT
#include "ui/pages/patterns/patterns_data.h"

#include "core/base/format.h"
#include "core/base/try.h"
#include "ui/widgets/text.h"

#include <QCoreApplication>

#include <algorithm>
#include <fmt/format.h>

namespace kl::ui {
namespace {

QString usesText(const char* text)
{
    return QCoreApplication::translate("PatternsPage", text);
}

/// The flow of the session, else of the newest run.
void readFlow(Engine& engine, const std::optional<SessionView>& view, PatternsData& found)
{
    found.flow = patternFlow({});
    if (view) {
        found.flow = patternFlow(flowFacts(*view));
        found.flowOf = "session " + view->header.name;
        return;
    }
    RunQuery newest;
    newest.limit = 1;
    const auto runs = engine.store->runs(newest);
    if (!runs || runs->empty())
        return;
    if (const auto run = engine.store->runWithoutCode(runs->front().id)) {
        found.flow = patternFlow(flowFacts(*run));
        found.flowOf = fmt::format("newest run, {} at {}", runs->front().kernel, runs->front().problem);
    }
}

} // namespace

Result<PatternsData> readPatterns(Engine& engine, const SessionId& session)
{
    KL_ASSIGN(auto patterns, engine.store->patterns());
    KL_ASSIGN(auto history, loadHistory(*engine.store, kShownSessions));
    PatternsData found;
    for (const HistoryRow& row : history.rows)
        if (!row.sample && (found.lastSession != session.text || session.empty())) {
            found.lastSession = row.id;
            found.lastName = row.name;
        }
    for (const Pattern& pattern : patterns) {
        PatternRow row{pattern, {}};
        for (const PatternReturn& gained : history.patterns)
            if (gained.slug == pattern.slug)
                row.gained = gained;
        found.rows.push_back(std::move(row));
        KL_ASSIGN(found.bodies[pattern.slug], patternBody(*engine.store, pattern.slug));
        if (isRetired(*engine.store, pattern.slug))
            found.retired.insert(pattern.slug);
    }
    std::optional<SessionView> view;
    if (!session.empty())
        if (auto current = engine.sessions.view(session))
            view = std::move(*current);
    std::erase_if(patterns, [&](const Pattern& pattern) { return found.retired.contains(pattern.slug); });
    if (const auto library = PatternLibrary::loadEmbedded(); library && view)
        found.suggestions = suggestionsFor(*library, patterns, *view);
    readFlow(engine, view, found);
    found.history = std::move(history);
    return found;
}

QString describeUses(const History& history, const std::string& slug)
{
    constexpr int kMostUses = 6;
    QStringList uses;
    for (auto use = history.applications.rbegin(); use != history.applications.rend() && uses.size() < kMostUses; ++use) {
        if (use->pattern != slug)
            continue;
        QString line = relative(use->at);
        for (const HistoryRow& row : history.rows)
            if (row.id == use->session)
                line = q(row.name);
        const auto how = std::ranges::find_if(
            history.savings, [&](const MeasuredSaving& saving) { return saving.session == use->session && saving.pattern == slug; });
        line +=
            use->measuredMinutes ? usesText(" · measured %1").arg(q(formatMinutes(*use->measuredMinutes))) : usesText(" · not measured");
        if (how != history.savings.end())
            line += QStringLiteral(": ") + q(how->why);
        if (!use->note.empty())
            line += QStringLiteral(" · ") + q(use->note);
        uses << line;
    }
    return uses.isEmpty() ? usesText("Not applied in this database yet") : uses.join(u'\n');
}

} // namespace kl::ui
