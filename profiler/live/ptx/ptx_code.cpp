// SPDX-License-Identifier: MIT
#include "profiler/live/ptx/ptx_code.h"

#include "core/model/source_lines.h"
#include "profiler/live/ptx/opcodes.h"
#include "profiler/live/ptx/ptx_text.h"
#include "profiler/live/ptx/ptx_words.h"

#include <algorithm>
#include <cctype>
#include <optional>

namespace kl::inline live {
namespace {

bool isNameStart(char c)
{
    return std::isalpha(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '%';
}

class Parser {
public:
    Parser(std::string_view ptx, std::string_view entry) : ptx_(ptx), entry_(entry), file_(fileNumber(ptx, kSourceFile)) {}

    PtxCode parse()
    {
        const PtxEntryText text = entryText(ptx_, entry_);
        moduleVariables(text.before);
        for (const std::string& parameter : text.params) {
            params_[parameter] = static_cast<int>(code_.params.size());
            code_.params.push_back(parameter);
        }
        for (const std::string& statement : splitStatements(text.body))
            line(statement);
        for (auto& [index, label] : jumps_)
            if (const auto found = labels_.find(label); found != labels_.end())
                code_.instructions[index].target = found->second;
        code_.registers = static_cast<int>(registers_.size());
        for (auto& [index, operand] : externs_)
            code_.instructions[index].operands[operand].value += shared_;
        return std::move(code_);
    }

private:
    /// Variables before the entry: extern shared memory, __device__ arrays.
    void moduleVariables(std::string_view before)
    {
        for (const std::string& statement : splitStatements(before))
            variable(statement);
    }

    /// `.shared .align 4 .b8 tile[4096]` and the like; whether it was one.
    bool variable(std::string_view text)
    {
        const bool isExtern = text.starts_with(".extern") || text.find(".extern ") != std::string_view::npos;
        const auto has = [&](std::string_view word) { return text.find(word) != std::string_view::npos; };
        const bool isShared = has(".shared"), isLocal = has(".local"), isGlobal = has(".global") || has(".const");
        if (text.empty() || text.front() != '.' || text.starts_with(".reg") || text.starts_with(".param"))
            return !text.empty() && text.front() == '.';
        if (!isShared && !isLocal && !isGlobal)
            return true;
        text = text.substr(0, text.find('='));
        std::int64_t bytes = 0, align = 4, element = 1;
        if (const auto at = text.find(".align "); at != std::string_view::npos)
            align = ptxNumber(firstWord(text.substr(at + 7))).value_or(4);
        if (const auto at = text.find('['); at != std::string_view::npos)
            bytes = ptxNumber(text.substr(at + 1, text.find(']', at) - at - 1)).value_or(0);
        const std::string name = lastName(text.substr(0, text.find('[')));
        for (const std::string_view part : splitOn(text, ' '))
            if (part.size() > 1 && part.front() == '.')
                if (const auto type = parsePtxType(part.substr(1)))
                    element = type->bits / 8;
        bytes = std::max<std::int64_t>(bytes, 1) * element;
        const auto place = [&](std::int64_t& next) {
            next = (next + align - 1) / align * align;
            const std::int64_t at = next;
            next += bytes;
            return at;
        };
        if (isShared && isExtern)
            externShared_.push_back(name);
        else if (isShared)
            symbols_[name] = place(shared_);
        else if (isLocal)
            symbols_[name] = place(local_);
        else
            symbols_[name] = static_cast<std::int64_t>(kGlobalSymbols) + place(global_);
        return true;
    }

    int findOrAddRegister(std::string_view name) { return registers_.emplace(name, static_cast<int>(registers_.size())).first->second; }

    PtxOperand operand(std::string_view text)
    {
        PtxOperand out;
        text = trimText(text);
        if (text.empty() || text == "_")
            return out;
        if (text.front() == '!') {
            out = operand(text.substr(1));
            out.negated = true;
            return out;
        }
        if (text.front() == '{' || text.find('|') != std::string_view::npos) {
            out.kind = PtxOperand::Kind::list;
            if (text.front() == '{')
                text = text.substr(1, text.size() - 2);
            std::string plain(text);
            std::replace(plain.begin(), plain.end(), '|', ',');
            for (const std::string_view part : splitOn(plain, ','))
                out.list.push_back(trimText(part).starts_with('%') ? findOrAddRegister(trimText(part)) : -1);
            return out;
        }
        if (text.front() == '[') {
            out = operand(text.substr(1, text.find(']') - 1));
            using enum PtxOperand::Kind;
            if (out.kind == none || out.kind == constant || out.kind == reg)
                out.kind = PtxOperand::Kind::memory;
            return out;
        }
        if (const auto value = ptxNumber(text)) {
            out.kind = PtxOperand::Kind::constant;
            out.value = *value;
            return out;
        }
        const auto plus = text.find_first_of("+-", 1);
        const std::string_view name = trimText(text.substr(0, plus));
        if (plus != std::string_view::npos)
            out.value = ptxNumber(trimText(text.substr(text[plus] == '+' ? plus + 1 : plus))).value_or(0);
        nameOperand(name, out);
        return out;
    }

    void nameOperand(std::string_view name, PtxOperand& out)
    {
        if (name.empty() || !isNameStart(name.front()))
            return;
        if (const auto known = params_.find(std::string(name)); known != params_.end()) {
            out.kind = PtxOperand::Kind::memory;
            out.name = std::string(name);
        } else if (name.front() == '%' && isSpecialRegister(name)) {
            out.kind = PtxOperand::Kind::special;
            out.name = std::string(name);
        } else if (name.front() == '%') {
            out.kind = PtxOperand::Kind::reg;
            out.reg = findOrAddRegister(name);
        } else if (const auto symbol = symbols_.find(std::string(name)); symbol != symbols_.end()) {
            out.kind = PtxOperand::Kind::constant;
            out.value += symbol->second;
        } else if (std::find(externShared_.begin(), externShared_.end(), name) != externShared_.end()) {
            out.kind = PtxOperand::Kind::constant;
            out.name = "extern shared";
        } else {
            out.name = std::string(name); // a label
        }
    }

    /// `.loc 1 12 5`: what follows comes from line 12 of file 1.
    void place(std::string_view text)
    {
        const auto words = splitOn(text.substr(0, text.find(',')), ' ');
        const bool ours = words.size() > 2 && !file_.empty() && words[1] == file_;
        line_ = ours ? static_cast<int>(ptxNumber(words[2]).value_or(0)) : 0;
    }

    void line(std::string_view text)
    {
        text = trimText(text);
        if (text.starts_with(".loc "))
            return place(text);
        while (!text.empty()) { // labels precede the statement
            const auto colon = text.find(':');
            const auto name = colon == std::string_view::npos ? std::string_view() : text.substr(0, colon);
            if (name.empty() || name.find_first_of(" .[{,\t") != std::string_view::npos || text.substr(colon, 2) == "::")
                break;
            labels_[std::string(name)] = static_cast<int>(code_.instructions.size());
            text = trimText(text.substr(colon + 1));
        }
        if (text.empty() || variable(text))
            return;
        PtxInstruction out;
        out.line = line_;
        if (text.front() == '@') {
            const auto space = text.find_first_of(" \t");
            if (space == std::string_view::npos || space < 3)
                return; // no instruction behind the guard
            out.guardNegated = text[1] == '!';
            const std::size_t name = out.guardNegated ? 2 : 1;
            out.guard = findOrAddRegister(text.substr(name, space - name));
            text = trimText(text.substr(space));
        }
        const auto end = text.find_first_of(" \t");
        out.opcode = std::string(text.substr(0, end));
        out.opcodeClass = opcodeClass(out.opcode);
        bool typed = false;
        for (const std::string_view part : splitOn(out.opcode, '.')) {
            out.parts.emplace_back(part);
            if (const auto comparison = parsePtxComparison(part); comparison && out.parts.front() == "setp")
                out.comparison = *comparison;
            if (const auto type = parsePtxType(part)) {
                out.type = typed ? out.type : *type;
                out.from = *type;
                typed = true;
            }
            out.vector = part == "v2" ? 2 : part == "v4" ? 4 : part == "v8" ? 8 : out.vector;
        }
        out.operation = parsePtxOperation(out.parts.front());
        if (out.parts.front() != "cvt" && out.parts.front() != "setp") // the last suffix: "mul.wide.u32"
            out.type = out.from;
        if (end != std::string_view::npos)
            for (const std::string_view part : splitOperands(text.substr(end)))
                out.operands.push_back(operand(part));
        const int index = static_cast<int>(code_.instructions.size());
        if (out.parts.front() == "bra" && !out.operands.empty())
            jumps_.emplace_back(index, out.operands.front().name);
        for (std::size_t i = 0; i < out.operands.size(); ++i)
            if (out.operands[i].name == "extern shared") {
                externs_.emplace_back(index, i);
                out.operands[i].name.clear();
            }
        code_.instructions.push_back(std::move(out));
    }

    std::string_view ptx_, entry_, file_;
    int line_ = 0; ///< of the source, of the statements that follow
    PtxCode code_;
    std::map<std::string, int, std::less<>> registers_;
    std::map<std::string, int> params_;
    std::map<std::string, std::int64_t> symbols_;
    std::vector<std::string> externShared_;
    std::vector<std::pair<int, std::size_t>> externs_; ///< operands that begin after the static shared memory
    std::map<std::string, int> labels_;
    std::vector<std::pair<int, std::string>> jumps_;
    std::int64_t shared_ = 0, local_ = 0, global_ = 0;
};

} // namespace

bool PtxInstruction::has(std::string_view part) const
{
    return std::find(parts.begin(), parts.end(), part) != parts.end();
}

PtxCode parsePtx(std::string_view ptx, std::string_view entry)
{
    return Parser(ptx, entry).parse();
}

} // namespace kl::inline live
