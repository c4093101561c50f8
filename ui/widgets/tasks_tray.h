// SPDX-License-Identifier: MIT
#pragma once

#include <QFrame>

#include <map>

class QVBoxLayout;

namespace kl::ui {

class BackgroundJob;

/// The bottom of the window: running tasks with step, elapsed and expected time, and Cancel. Hidden while there are none.
/// Watches every BackgroundJob that was started with a title.
class TasksTray : public QFrame {
    Q_OBJECT
public:
    explicit TasksTray(QWidget* parent = nullptr);
    int count() const { return static_cast<int>(rows_.size()); }

private:
    struct Row;
    void added(BackgroundJob* job);
    void removed(BackgroundJob* job);
    void refresh(BackgroundJob* job);

    std::map<BackgroundJob*, Row*> rows_;
    QVBoxLayout* layout_;
};

} // namespace kl::ui
