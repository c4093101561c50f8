// SPDX-License-Identifier: MIT
#include "ui/pages/session/stage_rail.h"

#include "ui/style/theme.h"
#include "ui/widgets/card.h"
#include "ui/widgets/flow_layout.h"
#include "ui/widgets/text.h"

#include <QFrame>
#include <QHBoxLayout>
#include <QToolButton>

namespace kl::ui {
namespace {

constexpr int kLeastLine = 8; // between two stages

QString chooseSign(PhaseState state)
{
    switch (state) {
    case PhaseState::done: return QStringLiteral("✓");
    case PhaseState::current: return QStringLiteral("●");
    case PhaseState::skipped: return QStringLiteral("⊘");
    case PhaseState::upcoming: break;
    }
    return QStringLiteral("○");
}

QString nameState(PhaseState state)
{
    switch (state) {
    case PhaseState::done: return QStringLiteral("done");
    case PhaseState::current: return QStringLiteral("current");
    case PhaseState::skipped: return QStringLiteral("skipped");
    case PhaseState::upcoming: break;
    }
    return QStringLiteral("upcoming");
}

} // namespace

QString formatSpent(double spent, double budget)
{
    const QString minutes = spent > 0 && spent < 1 ? QStringLiteral("<1") : QString::number(spent, 'f', 0);
    return QStringLiteral("%1 of %2 min").arg(minutes, QString::number(budget, 'f', 0));
}

StageRail::StageRail(QWidget* parent) : QWidget(parent), line_(new QWidget(this)), wrapped_(new QWidget(this))
{
    auto* both = new QVBoxLayout(this);
    both->setContentsMargins(0, 0, 0, 0);
    both->addWidget(line_);
    both->addWidget(wrapped_);
    auto* row = new QHBoxLayout(line_);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(kGapTight);
    auto* rows = new FlowLayout(wrapped_, kGapTight, kGapTight);
    rows->setContentsMargins(0, 0, 0, 0);
    wrapped_->hide();
}

QToolButton* StageRail::makeButton(const PhaseView& phase)
{
    auto* button = new QToolButton(this);
    button->setObjectName(QStringLiteral("stage"));
    button->setCheckable(true);
    button->setToolButtonStyle(Qt::ToolButtonTextOnly);
    const QString name = q(phase.title);
    const QString minutes = phase.state == PhaseState::upcoming ? QStringLiteral("%1 min").arg(phase.budgetMinutes, 0, 'f', 0)
                                                                : formatSpent(phase.elapsedMinutes, phase.budgetMinutes);
    button->setText(QStringLiteral("%1 %2\n%3").arg(chooseSign(phase.state), name, minutes));
    button->setAccessibleName(QStringLiteral("Stage %1, %2, %3").arg(name, nameState(phase.state), minutes));
    button->setToolTip(q(phase.purpose));
    button->setProperty("state", nameState(phase.state));
    connect(button, &QToolButton::clicked, this, [this, id = q(phase.id)] { emit chosen(id); });
    return button;
}

void StageRail::setPhases(const std::vector<PhaseView>& phases)
{
    clearLayout(line_->layout());
    clearLayout(wrapped_->layout());
    stages_.clear();
    auto* row = static_cast<QHBoxLayout*>(line_->layout());
    for (const PhaseView& phase : phases) {
        if (!stages_.empty()) {
            QFrame* between = makeHairline(line_);
            between->setMinimumWidth(kLeastLine);
            row->addWidget(between, 1);
        }
        stages_.push_back({phase.id, makeButton(phase)});
    }
    row->addStretch(0);
    place(wraps());
}

bool StageRail::wraps() const
{
    int needed = 0;
    for (const Stage& stage : stages_)
        needed += (needed > 0 ? kLeastLine + 2 * kGapTight : 0) + stage.button->sizeHint().width();
    return needed > width();
}

void StageRail::place(bool wrapped)
{
    auto* row = static_cast<QHBoxLayout*>(line_->layout());
    for (std::size_t i = 0; i < stages_.size(); ++i) {
        if (wrapped)
            wrapped_->layout()->addWidget(stages_[i].button);
        else
            row->insertWidget(2 * static_cast<int>(i), stages_[i].button);
        stages_[i].button->show();
    }
    line_->setVisible(!wrapped);
    wrapped_->setVisible(wrapped);
}

QSize StageRail::minimumSizeHint() const
{
    return {0, QWidget::minimumSizeHint().height()};
}

void StageRail::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    if (wraps() != wrapped_->isVisibleTo(this))
        place(wraps());
}

void StageRail::setShown(const std::string& phase)
{
    for (const Stage& stage : stages_)
        stage.button->setChecked(stage.id == phase);
}

} // namespace kl::ui
