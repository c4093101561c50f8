// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/file_command.h"

#include <QObject>

// moc 6.4 cannot read libstdc++'s concepts.
#ifndef Q_MOC_RUN
#include "profiler/collector.h"

#include <condition_variable>
#include <mutex>
#include <optional>
#endif

namespace kl::ui {

/// Lets work on other threads ask whether a command from a file may run, and waits for the answer of the user at the window.
class ConsentDesk : public QObject {
    Q_OBJECT
public:
    static ConsentDesk& instance();

    /// From any thread except the GUI thread: waits for the answer. False if there is no window to ask. Error interrupted.
    Result<bool> ask(const FileCommand& command, const Job& job);

    /// GUI thread: the pending question; unset most of the time.
    std::optional<FileCommand> question() const;
    /// Answers the pending question; without one, does nothing.
    void answer(bool yes);
    /// Adds (1) or removes (−1) a window that shows the questions.
    void attach(int windows);

signals:
    /// On the GUI thread: the pending question changed.
    void changed();

private:
    mutable std::mutex mutex_;
    std::condition_variable_any moved_;
    std::optional<FileCommand> question_;
    std::optional<bool> answer_;
    int windows_ = 0;
};

} // namespace kl::ui
