// SPDX-License-Identifier: MIT
#include "ui/pages/diagnose/profile_choices.h"

#include "core/base/format.h"
#include "ui/widgets/text.h"

#include <QCoreApplication>
#include <QStringList>

#include <map>

namespace kl {
namespace {

QString choiceWords(const char* text)
{
    return QCoreApplication::translate("ProfileChoices", text);
}

QString describeProfile(const RunSummary& profile)
{
    QStringList parts{q(profile.kernel)};
    for (const std::string& part : {profile.problem, profile.classId})
        if (!part.empty())
            parts << q(part);
    parts << (profile.gpuNs ? q(formatTime(*profile.gpuNs)) : choiceWords("not timed"));
    return parts.join(QStringLiteral(" · "));
}

/// Adds `more(profile)` to names that occur more than once.
template <class More> void tellApart(std::vector<std::pair<QString, QString>>& choices, const std::vector<RunSummary>& profiles, More more)
{
    std::map<QString, int> times;
    for (const auto& choice : choices)
        ++times[choice.first];
    for (std::size_t i = 0; i < choices.size(); ++i)
        if (times[choices[i].first] > 1)
            choices[i].first += QStringLiteral(" · ") + more(profiles[i]);
}

} // namespace

std::vector<std::pair<QString, QString>> profileChoices(const std::vector<RunSummary>& profiles)
{
    std::vector<std::pair<QString, QString>> choices;
    for (const RunSummary& profile : profiles)
        choices.emplace_back(describeProfile(profile), q(profile.id.text));
    tellApart(choices, profiles, [](const RunSummary& profile) { return absoluteTime(profile.startedAt); });
    tellApart(choices, profiles, [](const RunSummary& profile) { return q(profile.id.text).left(8); });
    return choices;
}

} // namespace kl
