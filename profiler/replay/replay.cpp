// SPDX-License-Identifier: MIT
#include "profiler/replay/replay.h"

#include "core/base/resource.h"
#include "core/base/try.h"
#include "profiler/protocol/message_codec.h"
#include "profiler/replay/capture_file.h"

#include <algorithm>
#include <fmt/format.h>
#include <mutex>
#include <nlohmann/json.hpp>
#include <unordered_map>

namespace kl::inline replay {
namespace {

constexpr const char* kCaptureFolder = "resources/captures/";

std::string chooseNoun(const Conversation& conversation)
{
    if (conversation.tier >= 0)
        return fmt::format("tier {} profile", conversation.tier);
    return conversation.verb == Verb::sanitize ? "compute-sanitizer results" : toWord(conversation.verb);
}

/// Captures, indexed by key; a line is parsed when it is requested. Those of the sample are unpacked when they are first needed: all of
/// them are sixty megabytes of text, and most programs ask about one family.
class ReplayCollector final : public Collector {
public:
    /// Reads a capture at once.
    Status add(std::string_view compressed, const std::string& where);
    /// Reads a capture's header; `compressed` has to outlive the collector.
    Status addPacked(std::string_view compressed, const std::string& where);

    Source source() const override { return Source::sample; }
    const Hello& hello() const override { return hello_; }
    bool holds(Verb verb, const Json& body) const override;
    Result<Json> ask(Verb verb, const Json& body, const Job& job) override;

private:
    struct Capture {
        std::string where;
        std::string_view packed;
        std::unique_ptr<const std::string> text; ///< what the views point into; unset until it is unpacked
        std::vector<std::string_view> lines;
        std::unordered_map<std::string_view, std::string_view> byKey;
        std::vector<std::unique_ptr<const std::string>> parsedKeys;
    };

    static Status unpack(Capture& capture);
    /// The line with this key; unset when no capture has it. Looks into the capture of the kernels' family first, then into all in their
    /// order, so that an answer does not depend on what was asked before.
    Result<std::optional<std::string_view>> find(const std::string& key, const SourceHashes& kernels) const;
    Error makeNotRecordedError(const Conversation& wanted) const;
    std::string listRecorded(const Conversation& wanted, const std::string& subject) const;

    mutable std::mutex unpacking_;
    mutable std::vector<Capture> captures_; ///< guarded by it
    Hello hello_;
};

Status ReplayCollector::add(std::string_view compressed, const std::string& where)
{
    KL_TRY(addPacked(compressed, where));
    return unpack(captures_.back());
}

Status ReplayCollector::addPacked(std::string_view compressed, const std::string& where)
{
    KL_ASSIGN(const std::string line, readFirstLine(compressed, where));
    KL_ASSIGN(CaptureHeader header, parseHeader(line, where));
    hello_.version = header.program;
    const auto sameDevice = [&](const DeviceInfo& device) { return device.uuid == header.device.uuid; };
    if (std::none_of(hello_.devices.begin(), hello_.devices.end(), sameDevice))
        hello_.devices.push_back(header.device);
    Capture& capture = captures_.emplace_back();
    capture.where = where;
    capture.packed = compressed;
    return {};
}

Status ReplayCollector::unpack(Capture& capture)
{
    if (capture.text)
        return {};
    KL_ASSIGN(std::string text, decompressCapture(capture.packed, capture.where));
    capture.text = std::make_unique<const std::string>(std::move(text));
    const std::vector<std::string_view> lines = splitIntoLines(*capture.text);
    for (std::size_t i = 1; i < lines.size(); ++i) {
        std::optional<std::string_view> key = findLineKey(lines[i]);
        if (!key) {
            KL_ASSIGN(const Conversation parsed, parseConversation(lines[i], capture.where, false));
            capture.parsedKeys.push_back(std::make_unique<const std::string>(parsed.key));
            key = *capture.parsedKeys.back();
        }
        capture.lines.push_back(lines[i]);
        capture.byKey.emplace(*key, lines[i]);
    }
    return {};
}

Result<std::optional<std::string_view>> ReplayCollector::find(const std::string& key, const SourceHashes& kernels) const
{
    const std::string kernel = kernels.empty() ? std::string() : kernels.begin()->first;
    const std::string ending = fmt::format("-{}.zst", kernel.substr(0, kernel.find('/')));
    std::vector<Capture*> order;
    for (Capture& capture : captures_)
        order.insert(capture.where.ends_with(ending) ? order.begin() : order.end(), &capture);
    for (Capture* capture : order) {
        KL_TRY(unpack(*capture));
        if (const auto found = capture->byKey.find(key); found != capture->byKey.end())
            return std::optional(found->second);
    }
    return std::optional<std::string_view>();
}

bool ReplayCollector::holds(Verb verb, const Json& body) const
{
    const std::scoped_lock lock(unpacking_);
    const auto found = find(requestKey(verb, body), collectSourceHashes(body));
    return found && *found;
}

/// What the subject was recorded with: the sizes of this request, else the other requests.
std::string ReplayCollector::listRecorded(const Conversation& wanted, const std::string& subject) const
{
    std::vector<std::string> requests;
    std::vector<std::string> sizes;
    const auto addOnce = [](std::vector<std::string>& list, const std::string& text) {
        if (std::find(list.begin(), list.end(), text) == list.end())
            list.push_back(text);
    };
    std::vector<std::string_view> lines;
    for (const Capture& capture : captures_)
        lines.insert(lines.end(), capture.lines.begin(), capture.lines.end());
    for (const std::string_view line : lines) {
        const Result<Conversation> conversation = parseConversation(line, "capture", false);
        if (!conversation || conversation->kernel != wanted.kernel)
            continue;
        addOnce(requests, chooseNoun(*conversation));
        if (chooseNoun(*conversation) == chooseNoun(wanted) && !conversation->problem.empty())
            addOnce(sizes, conversation->problem);
    }
    if (!sizes.empty())
        return fmt::format("Recorded sizes of {}: {}. Other sizes need a GPU.", subject, fmt::join(sizes, "; "));
    return requests.empty() ? fmt::format("Nothing is recorded for {}. Measure it on a GPU.", subject)
                            : fmt::format("Recorded for {}: {}. Anything else needs a GPU.", subject, fmt::join(requests, ", "));
}

Error ReplayCollector::makeNotRecordedError(const Conversation& wanted) const
{
    const std::string subject = wanted.kernel.empty() ? std::string("this machine") : wanted.kernel;
    std::string message = fmt::format("The sample has no {} for {}", chooseNoun(wanted), subject);
    if (!wanted.problem.empty())
        message += fmt::format(" at {}", wanted.problem);
    return {.code = ErrorCode::notRecorded, .message = message + '.', .hint = listRecorded(wanted, subject), .where = subject};
}

/// Marks an answer as recorded: its date, and a warning for each kernel whose source has changed since.
void markRecorded(Json& answer, const Conversation& recorded, const SourceHashes& wanted)
{
    if (!answer.is_object())
        return;
    if (answer.contains("recorded_at"))
        answer["recorded_at"] = recorded.at;
    if (!answer.contains("warnings") || !answer["warnings"].is_array())
        return;
    for (const auto& [kernel, hash] : wanted) {
        const auto old = recorded.sourceHashes.find(kernel);
        if (old == recorded.sourceHashes.end() || old->second == hash)
            continue;
        answer["warnings"].push_back({{"code", "recorded-from-older-source"},
                                      {"text", fmt::format("The recording of {} was made from an older source of the kernel.", kernel)}});
    }
}

/// The folder that a recording was made in means nothing to a reader, so its checks name it generically.
void nameScratchFolder(Json& answer, const Json& request)
{
    const auto folder = request.find("disk_path");
    const auto checks = answer.find("checks");
    if (folder == request.end() || !folder->is_string() || folder->get_ref<const std::string&>().empty() || checks == answer.end())
        return;
    const std::string& path = folder->get_ref<const std::string&>();
    for (Json& check : *checks)
        for (const char* field : {"found", "why", "fix"})
            if (check.contains(field) && check[field].is_string()) {
                auto& text = check[field].get_ref<std::string&>();
                if (const std::size_t at = text.find(path); at != std::string::npos)
                    text.replace(at, path.size(), "the scratch folder of the recorded host");
            }
}

Result<Json> ReplayCollector::ask(Verb verb, const Json& body, const Job& job)
{
    if (job.stop.stop_requested())
        return Error{.code = ErrorCode::interrupted, .message = "Canceled before it started.", .where = toWord(verb)};
    const Conversation wanted = describeRequest(verb, body);
    std::unique_lock lock(unpacking_);
    KL_ASSIGN(const std::optional<std::string_view> found, find(wanted.key, wanted.sourceHashes));
    if (!found)
        return makeNotRecordedError(wanted);
    lock.unlock();
    KL_ASSIGN(Conversation recorded, parseConversation(*found, "capture", true));
    job.report(fmt::format("replaying the recording of {}", recorded.at.substr(0, 10)));
    markRecorded(recorded.answer, recorded, wanted.sourceHashes);
    if (verb == Verb::environment)
        nameScratchFolder(recorded.answer, recorded.body);
    return std::move(recorded.answer);
}

} // namespace

Result<std::unique_ptr<Collector>> openCapture(std::string_view compressed, std::string_view where)
{
    auto replay = std::make_unique<ReplayCollector>();
    KL_TRY(replay->add(compressed, std::string(where)));
    return std::unique_ptr<Collector>(std::move(replay));
}

Result<std::unique_ptr<Collector>> openSample()
{
    auto replay = std::make_unique<ReplayCollector>();
    bool any = false;
    for (const std::string& path : resourcesUnder(kCaptureFolder)) {
        KL_ASSIGN(const std::string_view bytes, resource(path));
        KL_TRY(replay->addPacked(bytes, path));
        any = true;
    }
    if (!any)
        return Error{.code = ErrorCode::notRecorded,
                     .message = "This build contains no recorded sample.",
                     .hint = "Record one on a machine with a GPU with ./dev capture, then build again.",
                     .where = kCaptureFolder};
    return std::unique_ptr<Collector>(std::move(replay));
}

Result<std::vector<RecordedRequest>> unpackRequests(std::string_view compressed, std::string_view where)
{
    KL_ASSIGN(const std::string text, decompressCapture(compressed, where));
    const std::vector<std::string_view> lines = splitIntoLines(text);
    KL_ASSIGN([[maybe_unused]] const CaptureHeader header, parseHeader(lines.empty() ? std::string_view{} : lines.front(), where));
    std::vector<RecordedRequest> requests;
    for (std::size_t i = 1; i < lines.size(); ++i) {
        KL_ASSIGN(Conversation conversation, parseConversation(lines[i], where, false));
        requests.push_back({conversation.verb, conversation.kernel, conversation.problem, std::move(conversation.body)});
    }
    return requests;
}

} // namespace kl::inline replay
