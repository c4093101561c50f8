// SPDX-License-Identifier: MIT
#pragma once

#include <QPointer>
#include <QWidget>

#include <vector>

namespace kl::ui {

/// While it lives, nothing in a widget that is on screen is laid out; then everything is, once. Otherwise each child that is made, shown or
/// hidden lays out all that it is in. For showing what a page has read.
class LayoutPause {
public:
    explicit LayoutPause(QWidget& root);
    ~LayoutPause();
    LayoutPause(const LayoutPause&) = delete;
    LayoutPause& operator=(const LayoutPause&) = delete;

private:
    QWidget& root_;
    std::vector<QPointer<QLayout>> paused_;
};

} // namespace kl::ui
