// SPDX-License-Identifier: MIT
#include "ui/window/mainwindow.h"

#include "ui/import/report_opener.h"
#include "ui/jobs/job.h"
#include "ui/style/theme.h"
#include "ui/widgets/consent_card.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/reasoned_button.h"
#include "ui/widgets/tasks_tray.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme_menu.h"
#include "ui/widgets/wheel_guard.h"
#include "ui/window/finder.h"

#include <QAction>
#include <QApplication>
#include <QDropEvent>
#include <QLabel>
#include <QMimeData>
#include <QPushButton>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

namespace kl {

MainWindow::MainWindow(AppContext& context, QWidget* parent) : QMainWindow(parent), context_(context), entries_(pageEntries())
{
    resize(1280, 800);
    setMinimumSize(960, 600);
    qApp->installEventFilter(new WheelGuard(this)); // before any input widget is created
    auto* whole = new QWidget(this);
    auto* rows = new QVBoxLayout(whole);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(0);
    rows->addWidget(makeTitleLine());
    auto* middle = new QHBoxLayout;
    middle->setSpacing(0);
    middle->addWidget(makeRail());
    auto* right = new QVBoxLayout;
    right->setSpacing(0);
    right->addWidget(makeBanner());
    right->addWidget(makeHeader());
    messages_ = new MessageBar(whole);
    auto* messageRow = new QVBoxLayout;
    messageRow->setContentsMargins(kGapPage, 0, kGapPage, kGapInside);
    messageRow->addWidget(new ConsentCard(whole));
    messageRow->addWidget(messages_);
    right->addLayout(messageRow);
    stack_ = new QStackedWidget(whole);
    right->addWidget(stack_, 1);
    tray_ = new TasksTray(whole);
    right->addWidget(tray_);
    middle->addLayout(right, 1);
    rows->addLayout(middle, 1);
    setCentralWidget(whole);

    connect(&context_, &AppContext::messagePosted, messages_, &MessageBar::post);
    connect(&JobMonitor::instance(), &JobMonitor::stalled, messages_, [this](const QString& title, const QString& text) {
        messages_->post({MessageLevel::warning, tr("%1 is not responding").arg(title.isEmpty() ? tr("Work") : title), text,
                         tr("Wait, or cancel it in the task list below.")});
    });
    connect(&context_, &AppContext::navigationAsked, this, &MainWindow::showPage);
    connect(&context_, &AppContext::currentSessionChanged, this, &MainWindow::showTitle);
    connect(&context_, &AppContext::databaseSwitched, this, &MainWindow::showTitle);
    connect(&context_, &AppContext::dataChanged, this, [this] {
        if (const auto found = pages_.find(current_); found != pages_.end())
            found->second->refresh();
    });
    connect(&Theme::instance(), &Theme::changed, this, &MainWindow::redrawIcons);
    new ReportOpener(context_, this);
    auto* openReports = new QAction(tr("Open reports"), this);
    openReports->setShortcut(QKeySequence::Open);
    connect(openReports, &QAction::triggered, this, [this] { context_.openReports(); });
    addAction(openReports);
    auto* dismiss = new QAction(tr("Dismiss the newest message"), this);
    dismiss->setShortcut(QKeySequence(Qt::Key_Escape));
    connect(dismiss, &QAction::triggered, messages_, &MessageBar::dismissNewest);
    addAction(dismiss);
    setAcceptDrops(true);
    makeFinder();
    redrawIcons();
    showTitle();
    if (!entries_.empty())
        showPage(entries_.front().id);
    stack_->setFocusPolicy(Qt::ClickFocus);
    stack_->setFocus();
}

QWidget* MainWindow::makeTitleLine()
{
    auto* line = new QFrame(this);
    line->setObjectName(QStringLiteral("titleLine"));
    line->setFixedHeight(40);
    auto* row = new QHBoxLayout(line);
    row->setContentsMargins(kGapBetween, 0, kGapBetween, 0);
    row->setSpacing(kGapInside);
    logo_ = new QLabel(line);
    auto* name = makeLabel(QStringLiteral("KernelLoop"), TextRole::card, line);
    titleText_ = makeLabel({}, TextRole::body, line);
    setTextToken(titleText_, Token::muted);
    row->addWidget(logo_);
    row->addWidget(name);
    row->addSpacing(kGapInside);
    row->addWidget(titleText_, 1);
    find_ = new QToolButton(line);
    find_->setObjectName(QStringLiteral("find"));
    find_->setText(tr(" Find  Ctrl+K"));
    find_->setToolTip(tr("Find a page, kernel, session, pattern, or profile (Ctrl+K)"));
    find_->setAccessibleName(tr("Find"));
    find_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    row->addWidget(find_);
    row->addWidget(makeThemeMenu(line));
    return line;
}

void MainWindow::makeFinder()
{
    std::vector<FinderEntry> pages;
    for (const PageEntry& entry : entries_)
        pages.push_back({entry.word, tr("page"), entry.id, {}});
    auto* finder = new Finder(context_, std::move(pages), this);
    auto* find = new QAction(tr("Find"), this);
    find->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_K));
    connect(find, &QAction::triggered, finder, &Finder::open);
    addAction(find);
    connect(find_, &QToolButton::clicked, finder, &Finder::open);
}

QWidget* MainWindow::makeRail()
{
    auto* rail = new QFrame(this);
    rail->setObjectName(QStringLiteral("rail"));
    rail->setFixedWidth(148);
    auto* column = new QVBoxLayout(rail);
    column->setContentsMargins(0, kGapInside, 0, kGapInside);
    column->setSpacing(2);
    int place = 0;
    for (const PageEntry& entry : entries_) {
        auto* button = new QToolButton(rail);
        button->setText(QStringLiteral("  ") + entry.word);
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        button->setIconSize({20, 20});
        button->setCheckable(true);
        button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        button->setAccessibleName(entry.word);
        if (++place <= 9) {
            button->setShortcut(QKeySequence(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_0 + place)));
            button->setToolTip(tr("%1 (Ctrl+%2)").arg(entry.word).arg(place));
        }
        connect(button, &QToolButton::clicked, this, [this, id = entry.id] { showPage(id); });
        column->addWidget(button);
        rail_[entry.id] = button;
    }
    column->addStretch(1);
    return rail;
}

QWidget* MainWindow::makeBanner()
{
    auto* banner = new QFrame(this);
    banner->setObjectName(QStringLiteral("banner"));
    auto* row = new QHBoxLayout(banner);
    row->setContentsMargins(kGapPage, 6, kGapPage, 6);
    auto* words = makeLabel(tr("Sample database: runs recorded on an H200 and an example history. Read-only."), TextRole::body, banner);
    auto* start = makeButton(tr("Use my own database"), false, banner);
    start->setObjectName(QStringLiteral("startOwn"));
    connect(start, &QPushButton::clicked, this, &MainWindow::startOwn);
    row->addWidget(words, 1);
    row->addWidget(start);
    banner_ = banner;
    return banner;
}

QWidget* MainWindow::makeHeader()
{
    auto* header = new QWidget(this);
    auto* row = new QHBoxLayout(header);
    row->setContentsMargins(kGapPage, kGapBetween, kGapPage, 12);
    pageTitle_ = makeLabel({}, TextRole::page, header);
    actions_ = new QWidget(header);
    actionRow_ = new QHBoxLayout(actions_);
    actionRow_->setContentsMargins(0, 0, 0, 0);
    row->addWidget(pageTitle_, 1);
    row->addWidget(actions_);
    header->setFixedHeight(64);
    return header;
}

void MainWindow::redrawIcons()
{
    logo_->setPixmap(icon(QStringLiteral("logo"), Token::accent).pixmap(20, 20));
    find_->setIcon(icon(QStringLiteral("search"), Token::muted));
    for (const PageEntry& entry : entries_)
        rail_[entry.id]->setIcon(icon(entry.icon, entry.id == current_ ? Token::accent : Token::text));
}

void MainWindow::showTitle()
{
    QStringList parts;
    if (!context_.sessionText().isEmpty())
        parts << context_.sessionText();
    parts << context_.deviceName();
    titleText_->setText(parts.join(QStringLiteral(" · ")));
    titleText_->setToolTip(tr("Database: %1").arg(context_.location()));
    setWindowTitle(QStringLiteral("KernelLoop – ") + titleText_->text());
    banner_->setVisible(context_.isSample());
}

Page* MainWindow::page(const QString& id)
{
    if (const auto found = pages_.find(id); found != pages_.end())
        return found->second;
    const auto entry = std::find_if(entries_.begin(), entries_.end(), [&](const PageEntry& e) { return e.id == id; });
    if (entry == entries_.end())
        return nullptr;
    Page* made = entry->make(context_);
    stack_->addWidget(made);
    connect(made, &Page::titleChanged, this, [this, made, id] {
        if (id == current_)
            pageTitle_->setText(made->title());
    });
    for (QWidget* action : made->actions()) {
        actionRow_->addWidget(action);
        action->hide();
    }
    pages_[id] = made;
    return made;
}

void MainWindow::showHeader(Page* shown)
{
    pageTitle_->setText(shown->title());
    for (const auto& [id, other] : pages_)
        for (QWidget* action : other->actions())
            action->setVisible(other == shown);
}

void MainWindow::showPage(const QString& id, const QString& argument)
{
    Page* shown = page(id);
    if (!shown)
        return;
    current_ = id;
    for (const auto& [key, button] : rail_)
        button->setChecked(key == id);
    redrawIcons();
    if (!argument.isEmpty())
        shown->open(argument);
    shown->refresh();
    showHeader(shown);
    stack_->setCurrentWidget(shown);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    if (event->mimeData()->hasUrls())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event)
{
    QStringList paths;
    for (const QUrl& url : event->mimeData()->urls())
        if (url.isLocalFile())
            paths << url.toLocalFile();
    if (!paths.isEmpty())
        context_.openReports(paths);
}

void MainWindow::startOwn()
{
    if (const Status switched = context_.startOwn(); !switched) {
        context_.post(switched.error(), tr("Your database could not be opened"));
        return;
    }
    context_.post({MessageLevel::success, tr("Your own database is open"), context_.location(), tr("Start a session or run a kernel.")});
}

} // namespace kl
