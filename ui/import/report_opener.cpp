// SPDX-License-Identifier: MIT
#include "ui/import/report_opener.h"

#include "sessions/import/open_file.h"
#include "sessions/import/store_runs.h"
#include "ui/widgets/file_choice.h"
#include "ui/widgets/text.h"

#include <QFileInfo>

#include <algorithm>

namespace kl::ui {

ReportOpener::ReportOpener(AppContext& context, QWidget* window) : QObject(window), context_(context), window_(window)
{
    connect(&context_, &AppContext::reportsRequested, this, [this](const QStringList& paths) { paths.isEmpty() ? choose() : open(paths); });
}

void ReportOpener::choose()
{
    const QStringList paths =
        chooseFiles(window_, tr("Open Reports"), tr("Reports and runs (*.ncu-rep *.ncu-repz *.csv *.json *.bundle);;All files (*)"),
                    QStringLiteral("reports"));
    if (!paths.isEmpty())
        open(paths);
}

void ReportOpener::open(const QStringList& paths)
{
    const QString title =
        paths.size() == 1 ? tr("Reading %1").arg(QFileInfo(paths.front()).fileName()) : tr("Reading %1 files").arg(paths.size());
    job_.start(
        title, [engine = context_.engine(), paths](const Job&) { return read(*engine, paths); },
        [this](Opened opened) { show(std::move(opened)); });
}

ReportOpener::Opened ReportOpener::read(Engine& engine, const QStringList& paths)
{
    Opened opened;
    for (const QString& path : paths) {
        Result<OpenedFile> file = openFile(utf8(path), *engine.tree, *engine.catalog);
        if (!file) {
            opened.errors.push_back(file.error());
            continue;
        }
        for (const Warning& note : file->notes)
            opened.notes.push_back(note.text);
        std::ranges::move(file->runs, std::back_inserter(opened.runs));
    }
    if (engine.store->readOnly() || opened.runs.empty())
        return opened;
    const Result<std::vector<bool>> fresh = storeRuns(*engine.store, opened.runs);
    if (!fresh) {
        opened.errors.push_back(fresh.error());
        return opened;
    }
    opened.kept = true;
    opened.stored = static_cast<int>(std::ranges::count(*fresh, true));
    return opened;
}

void ReportOpener::show(Opened opened)
{
    for (const Error& error : opened.errors)
        context_.post(error, tr("Could not open a file"));
    if (opened.runs.empty())
        return;
    QString why = opened.kept             ? tr("%1 new in the database.").arg(opened.stored)
                  : opened.errors.empty() ? tr("This database is read-only. They are kept until you close the window.")
                                          : QString();
    for (const std::string& note : opened.notes)
        why += QLatin1Char(' ') + q(note);
    const QString what = opened.runs.size() == 1 ? tr("Opened 1 kernel") : tr("Opened %1 kernels").arg(opened.runs.size());
    const QString first = q(opened.runs.front().id.text);
    if (!opened.kept)
        context_.keepOpened(std::move(opened.runs));
    else
        context_.pollData();
    context_.navigate(QStringLiteral("diagnose"), QStringLiteral("report:") + first);
    context_.post({MessageLevel::success, what, why, {}});
}

} // namespace kl::ui
