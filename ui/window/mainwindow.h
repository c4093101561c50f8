// SPDX-License-Identifier: MIT
#pragma once

#include "ui/pages/page.h"

#include <QMainWindow>

#include <map>

class QHBoxLayout;
class QLabel;
class QStackedWidget;
class QToolButton;

namespace kl {

class MessageBar;
class ReportOpener;
class TasksTray;

/// The main window: title line, navigation rail, sample banner, page header, message bar, the page, task tray.
class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    explicit MainWindow(AppContext& context, QWidget* parent = nullptr);

    /// An unknown page is ignored. Pages are created on first use.
    void showPage(const QString& id, const QString& argument = {});
    QString currentPage() const { return current_; }
    /// Created if needed; null for an unknown id.
    Page* page(const QString& id);
    const std::vector<PageEntry>& entries() const { return entries_; }
    MessageBar* messages() const { return messages_; }

protected:
    /// Files dropped anywhere on the window are opened as reports.
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    QWidget* makeTitleLine();
    QWidget* makeRail();
    QWidget* makeBanner();
    QWidget* makeHeader();
    void makeFinder();
    void showTitle();
    void showHeader(Page* page);
    void startOwn();
    void redrawIcons();

    AppContext& context_;
    std::vector<PageEntry> entries_;
    std::map<QString, Page*> pages_;
    std::map<QString, QToolButton*> rail_;
    QString current_;
    QToolButton* find_ = nullptr;
    QLabel* titleText_ = nullptr;
    QLabel* logo_ = nullptr;
    QLabel* pageTitle_ = nullptr;
    QWidget* actions_ = nullptr;
    QHBoxLayout* actionRow_ = nullptr;
    QWidget* banner_ = nullptr;
    QStackedWidget* stack_ = nullptr;
    MessageBar* messages_ = nullptr;
    TasksTray* tray_ = nullptr;
};

} // namespace kl
