// SPDX-License-Identifier: MIT
#include "core/codec/code_codec.h"

#include "core/base/try.h"
#include "core/codec/fields.h"
#include "core/model/kernel_code.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

namespace kl {

constexpr std::array<std::pair<CodeLanguage, const char*>, 3> enumWords(CodeLanguage)
{
    return {{{CodeLanguage::none, "none"}, {CodeLanguage::ptx, "ptx"}, {CodeLanguage::sass, "sass"}}};
}

namespace {

constexpr std::size_t kColumns = 14;

/// Everything but the rows and the image.
struct CodeHead {
    CodeLanguage language = CodeLanguage::none;
    int computeCapability = 0;
    std::vector<std::string> functions;
    std::vector<std::string> files;
    std::vector<std::string> stalls;
    std::string notDisassembled;
    std::string rows;
    std::string image;
};

template <class V> void fields(V& v, CodeHead& h)
{
    v("language", h.language);
    v("compute_capability", h.computeCapability);
    v("functions", h.functions);
    v("files", h.files);
    v("stalls", h.stalls);
    v("not_disassembled", h.notDisassembled);
    v("rows", h.rows);
    v("image", h.image);
}

std::string encodeHex(const std::string& bytes)
{
    constexpr char kDigits[] = "0123456789abcdef";
    std::string text;
    text.reserve(2 * bytes.size());
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        text += kDigits[byte >> 4U];
        text += kDigits[byte & 15U];
    }
    return text;
}

/// −1 for what is not a digit.
int parseDigit(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

std::optional<std::string> decodeHex(const std::string& text)
{
    if (text.size() % 2 != 0)
        return {};
    std::string bytes;
    bytes.reserve(text.size() / 2);
    for (std::size_t i = 0; i < text.size(); i += 2) {
        const int high = parseDigit(text[i]);
        const int low = parseDigit(text[i + 1]);
        if (high < 0 || low < 0)
            return {};
        bytes += static_cast<char>(high * 16 + low);
    }
    return bytes;
}

void addNumber(std::string& row, std::int64_t number)
{
    fmt::format_to(std::back_inserter(row), "{}\t", number);
}

template <class T> void addOptional(std::string& row, const std::optional<T>& number)
{
    if (number)
        fmt::format_to(std::back_inserter(row), "{}", *number);
    row += '\t';
}

void addRow(std::string& rows, const CodeInstruction& one)
{
    for (const std::int64_t number : {std::int64_t{one.function}, one.offset, std::int64_t{one.file}, std::int64_t{one.line}})
        addNumber(rows, number);
    addOptional(rows, one.liveRegisters);
    addNumber(rows, one.samples);
    for (std::size_t i = 0; i < one.stalls.size(); ++i)
        fmt::format_to(std::back_inserter(rows), "{}{}", i == 0 ? "" : ",", one.stalls[i]);
    rows += '\t';
    for (const auto& counter : {one.executed, one.threads, one.sectors, one.idealSectors, one.wavefronts, one.idealWavefronts})
        addOptional(rows, counter);
    for (const char c : one.text)
        rows += c == '\n' || c == '\t' ? ' ' : c;
    rows += '\n';
}

/// Takes the text up to the separator off the front.
std::string_view cutCell(std::string_view& rest, char separator)
{
    const std::size_t end = std::min(rest.find(separator), rest.size());
    const std::string_view part = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return part;
}

template <class T> bool readCell(std::string_view text, T& number)
{
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size();
}

template <class T> bool readCell(std::string_view text, std::optional<T>& number)
{
    if (text.empty())
        return true;
    return readCell(text, number.emplace());
}

bool readStalls(std::string_view text, std::size_t count, std::vector<std::int64_t>& stalls)
{
    while (!text.empty())
        if (!readCell(cutCell(text, ','), stalls.emplace_back()))
            return false;
    return stalls.size() <= count; // reasons that were seen later have no place in it
}

bool readRow(std::string_view row, const KernelCode& code, CodeInstruction& one)
{
    std::array<std::string_view, kColumns> cells;
    for (std::size_t i = 0; i + 1 < kColumns; ++i)
        cells[i] = cutCell(row, '\t');
    one.text = row;
    return readCell(cells[0], one.function) && readCell(cells[1], one.offset) && readCell(cells[2], one.file) &&
           readCell(cells[3], one.line) && readCell(cells[4], one.liveRegisters) && readCell(cells[5], one.samples) &&
           readStalls(cells[6], code.stalls.size(), one.stalls) && readCell(cells[7], one.executed) && readCell(cells[8], one.threads) &&
           readCell(cells[9], one.sectors) && readCell(cells[10], one.idealSectors) && readCell(cells[11], one.wavefronts) &&
           readCell(cells[12], one.idealWavefronts) && one.function >= 0 &&
           static_cast<std::size_t>(one.function) < code.functions.size() && one.file >= -1 &&
           one.file < static_cast<int>(code.files.size());
}

Error noCode(const std::string& what)
{
    return {.code = ErrorCode::badInput, .message = "Machine code cannot be read: " + what + '.', .where = "code"};
}

} // namespace

Json codeToJson(const SharedCode& shared)
{
    if (!shared)
        return nullptr;
    const KernelCode& code = *shared;
    CodeHead head{code.language,        code.computeCapability, code.functions, code.files, code.stalls, code.notDisassembled, {},
                  encodeHex(code.image)};
    for (const CodeInstruction& one : code.instructions)
        addRow(head.rows, one);
    return toJson(head);
}

Result<SharedCode> codeFromJson(const Json& json)
{
    if (json.is_null())
        return SharedCode{};
    KL_ASSIGN(CodeHead head, fromJson<CodeHead>(json, "code"));
    KernelCode code{head.language,
                    head.computeCapability,
                    std::move(head.functions),
                    std::move(head.files),
                    std::move(head.stalls),
                    {},
                    {},
                    std::move(head.notDisassembled)};
    std::string_view rows = head.rows;
    while (!rows.empty())
        if (!readRow(cutCell(rows, '\n'), code, code.instructions.emplace_back()))
            return noCode(fmt::format("row {} is not an instruction", code.instructions.size()));
    std::optional<std::string> image = decodeHex(head.image);
    if (!image)
        return noCode("its image is not hexadecimal");
    code.image = std::move(*image);
    return SharedCode(std::move(code));
}

} // namespace kl
