// SPDX-License-Identifier: MIT
#pragma once

#include <QApplication>
#include <QDir>
#include <QFileDialog>
#include <QLineEdit>
#include <QTimer>

namespace kl::ui {

/// Answers the next file dialog with a path, or cancels it with an empty one, and keeps what the dialog proposed.
class FileAnswer {
public:
    explicit FileAnswer(const QString& path)
    {
        QObject::connect(&looking_, &QTimer::timeout, &looking_, [this, path] {
            auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
            if (!dialog)
                return;
            looking_.stop();
            auto* name = dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
            seen_ = true;
            folder_ = dialog->directory().absolutePath();
            name_ = name->text();
            filters_ = dialog->nameFilters();
            if (path.isEmpty())
                return dialog->reject();
            name->setText(path);
            static_cast<QDialog*>(dialog)->accept();
        });
        looking_.start(5);
    }

    bool seen() const { return seen_; }
    const QString& folder() const { return folder_; }
    const QString& name() const { return name_; }
    const QStringList& filters() const { return filters_; }

private:
    QTimer looking_;
    bool seen_ = false;
    QString folder_;
    QString name_;
    QStringList filters_;
};

} // namespace kl::ui
