// SPDX-License-Identifier: MIT
#include "app/kernelloop/drive.h"
#include "app/kernelloop/drive_live.h"
#include "app/kernelloop/drive_target.h"
#include "app/kernelloop/opening.h"
#include "app/kernelloop/scroll_time.h"
#include "app/kernelloop/shots.h"
#include "app/kernelloop/start_options.h"
#include "app/kernelloop/start_time.h"
#include "app/kernelloop/surroundings.h"
#include "app/kloop/terminal/interrupts.h"
#include "app/kloop/terminal/step_commands.h"
#include "core/base/home.h"
#include "ui/context/python_choice.h"
#include "ui/pages/session/report_export.h"
#include "ui/style/theme.h"
#include "ui/widgets/decimal_mark.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme_menu.h"
#include "ui/window/idle_pages.h"
#include "ui/window/mainwindow.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QFile>
#include <QIcon>
#include <QSettings>
#include <QTemporaryDir>
#include <QTextStream>
#include <clocale>
#include <stop_token>

using namespace kl;
using namespace kl::ui;

namespace {

int fail(const Error& error)
{
    QTextStream(stderr) << q(error.message) << '\n' << q(error.hint) << '\n';
    return exitCode(error.code);
}

/// Prints a page in the rich text that reports are written in: the command line has no Qt.
int printPdf(const QStringList& arguments)
{
    if (arguments.size() != 2) {
        QTextStream(stderr) << "--print-pdf needs HTML FILE\n";
        return exitCode(ErrorCode::usage);
    }
    QFile page(arguments[0]);
    if (!page.open(QIODevice::ReadOnly))
        return fail({.code = ErrorCode::badInput, .message = utf8(QStringLiteral("%1: %2").arg(page.fileName(), page.errorString()))});
    const Status written = writePdf(arguments[1], page.readAll().toStdString());
    return written ? 0 : fail(written.error());
}

} // namespace

int main(int argc, char** argv)
{
    const std::stop_token stop = cli::Interrupts::watch();
    if (const Status platform = choosePlatform(argc, argv); !platform)
        return fail(platform.error());
    ensureHome();
    QApplication app(argc, argv);
    const std::stop_callback quits(stop, [&app] { QMetaObject::invokeMethod(&app, &QApplication::quit, Qt::QueuedConnection); });
    std::setlocale(LC_NUMERIC, "C"); // Qt takes the user's locale: where that has decimal commas, "1.5" of a setting would be read as 1
    useDecimalMark(localeDecimalMark());
    QCoreApplication::setOrganizationName(QStringLiteral("kernelloop"));
    QCoreApplication::setApplicationName(QStringLiteral("kernelloop"));
    QCoreApplication::setApplicationVersion(QStringLiteral(KL_VERSION));
    QGuiApplication::setDesktopFileName(QStringLiteral("kernelloop"));
    QGuiApplication::setWindowIcon(QIcon(QStringLiteral(":/icons/kernelloop.svg")));
    useOwnFontsWhereNone();

    applyPythonChoice();

    QCommandLineParser parser;
    addStartOptions(parser);
    parser.process(app);
    if (parser.isSet(QStringLiteral("print-pdf")))
        return printPdf(parser.positionalArguments());
    Result<StartOptions> options = readStartOptions(parser);
    if (!options)
        return fail(options.error());
    Theme::instance().install(options->theme.value_or(loadTheme()));
    QTemporaryDir scratch;
    if (options->database.isEmpty() && (options->readme || options->live || options->target || !options->drive.isEmpty()))
        options->database = driveDatabase(options->drive.isEmpty() ? scratch.path() : options->drive);
    if (options->tour) // the user's own goes on where it was left
        QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, scratch.path());
    auto context = openPlace(*options);
    if (!context)
        return options->draws() ? fail(context.error()) : exitCode(context.error().code);
    (*context)->setStepWriter(cli::formatCommand);

    MainWindow window(**context);
    if (!options->draws())
        window.restore();
    window.show();
    if (!options->page.isEmpty())
        window.showPage(options->page);
    if (!options->drive.isEmpty())
        return drive(**context, window, options->drive);
    if (options->readme)
        return driveForReadme(**context, window, options->shots);
    if (options->live)
        return driveLive(**context, window, options->program, options->shots);
    if (options->target)
        return driveTarget(**context, window, options->program, options->edit, options->shots);
    if (options->tour)
        return shootTour(window, options->shots);
    if (!options->shots.isEmpty())
        return takeShots(**context, window, options->shots);
    if (options->startTime)
        return printStartTime();
    if (options->scrollTimes) {
        printScrollTimes(**context);
        return 0;
    }
    if (options->pageTimes)
        return printPageTimes(**context, window);
    new IdlePages(window);
    if (!options->files.isEmpty())
        (*context)->openReports(options->files);
    if (const QString reason = (*context)->deviceReason(); !reason.isEmpty())
        (*context)->post({MessageLevel::warning, QObject::tr("Measuring is not available"), reason,
                          QObject::tr("Choose the recorded sample in the menu with the device's name to use recorded runs.")});
    const int code = QApplication::exec();
    return stop.stop_requested() ? exitCode(ErrorCode::interrupted) : code;
}
