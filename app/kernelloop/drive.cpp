// SPDX-License-Identifier: MIT
#include "app/kernelloop/drive.h"

#include "app/kernelloop/shots.h"
#include "ui/mainwindow.h"
#include "ui/pages/session/report_export.h"
#include "ui/widgets/text.h"

#include <QComboBox>
#include <QDir>
#include <QLineEdit>
#include <QPushButton>
#include <QTextStream>

namespace kl {

namespace {

constexpr int kMostSteps = 40; ///< a whole optimize session takes about a dozen

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

QString buttonOf(const NextAction& next)
{
    return next.action == "keep" || next.action == "revert" ? q(next.action) : QStringLiteral("gateAction");
}

bool openSession(Page& page)
{
    auto* kernel = page.findChild<QComboBox*>(QStringLiteral("sessionKernel"));
    auto* objective = page.findChild<QLineEdit*>(QStringLiteral("sessionObjective"));
    if (!kernel || !objective)
        return false;
    for (int i = 0; i < kernel->count(); ++i)
        if (kernel->itemText(i).startsWith(QStringLiteral("transpose")) || kernel->itemData(i).toString().startsWith(QStringLiteral("transpose"))) {
            kernel->setCurrentIndex(i);
            break;
        }
    objective->setText(QStringLiteral("Bring transpose to the speed of a device copy"));
    return click(page, QStringLiteral("openSession"));
}

Result<SessionView> walk(AppContext& context, MainWindow& window, Page& page, const SessionId& id, const QString& folder)
{
    for (int step = 1; step <= kMostSteps; ++step) {
        auto view = context.engine()->sessions.view(id);
        if (!view || view->phase == "done" || view->next.empty())
            return view;
        const NextAction next = view->next.front();
        shoot(window, QStringLiteral("%1/step-%2-%3.png").arg(folder).arg(step, 2, 10, QLatin1Char('0')).arg(q(next.action)));
        out() << step << ". " << q(next.title) << Qt::endl;
        if (!click(page, buttonOf(next)) && !click(page, QStringLiteral("gateAction")))
            return Error{ErrorCode::refused, "the session page offers no button for " + next.action, next.reason, view->phase, {}};
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

int drive(AppContext& context, MainWindow& window, const QString& folder)
{
    QDir().mkpath(folder);
    QTextStream errors(stderr);
    window.showPage(QStringLiteral("session"), QStringLiteral("new"));
    waitForJobs();
    Page* page = window.page(QStringLiteral("session"));
    if (!page || !openSession(*page)) {
        errors << "no session could be opened from the window" << Qt::endl;
        return 1;
    }
    const auto id = context.engine()->sessions.latestOpen();
    const auto ended = id ? walk(context, window, *page, *id, folder) : Result<SessionView>(id.error());
    if (!ended) {
        errors << q(ended.error().message) << '\n' << q(ended.error().hint) << Qt::endl;
        return exitCode(ended.error().code);
    }
    for (const char* suffix : {"html", "pdf"}) {
        const QString file = QStringLiteral("%1/report.%2").arg(folder, QString::fromLatin1(suffix));
        if (const Status written = exportReport(context.store(), context.catalogue(), *id, file); !written)
            errors << q(written.error().message) << Qt::endl;
    }
    const int pictures = takeShots(context, window, folder);
    out() << q(ended->header.name) << ": " << q(ended->phase) << (ended->outcome.empty() ? QString() : QStringLiteral(", ") + q(ended->outcome))
          << "; report and pictures in " << QDir(folder).absolutePath() << Qt::endl;
    return ended->phase == "done" ? pictures : 1;
}

} // namespace kl
