// SPDX-License-Identifier: MIT
#include "core/base/ids.h"

#include "core/base/sha1.h"

#include <array>
#include <chrono>
#include <cstdint>
#include <fmt/format.h>
#include <mutex>
#include <random>
#include <span>

namespace kl {
namespace {

std::string formatHex(std::span<const std::uint8_t> bytes)
{
    std::string hex;
    for (const std::uint8_t byte : bytes)
        hex += fmt::format("{:02x}", byte);
    return hex;
}

} // namespace

std::string newUuid()
{
    // Within one millisecond a counter in the first random bits keeps ids of this process in order of creation.
    static std::mutex mutex;
    static std::mt19937_64 random{std::random_device{}()};
    static std::int64_t lastMs = 0;
    static std::uint32_t counter = 0;

    const std::lock_guard lock(mutex);
    using namespace std::chrono;
    const std::int64_t nowMs = duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
    if (nowMs > lastMs) {
        lastMs = nowMs;
        counter = static_cast<std::uint32_t>(random() & 0x3ff);
    } else if (++counter > 0xfff) {
        ++lastMs;
        counter = 0;
    }
    const auto ms = static_cast<std::uint64_t>(lastMs);
    const std::uint64_t tail = random();
    return fmt::format("{:08x}-{:04x}-7{:03x}-{:04x}-{:012x}", ms >> 16U, ms & 0xffffU, counter, 0x8000U | (tail >> 48U & 0x3fffU),
                       tail & 0xffffffffffffULL);
}

std::string makeUuidFromName(std::string_view name)
{
    static constexpr std::string_view kSpace = "\x6b\x1f\x7c\x0e\x4d\x0a\x5c\x39\x9a\x55\x6b\x65\x72\x6e\x65\x6c";
    std::array<std::uint8_t, 20> digest = computeSha1(std::string(kSpace) + std::string(name));
    digest[6] = (digest[6] & 0x0fU) | 0x50U; // version 5
    digest[8] = (digest[8] & 0x3fU) | 0x80U; // the variant of RFC 9562
    const std::string hex = formatHex(std::span(digest).first(16));
    return fmt::format("{}-{}-{}-{}-{}", hex.substr(0, 8), hex.substr(8, 4), hex.substr(12, 4), hex.substr(16, 4), hex.substr(20));
}

std::string contentHash(std::string_view text)
{
    return formatHex(computeSha1(text));
}

} // namespace kl
