// SPDX-License-Identifier: MIT
#include "ui/widgets/text.h"

#include "core/base/format.h"
#include "core/model/run.h"
#include "ui/widgets/decimal_mark.h"

#include <QCoreApplication>

namespace kl::ui {

QString q(std::string_view text)
{
    return withMark(exact(text));
}

QString spaceProblem(std::string_view problem)
{
    return q(problem).replace(u',', QStringLiteral(", "));
}

QString relative(std::string_view iso)
{
    return q(relativeTime(iso));
}

QString formatMeasuredTime(Source source, std::string_view startedAt)
{
    return source == Source::sample ? QCoreApplication::translate("Times", "recorded %1").arg(absoluteTime(startedAt).left(10))
                                    : relative(startedAt);
}

QString absoluteTime(std::string_view iso)
{
    const QString text = q(iso);
    return text.size() >= 16 && text[10] == u'T' ? text.left(10) + u' ' + text.mid(11, 5) + QStringLiteral(" UTC") : text;
}

} // namespace kl::ui
