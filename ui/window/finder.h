// SPDX-License-Identifier: MIT
#pragma once

#include "ui/window/finder_entries.h"

#include <QFrame>
#include <QPointer>

class QLabel;
class QLineEdit;
class QTreeWidget;

namespace kl {

/// Ctrl+K: pages, kernels, sessions, patterns and profiles by a few letters of their names. Lies over its window; Enter opens what is
/// chosen, Escape and a click elsewhere close it and give the focus back.
class Finder : public QFrame {
    Q_OBJECT
public:
    /// `pages`: what stands before everything else. `window`: its parent.
    Finder(AppContext& context, std::vector<FinderEntry> pages, QWidget* window);

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
    std::vector<FinderEntry> pages_;
    std::vector<FinderEntry> entries_;
    BackgroundJob reading_;
    QPointer<QWidget> before_; ///< had the focus
    QLineEdit* text_;
    QTreeWidget* list_;
    QLabel* nothing_;
};

} // namespace kl
