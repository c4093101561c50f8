// SPDX-License-Identifier: MIT
#include "ui/pages/environment_page.h"

#include "sessions/hosts/host_list.h"
#include "ui/pages/environment/machine_cards.h"
#include "ui/pages/environment/repairs_card.h"
#include "ui/style/theme.h"
#include "ui/widgets/copy_card.h"
#include "ui/widgets/data_table.h"
#include "ui/widgets/file_choice.h"
#include "ui/widgets/layout_pause.h"
#include "ui/widgets/mark_label.h"
#include "ui/widgets/reasoned_button.h"
#include "ui/widgets/reflow.h"
#include "ui/widgets/state_panel.h"
#include "ui/widgets/text.h"

#include <QAbstractProxyModel>
#include <QComboBox>
#include <QDesktopServices>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>

namespace kl::ui {
namespace {

constexpr int kMostMachineWidth = 460; ///< a longer name of a machine is elided
constexpr int kMostChecks = 30;        ///< rows before the table gets its own scroll bar

QLabel* addText(Card* card, const QString& name)
{
    QLabel* label = makeLabel({}, TextRole::body, card);
    label->setObjectName(name);
    label->setWordWrap(true);
    card->body()->addWidget(label);
    return label;
}

} // namespace

EnvironmentPage::EnvironmentPage(AppContext& context, QWidget* parent) : Page(context, tr("Environment"), parent)
{
    auto* whole = new QVBoxLayout;
    whole->setSpacing(kGapBetween);
    QWidget* body = makeScrollingBody(this, whole)->widget();
    auto* content = new QWidget(body);
    state_ = new StateStack(content, body);
    whole->addWidget(makeInputs(body));
    whole->addWidget(state_, 1);
    auto* columns = new QHBoxLayout(content);
    columns->setContentsMargins(0, 0, 0, 0);
    columns->setSpacing(kGapBetween);
    columns->addWidget(makeChecks(content), 3);
    columns->addWidget(makeSide(content), 2);
    new Reflow(columns, this);
    connect(&context, &AppContext::deviceSwitched, this, [this] {
        checked_.reset();
        listMachines();
    });
}

QWidget* EnvironmentPage::makeInputs(QWidget* parent)
{
    auto* card = new Card({}, parent);
    auto* row = new QHBoxLayout;
    row->setSpacing(kGapBetween);
    const auto add = [&](const QString& name, QWidget* field, int stretch) {
        auto* column = new QVBoxLayout;
        column->setSpacing(kGapTight);
        column->addWidget(makeLabel(name, TextRole::caption, card));
        column->addWidget(field);
        row->addLayout(column, stretch);
    };
    machine_ = new QComboBox(card);
    machine_->setObjectName(QStringLiteral("machine"));
    machine_->setSizeAdjustPolicy(QComboBox::AdjustToContents); // the machines are listed later
    machine_->setAccessibleName(tr("Machine to check"));
    project_ = new QLineEdit(card);
    project_->setObjectName(QStringLiteral("project"));
    project_->setPlaceholderText(tr("kernelloop.json in the working folder"));
    project_->setToolTip(project_->placeholderText());
    project_->setAccessibleName(tr("Project file, kernelloop.json"));
    torch_ = new QLineEdit(card);
    torch_->setObjectName(QStringLiteral("torch"));
    torch_->setPlaceholderText(tr("any, e.g. 2.2.1"));
    torch_->setToolTip(torch_->placeholderText());
    torch_->setAccessibleName(tr("Version of torch that is required"));
    QPushButton* choose = makeButton(tr("Choose…"), false, card);
    connect(choose, &QPushButton::clicked, this, [this] {
        const QString file = chooseFile(this, tr("Choose Project File"), tr("Project files (*.json)"), QStringLiteral("projects"));
        if (!file.isEmpty())
            project_->setText(file);
    });
    run_ = new ReasonedButton(tr("Check"), true, card);
    run_->button()->setObjectName(QStringLiteral("checkEnvironment"));
    connect(run_, &ReasonedButton::clicked, this, &EnvironmentPage::check);
    add(tr("Machine"), machine_, 2);
    add(tr("Project file"), project_, 3);
    row->addWidget(choose, 0, Qt::AlignBottom);
    add(tr("Required torch"), torch_, 2);
    row->addWidget(run_, 0, Qt::AlignBottom);
    new Reflow(row, this);
    card->body()->addLayout(row);
    connect(machine_, &QComboBox::activated, this, [this] {
        checked_.reset();
        refresh();
    });
    return card;
}

QWidget* EnvironmentPage::makeChecks(QWidget* parent)
{
    auto* area = new QWidget(parent);
    auto* column = new QVBoxLayout(area);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kGapBetween);
    checks_ = new Card({}, area);
    table_ = new DataTable(QStringLiteral("environment"), checks_);
    table_->setStretchColumn(EnvCheckModel::Found);
    table_->setWrapped(true);
    table_->setSource(&model_);
    table_->setAccessibleName(tr("Checks of the environment"));
    table_->setGrowing(kMostChecks);
    connect(table_, &DataTable::chosen, this, &EnvironmentPage::showDetail);
    checks_->body()->addWidget(table_);
    log_ = makeLabel({}, TextRole::caption, checks_);
    log_->setObjectName(QStringLiteral("environmentLog"));
    log_->setTextFormat(Qt::RichText); // a link
    log_->setTextInteractionFlags(Qt::TextBrowserInteraction);
    log_->setWordWrap(true);
    connect(log_, &QLabel::linkActivated, this, [](const QString& file) { QDesktopServices::openUrl(QUrl::fromLocalFile(file)); });
    checks_->body()->addWidget(log_);
    column->addWidget(checks_);
    column->addStretch(1);
    return area;
}

QWidget* EnvironmentPage::makeSide(QWidget* parent)
{
    auto* area = new QWidget(parent);
    auto* column = new QVBoxLayout(area);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kGapBetween);
    detail_ = new Card({}, area);
    why_ = addText(detail_, QStringLiteral("checkWhy"));
    fix_ = addText(detail_, QStringLiteral("checkFix"));
    repairs_ = new RepairsCard(context(), area);
    connect(repairs_, &RepairsCard::repaired, this, &EnvironmentPage::check);
    devices_ = new DevicesCard(context(), area);
    settings_ = new CopyCard(tr("Settings for your shell"), QStringLiteral("shellSettings"), area);
    settings_->setCaption(tr("For builds of your own: architecture list, ninja, cache, library paths."));
    recipe_ = new CopyCard(tr("Build recipe"), QStringLiteral("buildRecipe"), area);
    recipe_->setCaption(tr("The pattern “Build kernel and binding as one unit”, filled in from this check."));
    QPushButton* pattern = makeLinkButton(tr("Show pattern"), recipe_);
    connect(pattern, &QPushButton::clicked, this,
            [this] { context().navigate(QStringLiteral("patterns"), QStringLiteral("single-compilation-unit")); });
    recipe_->body()->addWidget(pattern, 0, Qt::AlignLeft);
    for (Card* card : {detail_, static_cast<Card*>(repairs_), static_cast<Card*>(devices_), static_cast<Card*>(settings_),
                       static_cast<Card*>(recipe_), makeLimitsCard(area)})
        column->addWidget(card);
    column->addStretch(1);
    return area;
}

void EnvironmentPage::listMachines()
{
    const QVariant chosen = machine_->currentData();
    machine_->clear();
    const auto add = [&](const QString& words, const DeviceSpec& device) {
        if (machine_->findData(q(toText(device))) < 0)
            machine_->addItem(words, q(toText(device)));
    };
    const DeviceSpec& present = context().device();
    add(machineName(present) + QStringLiteral(" · ") + context().deviceName(), present);
    add(tr("this machine"), DeviceSpec::local());
    if (const Result<std::vector<KnownHost>> hosts = HostList().list())
        for (const KnownHost& host : *hosts)
            add(q(host.host), makeHostDevice(host.host));
    add(machineName(DeviceSpec::sample()), DeviceSpec::sample());
    machine_->setCurrentIndex(std::max(0, machine_->findData(chosen)));
    machine_->setMinimumWidth(std::min(machine_->sizeHint().width(), kMostMachineWidth)); // its own minimum is that of the list at first
}

MachineWanted EnvironmentPage::readWanted() const
{
    const Result<DeviceSpec> device = parseDeviceSpec(utf8(machine_->currentData().toString()));
    return {device ? *device : DeviceSpec::local(), utf8(project_->text().trimmed()), utf8(torch_->text().trimmed())};
}

void EnvironmentPage::refresh()
{
    listMachines();
    const bool recorded = readWanted().device.kind == DeviceKind::sample;
    project_->setEnabled(!recorded);
    torch_->setEnabled(!recorded);
    run_->setText(recorded || checked_ ? tr("Check again") : tr("Check"));
    if (checked_ || job_.running())
        return;
    if (recorded)
        return check();
    state_->showEmpty({QStringLiteral("environment"), tr("Not checked yet"),
                       tr("GPU, driver, CUDA libraries, Python, torch and numpy, disk space; with a project file also whether its "
                          "extension builds and loads. Seconds, or minutes with a build."),
                       tr("Check %1").arg(machineName(readWanted().device)), [this] { check(); }});
}

void EnvironmentPage::check()
{
    const MachineWanted subject = readWanted();
    if (!checked_)
        state_->showLoading();
    job_.start(
        subject.device.kind == DeviceKind::sample ? QString() : tr("Checking %1").arg(machineName(subject.device)),
        [engine = context().engine(), subject](const Job& job) { return checkOneMachine(*engine, subject, job); },
        [this](Result<CheckedMachine> checked) {
            if (checked)
                show(std::move(*checked));
            else
                state_->showError(checked.error(), [this] { check(); });
        });
}

void EnvironmentPage::show(CheckedMachine checked)
{
    const LayoutPause pause(*this);
    checked_ = std::move(checked);
    const std::vector<EnvCheck>& rows = checked_->report.checks;
    const auto passed = std::ranges::count(rows, CheckResult::pass, &EnvCheck::result);
    checks_->setTitle((passes(checked_->report) ? tr("Ready: %1 of %2 checks passed on %3") : tr("Not ready: %1 of %2 checks passed on %3"))
                          .arg(passed)
                          .arg(rows.size())
                          .arg(machineName(checked_->device)));
    model_.setRows(rows);
    const QString file = q(checked_->report.logFile);
    log_->setText(file.isEmpty() ? tr("A recording has no log.")
                                 : tr("Log: %1").arg(QStringLiteral("<a href=\"%1\">%1</a>").arg(file.toHtmlEscaped())));
    const auto failed = std::ranges::find(rows, CheckResult::fail, &EnvCheck::result);
    showDetail(failed == rows.end() ? 0 : static_cast<int>(failed - rows.begin()));
    repairs_->show(*checked_);
    devices_->show(*checked_);
    settings_->setText(exact(shellScript(checked_->settings)));
    recipe_->setText(exact(recipeMarkdown(checked_->recipe)));
    run_->setText(tr("Check again"));
    state_->showContent();
}

void EnvironmentPage::showDetail(int row)
{
    const EnvCheck* check = model_.at(row);
    detail_->setVisible(check != nullptr);
    if (!check)
        return;
    detail_->setTitle(checkName(check->id));
    detail_->setCaption(q(check->found));
    why_->setText(q(check->why));
    fix_->setVisible(check->result == CheckResult::fail && !check->fix.empty());
    fix_->setText(tr("To fix: %1").arg(q(check->fix)));
}

} // namespace kl::ui
