// SPDX-License-Identifier: MIT
#pragma once

#include "core/codec/json.h"
#include "core/model/device.h"
#include "profiler/protocol/verb.h"

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The capture format, version 1: JSON Lines under zstd. The first line is the header {capture, recorded_at, program, versions,
/// device}; each further line one conversation {key, verb, kernel, problem, tier, at, source_hashes, body, answer} in this
/// order, which lets a reader index the file without parsing it.
namespace kl::inline replay {

struct CaptureHeader {
    std::string recordedAt;                      ///< UTC, ISO 8601
    std::string program;                         ///< version of the program that recorded
    std::map<std::string, std::string> versions; ///< "nvrtc", "cupti", "python", "driver"
    DeviceInfo device;
};

/// A work specification's address and the hash of the source it was recorded with.
using SourceHashes = std::map<std::string, std::string>;

struct Conversation {
    std::string key; ///< requestKey(verb, body)
    Verb verb = Verb::probe;
    std::string kernel; ///< canonical address; "a vs b" for an A/B; empty when about no kernel
    std::string problem;
    int tier = -1;  ///< of a profile; −1 otherwise
    std::string at; ///< when it was recorded, UTC
    SourceHashes sourceHashes;
    Json body; ///< the request, its work specifications cut down to kernel, problem and source hash
    Json answer;
};

/// Everything but the answer and the time: the subject of a request, and its key.
Conversation describeRequest(Verb verb, const Json& body);

/// Hashes of the sources in a request, by kernel address.
SourceHashes collectSourceHashes(const Json& body);

std::string headerLine(const CaptureHeader& header);
std::string conversationLine(const Conversation& conversation);

Result<CaptureHeader> parseHeader(std::string_view line, std::string_view where);
/// Without the answer when `withAnswer` is false, which is much quicker.
Result<Conversation> parseConversation(std::string_view line, std::string_view where, bool withAnswer);

/// The key of a conversation's line without parsing it; unset when the line is laid out in another way.
std::optional<std::string_view> findLineKey(std::string_view line);

Result<std::string> compressCapture(std::string_view text);
/// Error badInput when the bytes are not a whole zstd frame.
Result<std::string> decompressCapture(std::string_view bytes, std::string_view where);

/// The first line of a packed capture, its header; unpacks no more than that. Errors as decompressCapture.
Result<std::string> readFirstLine(std::string_view bytes, std::string_view where);

/// The lines of a text, without empty ones; views into it.
std::vector<std::string_view> splitIntoLines(std::string_view text);

} // namespace kl::inline replay
