// SPDX-License-Identifier: MIT
#include "ui/pages/history/roadmap_card.h"

#include "core/base/try.h"
#include "ui/style/theme.h"
#include "ui/widgets/mark_label.h"
#include "ui/widgets/reasoned_button.h"
#include "ui/widgets/text.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace kl::ui {

namespace {

constexpr int kMostWeeks = 26; ///< in the list; the command line accepts more

/// "✓ done", "● open", "– planned".
QString stepWords(StepState state)
{
    return state == StepState::done   ? markSign(Mark::pass) + u' ' + RoadmapCard::tr("done")
           : state == StepState::open ? markSign(Mark::running) + u' ' + RoadmapCard::tr("open")
                                      : markSign(Mark::none) + u' ' + RoadmapCard::tr("planned");
}

} // namespace

RoadmapCard::RoadmapCard(AppContext& context, QWidget* parent)
    : Card(tr("Roadmap"), parent), context_(context), weeks_(new QVBoxLayout), title_(new QLineEdit(this)), week_(new QComboBox(this)),
      add_(new ReasonedButton(tr("Add a step"), false, this)), reset_(new ReasonedButton(tr("Restore the default plan"), false, this))
{
    body()->addLayout(weeks_);
    auto* row = new QHBoxLayout;
    title_->setObjectName(QStringLiteral("stepTitle"));
    title_->setPlaceholderText(tr("Goal"));
    title_->setAccessibleName(tr("Goal of a new step"));
    week_->setObjectName(QStringLiteral("stepWeek"));
    week_->setAccessibleName(tr("Week of a new step"));
    for (int week = 1; week <= kMostWeeks; ++week)
        week_->addItem(tr("week %1").arg(week), week);
    add_->button()->setObjectName(QStringLiteral("addStep"));
    row->addWidget(title_, 1);
    row->addWidget(week_);
    body()->addLayout(row);
    // Stacked: side by side there is no room for the reasons.
    body()->addWidget(add_);
    body()->addWidget(reset_);
    body()->addStretch(1);
    const auto add = [this] {
        if (!add_->button()->isEnabled())
            return;
        change([title = utf8(title_->text().trimmed()), week = week_->currentData().toInt()](Roadmap& roadmap) -> Status {
            const auto added = addStep(roadmap, week, title);
            return added ? Status{} : Status{added.error()};
        });
        title_->clear();
    };
    connect(add_, &ReasonedButton::clicked, this, add);
    connect(title_, &QLineEdit::returnPressed, this, add);
    connect(reset_, &ReasonedButton::clicked, this, [this] {
        context_.run(
            writer_, {}, [](Engine& engine, const Job&) { return resetRoadmap(*engine.store); },
            [this](const Status& done) {
                if (!done)
                    context_.post(done.error(), tr("Could not reset the roadmap"));
            });
    });
}

void RoadmapCard::show(const Roadmap& roadmap, const std::vector<StepState>& states)
{
    clearLayout(weeks_);
    for (const RoadmapWeek& week : roadmap.weeks) {
        auto* heading = makeLabel(tr("Week %1: %2").arg(week.week).arg(q(week.title)), TextRole::caption, this);
        weeks_->addWidget(heading);
        for (std::size_t i = 0; i < roadmap.steps.size(); ++i)
            if (roadmap.steps[i].week == week.week)
                weeks_->addWidget(makeStep(roadmap.steps[i], states[i]));
    }
    const auto done = std::ranges::count(states, StepState::done);
    setTitle(tr("Roadmap: %1 of %2 steps done").arg(done).arg(roadmap.steps.size()));
    setCaption(tr("A step is done when finished sessions show what it asks for, or when you check it off."));
    add_->setReason(context_.writeReason());
    reset_->setReason(context_.writeReason());
}

QWidget* RoadmapCard::makeStep(const RoadmapStep& step, StepState state)
{
    auto* row = new QWidget(this);
    auto* cells = new QHBoxLayout(row);
    cells->setContentsMargins(0, 0, 0, 0);
    const bool writable = context_.writeReason().isEmpty();
    auto* tick = new QCheckBox(row);
    tick->setAccessibleName(tr("%1 done").arg(q(step.title)));
    tick->setChecked(state == StepState::done);
    tick->setEnabled(writable && (state != StepState::done || step.done)); // steps done by what sessions show cannot be unchecked here
    auto* title = new QLineEdit(exact(step.title), row);
    title->setObjectName(QStringLiteral("step-") + q(step.id));
    title->setAccessibleName(tr("Goal of a step"));
    title->setFrame(false);
    title->setReadOnly(!writable);
    QString words = stepWords(state);
    for (const std::string& session : step.sessions)
        words += QStringLiteral(" · ") + q(session);
    auto* standing = makeLabel(words, TextRole::caption, row);
    if (!step.asks.empty())
        title->setToolTip(tr("Done when: %1").arg(q(goalText(step.asks))));
    auto* more = new QToolButton(row);
    more->setText(QStringLiteral("…"));
    more->setAccessibleName(tr("Edit %1").arg(q(step.title)));
    more->setPopupMode(QToolButton::InstantPopup);
    more->setEnabled(writable);
    auto* menu = new QMenu(more);
    const auto edit = [this, id = step.id](const StepChange& wanted) {
        change([id, wanted](Roadmap& roadmap) { return editStep(roadmap, id, wanted); });
    };
    const std::string session = utf8(context_.sessionText().section(QStringLiteral(" · "), 0, 0));
    QAction* link = menu->addAction(session.empty() ? tr("Link to the current session") : tr("Link to %1").arg(q(session)));
    link->setEnabled(!session.empty());
    connect(link, &QAction::triggered, this, [edit, session] { edit({{}, {}, {session}, {}}); });
    menu->addAction(tr("Move one week later"), this, [edit, week = step.week] { edit({{}, week + 1, {}, {}}); });
    if (step.week > 1)
        menu->addAction(tr("Move one week earlier"), this, [edit, week = step.week] { edit({{}, week - 1, {}, {}}); });
    menu->addAction(tr("Remove"), this, [this, id = step.id] { change([id](Roadmap& roadmap) { return removeStep(roadmap, id); }); });
    more->setMenu(menu);
    connect(tick, &QCheckBox::toggled, this, [edit](bool on) { edit({{}, {}, {}, on}); });
    connect(title, &QLineEdit::editingFinished, this, [edit, title, before = q(step.title)] {
        if (title->text().trimmed() != before && !title->text().trimmed().isEmpty())
            edit({utf8(title->text().trimmed()), {}, {}, {}});
    });
    cells->addWidget(tick);
    cells->addWidget(title, 1);
    cells->addWidget(standing);
    cells->addWidget(more);
    return row;
}

void RoadmapCard::change(std::function<Status(Roadmap&)> work)
{
    context_.run(
        writer_, {},
        [work = std::move(work)](Engine& engine, const Job&) -> Status {
            KL_ASSIGN(Roadmap roadmap, loadRoadmap(*engine.store));
            KL_TRY(work(roadmap));
            return saveRoadmap(*engine.store, roadmap);
        },
        [this](const Status& done) {
            if (!done)
                context_.post(done.error(), tr("Could not change the roadmap"));
        });
}

} // namespace kl::ui
