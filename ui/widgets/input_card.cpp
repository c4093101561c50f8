// SPDX-License-Identifier: MIT
#include "ui/widgets/input_card.h"

#include "core/device/device_table.h"
#include "ui/style/theme.h"
#include "ui/widgets/number_box.h"
#include "ui/widgets/text.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>

namespace kl::ui {

namespace {

constexpr int kFieldWidth = 112;

template <class Field> Field* prepareField(Field* field, const QString& name, const QString& label)
{
    field->setObjectName(name);
    field->setAccessibleName(label);
    return field;
}

} // namespace

InputCard::InputCard(const QString& title, QWidget* parent) : Card(title, parent), form_(new QFormLayout)
{
    form_->setHorizontalSpacing(kGapBetween);
    form_->setVerticalSpacing(kGapInside);
    form_->setFieldGrowthPolicy(QFormLayout::FieldsStayAtSizeHint);
    form_->setLabelAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    body()->addLayout(form_);
}

QSpinBox* InputCard::addWhole(const QString& name, const QString& label, int low, int high, int value, const QString& suffix)
{
    auto* field = prepareField(new QSpinBox(this), name, label);
    field->setRange(low, high);
    field->setValue(value);
    field->setSuffix(suffix);
    field->setButtonSymbols(QAbstractSpinBox::NoButtons);
    field->setAlignment(Qt::AlignRight);
    field->setFixedWidth(kFieldWidth);
    connect(field, &QSpinBox::valueChanged, this, &InputCard::changed);
    form_->addRow(label, field);
    return field;
}

QDoubleSpinBox* InputCard::addReal(const QString& name, const QString& label, double low, double high, double value, const QString& suffix)
{
    auto* field = prepareField(new NumberBox(this), name, label);
    field->setDecimals(2);
    field->setRange(low, high);
    field->setValue(value);
    field->setSuffix(suffix);
    field->setButtonSymbols(QAbstractSpinBox::NoButtons);
    field->setAlignment(Qt::AlignRight);
    field->setFixedWidth(kFieldWidth);
    connect(field, &QDoubleSpinBox::valueChanged, this, &InputCard::changed);
    form_->addRow(label, field);
    return field;
}

QComboBox* InputCard::addChoice(const QString& name, const QString& label, const QStringList& choices, int chosen)
{
    auto* field = prepareField(new QComboBox(this), name, label);
    field->addItems(choices);
    field->setCurrentIndex(chosen);
    field->setMinimumWidth(std::max(kFieldWidth, field->sizeHint().width()));
    connect(field, &QComboBox::currentIndexChanged, this, &InputCard::changed);
    form_->addRow(label, field);
    return field;
}

QComboBox* InputCard::addOpenChoice(const QString& name, const QString& label)
{
    auto* field = prepareField(new QComboBox(this), name, label);
    field->setEditable(true);
    field->setInsertPolicy(QComboBox::NoInsert);
    field->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    field->setCompleter(nullptr);
    connect(field, &QComboBox::currentIndexChanged, this, &InputCard::changed);
    connect(field->lineEdit(), &QLineEdit::editingFinished, this, &InputCard::changed);
    form_->addRow(new QLabel(label, this));
    form_->addRow(field);
    return field;
}

QCheckBox* InputCard::addFlag(const QString& name, const QString& label)
{
    auto* field = prepareField(new QCheckBox(label, this), name, label);
    connect(field, &QCheckBox::toggled, this, &InputCard::changed);
    form_->addRow(field);
    return field;
}

QStringList gpuNames()
{
    QStringList names;
    for (const GpuRow& gpu : deviceTable().gpus)
        names << q(gpu.name).remove(QStringLiteral("NVIDIA "));
    return names;
}

int gpuIndex(const QString& match)
{
    const auto& gpus = deviceTable().gpus;
    for (std::size_t i = 0; i < gpus.size(); ++i)
        if (q(gpus[i].match) == match)
            return static_cast<int>(i);
    return 0;
}

QString blocksText(int blocks)
{
    return blocks == 1 ? QObject::tr("1 block") : QObject::tr("%1 blocks").arg(blocks);
}

} // namespace kl::ui
