// SPDX-License-Identifier: MIT
#pragma once

#include <QObject>

class QAbstractScrollArea;

namespace kl::ui {

/// Keeps the wheel from changing boxes, sliders and tabs while a page is scrolled: one without focus keeps its value and lets the page
/// scroll, and the wheel does not give it the focus. The same goes for lists inside a long page that say so. An event filter of the whole
/// application.
class WheelGuard : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;
    /// The wheel scrolls the page, not this list in it, until the list was clicked.
    static void letPageScroll(QAbstractScrollArea* list);
    bool eventFilter(QObject* watched, QEvent* event) override;
};

} // namespace kl::ui
