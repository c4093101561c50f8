// SPDX-License-Identifier: MIT
#include "profiler/replay/capture_file.h"

#include "core/codec/json_read.h"
#include "core/codec/model_fields.h"
#include "profiler/protocol/message_codec.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <zstd.h>

namespace kl::inline replay {

template <class V> void fields(V& v, CaptureHeader& h)
{
    v("recorded_at", h.recordedAt);
    v("program", h.program);
    v("versions", h.versions);
    v("device", h.device);
}

template <class V> void fields(V& v, Conversation& c)
{
    v("key", c.key);
    v("verb", c.verb);
    v("kernel", c.kernel);
    v("problem", c.problem);
    v("tier", c.tier);
    v("at", c.at);
    v("source_hashes", c.sourceHashes);
    v("body", c.body);
    v("answer", c.answer);
}

namespace {

constexpr int kCaptureVersion = 1;
constexpr std::string_view kKeyStart = "{\"key\":\"";
constexpr std::size_t kKeyLength = 40;
constexpr std::size_t kLongestHeader = 1 << 20; ///< bytes
constexpr std::string_view kAnswerStart = ",\"answer\":";

bool isWork(const Json& value)
{
    return value.is_object() && value.contains("kernel") && value.contains("source");
}

/// Calls visit(work) for every work specification inside a request.
template <class J, class Visit> void eachWork(J& value, const Visit& visit)
{
    if (isWork(value))
        visit(value);
    else if (value.is_structured())
        for (auto& item : value)
            eachWork(item, visit);
}

Error makeDamageError(std::string_view where, std::string detail)
{
    return {.code = ErrorCode::badInput,
            .message = fmt::format("The capture {} is damaged or not a capture.", where),
            .hint = "Record it again with ./dev capture.",
            .where = std::string(where),
            .detail = std::move(detail)};
}

} // namespace

SourceHashes collectSourceHashes(const Json& body)
{
    SourceHashes hashes;
    eachWork(body, [&](const Json& work) { hashes[textAt(work, "kernel")] = textAt(work, "source_hash"); });
    return hashes;
}

Conversation describeRequest(Verb verb, const Json& body)
{
    Conversation conversation;
    conversation.key = requestKey(verb, body);
    conversation.verb = verb;
    conversation.sourceHashes = collectSourceHashes(body);
    conversation.body = body;
    // What names a work specification is all that its key needs; the rest would be nine tenths of a capture.
    eachWork(conversation.body, [](Json& work) {
        work = Json{{"kernel", textAt(work, "kernel")},
                    {"problem", textAt(work, "problem")},
                    {"source", ""},
                    {"source_hash", textAt(work, "source_hash")}};
    });
    if (verb == Verb::compare && body.contains("a") && body.contains("b")) {
        conversation.kernel = textAt(body["a"], "kernel") + " vs " + textAt(body["b"], "kernel");
        conversation.problem = textAt(body["a"], "problem");
    } else if (verb == Verb::run || verb == Verb::profile || verb == Verb::compile || verb == Verb::sanitize || verb == Verb::timeline) {
        const Json& request = verb == Verb::profile && body.contains("run") ? body["run"] : body;
        if (request.contains("work")) {
            conversation.kernel = textAt(request["work"], "kernel");
            conversation.problem = textAt(request["work"], "problem");
        }
        if (verb == Verb::profile && body.contains("tier") && body["tier"].is_number_integer())
            conversation.tier = body["tier"].get<int>();
    }
    return conversation;
}

std::string headerLine(const CaptureHeader& header)
{
    Json json{{"capture", kCaptureVersion}};
    json.update(toJson(header));
    return encode(json);
}

std::string conversationLine(const Conversation& conversation)
{
    return encode(toJson(conversation));
}

Result<CaptureHeader> parseHeader(std::string_view line, std::string_view where)
{
    const Result<Json> json = parseJson(line, where);
    if (!json || !json->is_object() || !json->contains("capture"))
        return makeDamageError(where, "The first line is not a capture's header.");
    if ((*json)["capture"] != kCaptureVersion)
        return Error{.code = ErrorCode::badInput,
                     .message = fmt::format("The capture {} is of version {}; this program reads version {}.", where,
                                            encode((*json)["capture"]), kCaptureVersion),
                     .hint = "Use the version of KernelLoop that recorded it, or record again.",
                     .where = std::string(where)};
    return fromJson<CaptureHeader>(*json, where);
}

Result<Conversation> parseConversation(std::string_view line, std::string_view where, bool withAnswer)
{
    // A request never holds the key "answer": where the line is laid out as we write it, the answer is its last field.
    const auto cut = withAnswer || !findLineKey(line) ? std::string_view::npos : line.find(kAnswerStart);
    const Result<Json> json =
        cut == std::string_view::npos ? parseJson(line, where) : parseJson(std::string(line.substr(0, cut)) + '}', where);
    if (!json || !json->is_object() || !json->contains("key"))
        return makeDamageError(where, json ? std::string("A line has no key.") : json.error().detail);
    return fromJson<Conversation>(*json, where);
}

std::optional<std::string_view> findLineKey(std::string_view line)
{
    if (!line.starts_with(kKeyStart) || line.size() < kKeyStart.size() + kKeyLength + 1 || line[kKeyStart.size() + kKeyLength] != '"')
        return std::nullopt;
    return line.substr(kKeyStart.size(), kKeyLength);
}

Result<std::string> compressCapture(std::string_view text)
{
    std::string bytes(ZSTD_compressBound(text.size()), '\0');
    const std::size_t size = ZSTD_compress(bytes.data(), bytes.size(), text.data(), text.size(), 19);
    if (ZSTD_isError(size))
        return Error{.code = ErrorCode::internal, .message = "The capture could not be compressed.", .detail = ZSTD_getErrorName(size)};
    bytes.resize(size);
    return bytes;
}

Result<std::string> decompressCapture(std::string_view bytes, std::string_view where)
{
    const unsigned long long size = ZSTD_getFrameContentSize(bytes.data(), bytes.size());
    constexpr unsigned long long kMost = 1ULL << 30; // a capture that claims more is not one of ours
    if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN || size > kMost)
        return makeDamageError(where, "No complete zstd frame.");
    std::string text(size, '\0');
    const std::size_t got = ZSTD_decompress(text.data(), text.size(), bytes.data(), bytes.size());
    if (ZSTD_isError(got))
        return makeDamageError(where, ZSTD_getErrorName(got));
    text.resize(got);
    return text;
}

Result<std::string> readFirstLine(std::string_view bytes, std::string_view where)
{
    const std::unique_ptr<ZSTD_DCtx, std::size_t (*)(ZSTD_DCtx*)> context(ZSTD_createDCtx(), ZSTD_freeDCtx);
    ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
    std::string line;
    std::array<char, 4096> part{};
    while (line.find('\n') == std::string::npos && line.size() <= kLongestHeader) {
        ZSTD_outBuffer out{part.data(), part.size(), 0};
        const std::size_t left = ZSTD_decompressStream(context.get(), &out, &in);
        if (ZSTD_isError(left))
            return makeDamageError(where, ZSTD_getErrorName(left));
        line.append(part.data(), out.pos);
        if (left == 0 || (out.pos == 0 && in.pos == in.size))
            break;
    }
    line.resize(std::min(line.size(), line.find('\n')));
    return line;
}

std::vector<std::string_view> splitIntoLines(std::string_view text)
{
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const auto end = text.find('\n');
        if (end != 0)
            lines.push_back(text.substr(0, end));
        text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
    }
    return lines;
}

} // namespace kl::inline replay
