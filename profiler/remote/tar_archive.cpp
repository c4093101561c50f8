// SPDX-License-Identifier: MIT
#include "profiler/remote/tar_archive.h"

#include <fmt/format.h>

namespace kl::inline remote {
namespace {

constexpr std::size_t kBlock = 512;

// Offsets of a header's fields (POSIX.1-1988, ustar).
constexpr std::size_t kMode = 100;
constexpr std::size_t kOwner = 108;
constexpr std::size_t kGroup = 116;
constexpr std::size_t kSize = 124;
constexpr std::size_t kTime = 136;
constexpr std::size_t kChecksum = 148;
constexpr std::size_t kType = 156;
constexpr std::size_t kMagic = 257;

} // namespace

void TarArchive::add(std::string_view name, bool runs, std::string_view content)
{
    std::string header(kBlock, '\0');
    const auto put = [&](std::size_t offset, std::string_view text) { header.replace(offset, text.size(), text); };
    put(0, name);
    put(kMode, runs ? "0000755" : "0000644");
    put(kOwner, "0000000");
    put(kGroup, "0000000");
    put(kSize, fmt::format("{:011o}", content.size()));
    put(kTime, "00000000000");
    put(kChecksum, "        ");
    put(kType, "0");
    put(kMagic, std::string_view("ustar\00000", 8));
    unsigned sum = 0;
    for (const char c : header)
        sum += static_cast<unsigned char>(c);
    put(kChecksum, fmt::format("{:06o}", sum) + '\0');
    bytes_ += header;
    bytes_ += content;
    bytes_.append((kBlock - content.size() % kBlock) % kBlock, '\0');
}

std::string TarArchive::finish()
{
    bytes_.append(2 * kBlock, '\0');
    return std::move(bytes_);
}

} // namespace kl::inline remote
