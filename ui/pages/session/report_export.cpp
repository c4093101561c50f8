// SPDX-License-Identifier: MIT
#include "ui/pages/session/report_export.h"

#include "sessions/report/report.h"
#include "ui/widgets/text.h"

#include <QFileInfo>
#include <QPageSize>
#include <QPrinter>
#include <QSaveFile>
#include <QTextDocument>

namespace kl {
namespace {

Error cannotWrite(const QString& file, const QString& why)
{
    return {ErrorCode::badInput,
            utf8(QObject::tr("The report could not be written to %1: %2.").arg(file, why)),
            utf8(QObject::tr("Choose another folder.")),
            utf8(file),
            {}};
}

Status writeText(const QString& file, const std::string& text)
{
    QSaveFile out(file);
    if (!out.open(QIODevice::WriteOnly) || out.write(text.data(), static_cast<qint64>(text.size())) != static_cast<qint64>(text.size()) ||
        !out.commit())
        return cannotWrite(file, out.errorString());
    return {};
}

Status writePdf(const QString& file, const std::string& html)
{
    const QFileInfo folder(QFileInfo(file).absolutePath());
    if (!folder.isDir() || !folder.isWritable())
        return cannotWrite(file, QObject::tr("the folder is not there or may not be written"));
    QPrinter printer(QPrinter::ScreenResolution);
    printer.setOutputFormat(QPrinter::PdfFormat);
    printer.setPageSize(QPageSize(QPageSize::A4));
    printer.setPageMargins(QMarginsF(2, 2, 2, 2), QPageLayout::Millimeter); // printing adds 20 mm and the page number
    printer.setOutputFileName(file);
    QTextDocument document;
    document.setHtml(q(html));
    document.print(&printer);
    if (QFileInfo(file).size() == 0)
        return cannotWrite(file, QObject::tr("nothing was printed"));
    return {};
}

} // namespace

Status exportReport(const Store& store, const Catalogue& catalogue, const SessionId& session, const QString& file)
{
    const QString suffix = QFileInfo(file).suffix().toLower();
    const bool pdf = suffix == QStringLiteral("pdf");
    ReportFormat format = ReportFormat::html;
    if (suffix == QStringLiteral("md"))
        format = ReportFormat::markdown;
    else if (suffix == QStringLiteral("json"))
        format = ReportFormat::json;
    else if (pdf)
        format = ReportFormat::print;
    else if (suffix != QStringLiteral("html"))
        return cannotWrite(file, QObject::tr("the suffix must be html, pdf, md or json"));
    const Result<std::string> text = renderReport(store, catalogue, session, format);
    if (!text)
        return text.error();
    return pdf ? writePdf(file, *text) : writeText(file, *text);
}

} // namespace kl
