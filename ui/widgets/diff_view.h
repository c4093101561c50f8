// SPDX-License-Identifier: MIT
#pragma once

#include <QPlainTextEdit>

namespace kl {

/// A unified difference: added lines, removed lines and the places between in the theme's colors. Read-only; can be selected and copied.
class DiffView : public QPlainTextEdit {
    Q_OBJECT
public:
    explicit DiffView(QWidget* parent = nullptr);

    /// As high as its lines need, within bounds. Empty hides it.
    void setDiff(const QString& unified);
};

} // namespace kl
