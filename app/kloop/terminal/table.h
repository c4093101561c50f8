// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace kl::cli {

/// Whether stdout may be colored: a terminal, and NO_COLOR not set.
bool mayColor();

enum class Tone { plain, strong, good, bad, faint };
/// The text in a tone, or as it is where color is not wanted. In a text a tone is kToneMark and a character, which forTerminal makes
/// escape sequences of: no UTF-8 has that byte, so no text that came from elsewhere can pass for it.
std::string applyTone(const std::string& text, Tone tone);
inline constexpr char kToneMark = '\xFF';
/// The escape sequence of the character after a mark; null for any other, and where color is off.
const char* toneSequence(char tone);

/// Aligned columns for people. A heading that ends in '>' is right-aligned; the '>' is not printed. A cell is one line.
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

/// Characters that a clean UTF-8 text takes on a terminal, tones left out; every character counts as one.
std::size_t displayWidth(const std::string& text);

} // namespace kl::cli
