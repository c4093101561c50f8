// SPDX-License-Identifier: MIT
#include "app/kernelloop/start_options.h"

#include "core/base/try.h"
#include "ui/pages/page.h"
#include "ui/widgets/text.h"

#include <QCommandLineParser>
#include <QFile>
#include <QFileInfo>

namespace kl::ui {
namespace {

constexpr const char* kThemes[] = {"light", "dark", "auto"};
constexpr const char* kSets[] = {"all", "readme", "live", "target", "tour"};

/// The option's value, which must be one of `known`; empty if it is not set.
Result<QString> readChoice(const QCommandLineParser& parser, const QString& option, const QStringList& known)
{
    const QString value = parser.value(option);
    if (!parser.isSet(option) || known.contains(value))
        return parser.isSet(option) ? value : QString();
    return Error{.code = ErrorCode::usage,
                 .message = utf8(QStringLiteral("--%1 %2: there is no such %1.").arg(option, value)),
                 .hint = utf8(QStringLiteral("Choose one of: %1.").arg(known.join(QStringLiteral(", ")))),
                 .where = utf8(option)};
}

template <std::size_t N> QStringList listWords(const char* const (&words)[N])
{
    QStringList list;
    for (const char* word : words)
        list << QString::fromLatin1(word);
    return list;
}

/// What is remembered is opened from other folders, too: a file by its whole path, and one of our own as it is.
QString wholePath(const QString& database)
{
    return database.isEmpty() || database.startsWith(u':') ? database : QFileInfo(database).absoluteFilePath();
}

QStringList listPages()
{
    QStringList ids;
    for (const PageEntry& entry : pageEntries())
        ids << entry.id;
    return ids;
}

} // namespace

void addStartOptions(QCommandLineParser& parser)
{
    parser.setApplicationDescription(QStringLiteral("Makes CUDA kernels fast, one gated session at a time."));
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addOptions({
        {QStringLiteral("db"),
         QStringLiteral(
             "Database: a file, or :sample: for the read-only sample (default: the last one used; at the first start, the sample)."),
         QStringLiteral("file")},
        {QStringLiteral("on"),
         QStringLiteral("Measure on: sample (recorded), local, local:INDEX or local:GPU-UUID (a GPU of this machine), ssh:HOST or "
                        "ssh:HOST:GPU (of another one), slurm:PARTITION (in a Slurm job); default: the last one used; at the "
                        "first start, sample."),
         QStringLiteral("device")},
        {QStringLiteral("theme"), QStringLiteral("light, dark or auto (default: the theme last chosen in the window)."),
         QStringLiteral("theme")},
        {QStringLiteral("page"), QStringLiteral("Page to open: %1.").arg(listPages().join(QStringLiteral(", "))), QStringLiteral("page")},
        {QStringLiteral("shots"), QStringLiteral("Save a picture of every page to a folder and exit."), QStringLiteral("folder")},
        {QStringLiteral("set"),
         QStringLiteral(
             "Which pictures --shots saves: all (the default), readme, live (measured on a GPU), target (a session on a kernel of "
             "a program, on a GPU), or tour (a frame per step)."),
         QStringLiteral("set")},
        {QStringLiteral("program"), QStringLiteral("The program that --set live or target profiles, with its arguments."),
         QStringLiteral("command")},
        {QStringLiteral("edit"), QStringLiteral("File with the text that --set target puts in the place of transpose.cu."),
         QStringLiteral("file")},
        {QStringLiteral("drive"),
         QStringLiteral("Run a whole session through the window, save its report and pictures to a folder, and exit."),
         QStringLiteral("folder")},
        {QStringLiteral("start-time"),
         QStringLiteral("Print how long it took until the window was painted, and its page filled, and exit.")},
        {QStringLiteral("page-times"),
         QStringLiteral("Create every page in advance, visit each several times, print the ten slowest steps and visits, and exit.")},
        {QStringLiteral("scroll-times"), QStringLiteral("Print how long frames take while 100,000 instructions are scrolled, and exit.")},
        {QStringLiteral("print-pdf"), QStringLiteral("Convert HTML to the PDF file FILE and exit; kloop uses this for PDF reports.")},
    });
    parser.addPositionalArgument(QStringLiteral("files"),
                                 QStringLiteral("Reports, bundles or a database to open; HTML FILE for --print-pdf."),
                                 QStringLiteral("[FILE…]"));
}

bool isDatabaseFile(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) && file.read(16) == QByteArray("SQLite format 3\0", 16);
}

Result<StartOptions> readStartOptions(const QCommandLineParser& parser)
{
    StartOptions options;
    KL_ASSIGN(options.page, readChoice(parser, QStringLiteral("page"), listPages()));
    KL_ASSIGN(const QString theme, readChoice(parser, QStringLiteral("theme"), listWords(kThemes)));
    KL_ASSIGN(const QString set, readChoice(parser, QStringLiteral("set"), listWords(kSets)));
    if (!theme.isEmpty())
        options.theme = themeChoiceFrom(theme);
    if (parser.isSet(QStringLiteral("on"))) {
        KL_ASSIGN(options.device, parseDeviceSpec(utf8(parser.value(QStringLiteral("on")))));
    }
    options.shots = parser.value(QStringLiteral("shots"));
    options.readme = !options.shots.isEmpty() && set == QStringLiteral("readme");
    options.live = !options.shots.isEmpty() && set == QStringLiteral("live");
    options.target = !options.shots.isEmpty() && set == QStringLiteral("target");
    options.edit = parser.value(QStringLiteral("edit"));
    options.program = parser.value(QStringLiteral("program"));
    options.tour = !options.shots.isEmpty() && set == QStringLiteral("tour");
    options.drive = parser.value(QStringLiteral("drive"));
    options.startTime = parser.isSet(QStringLiteral("start-time"));
    options.pageTimes = parser.isSet(QStringLiteral("page-times"));
    options.scrollTimes = parser.isSet(QStringLiteral("scroll-times"));
    options.database =
        wholePath(parser.isSet(QStringLiteral("db")) ? parser.value(QStringLiteral("db")) : qEnvironmentVariable("KERNELLOOP_DB"));
    for (const QString& file : parser.positionalArguments()) {
        if (!isDatabaseFile(file)) {
            options.files << QFileInfo(file).absoluteFilePath();
            continue;
        }
        if (parser.isSet(QStringLiteral("db")))
            return Error{.code = ErrorCode::usage,
                         .message = "Only one database can be open at a time.",
                         .hint = "Name it with --db or as a file, not both.",
                         .where = utf8(file)};
        options.database = QFileInfo(file).absoluteFilePath();
    }
    return options;
}

} // namespace kl::ui
