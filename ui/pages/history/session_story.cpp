// SPDX-License-Identifier: MIT
#include "ui/pages/history/session_story.h"

#include "ui/style/theme.h"
#include "ui/widgets/flow_layout.h"
#include "ui/widgets/reasoned_button.h"
#include "ui/widgets/text.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace kl::ui {

SessionStory::SessionStory(QWidget* parent) : Card({}, parent), parts_(new QVBoxLayout)
{
    parts_->setSpacing(kGapTight);
    body()->addLayout(parts_);
    body()->addStretch(1);
}

void SessionStory::show(const HistoryRow* row, const std::vector<PatternReturn>& patterns)
{
    clearLayout(parts_);
    setVisible(row != nullptr);
    if (!row)
        return;
    setTitle(q(row->name) + QStringLiteral(": ") + q(row->objective));
    QStringList caption;
    if (!row->grade.letter.empty())
        caption << tr("Grade %1: %2").arg(q(row->grade.letter), q(row->grade.reason));
    if (!row->statusText.empty())
        caption << q(row->statusText);
    setCaption(caption.join(QStringLiteral(" · ")));
    addPatterns(tr("Patterns applied"), row->patterns, patterns);
    addPatterns(tr("Patterns learned"), row->learned, patterns);
    addList(tr("What went right"), row->worked);
    addList(tr("What failed"), row->failed);
    addList(tr("Insights"), row->insights);
    addList(tr("Next time"), row->nextTime);
    if (parts_->count() == 0)
        parts_->addWidget(makeLabel(tr("Nothing is written about this session yet."), TextRole::body, this));
}

void SessionStory::addPatterns(const QString& heading, const std::vector<std::string>& slugs, const std::vector<PatternReturn>& patterns)
{
    if (slugs.empty())
        return;
    parts_->addWidget(makeLabel(heading, TextRole::caption, this));
    auto* links = new QWidget(this);
    auto* row = new FlowLayout(links, kGapInside, 0);
    for (const std::string& slug : slugs) {
        const auto known = std::ranges::find(patterns, slug, &PatternReturn::slug);
        QPushButton* link = makeLinkButton(known == patterns.end() || known->title.empty() ? q(slug) : q(known->title), links);
        link->setObjectName(QStringLiteral("storyPattern-") + q(slug));
        connect(link, &QPushButton::clicked, this, [this, slug = q(slug)] { emit patternRequested(slug); });
        row->addWidget(link);
    }
    parts_->addWidget(links);
}

void SessionStory::addList(const QString& heading, const std::vector<std::string>& lines)
{
    if (lines.empty())
        return;
    parts_->addWidget(makeLabel(heading, TextRole::caption, this));
    for (const std::string& line : lines) {
        QLabel* text = makeLabel(QStringLiteral("• ") + q(line), TextRole::body, this);
        text->setWordWrap(true);
        parts_->addWidget(text);
    }
}

} // namespace kl::ui
