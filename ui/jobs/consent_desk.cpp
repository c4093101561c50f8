// SPDX-License-Identifier: MIT
#include "ui/jobs/consent_desk.h"

#include <chrono>

namespace kl::ui {
namespace {

constexpr std::chrono::seconds kBeat{1};

} // namespace

ConsentDesk& ConsentDesk::instance()
{
    static ConsentDesk desk;
    return desk;
}

Result<bool> ConsentDesk::ask(const FileCommand& command, const Job& job)
{
    const auto begin = std::chrono::steady_clock::now();
    std::unique_lock lock(mutex_);
    if (!moved_.wait(lock, job.stop, [this] { return !question_; }))
        return Error{.code = ErrorCode::interrupted, .message = "Stopped by you.", .where = command.file};
    if (windows_ == 0)
        return false;
    question_ = command;
    answer_.reset();
    QMetaObject::invokeMethod(this, &ConsentDesk::changed, Qt::QueuedConnection);
    while (!moved_.wait_for(lock, job.stop, kBeat, [this] { return answer_.has_value(); }) && !job.stop.stop_requested())
        job.report("waiting for your permission to run a command",
                   std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    const std::optional<bool> answer = answer_;
    question_.reset();
    moved_.notify_all();
    QMetaObject::invokeMethod(this, &ConsentDesk::changed, Qt::QueuedConnection);
    if (!answer)
        return Error{.code = ErrorCode::interrupted, .message = "Stopped by you.", .where = command.file};
    return *answer;
}

std::optional<FileCommand> ConsentDesk::question() const
{
    const std::scoped_lock lock(mutex_);
    return answer_ ? std::nullopt : question_;
}

void ConsentDesk::answer(bool yes)
{
    {
        const std::scoped_lock lock(mutex_);
        if (!question_ || answer_)
            return;
        answer_ = yes;
        moved_.notify_all();
    }
    emit changed();
}

void ConsentDesk::attach(int windows)
{
    const std::scoped_lock lock(mutex_);
    windows_ += windows;
}

} // namespace kl::ui
