// SPDX-License-Identifier: MIT
#include "app/kernelloop/start_time.h"

#include "ui/window/mainwindow.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QFile>
#include <QTextStream>

#include <algorithm>
#include <ctime>
#include <functional>
#include <map>
#include <sys/resource.h>
#include <unistd.h>

namespace kl::ui {
namespace {

constexpr int kQuiet = 10 * 60 * 1000; // ms until nothing is read anymore, also from a history of a million runs

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

double busyMilliseconds()
{
    timespec now = {};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

int printStartTime()
{
    PaintWatch watch;
    qApp->installEventFilter(&watch);
    while (!watch.seen())
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
    const double painted = millisecondsSinceStart();
    const double busy = busyMilliseconds();
    qApp->removeEventFilter(&watch);
    waitForJobs(kQuiet);
    QTextStream(stdout) << QStringLiteral("painted %1 ms (main thread %2 ms), filled %3 ms (%4 ms)\n")
                               .arg(painted, 0, 'f', 0)
                               .arg(busy, 0, 'f', 0)
                               .arg(millisecondsSinceStart(), 0, 'f', 0)
                               .arg(busyMilliseconds(), 0, 'f', 0);
    return 0;
}

namespace {

constexpr std::size_t kSlowest = 10;
constexpr int kVisits = 5; ///< of each page that was made before; the middle one counts

struct Visit {
    QString what;
    double busy = 0;    ///< ms
    double longest = 0; ///< of `busy`, what a key waits for at most: one turn of the event loop
    double filled = 0;
};

Visit measure(const QString& what, const std::function<void()>& work)
{
    Visit visit{what};
    QElapsedTimer clock;
    clock.start();
    const auto turn = [&](const std::function<void()>& does) {
        const double before = busyMilliseconds();
        does();
        visit.busy += busyMilliseconds() - before;
        visit.longest = std::max(visit.longest, busyMilliseconds() - before);
    };
    turn(work);
    do { // a finished job or a timer may start another one
        while (JobMonitor::instance().active() > 0)
            turn([] { QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents); });
        turn([] { QCoreApplication::processEvents(); });
    } while (JobMonitor::instance().active() > 0);
    visit.filled = static_cast<double>(clock.nsecsElapsed()) / 1e6;
    return visit;
}

/// What IdlePages does in three steps while the user does nothing.
std::vector<Visit> prepare(MainWindow& window)
{
    std::vector<Visit> steps;
    for (const PageEntry& page : window.entries())
        if (!window.wasShown(page.id)) {
            steps.push_back(measure(page.id + QStringLiteral(", made ahead"), [&] { window.page(page.id); }));
            steps.push_back(measure(page.id + QStringLiteral(", filled ahead"), [&] { window.fillPage(page.id); }));
            steps.push_back(measure(page.id + QStringLiteral(", laid out ahead"), [&] { window.layOutPage(page.id); }));
        }
    return steps;
}

void printSlowest(std::vector<Visit> visits)
{
    std::ranges::sort(visits, std::greater(), &Visit::busy);
    QTextStream out(stdout);
    for (std::size_t i = 0; i < std::min(kSlowest, visits.size()); ++i)
        out << QStringLiteral("%1 busy %2 ms, at once %3 ms, filled %4 ms\n")
                   .arg(visits[i].what, -28)
                   .arg(visits[i].busy, 0, 'f', 0)
                   .arg(visits[i].longest, 0, 'f', 0)
                   .arg(visits[i].filled, 0, 'f', 0);
}

} // namespace

int printPageTimes(AppContext& context, MainWindow& window)
{
    waitForJobs(kQuiet);
    printSlowest(prepare(window));
    std::vector<Visit> visits;
    const auto visit = [&](const PageEntry& page, const QString& which) {
        return measure(page.id + which, [&] { window.showPage(page.id); });
    };
    std::map<QString, std::vector<Visit>> later;
    for (int round = 0; round <= kVisits; ++round)
        for (const PageEntry& page : window.entries()) {
            if (round == 0)
                visits.push_back(visit(page, QStringLiteral(", first visit")));
            else
                later[page.id].push_back(visit(page, QStringLiteral(", again")));
        }
    for (int round = 0; round < kVisits; ++round)
        for (const PageEntry& page : window.entries()) {
            emit context.dataChanged(); // as after each write: the page that is shown is read at once, the others when they are visited
            waitForJobs(kQuiet);
            later[page.id + QStringLiteral(", read")].push_back(visit(page, QStringLiteral(", read again")));
        }
    RunQuery query;
    query.profilesOnly = true;
    query.limit = kVisits;
    if (const auto runs = context.engine()->store->runs(query))
        for (const RunSummary& run : *runs) // as the arrow keys do in a table of kernels
            later[QStringLiteral("another diagnosis")].push_back(measure(QStringLiteral("another diagnosis"), [&] {
                window.showPage(QStringLiteral("diagnose"), QString::fromStdString(run.id.text));
            }));
    for (auto& [id, of] : later) {
        std::ranges::sort(of, {}, &Visit::busy);
        visits.push_back(of[of.size() / 2]);
    }
    printSlowest(std::move(visits));
    rusage used = {};
    ::getrusage(RUSAGE_SELF, &used);
    QTextStream(stdout) << QStringLiteral("most memory %1 MiB\n").arg(used.ru_maxrss / 1024);
    return 0;
}

} // namespace kl::ui
