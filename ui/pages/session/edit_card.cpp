// SPDX-License-Identifier: MIT
#include "ui/pages/session/edit_card.h"

#include "ui/pages/session/attempts_line.h"
#include "ui/style/theme.h"
#include "ui/widgets/diff_view.h"
#include "ui/widgets/mark_label.h"
#include "ui/widgets/reasoned_button.h"
#include "ui/widgets/text.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

#include <algorithm>

namespace kl::ui {

bool inEdit(const SessionView& view)
{
    return std::any_of(view.next.begin(), view.next.end(), [](const NextAction& next) { return next.action == SessionAction::takeEdit; });
}

EditCard::EditCard(QWidget* parent)
    : Card(tr("Your edit"), parent), file_(makeLabel({}, TextRole::code, this)), open_(makeButton(tr("Open in editor"), false, this)),
      mark_(new MarkLabel(Mark::none, {}, this)), state_(makeLabel({}, TextRole::body, this)), diff_(new DiffView(this)),
      take_(new ReasonedButton(tr("Use this edit as the change"), true, this)), giveUp_(makeButton(tr("Discard"), false, this)),
      git_(new QCheckBox(tr("Commit to git when kept"), this)), saves_(new QCheckBox(tr("Measure each save"), this)),
      measure_(makeButton(tr("Measure now"), false, this)), attempts_(new AttemptsLine(this))
{
    tools()->addWidget(mark_);
    file_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    file_->setWordWrap(true);
    state_->setWordWrap(true);
    state_->setObjectName(QStringLiteral("editState"));
    open_->setObjectName(QStringLiteral("editOpen"));
    diff_->setObjectName(QStringLiteral("editDiff"));
    take_->button()->setObjectName(QStringLiteral("editTake"));
    giveUp_->setObjectName(QStringLiteral("editGiveUp"));
    git_->setObjectName(QStringLiteral("editGit"));
    git_->setToolTip(tr("Commits only this edit, with the measurements in the message. Undo reverts the commit."));
    auto* top = new QHBoxLayout;
    top->addWidget(file_, 1);
    top->addWidget(open_, 0, Qt::AlignTop);
    body()->addLayout(top);
    body()->addWidget(state_);
    saves_->setObjectName(QStringLiteral("editSaves"));
    saves_->setToolTip(tr("Time and finding of every save, at this session's size. The edit is checked at every size once it is used."));
    saves_->setChecked(true);
    measure_->setObjectName(QStringLiteral("editMeasure"));
    auto* measuring = new QHBoxLayout;
    measuring->addWidget(saves_);
    measuring->addWidget(measure_);
    measuring->addStretch(1);
    body()->addLayout(measuring);
    body()->addWidget(attempts_);
    body()->addWidget(diff_);
    body()->addWidget(git_);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(take_, 1);
    buttons->addWidget(giveUp_, 0, Qt::AlignTop);
    body()->addLayout(buttons);
    connect(open_, &QPushButton::clicked, this, [this] { emit openRequested(path_); });
    connect(take_, &ReasonedButton::clicked, this, [this] { emit actionRequested(SessionAction::takeEdit); });
    connect(giveUp_, &QPushButton::clicked, this, [this] { emit actionRequested(SessionAction::revert); });
    connect(git_, &QCheckBox::clicked, this, &EditCard::gitChosen);
    connect(measure_, &QPushButton::clicked, this, &EditCard::measureRequested);
    connect(attempts_, &AttemptsLine::chosen, diff_, &DiffView::setDiff);
    connect(attempts_, &AttemptsLine::returnRequested, this, &EditCard::returnRequested);
}

void EditCard::setEdit(const SessionView& view, const std::optional<Result<SourceChange>>& now)
{
    const std::optional<SourceChange> change = wholeEdit(view.parked, view.sourceChange);
    const bool decided = !view.outcome.empty() || isOver(view);
    setVisible(view.editing || change);
    if (!view.editing && !change)
        return;
    const bool waits = now.has_value() && !decided;
    path_ = q(view.editing ? view.editing->file : view.sourceChange ? view.sourceChange->file : change->file);
    file_->setText(path_);
    open_->setVisible(waits);
    take_->setVisible(waits);
    giveUp_->setVisible(waits);
    waits_ = waits && view.editing;
    source_ = now && *now ? (*now)->after : view.editing ? view.editing->before : std::string();
    git_->setVisible(!decided && (view.editing ? view.editing->git : change->git));
    git_->setChecked(view.git.value_or(false));
    showState(view, now);
    setBusy({});
}

void EditCard::showState(const SessionView& view, const std::optional<Result<SourceChange>>& now)
{
    takeReason_.clear();
    mark_->setVisible(true);
    if (now && *now) {
        mark_->set(Mark::pass, tr("one change"));
        state_->setText(tr("%1. It is checked at every size before it is measured.").arg(q((*now)->summary)));
        diff_->setDiff(exact((*now)->diff));
    } else if (now) {
        const Error& error = now->error();
        const bool refused = !error.where.empty(); // by a rule; otherwise there is no change yet
        mark_->set(refused ? Mark::fail : Mark::none, refused ? q(error.where) : tr("waiting"));
        state_->setText(q(error.message) + QLatin1Char(' ') + q(error.hint));
        takeReason_ = q(error.message);
        diff_->setDiff({});
    } else if (view.sourceChange) {
        mark_->setVisible(false);
        state_->setText(view.commit.empty() ? q(view.sourceChange->summary)
                                            : tr("%1, committed as %2").arg(q(view.sourceChange->summary), q(view.commit.substr(0, 12))));
        diff_->setDiff(exact(view.sourceChange->diff));
    } else {
        mark_->setVisible(false);
        const ParkedStep* last = nullptr;
        for (const ParkedStep& step : view.parked)
            last = step.source ? &step : last;
        state_->setText(last ? tr("Set aside: %1").arg(q(last->title)) : QString()); // none: an edit behind evidence that became stale
        diff_->setDiff(last ? exact(last->source->diff) : QString());
    }
}

void EditCard::setAttempts(std::vector<Attempt> attempts, bool measurable)
{
    saves_->setVisible(measurable && waits_);
    measure_->setVisible(measurable && waits_);
    attempts_->setAttempts(std::move(attempts), source_);
}

bool EditCard::measuresSaves() const
{
    return saves_->isChecked();
}

void EditCard::setBusy(const QString& reason)
{
    measure_->setEnabled(reason.isEmpty() && takeReason_.isEmpty());
    measure_->setToolTip(reason.isEmpty() ? takeReason_ : reason);
    attempts_->setBusy(reason);
    take_->setReason(reason);
    if (!takeReason_.isEmpty()) { // which is shown above
        take_->button()->setEnabled(false);
        take_->button()->setAccessibleDescription(takeReason_);
    }
    giveUp_->setEnabled(reason.isEmpty());
    git_->setEnabled(reason.isEmpty());
}

} // namespace kl::ui
