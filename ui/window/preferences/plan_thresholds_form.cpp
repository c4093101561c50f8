// SPDX-License-Identifier: MIT
#include "ui/window/preferences/plan_thresholds_form.h"

#include "sessions/learning/threshold_effect.h"
#include "sessions/session/own_template.h"
#include "sessions/session/session_template.h"
#include "sessions/session/template_library.h"
#include "ui/context/app_context.h"
#include "ui/style/theme.h"
#include "ui/widgets/reasoned_button.h"
#include "ui/widgets/text.h"
#include "ui/window/preferences/value_table.h"

#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>

namespace kl::ui {
namespace {

QString resultWord(GateResult result)
{
    return result == GateResult::pass   ? PlanThresholdsForm::tr("pass")
           : result == GateResult::fail ? PlanThresholdsForm::tr("fail")
                                        : PlanThresholdsForm::tr("unknown");
}

} // namespace

PlanThresholdsForm::PlanThresholdsForm(AppContext& context, QWidget* parent)
    : QWidget(parent), context_(context), kind_(new QComboBox(this)),
      table_(new ValueTable({tr("Used by"), tr("Threshold")}, tr("Thresholds of the gates"), this)),
      effect_(makeLabel({}, TextRole::body, this)), changes_(new QListWidget(this)), name_(new QLineEdit(this)),
      save_(makeButton(tr("Save"), true, this)), settle_(new QTimer(this))
{
    auto* column = new QVBoxLayout(this);
    column->setSpacing(kGapInside);
    auto* form = new QFormLayout;
    form->setFieldGrowthPolicy(QFormLayout::ExpandingFieldsGrow);
    kind_->setObjectName(QStringLiteral("planKind"));
    kind_->setAccessibleName(tr("Kind of session"));
    form->addRow(tr("Kind of session"), kind_);
    column->addLayout(form);
    table_->setObjectName(QStringLiteral("planThresholds"));
    column->addWidget(table_, 1);
    effect_->setObjectName(QStringLiteral("planEffect"));
    effect_->setWordWrap(true);
    column->addWidget(effect_);
    changes_->setObjectName(QStringLiteral("planChanges"));
    changes_->setAccessibleName(tr("Gates that would be judged otherwise"));
    changes_->setMaximumHeight(kEffectHeight);
    changes_->hide();
    column->addWidget(changes_);
    auto* row = new QHBoxLayout;
    row->setSpacing(kGapInside);
    name_->setObjectName(QStringLiteral("planName"));
    name_->setAccessibleName(tr("Saved as kind"));
    QPushButton* defaults = makeButton(tr("Defaults"), false, this);
    save_->setObjectName(QStringLiteral("planSave"));
    row->addWidget(makeLabel(tr("Saved as kind"), TextRole::body, this));
    row->addWidget(name_, 1);
    row->addWidget(defaults);
    row->addWidget(save_);
    column->addLayout(row);
    settle_->setSingleShot(true);
    settle_->setInterval(kEffectAfterMs);
    connect(kind_, &QComboBox::currentIndexChanged, this, &PlanThresholdsForm::fill);
    connect(table_, &ValueTable::edited, settle_, QOverload<>::of(&QTimer::start));
    connect(settle_, &QTimer::timeout, this, &PlanThresholdsForm::preview);
    connect(defaults, &QPushButton::clicked, table_, &ValueTable::setToDefaults);
    connect(save_, &QPushButton::clicked, this, &PlanThresholdsForm::save);
    listKinds(QStringLiteral("optimize"));
}

void PlanThresholdsForm::listKinds(const QString& chosen)
{
    kind_->clear();
    for (const KindRow& row : sessionKinds())
        if (!row.broken)
            kind_->addItem(q(row.kind), row.own);
    kind_->setCurrentIndex(std::max(0, kind_->findText(chosen)));
}

void PlanThresholdsForm::fill()
{
    const std::string kind = utf8(kind_->currentText());
    const Result<std::string> text = templateText(kind);
    const Result<SessionTemplate> plan = text ? parseTemplate(*text, kind) : Result<SessionTemplate>(text.error());
    if (!plan)
        return;
    const bool own = kind_->currentData().toBool();
    std::vector<ValueRow> rows;
    for (const Threshold& threshold : kThresholds)
        if (const auto set = plan->thresholds.find(std::string(threshold.name)); set != plan->thresholds.end())
            rows.push_back(
                {set->first, {q(threshold.usedBy), q(threshold.name)}, {}, set->second, own ? threshold.otherwise : set->second});
    table_->setRows(std::move(rows));
    name_->setText(own ? kind_->currentText() : kind_->currentText() + QStringLiteral("-own"));
    name_->setReadOnly(own);
    save_->setEnabled(false);
    changes_->hide();
    effect_->setText(
        tr("Change a value to see which gates of stored sessions would be judged otherwise. Those sessions keep their values."));
}

void PlanThresholdsForm::preview()
{
    const std::map<std::string, double> changed = table_->collectChanged();
    if (changed.empty())
        return fill();
    context_.read(
        looking_,
        [kind = utf8(kind_->currentText()), changed](Engine& engine, const Job& job) {
            return computeThresholdsEffect(*engine.store, *engine.catalog, kind, changed, job);
        },
        [this](const Result<PlanEffect>& effect) {
            changes_->clear();
            save_->setEnabled(effect.ok());
            if (!effect)
                return effect_->setText(q(effect.error().message));
            const QString looked = effect->more ? tr("the newest %1 sessions of this kind").arg(effect->looked)
                                                : tr("%1 sessions of this kind").arg(effect->looked);
            effect_->setText(effect->changes.empty()
                                 ? tr("In %1, no gate would be judged otherwise.").arg(looked)
                                 : tr("In %1, %2 gates would be judged otherwise.").arg(looked).arg(effect->changes.size()));
            for (const GateChange& change : effect->changes)
                changes_->addItem(QStringLiteral("%1 %2: %3 → %4")
                                      .arg(q(change.name), q(change.gate), resultWord(change.before), resultWord(change.after)));
            changes_->setVisible(changes_->count() > 0);
        });
}

void PlanThresholdsForm::save()
{
    const QString name = name_->text().trimmed();
    if (const Status saved = saveOwnTemplate(utf8(kind_->currentText()), utf8(name), table_->collectChanged()); !saved)
        return context_.post(saved.error(), tr("Could not save the thresholds"));
    listKinds(name);
    effect_->setText(tr("Saved. New sessions of kind %1 have these values.").arg(name));
}

} // namespace kl::ui
