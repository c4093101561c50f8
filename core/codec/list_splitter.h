// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace kl {

/// Cuts the JSON text of an object into the items of one of its lists, as the text arrives: a list of any length takes the memory of its
/// largest item. Only brackets and quotes are examined; parsing an item, or the rest, shows whether it is valid.
class ListSplitter {
public:
    /// Takes an item's text; false ends the splitting.
    using Take = std::function<bool(std::string item)>;

    /// `most` bytes are the limit of an item, and of all text around the list.
    ListSplitter(std::string member, std::size_t most, Take take) : member_(std::move(member)), most_(most), take_(std::move(take)) {}

    /// False after a fault, or once take() has returned false.
    bool feed(std::string_view text);

    /// To be called at the end of the text.
    bool finish();

    /// What is wrong, no full stop; empty where nothing is.
    const std::string& fault() const { return fault_; }
    /// The text without the list's items, "[]" in their place: all of it where there is no such list.
    const std::string& rest() const { return rest_; }
    bool listSeen() const { return listSeen_; }

private:
    enum class In { head, around, betweenItems, item };
    enum class Comma { none, neededNext, seen };

    std::size_t keepPlain(std::string_view text);
    bool step(char c);
    bool around(char c);
    bool betweenItems(char c);
    bool inItem(char c);
    bool endItem();
    bool keep(std::string& text, char c);
    bool wrong(const char* what);
    bool takeQuoted(char c);

    std::string member_;
    std::size_t most_;
    Take take_;
    In in_ = In::head;
    Comma comma_ = Comma::none;
    std::size_t depth_ = 0;
    bool inString_ = false;
    bool escaped_ = false;
    bool listSeen_ = false;
    std::string key_; ///< of the latest string at depth 1, cut at the length of member_ + 1
    std::string item_;
    std::string rest_;
    std::string fault_;
};

} // namespace kl
