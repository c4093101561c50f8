// SPDX-License-Identifier: MIT
#include "ui/widgets/number_box.h"

namespace kl::ui {

QValidator::State NumberBox::validate(QString& text, int& cursor) const
{
    if (const QString mark = locale().decimalPoint(); mark == u",")
        text.replace(u'.', mark);
    return QDoubleSpinBox::validate(text, cursor);
}

} // namespace kl::ui
