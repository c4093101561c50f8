// SPDX-License-Identifier: MIT
#pragma once

#include "core/codec/fields.h"
#include "kernels/model/work.h"

namespace kl::inline kernels {

constexpr auto enumWords(DType)
{
    using D = DType;
    return std::array<std::pair<D, const char*>, 13>{{{D::f16, "f16"},
                                                      {D::bf16, "bf16"},
                                                      {D::f32, "f32"},
                                                      {D::f64, "f64"},
                                                      {D::i32, "i32"},
                                                      {D::u32, "u32"},
                                                      {D::f8e4m3, "f8e4m3"},
                                                      {D::f8e5m2, "f8e5m2"},
                                                      {D::i8, "i8"},
                                                      {D::u8, "u8"},
                                                      {D::i64, "i64"},
                                                      {D::u64, "u64"},
                                                      {D::boolean, "bool"}}};
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

constexpr auto enumWords(TensorSwizzle)
{
    using S = TensorSwizzle;
    return std::array<std::pair<S, const char*>, 4>{{{S::none, "none"}, {S::b32, "32B"}, {S::b64, "64B"}, {S::b128, "128B"}}};
}
constexpr auto enumWords(TensorInterleave)
{
    using I = TensorInterleave;
    return std::array<std::pair<I, const char*>, 3>{{{I::none, "none"}, {I::b16, "16B"}, {I::b32, "32B"}}};
}
constexpr auto enumWords(TensorPromotion)
{
    using P = TensorPromotion;
    return std::array<std::pair<P, const char*>, 4>{{{P::none, "none"}, {P::b64, "64B"}, {P::b128, "128B"}, {P::b256, "256B"}}};
}
constexpr auto enumWords(TensorOutside)
{
    using O = TensorOutside;
    return std::array<std::pair<O, const char*>, 2>{{{O::zero, "zero"}, {O::nan, "nan"}}};
}

template <class V> void fields(V& v, Tolerance& t)
{
    v("max_abs", t.maxAbs);
    v("rel_l2", t.relL2);
}

} // namespace kl::inline kernels
