// SPDX-License-Identifier: MIT
#include "ui/pages/session/gate_card.h"

#include "ui/context/step_doors.h"
#include "ui/models/env_check_model.h"
#include "ui/style/theme.h"
#include "ui/widgets/breakable.h"
#include "ui/widgets/decimal_mark.h"
#include "ui/widgets/flow_layout.h"
#include "ui/widgets/mark_label.h"
#include "ui/widgets/reasoned_button.h"
#include "ui/widgets/text.h"

#include <QGridLayout>
#include <QLabel>
#include <QPushButton>

#include <algorithm>

namespace kl::ui {
namespace {

QLabel* makeWrappedLabel(TextRole role, QWidget* parent)
{
    QLabel* label = makeLabel({}, role, parent);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    label->setFocusPolicy(Qt::NoFocus);
    return label;
}

void setOrHide(QLabel* label, const QString& text)
{
    label->setText(text);
    label->setVisible(!text.isEmpty());
}

/// The environment checks are named by ids.
QString nameCheck(const CheckRow& row)
{
    return row.title != row.id || row.id.empty() ? q(row.title) : checkName(row.id);
}

} // namespace

GateCard::GateCard(QWidget* parent)
    : Card({}, parent), mark_(new MarkLabel(Mark::none, {}, this)), rule_(makeWrappedLabel(TextRole::body, this)), rows_(new QWidget(this)),
      grid_(new QGridLayout(rows_)), verdict_(makeWrappedLabel(TextRole::body, this)), stale_(makeWrappedLabel(TextRole::body, this)),
      why_(makeWrappedLabel(TextRole::body, this)), button_(new ReasonedButton({}, true, this)), waive_(makeLinkButton(tr("Waive…"), this)),
      others_(new QWidget(this)), otherLinks_(new FlowLayout(others_, kGapBetween, kGapTight))
{
    tools()->addWidget(mark_);
    grid_->setContentsMargins(0, 0, 0, 0);
    grid_->setHorizontalSpacing(kGapBetween);
    grid_->setVerticalSpacing(6);
    grid_->setColumnStretch(2, 5);
    setTextToken(why_, Token::worse);
    setTextToken(stale_, Token::stale);
    body()->addWidget(rule_);
    body()->addWidget(rows_);
    body()->addWidget(verdict_);
    body()->addWidget(stale_);
    body()->addWidget(why_);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(button_, 1);
    buttons->addWidget(waive_, 0, Qt::AlignTop);
    body()->addLayout(buttons);
    otherLinks_->setContentsMargins(0, 0, 0, 0);
    body()->addWidget(others_);
    setObjectName(QStringLiteral("gateCard"));
    button_->button()->setObjectName(QStringLiteral("gateAction"));
    waive_->setObjectName(QStringLiteral("waive"));
    connect(button_, &ReasonedButton::clicked, this, [this] { emit actionRequested(action_, argument_); });
    connect(waive_, &QPushButton::clicked, this, [this] { emit waiveRequested(q(gate_)); });
}

void GateCard::setGate(const GateView& gate, const NextAction* next, const QString& why, bool over)
{
    gate_ = gate.id;
    setTitle(QStringLiteral("%1 · %2").arg(q(gate.id), q(gate.title)));
    mark_->setVisible(true);
    progress_ = over && gate.progress == GateProgress::running ? GateProgress::done : gate.progress;
    result_ = gate.result;
    showMark();
    setOrHide(rule_, q(gate.rule));
    clearLayout(grid_);
    const bool thresholds = std::any_of(gate.checks.begin(), gate.checks.end(), [](const CheckRow& row) { return !row.threshold.empty(); });
    grid_->setColumnStretch(3, thresholds ? 4 : 0);
    int at = 0;
    for (const CheckRow& row : gate.checks)
        addRow(row, at++);
    rows_->setVisible(at > 0);
    const QString waived = gate.waivedReason.empty() ? QString() : tr("Waived: %1").arg(q(gate.waivedReason));
    setOrHide(verdict_, gate.verdict.empty() ? waived : q(gate.verdict) + (waived.isEmpty() ? waived : QLatin1Char(' ') + waived));
    setOrHide(stale_, gate.staleReason.empty() ? QString() : tr("↻ Stale: %1").arg(q(gate.staleReason)));
    setOrHide(why_, why);
    waive_->setVisible(next != nullptr && gate.canBeWaived);
    setNext(next);
}

void GateCard::setPlain(const QString& title, const QString& words, const NextAction* next)
{
    gate_.clear();
    setTitle(title);
    mark_->setVisible(false);
    setOrHide(rule_, words);
    clearLayout(grid_);
    rows_->setVisible(false);
    setOrHide(verdict_, {});
    setOrHide(stale_, {});
    setOrHide(why_, {});
    waive_->setVisible(false);
    setNext(next);
}

void GateCard::setOthers(const std::vector<NextAction>& next)
{
    clearLayout(otherLinks_);
    for (const NextAction& other : next) {
        const bool elsewhere =
            other.action == SessionAction::waive || other.action == SessionAction::chooseFix || !other.step.inputs.empty();
        if (&other == &next.front() || elsewhere || !other.enabled)
            continue;
        QPushButton* link = makeLinkButton(q(other.title), others_);
        link->setObjectName(QStringLiteral("otherAction"));
        link->setProperty("action", q(toString(other.action)));
        link->setEnabled(locked_.isEmpty());
        connect(link, &QPushButton::clicked, this,
                [this, action = other.action, argument = q(other.argument)] { emit actionRequested(action, argument); });
        otherLinks_->addWidget(link);
        link->show();
    }
    others_->setVisible(otherLinks_->count() > 0);
}

void GateCard::setNext(const NextAction* next)
{
    button_->setVisible(next != nullptr);
    setTone(next != nullptr ? QStringLiteral("accent") : QString());
    if (next == nullptr)
        return;
    action_ = next->action;
    argument_ = q(next->argument);
    button_->setText(q(next->title));
    refused_ = next->enabled ? QString() : q(next->reason);
    button_->setReason(locked_.isEmpty() ? refused_ : locked_);
}

void GateCard::showMark()
{
    const bool waits = progress_ == GateProgress::running;
    mark_->set(chooseMark(result_, progress_), !waits ? QString() : locked_.isEmpty() ? tr("waiting for you") : tr("running"));
}

void GateCard::hideButton()
{
    button_->hide();
}

void GateCard::setBusy(const QString& reason)
{
    locked_ = reason;
    button_->setReason(locked_.isEmpty() ? refused_ : locked_);
    showMark();
    waive_->setEnabled(reason.isEmpty());
    for (QPushButton* link : others_->findChildren<QPushButton*>())
        link->setEnabled(reason.isEmpty());
}

void GateCard::addRow(const CheckRow& row, int at)
{
    auto* mark = new MarkLabel(chooseMark(row.result), {}, rows_);
    QString title = nameCheck(row);
    if (row.requirement == Requirement::optional)
        title += tr(" (optional)");
    QLabel* name = makeLabel(title, TextRole::body, rows_);
    name->setWordWrap(true);
    const bool fix = row.result == GateResult::fail && !row.fix.empty();
    const QString tip = fix ? q(row.why) + u'\n' + q(row.fix) : q(row.why);
    QWidget* found = makeFound(row, tip);
    name->setToolTip(tip);
    QLabel* threshold = makeWrappedLabel(TextRole::caption, rows_);
    if (row.threshold != row.found) // else "correct" is there twice, as if there were two verdicts
        threshold->setText(q(row.threshold));
    grid_->addWidget(mark, at, 0, Qt::AlignTop);
    grid_->addWidget(name, at, 1, Qt::AlignTop);
    grid_->addWidget(found, at, 2, Qt::AlignTop);
    grid_->addWidget(threshold, at, 3, Qt::AlignTop);
    if (!row.evidence.empty()) {
        QPushButton* link = makeLinkButton(tr("Evidence"), rows_);
        link->setObjectName(QStringLiteral("rowLink"));
        connect(link, &QPushButton::clicked, this, [this, evidence = q(row.evidence)] { emit evidenceRequested(evidence); });
        grid_->addWidget(link, at, 4, Qt::AlignTop);
    }
}

QWidget* GateCard::makeFound(const CheckRow& row, const QString& tip)
{
    auto* cell = new QWidget(rows_);
    auto* lines = new QVBoxLayout(cell);
    lines->setContentsMargins(0, 0, 0, 0);
    lines->setSpacing(0);
    QLabel* found = makeBreakableLabel({}, TextRole::body, cell);
    const QString words = q(row.found.empty() ? "–" : row.found);
    bool isLone = false;
    words.toDouble(&isLone);
    found->setText(isLone && row.threshold.starts_with("at most ") ? figureWithMark(words) : breakable(words)); // not a version
    found->setToolTip(tip);
    lines->addWidget(found);
    if (row.result != GateResult::fail)
        return cell;
    if (!row.fix.empty())
        found->setText(found->text() + u'\n' + breakable(tr("Fix: %1").arg(q(row.fix))));
    for (const NextStep& step : row.next) {
        if (!findDoor(step))
            continue;
        QPushButton* link = makeLinkButton(stepText(step), cell);
        link->setObjectName(QStringLiteral("step"));
        link->setProperty("step", QString::fromLatin1(findKind(step.id).word));
        connect(link, &QPushButton::clicked, this, [this, step] { emit stepRequested(step); });
        lines->addWidget(link, 0, Qt::AlignLeft);
    }
    return cell;
}

} // namespace kl::ui
