// SPDX-License-Identifier: MIT
#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>

namespace kl::ui {

/// What the window keeps between starts, beside widths of tables and the theme: one key of QSettings each.
struct Remembered {
    QString database;      ///< as Store::open takes it; empty at the first start
    QString device;        ///< as parseDeviceSpec() reads it; empty at the first start
    QStringList databases; ///< files opened before, the newest first
    QString page;
    QByteArray geometry;
};

Remembered loadRemembered();

/// The database and device in use. A file becomes the newest of `databases`.
void rememberPlace(const QString& database, const QString& device);
void rememberWindow(const QByteArray& geometry, const QString& page);
/// Drops a database from the list, e.g. one that is no longer there.
void forgetDatabase(const QString& database);

} // namespace kl::ui
