// SPDX-License-Identifier: MIT
#include "core/base/ids.h"

#include <boost/uuid/detail/sha1.hpp>
#include <boost/uuid/name_generator_sha1.hpp>
#include <boost/uuid/string_generator.hpp>
#include <boost/uuid/uuid.hpp>
#include <boost/uuid/uuid_io.hpp>

#include <chrono>
#include <cstdint>
#include <fmt/format.h>
#include <mutex>
#include <random>

namespace kl {

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

std::string uuidOfName(std::string_view name)
{
    static const boost::uuids::uuid space = boost::uuids::string_generator{}("6b1f7c0e-4d0a-5c39-9a55-6b65726e656c");
    boost::uuids::name_generator_sha1 generate(space);
    return boost::uuids::to_string(generate(name.data(), name.size()));
}

std::string contentHash(std::string_view text)
{
    boost::uuids::detail::sha1 hash;
    hash.process_bytes(text.data(), text.size());
    boost::uuids::detail::sha1::digest_type digest{};
    hash.get_digest(digest);
    std::string hex;
    for (const auto word : digest)
        hex += fmt::format("{:08x}", word);
    return hex;
}

} // namespace kl
