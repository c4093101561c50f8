// SPDX-License-Identifier: MIT
#include "profiler/protocol/verb.h"

namespace kl::inline protocol {

std::optional<Verb> parseVerb(std::string_view word)
{
    for (const VerbTraits& traits : kVerbTraits)
        if (word == traits.word)
            return traits.verb;
    return std::nullopt;
}

} // namespace kl::inline protocol
