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
#include <optional>
#include <unordered_map>

namespace kl::inline replay {
namespace {

constexpr const char* kCaptureFolder = "resources/captures/";

/// What a request asks for, in a sentence.
std::string nounOf(Verb verb)
{
    return verb == Verb::sanitize ? "check by compute-sanitizer" : toWord(verb);
}

/// Captures as they are, compressed: the texts of the sample take 65 MB. They are indexed by key when something is first requested; the
/// text of the capture that answered last is kept, and a line is parsed when it is requested.
class ReplayCollector final : public Collector {
public:
    /// Reads the header. `compressed` has to live for as long as this.
    Status add(std::string_view compressed, std::string_view where);
    /// The same with a copy of its own, which is read to its end; once.
    Status addCopy(std::string_view compressed, std::string_view where);

    Source source() const override { return Source::sample; }
    const Hello& hello() const override { return hello_; }
    bool holds(Verb verb, const Json& body) const override;
    Result<Json> ask(Verb verb, const Json& body, const Job& job) override;

private:
    struct Capture {
        std::string_view compressed;
        std::string where;
    };
    struct Place { ///< of a line
        std::size_t capture = 0;
        std::size_t begin = 0;
        std::size_t size = 0;
    };

    // Precondition of each: the mutex is held.
    Status index() const;
    Result<Conversation> read(const Place& place) const;
    Error notRecorded(const Conversation& wanted) const;
    std::string recordedFor(const Conversation& wanted) const;

    std::string copy_; ///< of addCopy()
    std::vector<Capture> captures_;
    Hello hello_;

    mutable std::mutex mutex_;        ///< guards what follows
    mutable std::size_t indexed_ = 0; ///< of the captures
    mutable std::unordered_map<std::string, Place> byKey_;
    mutable std::optional<std::size_t> latest_; ///< the capture whose text is kept
    mutable std::string latestText_;
};

Status ReplayCollector::add(std::string_view compressed, std::string_view where)
{
    KL_ASSIGN(const std::string line, decompressHeader(compressed, where));
    KL_ASSIGN(CaptureHeader header, parseHeader(line, where));
    hello_.version = header.program;
    const auto sameDevice = [&](const DeviceInfo& device) { return device.uuid == header.device.uuid; };
    if (std::none_of(hello_.devices.begin(), hello_.devices.end(), sameDevice))
        hello_.devices.push_back(header.device);
    captures_.push_back({compressed, std::string(where)});
    return {};
}

Status ReplayCollector::addCopy(std::string_view compressed, std::string_view where)
{
    copy_ = compressed;
    KL_TRY(add(copy_, where));
    const std::lock_guard lock(mutex_);
    return index();
}

Status ReplayCollector::index() const
{
    for (; indexed_ < captures_.size(); ++indexed_) {
        const Capture& capture = captures_[indexed_];
        KL_ASSIGN(const std::string text, decompressCapture(capture.compressed, capture.where));
        const std::vector<std::string_view> lines = linesOf(text);
        for (std::size_t i = 1; i < lines.size(); ++i) {
            std::string key(keyOfLine(lines[i]).value_or(std::string_view{}));
            if (key.empty()) {
                KL_ASSIGN(Conversation parsed, parseConversation(lines[i], capture.where, false));
                key = std::move(parsed.key);
            }
            byKey_.emplace(std::move(key), Place{indexed_, static_cast<std::size_t>(lines[i].data() - text.data()), lines[i].size()});
        }
    }
    return {};
}

Result<Conversation> ReplayCollector::read(const Place& place) const
{
    const Capture& capture = captures_[place.capture];
    if (latest_ != place.capture) {
        KL_ASSIGN(std::string text, decompressCapture(capture.compressed, capture.where));
        latestText_ = std::move(text);
        latest_ = place.capture;
    }
    return parseConversation(std::string_view(latestText_).substr(place.begin, place.size), capture.where, true);
}

bool ReplayCollector::holds(Verb verb, const Json& body) const
{
    const std::lock_guard lock(mutex_);
    return index() && byKey_.contains(requestKey(verb, body));
}

/// Lists what a kernel was recorded with: "run M=64,N=65; run M=4096,N=4096". One verb where it was recorded, else all of them.
std::string ReplayCollector::recordedFor(const Conversation& wanted) const
{
    std::vector<std::string> found;
    std::vector<std::string> sameVerb;
    for (const Capture& capture : captures_) {
        const Result<std::string> whole = decompressCapture(capture.compressed, capture.where);
        for (const std::string_view line : whole ? linesOf(*whole) : std::vector<std::string_view>()) {
            const Result<Conversation> conversation = parseConversation(line, capture.where, false);
            if (!conversation || conversation->kernel != wanted.kernel)
                continue;
            std::string text = fmt::format("{} ", nounOf(conversation->verb));
            if (conversation->tier >= 0)
                text += fmt::format("tier {} ", conversation->tier);
            text += conversation->problem;
            if (std::find(found.begin(), found.end(), text) != found.end())
                continue;
            if (conversation->verb == wanted.verb && conversation->tier == wanted.tier)
                sameVerb.push_back(text);
            found.push_back(std::move(text));
        }
    }
    return fmt::format("{}", fmt::join(sameVerb.empty() ? found : sameVerb, "; "));
}

Error ReplayCollector::notRecorded(const Conversation& wanted) const
{
    const std::string subject = wanted.kernel.empty() ? std::string("this machine") : wanted.kernel;
    std::string message = fmt::format("The recorded sample has no {} of {}", nounOf(wanted.verb), subject);
    if (wanted.tier >= 0)
        message += fmt::format(", tier {}", wanted.tier);
    if (!wanted.problem.empty())
        message += fmt::format(", on {}", wanted.problem);
    const std::string recorded = recordedFor(wanted);
    const std::string hint = recorded.empty() ? fmt::format("Nothing is recorded for {}. Measure it on a GPU.", subject)
                                              : fmt::format("Recorded for {}: {}. Measure the rest on a GPU.", subject, recorded);
    return {.code = ErrorCode::notRecorded, .message = message + '.', .hint = hint, .where = subject};
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
    const std::lock_guard lock(mutex_);
    KL_TRY(index());
    const auto found = byKey_.find(wanted.key);
    if (found == byKey_.end())
        return notRecorded(wanted);
    KL_ASSIGN(Conversation recorded, read(found->second));
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
    KL_TRY(replay->addCopy(compressed, where));
    return std::unique_ptr<Collector>(std::move(replay));
}

Result<std::unique_ptr<Collector>> openSample()
{
    auto replay = std::make_unique<ReplayCollector>();
    bool any = false;
    for (const std::string& path : resourcesUnder(kCaptureFolder)) {
        KL_ASSIGN(const std::string_view bytes, resource(path));
        KL_TRY(replay->add(bytes, path));
        any = true;
    }
    if (!any)
        return Error{.code = ErrorCode::notRecorded,
                     .message = "This build contains no recorded sample.",
                     .hint = "Record one on a machine with a GPU with ./dev capture, then build again.",
                     .where = kCaptureFolder};
    return std::unique_ptr<Collector>(std::move(replay));
}

Result<std::vector<RecordedRequest>> requestsOf(std::string_view compressed, std::string_view where)
{
    KL_ASSIGN(const std::string text, decompressCapture(compressed, where));
    const std::vector<std::string_view> lines = linesOf(text);
    if (const Result<CaptureHeader> header = parseHeader(lines.empty() ? std::string_view{} : lines.front(), where); !header)
        return header.error();
    std::vector<RecordedRequest> requests;
    for (std::size_t i = 1; i < lines.size(); ++i) {
        KL_ASSIGN(Conversation conversation, parseConversation(lines[i], where, false));
        requests.push_back({conversation.verb, conversation.kernel, conversation.problem, std::move(conversation.body)});
    }
    return requests;
}

} // namespace kl::inline replay
