// SPDX-License-Identifier: MIT
#include "ui/window/preferences_dialog.h"

#include "core/base/format.h"
#include "sessions/learning/money.h"
#include "ui/context/app_context.h"
#include "ui/context/python_choice.h"
#include "ui/style/theme.h"
#include "ui/widgets/breakable.h"
#include "ui/widgets/file_choice.h"
#include "ui/widgets/number_box.h"
#include "ui/widgets/reasoned_button.h"
#include "ui/widgets/text.h"
#include "ui/widgets/theme_menu.h"
#include "ui/window/preferences/prices_dialog.h"
#include "ui/window/preferences/thresholds_dialog.h"
#include "ui/window/tools/database_tools.h"

#include <QComboBox>
#include <QDesktopServices>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFileInfo>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QUrl>
#include <QVBoxLayout>

namespace kl::ui {
namespace {

constexpr int kPreferencesWidth = 560;

QLabel* makeNote(const QString& text, QWidget* parent)
{
    QLabel* note = makeLabel(text, TextRole::caption, parent);
    note->setWordWrap(true);
    QSizePolicy policy = note->sizePolicy(); // it has the height depend on the width
    policy.setHorizontalPolicy(QSizePolicy::Expanding);
    note->setSizePolicy(policy);
    return note;
}

} // namespace

PreferencesDialog::PreferencesDialog(AppContext& context, QWidget* parent) : Dialog(parent), context_(context)
{
    setWindowTitle(tr("Preferences"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(kGapPage, kGapBetween, kGapPage, kGapBetween);
    auto* form = new QFormLayout;
    form->setHorizontalSpacing(kGapPage);
    form->setVerticalSpacing(kGapInside);
    form->setFieldGrowthPolicy(QFormLayout::ExpandingFieldsGrow);
    addTheme(form);
    addPrices(form);
    addThresholds(form);
    addPython(form);
    addStorage(form);
    column->addLayout(form);
    column->addStretch(1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    column->addWidget(buttons);
    setMinimumWidth(kPreferencesWidth);
}

void PreferencesDialog::addTheme(QFormLayout* form)
{
    auto* box = new QComboBox(this);
    box->setObjectName(QStringLiteral("themeChoice"));
    box->setAccessibleName(tr("Theme"));
    for (const auto& [choice, text] : themeChoices())
        box->addItem(text, static_cast<int>(choice));
    box->setCurrentIndex(box->findData(static_cast<int>(Theme::instance().choice())));
    connect(box, &QComboBox::currentIndexChanged, this, [box] { chooseTheme(static_cast<ThemeChoice>(box->currentData().toInt())); });
    form->addRow(tr("Theme"), box);
}

void PreferencesDialog::addPrices(QFormLayout* form)
{
    auto* rate = new NumberBox(this);
    rate->setObjectName(QStringLiteral("engineerRate"));
    rate->setAccessibleName(tr("Engineering rate per hour"));
    rate->setButtonSymbols(QAbstractSpinBox::NoButtons);
    rate->setRange(0.01, 10000);
    rate->setPrefix(QStringLiteral("$"));
    rate->setValue(engineerRate(context_.store()));
    const QString reason = context_.writeReason();
    rate->setEnabled(reason.isEmpty());
    connect(rate, &QDoubleSpinBox::editingFinished, this, [this, rate] {
        if (rate->value() == engineerRate(context_.store()))
            return;
        if (const Status set = setEngineerRate(*context_.engine()->store, rate->value()); !set)
            context_.post(set.error());
        context_.pollData();
    });
    form->addRow(tr("Engineering rate per hour"), rate);
    if (!reason.isEmpty())
        form->addRow({}, makeNote(reason, this));
    QPushButton* prices = makeButton(tr("Hosts and prices…"), false, this);
    prices->setObjectName(QStringLiteral("pricesOpen"));
    connect(prices, &QPushButton::clicked, this, [this] { showOver(new PricesDialog(context_, this)); });
    form->addRow(tr("GPUs"), prices);
}

void PreferencesDialog::addThresholds(QFormLayout* form)
{
    QPushButton* thresholds = makeButton(tr("Diagnosis and gates…"), false, this);
    thresholds->setObjectName(QStringLiteral("thresholdsOpen"));
    connect(thresholds, &QPushButton::clicked, this, [this] { showOver(new ThresholdsDialog(context_, this)); });
    form->addRow(tr("Thresholds"), thresholds);
}

void PreferencesDialog::addPython(QFormLayout* form)
{
    auto* row = new QHBoxLayout;
    row->setSpacing(kGapInside); // a form's layouts inherit none
    auto* line = new QLineEdit(pythonChoice(), this);
    line->setObjectName(QStringLiteral("python"));
    line->setPlaceholderText(QStringLiteral("python3"));
    line->setAccessibleName(tr("Python interpreter"));
    QPushButton* choose = makeButton(tr("Choose…"), false, this);
    row->addWidget(line, 1);
    row->addWidget(choose);
    connect(line, &QLineEdit::editingFinished, this, [line] { setPythonChoice(line->text().trimmed()); });
    connect(choose, &QPushButton::clicked, this, [this, line] {
        const QString path = chooseFile(this, tr("Choose Python"), {}, QStringLiteral("python"));
        if (path.isEmpty())
            return;
        line->setText(path);
        setPythonChoice(path);
    });
    form->addRow(tr("Python"), row);
    form->addRow({}, makeNote(tr("Interpreter with PyTorch, for library baselines. Used by workers started from now on."), this));
}

void PreferencesDialog::addStorage(QFormLayout* form)
{
    const QString location = context_.location();
    const QFileInfo file(location);
    QLabel* place = makeBreakableLabel(context_.isSample() ? tr("the sample, in memory") : location, TextRole::body, this);
    QSizePolicy policy = place->sizePolicy(); // it has the height depend on the width
    policy.setHorizontalPolicy(QSizePolicy::Expanding);
    place->setSizePolicy(policy);
    form->addRow(tr("Database"), place);
    if (context_.isSample())
        return;
    auto* row = new QHBoxLayout;
    row->setSpacing(kGapInside); // a form's layouts inherit none
    row->addWidget(makeLabel(q(formatBytes(static_cast<double>(file.size()))), TextRole::body, this), 1);
    QPushButton* show = makeButton(tr("Show in folder"), false, this);
    connect(show, &QPushButton::clicked, this, [file] { QDesktopServices::openUrl(QUrl::fromLocalFile(file.absolutePath())); });
    QPushButton* copy = makeButton(tr("Back up…"), false, this);
    connect(copy, &QPushButton::clicked, this, [this] { (new DatabaseTools(context_, this))->backUp(); });
    row->addWidget(show);
    row->addWidget(copy);
    form->addRow(tr("Size"), row);
}

} // namespace kl::ui
