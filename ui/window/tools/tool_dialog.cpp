// SPDX-License-Identifier: MIT
#include "ui/window/tools/tool_dialog.h"

#include "ui/style/theme.h"
#include "ui/widgets/reasoned_button.h"
#include "ui/widgets/text.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>

namespace kl::ui {
namespace {

constexpr QSize kToolSize(720, 480);

} // namespace

ToolDialog::ToolDialog(AppContext& context, const QString& title, const QString& about, const QString& action, QWidget* parent)
    : Dialog(parent), context_(context), form_(new QFormLayout), start_(new ReasonedButton(action, true, this)),
      answer_(makeLabel({}, TextRole::body, this)), table_(new QTableWidget(this))
{
    setWindowTitle(title);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(kGapPage, kGapBetween, kGapPage, kGapBetween);
    column->setSpacing(kGapInside);
    QLabel* words = makeLabel(about, TextRole::caption, this);
    words->setWordWrap(true);
    column->addWidget(words);
    form_->setFieldGrowthPolicy(QFormLayout::ExpandingFieldsGrow);
    form_->setHorizontalSpacing(kGapBetween);
    column->addLayout(form_);
    start_->button()->setObjectName(QStringLiteral("toolStart"));
    connect(start_, &ReasonedButton::clicked, this, [this] { start(); });
    column->addWidget(start_);
    answer_->setObjectName(QStringLiteral("toolAnswer"));
    answer_->setWordWrap(true);
    column->addWidget(answer_);
    table_->setObjectName(QStringLiteral("toolTable"));
    table_->setAccessibleName(title);
    table_->setTabKeyNavigation(false);
    table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->verticalHeader()->hide();
    table_->horizontalHeader()->setStretchLastSection(true);
    table_->hide();
    column->addWidget(table_, 1);
    column->addStretch(0);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    column->addWidget(buttons);
    resize(kToolSize);
}

void ToolDialog::setReason(const QString& reason)
{
    start_->setReason(reason);
}

void ToolDialog::showBusy(const QString& sentence)
{
    answer_->setText(sentence);
    start_->button()->setEnabled(false);
    table_->hide();
}

void ToolDialog::showAnswer(const QString& sentence, const QStringList& columns, const std::vector<QStringList>& rows)
{
    start_->button()->setEnabled(true);
    answer_->setText(sentence);
    table_->clear();
    table_->setColumnCount(static_cast<int>(columns.size()));
    table_->setHorizontalHeaderLabels(columns);
    table_->setRowCount(static_cast<int>(rows.size()));
    for (int row = 0; row < table_->rowCount(); ++row)
        for (int column = 0; column < table_->columnCount(); ++column)
            table_->setItem(row, column, new QTableWidgetItem(rows[static_cast<std::size_t>(row)].value(column)));
    table_->resizeColumnsToContents();
    table_->setVisible(!rows.empty());
}

void ToolDialog::showFailure(const Error& error)
{
    showAnswer(q(error.message) + (error.hint.empty() ? QString() : u'\n' + q(error.hint)), {}, {});
}

} // namespace kl::ui
