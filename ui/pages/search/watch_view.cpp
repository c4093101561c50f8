// SPDX-License-Identifier: MIT
#include "ui/pages/search/watch_view.h"

#include "core/base/format.h"
#include "ui/charts/chart_card.h"
#include "ui/pages/search/parallel_chart.h"
#include "ui/pages/search/watch_charts.h"
#include "ui/style/theme.h"
#include "ui/widgets/data_table.h"
#include "ui/widgets/tab_room.h"
#include "ui/widgets/text.h"

#include <QComboBox>
#include <QLabel>
#include <QStandardItemModel>
#include <QTabWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace kl::ui {

WatchView::WatchView(WatchBar& bar, QTabWidget& tabs) : QObject(&tabs), bar_(bar), tabs_(tabs)
{
    pages_ = {makeProgress(), makeParameters(), makeRejected()};
    tabs.addTab(pages_[0], tr("Progress"));
    tabs.addTab(pages_[1], tr("Parameters"));
    tabs.addTab(pages_[2], tr("Rejected"));
    connect(&bar, &WatchBar::changed, this, &WatchView::refresh);
    refresh();
}

QWidget* WatchView::makeProgress()
{
    auto* page = new QWidget(tabRoom(tabs_));
    progress_ = new XYChart;
    progressCard_ = new ChartCard(tr("Best so far"), progress_, page);
    by_ = new QComboBox(page);
    by_->addItems({tr("by points"), tr("by time")});
    by_->setObjectName(QStringLiteral("progressBy"));
    by_->setAccessibleName(tr("Horizontal axis of the progress"));
    importance_ = new EvidenceBars;
    importanceCard_ = new ChartCard(tr("Importance"), importance_, page);
    auto* left = new QVBoxLayout;
    left->setSpacing(kGapInside);
    left->addWidget(by_, 0, Qt::AlignLeft);
    left->addWidget(progressCard_, 1);
    auto* row = new QHBoxLayout(page);
    row->setContentsMargins(0, kGapInside, 0, 0);
    row->setSpacing(kGapBetween);
    row->addLayout(left, 3);
    row->addWidget(importanceCard_, 2);
    connect(by_, &QComboBox::currentIndexChanged, this, &WatchView::refresh);
    return page;
}

QWidget* WatchView::makeParameters()
{
    parallel_ = new ParallelChart;
    parallelCard_ = new ChartCard(tr("Parameters"), parallel_, tabRoom(tabs_));
    connect(parallel_, &ParallelChart::brushed, this, [this] {
        const auto total = static_cast<double>(parallel_->pointCount());
        const auto kept = static_cast<double>(parallel_->countKept());
        parallelCard_->setFinding(parallel_->isBrushed()
                                      ? tr("%1 of %2 points have the chosen values").arg(q(formatCount(kept)), q(formatCount(total)))
                                      : tr("%1 measured points; click values or drag along an axis to choose").arg(q(formatCount(total))));
    });
    return parallelCard_;
}

QWidget* WatchView::makeRejected()
{
    auto* page = new QWidget(tabRoom(tabs_));
    rejected_ = new QStandardItemModel(page);
    rejected_->setHorizontalHeaderLabels({tr("Point"), tr("Rejected by"), tr("Why")});
    rejectedWords_ = makeLabel({}, TextRole::caption, page);
    rejectedWords_->setObjectName(QStringLiteral("rejectedWords"));
    rejectedWords_->setWordWrap(true);
    auto* table = new DataTable(QStringLiteral("rejected-points"), page);
    table->setObjectName(QStringLiteral("rejected"));
    table->setSource(rejected_);
    table->setStretchColumn(2);
    table->setWrapped(true);
    table->setAccessibleName(tr("Rejected points"));
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, kGapInside, 0, 0);
    column->setSpacing(kGapInside);
    column->addWidget(rejectedWords_);
    column->addWidget(table, 1);
    return page;
}

bool WatchView::isShown() const
{
    return std::ranges::find(pages_, tabs_.currentWidget()) != pages_.end();
}

void WatchView::showProgress()
{
    tabs_.setCurrentWidget(pages_[0]);
}

void WatchView::refresh()
{
    const SearchRecord& record = bar_.record();
    const std::size_t shown = bar_.shown();
    progress_->setSpec(progressSpec(record, shown, by_->currentIndex() == 1));
    std::vector<EvidenceRow> rows = importanceRows(record, shown);
    importanceCard_->setFinding(rows.empty() ? tr("Importance") : tr("%1 explains the largest part of the spread").arg(rows.front().name));
    importance_->setRows(std::move(rows), tr("Eight measured points that differ are needed"));
    parallel_->setTrials(record, shown);
    const std::vector<QStringList> rejected = makeRejectedRows(record, shown);
    rejected_->removeRows(0, rejected_->rowCount());
    for (const QStringList& row : rejected) {
        QList<QStandardItem*> items;
        for (const QString& text : row) {
            items << new QStandardItem(text);
            items.back()->setEditable(false);
            items.back()->setToolTip(text);
        }
        rejected_->appendRow(items);
    }
    QStringList gates;
    for (const SearchGateCount& gate : record.gates)
        if (gate.rejected > 0)
            gates << tr("%1: %2").arg(q(gate.gate), q(formatCount(static_cast<double>(gate.rejected))));
    QString words = tr("%1 points were rejected after compiling or failed.").arg(q(formatCount(static_cast<double>(rejected.size()))));
    if (!gates.isEmpty())
        words += tr(" Before compiling, of %1: %2; the Points tab has each with its reason.")
                     .arg(q(formatCount(static_cast<double>(record.total))), gates.join(QStringLiteral(", ")));
    rejectedWords_->setText(words);
}

} // namespace kl::ui
