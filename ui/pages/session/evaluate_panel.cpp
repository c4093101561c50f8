// SPDX-License-Identifier: MIT
#include "ui/pages/session/evaluate_panel.h"

#include "core/base/format.h"
#include "core/stats/ab.h"
#include "core/stats/ratio_text.h"
#include "ui/pages/session/slope_chart.h"
#include "ui/style/theme.h"
#include "ui/widgets/breakable.h"
#include "ui/widgets/card.h"
#include "ui/widgets/mark_label.h"
#include "ui/widgets/reasoned_button.h"
#include "ui/widgets/text.h"

#include <QCheckBox>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace kl::ui {
namespace {

/// Every sample of one side of the interleaved blocks, summarized.
std::optional<Summary> summarizeSide(const SessionView& view, std::vector<double> AbBlock::*side)
{
    if (!view.evaluation)
        return {};
    std::vector<double> all;
    for (const AbBlock& block : view.evaluation->data)
        all.insert(all.end(), (block.*side).begin(), (block.*side).end());
    if (all.empty())
        return {};
    return summarize(all);
}

const NextAction* findAction(const SessionView& view, SessionAction action)
{
    for (const NextAction& next : view.next)
        if (next.action == action)
            return &next;
    return nullptr;
}

void showOffer(ReasonedButton& button, const ActionOffer& offer, const QString& busy)
{
    button.setReason(busy.isEmpty() ? q(offer.reason) : busy);
    button.button()->setEnabled(busy.isEmpty() && offer.enabled);
}

} // namespace

EvaluatePanel::EvaluatePanel(QWidget* parent)
    : QWidget(parent), slope_(new SlopeChart(this)), mark_(new MarkLabel(Mark::none, {}, this)),
      sentence_(makeBreakableLabel({}, TextRole::card, this)), figures_(makeLabel({}, TextRole::caption, this)),
      keep_(new ReasonedButton(tr("Keep"), true, this)), revert_(new ReasonedButton(tr("Revert"), false, this)),
      park_(new ReasonedButton(tr("Set aside"), false, this)), cumulative_(new QCheckBox(tr("Cumulative: keep small improvements"), this)),
      parked_(makeLabel({}, TextRole::body, this))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    auto* card = new Card(tr("Before and after"), this);
    card->tools()->addWidget(mark_);
    sentence_->setWordWrap(true);
    figures_->setWordWrap(true);
    card->body()->addWidget(sentence_);
    card->body()->addWidget(figures_);
    card->body()->addWidget(slope_, 1);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(keep_);
    buttons->addWidget(park_);
    buttons->addWidget(revert_);
    buttons->addStretch(1);
    parked_->setWordWrap(true);
    parked_->setObjectName(QStringLiteral("parked"));
    card->body()->addWidget(parked_);
    card->body()->addLayout(buttons);
    cumulative_->setObjectName(QStringLiteral("cumulative"));
    cumulative_->setToolTip(tr("A step whose interval is above 1 is set aside. Steps set aside are kept together once the product of the "
                               "lower bounds of their intervals reaches what Keep requires."));
    card->body()->addWidget(cumulative_);
    connect(cumulative_, &QCheckBox::clicked, this, &EvaluatePanel::cumulativeChosen);
    connect(park_, &ReasonedButton::clicked, this, [this] { emit actionRequested(SessionAction::park); });
    park_->button()->setObjectName(QStringLiteral("park"));
    column->addWidget(card);
    keep_->button()->setObjectName(QStringLiteral("keep"));
    revert_->button()->setObjectName(QStringLiteral("revert"));
    connect(keep_, &ReasonedButton::clicked, this, [this] { emit actionRequested(SessionAction::keep); });
    connect(revert_, &ReasonedButton::clicked, this, [this] { emit actionRequested(SessionAction::revert); });
}

void EvaluatePanel::setView(const SessionView& view)
{
    const QString candidate = view.candidate ? q(toText(*view.candidate)) : tr("candidate");
    slope_->setTimes(q(toText(view.current)), summarizeSide(view, &AbBlock::a), candidate, summarizeSide(view, &AbBlock::b));
    mark_->setVisible(view.evaluation.has_value());
    figures_->setVisible(view.evaluation && view.evaluation->ratio);
    if (!view.evaluation) {
        sentence_->setText(tr("Before and after have not been measured yet."));
    } else {
        mark_->set(view.evaluation->verdict);
        sentence_->setText(breakable(q(view.evaluation->sentence)));
        if (const auto& ratio = view.evaluation->ratio)
            figures_->setText(tr("Improvement %1 (95 % CI %2), %3 interleaved blocks")
                                  .arg(q(formatRatio(ratio->value)), q(intervalText(*ratio)))
                                  .arg(view.evaluation->blocks));
    }
    setDecisions(view);
    setParked(view);
}

void EvaluatePanel::setParked(const SessionView& view)
{
    cumulative_->setChecked(view.cumulative);
    cumulative_->setVisible(!isOver(view));
    park_->setVisible(findAction(view, SessionAction::park) != nullptr);
    QStringList lines;
    for (const ParkedStep& step : view.parked)
        lines << tr("Set aside: %1, %2").arg(q(toText(step.to)), q(ratioText(step.ratio)));
    if (view.parkedRatio)
        lines << tr("Total: %1").arg(q(ratioText(*view.parkedRatio)));
    parked_->setText(lines.join(u'\n'));
    parked_->setVisible(!lines.isEmpty());
}

void EvaluatePanel::setDecisions(const SessionView& view)
{
    const NextAction* keep = findAction(view, SessionAction::keep);
    const NextAction* revert = findAction(view, SessionAction::revert);
    keepOffer_ = findOffer(view, SessionAction::keep);
    revertOffer_ = findOffer(view, SessionAction::revert);
    keep_->setVisible(keepOffer_.offered); // once it is decided, the gate card offers the undo
    revert_->setVisible(revertOffer_.offered);
    keep_->button()->setToolTip(keep ? q(keep->title) : QString());
    revert_->button()->setToolTip(revert ? q(revert->title) : QString());
    const bool keepFirst = !view.next.empty() && view.next.front().action == SessionAction::keep;
    keep_->button()->setProperty("primary", keepFirst);
    revert_->button()->setProperty("primary", !keepFirst && !view.next.empty() && view.next.front().action == SessionAction::revert);
    park_->button()->setProperty("primary", !view.next.empty() && view.next.front().action == SessionAction::park);
    setBusy({});
}

bool EvaluatePanel::offers(SessionAction action) const
{
    const ReasonedButton* button = action == SessionAction::keep     ? keep_
                                   : action == SessionAction::revert ? revert_
                                   : action == SessionAction::park   ? park_
                                                                     : nullptr;
    return button && !isHidden() && !button->isHidden();
}

void EvaluatePanel::setBusy(const QString& reason)
{
    park_->setReason(reason);
    cumulative_->setEnabled(reason.isEmpty());
    showOffer(*keep_, keepOffer_, reason);
    showOffer(*revert_, revertOffer_, reason);
}

} // namespace kl::ui
