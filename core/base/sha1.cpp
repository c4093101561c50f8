// SPDX-License-Identifier: MIT
#include "core/base/sha1.h"

#include <nettle/sha1.h>

namespace kl {

std::array<std::uint8_t, 20> computeSha1(std::string_view text)
{
    sha1_ctx context;
    sha1_init(&context);
    sha1_update(&context, text.size(), reinterpret_cast<const std::uint8_t*>(text.data()));
    std::array<std::uint8_t, 20> digest{};
    sha1_digest(&context, digest.size(), digest.data());
    return digest;
}

} // namespace kl
