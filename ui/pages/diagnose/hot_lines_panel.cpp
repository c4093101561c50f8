// SPDX-License-Identifier: MIT
#include "ui/pages/diagnose/hot_lines_panel.h"

#include "core/diagnosis/run_facts.h"
#include "ui/charts/chart_card.h"
#include "ui/charts/hot_line_bars.h"
#include "ui/pages/shared/hot_line_rows.h"
#include "ui/style/tokens.h"
#include "ui/widgets/card.h"
#include "ui/widgets/code_view.h"
#include "ui/widgets/text.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

#include <vector>

namespace kl::ui {
namespace {

constexpr std::size_t kLinesShown = 6;
constexpr int kCodeHeight = 420;
constexpr int kSideBySide = 1000; ///< pixels; in a narrower panel the source is below the bars

} // namespace

HotLinesPanel::HotLinesPanel(QWidget* parent) : QWidget(parent)
{
    parts_ = new QBoxLayout(QBoxLayout::LeftToRight, this);
    parts_->setContentsMargins(0, 0, 0, 0);
    parts_->setSpacing(kGapBetween);
    bars_ = new HotLineBars;
    bars_->setObjectName(QStringLiteral("hotLines"));
    bars_->setPickable();
    barsCard_ = new ChartCard(tr("Hot lines"), bars_, this);
    codeCard_ = new Card(tr("Source"), this);
    code_ = new CodeView(codeCard_);
    code_->setMinimumHeight(kCodeHeight);
    codeCard_->body()->addWidget(code_, 1);
    parts_->addWidget(barsCard_, 2);
    parts_->addWidget(codeCard_, 3); // code needs more width than the bars
    connect(bars_, &ChartBody::picked, this, [this](int index) {
        const auto place = static_cast<std::size_t>(index);
        if (index >= 0 && place < lines_.size() && lines_[place] > 0)
            code_->showLine(lines_[place]);
    });
}

void HotLinesPanel::resizeEvent(QResizeEvent* event)
{
    parts_->setDirection(width() >= kSideBySide ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    QWidget::resizeEvent(event);
}

void HotLinesPanel::setRun(const RunRecord& run, const Catalog& catalog, const QStringList& stallParts)
{
    HotLines hot = hotLines(run, catalog, kLinesShown);
    std::erase_if(hot.lines, [](const HotLine& one) { return one.line.share < kLeastHeat; });
    HotLineParts parts = hotLineParts(hot, stallParts);
    const std::optional<ShownSource> source = shownSource(run, catalog);
    lines_.clear();
    for (const HotLine& one : hot.lines)
        lines_.push_back(source && one.line.file == source->file ? one.line.line : 0);
    bars_->setRows(parts.parts, std::move(parts.rows), q(hot.unavailable));
    missing_ = hot.lines.empty() ? q(hot.unavailable) : QString();
    barsCard_->setVisible(missing_.isEmpty());
    codeCard_->setVisible(source || missing_.isEmpty());
    setVisible(source || missing_.isEmpty());
    barsCard_->setFinding(hotLineTitle(hot));
    barsCard_->setCaption(hot.lines.empty()  ? QString()
                          : hot.instructions ? tr("Share of the warp samples, by byte offset from the start of the function.")
                                             : tr("Share of the warp samples. Click a line to see its source."));

    codeCard_->setCaption(source || run.program ? q(hot.note)
                          : run.imported ? tr("Source is not read from reports. See the line findings of Nsight Compute on the right.")
                                         : tr("The source has changed since this was measured, or is not on this machine."));
    code_->setVisible(source.has_value());
    if (!source)
        return;
    code_->setCode(q(source->text));
    if (run.sourceProfile)
        code_->setHeat(mapHeat(*run.sourceProfile, source->file));
    int line = lineToShow(hot, source->file);
    if (const LaunchFacts* launch = RunFacts(run).launch(); line == 0 && launch)
        line = findEntryLine(source->text, launch->entry);
    code_->showLine(std::max(1, line));
}

} // namespace kl::ui
