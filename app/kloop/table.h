// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace kl {

/// Whether stdout may be coloured: a terminal, and NO_COLOR not set.
bool mayColour();

enum class Tone { plain, strong, good, bad, faint };
/// The text in a tone, or as it is where colour is not wanted.
std::string toned(const std::string& text, Tone tone);

/// Aligned columns for people. A heading that ends in '>' is right-aligned; the '>' is not printed.
class Table {
public:
    explicit Table(std::vector<std::string> headings) : headings_(std::move(headings)) {}
    void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
    bool empty() const noexcept { return rows_.empty(); }
    /// Every line starts with `indent`; no blanks at line ends.
    std::string text(const std::string& indent = {}) const;

private:
    std::vector<std::string> headings_;
    std::vector<std::vector<std::string>> rows_;
};

/// Working time as formatMinutes; empty where it is not known.
std::string minutesCell(const std::optional<double>& minutes);

/// Characters that a UTF-8 text takes on a terminal, escape sequences left out; every character counts as one.
std::size_t displayWidth(const std::string& text);

} // namespace kl
