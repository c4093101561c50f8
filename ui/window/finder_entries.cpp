// SPDX-License-Identifier: MIT
#include "ui/window/finder_entries.h"

#include "core/base/try.h"
#include "core/device/metric_catalog.h"
#include "ui/widgets/text.h"

#include <QCoreApplication>

#include <algorithm>

namespace kl::ui {
namespace {

QString translateWords(const char* text)
{
    return QCoreApplication::translate("Finder", text);
}

constexpr int kMostProfiles = 1000;
constexpr int kMostSessionEntries = 1000; ///< the newest

QString describeRun(const RunSummary& run)
{
    QStringList parts{q(run.kernel), q(run.problem)};
    if (!run.classId.empty())
        parts << q(run.classId);
    return (parts << formatMeasuredTime(run.source, run.startedAt)).join(QStringLiteral(" · "));
}

} // namespace

Result<std::vector<FinderEntry>> finderEntries(const Engine& engine)
{
    KL_ASSIGN(const std::vector<SessionHeader> sessions, engine.store->sessions(SessionQuery{.brief = true, .limit = kMostSessionEntries}));
    KL_ASSIGN(const std::vector<Pattern> patterns, engine.store->patterns());
    RunQuery query;
    query.profilesOnly = true;
    query.limit = kMostProfiles;
    KL_ASSIGN(const std::vector<RunSummary> profiles, engine.store->runs(query));

    std::vector<FinderEntry> entries;
    for (const SessionHeader& session : sessions)
        entries.push_back({QStringLiteral("%1 · %2").arg(q(session.name), q(session.objective)), translateWords("session"),
                           QStringLiteral("session"), q(session.id.text)});
    for (const Address& address : engine.catalog->addresses())
        entries.push_back({q(toText(address)), translateWords("kernel"), QStringLiteral("kernels"), q(toText(address))});
    for (const Pattern& pattern : patterns)
        entries.push_back({q(pattern.title), translateWords("pattern"), QStringLiteral("patterns"), q(pattern.slug)});
    for (const RunSummary& run : profiles)
        entries.push_back({describeRun(run), translateWords("profile"), QStringLiteral("diagnose"), q(run.id.text)});
    for (const MetricInfo& metric : metricCatalog())
        entries.push_back({QStringLiteral("%1 · %2").arg(q(metric.title), q(metric.name)), translateWords("metric"),
                           QStringLiteral("diagnose"), QStringLiteral("metric:") + q(metric.name), q(metric.help)});
    return entries;
}

std::vector<std::size_t> findEntries(const std::vector<FinderEntry>& entries, const QString& text, std::size_t most)
{
    const QStringList words = text.split(u' ', Qt::SkipEmptyParts);
    const auto has = [&](const FinderEntry& entry) {
        return std::all_of(words.begin(), words.end(), [&](const QString& word) {
            return entry.words.contains(word, Qt::CaseInsensitive) || entry.kind.startsWith(word, Qt::CaseInsensitive) ||
                   entry.more.contains(word, Qt::CaseInsensitive);
        });
    };
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < entries.size(); ++i)
        if (has(entries[i]))
            found.push_back(i);
    std::stable_partition(found.begin(), found.end(),
                          [&](std::size_t i) { return entries[i].words.startsWith(text.trimmed(), Qt::CaseInsensitive); });
    found.resize(std::min(most, found.size()));
    return found;
}

} // namespace kl::ui
