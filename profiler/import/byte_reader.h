// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace kl::inline nsight {

/// Walks over bytes; never past their end.
class ByteReader {
public:
    explicit ByteReader(std::string_view bytes, std::size_t origin = 0) : bytes_(bytes), origin_(origin) {}

    bool atEnd() const { return at_ == bytes_.size(); }
    std::size_t left() const { return bytes_.size() - at_; }
    std::size_t position() const { return origin_ + at_; } ///< in the file

    /// The next bytes; unset when fewer are left.
    std::optional<std::string_view> take(std::size_t count)
    {
        if (count > left())
            return {};
        const std::string_view taken = bytes_.substr(at_, count);
        at_ += count;
        return taken;
    }

    /// Little-endian.
    std::optional<std::uint32_t> takeU32()
    {
        const auto taken = take(4);
        if (!taken)
            return {};
        std::uint32_t value = 0;
        for (int i = 3; i >= 0; --i)
            value = value << 8U | static_cast<unsigned char>((*taken)[static_cast<std::size_t>(i)]);
        return value;
    }

private:
    std::string_view bytes_;
    std::size_t origin_;
    std::size_t at_ = 0;
};

} // namespace kl::inline nsight
