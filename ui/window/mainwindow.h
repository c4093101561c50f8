// SPDX-License-Identifier: MIT
#pragma once

#include "ui/pages/page.h"
#include "ui/window/page_trail.h"
#include "ui/window/window_actions.h"

#include <QMainWindow>

#include <map>
#include <memory>
#include <optional>
#include <vector>

class QHBoxLayout;
class QLabel;
class QPushButton;
class QStackedWidget;
class QToolButton;

namespace kl::ui {

class DatabaseTools;
class FindBar;
class Finder;
class MessageBar;
class SupportTool;
class TasksTray;
class TitleLine;
class Tour;

/// The main window: title line with the menus, navigation rail, sample banner, page header, the page with messages over it, task tray.
class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    explicit MainWindow(AppContext& context, QWidget* parent = nullptr);

    /// An unknown page is ignored. Pages are created on first use. Of the page kToolPage, the argument names an action, which is performed,
    /// and after a colon what the action begins with.
    void showPage(const QString& id, const QString& argument = {});
    /// What a page was filled from: as long as it is the same, coming back to the page reads nothing again.
    struct FilledFrom {
        std::int64_t version = 0; ///< of the database
        std::shared_ptr<const Engine> engine;
        std::shared_ptr<const std::vector<RunRecord>> opened;
        SessionId session;
        std::vector<RunId> pinned;
        qint64 age = 0; ///< texts say how long ago something was: minutes where that is less than an hour, else hours

        bool operator==(const FilledFrom&) const = default;
    };
    QString currentPage() const { return current_; }
    /// Created if needed; null for an unknown id.
    Page* page(const QString& id);
    bool wasShown(const QString& id) const { return filled_.contains(id); }
    /// Reads what the page shows, unless that was read and nothing changed since.
    void fillPage(const QString& id);
    /// Gives a page that is not shown the size and layout that it will be shown with.
    void layOutPage(const QString& id);
    const std::vector<PageEntry>& entries() const { return entries_; }
    MessageBar* messages() const { return messages_; }
    WindowActions& commands() const { return *commands_; }
    TitleLine* titleLine() const { return title_; }

    /// Size, place and page of the last time, or as much of the screen as it has; from now on they are remembered when it closes.
    void restore();
    /// What an action of the table does. `argument`: what its form begins with, the kernel of calibrate or the program of profileProgram.
    void perform(WindowAction action, const QString& argument = {});

protected:
    /// Files dropped anywhere on the window are opened as reports.
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool focusNextPrevChild(bool next) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QWidget* makeRail();
    QWidget* makeBanner();
    QWidget* makeHeader();
    void makeFinder();
    void connectContext();
    void showTitle();
    void showReasons();
    void showHeader(Page* page);
    FilledFrom fillSource() const;
    /// Elided where the actions leave too little room.
    void showPageTitle();
    void showPlace(const std::optional<PagePlace>& place);
    void startOwn();
    void openAnother();
    void addToCompare(const QStringList& ids);
    void findInPage();
    void pressOn(const QString& id, const QString& name);
    void showHelp(const QString& page);
    /// Begun or resumed, on the sample: another database gets a second window.
    void takeTour();
    void showTour();
    void redrawIcons();

    AppContext& context_;
    std::vector<PageEntry> entries_;
    std::map<QString, Page*> pages_;
    std::map<QString, FilledFrom> filled_; ///< by page
    std::map<QString, QToolButton*> rail_;
    PageTrail trail_;
    QString current_;
    bool remembers_ = false;
    WindowActions* commands_ = nullptr;
    TitleLine* title_ = nullptr;
    Finder* finder_ = nullptr;
    FindBar* findBar_ = nullptr;
    QLabel* pageTitle_ = nullptr;
    QWidget* actions_ = nullptr;
    QHBoxLayout* actionRow_ = nullptr;
    QWidget* banner_ = nullptr;
    QStackedWidget* stack_ = nullptr;
    MessageBar* messages_ = nullptr;
    TasksTray* tray_ = nullptr;
    DatabaseTools* database_ = nullptr;
    SupportTool* support_ = nullptr;
    Tour* tour_ = nullptr;
    QPushButton* tourLink_ = nullptr;
};

} // namespace kl::ui
