// SPDX-License-Identifier: MIT
#include "ui/pages/session/attempts_line.h"

#include "core/base/format.h"
#include "ui/charts/xy_chart.h"
#include "ui/style/theme.h"
#include "ui/widgets/reasoned_button.h"
#include "ui/widgets/text.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace kl::ui {
namespace {

constexpr QSize kChartSize(420, 150);
constexpr double kNsPerUs = 1000;
constexpr int kShownRows = 5;

constexpr int kAttemptColumns = 5;
constexpr int kChangeColumn = 1, kFindingColumn = 4;

QString attemptName(std::size_t place)
{
    return place == 0 ? AttemptsLine::tr("start") : QString::number(place);
}

/// Why an attempt has no time that counts; empty for one that has.
QString describeFailure(const Attempt& attempt)
{
    if (attempt.status == ResultStatus::compilationFailed)
        return AttemptsLine::tr("does not build");
    if (isRefuted(attempt.correctness))
        return AttemptsLine::tr("incorrect");
    return attempt.time ? QString() : AttemptsLine::tr("not measured");
}

} // namespace

AttemptsLine::AttemptsLine(QWidget* parent)
    : QWidget(parent), chart_(new XYChart(this)), rows_(new QTableWidget(0, kAttemptColumns, this)),
      back_(makeButton(tr("Return to this attempt"), false, this))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kGapInside);
    chart_->setHint(kChartSize);
    chart_->setAccessibleName(tr("Time of each attempt"));
    column->addWidget(chart_);
    rows_->setObjectName(QStringLiteral("attempts"));
    rows_->setAccessibleName(tr("Attempts"));
    rows_->setHorizontalHeaderLabels({tr("Attempt"), tr("Change"), tr("Time"), tr("Against the start"), tr("Finding")});
    rows_->setTabKeyNavigation(false);
    rows_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    rows_->setSelectionBehavior(QAbstractItemView::SelectRows);
    rows_->setSelectionMode(QAbstractItemView::SingleSelection);
    rows_->setShowGrid(false);
    rows_->verticalHeader()->hide();
    rows_->setWordWrap(false);
    rows_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    for (const int wide : {kChangeColumn, kFindingColumn}) // what their widths leave; the tooltips have the whole texts
        rows_->horizontalHeader()->setSectionResizeMode(wide, QHeaderView::Stretch);
    column->addWidget(rows_);
    back_->setObjectName(QStringLiteral("attemptReturn"));
    auto* row = new QHBoxLayout;
    row->addWidget(back_);
    row->addStretch(1);
    column->addLayout(row);
    connect(rows_, &QTableWidget::itemSelectionChanged, this, &AttemptsLine::showChoice);
    connect(chart_, &ChartBody::opened, this, [this](const QString& seq) {
        for (std::size_t i = 0; i < attempts_.size(); ++i)
            if (QString::number(attempts_[i].seq) == seq)
                rows_->selectRow(static_cast<int>(i));
    });
    connect(back_, &QPushButton::clicked, this, [this] {
        if (const Attempt* attempt = selected())
            emit returnRequested(attempt->seq);
    });
    hide();
}

void AttemptsLine::setAttempts(std::vector<Attempt> attempts, const std::string& current)
{
    rows_->setRowCount(0); // nothing of before stays selected
    attempts_ = std::move(attempts);
    current_ = current;
    setVisible(attempts_.size() > 1);
    if (isHidden())
        return;
    fillChart();
    fillRows();
    const auto here = std::ranges::find(attempts_, current_, &Attempt::source);
    rows_->selectRow(static_cast<int>((here == attempts_.end() ? attempts_.end() - 1 : here) - attempts_.begin()));
    showChoice();
}

void AttemptsLine::fillChart()
{
    XYSpec spec;
    XYSeries line{tr("GPU time"), Token::series1, true, false, Marker::circle, {}, tr("nothing was measured")};
    for (std::size_t i = 0; i < attempts_.size(); ++i) {
        const Attempt& attempt = attempts_[i];
        spec.x.categories << attemptName(i);
        if (!describeFailure(attempt).isEmpty())
            continue;
        XYPoint point;
        point.x = static_cast<double>(i);
        point.y = attempt.time->median / kNsPerUs;
        point.low = attempt.time->low / kNsPerUs;
        point.high = attempt.time->high / kNsPerUs;
        point.tip = QStringLiteral("%1: %2, %3").arg(attemptName(i), q(formatTime(attempt.time->median)), q(attempt.finding));
        point.id = QString::number(attempt.seq);
        line.points.push_back(std::move(point));
    }
    spec.y.title = tr("time, µs");
    spec.y.withZero = false;
    spec.series = {std::move(line)};
    if (const Attempt& start = attempts_.front(); describeFailure(start).isEmpty())
        spec.references = {{start.time->median / kNsPerUs, tr("start, %1").arg(q(formatTime(start.time->median))), Token::neutral}};
    spec.emptyReason = tr("No attempt was measured yet");
    chart_->setSpec(std::move(spec));
}

void AttemptsLine::fillRows()
{
    const Attempt& start = attempts_.front();
    rows_->setRowCount(static_cast<int>(attempts_.size()));
    for (std::size_t i = 0; i < attempts_.size(); ++i) {
        const Attempt& attempt = attempts_[i];
        const QString failure = describeFailure(attempt);
        const bool compared = failure.isEmpty() && i > 0 && describeFailure(start).isEmpty();
        const QString cells[] = {attemptName(i), i == 0 ? tr("before the edit") : q(attempt.summary),
                                 failure.isEmpty() ? q(formatTime(attempt.time->median)) : failure,
                                 compared ? q(formatRatio(start.time->median / attempt.time->median)) : QString(), q(attempt.finding)};
        for (int column = 0; column < kAttemptColumns; ++column) {
            auto* item = new QTableWidgetItem(cells[column]);
            item->setToolTip(cells[column]);
            QFont font = rows_->font();
            font.setBold(attempt.source == current_); // what lies on disk
            item->setFont(font);
            rows_->setItem(static_cast<int>(i), column, item);
        }
    }
    const int shown = std::min(kShownRows, rows_->rowCount());
    rows_->setFixedHeight(rows_->horizontalHeader()->sizeHint().height() + shown * rows_->rowHeight(0) + 2 * rows_->frameWidth());
}

const Attempt* AttemptsLine::selected() const
{
    const QList<QTableWidgetItem*> items = rows_->selectedItems();
    return items.isEmpty() ? nullptr : &attempts_[static_cast<std::size_t>(items.front()->row())];
}

void AttemptsLine::showChoice()
{
    const Attempt* attempt = selected();
    back_->setEnabled(busy_.isEmpty() && attempt && attempt->source != current_);
    back_->setToolTip(attempt && attempt->source == current_ ? tr("The files are as in this attempt.") : busy_);
    if (attempt)
        emit chosen(q(attempt->diff));
}

void AttemptsLine::setBusy(const QString& reason)
{
    busy_ = reason;
    showChoice();
}

} // namespace kl::ui
