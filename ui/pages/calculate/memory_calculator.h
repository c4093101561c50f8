// SPDX-License-Identifier: MIT
#pragma once

#include "core/device/memory_advice.h"
#include "ui/models/record_model.h"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QLabel;
class QSpinBox;

namespace kl::ui {

class Card;
class DataTable;

/// The memory tiers of a GPU as a table.
class TierTableModel : public RecordModel<TierAdvice> {
public:
    enum Column { Tier, UseFor, Optimize, Size, ColumnCount };
    using RecordModel::RecordModel;

protected:
    int columns() const override { return ColumnCount; }
    QString header(int column) const override;
    bool numeric(int) const override { return false; }
    QVariant cell(const TierAdvice& row, int column, int role) const override;
};

/// The memory types of a GPU, and which one to use for given data.
class MemoryCalculator : public QWidget {
    Q_OBJECT
public:
    explicit MemoryCalculator(QWidget* parent = nullptr);

private:
    QWidget* makeInputs();
    QWidget* makeAnswers();
    void calculate();

    QComboBox* gpu_;
    QSpinBox* bytes_;
    QComboBox* sharedBy_;
    QSpinBox* reads_;
    QCheckBox* readOnly_;
    QCheckBox* sameAddress_;
    Card* placement_;
    QLabel* why_;
    QLabel* next_;
    TierTableModel model_;
    DataTable* table_;
};

} // namespace kl::ui
