// SPDX-License-Identifier: MIT
#pragma once

#include <QObject>

namespace kl::ui {

/// Labels show text as it is, unless they were made for markup (Qt::RichText): Qt would guess, and a kernel "reduce<b>" or a GPU with a tag
/// in its name would lose it. Covers tooltips and the texts of message boxes, too. An event filter of the whole application.
class PlainLabels : public QObject {
public:
    using QObject::QObject;
    bool eventFilter(QObject* watched, QEvent* event) override;
};

} // namespace kl::ui
