// SPDX-License-Identifier: MIT
#include "sessions/engine/action_log.h"

#include "core/base/format.h"
#include "core/codec/json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl::inline engine {

ActionLog::ActionLog(const Job& outer, Store& store, SessionModel& model, SessionAction action, std::chrono::milliseconds every)
    : job_(outer), store_(store), model_(model), action_(toString(action)), every_(every), begun_(std::chrono::steady_clock::now()),
      last_(begun_)
{
    if (const double seconds = model.plan.threshold("silence_timeout_s"); seconds > 0)
        job_.silence = std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
    job_.notice = [this, pass = outer.notice](const std::string& text) {
        {
            const std::scoped_lock lock(mutex_);
            notices_.push_back(text);
        }
        if (pass)
            pass(text);
    };
    job_.progress = [this, pass = outer.progress](const Progress& progress) {
        write(progress);
        if (pass)
            pass(progress);
    };
}

void ActionLog::write(const Progress& progress)
{
    const auto now = std::chrono::steady_clock::now();
    const std::scoped_lock lock(mutex_);
    if (now - last_ < every_)
        return;
    last_ = now;
    std::string text =
        fmt::format("{} elapsed, currently: {}", formatElapsed(std::chrono::duration<double>(now - begun_).count()), progress.step);
    if (progress.expected)
        text += fmt::format(", expected {}", formatElapsed(*progress.expected));
    const SessionEvent event{model_.view.lastSeq + written_ + 1, isoNow(), event::kProgress,
                             encode(Json{{"action", action_}, {"text", text}})};
    if (store_.appendEvent(model_.view.header.id, event))
        ++written_;
}

void ActionLog::end(SessionEvent* event)
{
    const std::scoped_lock lock(mutex_);
    if (event != nullptr)
        event->seq += written_;
    model_.view.lastSeq += written_;
    written_ = 0;
}

void ActionLog::keepNotices()
{
    const SessionId& id = model_.view.header.id;
    for (const std::string& text : notices_) {
        const Result<std::vector<SessionEvent>> events = store_.events(id);
        if (!events || events->empty())
            return;
        const Status kept =
            store_.appendEvent(id, {events->back().seq + 1, isoNow(), event::kStalled, encode(Json{{"action", action_}, {"text", text}})});
        static_cast<void>(kept.ok());
    }
}

} // namespace kl::inline engine
