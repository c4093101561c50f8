// SPDX-License-Identifier: MIT
#include "profiler/import/wire_reader.h"

namespace kl::inline nsight {

bool WireReader::next(WireField& field)
{
    if (left_.empty() || broken_)
        return false;
    std::uint64_t tag = 0;
    broken_ = !takeVarint(tag) || tag >> 3U == 0 || tag > UINT32_MAX;
    if (broken_)
        return false;
    field.number = static_cast<std::uint32_t>(tag >> 3U);
    field.type = static_cast<WireField::Type>(tag & 7U);
    field.value = 0;
    field.bytes = {};
    broken_ = !takeValue(field);
    return !broken_;
}

bool WireReader::takeValue(WireField& field)
{
    switch (field.type) {
    case WireField::Type::varint: return takeVarint(field.value);
    case WireField::Type::fixed64: return takeFixed(8, field.value);
    case WireField::Type::fixed32: return takeFixed(4, field.value);
    case WireField::Type::bytes: return takeBytes(field.bytes);
    }
    return false;
}

bool WireReader::takeVarint(std::uint64_t& value)
{
    value = 0;
    for (std::size_t i = 0; i < 10 && i < left_.size(); ++i) {
        const auto byte = static_cast<unsigned char>(left_[i]);
        value |= static_cast<std::uint64_t>(byte & 0x7fU) << 7 * i; // of the tenth byte one bit counts
        if (byte < 0x80U) {
            left_.remove_prefix(i + 1);
            return true;
        }
    }
    return false;
}

bool WireReader::takeFixed(std::size_t size, std::uint64_t& value)
{
    if (left_.size() < size)
        return false;
    for (std::size_t i = size; i-- > 0;)
        value = value << 8U | static_cast<unsigned char>(left_[i]);
    left_.remove_prefix(size);
    return true;
}

bool WireReader::takeBytes(std::string_view& bytes)
{
    std::uint64_t size = 0;
    if (!takeVarint(size) || size > left_.size())
        return false;
    bytes = left_.substr(0, static_cast<std::size_t>(size));
    left_.remove_prefix(bytes.size());
    return true;
}

} // namespace kl::inline nsight
