// SPDX-License-Identifier: MIT
#include "ui/pages/session/side_panel.h"

#include "core/base/format.h"
#include "sessions/session/event_words.h"
#include "sessions/session/log_cadence.h"
#include "sessions/session/session_document.h"
#include "ui/style/theme.h"
#include "ui/widgets/card.h"
#include "ui/widgets/decimal_mark.h"
#include "ui/widgets/mark_label.h"
#include "ui/widgets/reasoned_button.h"
#include "ui/widgets/text.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <chrono>

namespace kl::ui {
namespace {

constexpr std::chrono::seconds kPromptEvery{20};

QLabel* makeWrapped(const QString& text, TextRole role, QWidget* parent)
{
    QLabel* label = makeLabel(text, role, parent);
    label->setWordWrap(true);
    return label;
}

QString describeSaving(const Pattern& pattern)
{
    if (pattern.quotedMinutes && pattern.quotedMinutesHigh && *pattern.quotedMinutesHigh > *pattern.quotedMinutes)
        return QStringLiteral("%1 to %2 claimed")
            .arg(q(formatMinutes(*pattern.quotedMinutes)), q(formatMinutes(*pattern.quotedMinutesHigh)));
    if (pattern.quotedMinutes)
        return QStringLiteral("%1 claimed").arg(q(formatMinutes(*pattern.quotedMinutes)));
    if (pattern.quotedDollars)
        return withMark(QStringLiteral("$%1 claimed").arg(*pattern.quotedDollars, 0, 'f', 2));
    return QStringLiteral("none claimed");
}

} // namespace

SidePanel::SidePanel(QWidget* parent) : QWidget(parent)
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kGapBetween);

    auto* stage = new Card(tr("About this stage"), this);
    purpose_ = makeWrapped({}, TextRole::body, stage);
    stage->body()->addWidget(purpose_);

    auto* patterns = new Card(tr("Applicable patterns"), this);
    patterns_ = new QVBoxLayout;
    patterns_->setSpacing(kGapInside);
    patterns->body()->addLayout(patterns_);

    fix_ = new Card(tr("Time spent on the fix"), this);
    fix_->setCaption(tr("Spent of the time planned."));
    parts_ = new QGridLayout;
    parts_->setVerticalSpacing(kGapTight);
    parts_->setColumnStretch(0, 1);
    fix_->body()->addLayout(parts_);

    auto* notes = new Card(tr("Notes"), this);
    notes_ = new QVBoxLayout;
    notes->body()->addLayout(notes_);
    note_ = new QLineEdit(notes);
    note_->setPlaceholderText(tr("Add a note (press Enter)"));
    note_->setAccessibleName(tr("New note"));
    notes->body()->addWidget(note_);
    connect(note_, &QLineEdit::returnPressed, this, [this] {
        const QString text = note_->text().trimmed();
        if (text.isEmpty())
            return;
        note_->clear();
        emit noteRequested(text);
    });

    auto* events = new Card(tr("Log"), this);
    prompt_ = makeWrapped({}, TextRole::body, events);
    prompt_->setObjectName(QStringLiteral("logPrompt"));
    setTextToken(prompt_, Token::stale);
    prompt_->hide();
    events->body()->addWidget(prompt_);
    clock_ = new QTimer(this);
    clock_->setInterval(kPromptEvery);
    connect(clock_, &QTimer::timeout, this, &SidePanel::showPrompt);
    events_ = new QVBoxLayout;
    events_->setSpacing(kGapTight);
    events->body()->addLayout(events_);

    for (QWidget* card : {stage, patterns, fix_, notes, events})
        column->addWidget(card);
    column->addStretch(1);
}

void SidePanel::setView(const SessionView& view, const PhaseView& phase, const std::vector<Pattern>& library)
{
    purpose_->setText(q(phase.purpose));
    showPatterns(view, phase, library);
    showNotes(view);
    showEvents(view);
    showParts(view);
    view_ = view;
    showPrompt();
    clock_->start();
}

void SidePanel::showParts(const SessionView& view)
{
    clearLayout(parts_);
    const std::vector<FixPart> parts = fixParts(view);
    fix_->setVisible(!parts.empty());
    int row = 0;
    for (const FixPart& part : parts) {
        parts_->addWidget(makeLabel(q(part.title), TextRole::body, this), row, 0);
        QLabel* spent =
            makeLabel(tr("%1 of %2").arg(part.minutes ? q(formatMinutes(*part.minutes)) : q(kNoValue), q(formatMinutes(part.planned))),
                      TextRole::caption, this);
        spent->setObjectName(QStringLiteral("part-%1").arg(q(part.id)));
        parts_->addWidget(spent, row++, 1, Qt::AlignRight);
    }
}

void SidePanel::showPrompt()
{
    const std::optional<double> minutes = view_ ? logDueSince(*view_, std::chrono::system_clock::now()) : std::nullopt;
    prompt_->setVisible(minutes && !readOnly_);
    if (minutes)
        prompt_->setText(
            tr("Nothing was logged for %1. Add a note: what are you doing, and how long will it take?").arg(q(formatMinutes(*minutes))));
}

void SidePanel::setReadOnly(const QString& reason)
{
    readOnly_ = !reason.isEmpty();
    note_->setEnabled(!readOnly_);
    note_->setToolTip(reason);
}

void SidePanel::showPatterns(const SessionView& view, const PhaseView& phase, const std::vector<Pattern>& library)
{
    clearLayout(patterns_);
    for (const std::string& slug : phase.patterns) {
        const auto found = std::find_if(library.begin(), library.end(), [&](const Pattern& p) { return p.slug == slug; });
        if (found == library.end())
            continue;
        auto* row = new QHBoxLayout;
        auto* words = new QVBoxLayout;
        words->setSpacing(2);
        words->addWidget(makeWrapped(q(found->title), TextRole::body, this));
        words->addWidget(makeWrapped(describeSaving(*found), TextRole::caption, this));
        row->addLayout(words, 1);
        const auto& applied = view.patternsApplied;
        if (std::find(applied.begin(), applied.end(), slug) != applied.end()) {
            row->addWidget(new MarkLabel(Mark::pass, tr("applied"), this), 0, Qt::AlignTop);
        } else {
            QPushButton* apply = makeLinkButton(tr("Apply"), this);
            apply->setEnabled(!readOnly_);
            apply->setAccessibleName(tr("Apply the pattern %1").arg(q(found->title)));
            connect(apply, &QPushButton::clicked, this, [this, name = q(slug)] { emit patternRequested(name); });
            row->addWidget(apply, 0, Qt::AlignTop);
        }
        patterns_->addLayout(row);
    }
    if (patterns_->count() == 0)
        patterns_->addWidget(makeWrapped(tr("None for this stage."), TextRole::caption, this));
}

void SidePanel::showNotes(const SessionView& view)
{
    clearLayout(notes_);
    for (const std::string& note : view.notes)
        notes_->addWidget(makeWrapped(q(note), TextRole::body, this));
}

void SidePanel::showEvents(const SessionView& view)
{
    clearLayout(events_);
    // Newest first; the report has the whole list.
    constexpr int kShown = 12;
    int shown = 0;
    for (auto event = view.events.rbegin(); event != view.events.rend() && shown < kShown; ++event, ++shown) {
        auto* row = new QHBoxLayout;
        QLabel* time = makeLabel(relative(event->at), TextRole::caption, this);
        time->setToolTip(absoluteTime(event->at));
        time->setMinimumWidth(76);
        row->addWidget(time, 0, Qt::AlignTop);
        row->addWidget(makeWrapped(exact(describeEvent(*event)), TextRole::caption, this), 1);
        events_->addLayout(row);
    }
}

} // namespace kl::ui
