// SPDX-License-Identifier: MIT
#include "ui/pages/diagnose/fix_rows.h"

#include "core/base/format.h"
#include "ui/widgets/text.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace kl::ui {
namespace {

constexpr std::size_t kMostReady = 2; ///< links shown for a change with many points, e.g. the values of a tunable

QString fixWords(const char* text)
{
    return QCoreApplication::translate("FixRows", text);
}

QString casesText(int cases)
{
    return cases == 0 ? fixWords("no similar cases") : cases == 1 ? fixWords("1 similar case") : fixWords("%1 similar cases").arg(cases);
}

QString describeBasis(const FixChance& chance)
{
    return fixWords("expected speedup %1, %2, %3")
        .arg(q(formatRatio(std::exp(chance.gain))), q(fixChanceText(chance.chance, true)), casesText(chance.cases));
}

FixRow makeRow(const Fix& fix, const Recommendation* change)
{
    const QString basis = change ? describeBasis(change->chance) : q(fixChanceText(fix.confidence, !fix.kind.empty()));
    FixRow row{q(fix.title), basis, q(fix.why), {}, fix.kind.empty() ? fix.id : fix.kind, fix.next};
    if (!fix.variant.empty())
        row.ready << q(fix.variant);
    return row;
}

FixRow makeRow(const Recommendation& change)
{
    FixRow row{q(change.title), describeBasis(change.chance), {}, {}, change.chance.kind};
    for (std::size_t i = 0; i < std::min(kMostReady, change.ready.size()); ++i)
        row.ready << q(change.ready[i]);
    return row;
}

} // namespace

std::vector<FixRow> fixRows(const Finding& finding, const std::optional<Advice>& advice)
{
    std::vector<FixRow> rows;
    const auto known = [&](const std::string& kind) {
        return !kind.empty() && advice &&
               std::ranges::find(advice->changes, kind, [](const Recommendation& r) { return r.chance.kind; }) != advice->changes.end();
    };
    if (advice && !advice->changes.empty()) {
        const Recommendation& named = advice->changes[advice->best];
        if (std::ranges::find(finding.fixes, named.chance.kind, &Fix::kind) == finding.fixes.end())
            rows.push_back(makeRow(named));
        for (const Recommendation& change : advice->changes)
            for (const Fix& fix : finding.fixes)
                if (fix.kind == change.chance.kind)
                    rows.push_back(makeRow(fix, &change));
    }
    for (const Fix& fix : finding.fixes)
        if (!known(fix.kind))
            rows.push_back(makeRow(fix, nullptr));
    return rows;
}

} // namespace kl::ui
