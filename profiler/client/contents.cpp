// SPDX-License-Identifier: MIT
#include "profiler/client/contents.h"

#include "core/base/sha256.h"
#include "core/base/try.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <zstd.h>

namespace kl::inline client {
namespace {

constexpr const char* kPlace = "$content"; ///< the only key of the object in a text's place
constexpr std::size_t kHashDigits = 64;
constexpr int kCompression = 3;

bool hasLongText(const Json& json)
{
    if (json.is_string())
        return json.get_ref<const std::string&>().size() >= kLongText;
    return json.is_structured() && std::ranges::any_of(json, hasLongText);
}

Json shortenContents(const Json& json, ContentPieces& pieces)
{
    if (json.is_structured()) {
        Json copy = json.is_object() ? Json::object() : Json::array();
        for (const auto& [key, value] : json.items())
            if (json.is_object())
                copy[key] = shortenContents(value, pieces);
            else
                copy.push_back(shortenContents(value, pieces));
        return copy;
    }
    if (!hasLongText(json))
        return json;
    std::string_view text = json.get_ref<const std::string&>();
    Json hashes = Json::array();
    for (; !text.empty(); text.remove_prefix(std::min(kMostPiece, text.size()))) {
        const std::string_view piece = text.substr(0, kMostPiece);
        const std::string hash = hashContent(piece);
        pieces.emplace(hash, piece);
        hashes.push_back(hash);
    }
    return Json{{kPlace, std::move(hashes)}};
}

bool isPlace(const Json& json)
{
    return json.is_object() && json.size() == 1 && json.contains(kPlace) && json[kPlace].is_array();
}

} // namespace

std::optional<Json> withoutContents(const Json& body, ContentPieces& pieces)
{
    return hasLongText(body) ? std::optional(shortenContents(body, pieces)) : std::nullopt;
}

Status restoreContents(Json& body, const std::function<std::optional<std::string>(const std::string& hash)>& find)
{
    if (isPlace(body)) {
        std::string text;
        for (const Json& hash : body[kPlace]) {
            const std::string name = hash.is_string() ? hash.get<std::string>() : std::string();
            const std::optional<std::string> piece = isContentHash(name) ? find(name) : std::nullopt;
            if (!piece)
                return makeContentGoneError(name);
            text += *piece;
        }
        body = std::move(text);
    } else if (body.is_structured()) {
        for (Json& part : body)
            KL_TRY(restoreContents(part, find));
    }
    return {};
}

Error makeContentGoneError(const std::string& hash)
{
    return {.code = ErrorCode::notFound, .message = "The worker no longer has a part of the request.", .where = kPlace, .detail = hash};
}

bool isContentGone(const Error& error)
{
    return error.code == ErrorCode::notFound && error.where == kPlace;
}

bool isContentHash(std::string_view text)
{
    return text.size() == kHashDigits && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

std::string hashContent(std::string_view piece)
{
    Sha256 hash;
    hash.add(piece);
    return hash.hex();
}

std::string packPiece(std::string_view piece)
{
    std::string packed(ZSTD_compressBound(piece.size()), '\0');
    const std::size_t size = ZSTD_compress(packed.data(), packed.size(), piece.data(), piece.size(), kCompression);
    packed.resize(ZSTD_isError(size) ? 0 : size);
    return packed;
}

std::optional<std::string> unpackPiece(std::string_view packed, const std::string& hash)
{
    const unsigned long long size = ZSTD_getFrameContentSize(packed.data(), packed.size());
    if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN || size > kMostPiece)
        return {};
    std::string piece(size, '\0');
    if (ZSTD_decompress(piece.data(), piece.size(), packed.data(), packed.size()) != size || hashContent(piece) != hash)
        return {};
    return piece;
}

} // namespace kl::inline client
