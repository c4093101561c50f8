// SPDX-License-Identifier: MIT
#include "profiler/client/wire.h"

#include "core/base/try.h"
#include "kernels/data/base64.h"
#include "profiler/protocol/message_codec.h"
#include "profiler/protocol/timing_messages.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl::inline client {
namespace {

Error notAnEvent(std::string_view line)
{
    const std::string shown(line.substr(0, 200));
    return {.code = ErrorCode::internal,
            .message = "The worker sent a line that is not a protocol event.",
            .hint = "The worker may be another version; reinstall KernelLoop.",
            .where = "kloop-worker",
            .detail = shown};
}

} // namespace

Result<WorkerEvent> parseWorkerEvent(std::string_view line)
{
    Result<Json> parsed = parseJson(line, "worker event");
    if (!parsed || !parsed->is_object() || !parsed->contains("event") || !(*parsed)["event"].is_string())
        return notAnEvent(line);
    const std::string kind = (*parsed)["event"].get<std::string>();
    WorkerEvent event;
    event.last = parsed->value("last", false);
    if (const auto phases = parsed->find("phases"); phases != parsed->end())
        event.phases = timingsFromJson(*phases);
    if (const auto id = parsed->find("id"); id != parsed->end() && id->is_number_integer())
        event.id = id->get<int>();
    if (kind == "hello") {
        KL_ASSIGN(Hello hello, fromJsonMessage<Hello>(*parsed));
        event.kind = WorkerEvent::Kind::hello;
        event.hello = std::move(hello);
    } else if (kind == "progress") {
        KL_ASSIGN(Progress progress, fromJsonMessage<Progress>(*parsed));
        event.kind = WorkerEvent::Kind::progress;
        event.progress = std::move(progress);
    } else if (kind == "partial" && parsed->contains("body")) {
        event.kind = WorkerEvent::Kind::partial;
        event.answer = std::move((*parsed)["body"]);
    } else if (kind == "output") {
        KL_ASSIGN(const ProgramOutput output, fromJsonMessage<ProgramOutput>(*parsed));
        std::optional<std::string> bytes = fromBase64(output.base64);
        if (!bytes)
            return notAnEvent(line);
        event.kind = WorkerEvent::Kind::output;
        event.output = *std::move(bytes);
        event.errors = output.errors;
    } else if (kind == "error") {
        event.kind = WorkerEvent::Kind::error;
        event.error = errorFromJson(*parsed);
    } else if (kind == "result" && parsed->contains("body")) {
        event.kind = WorkerEvent::Kind::result;
        event.answer = std::move((*parsed)["body"]);
    } else {
        return notAnEvent(line);
    }
    return event;
}

std::string requestLine(int id, std::string_view verb, const Json& body)
{
    return encode(Json{{"id", id}, {"verb", std::string(verb)}, {"body", body}}) + '\n';
}

void Tail::append(std::string_view text)
{
    text_.append(text);
    if (text_.size() <= bytes_)
        return;
    // Cut at a line's start, so that the tail reads as whole lines.
    const auto cut = text_.find('\n', text_.size() - bytes_);
    text_.erase(0, cut == std::string::npos ? text_.size() - bytes_ : cut + 1);
}

} // namespace kl::inline client
