// SPDX-License-Identifier: MIT
#include "ui/pages/diagnose_page.h"

#include "ui/pages/diagnose/decision_card.h"
#include "ui/pages/diagnose/diagnosis_side.h"
#include "ui/pages/diagnose/evidence_card.h"
#include "ui/pages/diagnose/finding_header.h"
#include "ui/pages/diagnose/gaps_card.h"
#include "ui/pages/diagnose/hot_lines_panel.h"
#include "ui/pages/diagnose/memory_card.h"
#include "ui/pages/diagnose/profile_choices.h"
#include "ui/pages/diagnose/roofline_panel.h"
#include "ui/pages/diagnose/stalls_card.h"
#include "ui/style/theme.h"
#include "ui/widgets/reasoned_button.h"
#include "ui/widgets/state_panel.h"
#include "ui/widgets/text.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QPushButton>
#include <QVBoxLayout>

namespace kl {
namespace {

constexpr int kSideWidth = 300;
constexpr int kLeastPicker = 200;
constexpr int kPickerLetters = 60;
constexpr int kTwoColumns = 1040; ///< pixels; in a narrower page the side column goes below the charts

} // namespace

DiagnosePage::DiagnosePage(AppContext& context) : Page(context, tr("Diagnose"))
{
    makeActions();
    state_ = new StateStack(makeContent(), this);
    auto* column = new QVBoxLayout;
    column->addWidget(state_);
    makeScrollingBody(this, column);
}

void DiagnosePage::makeActions()
{
    picker_ = new QComboBox(this);
    picker_->setObjectName(QStringLiteral("profilePicker"));
    picker_->setAccessibleName(tr("Profile"));
    picker_->setMinimumWidth(kLeastPicker);
    picker_->setMinimumContentsLength(kPickerLetters);
    picker_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    picker_->view()->setTextElideMode(Qt::ElideMiddle);
    connect(picker_, &QComboBox::activated, this, [this](int index) {
        wanted_ = utf8(picker_->itemData(index).toString());
        refresh();
    });
    addAction(picker_);
    QPushButton* open = makeButton(tr("Open report…"), false, this);
    open->setObjectName(QStringLiteral("openReport"));
    open->setToolTip(
        tr("Open Nsight Compute reports, their CSV pages, or bundles of runs (Ctrl+O). You can also drop files on the window."));
    connect(open, &QPushButton::clicked, this, [this] { context().openReports(); });
    addAction(open);
    compare_ = makeButton(tr("Add to Compare"), false, this);
    compare_->setObjectName(QStringLiteral("addToCompare"));
    connect(compare_, &QPushButton::clicked, this, [this] {
        if (data_.run)
            context().navigate(QStringLiteral("compare"), QStringLiteral("run:") + q(data_.run->id.text));
    });
    addAction(compare_);
}

QWidget* DiagnosePage::makeContent()
{
    auto* content = new QWidget(this);
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kGapBetween);
    header_ = new FindingHeader(content);
    column->addWidget(header_);
    columns_ = new QHBoxLayout;
    columns_->setSpacing(kGapBetween);
    columns_->addLayout(makeCharts(content), 1);
    side_ = new DiagnosisSide(content);
    connect(side_, &DiagnosisSide::kernelRequested, this,
            [this](const QString& address) { context().navigate(QStringLiteral("kernels"), address); });
    columns_->addWidget(side_);
    column->addLayout(columns_, 1);
    return content;
}

QLayout* DiagnosePage::makeCharts(QWidget* parent)
{
    decision_ = new DecisionCard(parent);
    evidence_ = new EvidenceCard(parent);
    roofline_ = new RooflinePanel(parent);
    memory_ = new MemoryCard(parent);
    stalls_ = new StallsCard(parent);
    hotLines_ = new HotLinesPanel(parent);
    gaps_ = new GapsCard(parent);
    auto* charts = new QVBoxLayout;
    charts->setSpacing(kGapBetween);
    auto* pair = new QHBoxLayout;
    pair->setSpacing(kGapBetween);
    pair->addWidget(evidence_, 1);
    pair->addWidget(roofline_, 1);
    charts->addWidget(decision_);
    charts->addLayout(pair);
    for (QWidget* chart : std::initializer_list<QWidget*>{memory_, stalls_, hotLines_, gaps_})
        charts->addWidget(chart);
    charts->addStretch(1);
    return charts;
}

void DiagnosePage::resizeEvent(QResizeEvent* event)
{
    const bool beside = width() >= kTwoColumns;
    columns_->setDirection(beside ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    side_->setMinimumWidth(beside ? kSideWidth : 0);
    side_->setMaximumWidth(beside ? kSideWidth : QWIDGETSIZE_MAX);
    Page::resizeEvent(event);
}

void DiagnosePage::open(const QString& argument)
{
    if (!argument.isEmpty())
        wanted_ = utf8(argument);
}

void DiagnosePage::refresh()
{
    state_->showLoading();
    context().read(
        reading_,
        [wanted = wanted_, opened = context().openedRuns()](Engine& engine, const Job&) { return readDiagnosis(engine, wanted, *opened); },
        [this](Result<DiagnosisData> loaded) {
            if (!loaded)
                state_->showError(loaded.error(), [this] { refresh(); });
            else
                show(std::move(*loaded));
        });
}

void DiagnosePage::show(DiagnosisData loaded)
{
    data_ = std::move(loaded);
    showChoices();
    if (!data_.run)
        return showNoProfile();
    if (!data_.run->diagnosis)
        return showWithoutDiagnosis(q(toText(data_.run->kernel)));
    showRun();
    state_->showContent();
}

void DiagnosePage::showChoices()
{
    compare_->setEnabled(data_.run.has_value());
    compare_->setToolTip(data_.run ? QString() : tr("There is no profile to add yet."));
    picker_->clear();
    for (const auto& [words, id] : profileChoices(data_.profiles))
        picker_->addItem(words, id);
    picker_->setPlaceholderText(data_.profiles.empty() ? tr("No profiles yet") : tr("Choose a profile"));
    picker_->setEnabled(!data_.profiles.empty());
    picker_->setCurrentIndex(data_.run ? picker_->findData(q(data_.run->id.text)) : -1);
    picker_->setToolTip(picker_->currentText());
    picker_->view()->setMinimumWidth(picker_->view()->sizeHintForColumn(0) + kGapBetween);
}

void DiagnosePage::showWithoutDiagnosis(const QString& kernel)
{
    state_->showEmpty({QStringLiteral("diagnose"), tr("This run of %1 was not profiled").arg(kernel),
                       tr("Only its time was measured. Profile the kernel, with or without hardware counters, to get a diagnosis."),
                       tr("Go to %1").arg(kernel), [this, kernel] { context().navigate(QStringLiteral("kernels"), kernel); }});
}

void DiagnosePage::showNoProfile()
{
    state_->showEmpty({QStringLiteral("diagnose"), tr("No profiles yet"),
                       tr("Profile a kernel, with or without hardware counters, or open an Nsight Compute report to get a diagnosis."),
                       tr("Choose a kernel to profile"), [this] { context().navigate(QStringLiteral("kernels")); }});
}

void DiagnosePage::showRun()
{
    const RunRecord& run = *data_.run;
    const std::vector<const RunRecord*> runs = data_.runs();
    header_->setRun(run, data_.rule ? &*data_.rule : nullptr);
    decision_->setFinding(context().tree(), run.diagnosis->finding);
    evidence_->setEvidence(run.diagnosis->finding);
    roofline_->setRuns(runs);
    memory_->setRun(run);
    stalls_->setRuns(runs);
    hotLines_->setRun(run, context().catalog(), stalls_->parts());
    gaps_->setGaps({{tr("Unit utilization"), roofline_->missing()},
                    {tr("Memory chart"), memory_->missing()},
                    {tr("Stall reasons"), stalls_->missing()},
                    {tr("Hot lines"), hotLines_->missing()}});
    side_->setRun(run, data_.advice);
}

} // namespace kl
