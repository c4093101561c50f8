// SPDX-License-Identifier: MIT
#include "ui/context/remembered.h"

#include <QSettings>

namespace kl::ui {
namespace {

constexpr qsizetype kMostDatabases = 8;

const QString kDatabase = QStringLiteral("window/database");
const QString kDevice = QStringLiteral("window/device");
const QString kDatabases = QStringLiteral("window/databases");
const QString kPage = QStringLiteral("window/page");
const QString kGeometry = QStringLiteral("window/geometry");

} // namespace

Remembered loadRemembered()
{
    const QSettings settings;
    return {settings.value(kDatabase).toString(), settings.value(kDevice).toString(), settings.value(kDatabases).toStringList(),
            settings.value(kPage).toString(), settings.value(kGeometry).toByteArray()};
}

void rememberPlace(const QString& database, const QString& device)
{
    QSettings settings;
    settings.setValue(kDatabase, database);
    settings.setValue(kDevice, device);
    if (database.startsWith(u':'))
        return;
    QStringList databases = settings.value(kDatabases).toStringList();
    databases.removeAll(database);
    databases.prepend(database);
    settings.setValue(kDatabases, databases.mid(0, kMostDatabases));
}

void rememberWindow(const QByteArray& geometry, const QString& page)
{
    QSettings settings;
    settings.setValue(kGeometry, geometry);
    settings.setValue(kPage, page);
}

void forgetDatabase(const QString& database)
{
    QSettings settings;
    QStringList databases = settings.value(kDatabases).toStringList();
    databases.removeAll(database);
    settings.setValue(kDatabases, databases);
    if (settings.value(kDatabase).toString() == database)
        settings.remove(kDatabase);
}

} // namespace kl::ui
