// SPDX-License-Identifier: MIT
#include "ui/window/one_page.h"

#include <gtest/gtest.h>

#include <QFile>
#include <QPrinter>
#include <QTemporaryDir>
#include <QTextDocument>

namespace kl::ui {
namespace {

class OnePage : public testing::Test {
protected:
    /// Prints the text; the width to which it was set.
    double print(const QString& html)
    {
        QPrinter printer(QPrinter::ScreenResolution);
        printer.setOutputFormat(QPrinter::PdfFormat);
        printer.setOutputFileName(folder.filePath("page.pdf"));
        document.setHtml(html);
        printOnOnePage(document, printer);
        const QRectF page = printer.pageRect(QPrinter::DevicePixel);
        shape = page.height() / page.width();
        margin = printer.pageLayout().margins(QPageLayout::Millimeter).left();
        return document.textWidth();
    }
    static QString lines(int count)
    {
        QString html;
        for (int i = 0; i < count; ++i)
            html += QStringLiteral("<p>line %1</p>").arg(i);
        return html;
    }
    QTemporaryDir folder;
    QTextDocument document;
    double shape = 0;
    double margin = 0;
};

TEST_F(OnePage, WhatIsWideIsPrintedSmallerAndNotCut)
{
    const double usual = print("<p>short</p>");
    const double wide = print("<table width=\"1500\"><tr><td>wide</td></tr></table>");
    EXPECT_GT(wide, usual);
    EXPECT_GE(wide, 1500);
    EXPECT_LE(document.size().width(), wide);
    EXPECT_LT(wide, 1500 * 1.1) << "as large as it fits";
}

TEST_F(OnePage, WhatIsLongIsPrintedSmallerUntilItFits)
{
    const double usual = print(lines(3));
    const double tall = print(lines(100));
    EXPECT_GT(tall, usual);
    EXPECT_LE(document.size().height(), tall * shape);
    EXPECT_GT(shape, 1.3) << "A4, upright";
    EXPECT_EQ(print(lines(3)), usual);
    EXPECT_DOUBLE_EQ(document.documentMargin(), 0);
    EXPECT_NEAR(margin, 10, 0.5);
    EXPECT_TRUE(QFile::exists(folder.filePath("page.pdf")));
}

} // namespace
} // namespace kl::ui
