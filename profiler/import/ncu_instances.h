// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/import/wire_reader.h"

#include <string_view>

namespace kl::ncu {

/// Calls take(id, value) with the Value messages of each instance of a metric; id is what it belongs to, e.g. an address or a time.
template <class Take> void eachInstance(std::string_view metric, const Take& take)
{
    WireReader fields(metric);
    for (WireField field; fields.next(field);) {
        if (!field.is(3, WireField::Type::bytes))
            continue;
        std::string_view id;
        std::string_view value;
        WireReader parts(field.bytes);
        for (WireField part; parts.next(part);)
            if (part.is(1, WireField::Type::bytes))
                id = part.bytes;
            else if (part.is(2, WireField::Type::bytes))
                value = part.bytes;
        take(id, value);
    }
}

} // namespace kl::ncu
