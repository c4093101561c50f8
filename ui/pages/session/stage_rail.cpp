// SPDX-License-Identifier: MIT
#include "ui/pages/session/stage_rail.h"

#include "ui/style/theme.h"
#include "ui/widgets/card.h"
#include "ui/widgets/text.h"

#include <QFrame>
#include <QHBoxLayout>
#include <QToolButton>

namespace kl::ui {
namespace {

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

StageRail::StageRail(QWidget* parent) : QWidget(parent), row_(new QHBoxLayout(this))
{
    row_->setContentsMargins(0, 0, 0, 0);
    row_->setSpacing(kGapTight);
}

void StageRail::setPhases(const std::vector<PhaseView>& phases)
{
    clearLayout(row_);
    stages_.clear();
    for (const PhaseView& phase : phases) {
        if (!stages_.empty()) {
            QFrame* line = makeHairline(this);
            line->setMinimumWidth(8);
            row_->addWidget(line, 1);
        }
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
        row_->addWidget(button);
        stages_.push_back({phase.id, button});
    }
    row_->addStretch(0);
}

void StageRail::setShown(const std::string& phase)
{
    for (const Stage& stage : stages_)
        stage.button->setChecked(stage.id == phase);
}

} // namespace kl::ui
