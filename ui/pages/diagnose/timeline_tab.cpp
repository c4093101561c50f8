// SPDX-License-Identifier: MIT
#include "ui/pages/diagnose/timeline_tab.h"

#include "core/base/format.h"
#include "core/timeline/timeline_report.h"
#include "ui/charts/chart_card.h"
#include "ui/charts/timeline_bars.h"
#include "ui/style/theme.h"
#include "ui/widgets/text.h"

#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>

namespace kl::ui {
namespace {

constexpr std::size_t kWaitsShown = 3;
constexpr double kLeastShown = 0.005;

QString share(double part)
{
    return q(formatPercent(part * 100));
}

QString describeWait(const RoleWait& wait)
{
    const QString place = wait.line > 0 ? TimelineTab::tr("%1, line %2").arg(q(wait.label)).arg(wait.line) : q(wait.label);
    const QString text = TimelineTab::tr("%1 at %2: %3 times, %4 cycles each")
                             .arg(share(wait.share), place)
                             .arg(wait.count)
                             .arg(q(formatCount(wait.cycles)));
    return wait.waitsFor.empty() ? text : TimelineTab::tr("%1, ended by %2 (%3)").arg(text, q(wait.waitsFor), share(wait.waitsForShare));
}

QString describeRole(const RoleRow& role)
{
    QString text = TimelineTab::tr("%1: working %2, waiting %3, own copies and MMAs %4; %5 of the critical path")
                       .arg(q(role.name), share(role.work), share(role.wait), share(role.async), share(role.path));
    for (std::size_t i = 0; i < std::min(role.waits.size(), kWaitsShown); ++i)
        if (role.waits[i].share >= kLeastShown)
            text += QStringLiteral("\n    ") + describeWait(role.waits[i]);
    return text;
}

QString describeFacts(const TimelineReport& report, const Timeline& timeline)
{
    QStringList lines;
    for (const RoleOverlap& overlap : report.overlaps)
        lines << TimelineTab::tr("%1 and %2 work at the same time: %3").arg(q(overlap.a), q(overlap.b), share(overlap.share));
    if (report.overhead)
        lines << TimelineTab::tr("Marks change the kernel's time by %1 (%2 to %3).")
                     .arg(q(formatChange(report.overhead->value - 1)), q(formatChange(report.overhead->low - 1)),
                          q(formatChange(report.overhead->high - 1)));
    else
        lines << TimelineTab::tr("Mark overhead was not measured. %1").arg(q(timeline.noOverhead)).trimmed();
    for (const std::string& note : report.notes)
        lines << q(note);
    return lines.join(u'\n');
}

} // namespace

TimelineTab::TimelineTab(QWidget* parent) : QWidget(parent), bars_(new TimelineBars)
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(kGapPage, kGapInside, kGapPage, kGapPage);
    column->setSpacing(kGapBetween);
    bars_->setObjectName(QStringLiteral("timelineBars"));
    card_ = new ChartCard(tr("Timeline"), bars_, this);
    column->addWidget(card_);
    auto* text = new Card(tr("Roles"), this);
    roles_ = makeLabel({}, TextRole::body, text);
    roles_->setObjectName(QStringLiteral("timelineRoles"));
    facts_ = makeLabel({}, TextRole::caption, text);
    facts_->setObjectName(QStringLiteral("timelineFacts"));
    for (QLabel* label : {roles_, facts_}) {
        label->setWordWrap(true);
        text->body()->addWidget(label);
    }
    column->addWidget(text);
    column->addStretch(1);
}

void TimelineTab::setRun(const RunRecord& run)
{
    TimelineReport report = analyzeTimeline(*run.timeline);
    card_->setFinding(q(report.sentence));
    const QString time = report.cyclesPerNs > 0 ? q(formatTime(static_cast<double>(report.spanCycles) / report.cyclesPerNs)) : q(kNoValue);
    card_->setCaption(
        tr("%1, block %2 of %3 recorded ones: %4 cycles, %5. Ctrl and the wheel zooms, dragging moves, a double click shows all.")
            .arg(q(run.timeline->entry))
            .arg(report.shownBlock)
            .arg(run.timeline->recordedBlocks)
            .arg(q(formatCount(static_cast<double>(report.spanCycles))), time));
    QStringList roles;
    for (const RoleRow& role : report.roles)
        roles << describeRole(role);
    roles_->setText(roles.join(u'\n'));
    facts_->setText(describeFacts(report, *run.timeline));
    bars_->setReport(std::move(report));
}

} // namespace kl::ui
