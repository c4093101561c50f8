// SPDX-License-Identifier: MIT
#include "ui/window/one_page.h"

#include <QAbstractTextDocumentLayout>
#include <QPainter>
#include <QPrinter>
#include <QTextDocument>

namespace kl::ui {
namespace {

constexpr double kPaperMargin = 10;     ///< mm
constexpr double kLeastTextWidth = 600; ///< pixels; a wider text is printed smaller
constexpr double kMostTextWidth = 4000;
constexpr double kStepOfWidth = 1.03;

} // namespace

void printOnOnePage(QTextDocument& document, QPrinter& printer)
{
    printer.setPageSize(QPageSize(QPageSize::A4));
    printer.setPageMargins(QMarginsF(kPaperMargin, kPaperMargin, kPaperMargin, kPaperMargin), QPageLayout::Millimeter);
    const QRectF page = printer.pageRect(QPrinter::DevicePixel);
    document.setDocumentMargin(0);
    double width = kLeastTextWidth;
    for (; width < kMostTextWidth; width *= kStepOfWidth) {
        document.setTextWidth(width);
        if (document.size().width() <= width && document.size().height() <= width * page.height() / page.width())
            break;
    }
    QPainter painter(&printer);
    painter.scale(page.width() / width, page.width() / width);
    document.drawContents(&painter);
}

} // namespace kl::ui
