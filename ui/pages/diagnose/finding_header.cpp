// SPDX-License-Identifier: MIT
#include "ui/pages/diagnose/finding_header.h"

#include "core/diagnosis/estimate_text.h"
#include "core/model/run.h"
#include "sessions/learning/rule_outcomes.h"
#include "ui/import/opened_runs.h"
#include "ui/style/theme.h"
#include "ui/widgets/breakable.h"
#include "ui/widgets/text.h"

#include <QLabel>
#include <QVBoxLayout>

namespace kl::ui {
namespace {

QString describeRecord(const RuleOutcome& rule)
{
    return FindingHeader::tr("Track record in this database: %1 of %2 such estimates of the time saved were within a factor of two "
                             "(median estimated %3 %, measured %4 %).")
        .arg(rule.hits)
        .arg(rule.cases)
        .arg(100 * rule.estimated, 0, 'f', 0)
        .arg(100 * rule.realized, 0, 'f', 0);
}

} // namespace

FindingHeader::FindingHeader(QWidget* parent) : Card({}, parent)
{
    chips_ = makeBreakableLabel({}, TextRole::caption, this);
    sentence_ = makeLabel({}, TextRole::page, this);
    sentence_->setObjectName(QStringLiteral("findingSentence"));
    estimate_ = makeLabel({}, TextRole::body, this);
    estimate_->setObjectName(QStringLiteral("findingEstimate"));
    for (QLabel* label : {chips_, sentence_, estimate_}) {
        label->setWordWrap(true);
        body()->addWidget(label);
    }
    setTone(QStringLiteral("accent"));
}

void FindingHeader::setRun(const RunRecord& run, const RuleOutcome* rule)
{
    const Finding& finding = run.diagnosis->finding;
    QStringList chips{q(finding.priority), q(finding.classId), tr("confidence %1 %").arg(finding.confidence * 100, 0, 'f', 0),
                      q(displayKernel(run))};
    if (finding.inferred)
        chips << tr("inferred without hardware counters");
    chips_->setText(breakable(chips.join(QStringLiteral(" · "))));
    chips_->setToolTip(q(fullKernel(run)));
    sentence_->setText(q(finding.title));
    estimate_->setVisible(finding.estimate.has_value());
    if (!finding.estimate)
        return;
    const QString estimate = q(estimateText(finding));
    estimate_->setText(rule ? estimate + u'\n' + describeRecord(*rule) : estimate);
}

} // namespace kl::ui
