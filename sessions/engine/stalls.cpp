// SPDX-License-Identifier: MIT
#include "sessions/engine/stalls.h"

#include "core/base/format.h"
#include "core/codec/json.h"
#include "sessions/session/events.h"

#include <nlohmann/json.hpp>

namespace kl::inline engine {

Stalls::Stalls(const Job& outer, const SessionTemplate& plan) : job_(outer)
{
    const double seconds = plan.threshold("silence_timeout_s");
    if (seconds > 0)
        job_.silence = std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
    job_.notice = [this, pass = outer.notice](const std::string& text) {
        {
            const std::scoped_lock lock(mutex_);
            texts_.push_back(text);
        }
        if (pass)
            pass(text);
    };
}

void Stalls::keep(Store& store, const SessionId& id, const std::string& action)
{
    for (const std::string& text : texts_) {
        const Result<std::vector<SessionEvent>> events = store.events(id);
        if (!events || events->empty())
            return;
        const Status kept =
            store.appendEvent(id, {events->back().seq + 1, isoNow(), event::kStalled, encode(Json{{"action", action}, {"text", text}})});
        static_cast<void>(kept.ok());
    }
}

} // namespace kl::inline engine
