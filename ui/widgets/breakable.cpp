// SPDX-License-Identifier: MIT
#include "ui/widgets/breakable.h"

#include <QRegularExpression>

namespace kl {
namespace {

constexpr QChar kBreak(0x200b); // zero width space

} // namespace

QString breakable(QString text)
{
    static const QRegularExpression joint(QStringLiteral("([_/:=,.])(?=[^\\s_])"));
    return text.replace(joint, QStringLiteral("\\1") + kBreak);
}

QString unbroken(QString text)
{
    return text.remove(kBreak);
}

} // namespace kl
