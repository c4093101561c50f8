// SPDX-License-Identifier: MIT
#pragma once

#include <QPlainTextEdit>

namespace kl::ui {

/// A unified diff with added lines, removed lines and hunk headers in the theme's colors. Read-only; can be selected and copied.
class DiffView : public QPlainTextEdit {
    Q_OBJECT
public:
    explicit DiffView(QWidget* parent = nullptr);

    /// Resizes to its lines, within bounds. Hidden when empty.
    void setDiff(const QString& unified);
};

} // namespace kl::ui
