// SPDX-License-Identifier: MIT
#pragma once

#include "ui/window/finder_entries.h"

#include <QFrame>
#include <QPointer>

class QLabel;
class QLineEdit;
class QTreeWidget;

namespace kl::ui {

/// Ctrl+K: finds pages, actions, settings, kernels, sessions, patterns, metrics and profiles by a few letters of their names. Overlays its
/// window; Enter opens the selected entry, Escape or a click elsewhere closes it and restores the focus.
class Finder : public QFrame {
    Q_OBJECT
public:
    /// `fixed`: pages and actions, listed before everything else. `window`: the parent.
    Finder(AppContext& context, std::vector<FinderEntry> fixed, QWidget* window);

    void open();
    void close();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fill(Result<std::vector<FinderEntry>> found);
    void show(const QString& text);
    void take();
    void place();

    AppContext& context_;
    std::vector<FinderEntry> fixed_;
    std::vector<FinderEntry> entries_;
    BackgroundJob reading_;
    QPointer<QWidget> before_; ///< had the focus before
    QLineEdit* text_;
    QTreeWidget* list_;
    QLabel* nothing_;
};

} // namespace kl::ui
