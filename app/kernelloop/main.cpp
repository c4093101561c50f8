// SPDX-License-Identifier: MIT
#include "app/kernelloop/drive.h"
#include "app/kernelloop/shots.h"
#include "app/kernelloop/surroundings.h"
#include "app/kloop/terminal/step_commands.h"
#include "core/base/home.h"
#include "ui/pages/session/report_export.h"
#include "ui/style/theme.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme_menu.h"
#include "ui/window/mainwindow.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QFile>
#include <QIcon>
#include <QTemporaryDir>
#include <QTextStream>
#include <clocale>

using namespace kl;

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
        return fail({ErrorCode::badInput, utf8(QStringLiteral("%1: %2").arg(page.fileName(), page.errorString())), {}, {}, {}});
    const Status written = writePdf(arguments[1], page.readAll().toStdString());
    return written ? 0 : fail(written.error());
}

} // namespace

int main(int argc, char** argv)
{
    if (const Status platform = choosePlatform(argc, argv); !platform)
        return fail(platform.error());
    ensureHome();
    QApplication app(argc, argv);
    std::setlocale(LC_NUMERIC, "C"); // Qt takes the user's locale: where that has decimal commas, "1.5" of a setting would be read as 1
    QCoreApplication::setOrganizationName(QStringLiteral("kernelloop"));
    QCoreApplication::setApplicationName(QStringLiteral("kernelloop"));
    QCoreApplication::setApplicationVersion(QStringLiteral(KL_VERSION));
    QGuiApplication::setDesktopFileName(QStringLiteral("kernelloop"));
    QGuiApplication::setWindowIcon(QIcon(QStringLiteral(":/icons/kernelloop.svg")));
    useOwnFontsWhereNone();

    QCommandLineParser parser;
    parser.setApplicationDescription(QStringLiteral("Makes CUDA kernels fast, one gated session at a time."));
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addOptions({
        {QStringLiteral("db"), QStringLiteral("Database: a file, or :sample: (the default) for the read-only sample."),
         QStringLiteral("file")},
        {QStringLiteral("on"),
         QStringLiteral("Measure on: sample (recorded), local, local:INDEX or local:GPU-UUID (a GPU of this machine), or ssh:HOST or "
                        "ssh:HOST:GPU (of another one)."),
         QStringLiteral("device"), QStringLiteral("sample")},
        {QStringLiteral("theme"), QStringLiteral("light, dark or auto (default: the theme last chosen in the window)."),
         QStringLiteral("theme"), QStringLiteral("auto")},
        {QStringLiteral("page"),
         QStringLiteral("Page to open: home, session, kernels, diagnose, compare, search, history, patterns, calculate."),
         QStringLiteral("page")},
        {QStringLiteral("shots"), QStringLiteral("Save a picture of every page to a folder and exit."), QStringLiteral("folder")},
        {QStringLiteral("set"), QStringLiteral("Which pictures --shots saves: all (the default) or readme."), QStringLiteral("set"),
         QStringLiteral("all")},
        {QStringLiteral("drive"),
         QStringLiteral("Run a whole session through the window, save its report and pictures to a folder, and exit."),
         QStringLiteral("folder")},
        {QStringLiteral("print-pdf"), QStringLiteral("Convert HTML to the PDF file FILE and exit; kloop uses this for PDF reports.")},
    });
    parser.addPositionalArgument(QStringLiteral("arguments"), QStringLiteral("HTML FILE for --print-pdf."), QStringLiteral("[HTML FILE]"));
    parser.process(app);
    if (parser.isSet(QStringLiteral("print-pdf")))
        return printPdf(parser.positionalArguments());

    Theme::instance().install(parser.isSet(QStringLiteral("theme")) ? themeChoiceFrom(parser.value(QStringLiteral("theme"))) : loadTheme());
    const bool driving = parser.isSet(QStringLiteral("drive"));
    const QString fromEnvironment = qEnvironmentVariable("KERNELLOOP_DB");
    QString database = parser.isSet(QStringLiteral("db")) ? parser.value(QStringLiteral("db")) : fromEnvironment;
    QTemporaryDir scratch;
    const bool readme = parser.isSet(QStringLiteral("shots")) && parser.value(QStringLiteral("set")) == QStringLiteral("readme");
    if (readme && database.isEmpty())
        database = driveDatabase(scratch.path());
    if (database.isEmpty())
        database = driving ? driveDatabase(parser.value(QStringLiteral("drive"))) : QStringLiteral(":sample:");
    const Result<DeviceSpec> device = parseDeviceSpec(utf8(parser.value(QStringLiteral("on"))));
    if (!device)
        return fail(device.error());
    auto context = AppContext::open(utf8(database), *device);
    if (!context)
        return fail(context.error());
    (*context)->setStepWriter(commandOf);

    MainWindow window(**context);
    window.show();
    if (parser.isSet(QStringLiteral("page")))
        window.showPage(parser.value(QStringLiteral("page")));
    if (driving)
        return drive(**context, window, parser.value(QStringLiteral("drive")));
    if (readme)
        return driveForReadme(**context, window, parser.value(QStringLiteral("shots")));
    if (parser.isSet(QStringLiteral("shots")))
        return takeShots(**context, window, parser.value(QStringLiteral("shots")));
    if (const QString reason = (*context)->deviceReason(); !reason.isEmpty())
        (*context)->post({MessageLevel::warning, QObject::tr("Measuring is not available"), reason,
                          QObject::tr("Start with --on sample to use recorded runs.")});
    return QApplication::exec();
}
