// SPDX-License-Identifier: MIT
#pragma once

#include "core/codec/fields.h"
#include "sessions/learning/figure.h"

namespace kl::inline learning {

constexpr auto enumWords(FigureKind)
{
    using F = FigureKind;
    return std::array<std::pair<F, const char*>, 6>{{{F::measured, "measured"},
                                                     {F::entered, "entered"},
                                                     {F::quoted, "quoted"},
                                                     {F::derived, "derived"},
                                                     {F::planned, "planned"},
                                                     {F::doubtful, "doubtful"}}};
}

template <class V> void fields(V& v, Figure& f)
{
    v("value", f.value);
    v("how", f.kind);
    v("source", f.source);
}

} // namespace kl::inline learning
