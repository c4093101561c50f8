// SPDX-License-Identifier: MIT
#include "ui/pages/home/program_dialog.h"
#include "ui/tour/tour.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme_menu.h"
#include "ui/window/about_box.h"
#include "ui/window/another_window.h"
#include "ui/window/find_bar.h"
#include "ui/window/finder.h"
#include "ui/window/help_window.h"
#include "ui/window/mainwindow.h"
#include "ui/window/place_menu.h"
#include "ui/window/preferences_dialog.h"
#include "ui/window/shortcut_sheet.h"
#include "ui/window/title_line.h"
#include "ui/window/tools/bisect_dialog.h"
#include "ui/window/tools/calibrate_dialog.h"
#include "ui/window/tools/database_tools.h"
#include "ui/window/tools/export_dialog.h"
#include "ui/window/tools/support_tool.h"

#include <QAction>
#include <QApplication>
#include <QLineEdit>
#include <QPushButton>

namespace kl::ui {
namespace {

constexpr QPoint kBesideFirst(32, 32); ///< where another window opens, so that both are seen

/// Opens a dialog that does not keep the window from being used, and deletes it once closed.
void showBeside(QDialog* dialog)
{
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->show();
}

} // namespace

void MainWindow::perform(WindowAction action, const QString& argument)
{
    switch (action) {
    case WindowAction::newSession: return showPage(QStringLiteral("session"), QStringLiteral("new"));
    case WindowAction::newKernel: return pressOn(QStringLiteral("home"), QStringLiteral("newKernelDoor"));
    case WindowAction::newWindow: return openAnother();
    case WindowAction::openReport: return context_.openReports();
    case WindowAction::openDatabase: return title_->place()->chooseDatabase();
    case WindowAction::useOwnDatabase: return startOwn();
    case WindowAction::useSample: return title_->place()->openDatabase(QStringLiteral(":sample:"));
    case WindowAction::preferences: return showBeside(new PreferencesDialog(context_, this));
    case WindowAction::closeWindow: close(); return;
    case WindowAction::quit: QApplication::closeAllWindows(); return;
    case WindowAction::back: return showPlace(trail_.back());
    case WindowAction::forward: return showPlace(trail_.forward());
    case WindowAction::find: return finder_->open();
    case WindowAction::findInPage: return findInPage();
    case WindowAction::findNext: return findBar_->isVisible() ? findBar_->step(1) : findInPage();
    case WindowAction::refresh: return page(current_)->refresh();
    case WindowAction::dismiss: return findBar_->isVisible() ? findBar_->close() : messages_->dismissNewest();
    case WindowAction::lightTheme: return chooseTheme(ThemeChoice::light);
    case WindowAction::darkTheme: return chooseTheme(ThemeChoice::dark);
    case WindowAction::systemTheme: return chooseTheme(ThemeChoice::automatic);
    case WindowAction::runKernel: return pressOn(QStringLiteral("kernels"), QStringLiteral("run"));
    case WindowAction::profileKernel: return pressOn(QStringLiteral("kernels"), QStringLiteral("profile"));
    case WindowAction::profileProgram: return showBeside(new ProgramDialog(context_, this, argument));
    case WindowAction::chooseKernel: return showPage(QStringLiteral("kernels"));
    case WindowAction::compareRuns: return showPage(QStringLiteral("compare"));
    case WindowAction::tune: return showPage(QStringLiteral("search"));
    case WindowAction::bisect: return showBeside(new BisectDialog(context_, this));
    case WindowAction::calibrate: return showBeside(new CalibrateDialog(context_, this, argument));
    case WindowAction::exportRuns: return showBeside(new ExportDialog(context_, this));
    case WindowAction::importRuns: return context_.openReports();
    case WindowAction::checkDatabase: return database_->check();
    case WindowAction::backUpDatabase: return database_->backUp();
    case WindowAction::checkMachine: return showPage(QStringLiteral("environment"));
    case WindowAction::help: return showHelp(QStringLiteral("start"));
    case WindowAction::questions: return showHelp(QStringLiteral("faq"));
    case WindowAction::shortcuts: return showBeside(new ShortcutSheet(*commands_, this));
    case WindowAction::quickReference: return showHelp(QStringLiteral("quick-reference"));
    case WindowAction::tour: return takeTour();
    case WindowAction::supportBundle: return support_->save();
    case WindowAction::about: return showBeside(new AboutBox(context_, this));
    }
}

/// On the same database and device, which its own menu changes.
void MainWindow::openAnother()
{
    const Result<MainWindow*> opened = openAnotherWindow(utf8(context_.location()), context_.device(), context_.stepWriter());
    if (!opened)
        return context_.post(opened.error(), tr("Could not open another window"));
    (*opened)->resize(size());
    (*opened)->move(pos() + kBesideFirst);
    (*opened)->showPage(current_);
}

void MainWindow::showPlace(const std::optional<PagePlace>& place)
{
    if (place)
        showPage(place->page, place->argument);
}

void MainWindow::findInPage()
{
    if (QLineEdit* field = page(current_)->filterField()) {
        field->setFocus(Qt::ShortcutFocusReason);
        field->selectAll();
        return;
    }
    findBar_->open(page(current_));
}

/// Shows the page first, so that what is measured, and where, or why it cannot be, can be seen.
void MainWindow::pressOn(const QString& id, const QString& name)
{
    showPage(id);
    if (auto* button = page(id)->findChild<QPushButton*>(name); button && button->isEnabled())
        button->click();
}

void MainWindow::showHelp(const QString& page)
{
    auto* shown = findChild<HelpWindow*>();
    if (!shown) {
        shown = new HelpWindow(context_, this);
        showBeside(shown);
    }
    shown->showPage(page);
    shown->raise();
    shown->activateWindow();
}

void MainWindow::takeTour()
{
    if (context_.isSample())
        return tour_->start();
    const Result<MainWindow*> opened = openAnotherWindow(":sample:", DeviceSpec::sample(), context_.stepWriter());
    if (!opened)
        return context_.post(opened.error(), tr("Could not open the sample"));
    (*opened)->resize(size());
    (*opened)->move(pos() + kBesideFirst);
    (*opened)->perform(WindowAction::tour);
}

void MainWindow::showTour()
{
    QAction* action = commands_->of(WindowAction::tour);
    action->setText(Tour::isBegun() ? tr("Resume the &tour") : tr("Take the &tour"));
    tourLink_->setText(withoutMnemonic(action->text()));
}

void MainWindow::addToCompare(const QStringList& ids)
{
    for (const QString& id : ids)
        page(QStringLiteral("compare"))->open(QStringLiteral("run:") + id);
    filled_.erase(QStringLiteral("compare")); // its next visit shows them
    Message message{MessageLevel::success, tr("Added to Compare"), {}, {}};
    message.buttons = {{tr("Show comparison"), [this] { showPage(QStringLiteral("compare")); }}};
    context_.post(message);
}

} // namespace kl::ui
