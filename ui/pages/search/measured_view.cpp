// SPDX-License-Identifier: MIT
#include "ui/pages/search/measured_view.h"

#include "core/base/format.h"
#include "ui/style/theme.h"
#include "ui/widgets/data_table.h"
#include "ui/widgets/text.h"

#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>

namespace kl::ui {
namespace {

/// The best point and its check in sentences, with a link to the run.
QString bestText(const BestPoint& best)
{
    QStringList parts;
    if (!best.run)
        parts << QObject::tr("No fully timed point is correct on the whole suite.");
    else {
        QString words = QObject::tr("Best: %1").arg(q(toText(best.run->kernel)).toHtmlEscaped().replace(u',', QStringLiteral(", ")));
        if (best.run->timing)
            words += QObject::tr(", %1").arg(q(formatTime(best.run->timing->gpu.median)));
        if (best.run->speedup && best.run->baseline)
            words += QObject::tr(", %1 of %2").arg(q(formatRatio(*best.run->speedup)), q(best.run->baseline->name).toHtmlEscaped());
        parts << words + QObject::tr("; correct on the whole suite. <a href=\"%1\">Show this run</a>").arg(q(best.run->id.text));
    }
    if (best.comparison)
        parts << QObject::tr("vs. default: %1").arg(q(best.comparison->sentence).toHtmlEscaped());
    for (const WrongPoint& wrong : best.wrong)
        parts << QObject::tr("Excluded because it is incorrect: %1: %2")
                     .arg(q(wrong.kernel).toHtmlEscaped(), q(wrong.reason).toHtmlEscaped());
    return parts.join(QStringLiteral("<br>"));
}

} // namespace

MeasuredView::MeasuredView(QWidget* parent) : StateStack(new QWidget, parent)
{
    QWidget* content = widget(0);
    about_ = makeLabel({}, TextRole::caption, content);
    about_->setObjectName(QStringLiteral("searchAbout"));
    best_ = makeLabel({}, TextRole::body, content);
    best_->setObjectName(QStringLiteral("searchBest"));
    best_->setTextFormat(Qt::RichText);
    best_->setTextInteractionFlags(Qt::TextBrowserInteraction);
    best_->hide();
    for (QLabel* label : {about_, best_})
        label->setWordWrap(true);
    connect(&Theme::instance(), &Theme::changed, best_, [this] { // a label keeps the link color of the old theme
        const QString text = best_->text();
        best_->clear();
        best_->setText(text);
    });
    connect(best_, &QLabel::linkActivated, this, &MeasuredView::runOpened);
    table_ = new DataTable(QStringLiteral("tuned-points"), content);
    table_->setObjectName(QStringLiteral("tuned"));
    table_->setSource(&model_);
    table_->setStretchColumn(TunedTableModel::Point);
    table_->setWrapped(true);
    table_->setAccessibleName(tr("Measured points"));
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, kGapInside, 0, 0);
    column->setSpacing(kGapInside);
    column->addWidget(best_);
    column->addWidget(about_);
    column->addWidget(table_, 1);
}

void MeasuredView::showNothing(const QString& what, const QString& why)
{
    model_.setRows({});
    showEmpty({QStringLiteral("empty"), what, why, {}, {}});
}

void MeasuredView::showTimes(std::vector<TunedRow> rows, const QString& about)
{
    best_->hide();
    about_->setText(about);
    model_.setRows(std::move(rows));
    showContent();
}

void MeasuredView::showBest(const BestPoint& best)
{
    std::vector<TunedRow> rows = model_.rows();
    for (TunedRow& row : rows)
        row.wrong = row.wrong || std::ranges::find(best.wrong, row.point.kernel, &WrongPoint::kernel) != best.wrong.end();
    model_.setRows(std::move(rows));
    best_->setText(bestText(best));
    best_->show();
}

} // namespace kl::ui
