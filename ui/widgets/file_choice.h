// SPDX-License-Identifier: MIT
#pragma once

#include <QString>
#include <QStringList>

class QWidget;

namespace kl::ui {

/// File dialogs that begin in the folder in which a file for the same purpose was last chosen, at first in the user's documents. `purpose`
/// is the key that the folder is remembered under: "reports". Empty when the user chose nothing.
QStringList chooseFiles(QWidget* parent, const QString& title, const QString& filter, const QString& purpose);
QString chooseFile(QWidget* parent, const QString& title, const QString& filter, const QString& purpose);
/// A file to write, named `name` at first. `chosen`: the filter that the user left selected.
QString chooseNewFile(QWidget* parent, const QString& title, const QString& name, const QString& filter, const QString& purpose,
                      QString* chosen = nullptr);
QString chooseFolder(QWidget* parent, const QString& title, const QString& purpose);

/// Where the dialogs for that purpose begin.
QString lastFolder(const QString& purpose);

} // namespace kl::ui
