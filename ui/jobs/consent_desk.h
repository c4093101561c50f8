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

namespace kl {

/// Where work on other threads asks whether a command that a file names may run, and waits until somebody at the window has answered.
class ConsentDesk : public QObject {
    Q_OBJECT
public:
    static ConsentDesk& instance();

    /// From any thread but the window's: waits for the answer. A no where no window is there to ask. Error interrupted.
    Result<bool> ask(const FileCommand& command, const Job& job);

    /// Window's thread: what is being asked; nothing most of the time.
    std::optional<FileCommand> question() const;
    /// Answers it; without a question nothing happens.
    void answer(bool yes);
    /// A window that shows the questions has come or gone.
    void attach(int windows);

signals:
    /// On the window's thread: another question, or none any more.
    void changed();

private:
    mutable std::mutex mutex_;
    std::condition_variable_any moved_;
    std::optional<FileCommand> question_;
    std::optional<bool> answer_;
    int windows_ = 0;
};

} // namespace kl
