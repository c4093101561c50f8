// SPDX-License-Identifier: MIT
#include "ui/pages/diagnose/hot_lines_panel.h"

#include "core/model/run.h"
#include "ui/charts/chart_card.h"
#include "ui/charts/hot_line_bars.h"
#include "ui/pages/shared/hot_line_rows.h"
#include "ui/pages/shared/source_view.h"
#include "ui/style/tokens.h"
#include "ui/widgets/card.h"
#include "ui/widgets/text.h"

#include <QVBoxLayout>

namespace kl::ui {
namespace {

constexpr std::size_t kLinesShown = 6;
constexpr int kSourceHeight = 460;

} // namespace

HotLinesPanel::HotLinesPanel(QWidget* parent) : QWidget(parent)
{
    auto* parts = new QVBoxLayout(this);
    parts->setContentsMargins(0, 0, 0, 0);
    parts->setSpacing(kGapBetween);
    bars_ = new HotLineBars;
    bars_->setObjectName(QStringLiteral("hotLines"));
    bars_->setPickable();
    barsCard_ = new ChartCard(tr("Hot lines"), bars_, this);
    codeCard_ = new Card(tr("Source and machine code"), this);
    source_ = new SourceView(codeCard_);
    source_->setMinimumHeight(kSourceHeight);
    source_->setMaximizable();
    codeCard_->body()->addWidget(source_, 1);
    parts->addWidget(barsCard_);
    parts->addWidget(codeCard_);
    connect(source_, &SourceView::maximizeRequested, this, &HotLinesPanel::maximizeRequested);
    connect(bars_, &ChartBody::picked, this, [this](int index) {
        if (const auto place = static_cast<std::size_t>(index); index >= 0 && place < places_.size())
            source_->showPlace(places_[place].file, places_[place].line);
    });
}

void HotLinesPanel::setRun(const RunRecord& run, const Catalog& catalog, const QStringList& stallParts)
{
    HotLines hot = hotLines(run, catalog, kLinesShown);
    std::erase_if(hot.lines, [](const HotLine& one) { return one.line.share < kLeastHeat; });
    HotLineParts parts = hotLineParts(hot, stallParts);
    places_.clear();
    for (const HotLine& one : hot.lines)
        places_.push_back({one.line.file, one.line.line});
    bars_->setRows(parts.parts, std::move(parts.rows), q(hot.unavailable));
    missing_ = hot.lines.empty() ? q(hot.unavailable) : QString();
    barsCard_->setVisible(missing_.isEmpty());
    source_->setRun(run, catalog);
    codeCard_->setVisible(source_->hasContent());
    setVisible(source_->hasContent() || missing_.isEmpty());
    barsCard_->setFinding(hotLineTitle(hot));
    barsCard_->setCaption(hot.lines.empty()  ? QString()
                          : hot.instructions ? tr("Share of the warp samples, by byte offset from the start of the function.")
                                             : tr("Share of the warp samples. Click a line to see it in the source."));
}

QString HotLinesPanel::title() const
{
    return missing_.isEmpty() ? barsCard_->title() : QString();
}

} // namespace kl::ui
