// SPDX-License-Identifier: MIT
#include "ui/pages/compare/run_names.h"

#include "ui/import/opened_runs.h"
#include "ui/widgets/text.h"

namespace kl::ui {

QString basketLetter(std::size_t place)
{
    constexpr std::size_t kLetters = 26;
    return place < kLetters ? QString(QChar(static_cast<char16_t>(u'A' + place))) : QString::number(place + 1);
}

QStringList runNames(const std::vector<const RunRecord*>& runs)
{
    QStringList names;
    for (const RunRecord* run : runs)
        names << q(displayKernel(*run));
    if (QStringList(names).removeDuplicates() == 0)
        return names;
    for (qsizetype i = 0; i < names.size(); ++i)
        names[i] = QStringLiteral("%1 %2").arg(basketLetter(static_cast<std::size_t>(i)), names[i]);
    return names;
}

} // namespace kl::ui
