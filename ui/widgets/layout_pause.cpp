// SPDX-License-Identifier: MIT
#include "ui/widgets/layout_pause.h"

#include <QLayout>

namespace kl::ui {

LayoutPause::LayoutPause(QWidget& root) : root_(root)
{
    if (!root.isVisible()) // then nothing is laid out anyway
        return;
    QList<QWidget*> widgets{&root};
    widgets << root.findChildren<QWidget*>(); // outer ones first
    for (const QWidget* widget : widgets)
        if (QLayout* layout = widget->layout(); layout && layout->isEnabled()) {
            layout->setEnabled(false);
            paused_.emplace_back(layout);
        }
}

LayoutPause::~LayoutPause()
{
    if (paused_.empty())
        return;
    for (QWidget* widget : root_.findChildren<QWidget*>()) // new ones, which Qt would show later, one by one
        if (widget->testAttribute(Qt::WA_LaidOut) && widget->isHidden() && !widget->testAttribute(Qt::WA_WState_ExplicitShowHide))
            widget->show();
    for (const QPointer<QLayout>& layout : paused_)
        if (layout)
            layout->setEnabled(true);
    for (auto layout = paused_.rbegin(); layout != paused_.rend(); ++layout) // inner ones first: what they need is then known
        if (*layout)
            (*layout)->activate();
    for (QWidget* widget : root_.findChildren<QWidget*>()) // what was resized during the pause did not lay out its own
        if (QLayout* layout = widget->layout(); layout && layout->isEnabled() && layout->geometry().size() != widget->contentsRect().size())
            layout->setGeometry(widget->contentsRect());
}

} // namespace kl::ui
