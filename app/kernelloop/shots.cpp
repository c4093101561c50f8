// SPDX-License-Identifier: MIT
#include "app/kernelloop/shots.h"

#include "ui/style/theme.h"
#include "ui/widgets/text.h"
#include "ui/window/mainwindow.h"

#include <QCoreApplication>
#include <QDir>
#include <QEventLoop>
#include <QPushButton>
#include <QTextStream>
#include <QTimer>

#include <chrono>

namespace kl::ui {

bool shoot(MainWindow& window, const QString& file)
{
    waitForJobs();
    // Layouts of Qt Charts settle over a few turns of the event loop.
    for (int turn = 0; turn < 5; ++turn)
        QCoreApplication::processEvents();
    return window.grab().save(file);
}

namespace {

/// The run to show on the Diagnose page: transpose/naive on its own size where it was profiled, else the newest profile.
QString chooseShotProfile(AppContext& context)
{
    RunQuery query;
    query.kernel = "transpose/naive";
    query.profilesOnly = true;
    const auto family = context.catalog().family("transpose");
    const auto runs = context.store().runs(query);
    if (!family || !runs)
        return {};
    for (const RunSummary& run : *runs)
        if (run.problem == toText((*family)->problems.front()))
            return q(run.id.text);
    return {};
}

} // namespace

int takeShots(AppContext& context, MainWindow& window, const QString& folder)
{
    if (!QDir().mkpath(folder)) {
        QTextStream(stderr) << "cannot create the folder " << folder << '\n';
        return 4;
    }
    const struct {
        ThemeChoice choice;
        const char* name;
    } themes[] = {{ThemeChoice::light, "light"}, {ThemeChoice::dark, "dark"}};
    int number = 0;
    for (const auto& theme : themes) {
        Theme::instance().choose(theme.choice);
        for (const QSize size : {QSize(1280, 800), QSize(1920, 1080), QSize(2560, 1440)}) {
            window.resize(size);
            for (const PageEntry& entry : window.entries()) {
                window.showPage(entry.id, entry.id == QStringLiteral("diagnose") ? chooseShotProfile(context) : QString());
                const QString file =
                    QStringLiteral("%1/%2-%3-%4.png").arg(folder, entry.id, QString::fromLatin1(theme.name)).arg(size.width());
                if (!shoot(window, file))
                    return 4;
                ++number;
            }
        }
    }
    QTextStream(stdout) << number << " pictures in " << QDir(folder).absolutePath() << '\n';
    return 0;
}

int shootTour(MainWindow& window, const QString& folder)
{
    constexpr auto kFollows = std::chrono::milliseconds(200); // the tour's card, what the page shows
    window.resize(1280, 800);
    window.perform(WindowAction::tour);
    auto* next = window.findChild<QPushButton*>(QStringLiteral("tourNext"));
    bool written = QDir().mkpath(folder);
    for (int step = 1; written && next->isVisible(); ++step) {
        waitForJobs();
        QEventLoop loop;
        QTimer::singleShot(kFollows, &loop, &QEventLoop::quit);
        loop.exec();
        written = shoot(window, QStringLiteral("%1/tour-%2.png").arg(folder).arg(step));
        next->click();
    }
    return written ? 0 : exitCode(ErrorCode::badInput);
}

} // namespace kl::ui
