// SPDX-License-Identifier: MIT
#include "profiler/live/cupti/sass_code.h"

#include "core/sass/cubin.h"
#include "core/sass/elf_file.h"

#include <algorithm>

namespace kl::inline live {
namespace {

constexpr std::size_t kWordBytes = 16;
constexpr unsigned kNoScoreboard = 7;
constexpr unsigned kScoreboards = 6;

/// Opcodes (bits 0 to 11) of ST, STG, STL and RED, with an address from registers and from a uniform descriptor.
constexpr unsigned kStores[] = {0x385, 0x386, 0x387, 0x38e, 0x985, 0x986, 0x987, 0x98e};

} // namespace

std::optional<SassCode> SassCode::of(std::string_view cubin, const std::string& function)
{
    const std::optional<CubinFunction> found = findFunction(cubin, function);
    return found ? std::optional(SassCode(found->code)) : std::nullopt;
}

std::optional<std::uint64_t> SassCode::lastStore(std::uint64_t offset) const
{
    for (std::size_t i = std::min<std::size_t>(offset, code_.size()) / kWordBytes; i-- > 0;)
        if (const auto word = ElfFile::valueAt<std::uint64_t>(code_, i * kWordBytes);
            word && std::ranges::find(kStores, static_cast<unsigned>(*word & 0xfff)) != std::end(kStores))
            return i * kWordBytes;
    return {};
}

SassCode::Control SassCode::controlAt(std::size_t index) const
{
    const auto high = ElfFile::valueAt<std::uint64_t>(code_, index * kWordBytes + sizeof(std::uint64_t));
    Control control;
    if (!high)
        return control;
    const auto bits = static_cast<unsigned>(*high >> 41 & 0x1fffff); // bits 105 to 125 of the instruction
    const auto scoreboard = [](unsigned value) { return value == kNoScoreboard ? std::optional<int>{} : static_cast<int>(value); };
    control.arms[0] = scoreboard(bits >> 5 & 7);
    control.arms[1] = scoreboard(bits >> 8 & 7);
    control.waits = bits >> 11 & 0x3f;
    return control;
}

std::vector<std::uint64_t> SassCode::findAwaited(std::uint64_t offset) const
{
    const std::size_t count = code_.size() / kWordBytes;
    const std::size_t self = offset / kWordBytes;
    std::vector<std::uint64_t> found;
    if (self >= count)
        return found;
    unsigned open = controlAt(self).waits;
    const auto visit = [&](std::size_t index) {
        const Control control = controlAt(index);
        bool arms = false;
        for (const std::optional<int>& scoreboard : control.arms)
            if (scoreboard && *scoreboard < static_cast<int>(kScoreboards) && (open >> *scoreboard & 1U) != 0) {
                open &= ~(1U << *scoreboard);
                arms = true;
            }
        if (arms)
            found.push_back(index * kWordBytes);
    };
    for (std::size_t i = self; i-- > 0 && open != 0;)
        visit(i);
    for (std::size_t i = count; i-- > self + 1 && open != 0;)
        visit(i);
    std::ranges::sort(found);
    return found;
}

} // namespace kl::inline live
