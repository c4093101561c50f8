// SPDX-License-Identifier: MIT
#include "ui/widgets/tasks_tray.h"

#include "core/base/format.h"
#include "ui/jobs/job.h"
#include "ui/style/theme.h"
#include "ui/widgets/text.h"

#include <QLabel>
#include <QProgressBar>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

namespace kl::ui {

struct TasksTray::Row {
    QWidget* widget;
    QLabel* text;
    QProgressBar* bar;
    QToolButton* cancel;
};

TasksTray::TasksTray(QWidget* parent) : QFrame(parent), layout_(new QVBoxLayout(this))
{
    setObjectName(QStringLiteral("tray"));
    layout_->setContentsMargins(kGapPage, 6, kGapBetween, 6);
    layout_->setSpacing(kGapTight);
    hide();
    connect(&JobMonitor::instance(), &JobMonitor::started, this, &TasksTray::added);
    connect(&JobMonitor::instance(), &JobMonitor::ended, this, &TasksTray::removed);
    auto* tick = new QTimer(this);
    tick->setInterval(500);
    connect(tick, &QTimer::timeout, this, [this] {
        for (const auto& [job, row] : rows_)
            refresh(job);
    });
    tick->start();
}

void TasksTray::added(BackgroundJob* job)
{
    if (job->title().isEmpty())
        return;
    removed(job);
    auto* row = new Row{new QWidget(this), makeLabel({}, TextRole::caption), new QProgressBar, new QToolButton};
    auto* line = new QHBoxLayout(row->widget);
    line->setContentsMargins(0, 0, 0, 0);
    row->bar->setTextVisible(false);
    row->bar->setFixedWidth(160);
    row->cancel->setIcon(icon(QStringLiteral("close")));
    row->cancel->setToolTip(tr("Cancel"));
    row->cancel->setAccessibleName(tr("Cancel this task"));
    line->addWidget(row->text, 1);
    line->addWidget(row->bar);
    line->addWidget(row->cancel);
    connect(row->cancel, &QToolButton::clicked, job, &BackgroundJob::cancel);
    connect(job, &BackgroundJob::progressed, row->widget, [this, job] { refresh(job); });
    layout_->addWidget(row->widget);
    rows_[job] = row;
    refresh(job);
    show();
}

void TasksTray::removed(BackgroundJob* job)
{
    const auto found = rows_.find(job);
    if (found == rows_.end())
        return;
    found->second->widget->hide();
    found->second->widget->deleteLater();
    delete found->second;
    rows_.erase(found);
    setVisible(!rows_.empty());
}

void TasksTray::refresh(BackgroundJob* job)
{
    Row* row = rows_.at(job);
    const Progress& progress = job->lastProgress();
    QStringList parts{job->title()};
    if (job->canceling())
        parts << tr("stopping");
    else if (!progress.step.empty())
        parts << q(progress.step);
    QString clock = q(formatElapsed(job->elapsedSeconds()));
    if (progress.expected)
        clock += tr(" of ~") + q(formatElapsed(*progress.expected));
    parts << clock;
    row->text->setText(parts.join(QStringLiteral(" · ")));
    const bool known = progress.expected && *progress.expected > 0;
    row->bar->setRange(0, known ? 1000 : 0);
    if (known)
        row->bar->setValue(static_cast<int>(std::min(1.0, progress.elapsed / *progress.expected) * 1000));
    row->cancel->setEnabled(!job->canceling());
}

} // namespace kl::ui
