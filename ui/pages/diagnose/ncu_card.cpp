// SPDX-License-Identifier: MIT
#include "ui/pages/diagnose/ncu_card.h"

#include "core/base/format.h"
#include "core/diagnosis/classes.h"
#include "profiler/import/ncu_opinion.h"
#include "ui/style/theme.h"
#include "ui/widgets/reasoned_button.h"
#include "ui/widgets/text.h"

#include <QFileInfo>
#include <QLabel>
#include <QPushButton>
#include <QStringList>
#include <QVBoxLayout>

namespace kl::ui {
namespace {

QLabel* addLine(QVBoxLayout* column, const QString& text, TextRole role, QWidget* parent)
{
    QLabel* label = makeLabel(text, role, parent);
    label->setWordWrap(true);
    column->addWidget(label);
    return label;
}

/// "High Pipe Utilization · est. 81.8 % of the whole", "… of its part".
QString describeRule(const RuleResult& rule)
{
    QString head = q(rule.title.empty() ? rule.rule : rule.title);
    if (rule.speedupPercent)
        head += NcuCard::tr(" · est. %1 %2")
                    .arg(q(formatPercent(*rule.speedupPercent)),
                         rule.speedupScope == "global" ? NcuCard::tr("of the kernel") : NcuCard::tr("local"));
    return head;
}

} // namespace

NcuCard::NcuCard(QWidget* parent) : Card(tr("Nsight Compute rules"), parent), rows_(new QVBoxLayout)
{
    rows_->setSpacing(kGapInside);
    body()->addLayout(rows_);
    more_ = makeLinkButton({}, this);
    more_->setObjectName(QStringLiteral("ncuWords"));
    connect(more_, &QPushButton::clicked, this, [this] {
        open_ = !open_;
        showTexts();
    });
    body()->addWidget(more_, 0, Qt::AlignLeft);
}

void NcuCard::showTexts()
{
    for (QLabel* text : texts_)
        text->setVisible(open_);
    more_->setText(open_ ? tr("Show titles only") : tr("Show full text"));
    more_->setVisible(!texts_.empty());
}

void NcuCard::setRun(const RunRecord& run)
{
    clearLayout(rows_);
    texts_.clear();
    const bool any = run.imported && run.metrics && !run.imported->rules.empty();
    setVisible(any);
    if (!any)
        return;
    const auto opinion = ncuOpinion(run.imported->rules, *run.metrics);
    const bool same = opinion && run.diagnosis && opinion->classId == run.diagnosis->finding.classId;
    setCaption(!opinion ? tr("Its rules do not name a bottleneck.")
               : same   ? tr("Its top rule also points to %1.").arg(q(classTitle(opinion->classId)))
                        : tr("Its top rule points to %1 instead.").arg(q(classTitle(opinion->classId))));
    if (opinion)
        addRule(*opinion->rule, true);
    for (const RuleResult& rule : run.imported->rules)
        if (rule.kind == "optimization" && !(opinion && opinion->rule == &rule))
            addRule(rule, false);
    showTexts();
}

void NcuCard::addRule(const RuleResult& rule, bool top)
{
    auto* row = new QVBoxLayout;
    row->setSpacing(2);
    addLine(row, describeRule(rule), TextRole::body, this);
    if (!rule.text.empty()) {
        QLabel* text = addLine(row, q(rule.text), TextRole::caption, this);
        if (!top)
            texts_.push_back(text);
    }
    QStringList shownWords; // ncu repeats a finding for each instruction of a line
    for (const RulePlace& place : rule.places) {
        const QString words = QStringLiteral("%1:%2 · %3").arg(QFileInfo(q(place.file)).fileName()).arg(place.line).arg(q(place.text));
        if (shownWords.contains(words))
            continue;
        shownWords << words;
        addLine(row, words, TextRole::caption, this)->setToolTip(q(place.file));
    }
    rows_->addLayout(row);
}

} // namespace kl::ui
