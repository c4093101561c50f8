// SPDX-License-Identifier: MIT
#pragma once

#include "ui/context/app_context.h"

#include <QToolButton>

class QMenu;

namespace kl::ui {

/// The button in the title line that says which device is measured on and which database is open, with a menu to change both: each GPU of
/// this machine, hosts, the recorded sample, databases opened before.
class PlaceMenu : public QToolButton {
    Q_OBJECT
public:
    PlaceMenu(AppContext& context, QWidget* parent);

    /// Opens a database and remembers it; if that fails, a message says why and the current one stays open.
    void openDatabase(const QString& location);
    /// Asks for a file.
    void chooseDatabase();
    QString describe() const; ///< "H200 (live) · attention.db"

private:
    void fill();
    void addHosts();
    void fillGpus(const std::vector<DeviceInfo>& gpus);
    void addDevice(const QString& text, const DeviceSpec& device);
    void addDatabase(const QString& text, const QString& location);
    void showPlace();
    void showDamage(const Error& error);

    AppContext& context_;
    QMenu* menu_;
    QAction* searching_ = nullptr; ///< in the place where the GPUs will be
};

/// The database's name for people: "sample", the user's "my database", else the file's name.
QString databaseName(const QString& location);

} // namespace kl::ui
