// SPDX-License-Identifier: MIT
#pragma once

#include "core/codec/fields.h"
#include "kernels/work.h"

namespace kl {

constexpr auto enumWords(DType)
{
    using D = DType;
    return std::array<std::pair<D, const char*>, 6>{
        {{D::f16, "f16"}, {D::bf16, "bf16"}, {D::f32, "f32"}, {D::f64, "f64"}, {D::i32, "i32"}, {D::u32, "u32"}}};
}
constexpr auto enumWords(Fill)
{
    using F = Fill;
    return std::array<std::pair<F, const char*>, 7>{{{F::normal, "normal"},
                                                     {F::uniform, "uniform"},
                                                     {F::ramp, "ramp"},
                                                     {F::zeros, "zeros"},
                                                     {F::poison, "poison"},
                                                     {F::file, "file"},
                                                     {F::outliers, "outliers"}}};
}
constexpr auto enumWords(BufferRole)
{
    using B = BufferRole;
    return std::array<std::pair<B, const char*>, 3>{{{B::input, "input"}, {B::output, "output"}, {B::scratch, "scratch"}}};
}

template <class V> void fields(V& v, Tolerance& t)
{
    v("max_abs", t.maxAbs);
    v("rel_l2", t.relL2);
}

} // namespace kl
