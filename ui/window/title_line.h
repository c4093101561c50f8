// SPDX-License-Identifier: MIT
#pragma once

#include <QFrame>

class QLabel;
class QMenuBar;
class QToolButton;

namespace kl::ui {

class AppContext;
class PlaceMenu;

/// The top of the window, one line: menus, the current session, device and database, find, theme.
class TitleLine : public QFrame {
    Q_OBJECT
public:
    TitleLine(AppContext& context, QWidget* parent);

    QMenuBar* menus() const { return menus_; }
    PlaceMenu* place() const { return place_; }
    /// "N+6 · transpose · H200 (live) · my database", for the window's title.
    QString describe() const;

signals:
    void findRequested();

private:
    void showSession();
    void redrawIcons();

    AppContext& context_;
    QLabel* logo_;
    QMenuBar* menus_;
    QLabel* session_;
    PlaceMenu* place_;
    QToolButton* find_;
};

} // namespace kl::ui
