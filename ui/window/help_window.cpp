// SPDX-License-Identifier: MIT
#include "ui/window/help_window.h"

#include "core/base/try.h"
#include "core/base/write_file.h"
#include "ui/context/app_context.h"
#include "ui/pages/session/report_export.h"
#include "ui/style/theme.h"
#include "ui/widgets/file_choice.h"
#include "ui/widgets/saved_message.h"
#include "ui/widgets/text.h"
#include "ui/window/one_page.h"

#include <QDesktopServices>
#include <QDialogButtonBox>
#include <QFileInfo>
#include <QListWidget>
#include <QPrintDialog>
#include <QPrinter>
#include <QPushButton>
#include <QTextBrowser>
#include <QTextDocument>
#include <QUrl>
#include <QVBoxLayout>

namespace kl::ui {
namespace {

constexpr QSize kHelpSize(980, 720);
constexpr int kListWidth = 250;

} // namespace

HelpWindow::HelpWindow(AppContext& context, QWidget* parent)
    : Dialog(parent), context_(context), pages_(helpPages(context)), list_(new QListWidget(this)), text_(new QTextBrowser(this))
{
    setWindowTitle(tr("Help"));
    list_->setObjectName(QStringLiteral("helpPages"));
    list_->setAccessibleName(tr("Pages of the help"));
    list_->setFixedWidth(kListWidth);
    for (const HelpPage& page : pages_)
        list_->addItem(page.title);
    text_->setObjectName(QStringLiteral("helpText"));
    text_->setOpenLinks(false);
    text_->document()->setDocumentMargin(kGapPage);
    auto* columns = new QHBoxLayout;
    columns->addWidget(list_);
    columns->addWidget(text_, 1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    const auto add = [&](const QString& words, const char* name, auto action) {
        QPushButton* button = buttons->addButton(words, QDialogButtonBox::ActionRole);
        button->setObjectName(QString::fromLatin1(name));
        connect(button, &QPushButton::clicked, this, action);
    };
    add(tr("Print…"), "helpPrint", &HelpWindow::print);
    add(tr("Save…"), "helpSave", &HelpWindow::save);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* whole = new QVBoxLayout(this);
    whole->addLayout(columns, 1);
    whole->addWidget(buttons);
    connect(list_, &QListWidget::currentRowChanged, this, [this] {
        const HelpPage& page = current();
        text_->setAccessibleName(page.title);
        // Reports are written for paper.
        text_->setStyleSheet(page.html ? QStringLiteral("background: white; color: black;") : QString());
        page.html ? text_->setHtml(page.text) : text_->setMarkdown(page.text);
    });
    connect(text_, &QTextBrowser::anchorClicked, this, &HelpWindow::follow);
    list_->setCurrentRow(0);
    resize(kHelpSize.boundedTo(parent->size()));
}

const HelpPage& HelpWindow::current() const
{
    return pages_[static_cast<std::size_t>(std::max(0, list_->currentRow()))];
}

void HelpWindow::showPage(const QString& id)
{
    for (std::size_t i = 0; i < pages_.size(); ++i)
        if (pages_[i].id == id)
            list_->setCurrentRow(static_cast<int>(i));
}

void HelpWindow::follow(const QUrl& link)
{
    if (link.scheme() == QStringLiteral("help"))
        showPage(link.path());
    else
        QDesktopServices::openUrl(link);
}

void HelpWindow::print()
{
    QPrinter printer;
    QPrintDialog dialog(&printer, this);
    if (dialog.exec() != QDialog::Accepted)
        return;
    printTo(printer);
}

void HelpWindow::printTo(QPrinter& printer) const
{
    QTextDocument document;
    document.setHtml(pageHtml());
    if (current().html) // the quick reference
        printOnOnePage(document, printer);
    else
        document.print(&printer);
}

QString HelpWindow::pageHtml() const
{
    return current().html ? current().text : text_->document()->toHtml();
}

Status HelpWindow::savePage(const QString& file) const
{
    const QString suffix = QFileInfo(file).suffix().toLower();
    if (suffix == QStringLiteral("pdf") && !current().html)
        return writePdf(file, utf8(pageHtml()));
    if (suffix == QStringLiteral("pdf")) {
        KL_TRY(checkWritable(utf8(file)));
        QPrinter printer(QPrinter::ScreenResolution);
        printer.setOutputFormat(QPrinter::PdfFormat);
        printer.setOutputFileName(file);
        printTo(printer);
        return {};
    }
    return writeFile(utf8(file), utf8(suffix == QStringLiteral("md") ? text_->document()->toMarkdown() : pageHtml()));
}

void HelpWindow::save()
{
    const QString file = chooseNewFile(this, tr("Save Page"), current().id + QStringLiteral(".pdf"),
                                       tr("PDF (*.pdf);;HTML (*.html);;Markdown (*.md)"), QStringLiteral("saved-reports"));
    if (file.isEmpty())
        return;
    if (const Status saved = savePage(file); !saved)
        context_.post(saved.error(), tr("Could not save the page"));
    else
        context_.post(makeSavedMessage(tr("Saved as %1").arg(file), file));
}

} // namespace kl::ui
