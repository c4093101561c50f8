// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstdint>
#include <string_view>

namespace kl::inline nsight {

/// One field of a message in the wire format of protocol buffers. Signed and floating-point values are kept as bits.
struct WireField {
    enum class Type { varint = 0, fixed64 = 1, bytes = 2, fixed32 = 5 };

    std::uint32_t number = 0;
    Type type = Type::varint;
    std::uint64_t value = 0; ///< of every type but bytes
    std::string_view bytes;  ///< a text, or a message of its own

    bool is(std::uint32_t wanted, Type as) const { return number == wanted && type == as; }
    double real() const { return std::bit_cast<double>(value); }                             ///< of fixed64
    float single() const { return std::bit_cast<float>(static_cast<std::uint32_t>(value)); } ///< of fixed32
};

/// Walks over the fields of a message and skips those that are not needed: most of a report is such, and a parser that
/// makes objects of a message copies it all.
class WireReader {
public:
    explicit WireReader(std::string_view message) : left_(message) {}

    /// The next field, borrowed from the message; false at its end, or at invalid data.
    bool next(WireField& field);
    /// Whether it ended at invalid data: truncated, an unknown type, or a group, which is obsolete.
    bool broken() const { return broken_; }

private:
    bool takeVarint(std::uint64_t& value);
    bool takeFixed(std::size_t size, std::uint64_t& value);
    bool takeBytes(std::string_view& bytes);
    bool takeValue(WireField& field);

    std::string_view left_;
    bool broken_ = false;
};

} // namespace kl::inline nsight
