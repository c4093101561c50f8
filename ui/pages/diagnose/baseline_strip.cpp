// SPDX-License-Identifier: MIT
#include "ui/pages/diagnose/baseline_strip.h"

#include "core/base/format.h"
#include "ui/charts/delta.h"
#include "ui/charts/swatch.h"
#include "ui/pages/shared/run_deltas.h"
#include "ui/style/theme.h"
#include "ui/widgets/card.h"
#include "ui/widgets/reasoned_button.h"
#include "ui/widgets/text.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

namespace kl::ui {
namespace {

std::optional<double> findTime(const RunRecord& run)
{
    return run.timing && run.timing->gpu.n > 0 ? std::optional(run.timing->gpu.median) : std::nullopt;
}

} // namespace

BaselineStrip::BaselineStrip(QWidget* parent) : QWidget(parent), rows_(new QVBoxLayout(this))
{
    rows_->setContentsMargins(0, 0, 0, 0);
    rows_->setSpacing(kGapTight);
    hide();
}

void BaselineStrip::setRun(const RunRecord& run, const std::vector<PinnedRun>& baselines)
{
    clearLayout(rows_);
    for (const PinnedRun& baseline : baselines) {
        const RunRecord& before = *baseline.run;
        const QString id = q(before.id.text);
        auto* box = new QWidget(this);
        auto* row = new QHBoxLayout(box);
        row->setContentsMargins(0, 0, 0, 0);
        row->setSpacing(kGapInside);
        row->addWidget(makeSwatch({tr("Baseline"), baseline.token}, box));
        QPushButton* name = makeLinkButton(baselineName(before, run), box);
        name->setToolTip(tr("Show this run"));
        connect(name, &QPushButton::clicked, this, [this, id] { emit opened(id); });
        row->addWidget(name);
        QStringList facts{findTime(before) ? q(formatTime(*findTime(before))) : tr("not timed")};
        if (before.diagnosis)
            facts << q(before.diagnosis->finding.classId);
        row->addWidget(makeLabel(facts.join(QStringLiteral(" · ")), TextRole::body, box));
        QLabel* change = makeLabel(tr("this run's time: %1").arg(deltaText(findTime(run), findTime(before), false)), TextRole::body, box);
        change->setObjectName(QStringLiteral("baselineTime"));
        setTextToken(change, baseline.token);
        row->addWidget(change);
        row->addStretch(1);
        QPushButton* unpin = makeLinkButton(tr("Unpin"), box);
        unpin->setObjectName(QStringLiteral("unpinBaseline"));
        unpin->setAccessibleName(tr("Unpin the baseline %1").arg(baselineName(before, run)));
        connect(unpin, &QPushButton::clicked, this, [this, id] { emit unpinned(id); });
        row->addWidget(unpin);
        rows_->addWidget(box);
    }
    setVisible(!baselines.empty());
}

} // namespace kl::ui
