// SPDX-License-Identifier: MIT
#include "ui/window/preferences/tree_thresholds_form.h"

#include "core/base/format.h"
#include "core/diagnosis/tree_thresholds.h"
#include "sessions/learning/threshold_effect.h"
#include "ui/context/app_context.h"
#include "ui/style/theme.h"
#include "ui/widgets/reasoned_button.h"
#include "ui/widgets/text.h"
#include "ui/window/preferences/value_table.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>

namespace kl::ui {
namespace {

/// Of a place that the built-in tree does not have in the same question, the value itself.
double findUsualValue(const std::vector<TreeThreshold>& builtIn, const TreeThreshold& threshold)
{
    const auto same = std::ranges::find_if(builtIn, [&](const TreeThreshold& other) {
        return other.place == threshold.place && other.node == threshold.node && other.quantity == threshold.quantity;
    });
    return same == builtIn.end() ? threshold.value : same->value;
}

QString formatComparison(const TreeThreshold& threshold)
{
    const QString text = QStringLiteral("%1 %2").arg(q(threshold.quantity), q(threshold.sense));
    const QString unit = threshold.unit.empty() ? QString() : QStringLiteral(" (%1)").arg(q(threshold.unit));
    return (threshold.unless ? TreeThresholdsForm::tr("not if %1").arg(text) : text) + unit;
}

} // namespace

TreeThresholdsForm::TreeThresholdsForm(AppContext& context, QWidget* parent)
    : QWidget(parent), context_(context),
      table_(new ValueTable({tr("Question"), tr("Class"), tr("Comparison")}, tr("Thresholds of the diagnosis"), this)),
      effect_(makeLabel({}, TextRole::body, this)), changes_(new QListWidget(this)), save_(makeButton(tr("Save"), true, this)),
      settle_(new QTimer(this))
{
    auto* column = new QVBoxLayout(this);
    column->setSpacing(kGapInside);
    auto* words = new QLineEdit(this);
    words->setObjectName(QStringLiteral("thresholdFilter"));
    words->setPlaceholderText(tr("Filter: question, class or figure"));
    words->setAccessibleName(words->placeholderText());
    words->setClearButtonEnabled(true);
    column->addWidget(words);
    table_->setObjectName(QStringLiteral("treeThresholds"));
    column->addWidget(table_, 1);
    effect_->setObjectName(QStringLiteral("treeEffect"));
    effect_->setWordWrap(true);
    column->addWidget(effect_);
    changes_->setObjectName(QStringLiteral("treeChanges"));
    changes_->setAccessibleName(tr("Findings that would change"));
    changes_->setMaximumHeight(kEffectHeight);
    changes_->hide();
    column->addWidget(changes_);
    auto* row = new QHBoxLayout;
    row->setSpacing(kGapInside);
    QLabel* place =
        makeLabel(tr("Saved in %1, for the window and every command.").arg(q(teamTreeFile().string())), TextRole::caption, this);
    place->setWordWrap(true);
    QPushButton* defaults = makeButton(tr("Defaults"), false, this);
    defaults->setObjectName(QStringLiteral("treeDefaults"));
    save_->setObjectName(QStringLiteral("treeSave"));
    row->addWidget(place, 1);
    row->addWidget(defaults);
    row->addWidget(save_);
    column->addLayout(row);
    settle_->setSingleShot(true);
    settle_->setInterval(kEffectAfterMs);
    connect(words, &QLineEdit::textChanged, table_, &ValueTable::filter);
    connect(table_, &ValueTable::edited, settle_, QOverload<>::of(&QTimer::start));
    connect(settle_, &QTimer::timeout, this, &TreeThresholdsForm::preview);
    connect(defaults, &QPushButton::clicked, table_, &ValueTable::setToDefaults);
    connect(save_, &QPushButton::clicked, this, &TreeThresholdsForm::save);
    Result<DiagnosisTree> team = DiagnosisTree::loadConfigured();
    if (!team) {
        context_.post(team.error());
        return;
    }
    tree_ = std::make_shared<const DiagnosisTree>(std::move(*team));
    fill();
}

void TreeThresholdsForm::fill()
{
    const Result<DiagnosisTree> own = DiagnosisTree::loadEmbedded();
    const std::vector<TreeThreshold> builtIn = own ? listThresholds(*own) : std::vector<TreeThreshold>{};
    std::vector<ValueRow> rows;
    for (const TreeThreshold& threshold : listThresholds(*tree_))
        rows.push_back({threshold.place,
                        {q(threshold.question), q(threshold.classId), formatComparison(threshold)},
                        q(threshold.how),
                        threshold.value,
                        findUsualValue(builtIn, threshold)});
    table_->setRows(std::move(rows));
    save_->setEnabled(false);
    effect_->setText(tr("Change a value to see which stored findings would be others. Values that are not the default are bold."));
    changes_->hide();
}

void TreeThresholdsForm::preview()
{
    const std::map<std::string, double> changed = table_->collectChanged();
    if (changed.empty())
        return fill();
    effect_->setText(tr("Diagnosing stored profiles with these values…"));
    context_.read(
        looking_,
        [changed, tree = tree_](Engine& engine, const Job& job) -> Result<TreeEffect> {
            const Result<DiagnosisTree> other = withThresholds(*tree, changed);
            return other ? computeTreeEffect(*engine.store, *engine.catalog, *tree, *other, job) : Result<TreeEffect>(other.error());
        },
        [this](const Result<TreeEffect>& effect) {
            changes_->clear();
            save_->setEnabled(effect.ok());
            if (!effect)
                return effect_->setText(q(effect.error().message));
            const QString looked = effect->more ? tr("the newest %1 profiles").arg(effect->looked) : tr("%1 profiles").arg(effect->looked);
            effect_->setText(effect->changes.empty() ? tr("Of %1, no finding would change.").arg(looked)
                                                     : tr("Of %1, %2 would get another finding.").arg(looked).arg(effect->changes.size()));
            for (const FindingChange& change : effect->changes)
                changes_->addItem(
                    QStringLiteral("%1 %2: %3 → %4").arg(q(change.kernel), q(change.problem), q(change.before), q(change.after)));
            changes_->setVisible(changes_->count() > 0);
        });
}

void TreeThresholdsForm::save()
{
    Result<DiagnosisTree> tree = withThresholds(*tree_, table_->collectChanged());
    const Status saved = tree ? saveTeamTree(*tree) : Status(tree.error());
    if (!saved)
        return context_.post(saved.error(), tr("Could not save the thresholds"));
    tree_ = std::make_shared<const DiagnosisTree>(std::move(*tree));
    fill();
    effect_->setText(tr("Saved: used by windows and commands that are started from now on. Stored findings stay as they are."));
}

} // namespace kl::ui
