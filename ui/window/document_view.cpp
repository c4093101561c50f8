// SPDX-License-Identifier: MIT
#include "ui/window/document_view.h"

#include "ui/style/tokens.h"

#include <QDialogButtonBox>
#include <QPushButton>
#include <QTextBrowser>
#include <QVBoxLayout>

namespace kl::ui {

DocumentView::DocumentView(const QString& title, const QString& html, const std::function<void()>& save, QWidget* parent) : QDialog(parent)
{
    constexpr QSize kSize(860, 720);
    setWindowTitle(title);
    auto* text = new QTextBrowser(this);
    text->setAccessibleName(title);
    text->setOpenExternalLinks(true);
    text->setStyleSheet(QStringLiteral("background: white; color: black;")); // reports are written for paper
    text->document()->setDocumentMargin(kGapPage);
    text->setHtml(html);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    if (save)
        connect(buttons->addButton(tr("Save…"), QDialogButtonBox::ActionRole), &QPushButton::clicked, this, save);
    auto* column = new QVBoxLayout(this);
    column->addWidget(text, 1);
    column->addWidget(buttons);
    resize(kSize.boundedTo(parent->size()));
}

} // namespace kl::ui
