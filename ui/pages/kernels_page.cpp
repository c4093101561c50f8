// SPDX-License-Identifier: MIT
#include "ui/pages/kernels_page.h"

#include "ui/pages/kernels/kernel_list.h"
#include "ui/pages/kernels/own_kernels_bar.h"
#include "ui/pages/kernels/static_view.h"
#include "ui/pages/kernels/sweep_view.h"
#include "ui/style/theme.h"
#include "ui/widgets/card.h"
#include "ui/widgets/code_view.h"
#include "ui/widgets/data_table.h"
#include "ui/widgets/reasoned_button.h"
#include "ui/widgets/reflow.h"
#include "ui/widgets/state_panel.h"
#include "ui/widgets/tab_room.h"
#include "ui/widgets/text.h"

#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QTabWidget>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace kl::ui {

KernelsPage::KernelsPage(AppContext& context, QWidget* parent) : Page(context, tr("Kernels"), parent)
{
    auto* columns = new QHBoxLayout;
    columns->setSpacing(kGapBetween);
    QWidget* body = makeScrollingBody(this, columns)->widget();
    columns->addWidget(makeList(body), 2);
    columns->addWidget(makeDetail(body), 5);
    new Reflow(columns, this);
    fillList();
    choose({});
    connect(&context, &AppContext::kernelsChanged, this, &KernelsPage::takeKernels);
}

QWidget* KernelsPage::makeList(QWidget* parent)
{
    auto* card = new Card(tr("Catalog"), parent);
    card->setCaption(tr("Each variant fixes the bottleneck of the one before it."));
    list_ = new QTreeWidget(card);
    list_->setColumnCount(3);
    list_->setHeaderLabels({tr("Kernel"), tr("Time"), tr("Last finding")});
    list_->headerItem()->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
    list_->header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    list_->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    list_->setRootIsDecorated(true);
    list_->setIndentation(14);
    list_->setUniformRowHeights(true);
    list_->setAccessibleName(tr("Kernels"));
    connect(list_, &QTreeWidget::currentItemChanged, this, [this](QTreeWidgetItem* item) {
        if (!item)
            return;
        if (const QString path = item->data(0, kBrokenRole).toString(); !path.isEmpty())
            return showBroken(path);
        if (const auto address = parseAddress(utf8(item->data(0, Qt::UserRole).toString())))
            showVariant(*address);
    });
    filter_ = makeKernelFilter(*list_, card);
    card->body()->addWidget(filter_);
    card->body()->addWidget(list_, 1);
    own_ = new OwnKernelsBar(context(), card);
    card->body()->addWidget(own_);
    card->setMinimumWidth(380);
    list_->setMinimumHeight(240);
    return card;
}

QWidget* KernelsPage::makeDetail(QWidget* parent)
{
    detail_ = new Card({}, parent);
    summary_ = makeLabel({}, TextRole::body, detail_);
    summary_->setWordWrap(true);
    facts_ = makeLabel({}, TextRole::caption, detail_);
    facts_->setWordWrap(true);
    statics_ = makeLabel({}, TextRole::caption, detail_);
    statics_->setWordWrap(true);
    statics_->setObjectName(QStringLiteral("staticFacts"));
    detail_->body()->addWidget(summary_);
    detail_->body()->addWidget(facts_);
    detail_->body()->addWidget(statics_);
    auto* row = new QHBoxLayout;
    problem_ = new QComboBox(detail_);
    problem_->setAccessibleName(tr("Problem size"));
    problem_->setMinimumWidth(180);
    connect(problem_, &QComboBox::currentTextChanged, this, [this] { showSubject(); });
    connect(problem_, &QComboBox::activated, this, &KernelsPage::refresh); // launches and hot lines are those of the size
    against_ = new QComboBox(detail_);
    against_->setObjectName(QStringLiteral("baseline"));
    against_->setAccessibleName(tr("Baseline to run against"));
    profile_ = makeButton(tr("Profile"), true, detail_);
    profile_->setObjectName(QStringLiteral("profile"));
    run_ = new ReasonedButton(tr("Run"), false, detail_);
    run_->button()->setObjectName(QStringLiteral("run"));
    connect(run_, &ReasonedButton::clicked, this, [this] { measure(false); });
    connect(profile_, &QPushButton::clicked, this, [this] { measure(true); });
    auto* choices = new QHBoxLayout;
    choices->addWidget(problem_);
    choices->addWidget(against_);
    choices->addStretch(1);
    diagnosis_ = makeLinkButton(tr("Show diagnosis"), detail_);
    diagnosis_->setObjectName(QStringLiteral("showDiagnosis"));
    diagnosis_->hide();
    connect(diagnosis_, &QPushButton::clicked, this, [this] { this->context().navigate(QStringLiteral("diagnose"), newestProfile_); });
    choices->addWidget(diagnosis_);
    detail_->body()->addLayout(choices);
    QPushButton* sweep = makeButton(tr("Sweep…"), false, detail_);
    sweep->setObjectName(QStringLiteral("sweep"));
    sweep->setToolTip(tr("Time, throughput, speedup and finding over many sizes"));
    connect(sweep, &QPushButton::clicked, this, [this] {
        tabs_->setCurrentWidget(sweep_);
        sweep_->setFocusOnForm();
    });
    timeline_ = makeButton(tr("Timeline"), false, detail_);
    timeline_->setObjectName(QStringLiteral("timeline"));
    timeline_->setToolTip(tr("Record what the kernel's warps do over time: who waits for whom, and where"));
    connect(timeline_, &QPushButton::clicked, this, &KernelsPage::recordTimeline);
    row->addWidget(profile_);
    row->addWidget(sweep);
    row->addWidget(timeline_);
    row->addWidget(run_, 1);
    detail_->body()->addLayout(row);

    tabs_ = new QTabWidget(detail_);
    QWidget* room = tabRoom(*tabs_);
    runs_ = new DataTable(QStringLiteral("kernel-runs"), tabs_);
    runs_->setStretchColumn(RunTableModel::Problem);
    runs_->setOptionalColumns({RunTableModel::Started, RunTableModel::Device, RunTableModel::Kernel}, 220);
    runs_->setSource(&runsModel_);
    runs_->setLinkColumn(RunTableModel::Problem);
    runs_->setAccessibleName(tr("Runs of this kernel"));
    connect(runs_, &DataTable::opened, this, [this](int index) {
        if (const RunSummary* run = runsModel_.at(index))
            context().navigate(QStringLiteral("diagnose"), q(run->id.text));
    });
    runs_->setSecondAction(tr("Add to Compare"));
    connect(runs_, &DataTable::secondAction, this, [this](int index) {
        if (const RunSummary* run = runsModel_.at(index))
            context().navigate(QStringLiteral("compare"), QStringLiteral("run:") + q(run->id.text));
    });
    runsState_ = new StateStack(runs_, room);
    compiled_ = new StaticView(context(), room);
    tabs_->addTab(makeSource(room), tr("Source"));
    tabs_->addTab(compiled_, tr("Compiled"));
    tabs_->addTab(runsState_, tr("Runs"));
    sweep_ = new SweepView(context(), room);
    tabs_->addTab(sweep_, tr("Sweep"));
    tabs_->setDocumentMode(true);
    detail_->body()->addWidget(tabs_, 1);
    return detail_;
}

QWidget* KernelsPage::makeSource(QWidget* parent)
{
    auto* page = new QWidget(parent);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, kGapInside, 0, 0);
    column->setSpacing(kGapInside);
    hotLinks_ = makeLabel({}, TextRole::caption, page);
    hotLinks_->setObjectName(QStringLiteral("hotLinks"));
    hotLinks_->setWordWrap(true);
    hotLinks_->setTextFormat(Qt::RichText);
    hotLinks_->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    connect(&Theme::instance(), &Theme::changed, hotLinks_, [this] { // a label keeps the link colors of the old theme
        const QString text = hotLinks_->text();
        hotLinks_->clear();
        hotLinks_->setText(text);
    });
    connect(hotLinks_, &QLabel::linkActivated, this, [this](const QString& line) { code_->showLine(line.toInt()); });
    code_ = new CodeView(page);
    column->addWidget(hotLinks_);
    column->addWidget(code_, 1);
    return page;
}

} // namespace kl::ui
