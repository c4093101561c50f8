// SPDX-License-Identifier: MIT
#include "ui/pages/environment/repairs_card.h"

#include "ui/style/theme.h"
#include "ui/widgets/breakable.h"
#include "ui/widgets/reasoned_button.h"
#include "ui/widgets/text.h"

#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace kl::ui {
namespace {

constexpr int kOutputHeight = 120;
constexpr std::size_t kOutputKept = 20000; ///< characters of a repair's output

/// How one repair went.
struct Ran {
    bool done = false;
    std::string output;
};

Ran runOne(const Repair& repair, const Job& job)
{
    Ran ran;
    job.report("running " + repair.command);
    ran.done = runRepair(repair, [&](std::string_view text) {
        ran.output += text;
        if (ran.output.size() > kOutputKept)
            ran.output.erase(0, ran.output.size() - kOutputKept);
    });
    return ran;
}

} // namespace

RepairsCard::RepairsCard(AppContext& context, QWidget* parent)
    : Card(tr("How to fix"), parent), context_(context), rows_(new QVBoxLayout), question_(new QWidget(this)),
      command_(makeBreakableLabel({}, TextRole::code, this)), output_(new QPlainTextEdit(this))
{
    body()->addLayout(rows_);
    auto* column = new QVBoxLayout(question_);
    column->setContentsMargins(0, kGapInside, 0, 0);
    column->addWidget(makeLabel(tr("This runs in your shell on this machine. Run it?"), TextRole::body, question_));
    column->addWidget(command_);
    auto* buttons = new QHBoxLayout;
    QPushButton* yes = makeButton(tr("Run"), false, question_);
    yes->setObjectName(QStringLiteral("repairRun"));
    QPushButton* no = makeButton(tr("Don't run"), true, question_);
    no->setObjectName(QStringLiteral("repairRefuse"));
    buttons->addWidget(yes);
    buttons->addWidget(no);
    buttons->addStretch(1);
    column->addLayout(buttons);
    connect(yes, &QPushButton::clicked, this, &RepairsCard::run);
    connect(no, &QPushButton::clicked, question_, &QWidget::hide);
    body()->addWidget(question_);
    question_->hide();
    output_->setReadOnly(true);
    output_->setFont(makeFont(TextRole::code));
    output_->setAccessibleName(tr("Output of the fix"));
    output_->setMaximumHeight(kOutputHeight);
    output_->hide();
    body()->addWidget(output_);
}

void RepairsCard::show(const CheckedMachine& checked)
{
    clearLayout(rows_);
    question_->hide();
    const bool here = checked.device.kind == DeviceKind::local;
    // What is missing on this machine says nothing about another one.
    const std::vector<Repair> repairs = here ? listRepairs(checked.report) : std::vector<Repair>();
    setCaption(!here             ? tr("Fixes are for this machine only. Choose it above to see them.")
               : repairs.empty() ? tr("Nothing failed.")
                                 : tr("Each runs only after you agree to its command. Then the check runs again."));
    for (const Repair& repair : repairs) {
        auto* row = new QWidget(this);
        auto* cells = new QHBoxLayout(row);
        cells->setContentsMargins(0, 0, 0, 0);
        QLabel* check = makeLabel(q(repair.check), TextRole::body, row);
        check->setMinimumWidth(fontMetrics().averageCharWidth() * 18);
        cells->addWidget(check, 0, Qt::AlignTop);
        QLabel* text = repair.command.empty() ? makeLabel(tr("By hand: %1").arg(q(repair.text)), TextRole::caption, row)
                                              : makeBreakableLabel(q(repair.command), TextRole::code, row);
        text->setWordWrap(true);
        cells->addWidget(text, 1);
        if (!repair.command.empty()) {
            QPushButton* fix = makeButton(tr("Fix…"), false, row);
            fix->setObjectName(QStringLiteral("fix-") + q(repair.check));
            connect(fix, &QPushButton::clicked, this, [this, repair] { ask(repair); });
            cells->addWidget(fix, 0, Qt::AlignTop);
        }
        rows_->addWidget(row);
    }
}

void RepairsCard::ask(const Repair& repair)
{
    requested_ = repair;
    command_->setText(breakable(q(repair.command)));
    question_->show();
}

void RepairsCard::run()
{
    question_->hide();
    if (!requested_)
        return;
    job_.start(
        tr("Fixing %1").arg(q(requested_->check)), [repair = *requested_](const Job& job) { return runOne(repair, job); },
        [this, check = q(requested_->check)](const Ran& ran) {
            output_->setPlainText(exact(ran.output));
            output_->setVisible(!ran.output.empty());
            context_.post(
                ran.done
                    ? Message{MessageLevel::success, tr("Fixed: %1").arg(check), tr("Checking again."), {}}
                    : Message{MessageLevel::error, tr("Fixing %1 failed").arg(check), tr("Its output is on the page Environment."), {}});
            emit repaired();
        });
    requested_.reset();
}

} // namespace kl::ui
