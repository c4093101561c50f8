// SPDX-License-Identifier: MIT
#include "kernels/data/numbers.h"

#include "kernels/data/base64.h"
#include "kernels/data/packed_data.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>
#include <system_error>
#include <thread>

namespace kl::inline kernels {
namespace {

/// SplitMix64 (Steele, Lea, Flood 2014): one multiply-xor chain a value, good enough for test data and the same everywhere.
class Generator {
public:
    explicit Generator(std::uint64_t seed) noexcept : state_(seed) {}

    std::uint64_t next() noexcept
    {
        state_ += 0x9e3779b97f4a7c15ULL;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
        return z ^ (z >> 31);
    }

    /// As if next() had been called so often: the state is a counter.
    void skip(std::uint64_t values) noexcept { state_ += values * 0x9e3779b97f4a7c15ULL; }

private:
    std::uint64_t state_;
};

template <class T> void store(std::byte* at, T value) noexcept
{
    std::memcpy(at, &value, sizeof value);
}
template <class T> T load(const std::byte* at) noexcept
{
    T value;
    std::memcpy(&value, at, sizeof value);
    return value;
}

/// The difference between the two FP8 types.
struct F8Layout {
    int mantissa; ///< bits
    int bias;
    float largest;
    std::uint8_t nan;
};

F8Layout findLayout(DType type) noexcept
{
    return type == DType::f8e4m3 ? F8Layout{3, 7, 448.0F, 0x7f} : F8Layout{2, 15, 57344.0F, 0x7e};
}

bool isUnsigned(DType type) noexcept
{
    return type == DType::u8 || type == DType::u32 || type == DType::u64;
}

/// Uniform in [0, 1) from 32 random bits.
float unit(std::uint32_t bits) noexcept
{
    return static_cast<float>(bits >> 8) * 0x1p-24F;
}

constexpr std::size_t kPart = 1U << 18; ///< values per thread, at least

/// Calls fill(first, last) for parts of 0 … values, each on a thread of its own: a buffer of 64 MB takes one core 0.3 s. The values are the
/// same however many there are.
template <class FillPart> void inParts(std::size_t values, const FillPart& fill)
{
    const std::size_t parts = std::clamp<std::size_t>(values / kPart, 1, std::max(1U, std::thread::hardware_concurrency()));
    const auto end = [&](std::size_t part) { return values / parts * part + std::min(part, values % parts); };
    std::vector<std::jthread> threads;
    std::size_t part = 1;
    try {
        for (; part < parts; ++part)
            threads.emplace_back(fill, end(part), end(part + 1));
    } catch (const std::system_error&) { // no more threads available
        fill(end(part), values);
    }
    fill(std::size_t{0}, end(1));
}

void fillNormal(std::byte* data, const BufferSpec& spec, const Generator& random)
{
    const auto count = static_cast<std::size_t>(spec.count);
    inParts((count + 1) / 2, [&](std::size_t first, std::size_t last) { // Box–Muller gives them in pairs
        Generator own = random;
        own.skip(first);
        for (std::size_t i = 2 * first; i < 2 * last; i += 2) {
            const std::uint64_t bits = own.next();
            const float radius = std::sqrt(-2.0F * std::log(1.0F - unit(static_cast<std::uint32_t>(bits))));
            const float angle = 2.0F * std::numbers::pi_v<float> * unit(static_cast<std::uint32_t>(bits >> 32));
            // Bits that `unit` leaves out: the first of one pair in 128 is an outlier.
            const double outlier = spec.fill == Fill::outliers && bits % 128 == 0 ? 10 : 1;
            storeElement(data, spec.type, i, radius * std::cos(angle) * outlier * spec.scale);
            if (i + 1 < count)
                storeElement(data, spec.type, i + 1, radius * std::sin(angle) * spec.scale);
        }
    });
}

void fillUniform(std::byte* data, const BufferSpec& spec, const Generator& random)
{
    inParts(static_cast<std::size_t>(spec.count), [&](std::size_t first, std::size_t last) {
        Generator own = random;
        own.skip(first);
        for (std::size_t i = first; i < last; ++i) {
            const std::uint64_t bits = own.next();
            if (spec.type == DType::boolean)
                storeElement(data, spec.type, i, static_cast<double>(bits >> 63));
            else if (isInteger(spec.type)) // −8 … 8, for unsigned types 0 … 16
                storeElement(data, spec.type, i, static_cast<double>(bits % 17) - (isUnsigned(spec.type) ? 0 : 8));
            else
                storeElement(data, spec.type, i, (2.0F * unit(static_cast<std::uint32_t>(bits)) - 1.0F) * spec.scale);
        }
    });
}

} // namespace

std::uint16_t toHalf(float value) noexcept
{
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const auto sign = static_cast<std::uint16_t>((bits >> 16) & 0x8000U);
    const std::uint32_t magnitude = bits & 0x7fffffffU;
    if (magnitude > 0x7f800000U)
        return static_cast<std::uint16_t>(sign | 0x7e00U); // NaN
    if (magnitude >= 0x477ff000U)
        return static_cast<std::uint16_t>(sign | 0x7c00U); // rounds to infinity
    if (magnitude < 0x38800000U) {                         // subnormal in half precision: let the adder round
        const float shifted = std::bit_cast<float>(magnitude) + 0.5F;
        return static_cast<std::uint16_t>(sign | (std::bit_cast<std::uint32_t>(shifted) - 0x3f000000U));
    }
    const std::uint32_t rounded = magnitude + 0xfffU + ((magnitude >> 13) & 1U);
    return static_cast<std::uint16_t>(sign | ((rounded - 0x38000000U) >> 13));
}

float fromHalf(std::uint16_t bits) noexcept
{
    const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000U) << 16;
    const std::uint32_t magnitude = bits & 0x7fffU;
    if (magnitude >= 0x7c00U)
        return std::bit_cast<float>(sign | 0x7f800000U | ((magnitude & 0x3ffU) << 13));
    if (magnitude < 0x400U) // subnormal: units of 2^-24
        return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(static_cast<float>(magnitude) * 0x1p-24F));
    return std::bit_cast<float>(sign | ((magnitude << 13) + 0x38000000U));
}

std::uint16_t toBfloat(float value) noexcept
{
    const auto bits = std::bit_cast<std::uint32_t>(value);
    if ((bits & 0x7fffffffU) > 0x7f800000U)
        return static_cast<std::uint16_t>((bits >> 16) | 0x40U);
    return static_cast<std::uint16_t>((bits + 0x7fffU + ((bits >> 16) & 1U)) >> 16);
}

float fromBfloat(std::uint16_t bits) noexcept
{
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

std::uint8_t toF8(DType type, float value) noexcept
{
    const F8Layout layout = findLayout(type);
    const auto sign = static_cast<std::uint8_t>(std::signbit(value) ? 0x80 : 0);
    if (std::isnan(value))
        return sign | layout.nan;
    const float magnitude = std::min(std::fabs(value), layout.largest);
    const int exponent = std::max(magnitude > 0 ? std::ilogb(magnitude) : 1 - layout.bias, 1 - layout.bias);
    // In units of the last place; a carry into the next exponent is that of the bits, too. Subnormals have the exponent's field one lower.
    const auto units = static_cast<int>(std::nearbyint(std::ldexp(magnitude, layout.mantissa - exponent)));
    return static_cast<std::uint8_t>(sign | (((exponent + layout.bias - 1) << layout.mantissa) + units));
}

float fromF8(DType type, std::uint8_t bits) noexcept
{
    if (type == DType::f8e5m2) // the upper half of a half
        return fromHalf(static_cast<std::uint16_t>(bits << 8));
    const F8Layout layout = findLayout(type);
    const int magnitude = bits & 0x7f;
    if (magnitude == layout.nan)
        return std::numeric_limits<float>::quiet_NaN();
    const int exponent = std::max(magnitude >> layout.mantissa, 1);
    const int units = magnitude - ((exponent - 1) << layout.mantissa);
    const float value = std::ldexp(static_cast<float>(units), exponent - layout.bias - layout.mantissa);
    return (bits & 0x80) != 0 ? -value : value;
}

bool isTellingPoison(DType type) noexcept
{
    return type != DType::i8 && type != DType::u8;
}

std::uint32_t poisonWord(DType type) noexcept
{
    switch (type) {
    case DType::f8e4m3: return 0xffffffffU; // conversions make a NaN without a sign
    case DType::f8e5m2: return 0xfdfdfdfdU;
    case DType::i8:
    case DType::u8:
    case DType::boolean: return 0xadadadadU;
    case DType::f16: return 0x7e5a7e5aU;
    case DType::bf16: return 0x7fda7fdaU;
    case DType::f64: return 0x7ffadbadU; // both halves: still a NaN
    case DType::f32:
    case DType::i32:
    case DType::u32:
    case DType::i64:
    case DType::u64: break;
    }
    return 0x7fbadbadU;
}

bool isPoison(const std::byte* data, DType type, std::size_t index) noexcept
{
    const std::uint32_t word = poisonWord(type);
    const std::byte* at = data + index * static_cast<std::size_t>(countBytes(type));
    if (countBytes(type) == 1)
        return load<std::uint8_t>(at) == static_cast<std::uint8_t>(word);
    if (countBytes(type) == 2)
        return load<std::uint16_t>(at) == static_cast<std::uint16_t>(word);
    if (countBytes(type) == 8)
        return load<std::uint64_t>(at) == ((static_cast<std::uint64_t>(word) << 32) | word);
    return load<std::uint32_t>(at) == word;
}

std::pair<double, double> findRange(DType type) noexcept
{
    const double values = std::ldexp(1.0, 8 * countBytes(type));
    return isUnsigned(type) ? std::pair(0.0, values - 1) : std::pair(-values / 2, values / 2 - 1);
}

std::vector<std::byte> fillBuffer(const BufferSpec& spec, std::uint64_t seed, std::size_t position)
{
    const auto count = static_cast<std::size_t>(spec.count);
    const auto size = static_cast<std::size_t>(countBytes(spec.type));
    std::vector<std::byte> data(count * size);
    // Buffers of one work must not repeat each other's values.
    const Generator random(seed * 0x2545f4914f6cdd1dULL + position + 1);
    switch (spec.fill) {
    case Fill::normal:
    case Fill::outliers:
        isInteger(spec.type) || spec.type == DType::boolean ? fillUniform(data.data(), spec, random)
                                                            : fillNormal(data.data(), spec, random);
        break;
    case Fill::uniform: fillUniform(data.data(), spec, random); break;
    case Fill::ramp:
        for (std::size_t i = 0; i < count; ++i)
            storeElement(data.data(), spec.type, i, static_cast<double>(i) * spec.scale);
        break;
    case Fill::zeros: break;
    case Fill::file: {
        const std::string bytes = fromBase64(spec.content.value_or("")).value_or("");
        if (spec.packed.value_or(false)) {
            (void)unpackInto(bytes, data); // checked when the descriptor was read
            break;
        }
        std::memcpy(data.data(), bytes.data(), std::min(bytes.size(), data.size()));
        break;
    }
    case Fill::poison: {
        const std::uint32_t word = poisonWord(spec.type);
        for (std::size_t at = 0; at + size <= data.size(); at += size)
            for (std::size_t part = 0; part < size; part += 4)
                std::memcpy(data.data() + at + part, &word, std::min<std::size_t>(4, size));
        break;
    }
    }
    return data;
}

void storeElement(std::byte* data, DType type, std::size_t index, double value) noexcept
{
    std::byte* at = data + index * static_cast<std::size_t>(countBytes(type));
    switch (type) {
    case DType::f16: return store(at, toHalf(static_cast<float>(value)));
    case DType::bf16: return store(at, toBfloat(static_cast<float>(value)));
    case DType::f32: return store(at, static_cast<float>(value));
    case DType::f64: return store(at, value);
    case DType::i32: return store(at, static_cast<std::int32_t>(std::llround(value)));
    case DType::u32: return store(at, static_cast<std::uint32_t>(std::llround(value)));
    case DType::f8e4m3:
    case DType::f8e5m2: return store(at, toF8(type, static_cast<float>(value)));
    case DType::i8: return store(at, static_cast<std::int8_t>(std::llround(value)));
    case DType::u8: return store(at, static_cast<std::uint8_t>(std::llround(value)));
    case DType::i64: return store(at, static_cast<std::int64_t>(std::llround(value)));
    case DType::u64: // llround ends at 2^63
        return store(at, value < 0x1p63 ? static_cast<std::uint64_t>(std::llround(value)) : static_cast<std::uint64_t>(value));
    case DType::boolean: return store(at, static_cast<std::uint8_t>(value != 0 ? 1 : 0));
    }
}

double elementAt(const std::byte* data, DType type, std::size_t index) noexcept
{
    const std::byte* at = data + index * static_cast<std::size_t>(countBytes(type));
    switch (type) {
    case DType::f16: return fromHalf(load<std::uint16_t>(at));
    case DType::bf16: return fromBfloat(load<std::uint16_t>(at));
    case DType::f32: return load<float>(at);
    case DType::f64: return load<double>(at);
    case DType::i32: return load<std::int32_t>(at);
    case DType::u32: return load<std::uint32_t>(at);
    case DType::f8e4m3:
    case DType::f8e5m2: return fromF8(type, load<std::uint8_t>(at));
    case DType::i8: return load<std::int8_t>(at);
    case DType::u8: return load<std::uint8_t>(at);
    case DType::boolean: // any other byte is not an answer
        return load<std::uint8_t>(at) > 1 ? std::numeric_limits<double>::quiet_NaN() : load<std::uint8_t>(at);
    case DType::i64: return static_cast<double>(load<std::int64_t>(at));
    case DType::u64: return static_cast<double>(load<std::uint64_t>(at));
    }
    return 0;
}

std::vector<double> toDoubles(const std::byte* data, DType type, std::size_t count)
{
    std::vector<double> values(count);
    for (std::size_t i = 0; i < count; ++i)
        values[i] = elementAt(data, type, i);
    return values;
}

} // namespace kl::inline kernels
