// SPDX-License-Identifier: MIT
#pragma once

#include <QString>

#include <string>
#include <string_view>

namespace kl {
enum class Source;
}

namespace kl::ui {

/// UTF-8 of the layers below as the window shows it: its figures have the decimal mark of the user's locale.
QString q(std::string_view text);
/// UTF-8 of the layers below as it is: commands, source code, and what is edited and stored again.
inline QString exact(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}
/// The way back.
inline std::string utf8(const QString& text)
{
    return text.toStdString();
}

/// A name for a button or a menu, where a single & underlines the next character.
inline QString escapeMnemonics(QString name)
{
    return name.replace(u'&', QStringLiteral("&&"));
}

/// A problem ("B=1,D=64") with room to wrap after each comma.
QString spaceProblem(std::string_view problem);
/// "3 min ago"; the absolute time belongs in the tooltip (see absoluteTime).
QString relative(std::string_view iso);
/// When a run was measured: "3 min ago", or "recorded 2026-11-21" of what a recording answered.
QString formatMeasuredTime(Source source, std::string_view startedAt);
/// "2025-11-21 01:45 UTC".
QString absoluteTime(std::string_view iso);

} // namespace kl::ui
