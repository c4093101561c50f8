// SPDX-License-Identifier: MIT
#include "ui/pages/diagnose/diagnosis_side.h"

#include "core/base/format.h"
#include "core/diagnosis/estimate_text.h"
#include "core/diagnosis/fix_code.h"
#include "ui/context/step_doors.h"
#include "ui/pages/diagnose/fact_rows.h"
#include "ui/pages/diagnose/fix_rows.h"
#include "ui/pages/diagnose/likely_fix_card.h"
#include "ui/pages/diagnose/ncu_card.h"
#include "ui/pages/diagnose/occupancy_card.h"
#include "ui/pages/shared/code_link.h"
#include "ui/pages/shared/run_deltas.h"
#include "ui/style/theme.h"
#include "ui/widgets/breakable.h"
#include "ui/widgets/card.h"
#include "ui/widgets/reasoned_button.h"
#include "ui/widgets/text.h"

#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace kl::ui {
namespace {

QLabel* makeWrapped(const QString& text, TextRole role, QWidget* parent)
{
    QLabel* label = makeLabel(text, role, parent);
    label->setWordWrap(true);
    return label;
}

Card* addCard(QVBoxLayout* column, const QString& title, QVBoxLayout*& rows, QWidget* parent)
{
    auto* card = new Card(title, parent);
    rows = new QVBoxLayout;
    rows->setSpacing(kGapInside);
    card->body()->addLayout(rows);
    column->addWidget(card);
    return card;
}

} // namespace

DiagnosisSide::DiagnosisSide(QWidget* parent) : QWidget(parent)
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kGapBetween);
    likely_ = new LikelyFixCard(this);
    connect(likely_, &LikelyFixCard::kernelRequested, this, &DiagnosisSide::kernelRequested);
    column->addWidget(likely_);
    fixesCard_ = addCard(column, tr("Fixes"), fixes_, this);
    warningsCard_ = addCard(column, tr("Caveats"), warnings_, this);
    secondaryCard_ = addCard(column, tr("Other findings"), secondary_, this);
    experimentsCard_ = addCard(column, tr("Launch shape experiments"), experiments_, this);
    occupancy_ = new OccupancyCard(this);
    column->addWidget(occupancy_);
    ncu_ = new NcuCard(this);
    column->addWidget(ncu_);
    auto* facts = new Card(tr("Run details"), this);
    facts_ = new QGridLayout;
    facts_->setHorizontalSpacing(kGapInside);
    facts_->setVerticalSpacing(kGapTight);
    facts_->setColumnStretch(0, 2); // a long name wraps instead of squeezing the values
    facts_->setColumnStretch(1, 3);
    facts->body()->addLayout(facts_);
    column->addWidget(facts);
    column->addStretch(1);
}

void DiagnosisSide::setRun(const RunRecord& run, const std::optional<Advice>& advice, const std::vector<PinnedRun>& baselines)
{
    likely_->setAdvice(advice);
    clearLayout(fixes_);
    clearLayout(secondary_);
    clearLayout(warnings_);
    clearLayout(facts_);
    if (run.diagnosis) {
        showFixes(run.diagnosis->finding, advice);
        showSecondary(run.diagnosis->secondary);
    }
    for (const Warning& warning : run.warnings)
        warnings_->addWidget(makeWrapped(q(warning.text), TextRole::body, this));
    warningsCard_->setVisible(!run.warnings.empty());
    showExperiments(run.experiments);
    occupancy_->setRun(run);
    ncu_->setRun(run);
    showFacts(run, baselines);
}

void DiagnosisSide::showFixes(const Finding& finding, const std::optional<Advice>& advice)
{
    const bool advised = advice && !advice->changes.empty();
    fixesCard_->setTitle(advised ? tr("Fixes, ready variants first") : tr("Fixes"));
    fixesCard_->setCaption(finding.fixes.empty() ? QString()
                           : advised             ? tr("Linked variants already include the change; a session tries them first.")
                                                 : tr("In the order of the decision tree."));
    int rank = 1;
    std::vector<NextStep> shown;
    for (const FixRow& fix : fixRows(finding, advice)) {
        auto* row = new QVBoxLayout;
        row->setSpacing(2);
        row->addWidget(makeWrapped(QStringLiteral("%1. %2").arg(rank++).arg(fix.title), TextRole::body, this));
        row->addWidget(makeWrapped(fix.why.isEmpty() ? fix.basis : fix.basis + QStringLiteral(" · ") + fix.why, TextRole::caption, this));
        for (const QString& address : fix.ready) {
            QPushButton* link = makeLinkButton(address, this);
            link->setToolTip(tr("Show the variant with this change"));
            connect(link, &QPushButton::clicked, this, [this, address] { emit kernelRequested(address); });
            row->addWidget(link, 0, Qt::AlignLeft);
        }
        addSteps(row, fix.steps, shown);
        if (const FixCode* code = fixCode(fix.kind))
            addCodeLink(row, *code, tr("Show code"), tr("Hide code"), "showFixCode", this);
        fixes_->addLayout(row);
    }
    if (rank == 1)
        fixes_->addWidget(makeWrapped(tr("No fix to suggest. Document the result, or change the algorithm."), TextRole::body, this));
}

/// Links to what does the steps, but for those that another fix shows.
void DiagnosisSide::addSteps(QVBoxLayout* row, const std::vector<NextStep>& steps, std::vector<NextStep>& shown)
{
    for (const NextStep& step : steps) {
        const std::optional<StepDoor> door = findDoor(step);
        if (!door || std::ranges::find(shown, step) != shown.end())
            continue;
        shown.push_back(step);
        const bool wide = step.id == StepId::compareInTurn; // it names both variants
        QPushButton* link = makeLinkButton(wide ? tr("Measure both, interleaved…") : door->text, this);
        link->setObjectName(QStringLiteral("step"));
        link->setProperty("step", QString::fromLatin1(findKind(step.id).word));
        link->setToolTip(stepText(step));
        connect(link, &QPushButton::clicked, this, [this, step] { emit stepRequested(step); });
        row->addWidget(link, 0, Qt::AlignLeft);
    }
}

void DiagnosisSide::showSecondary(const std::vector<Finding>& findings)
{
    for (const Finding& finding : findings) {
        secondary_->addWidget(makeWrapped(QStringLiteral("%1 · %2").arg(q(finding.priority), q(finding.title)), TextRole::body, this));
        if (finding.estimate)
            secondary_->addWidget(makeWrapped(q(estimateText(finding)), TextRole::caption, this));
    }
    secondaryCard_->setVisible(!findings.empty());
}

void DiagnosisSide::showExperiments(const std::vector<Experiment>& experiments)
{
    clearLayout(experiments_);
    for (const Experiment& one : experiments) {
        const QString found = one.ratio ? tr("%1 the time").arg(q(formatRatio(*one.ratio))) : tr("not run: %1").arg(q(one.unavailable));
        experiments_->addWidget(makeWrapped(q(one.id) + QStringLiteral(": ") + found, TextRole::body, this));
        if (!one.change.empty())
            experiments_->addWidget(makeWrapped(q(one.change), TextRole::caption, this));
    }
    experimentsCard_->setVisible(!experiments.empty());
}

void DiagnosisSide::showFacts(const RunRecord& run, const std::vector<PinnedRun>& baselines)
{
    std::vector<std::vector<std::pair<std::string, std::string>>> before;
    for (const PinnedRun& baseline : baselines)
        before.push_back(factRows(*baseline.run));
    int at = 0;
    const auto add = [&](const QString& text, Token token) {
        QLabel* shown = makeBreakableLabel(text, TextRole::caption, this);
        setTextToken(shown, token);
        facts_->addWidget(shown, at++, 1, Qt::AlignTop);
        return shown;
    };
    for (const auto& [name, value] : factRows(run)) {
        facts_->addWidget(makeWrapped(q(name), TextRole::caption, this), at, 0, Qt::AlignTop);
        add(q(value), Token::text);
        for (std::size_t i = 0; i < baselines.size(); ++i) {
            const auto same = std::ranges::find(before[i], name, &std::pair<std::string, std::string>::first);
            const QString theirs = same == before[i].end() ? tr("n/a") : same->second == value ? QStringLiteral("=") : q(same->second);
            add(theirs, baselines[i].token)->setObjectName(QStringLiteral("baselineFact"));
        }
    }
}

} // namespace kl::ui
