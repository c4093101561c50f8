// SPDX-License-Identifier: MIT
#pragma once

#include "ui/models/space_table_model.h"
#include "ui/widgets/card.h"

class QGridLayout;

namespace kl::ui {

/// One combination: each gate with its values here and optionally on another GPU; the compiler's result; on
/// which of the listed GPUs it survives.
class PointCard : public Card {
    Q_OBJECT
public:
    explicit PointCard(QWidget* parent = nullptr);

    /// `other`: the same point on another GPU, whose name is `otherName`; or null.
    void show(const SpaceRow& row, const QString& gpu, const SpacePoint* other, const QString& otherName);
    /// The result of pointElsewhere.
    void showElsewhere(const QString& text);

signals:
    void left(); ///< back to all combinations

private:
    void addHeader(const QString& gpu, const QString& otherName);
    void addGate(int line, const GateVerdict& here, const GateVerdict* there);

    QGridLayout* gates_;
    QLabel* compiled_;
    QLabel* elsewhere_;
};

} // namespace kl::ui
