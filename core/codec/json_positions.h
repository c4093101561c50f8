// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kl {

/// A place in a text as editors count: both from 1, columns in bytes, a byte order mark uncounted.
struct TextPosition {
    int line = 1;
    int column = 1;

    bool operator==(const TextPosition&) const = default;
};

/// The place of a byte offset.
TextPosition positionAt(std::string_view text, std::size_t offset);

/// The position of each value of a JSON text, by path: "variants[0].launches[1].grid". For error messages about files that people write.
class JsonPositions {
public:
    /// Precondition: the text is valid JSON; of another text the index ends where it stops being so.
    explicit JsonPositions(std::string_view text);

    /// The place of a member's name (where it appears twice, the second) or a list's item; of a path that is not there, of the nearest part
    /// of it that is.
    TextPosition of(const std::string& path) const;

    /// The place of what is there; unset for a path that is not.
    std::optional<TextPosition> at(const std::string& path) const;

    /// Paths of names that appear twice in their object: a parser keeps one of the two silently.
    const std::vector<std::string>& duplicates() const noexcept { return duplicates_; }

private:
    void value(const std::string& path);
    void object(const std::string& path);
    void array(const std::string& path);
    std::string text();
    char next();
    TextPosition findPosition(std::size_t offset); ///< offsets must not decrease from call to call

    std::string_view text_;
    std::size_t at_ = 0;
    std::size_t counted_ = 0; ///< offset that `reached_` is the place of
    TextPosition reached_;
    std::map<std::string, TextPosition> places_;
    std::vector<std::string> duplicates_;
};

} // namespace kl
