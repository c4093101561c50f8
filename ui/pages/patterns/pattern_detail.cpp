// SPDX-License-Identifier: MIT
#include "ui/pages/patterns/pattern_detail.h"

#include "core/base/format.h"
#include "ui/pages/shared/code_pair.h"
#include "ui/style/theme.h"
#include "ui/widgets/copy_card.h"
#include "ui/widgets/reasoned_button.h"
#include "ui/widgets/text.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace kl::ui {
namespace {

constexpr const char* kBuildPattern = "single-compilation-unit"; ///< its recipe is filled in from a check of the environment

QString formatNumbered(const std::vector<std::string>& lines)
{
    QStringList text;
    for (std::size_t i = 0; i < lines.size(); ++i)
        text << QStringLiteral("%1. %2").arg(i + 1).arg(q(lines[i]));
    return text.join(u'\n');
}

QString formatBoxes(const std::vector<std::string>& lines)
{
    QStringList text;
    for (const std::string& line : lines)
        text << QStringLiteral("☐ ") + q(line);
    return text.join(u'\n');
}

} // namespace

PatternDetail::PatternDetail(QWidget* parent) : Card({}, parent)
{
    when_ = addPart(tr("When"), "patternWhenText");
    problem_ = addPart(tr("Problem"), "patternProblemText");
    advice_ = addPart(tr("What to do"), "patternAdviceText");
    why_ = addPart(tr("Why"), "patternWhy");
    evidence_ = addPart(tr("Evidence"), "patternEvidence");
    steps_ = addPart(tr("Steps"), "patternSteps");
    code_ = new CodePair(this);
    body()->addWidget(code_);
    example_ = addPart(tr("Example"), "patternExample");
    checklist_ = addPart(tr("Checklist"), "patternChecklist");
    savings_ = addPart(tr("Saves"), "patternSavings");
    return_ = addPart(tr("Return on cost to learn"), "patternReturn");
    uses_ = addPart(tr("Uses"), "patternUses");
    origin_ = addPart(tr("Origin"), "patternOrigin");
    fill_ = makeLinkButton(tr("Fill in the build recipe from an environment check"), this);
    fill_->setObjectName(QStringLiteral("fillRecipe"));
    connect(fill_, &QPushButton::clicked, this, &PatternDetail::recipeRequested);
    body()->addWidget(fill_, 0, Qt::AlignLeft);
    recipe_ = new CopyCard(tr("Build recipe"), QStringLiteral("patternRecipe"), this);
    body()->addWidget(recipe_);
    apply_ = new ReasonedButton(tr("Apply in session"), true, this);
    apply_->button()->setObjectName(QStringLiteral("applyPattern"));
    connect(apply_, &ReasonedButton::clicked, this, &PatternDetail::applyRequested);
    edit_ = new ReasonedButton({}, false, this);
    edit_->button()->setObjectName(QStringLiteral("editPattern"));
    connect(edit_, &ReasonedButton::clicked, this, &PatternDetail::editRequested);
    retire_ = new ReasonedButton({}, false, this);
    retire_->button()->setObjectName(QStringLiteral("retirePattern"));
    connect(retire_, &ReasonedButton::clicked, this, [this] { emit retireRequested(!retired_); });
    for (ReasonedButton* button : {apply_, edit_, retire_})
        body()->addWidget(button);
    body()->addStretch(1);
}

QLabel* PatternDetail::addPart(const QString& heading, const char* name)
{
    auto* part = new QWidget(this);
    auto* column = new QVBoxLayout(part);
    column->setContentsMargins(0, 0, 0, kGapTight);
    column->setSpacing(2);
    column->addWidget(makeLabel(heading, TextRole::caption, part));
    QLabel* label = makeLabel({}, TextRole::body, part);
    label->setObjectName(QString::fromLatin1(name));
    label->setTextFormat(Qt::PlainText); // patterns may come from a bundle
    label->setWordWrap(true);
    column->addWidget(label);
    body()->addWidget(part);
    return label;
}

void PatternDetail::setPart(QLabel* label, const QString& text)
{
    label->setText(text);
    label->parentWidget()->setVisible(!text.isEmpty());
}

void PatternDetail::show(const PatternRow& row, const PatternBody& body, bool retired, const QString& uses)
{
    const Pattern& pattern = row.pattern;
    const bool own = pattern.kind == "own";
    retired_ = retired;
    setTitle(q(pattern.title));
    setCaption((pattern.label.empty() ? QString() : tr("No. %1 · ").arg(q(pattern.label))) + q(pattern.kind) + QStringLiteral(" · ") +
               q(pattern.slug) + (retired ? tr(" · retired: no longer suggested") : QString()));
    setPart(when_, occasionText(pattern.when));
    setPart(problem_, q(pattern.problem));
    setPart(advice_, q(pattern.advice));
    setPart(why_, q(body.why));
    setPart(evidence_, q(body.evidence));
    setPart(steps_, formatNumbered(body.steps));
    code_->setCode(exact(body.before), exact(body.after), {});
    setPart(example_, q(body.example));
    setPart(checklist_, formatBoxes(body.checklist));
    setPart(savings_,
            tr("Claimed: %1 per use\nMeasured here: %2")
                .arg(formatQuoted(pattern), row.gained.measuredMinutes ? q(formatMinutes(*row.gained.measuredMinutes)) : tr("none yet")));
    setPart(return_, returnText(row.gained));
    setPart(uses_, uses);
    setPart(origin_, pattern.origin.empty() ? tr("Your own") : q(pattern.origin));
    fill_->setVisible(pattern.slug == kBuildPattern);
    recipe_->hide();
    edit_->setText(own ? tr("Edit…") : tr("Copy as my own…"));
    retire_->setVisible(own);
    retire_->setText(retired ? tr("Restore") : tr("Retire"));
}

void PatternDetail::setRecipe(const QString& markdown)
{
    recipe_->setText(markdown);
    recipe_->show();
}

void PatternDetail::setReasons(const QString& apply, const QString& write)
{
    apply_->setReason(apply);
    edit_->setReason(write);
    retire_->setReason(write);
}

} // namespace kl::ui
