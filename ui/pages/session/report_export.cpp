// SPDX-License-Identifier: MIT
#include "ui/pages/session/report_export.h"

#include "sessions/report/report.h"
#include "ui/widgets/text.h"

#include <QFile>
#include <QFileInfo>
#include <QPageSize>
#include <QPrinter>
#include <QSaveFile>
#include <QTextDocument>

namespace kl::ui {
namespace {

Error cannotWrite(const QString& file, const QString& why)
{
    return {.code = ErrorCode::badInput,
            .message = utf8(QObject::tr("Could not write the report to %1: %2.").arg(file, why)),
            .hint = utf8(QObject::tr("Choose another folder.")),
            .where = utf8(file)};
}

Status writeText(const QString& file, const std::string& text)
{
    QSaveFile out(file);
    if (!out.open(QIODevice::WriteOnly) || out.write(text.data(), static_cast<qint64>(text.size())) != static_cast<qint64>(text.size()) ||
        !out.commit())
        return cannotWrite(file, out.errorString());
    return {};
}

} // namespace

Status writePdf(const QString& file, const std::string& html)
{
    const QFileInfo folder(QFileInfo(file).absolutePath());
    if (!folder.isDir() || !folder.isWritable())
        return cannotWrite(file, QObject::tr("the folder does not exist or is not writable"));
    if (QFile out(file); !out.open(QIODevice::WriteOnly)) // also empties what is there, so that its size tells of this print
        return cannotWrite(file, out.errorString());
    QPrinter printer(QPrinter::ScreenResolution);
    printer.setOutputFormat(QPrinter::PdfFormat);
    printer.setPageSize(QPageSize(QPageSize::A4));
    printer.setPageMargins(QMarginsF(2, 2, 2, 2), QPageLayout::Millimeter); // printing adds 20 mm and the page number
    printer.setOutputFileName(file);
    QTextDocument document;
    document.setHtml(exact(html));
    document.print(&printer);
    if (QFileInfo(file).size() == 0)
        return cannotWrite(file, QObject::tr("nothing was printed"));
    return {};
}

Status exportReport(const Report& report, const QString& file)
{
    const QString suffix = QFileInfo(file).suffix().toLower();
    if (suffix == QStringLiteral("pdf"))
        return writePdf(file, render(report, ReportFormat::print));
    for (const auto& [known, format] : {std::pair{"html", ReportFormat::html}, std::pair{"md", ReportFormat::markdown},
                                        std::pair{"json", ReportFormat::json}, std::pair{"csv", ReportFormat::csv}})
        if (suffix == QLatin1String(known))
            return writeText(file, render(report, format));
    return cannotWrite(file, QObject::tr("the suffix must be html, pdf, md, json or csv"));
}

Status exportReport(const Store& store, const Catalog& catalog, const SessionId& session, const QString& file)
{
    const Result<Report> report = sessionReport(store, catalog, session);
    return report ? exportReport(*report, file) : report.error();
}

} // namespace kl::ui
