// SPDX-License-Identifier: MIT
#pragma once

#include "tests/ui/support/seen_texts.h"

#include <QLabel>

namespace kl::ui {

/// Shows what was added and deletes what was taken away, as the loop does.
inline void settleLayout()
{
    settleWidgets();
}

/// Texts of the labels that are not hidden. Settles first.
inline QStringList labelsIn(const QWidget& widget)
{
    settleLayout();
    QStringList texts;
    for (const QLabel* label : widget.findChildren<QLabel*>())
        if (label->isVisibleTo(&widget) && !label->text().isEmpty())
            texts << label->text();
    return texts;
}

} // namespace kl::ui
