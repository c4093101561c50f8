// SPDX-License-Identifier: MIT
#include "ui/window/preferences/thresholds_dialog.h"

#include "ui/style/tokens.h"
#include "ui/window/preferences/plan_thresholds_form.h"
#include "ui/window/preferences/tree_thresholds_form.h"

#include <QDialogButtonBox>
#include <QTabWidget>
#include <QVBoxLayout>

namespace kl::ui {
namespace {

constexpr QSize kThresholdsSize(880, 560);

} // namespace

ThresholdsDialog::ThresholdsDialog(AppContext& context, QWidget* parent) : Dialog(parent)
{
    setWindowTitle(tr("Thresholds"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(kGapPage, kGapBetween, kGapPage, kGapBetween);
    auto* tabs = new QTabWidget(this);
    tabs->setObjectName(QStringLiteral("thresholdTabs"));
    tabs->addTab(new TreeThresholdsForm(context, tabs), tr("Diagnosis"));
    tabs->addTab(new PlanThresholdsForm(context, tabs), tr("Gates of sessions"));
    column->addWidget(tabs, 1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    column->addWidget(buttons);
    resize(kThresholdsSize);
}

} // namespace kl::ui
