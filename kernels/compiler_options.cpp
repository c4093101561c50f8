// SPDX-License-Identifier: MIT
#include "kernels/compiler_options.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>
#include <span>
#include <string_view>

namespace kl::inline kernels {
namespace {

enum class Takes { nothing, truth, number, numbers, word, macro };

struct Allowed {
    std::string_view name;
    std::string_view brief; ///< its other spelling; may be empty
    Takes takes;
    std::string_view words = {}; ///< of Takes::word, between blanks
};

/// Of NVRTC 13.0's options (NVRTC manual, "Supported Compile Options"). Before C++17 trigraphs, and before
/// C++11 raw strings, change what is code in a source: findInclusions reads it as later standards do.
constexpr std::array kOptions = {
    Allowed{"--define-macro", "-D", Takes::macro},
    Allowed{"--undefine-macro", "-U", Takes::macro},
    Allowed{"--std", "-std", Takes::word, " c++17 c++20 "},
    Allowed{"--maxrregcount", "-maxrregcount", Takes::number},
    Allowed{"--use_fast_math", "-use_fast_math", Takes::nothing},
    Allowed{"--ftz", "-ftz", Takes::truth},
    Allowed{"--prec-sqrt", "-prec-sqrt", Takes::truth},
    Allowed{"--prec-div", "-prec-div", Takes::truth},
    Allowed{"--fmad", "-fmad", Takes::truth},
    Allowed{"--extra-device-vectorization", "-extra-device-vectorization", Takes::nothing},
    Allowed{"--restrict", "-restrict", Takes::nothing},
    Allowed{"--device-int128", "-device-int128", Takes::nothing},
    Allowed{"--device-float128", "-device-float128", Takes::nothing},
    Allowed{"--device-as-default-execution-space", "-default-device", Takes::nothing},
    Allowed{"--generate-line-info", "-lineinfo", Takes::nothing},
    Allowed{"--Ofast-compile", "-Ofc", Takes::word, " 0 min mid max "},
    Allowed{"--jump-table-density", "-jtd", Takes::number},
    Allowed{"--device-stack-protector", "-device-stack-protector", Takes::truth},
    Allowed{"--builtin-move-forward", "-builtin-move-forward", Takes::truth},
    Allowed{"--builtin-initializer-list", "-builtin-initializer-list", Takes::truth},
    Allowed{"--disable-warnings", "-w", Takes::nothing},
    Allowed{"--diag-suppress", "-diag-suppress", Takes::numbers},
};

/// What --ptxas-options (-Xptxas) may hand on, one each.
constexpr std::array kPtxasOptions = {
    Allowed{"--opt-level", "-O", Takes::number},
    Allowed{"--maxrregcount", "-maxrregcount", Takes::number},
    Allowed{"--register-usage-level", "-register-usage-level", Takes::number},
    Allowed{"--def-load-cache", "-dlcm", Takes::word, " ca cg cs lu cv "},
    Allowed{"--def-store-cache", "-dscm", Takes::word, " wb cg cs wt "},
    Allowed{"--fmad", "-fmad", Takes::truth},
    Allowed{"--allow-expensive-optimizations", "-allow-expensive-optimizations", Takes::truth},
    Allowed{"--disable-optimizer-constants", "-disable-optimizer-consts", Takes::nothing},
    Allowed{"--verbose", "-v", Takes::nothing},
    Allowed{"--warn-on-spills", "-warn-spills", Takes::nothing},
    Allowed{"--warn-on-local-memory-usage", "-warn-lmem-usage", Takes::nothing},
    Allowed{"--warn-on-double-precision-use", "-warn-double-usage", Takes::nothing},
};

constexpr std::array<std::string_view, 10> kArchOptions = {"--gpu-architecture", "-arch",      "--arch", "-gencode", "--generate-code",
                                                           "--gpu-code",         "--gpu-name", "-code",  "-code-ls", "--arch-spec"};
constexpr std::array<std::string_view, 2> kPtxas = {"--ptxas-options", "-Xptxas"};

bool isDigits(std::string_view text)
{
    return !text.empty() && text.size() < 10 && std::ranges::all_of(text, [](unsigned char c) { return std::isdigit(c) != 0; });
}

/// NAME or NAME=VALUE; a value of one line.
bool isMacro(std::string_view text)
{
    const std::string_view name = text.substr(0, text.find('='));
    const auto ofName = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
    return !name.empty() && std::isdigit(static_cast<unsigned char>(name.front())) == 0 && std::ranges::all_of(name, ofName) &&
           std::ranges::none_of(text, [](unsigned char c) { return c < 0x20 || c == 0x7F; });
}

bool fits(const Allowed& option, std::string_view value)
{
    switch (option.takes) {
    case Takes::nothing: return false;
    case Takes::truth: return value == "true" || value == "false";
    case Takes::number: return isDigits(value);
    case Takes::numbers:
        while (value.find(',') != std::string_view::npos) {
            if (!isDigits(value.substr(0, value.find(','))))
                return false;
            value.remove_prefix(value.find(',') + 1);
        }
        return isDigits(value);
    case Takes::word:
        return !value.empty() && value.find(' ') == std::string_view::npos &&
               option.words.find(fmt::format(" {} ", value)) != std::string_view::npos;
    case Takes::macro: return isMacro(value);
    }
    return false;
}

/// Name and value are joined by '=', or, for options of one letter, by nothing.
bool isAllowed(std::string_view option, const Allowed& allowed)
{
    const auto equals = option.find('=');
    const std::string_view name = option.substr(0, equals);
    if (name == allowed.name || (name == allowed.brief && allowed.brief.size() > 2))
        return equals == std::string_view::npos ? allowed.takes == Takes::nothing : fits(allowed, option.substr(equals + 1));
    if (allowed.brief.size() != 2 || !option.starts_with(allowed.brief))
        return false;
    return allowed.takes == Takes::nothing ? option.size() == 2 : fits(allowed, option.substr(2));
}

bool isAmong(std::string_view option, std::span<const Allowed> list)
{
    return std::ranges::any_of(list, [&](const Allowed& allowed) { return isAllowed(option, allowed); });
}

std::string joinAllowed(std::span<const Allowed> list)
{
    std::string text;
    for (const Allowed& option : list)
        text += fmt::format("{}{}", text.empty() ? "" : ", ", option.takes == Takes::macro ? option.brief : option.name);
    return text;
}

} // namespace

std::optional<OptionFault> compilerOptionFault(const std::string& option)
{
    if (isAmong(option, kOptions))
        return {};
    const std::string_view name = std::string_view(option).substr(0, option.find_first_of("= \t"));
    const std::string value = option.find('=') == std::string::npos ? std::string() : option.substr(option.find('=') + 1);
    const bool ptxas = std::ranges::find(kPtxas, name) != kPtxas.end();
    if (ptxas && isAmong(value, kPtxasOptions))
        return {};
    const std::string_view inner = std::string_view(value).substr(0, value.find_first_of("= \t"));
    if (std::ranges::find(kArchOptions, ptxas ? inner : name) != kArchOptions.end())
        return OptionFault{fmt::format("\"{}\" names an architecture, which a kernel must not choose", option),
                           "Leave it out: the GPU determines it, or the architecture chosen for a compilation."};
    if (ptxas)
        return OptionFault{fmt::format("\"{}\" is not an allowed option of the assembler", option),
                           fmt::format("Allowed, one per entry, e.g. --ptxas-options=--opt-level=2: {}.", joinAllowed(kPtxasOptions))};
    return OptionFault{
        fmt::format("\"{}\" is not an allowed compiler option", option),
        fmt::format("Allowed, name and value in one entry, e.g. -DTILE=32 or --fmad=false: {}, --ptxas-options. None may read "
                    "or write files: put headers next to the source.",
                    joinAllowed(kOptions))};
}

} // namespace kl::inline kernels
