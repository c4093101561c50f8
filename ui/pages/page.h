// SPDX-License-Identifier: MIT
#pragma once

#include "ui/context/app_context.h"

#include <QWidget>

#include <functional>
#include <vector>

class QLineEdit;
class QScrollArea;

namespace kl::ui {

/// One page of the window. The window draws its title and puts its actions to the right of it, the primary one last.
class Page : public QWidget {
    Q_OBJECT
public:
    Page(AppContext& context, const QString& title, QWidget* parent = nullptr) : QWidget(parent), context_(context), title_(title) {}

    /// Reads its data again. Called before the page is shown, and when data changes while it is. Must return immediately: read in
    /// a BackgroundJob (AppContext::read).
    virtual void refresh() = 0;
    /// Shows one thing: a session's id, a run's id, a kernel's address, a pattern's slug. Called before refresh().
    virtual void open(const QString& argument) { Q_UNUSED(argument); }
    /// The field that filters the page's main list, for Ctrl+F; null if it has none now.
    virtual QLineEdit* filterField() const { return nullptr; }

    const QString& title() const { return title_; }
    const std::vector<QWidget*>& actions() const { return actions_; }
    bool offers(const QWidget* action) const { return !action->property(kWithheld).toBool(); }

signals:
    void titleChanged();

protected:
    AppContext& context() const { return context_; }
    void setTitle(const QString& title)
    {
        title_ = title;
        emit titleChanged();
    }
    /// Buttons for the header; call in the constructor.
    void addAction(QWidget* widget) { actions_.push_back(widget); }
    /// Whether an action of the header is shown while the page is.
    void offerAction(QWidget* action, bool offered)
    {
        action->setProperty(kWithheld, !offered);
        action->setVisible(offered && isVisible());
    }

private:
    static constexpr const char* kWithheld = "withheld";

    AppContext& context_;
    QString title_;
    std::vector<QWidget*> actions_;
};

/// A page's entry in the navigation rail; the first has Ctrl+1.
struct PageEntry {
    QString id;   ///< for AppContext::navigate and --page
    QString word; ///< in the rail
    QString icon; ///< of resources/icons
    std::function<Page*(AppContext&, QWidget* parent)> make;
};

/// All pages, in the rail's order (page_factory.cpp).
std::vector<PageEntry> pageEntries();

/// Fills `page`, a page or a part of one, with a body that scrolls down when the window is small, with the page's margins. The layout is
/// still empty: widgets that moved into the body (the area's widget) later would be styled once more.
QScrollArea* makeScrollingBody(QWidget* page, class QLayout* content);

} // namespace kl::ui
