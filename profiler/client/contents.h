// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/codec/json.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace kl::inline client {

// Long texts of requests to a worker on another host, such as a buffer's content, are sent once: in a request their hashes take their
// place, and the worker keeps them by hash. A text is cut into pieces, so that none is too long for a line.

/// Bytes of a text that is sent apart, and of the largest piece of one.
inline constexpr std::size_t kLongText = std::size_t{64} << 10;
inline constexpr std::size_t kMostPiece = std::size_t{4} << 20;

/// Pieces by their SHA-256.
using ContentPieces = std::map<std::string, std::string_view>;

/// A request's body with hashes in the place of its long texts, whose pieces are added to `pieces`, as views into `body`. Unset where it
/// has none.
std::optional<Json> withoutContents(const Json& body, ContentPieces& pieces);

/// Puts the texts back; `find` gives a piece. Error makeContentGoneError() for the first that it does not have.
Status restoreContents(Json& body, const std::function<std::optional<std::string>(const std::string& hash)>& find);

/// The error of a worker that does not have a piece, or no longer.
Error makeContentGoneError(const std::string& hash);
bool isContentGone(const Error& error);

/// Whether a text can be a hash: 64 hexadecimal digits in lower case.
bool isContentHash(std::string_view text);
std::string hashContent(std::string_view piece);

/// A piece compressed (zstd), and its inverse: unset unless it is a piece with that hash.
std::string packPiece(std::string_view piece);
std::optional<std::string> unpackPiece(std::string_view packed, const std::string& hash);

} // namespace kl::inline client
