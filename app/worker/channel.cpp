// SPDX-License-Identifier: MIT
#include "app/worker/channel.h"

#include "core/codec/step_codec.h"
#include "kernels/data/base64.h"
#include "profiler/protocol/message_codec.h"
#include "profiler/protocol/timing_messages.h"

#include <cerrno>
#include <nlohmann/json.hpp>
#include <string>
#include <unistd.h>

namespace kl::worker {

void Channel::hello(const Hello& hello)
{
    send("hello", nullptr, toJsonMessage(hello));
}

void Channel::progress(int id, const Progress& progress)
{
    send("progress", &id, toJsonMessage(progress));
}

void Channel::partial(int id, const Json& body)
{
    send("partial", &id, Json{{"body", body}});
}

void Channel::output(int id, std::string_view bytes, bool errors)
{
    send("output", &id, toJsonMessage(ProgramOutput{toBase64(bytes), errors}));
}

void Channel::result(int id, const Json& body, bool last, const std::vector<TimedPart>& parts)
{
    Json fields{{"body", body}, {"phases", timingsToJson(parts)}};
    if (last)
        fields["last"] = true;
    send("result", &id, fields);
}

void Channel::error(int id, const Error& error, const std::vector<TimedPart>& parts)
{
    send("error", &id,
         Json{{"code", toString(error.code)},
              {"message", error.message},
              {"hint", error.hint},
              {"next_steps", stepsToJson(error.next)},
              {"where", error.where},
              {"detail", error.detail},
              {"phases", timingsToJson(parts)}});
}

void Channel::send(const char* event, const int* id, const Json& fields)
{
    Json line = Json::object();
    line["event"] = event;
    if (id)
        line["id"] = *id;
    line.update(fields);
    const std::string text = encode(line) + '\n';
    const std::scoped_lock lock(mutex_);
    for (std::size_t sent = 0; sent < text.size();) {
        const ssize_t wrote = ::write(descriptor_, text.data() + sent, text.size() - sent);
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote <= 0)
            ::_exit(0); // nobody is listening; a running kernel must not keep the process alive
        sent += static_cast<std::size_t>(wrote);
    }
}

} // namespace kl::worker
