// SPDX-License-Identifier: MIT
#include "ui/pages/home/program_dialog.h"

#include "ui/style/theme.h"
#include "ui/widgets/reasoned_button.h"
#include "ui/widgets/text.h"

#include <QApplication>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <string_view>

namespace kl::ui {
namespace {

constexpr int kProgramDialogWidth = 620;

} // namespace

ProgramDialog::ProgramDialog(StepWriter writer, QString database, QWidget* parent)
    : QDialog(parent), writer_(std::move(writer)), database_(std::move(database)), program_(new QLineEdit(this)),
      command_(new QLineEdit(this))
{
    setWindowTitle(tr("Profile a program"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(kGapPage, kGapBetween, kGapPage, kGapBetween);
    column->setSpacing(kGapInside);
    QLabel* how = makeLabel(tr("The program runs in a terminal as it always does. When it ends, its kernels are on the Diagnose page, most "
                               "time to save first."),
                            TextRole::body, this);
    how->setWordWrap(true);
    column->addWidget(how);
    column->addWidget(makeLabel(tr("Program with its arguments"), TextRole::caption, this));
    program_->setObjectName(QStringLiteral("program"));
    program_->setAccessibleName(tr("Program with its arguments"));
    program_->setPlaceholderText(QStringLiteral("python3 train.py"));
    column->addWidget(program_);
    column->addWidget(makeLabel(tr("Run this in a terminal"), TextRole::caption, this));
    auto* row = new QHBoxLayout;
    command_->setObjectName(QStringLiteral("command"));
    command_->setReadOnly(true);
    command_->setFont(makeFont(TextRole::code));
    command_->setAccessibleName(tr("Command that profiles the program"));
    QPushButton* copy = makeButton(tr("Copy"), true, this);
    copy->setObjectName(QStringLiteral("copyCommand"));
    connect(copy, &QPushButton::clicked, this, [this] { QApplication::clipboard()->setText(command_->text()); });
    row->addWidget(command_, 1);
    row->addWidget(copy);
    column->addLayout(row);
    column->addStretch(1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    column->addWidget(buttons);
    connect(program_, &QLineEdit::textChanged, this, &ProgramDialog::showCommand);
    setMinimumWidth(kProgramDialogWidth);
    showCommand();
}

void ProgramDialog::showCommand()
{
    constexpr const char* kProgram = "PROGRAM"; // one word, for which the user's, with its arguments, is put as it was typed
    NextStep step{StepId::profileProgram, {}, {}};
    step.set(StepArgument::program, kProgram);
    if (!database_.isEmpty())
        step.set(StepArgument::database, utf8(database_));
    const QString program = program_->text().trimmed().isEmpty() ? program_->placeholderText() : program_->text().trimmed();
    QString command = writer_ ? q(writer_(step)) : QString::fromLatin1(kProgram);
    if (const qsizetype at = command.lastIndexOf(QLatin1String(kProgram)); at >= 0)
        command.replace(at, static_cast<qsizetype>(std::string_view(kProgram).size()), program);
    command_->setText(command);
    command_->setCursorPosition(0);
}

} // namespace kl::ui
