// SPDX-License-Identifier: MIT
#include "kernels/data/npy.h"

#include "core/base/try.h"
#include "kernels/data/numbers.h"

#include <bit>
#include <cstring>
#include <fmt/format.h>
#include <limits>

namespace kl::inline kernels {
namespace {

static_assert(std::endian::native == std::endian::little, "raw elements are little-endian");

constexpr std::string_view kMagic{"\x93NUMPY", 6};
constexpr std::size_t kAlignment = 64;

Error badNpy(const std::string& where, const std::string& what, const std::string& hint = {})
{
    return {.code = ErrorCode::badInput,
            .message = fmt::format("{}: {}.", where, what),
            .hint = hint.empty() ? "Write it with numpy.save(numpy.ascontiguousarray(x)), with a float, int or bool type." : hint,
            .where = where};
}

const char* toNpyDescr(DType type)
{
    switch (type) {
    case DType::f16: return "<f2";
    case DType::bf16:
    case DType::f8e4m3:
    case DType::f8e5m2:
    case DType::f32: return "<f4";
    case DType::f64: return "<f8";
    case DType::i32: return "<i4";
    case DType::i8: return "|i1";
    case DType::u8: return "|u1";
    case DType::i64: return "<i8";
    case DType::u64: return "<u8";
    case DType::boolean: return "|b1";
    case DType::u32: break;
    }
    return "<u4";
}

/// The text after 'key': in the header's dictionary, up to the comma or bracket that ends it.
std::string_view entry(std::string_view header, std::string_view key)
{
    const auto at = header.find(fmt::format("'{}':", key));
    if (at == std::string_view::npos)
        return {};
    std::string_view rest = header.substr(at + key.size() + 3);
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
    const char last = rest.empty() ? '\0' : rest.front();
    const std::size_t end = last == '(' ? rest.find(')') : last == '\'' ? rest.find('\'', 1) : rest.find_first_of(",}");
    return end == std::string_view::npos ? std::string_view{} : rest.substr(0, end);
}

struct Layout {
    std::string descr;
    std::vector<std::int64_t> shape;
    std::size_t count = 1;
    std::string_view data;
};

Result<Layout> parseHeader(std::string_view file, const std::string& where)
{
    if (!file.starts_with(kMagic) || file.size() < 12)
        return badNpy(where, "this is not a .npy file");
    const bool small = file[6] == 1;
    const std::size_t begin = small ? 10 : 12;
    std::size_t length = 0;
    for (std::size_t i = begin; i-- > 8;)
        length = length << 8 | static_cast<unsigned char>(file[i]);
    if (file.size() < begin + length)
        return badNpy(where, "the header is truncated");
    const std::string_view header = file.substr(begin, length);
    Layout layout;
    layout.data = file.substr(begin + length);
    layout.descr = entry(header, "descr");
    if (layout.descr.size() < 2 || layout.descr.front() != '\'')
        return badNpy(where, "it is a structured array, not numbers");
    layout.descr.erase(0, 1);
    if (entry(header, "fortran_order") != "False")
        return badNpy(where, "the array is in Fortran order");
    std::string_view shape = entry(header, "shape");
    if (shape.empty())
        return badNpy(where, "its header has no shape");
    for (std::size_t at = 1; at < shape.size();) {
        std::int64_t size = 0;
        const std::size_t start = at;
        for (; at < shape.size() && shape[at] >= '0' && shape[at] <= '9' && size < (1LL << 40); ++at)
            size = size * 10 + (shape[at] - '0');
        if (at > start) {
            layout.shape.push_back(size);
            if (size > 0 && layout.count > (std::size_t{1} << 40) / static_cast<std::size_t>(size))
                return badNpy(where, "its shape is larger than any memory");
            layout.count *= static_cast<std::size_t>(size);
        } else {
            ++at;
        }
    }
    return layout;
}

template <class T> Status widen(const Layout& layout, const std::string& where, std::vector<std::byte>& out)
{
    if (layout.data.size() < layout.count * sizeof(T))
        return badNpy(where, "the file is truncated");
    out.resize(layout.count * 4);
    for (std::size_t i = 0; i < layout.count; ++i) {
        T value;
        std::memcpy(&value, layout.data.data() + i * sizeof(T), sizeof value);
        const auto small = static_cast<std::int32_t>(value);
        std::memcpy(out.data() + i * 4, &small, sizeof small);
    }
    return {};
}

} // namespace

std::string toNpy(DType type, const std::vector<std::int64_t>& shape, const std::byte* data)
{
    std::size_t count = 1;
    std::string sizes;
    for (const std::int64_t size : shape) {
        count *= static_cast<std::size_t>(size);
        sizes += fmt::format("{}{},", sizes.empty() ? "" : " ", size);
    }
    std::string header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", toNpyDescr(type), sizes);
    header.append(kAlignment - (kMagic.size() + 4 + header.size() + 1) % kAlignment, ' ');
    header += '\n';
    std::string file(kMagic);
    file += '\1';
    file += '\0';
    file += static_cast<char>(header.size() & 0xff);
    file += static_cast<char>(header.size() >> 8);
    file += header;
    if (type != DType::bf16 && type != DType::f8e4m3 && type != DType::f8e5m2) // which numpy does not know
        return file.append(reinterpret_cast<const char*>(data), count * static_cast<std::size_t>(countBytes(type)));
    for (std::size_t i = 0; i < count; ++i) {
        const auto value = static_cast<float>(elementAt(data, type, i));
        file.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
    return file;
}

Result<Array> fromNpy(std::string_view file, const std::string& where)
{
    KL_ASSIGN(const Layout layout, parseHeader(file, where));
    Array array;
    array.shape = layout.shape;
    const std::string& descr = layout.descr;
    if (descr.starts_with('>'))
        return badNpy(where, "the array is big-endian");
    bool plain = false;
    for (const DType type :
         {DType::f16, DType::f32, DType::f64, DType::i32, DType::u32, DType::i8, DType::u8, DType::i64, DType::u64, DType::boolean})
        if (descr == toNpyDescr(type)) {
            array.type = type;
            plain = true;
        }
    if (plain) {
        const std::size_t bytes = layout.count * static_cast<std::size_t>(countBytes(array.type));
        if (layout.data.size() < bytes)
            return badNpy(where,
                          fmt::format("the file is truncated: {} bytes of data where its shape needs {}", layout.data.size(), bytes));
        array.bytes.resize(bytes);
        if (bytes > 0) // an empty array has no data to point to
            std::memcpy(array.bytes.data(), layout.data.data(), bytes);
        return array;
    }
    array.type = DType::i32;
    Status status = badNpy(where, fmt::format("its elements are of the type {}", descr));
    if (descr == "<i2")
        status = widen<std::int16_t>(layout, where, array.bytes);
    else if (descr == "<u2")
        status = widen<std::uint16_t>(layout, where, array.bytes);
    KL_TRY(status);
    return array;
}

std::optional<std::size_t> firstTooLarge(DType type, const Array& array)
{
    if (!isInteger(type) || type == array.type)
        return {};
    const auto [least, most] = findRange(type);
    for (std::size_t i = 0; i < array.count(); ++i)
        if (const double value = elementAt(array.bytes.data(), array.type, i); !(value >= least && value <= most))
            return i;
    return {};
}

std::vector<std::byte> convertTo(DType type, const Array& array)
{
    if (type == array.type)
        return array.bytes;
    const std::size_t size = static_cast<std::size_t>(countBytes(type));
    std::vector<std::byte> out(array.count() * size);
    for (std::size_t i = 0; i < array.count(); ++i)
        storeElement(out.data(), type, i, elementAt(array.bytes.data(), array.type, i));
    return out;
}

} // namespace kl::inline kernels
