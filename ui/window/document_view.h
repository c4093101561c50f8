// SPDX-License-Identifier: MIT
#pragma once

#include <QDialog>

#include <functional>

namespace kl::ui {

/// Shows a report or another text in a window of its own, without a file.
class DocumentView : public QDialog {
    Q_OBJECT
public:
    /// `html`: in the subset that Qt's rich text draws. `save`: what the button "Save…" does; unset: there is no button.
    DocumentView(const QString& title, const QString& html, const std::function<void()>& save, QWidget* parent);
};

} // namespace kl::ui
