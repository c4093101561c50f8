// SPDX-License-Identifier: MIT
#pragma once

#include <QObject>

namespace kl::ui {

/// Keeps the wheel from changing boxes, sliders and tabs while a page is scrolled: one without focus keeps its value and lets the page
/// scroll, and the wheel does not give it the focus. An event filter of the whole application.
class WheelGuard : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;
    bool eventFilter(QObject* watched, QEvent* event) override;
};

} // namespace kl::ui
