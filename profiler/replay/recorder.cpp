// SPDX-License-Identifier: MIT
#include "core/base/format.h"
#include "core/base/try.h"
#include "core/base/write_file.h"
#include "profiler/protocol/gpu_choice.h"
#include "profiler/protocol/message_codec.h"
#include "profiler/replay/capture_file.h"
#include "profiler/replay/replay.h"

#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>

namespace kl::inline replay {
namespace {

class LiveRecorder final : public Recorder {
public:
    explicit LiveRecorder(Collector& live) : live_(live) {}

    Source source() const override { return live_.source(); }
    const Hello& hello() const override { return live_.hello(); }
    Result<Json> ask(Verb verb, const Json& body, const Job& job) override;
    Status resume(std::string_view compressed, std::string_view where) override;
    void add(Verb verb, const Json& body, Json answer) override;
    Status save(const std::filesystem::path& file) const override;

private:
    void keep(Conversation conversation);
    void dropOlder(const Conversation& conversation);
    CaptureHeader header() const;

    Collector& live_;
    std::map<std::string, std::size_t> byKey_;
    std::vector<Conversation> conversations_; ///< in order of first recording
};

Result<Json> LiveRecorder::ask(Verb verb, const Json& body, const Job& job)
{
    KL_ASSIGN(Json answer, live_.ask(verb, body, job));
    add(verb, body, answer);
    return answer;
}

void LiveRecorder::add(Verb verb, const Json& body, Json answer)
{
    Conversation conversation = describeRequest(verb, body);
    conversation.at = isoNow();
    conversation.answer = std::move(answer);
    dropOlder(conversation);
    keep(std::move(conversation));
}

/// The body without the sizes of a suite: what the same question was before the family's suite changed.
Json withoutSuite(Json body)
{
    if (body.is_object() && body.contains("suite") && !body["suite"].empty())
        body["suite"] = Json::array({"any"});
    return body;
}

/// An earlier run over another suite of the same kernel and problem is asked for no longer.
void LiveRecorder::dropOlder(const Conversation& conversation)
{
    if (conversation.verb != Verb::run || byKey_.contains(conversation.key))
        return;
    const std::string key = requestKey(conversation.verb, withoutSuite(conversation.body));
    const auto older = [&](const Conversation& known) {
        return known.verb == conversation.verb && known.kernel == conversation.kernel && known.problem == conversation.problem &&
               requestKey(known.verb, withoutSuite(known.body)) == key;
    };
    if (std::erase_if(conversations_, older) == 0)
        return;
    byKey_.clear();
    for (std::size_t i = 0; i < conversations_.size(); ++i)
        byKey_[conversations_[i].key] = i;
}

void LiveRecorder::keep(Conversation conversation)
{
    const auto [place, fresh] = byKey_.emplace(conversation.key, conversations_.size());
    if (fresh)
        conversations_.push_back(std::move(conversation));
    else
        conversations_[place->second] = std::move(conversation); // requested again: the newest counts
}

Status LiveRecorder::resume(std::string_view compressed, std::string_view where)
{
    KL_ASSIGN(const std::string text, decompressCapture(compressed, where));
    const std::vector<std::string_view> lines = splitIntoLines(text);
    KL_ASSIGN(const CaptureHeader earlier, parseHeader(lines.empty() ? std::string_view() : lines.front(), where));
    const DeviceInfo* device = findMeasuredDevice(live_.hello());
    if (device && device->name != earlier.device.name)
        return Error{.code = ErrorCode::badInput,
                     .message = fmt::format("{} was recorded on {}; this is {}.", where, earlier.device.name, device->name),
                     .hint = "Record into a new file.",
                     .where = std::string(where)};
    for (std::size_t i = 1; i < lines.size(); ++i) {
        KL_ASSIGN(Conversation conversation, parseConversation(lines[i], where, true));
        keep(std::move(conversation));
    }
    return {};
}

CaptureHeader LiveRecorder::header() const
{
    CaptureHeader header;
    header.recordedAt = isoNow();
    header.program = live_.hello().version;
    if (const DeviceInfo* device = findMeasuredDevice(live_.hello())) {
        header.device = *device;
        header.versions["driver"] = header.device.driverVersion;
    }
    for (const Conversation& conversation : conversations_)
        if (conversation.verb == Verb::probe)
            for (const char* name : {"nvrtc", "cupti", "python"})
                if (conversation.answer.contains(name) && conversation.answer[name].is_string())
                    header.versions[name] = conversation.answer[name].get<std::string>();
    return header;
}

Status LiveRecorder::save(const std::filesystem::path& file) const
{
    std::string text = headerLine(header()) + '\n';
    for (const Conversation& conversation : conversations_)
        text += conversationLine(conversation) + '\n';
    KL_ASSIGN(const std::string bytes, compressCapture(text));
    return writeFile(file, bytes);
}

} // namespace

std::unique_ptr<Recorder> recordFrom(Collector& live)
{
    return std::make_unique<LiveRecorder>(live);
}

} // namespace kl::inline replay
