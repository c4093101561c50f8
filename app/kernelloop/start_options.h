// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "profiler/device/device_spec.h"
#include "ui/style/theme.h"

#include <QString>
#include <QStringList>

#include <optional>

class QCommandLineParser;

namespace kl::ui {

/// What the program was asked for.
struct StartOptions {
    QString database; ///< as Store::open takes it; empty: the last one used; at the first start, the sample
    std::optional<DeviceSpec> device;
    std::optional<ThemeChoice> theme;
    QString page;
    QStringList files; ///< reports and bundles to open
    QString shots;     ///< folder of --shots; empty without it
    bool readme = false;
    bool live = false;
    bool tour = false;
    bool target = false;
    QString program; ///< that `live` and `target` profile; empty: none
    QString edit;    ///< file with the text of the edit that `target` makes
    QString drive;   ///< folder of --drive; empty without it
    bool startTime = false;
    bool pageTimes = false;
    bool scrollTimes = false;

    /// Whether it ends by itself: such a start neither reads nor changes what the window remembers.
    bool draws() const { return !shots.isEmpty() || !drive.isEmpty() || startTime || pageTimes || scrollTimes; }
};

void addStartOptions(QCommandLineParser& parser);

/// Error usage for a page, theme, device or set of pictures that does not exist, naming those that do. A database among the files is the
/// database.
Result<StartOptions> readStartOptions(const QCommandLineParser& parser);

/// Whether the file is a SQLite database, by its first bytes.
bool isDatabaseFile(const QString& path);

} // namespace kl::ui
