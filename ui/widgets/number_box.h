// SPDX-License-Identifier: MIT
#pragma once

#include <QDoubleSpinBox>

namespace kl::ui {

/// A field for a figure with decimals. Where the locale's mark is a comma, a point that is typed or pasted becomes one: Qt would take it
/// for a group separator, and "1.5" for 15.
class NumberBox : public QDoubleSpinBox {
public:
    using QDoubleSpinBox::QDoubleSpinBox;

    QValidator::State validate(QString& text, int& cursor) const override;
};

} // namespace kl::ui
