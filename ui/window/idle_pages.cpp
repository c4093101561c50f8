// SPDX-License-Identifier: MIT
#include "ui/window/idle_pages.h"

#include "ui/jobs/job.h"
#include "ui/window/mainwindow.h"

#include <QApplication>

namespace kl::ui {
namespace {

constexpr int kIdleMilliseconds = 400; ///< without keys, mouse and jobs

bool isInput(QEvent::Type type)
{
    return type == QEvent::KeyPress || type == QEvent::MouseMove || type == QEvent::MouseButtonPress || type == QEvent::Wheel;
}

} // namespace

IdlePages::IdlePages(MainWindow& window) : QObject(&window), window_(window)
{
    waiting_ << QStringLiteral("diagnose"); // reads the most, and is where reports open
    for (const PageEntry& entry : window.entries())
        if (!waiting_.contains(entry.id))
            waiting_ << entry.id;
    idle_.setSingleShot(true);
    idle_.setInterval(kIdleMilliseconds);
    connect(&idle_, &QTimer::timeout, this, [this] {
        if (JobMonitor::instance().active() > 0 || QApplication::activePopupWidget() || step())
            idle_.start();
        else
            qApp->removeEventFilter(this);
    });
    qApp->installEventFilter(this);
    idle_.start();
}

bool IdlePages::step()
{
    while (!waiting_.isEmpty() && stage_ == Stage::make && window_.wasShown(waiting_.front()))
        waiting_.removeFirst();
    if (waiting_.isEmpty())
        return false;
    const QString& id = waiting_.front();
    if (stage_ == Stage::make) {
        window_.page(id);
        stage_ = Stage::fill;
    } else if (stage_ == Stage::fill) {
        window_.fillPage(id);
        stage_ = Stage::layOut;
    } else {
        window_.layOutPage(id);
        stage_ = Stage::make;
        waiting_.removeFirst();
    }
    return true;
}

bool IdlePages::eventFilter(QObject*, QEvent* event)
{
    if (isInput(event->type()))
        idle_.start();
    return false;
}

} // namespace kl::ui
