// SPDX-License-Identifier: MIT
#include "app/kernelloop/drive.h"

#include "app/kernelloop/shots.h"
#include "ui/pages/session/report_export.h"
#include "ui/style/theme.h"
#include "ui/widgets/text.h"
#include "ui/window/mainwindow.h"

#include <QComboBox>
#include <QDir>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTextStream>
#include <QToolButton>

#include <functional>

namespace kl::ui {

namespace {

constexpr int kMostRepeats = 3; ///< repeats of one action before the walk counts as stuck
constexpr int kMostSteps = 40;  ///< a whole optimize session takes about a dozen

QTextStream& out()
{
    static QTextStream stream(stdout);
    return stream;
}

/// Clicks the page's button of that name, as a user would: it must be visible and enabled.
bool click(Page& page, const QString& name)
{
    for (QPushButton* button : page.findChildren<QPushButton*>(name)) {
        if (!button->isVisible() || !button->isEnabled())
            continue;
        button->click();
        waitForJobs(10 * 60 * 1000);
        return true;
    }
    return false;
}

QString chooseButton(const NextAction& next)
{
    const bool decides = next.action == SessionAction::keep || next.action == SessionAction::revert || next.action == SessionAction::park;
    return decides ? q(toString(next.action)) : QStringLiteral("gateAction");
}

bool openSession(Page& page)
{
    auto* kernel = page.findChild<QComboBox*>(QStringLiteral("sessionKernel"));
    auto* objective = page.findChild<QLineEdit*>(QStringLiteral("sessionObjective"));
    if (!kernel || !objective)
        return false;
    for (int i = 0; i < kernel->count(); ++i)
        if (kernel->itemText(i).startsWith(QStringLiteral("transpose")) ||
            kernel->itemData(i).toString().startsWith(QStringLiteral("transpose"))) {
            kernel->setCurrentIndex(i);
            break;
        }
    objective->setText(QStringLiteral("Bring transpose to the speed of a device copy"));
    return click(page, QStringLiteral("openSession"));
}

/// Clicks the recommended button until the session is done. `before` is called with each action before it is taken.
Result<SessionView> walk(AppContext& context, Page& page, const SessionId& id, const std::function<void(int, const NextAction&)>& before)
{
    std::optional<SessionAction> last;
    int again = 0;
    for (int step = 1; step <= kMostSteps; ++step) {
        auto view = context.engine()->sessions.view(id);
        if (!view || view->phase == "done" || view->next.empty())
            return view;
        const NextAction next = view->next.front();
        again = next.action == last ? again + 1 : 0;
        last = next.action;
        if (again >= kMostRepeats)
            return Error{
                .code = ErrorCode::refused, .message = "the session is stuck at: " + next.title, .hint = view->why, .where = view->phase};
        before(step, next);
        if (!click(page, chooseButton(next)) && !click(page, QStringLiteral("gateAction")))
            return Error{.code = ErrorCode::refused,
                         .message = std::string("the session page has no button for ") + toString(next.action),
                         .hint = next.reason,
                         .where = view->phase};
    }
    return context.engine()->sessions.view(id);
}

} // namespace

QString driveDatabase(const QString& folder)
{
    QDir().mkpath(folder);
    const QString file = QDir(folder).absoluteFilePath(QStringLiteral("drive.db"));
    for (const char* suffix : {"", "-wal", "-shm"})
        QFile::remove(file + QString::fromLatin1(suffix));
    return file;
}

namespace {

/// Opens the session and walks it to its end; errors go to stderr. Unset when it did not end as done and kept.
std::optional<SessionView> driveSession(AppContext& context, MainWindow& window, const std::function<void(int, const NextAction&)>& before)
{
    QTextStream errors(stderr);
    QObject listener;
    // Messages that the window would show in its message bar go to the terminal.
    QObject::connect(&context, &AppContext::messagePosted, &listener, [&errors](const Message& message) {
        if (message.level == MessageLevel::error || message.level == MessageLevel::warning)
            errors << message.what << ' ' << message.why << Qt::endl;
    });
    window.showPage(QStringLiteral("session"), QStringLiteral("new"));
    waitForJobs();
    Page* page = window.page(QStringLiteral("session"));
    if (!page || !openSession(*page)) {
        errors << "cannot open a session from the window: " << context.writeReason() << context.deviceReason() << Qt::endl;
        return {};
    }
    const SessionId id = context.currentSession();
    auto ended = walk(context, *page, id, before);
    if (!ended) {
        errors << q(ended.error().message) << '\n' << q(ended.error().hint) << Qt::endl;
        return {};
    }
    if (ended->phase != "done" || ended->outcome != "kept") {
        errors << "the session ended in " << q(ended->phase) << ", " << q(ended->outcome) << ": " << q(ended->why) << Qt::endl;
        return {};
    }
    return std::move(*ended);
}

bool writeReports(AppContext& context, const SessionId& id, const QString& folder)
{
    bool written = true;
    for (const char* suffix : {"html", "pdf"}) {
        const QString file = QStringLiteral("%1/report.%2").arg(folder, QString::fromLatin1(suffix));
        if (const Status status = exportReport(context.store(), context.catalog(), id, file); !status) {
            QTextStream(stderr) << q(status.error().message) << Qt::endl;
            written = false;
        }
    }
    return written;
}

/// A picture of each stage of the finished session, by clicking the rail.
bool shootStages(MainWindow& window, const QString& folder)
{
    window.showPage(QStringLiteral("session"));
    waitForJobs();
    Page* page = window.page(QStringLiteral("session"));
    int number = 0;
    for (QToolButton* stage : page->findChildren<QToolButton*>(QStringLiteral("stage"))) {
        stage->click();
        if (!shoot(window, QStringLiteral("%1/stage-%2.png").arg(folder).arg(++number)))
            return false;
    }
    return number > 0;
}

} // namespace

int drive(AppContext& context, MainWindow& window, const QString& folder)
{
    if (!QDir().mkpath(folder)) {
        QTextStream(stderr) << "cannot create the folder " << folder << Qt::endl;
        return exitCode(ErrorCode::badInput);
    }
    bool pictures = true;
    const auto ended = driveSession(context, window, [&](int step, const NextAction& next) {
        pictures =
            shoot(window,
                  QStringLiteral("%1/step-%2-%3.png").arg(folder).arg(step, 2, 10, QLatin1Char('0')).arg(q(toString(next.action)))) &&
            pictures;
        out() << step << ". " << q(next.title) << Qt::endl;
    });
    if (!ended)
        return 1;
    const bool reports = writeReports(context, ended->header.id, folder);
    pictures = shootStages(window, folder) && pictures;
    const int rest = takeShots(context, window, folder);
    out() << q(ended->header.name) << ": " << q(ended->phase) << ", " << q(ended->outcome) << "; report.html, report.pdf and pictures in "
          << QDir(folder).absolutePath() << Qt::endl;
    if (!pictures)
        QTextStream(stderr) << "some pictures could not be written to " << folder << Qt::endl;
    return reports && pictures ? rest : exitCode(ErrorCode::badInput);
}

bool scrollTo(Page& page, const QString& part)
{
    auto* area = page.findChild<QScrollArea*>();
    const auto* shown = page.findChild<QWidget*>(part);
    if (!area || !shown)
        return false;
    constexpr int kHeading = 72;
    area->verticalScrollBar()->setValue(shown->mapTo(area->widget(), QPoint(0, 0)).y() - kHeading);
    return true;
}

int driveForReadme(AppContext& context, MainWindow& window, const QString& folder)
{
    QDir().mkpath(folder);
    window.resize(1280, 800);
    bool written = true;
    const auto take = [&](const char* name) {
        written = shoot(window, QStringLiteral("%1/%2.png").arg(folder, QString::fromLatin1(name))) && written;
    };
    Theme::instance().choose(ThemeChoice::light);
    const auto ended = driveSession(context, window, [&](int, const NextAction& next) {
        if (next.action != SessionAction::keep)
            return;
        take("session-light");
        Theme::instance().choose(ThemeChoice::dark);
        take("session-dark");
        Theme::instance().choose(ThemeChoice::light);
    });
    if (!ended)
        return 1;
    const struct {
        const char* page;
        QString argument;
    } pages[] = {{"diagnose", {}},
                 {"compare", ended->evaluation ? q(ended->evaluation->id.text) : QString()},
                 {"search", QStringLiteral("attention/fused")},
                 {"kernels", QStringLiteral("transpose/naive")}};
    for (const auto& shown : pages) {
        window.showPage(QString::fromLatin1(shown.page), shown.argument);
        take((std::string(shown.page) + "-light").c_str());
    }
    Theme::instance().choose(ThemeChoice::dark);
    window.showPage(QStringLiteral("diagnose"));
    take("diagnose-dark");
    written = scrollTo(*window.page(QStringLiteral("diagnose")), QStringLiteral("memoryChart")) && written;
    take("memory-dark");
    Theme::instance().choose(ThemeChoice::light);
    take("memory-light");
    written = context.switchTo(":sample:").ok() && written;
    for (const char* page : {"home", "history"}) { // which have many sessions there
        window.showPage(QString::fromLatin1(page));
        take((std::string(page) + "-light").c_str());
    }
    out() << "11 pictures in " << QDir(folder).absolutePath() << Qt::endl;
    return written ? 0 : exitCode(ErrorCode::badInput);
}

} // namespace kl::ui
