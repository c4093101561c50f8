// SPDX-License-Identifier: MIT
#include "ui/context/baselines.h"

#include "ui/widgets/text.h"

#include <QSettings>

namespace kl::ui {
namespace {

constexpr int kFirstColor = 4; ///< of the series; kernels take them from the first on

QString makeKey(const QString& database)
{
    return QStringLiteral("baselines/") + q(contentHash(utf8(database)));
}

} // namespace

Baselines& Baselines::instance()
{
    static Baselines baselines;
    return baselines;
}

std::vector<RunId> Baselines::of(const QString& database) const
{
    std::vector<RunId> ids;
    for (const QString& id : QSettings().value(makeKey(database)).toStringList())
        ids.push_back({utf8(id)});
    return ids;
}

bool Baselines::isPinned(const QString& database, const RunId& id) const
{
    return QSettings().value(makeKey(database)).toStringList().contains(q(id.text));
}

void Baselines::pin(const QString& database, const RunId& id, bool on)
{
    QSettings settings;
    QStringList ids = settings.value(makeKey(database)).toStringList();
    if (ids.contains(q(id.text)) == on)
        return;
    if (on)
        ids << q(id.text);
    else
        ids.removeAll(q(id.text));
    settings.setValue(makeKey(database), ids.mid(std::max<qsizetype>(0, ids.size() - kMost)));
    emit changed();
}

Token Baselines::colorAt(int place)
{
    return seriesToken(kFirstColor + place);
}

} // namespace kl::ui
