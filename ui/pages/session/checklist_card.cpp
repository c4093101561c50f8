// SPDX-License-Identifier: MIT
#include "ui/pages/session/checklist_card.h"

#include "ui/context/step_doors.h"
#include "ui/style/theme.h"
#include "ui/widgets/flow_layout.h"
#include "ui/widgets/mark_label.h"
#include "ui/widgets/reasoned_button.h"
#include "ui/widgets/text.h"

#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <array>

namespace kl::ui {
namespace {

constexpr std::array kCalculators{std::pair{"shared-memory", "shared-memory"}, std::pair{"occupancy", "occupancy"},
                                  std::pair{"launch-overhead", "launches"}};

MarkLabel* makeMark(const ChecklistItem& item, QWidget* parent)
{
    if (item.state == TickState::done)
        return item.byNote ? new MarkLabel(Mark::waived, ChecklistCard::tr("noted"), parent)
                           : new MarkLabel(Mark::pass, ChecklistCard::tr("done"), parent);
    return item.state == TickState::failed ? new MarkLabel(Mark::fail, {}, parent)
                                           : new MarkLabel(Mark::none, ChecklistCard::tr("open"), parent);
}

} // namespace

ChecklistCard::ChecklistCard(QWidget* parent)
    : Card(tr("Checklist"), parent), list_(new QWidget(this)), rows_(new QGridLayout(list_)), fold_(makeLinkButton({}, this))
{
    fold_->setObjectName(QStringLiteral("foldChecklist"));
    tools()->addWidget(fold_);
    rows_->setContentsMargins(0, 0, 0, 0);
    rows_->setHorizontalSpacing(kGapBetween);
    rows_->setVerticalSpacing(kGapTight);
    rows_->setColumnStretch(1, 1);
    body()->addWidget(list_);
    connect(fold_, &QPushButton::clicked, this, [this] {
        touched_ = true;
        unfold(list_->isHidden());
    });
}

void ChecklistCard::unfold(bool open)
{
    list_->setVisible(open);
    fold_->setText(open ? tr("Hide") : tr("Show"));
    fold_->setAccessibleName(open ? tr("Hide the checklist") : tr("Show the checklist"));
}

void ChecklistCard::setView(const SessionView& view, bool open)
{
    clearLayout(rows_);
    const auto count = [&](TickState state) { return std::ranges::count(view.checklist, state, &ChecklistItem::state); };
    const auto failed = count(TickState::failed);
    setCaption(tr("%1 of %2 done%3. Items with evidence are checked automatically; check off the others with a note.")
                   .arg(count(TickState::done))
                   .arg(view.checklist.size())
                   .arg(failed > 0 ? tr(", %1 failed").arg(failed) : QString()));
    int row = 0;
    std::string group;
    for (const ChecklistItem& item : view.checklist) {
        if (item.group != group)
            rows_->addWidget(makeLabel(q(item.group), TextRole::card, list_), row++, 0, 1, 2);
        group = item.group;
        addItem(item, row++);
    }
    if (!touched_)
        unfold(open);
}

void ChecklistCard::addItem(const ChecklistItem& item, int row)
{
    MarkLabel* mark = makeMark(item, list_);
    mark->setObjectName(QStringLiteral("tick-%1").arg(q(item.id)));
    rows_->addWidget(mark, row, 0, Qt::AlignTop);
    auto* lines = new QVBoxLayout;
    lines->setSpacing(0);
    QLabel* title = makeLabel(q(item.title), TextRole::body, list_);
    title->setWordWrap(true);
    lines->addWidget(title);
    for (const QString& text : {q(item.found), item.note.empty() ? QString() : tr("Note: %1").arg(q(item.note))})
        if (!text.isEmpty()) {
            QLabel* line = makeLabel(text, TextRole::caption, list_);
            line->setWordWrap(true);
            lines->addWidget(line);
        }
    rows_->addLayout(lines, row, 1);
    auto* links = new QHBoxLayout;
    const auto add = [&](const char* object, const QString& text) {
        QPushButton* link = makeLinkButton(text, list_);
        link->setObjectName(QStringLiteral("%1-%2").arg(QLatin1String(object), q(item.id)));
        links->addWidget(link);
        return link;
    };
    for (const auto& [id, tab] : kCalculators)
        if (item.id == id)
            connect(add("calculate", tr("Calculator")), &QPushButton::clicked, this,
                    [this, tab = QString::fromLatin1(tab)] { emit calculatorRequested(tab); });
    if (item.evidence.starts_with("run:"))
        connect(add("evidence", tr("Evidence")), &QPushButton::clicked, this,
                [this, evidence = q(item.evidence)] { emit evidenceRequested(evidence); });
    if (item.next && findDoor(*item.next)) {
        QPushButton* link = add("do", stepText(*item.next));
        link->setEnabled(!busy_);
        connect(link, &QPushButton::clicked, this, [this, step = *item.next] { emit stepRequested(step); });
    }
    const bool takesNote = std::ranges::find(checklistIds(), item.id) != checklistIds().end();
    if (takesNote && (item.state == TickState::open || item.byNote)) {
        QPushButton* link = add("note", item.note.empty() ? tr("Note…") : tr("Edit note…"));
        link->setAccessibleName(tr("Note on: %1").arg(q(item.title)));
        link->setEnabled(!busy_);
        connect(link, &QPushButton::clicked, this,
                [this, id = q(item.id), name = q(item.title), note = q(item.note)] { emit noteRequested(id, name, note); });
    }
    rows_->addLayout(links, row, 2, Qt::AlignTop | Qt::AlignRight);
}

void ChecklistCard::setBusy(const QString& reason)
{
    busy_ = !reason.isEmpty();
    for (QPushButton* link : list_->findChildren<QPushButton*>())
        if (link->objectName().startsWith(QStringLiteral("do-")) || link->objectName().startsWith(QStringLiteral("note-")))
            link->setEnabled(!busy_);
}

} // namespace kl::ui
