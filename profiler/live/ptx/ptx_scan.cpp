// SPDX-License-Identifier: MIT
#include "profiler/live/ptx/ptx_scan.h"

#include "profiler/live/ptx/ptx_text.h"

#include <algorithm>
#include <cctype>

namespace kl::inline live {
namespace {

bool isNameCharacter(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' || c == '%';
}

class Scanner {
public:
    explicit Scanner(std::string_view body) : body_(body) {}

    std::vector<PtxPiece> scan()
    {
        while (skipSpace()) {
            const std::size_t begin = at_;
            if (body_.substr(at_).starts_with("//"))
                lineComment(begin);
            else if (body_.substr(at_).starts_with("/*"))
                at_ = std::min(body_.find("*/", at_), body_.size() - 2) + 2;
            else if (body_[at_] == '{' || body_[at_] == '}')
                add(PtxPiece::Kind::brace, begin, ++at_, body_.substr(begin, 1));
            else if (const std::size_t colon = labelEnd(); colon != std::string_view::npos)
                add(PtxPiece::Kind::label, begin, at_ = colon + 1, trimText(body_.substr(begin, colon - begin)));
            else if (!statement(begin))
                break;
        }
        return std::move(pieces_);
    }

private:
    bool skipSpace()
    {
        while (at_ < body_.size() && std::isspace(static_cast<unsigned char>(body_[at_])) != 0)
            ++at_;
        return at_ < body_.size();
    }

    void lineComment(std::size_t begin)
    {
        at_ = std::min(body_.find('\n', at_), body_.size());
        add(PtxPiece::Kind::comment, begin, at_, trimText(body_.substr(begin + 2, at_ - begin - 2)));
    }

    std::size_t labelEnd() const
    {
        std::size_t end = at_;
        while (end < body_.size() && isNameCharacter(body_[end]))
            ++end;
        if (end == at_)
            return std::string_view::npos;
        while (end < body_.size() && (body_[end] == ' ' || body_[end] == '\t'))
            ++end;
        const bool is = end < body_.size() && body_[end] == ':' && !body_.substr(end).starts_with("::");
        return is ? end : std::string_view::npos;
    }

    bool statement(std::size_t begin)
    {
        const bool directive = body_[at_] == '.';
        const bool line = body_.substr(at_).starts_with(".loc");
        const std::size_t end = body_.find(line ? '\n' : ';', at_);
        if (end == std::string_view::npos)
            return false;
        at_ = line ? end : end + 1;
        add(directive ? PtxPiece::Kind::directive : PtxPiece::Kind::instruction, begin, at_, trimText(body_.substr(begin, end - begin)));
        return true;
    }

    void add(PtxPiece::Kind kind, std::size_t begin, std::size_t end, std::string_view text)
    {
        pieces_.push_back({kind, begin, end, text});
    }

    std::string_view body_;
    std::size_t at_ = 0;
    std::vector<PtxPiece> pieces_;
};

} // namespace

std::vector<PtxPiece> splitPieces(std::string_view body)
{
    return Scanner(body).scan();
}

PtxParts splitInstruction(std::string_view instruction)
{
    PtxParts parts;
    instruction = trimText(instruction);
    if (instruction.starts_with('@')) {
        parts.guard = firstWord(instruction.substr(1));
        instruction = trimText(instruction.substr(instruction.find(parts.guard) + parts.guard.size()));
    }
    parts.opcode = firstWord(instruction);
    parts.operands = splitOperands(instruction.substr(parts.opcode.size()));
    return parts;
}

} // namespace kl::inline live
