// SPDX-License-Identifier: MIT
#include "app/kernelloop/surroundings.h"

#include <QCoreApplication>
#include <QDir>
#include <QFont>
#include <QFontDatabase>
#include <algorithm>

namespace kl::ui {
namespace {

bool anyStartsWith(int argc, const char* const* argv, std::initializer_list<const char*> options)
{
    for (int i = 1; i < argc; ++i)
        for (const char* option : options)
            if (QByteArray(argv[i]).startsWith(option))
                return true;
    return false;
}

/// Qt takes its own option only as a word of its own, before its value.
bool namesPlatform(int argc, const char* const* argv)
{
    return std::any_of(argv + 1, argv + argc, [](const QByteArray& word) { return word == "-platform" || word == "--platform"; });
}

/// Substitutes `family` for a system font that the platform does not have.
void standIn(QFontDatabase::SystemFont role, const QString& family)
{
    QFont::insertSubstitution(QFontDatabase::systemFont(role).family(), family);
}

} // namespace

Status choosePlatform(int argc, const char* const* argv)
{
    if (!qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM") || !qEnvironmentVariableIsEmpty("DISPLAY") ||
        !qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY") || namesPlatform(argc, argv))
        return {};
    if (!anyStartsWith(
            argc, argv,
            {"--shots", "--drive", "--start-time", "--page-times", "--scroll-times", "--print-pdf", "--help", "--version", "-h", "-v"}))
        return Error{.code = ErrorCode::environment,
                     .message = "There is no display to open a window on (neither DISPLAY nor WAYLAND_DISPLAY is set).",
                     .hint = "Start it on a desktop or through ssh -X. kloop does the same on the command line, and "
                             "kernelloop --drive FOLDER saves a report and screenshots of every page."};
    qputenv("QT_QPA_PLATFORM", "offscreen");
    return {};
}

void useOwnFontsWhereNone()
{
    const QStringList families = QFontDatabase::families();
    const QStringList aliases{QStringLiteral("Monospace"), QStringLiteral("Sans Serif"), QStringLiteral("Serif")}; // Qt's, without a font
    if (!std::all_of(families.begin(), families.end(), [&](const QString& family) { return aliases.contains(family); }))
        return;
    const QDir fonts(QCoreApplication::applicationDirPath() + QStringLiteral("/../share/fonts"));
    const QStringList files = fonts.entryList({QStringLiteral("*.ttf")});
    for (const QString& file : files)
        QFontDatabase::addApplicationFont(fonts.filePath(file));
    standIn(QFontDatabase::GeneralFont, QStringLiteral("DejaVu Sans"));
    standIn(QFontDatabase::FixedFont, QStringLiteral("DejaVu Sans Mono"));
}

} // namespace kl::ui
