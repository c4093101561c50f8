// SPDX-License-Identifier: MIT
#pragma once

#include "ui/widgets/card.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QSpinBox;

namespace kl::ui {

/// The inputs of a calculator, one per line. Every valid keystroke emits changed().
class InputCard : public Card {
    Q_OBJECT
public:
    explicit InputCard(const QString& title, QWidget* parent = nullptr);

    /// `name`: the object name; not displayed.
    QSpinBox* addWhole(const QString& name, const QString& label, int low, int high, int value, const QString& suffix = {});
    QDoubleSpinBox* addReal(const QString& name, const QString& label, double low, double high, double value, const QString& suffix);
    QComboBox* addChoice(const QString& name, const QString& label, const QStringList& choices, int chosen);
    /// A choice of long texts on its own line below the label. Other texts can be typed and apply on Enter.
    QComboBox* addOpenChoice(const QString& name, const QString& label);
    QCheckBox* addFlag(const QString& name, const QString& label);

signals:
    void changed();

private:
    QFormLayout* form_;
};

/// Names of the device table's GPUs in its order, and the index of one by its `match`.
QStringList gpuNames();
int gpuIndex(const QString& match);
/// "1 block", "5 blocks"
QString blocksText(int blocks);

} // namespace kl::ui
