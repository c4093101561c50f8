// SPDX-License-Identifier: MIT
#include "app/kernelloop/start_time.h"

#include "ui/window/mainwindow.h"

#include <QCoreApplication>
#include <QFile>
#include <QTextStream>

#include <ctime>
#include <unistd.h>

namespace kl::ui {
namespace {

/// Sees that a widget, or one of those in it, is painted.
class PaintWatch : public QObject {
public:
    bool seen() const { return seen_; }
    bool eventFilter(QObject* watched, QEvent* event) override
    {
        seen_ = seen_ || (event->type() == QEvent::Paint && watched->isWidgetType());
        return false;
    }

private:
    bool seen_ = false;
};

/// Since the kernel started this process: field 22 of its stat, in ticks since boot.
double millisecondsSinceStart()
{
    QFile stat(QStringLiteral("/proc/self/stat"));
    if (!stat.open(QIODevice::ReadOnly))
        return 0;
    const QByteArray text = stat.readAll();
    const double ticks = text.mid(text.lastIndexOf(')') + 2).split(' ').value(19).toDouble(); // the name before may have spaces
    timespec now = {};
    ::clock_gettime(CLOCK_BOOTTIME, &now);
    return 1e3 * (static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec) -
                  ticks / static_cast<double>(::sysconf(_SC_CLK_TCK)));
}

} // namespace

int printStartTime(MainWindow& window)
{
    PaintWatch watch;
    qApp->installEventFilter(&watch);
    while (!watch.seen())
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    const double painted = millisecondsSinceStart();
    qApp->removeEventFilter(&watch);
    waitForJobs();
    window.grab();
    QTextStream(stdout) << QStringLiteral("painted %1 ms, filled %2 ms\n").arg(painted, 0, 'f', 0).arg(millisecondsSinceStart(), 0, 'f', 0);
    return 0;
}

} // namespace kl::ui
