// SPDX-License-Identifier: MIT
#include "kernels/work.h"

namespace kl {

int sizeOf(DType type) noexcept
{
    switch (type) {
    case DType::f16:
    case DType::bf16: return 2;
    case DType::f64: return 8;
    case DType::f32:
    case DType::i32:
    case DType::u32: break;
    }
    return 4;
}

bool hasReference(const ReferenceSpec& reference) noexcept
{
    return !reference.function.empty() || !reference.expression.empty() || reference.kernel || reference.data || reference.script;
}

} // namespace kl
