// SPDX-License-Identifier: MIT
#include "core/model/kernel_code.h"

#include <utility>

namespace kl {

SharedCode::SharedCode(KernelCode code) : code_(std::make_shared<const KernelCode>(std::move(code))) {}

std::int64_t KernelCode::samples() const
{
    std::int64_t sum = 0;
    for (const CodeInstruction& one : instructions)
        sum += one.samples;
    return sum;
}

bool operator==(const SharedCode& a, const SharedCode& b)
{
    return a.code_ == b.code_ || (a.code_ && b.code_ && *a.code_ == *b.code_);
}

} // namespace kl
