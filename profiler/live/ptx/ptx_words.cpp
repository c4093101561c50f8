// SPDX-License-Identifier: MIT
#include "profiler/live/ptx/ptx_words.h"

#include <cctype>
#include <charconv>
#include <map>

namespace kl::inline live {

std::optional<std::int64_t> ptxNumber(std::string_view text)
{
    const bool negative = !text.empty() && text.front() == '-';
    if (negative)
        text.remove_prefix(1);
    while (!text.empty() && (text.back() == 'U' || text.back() == 'L'))
        text.remove_suffix(1);
    if (text.empty() || !std::isdigit(static_cast<unsigned char>(text.front())))
        return {};
    int base = 10;
    if (text.size() > 2 && text[0] == '0' && std::string_view("xXfFdD").find(text[1]) != std::string_view::npos) {
        base = 16;
        text.remove_prefix(2);
    }
    std::uint64_t value = 0;
    const auto end = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (end.ptr != text.data() + text.size())
        return {};
    return static_cast<std::int64_t>(negative ? 0 - value : value);
}

std::optional<PtxType> parsePtxType(std::string_view part)
{
    if (part == "pred")
        return PtxType{'p', 1};
    if (part == "f16x2" || part == "bf16x2")
        return PtxType{'f', 32};
    if (part == "f32x2")
        return PtxType{'f', 64};
    if (part.starts_with("bf"))
        return ptxNumber(part.substr(2)) ? std::optional(PtxType{'f', static_cast<int>(*ptxNumber(part.substr(2)))}) : std::nullopt;
    if (part.size() < 2 || std::string_view("usbf").find(part.front()) == std::string_view::npos)
        return {};
    const auto bits = ptxNumber(part.substr(1));
    return bits ? std::optional(PtxType{part.front(), static_cast<int>(*bits)}) : std::nullopt;
}

PtxOperation parsePtxOperation(std::string_view base)
{
    static const std::map<std::string_view, PtxOperation> kNames{{"abs", PtxOperation::abs},     {"activemask", PtxOperation::activemask},
                                                                 {"add", PtxOperation::add},     {"and", PtxOperation::and_},
                                                                 {"bfe", PtxOperation::bfe},     {"bfi", PtxOperation::bfi},
                                                                 {"bfind", PtxOperation::bfind}, {"brev", PtxOperation::brev},
                                                                 {"clz", PtxOperation::clz},     {"cvt", PtxOperation::cvt},
                                                                 {"cvta", PtxOperation::cvta},   {"div", PtxOperation::div},
                                                                 {"elect", PtxOperation::elect}, {"fma", PtxOperation::fma},
                                                                 {"lop3", PtxOperation::lop3},   {"mad", PtxOperation::mad},
                                                                 {"match", PtxOperation::match}, {"max", PtxOperation::max},
                                                                 {"min", PtxOperation::min},     {"mov", PtxOperation::mov},
                                                                 {"mul", PtxOperation::mul},     {"neg", PtxOperation::neg},
                                                                 {"not", PtxOperation::not_},    {"or", PtxOperation::or_},
                                                                 {"popc", PtxOperation::popc},   {"rem", PtxOperation::rem},
                                                                 {"selp", PtxOperation::selp},   {"setp", PtxOperation::setp},
                                                                 {"shf", PtxOperation::shf},     {"shfl", PtxOperation::shfl},
                                                                 {"shl", PtxOperation::shl},     {"shr", PtxOperation::shr},
                                                                 {"sub", PtxOperation::sub},     {"vote", PtxOperation::vote},
                                                                 {"xor", PtxOperation::xor_}};
    const auto found = kNames.find(base);
    return found == kNames.end() ? PtxOperation::other : found->second;
}

std::optional<PtxComparison> parsePtxComparison(std::string_view part)
{
    static const std::map<std::string_view, PtxComparison> kNames{
        {"eq", PtxComparison::eq},  {"equ", PtxComparison::eq}, {"ne", PtxComparison::ne},  {"neu", PtxComparison::ne},
        {"lt", PtxComparison::lt},  {"ltu", PtxComparison::lt}, {"lo", PtxComparison::lt},  {"le", PtxComparison::le},
        {"leu", PtxComparison::le}, {"ls", PtxComparison::le},  {"gt", PtxComparison::gt},  {"gtu", PtxComparison::gt},
        {"hi", PtxComparison::gt},  {"ge", PtxComparison::ge},  {"geu", PtxComparison::ge}, {"hs", PtxComparison::ge}};
    const auto found = kNames.find(part);
    return found == kNames.end() ? std::nullopt : std::optional(found->second);
}

} // namespace kl::inline live
