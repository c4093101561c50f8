// SPDX-License-Identifier: MIT
#include "ui/widgets/file_choice.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QSettings>
#include <QStandardPaths>

namespace kl::ui {
namespace {

QString folderKey(const QString& purpose)
{
    return QStringLiteral("folders/") + purpose;
}

void keepFolder(const QString& path, const QString& purpose)
{
    if (!path.isEmpty())
        QSettings().setValue(folderKey(purpose), QFileInfo(path).absolutePath());
}

} // namespace

QString lastFolder(const QString& purpose)
{
    const QString kept = QSettings().value(folderKey(purpose)).toString();
    if (!kept.isEmpty() && QDir(kept).exists())
        return kept;
    const QString documents = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
    return QDir(documents).exists() ? documents : QDir::homePath();
}

QStringList chooseFiles(QWidget* parent, const QString& title, const QString& filter, const QString& purpose)
{
    const QStringList paths = QFileDialog::getOpenFileNames(parent, title, lastFolder(purpose), filter);
    keepFolder(paths.value(0), purpose);
    return paths;
}

QString chooseFile(QWidget* parent, const QString& title, const QString& filter, const QString& purpose)
{
    const QString path = QFileDialog::getOpenFileName(parent, title, lastFolder(purpose), filter);
    keepFolder(path, purpose);
    return path;
}

QString chooseNewFile(QWidget* parent, const QString& title, const QString& name, const QString& filter, const QString& purpose,
                      QString* chosen)
{
    const QString path = QFileDialog::getSaveFileName(parent, title, QDir(lastFolder(purpose)).filePath(name), filter, chosen);
    keepFolder(path, purpose);
    return path;
}

QString chooseFolder(QWidget* parent, const QString& title, const QString& purpose)
{
    const QString path = QFileDialog::getExistingDirectory(parent, title, lastFolder(purpose));
    if (!path.isEmpty())
        QSettings().setValue(folderKey(purpose), path);
    return path;
}

} // namespace kl::ui
