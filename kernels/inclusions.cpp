// SPDX-License-Identifier: MIT
#include "kernels/inclusions.h"

#include "core/base/try.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fmt/format.h>

namespace kl::inline kernels {
namespace {

constexpr std::size_t kMostDelimiter = 16; ///< characters of a raw string's

bool isWord(int c)
{
    return c == '_' || c == '$' || c > 0x7F || std::isalnum(c) != 0;
}

/// The characters of a text with spliced lines joined, as the compiler's first phases see them.
class Characters {
public:
    explicit Characters(std::string_view text) : text_(text) { skipSplices(); }

    int peek() const { return at_ < text_.size() ? static_cast<unsigned char>(text_[at_]) : -1; }
    int peekNext() const
    {
        Characters ahead = *this;
        ahead.take();
        return ahead.peek();
    }
    int take()
    {
        const int c = takeRaw();
        skipSplices();
        return c;
    }
    /// Without joining lines, for raw strings.
    int takeRaw()
    {
        const int c = peek();
        if (c >= 0)
            ++at_;
        if (c == '\n') {
            ++line_;
            lineStart_ = at_;
        }
        return c;
    }
    std::string_view rest() const { return text_.substr(std::min(at_, text_.size())); }
    int line() const { return line_; }
    int column() const { return static_cast<int>(at_ - lineStart_) + 1; }

private:
    void skipSplices()
    {
        while (peek() == '\\') {
            const std::size_t end = text_.find_first_not_of('\r', at_ + 1);
            if (end == std::string_view::npos || text_[end] != '\n')
                return;
            at_ = end;
            takeRaw();
        }
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::size_t lineStart_ = 0;
    int line_ = 1;
};

class Reader {
public:
    explicit Reader(std::string_view text) : in_(text) {}

    std::vector<Inclusion> read()
    {
        bool lineBegins = true;
        while (in_.peek() >= 0) {
            if (skipBlanks())
                continue;
            const int c = in_.peek();
            const Inclusion here{Inclusion::Form::computed, {}, in_.line(), in_.column()};
            if (c == '\n') {
                in_.take();
                lineBegins = true;
                directive_.clear();
                continue;
            }
            if (lineBegins && (c == '#' || (c == '%' && in_.peekNext() == ':')))
                directive(here);
            else
                token(here);
            lineBegins = false;
        }
        return std::move(found_);
    }

private:
    /// Blanks and comments; whether there were some. A line comment ends before its line feed.
    bool skipBlanks()
    {
        const int c = in_.peek();
        if (c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f') {
            in_.take();
            return true;
        }
        if (c != '/' || (in_.peekNext() != '/' && in_.peekNext() != '*'))
            return false;
        in_.take();
        const bool line = in_.take() == '/';
        while (in_.peek() >= 0) {
            if (line && in_.peek() == '\n')
                break;
            if (in_.take() == '*' && !line && in_.peek() == '/') {
                in_.take();
                break;
            }
        }
        return true;
    }

    std::string word()
    {
        std::string text;
        while (isWord(in_.peek()))
            text += static_cast<char>(in_.take());
        return text;
    }

    void directive(const Inclusion& here)
    {
        if (in_.take() == '%')
            in_.take();
        while (skipBlanks()) {
        }
        const std::string name = word();
        directive_ = name;
        if (name == "include" || name == "include_next" || name == "import" || name == "embed")
            operand(here);
    }

    /// The file that is named next; on what is not a name it stays, for the caller to read on.
    void operand(Inclusion inclusion)
    {
        while (skipBlanks()) {
        }
        const int open = in_.peek();
        const char close = open == '<' ? '>' : '"';
        if (open == '<' || open == '"') {
            in_.take();
            while (in_.peek() >= 0 && in_.peek() != '\n' && in_.peek() != close)
                inclusion.name += static_cast<char>(in_.take());
            if (in_.peek() == close) {
                in_.take();
                inclusion.form = open == '<' ? Inclusion::Form::angled : Inclusion::Form::quoted;
            }
        }
        found_.push_back(std::move(inclusion));
    }

    void token(const Inclusion& here)
    {
        const int c = in_.peek();
        if (c == '"' || c == '\'')
            return literal();
        if (std::isdigit(c) != 0 || (c == '.' && std::isdigit(std::max(in_.peekNext(), 0)) != 0))
            return number();
        if (!isWord(c)) {
            in_.take();
            return;
        }
        const std::string name = word();
        if (in_.peek() == '"' && (name == "R" || name == "LR" || name == "uR" || name == "UR" || name == "u8R"))
            rawString(here);
        else if (asks(name))
            question(here);
        previous_ = name;
    }

    /// Also the beginning of such a word alone, which a macro could paste the rest to.
    static bool asks(const std::string& name)
    {
        constexpr std::string_view kStem = "__has_";
        return name == "__has_include" || name == "__has_include_next" || name == "__has_embed" ||
               (name.size() + 1 >= kStem.size() && (kStem.starts_with(name) || name == "__has_i" || name == "__has_e"));
    }

    /// Ends at the line's end where it is not closed: an apostrophe in text that a condition leaves out.
    void literal()
    {
        const int close = in_.take();
        while (in_.peek() >= 0 && in_.peek() != '\n') {
            const int c = in_.take();
            if (c == close) {
                word(); // a suffix of the literal, R too: no raw string begins with it
                return;
            }
            if (c == '\\' && in_.peek() != '\n')
                in_.take();
        }
    }

    /// With the apostrophes between its digits, and the signs of exponents: 1e+R is one.
    void number()
    {
        while (isWord(in_.peek()) || in_.peek() == '.' || (in_.peek() == '\'' && isWord(in_.peekNext()))) {
            const int c = in_.take();
            if ((c == 'e' || c == 'E' || c == 'p' || c == 'P') && (in_.peek() == '+' || in_.peek() == '-'))
                in_.take();
        }
    }

    void rawString(const Inclusion& here)
    {
        in_.takeRaw();
        std::string end = ")";
        while (in_.peek() >= 0 && in_.peek() != '(' && in_.peek() != '\n' && end.find_first_of(" \t\v\f\\\"", 1) == std::string::npos)
            end += static_cast<char>(in_.takeRaw());
        if (in_.peek() != '(' || end.size() - 1 > kMostDelimiter || end.find_first_of(" )\t\v\f\\\"", 1) != std::string::npos) {
            found_.push_back(here); // compilers differ in what they read then
            return;
        }
        end += '"';
        while (in_.peek() >= 0 && !in_.rest().starts_with(end))
            in_.takeRaw();
        for (std::size_t i = 0; i < end.size(); ++i)
            i + 1 < end.size() ? in_.takeRaw() : in_.take();
        word(); // a suffix
    }

    void question(const Inclusion& here)
    {
        while (skipBlanks()) {
        }
        if (in_.peek() == '(' && (directive_ == "if" || directive_ == "elif") && previous_ != "defined") {
            in_.take();
            return operand(here);
        }
        const bool whetherKnown = directive_ == "ifdef" || directive_ == "ifndef" || directive_ == "elifdef" || directive_ == "elifndef" ||
                                  (previous_ == "defined" && (directive_ == "if" || directive_ == "elif"));
        if (!whetherKnown) // a macro's: what it will ask for cannot be seen
            found_.push_back(here);
    }

    Characters in_;
    std::string directive_; ///< that the line is
    std::string previous_;  ///< word
    std::vector<Inclusion> found_;
};

Status check(const std::string& text, const std::map<std::string, std::string>& headers, const std::string& file)
{
    for (const Inclusion& one : findInclusions(text)) {
        std::error_code unreadable;
        const bool quoted = one.form == Inclusion::Form::quoted;
        if (quoted && headers.contains(one.name))
            continue;
        if (one.form == Inclusion::Form::computed || leadsOut(one.name) || (quoted && std::filesystem::exists(one.name, unreadable)))
            return makeRefusedInclusionError(one, file);
    }
    return {};
}

} // namespace

std::vector<Inclusion> findInclusions(std::string_view text)
{
    return Reader(text).read();
}

bool leadsOut(const std::string& name)
{
    const std::filesystem::path path(name);
    return path.is_absolute() || std::ranges::find(path, std::filesystem::path("..")) != path.end();
}

Error makeRefusedInclusionError(const Inclusion& inclusion, const std::string& file)
{
    const std::string spot = fmt::format("{}:{}:{}", file, inclusion.line, inclusion.column);
    const bool angled = inclusion.form == Inclusion::Form::angled;
    const std::string what = inclusion.form == Inclusion::Form::computed
                                 ? std::string("cannot tell which file this includes")
                                 : fmt::format("{}{}{} is not a file of the kernel's folder or of the CUDA toolkit", angled ? '<' : '"',
                                               inclusion.name, angled ? '>' : '"');
    return {
        .code = ErrorCode::badInput,
        .message = fmt::format("{}: {}.", spot, what),
        .hint =
            "Include files of the kernel's folder as \"NAME\", and the toolkit's as <NAME>, without absolute paths, \"..\" that leaves the "
            "folder, or "
            "macros.",
        .where = spot};
}

Status checkInclusions(const std::string& source, const std::map<std::string, std::string>& headers, const std::string& file)
{
    KL_TRY(check(source, headers, file));
    for (const auto& [name, text] : headers)
        KL_TRY(check(text, headers, name));
    return {};
}

} // namespace kl::inline kernels
