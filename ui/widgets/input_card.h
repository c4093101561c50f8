// SPDX-License-Identifier: MIT
#pragma once

#include "ui/widgets/card.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QSpinBox;

namespace kl {

/// The figures that a calculator is fed with, one a line; every keystroke that makes a figure tells changed().
class InputCard : public Card {
    Q_OBJECT
public:
    explicit InputCard(const QString& title, QWidget* parent = nullptr);

    /// `name` finds the field in tests and is no text for people.
    QSpinBox* addWhole(const QString& name, const QString& label, int low, int high, int value, const QString& suffix = {});
    QDoubleSpinBox* addReal(const QString& name, const QString& label, double low, double high, double value, const QString& suffix);
    QComboBox* addChoice(const QString& name, const QString& label, const QStringList& choices, int chosen);
    /// A choice of long words, on a line of its own under its label; other words may be typed and count once they are entered.
    QComboBox* addOpenChoice(const QString& name, const QString& label);
    QCheckBox* addFlag(const QString& name, const QString& label);

signals:
    void changed();

private:
    QFormLayout* form_;
};

/// Names of the device table's products, in its order, and the place of one by its `match`.
QStringList gpuNames();
int gpuIndex(const QString& match);
/// "1 block", "5 blocks"
QString blocksText(int blocks);

} // namespace kl
