// SPDX-License-Identifier: MIT
#include "profiler/inject/module_images.h"

#include "core/sass/cubin.h"
#include "profiler/live/cupti/cupti_api.h"

#include <cstring>
#include <elf.h>

namespace kl::inject {
namespace {

constexpr std::size_t kMostBytes = 256U << 20;    ///< with line tables
constexpr std::size_t kMostBytesOfAll = 1U << 30; ///< of all modules: the code of large frameworks, loaded as it is used

std::uint64_t computeCrc(const std::string& cubin)
{
    CUpti_GetCubinCrcParams params{};
    params.size = CUpti_GetCubinCrcParamsSize;
    params.cubinSize = cubin.size();
    params.cubin = cubin.data();
    const auto& api = CuptiApi::load();
    return api && api->GetCubinCrc(&params) == CUPTI_SUCCESS ? params.cubinCrc : 0;
}

} // namespace

bool hasLineTable(std::string_view cubin)
{
    Elf64_Ehdr header{};
    if (cubin.size() < sizeof header)
        return false;
    std::memcpy(&header, cubin.data(), sizeof header);
    if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64 ||
        header.e_shentsize != sizeof(Elf64_Shdr) || header.e_shoff > cubin.size() ||
        (cubin.size() - header.e_shoff) / sizeof(Elf64_Shdr) < header.e_shnum || header.e_shstrndx >= header.e_shnum)
        return false;
    const auto section = [&](std::size_t index) {
        Elf64_Shdr one{};
        std::memcpy(&one, cubin.data() + header.e_shoff + index * sizeof one, sizeof one);
        return one;
    };
    const Elf64_Shdr strings = section(header.e_shstrndx);
    if (strings.sh_offset > cubin.size() || cubin.size() - strings.sh_offset < strings.sh_size)
        return false;
    const std::string_view names = cubin.substr(strings.sh_offset, strings.sh_size);
    for (std::size_t i = 0; i < header.e_shnum; ++i)
        if (const std::size_t name = section(i).sh_name; name < names.size() && names.substr(name).starts_with(".debug_line"))
            return true;
    return false;
}

void ModuleImages::add(std::string_view cubin)
{
    if (!all_ && !hasLineTable(cubin))
        return;
    const std::lock_guard lock(mutex_);
    if (bytes_ + cubin.size() > (all_ ? kMostBytesOfAll : kMostBytes))
        return;
    bytes_ += cubin.size();
    images_.push_back({new std::string(cubin), 0});
}

std::string_view ModuleImages::find(std::uint64_t crc) const
{
    const std::lock_guard lock(mutex_);
    for (Image& image : images_) {
        if (image.crc == 0)
            image.crc = computeCrc(*image.bytes);
        if (image.crc == crc)
            return *image.bytes;
    }
    return {};
}

std::string_view ModuleImages::findHolding(const std::string& function) const
{
    const std::lock_guard lock(mutex_);
    for (std::size_t i = images_.size(); i-- > 0;)
        if (findFunction(*images_[i].bytes, function))
            return *images_[i].bytes;
    return {};
}

} // namespace kl::inject
