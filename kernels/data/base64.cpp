// SPDX-License-Identifier: MIT
#include "kernels/data/base64.h"

#include <cstddef>
#include <cstdint>
#include <nettle/base64.h>

namespace kl::inline kernels {

std::string toBase64(std::string_view bytes)
{
    std::string text(BASE64_ENCODE_RAW_LENGTH(bytes.size()), '\0');
    base64_encode_raw(text.data(), bytes.size(), reinterpret_cast<const std::uint8_t*>(bytes.data()));
    return text;
}

std::optional<std::string> fromBase64(std::string_view text)
{
    // Nettle skips white space, and takes three paddings for an empty text.
    if (text.size() % 4 != 0 || text.ends_with("===") || text.find_first_of(" \t\n\v\f\r") != std::string_view::npos)
        return {};
    base64_decode_ctx decoder;
    base64_decode_init(&decoder);
    std::size_t size = BASE64_DECODE_LENGTH(text.size());
    std::string bytes(size, '\0');
    if (base64_decode_update(&decoder, &size, reinterpret_cast<std::uint8_t*>(bytes.data()), text.size(), text.data()) == 0 ||
        base64_decode_final(&decoder) == 0)
        return {};
    bytes.resize(size);
    return bytes;
}

} // namespace kl::inline kernels
