// SPDX-License-Identifier: MIT
#pragma once

#include <QObject>

namespace kl {

/// While a page is scrolled, the wheel passes over boxes, sliders and tabs: one without the focus keeps its value and lets the page
/// scroll, and the wheel does not give it the focus. An event filter of the whole application.
class WheelGuard : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;
    bool eventFilter(QObject* watched, QEvent* event) override;
};

} // namespace kl
