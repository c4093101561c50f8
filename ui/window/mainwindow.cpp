// SPDX-License-Identifier: MIT
#include "ui/window/mainwindow.h"

#include "sessions/shipped/sample_store.h"
#include "ui/context/baselines.h"
#include "ui/context/remembered.h"
#include "ui/context/step_doors.h"
#include "ui/import/report_opener.h"
#include "ui/jobs/job.h"
#include "ui/style/theme.h"
#include "ui/tour/tour.h"
#include "ui/widgets/consent_card.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/reasoned_button.h"
#include "ui/widgets/tab_order.h"
#include "ui/widgets/tasks_tray.h"
#include "ui/widgets/text.h"
#include "ui/widgets/wheel_guard.h"
#include "ui/window/find_bar.h"
#include "ui/window/finder.h"
#include "ui/window/place_menu.h"
#include "ui/window/title_line.h"
#include "ui/window/tools/database_tools.h"
#include "ui/window/tools/support_tool.h"

#include <QAction>
#include <QApplication>
#include <QCloseEvent>
#include <QDateTime>
#include <QDropEvent>
#include <QFileInfo>
#include <QImage>
#include <QLabel>
#include <QMenuBar>
#include <QMimeData>
#include <QPushButton>
#include <QScreen>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

namespace kl::ui {
namespace {

constexpr QSize kUsualSize(1280, 800);
constexpr QSize kLeastSize(960, 600);
constexpr int kRailWidth = 148; ///< px, or as much as its words need
constexpr int kFrameRoom = 48;  ///< pixels that the frame of a window manager may take

} // namespace

MainWindow::MainWindow(AppContext& context, QWidget* parent) : QMainWindow(parent), context_(context), entries_(pageEntries())
{
    resize(kUsualSize);
    setMinimumSize(kLeastSize);
    qApp->installEventFilter(new WheelGuard(this)); // before any input widget is created
    commands_ = new WindowActions(
        this, entries_, [this](WindowAction action) { perform(action); }, [this](const QString& id) { showPage(id); });
    auto* whole = new QWidget(this);
    auto* rows = new QVBoxLayout(whole);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(0);
    title_ = new TitleLine(context_, whole);
    commands_->fill(title_->menus());
    rows->addWidget(title_);
    auto* middle = new QHBoxLayout;
    middle->setSpacing(0);
    middle->addWidget(makeRail());
    auto* body = new QWidget(whole);
    auto* right = new QVBoxLayout(body);
    right->setContentsMargins(0, 0, 0, 0);
    right->setSpacing(0);
    right->addWidget(makeBanner());
    right->addWidget(makeHeader());
    auto* questions = new QVBoxLayout;
    questions->setContentsMargins(kGapPage, 0, kGapPage, 0);
    questions->addWidget(new ConsentCard(body));
    right->addLayout(questions);
    stack_ = new QStackedWidget(body);
    right->addWidget(stack_, 1);
    tray_ = new TasksTray(body);
    tray_->installEventFilter(this);
    right->addWidget(tray_);
    messages_ = new MessageBar(body);
    findBar_ = new FindBar(stack_);
    tour_ = new Tour(body, [this](const TourStep& step) {
        const QString id = QString::fromLatin1(step.page);
        showPage(id, findTourSubject(step.subject, context_.store()));
        return page(id);
    });
    connect(tour_, &Tour::changed, this, &MainWindow::showTour);
    middle->addWidget(body, 1);
    rows->addLayout(middle, 1);
    setCentralWidget(whole);
    connectContext();
    new ReportOpener(context_, this);
    database_ = new DatabaseTools(context_, this);
    support_ = new SupportTool(context_, this);
    setAcceptDrops(true);
    makeFinder();
    redrawIcons();
    showTitle();
    showReasons();
    showTour();
    if (!entries_.empty())
        showPage(entries_.front().id);
    stack_->setFocusPolicy(Qt::ClickFocus);
    stack_->setFocus();
}

void MainWindow::connectContext()
{
    connect(&context_, &AppContext::messagePosted, messages_, &MessageBar::post);
    connect(&JobMonitor::instance(), &JobMonitor::stalled, messages_, [this](const QString& title, const QString& text) {
        messages_->post({MessageLevel::warning, tr("%1 is not responding").arg(title.isEmpty() ? tr("Work") : title), text,
                         tr("Wait, or cancel it in the task list below.")});
    });
    connect(&context_, &AppContext::navigationRequested, this, &MainWindow::showPage);
    connect(&context_, &AppContext::comparisonRequested, this, &MainWindow::addToCompare);
    connect(&context_, &AppContext::currentSessionChanged, this, &MainWindow::showTitle);
    // Its runs are not in the other one. Before the reasons, which depend on it.
    connect(&context_, &AppContext::databaseSwitched, this, [this] { trail_.clear(); });
    for (const auto switched : {&AppContext::databaseSwitched, &AppContext::writabilityChanged, &AppContext::deviceSwitched})
        connect(&context_, switched, this, [this] {
            showTitle();
            showReasons();
        });
    connect(&context_, &AppContext::dataChanged, this, [this] {
        filled_.clear();
        if (const auto found = pages_.find(current_); found != pages_.end()) {
            found->second->refresh();
            filled_[current_] = fillSource();
        }
    });
    connect(&context_, &AppContext::kernelsChanged, this, [this] { filled_.clear(); });
    connect(&Theme::instance(), &Theme::changed, this, &MainWindow::redrawIcons);
    connect(title_, &TitleLine::findRequested, this, [this] { perform(WindowAction::find); });
}

void MainWindow::makeFinder()
{
    std::vector<FinderEntry> fixed;
    for (const PageEntry& entry : entries_)
        fixed.push_back({entry.word, tr("page"), entry.id, {}});
    for (QAction* action : commands_->all())
        if (const WindowActionRow* row = WindowActions::lookUpRow(action); row && row->action != WindowAction::find)
            fixed.push_back({{}, row->setting ? tr("setting") : tr("action"), {}, {}, QString::fromLatin1(row->words), action});
    finder_ = new Finder(context_, std::move(fixed), this);
}

QWidget* MainWindow::makeRail()
{
    auto* rail = new QFrame(this);
    rail->setObjectName(QStringLiteral("rail"));
    rail->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred);
    rail->setMinimumWidth(kRailWidth);
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
        if (++place <= 9)
            button->setToolTip(tr("%1 (Ctrl+%2)").arg(entry.word).arg(place));
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
    row->setContentsMargins(kGapPage, 2, kGapPage, 2);
    auto* words = makeLabel({}, TextRole::body, banner);
    words->setWordWrap(true);
    auto* other = makeLinkButton({}, banner); // to the other history
    other->setObjectName(QStringLiteral("otherHistory"));
    const auto documents = [this] { return context_.location() == QLatin1String(kDocumentsLocation); };
    connect(other, &QPushButton::clicked, this,
            [this, documents] { title_->place()->openDatabase(QString::fromLatin1(documents() ? kSampleLocation : kDocumentsLocation)); });
    const auto name = [words, other, documents] {
        words->setText(documents()
                           ? tr("Sample database: runs recorded on an H200, and the history of the October 2025 documents. Read-only.")
                           : tr("Sample database: recorded on an H200; a script drove its sessions. Read-only."));
        other->setText(documents() ? tr("Show the recorded sessions") : tr("Show the documents' history"));
    };
    connect(&context_, &AppContext::databaseSwitched, banner, name);
    name();
    tourLink_ = makeLinkButton({}, banner);
    tourLink_->setObjectName(QStringLiteral("takeTour"));
    connect(tourLink_, &QPushButton::clicked, this, &MainWindow::takeTour);
    auto* start = makeLinkButton(tr("Use my own database"), banner);
    start->setObjectName(QStringLiteral("startOwn"));
    connect(start, &QPushButton::clicked, this, &MainWindow::startOwn);
    row->addWidget(words, 1);
    row->addWidget(other);
    row->addWidget(tourLink_);
    row->addWidget(start);
    banner_ = banner;
    return banner;
}

QWidget* MainWindow::makeHeader()
{
    auto* header = new QWidget(this);
    auto* row = new QHBoxLayout(header);
    row->setContentsMargins(kGapPage, kGapInside, kGapPage, kGapInside);
    pageTitle_ = makeLabel({}, TextRole::page, header);
    pageTitle_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    pageTitle_->installEventFilter(this);
    actions_ = new QWidget(header);
    actionRow_ = new QHBoxLayout(actions_);
    actionRow_->setContentsMargins(0, 0, 0, 0);
    row->addWidget(pageTitle_, 1);
    row->addWidget(actions_);
    header->setFixedHeight(52);
    return header;
}

void MainWindow::redrawIcons()
{
    for (const PageEntry& entry : entries_)
        rail_[entry.id]->setIcon(icon(entry.icon, entry.id == current_ ? Token::accent : Token::text));
}

void MainWindow::showTitle()
{
    setWindowTitle(QStringLiteral("KernelLoop – ") + title_->describe());
    banner_->setVisible(context_.isSample());
}

void MainWindow::showReasons()
{
    commands_->setReason(ActionNeed::measuring, context_.explainUnmeasurable());
    commands_->setReason(ActionNeed::earlierPage, trail_.hasBack() ? QString() : tr("No earlier page."));
    commands_->setReason(ActionNeed::laterPage, trail_.hasForward() ? QString() : tr("No later page."));
}

Page* MainWindow::page(const QString& id)
{
    if (const auto found = pages_.find(id); found != pages_.end())
        return found->second;
    const auto entry = std::find_if(entries_.begin(), entries_.end(), [&](const PageEntry& e) { return e.id == id; });
    if (entry == entries_.end())
        return nullptr;
    Page* made = entry->make(context_, stack_); // moved there later, everything in it would be styled once more
    stack_->addWidget(made);
    connect(made, &Page::titleChanged, this, [this, id] {
        if (id == current_)
            showPageTitle();
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
    showPageTitle();
    for (const auto& [id, other] : pages_)
        for (QWidget* action : other->actions())
            action->setVisible(other == shown && other->offers(action));
}

void MainWindow::showPageTitle()
{
    const QString title = pages_.at(current_)->title();
    const QString shown = pageTitle_->fontMetrics().elidedText(title, Qt::ElideRight, pageTitle_->width());
    pageTitle_->setText(shown);
    pageTitle_->setToolTip(shown == title ? QString() : title);
    pageTitle_->setAccessibleName(title);
}

void MainWindow::showPage(const QString& id, const QString& argument)
{
    if (id == QStringLiteral("tour"))
        return takeTour();
    if (id == QLatin1String(kToolPage)) {
        const QAction* tool = commands_->named(argument.section(u':', 0, 0));
        if (tool && tool->isEnabled())
            perform(WindowActions::lookUpRow(tool)->action, argument.section(u':', 1));
        return;
    }
    Page* shown = page(id);
    if (!shown)
        return;
    findBar_->close();
    if (id != current_)
        messages_->clearSettled();
    current_ = id;
    trail_.visit({id, argument});
    showReasons();
    for (const auto& [key, button] : rail_)
        button->setChecked(key == id);
    redrawIcons();
    if (!argument.isEmpty()) {
        shown->open(argument);
        filled_.erase(id);
    }
    fillPage(id);
    showHeader(shown);
    stack_->setCurrentWidget(shown);
}

void MainWindow::fillPage(const QString& id)
{
    const FilledFrom source = fillSource();
    const auto before = filled_.find(id);
    if (before == filled_.end() || before->second != source)
        page(id)->refresh();
    filled_[id] = source;
}

void MainWindow::layOutPage(const QString& id)
{
    Page* hidden = page(id);
    if (hidden == stack_->currentWidget())
        return;
    hidden->resize(stack_->size());
    QImage point(1, 1, QImage::Format_RGB32); // drawing a part, however small, lays out the whole
    hidden->render(&point, {}, QRegion(0, 0, 1, 1));
}

namespace {

constexpr qint64 kMinute = 60;
constexpr qint64 kHour = 3600;

/// Seconds since something was written into a database file; that of the sample is old.
qint64 secondsSinceWrite(const QString& location, qint64 now)
{
    qint64 last = 0;
    for (const QString& file : {location, location + QStringLiteral("-wal")})
        if (const QFileInfo info(file); info.exists())
            last = std::max(last, info.lastModified().toSecsSinceEpoch());
    return now - last;
}

} // namespace

MainWindow::FilledFrom MainWindow::fillSource() const
{
    const qint64 now = QDateTime::currentSecsSinceEpoch();
    const std::shared_ptr<Engine>& engine = context_.engine();
    return {engine->store->dataVersion(),
            engine,
            context_.openedRuns(),
            context_.currentSession(),
            Baselines::instance().of(context_.location()),
            now / (secondsSinceWrite(context_.location(), now) < kHour ? kMinute : kHour)};
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
    title_->place()->openDatabase(q(Store::defaultLocation()));
    if (!context_.isSample())
        context_.post(
            {MessageLevel::success, tr("Your own database is open"), context_.location(), tr("Start a session or run a kernel.")});
}

void MainWindow::restore()
{
    remembers_ = true;
    const Remembered before = loadRemembered();
    if (!restoreGeometry(before.geometry)) {
        const QSize room = screen()->availableSize() - QSize(0, kFrameRoom);
        if (room.width() <= kUsualSize.width() || room.height() <= kUsualSize.height())
            setWindowState(windowState() | Qt::WindowMaximized);
        else
            resize(kUsualSize.boundedTo(room));
    }
    if (!before.page.isEmpty())
        showPage(before.page);
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (remembers_)
        rememberWindow(saveGeometry(), current_);
    QMainWindow::closeEvent(event);
}

void MainWindow::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::ActivationChange && tour_)
        showTour(); // another window may have begun or ended it
    QMainWindow::changeEvent(event);
}

bool MainWindow::focusNextPrevChild(bool next)
{
    return focusByLayout(this, next);
}

bool MainWindow::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == tray_ && (event->type() == QEvent::Resize || event->type() == QEvent::Show || event->type() == QEvent::Hide))
        messages_->setBottom(tray_->isHidden() ? 0 : tray_->height());
    if (watched == pageTitle_ && event->type() == QEvent::Resize && pages_.contains(current_))
        showPageTitle();
    return QMainWindow::eventFilter(watched, event);
}

} // namespace kl::ui
