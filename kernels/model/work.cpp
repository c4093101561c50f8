// SPDX-License-Identifier: MIT
#include "kernels/model/work.h"

#include "core/base/ids.h"

#include <algorithm>

namespace kl::inline kernels {

int countBytes(DType type) noexcept
{
    switch (type) {
    case DType::f8e4m3:
    case DType::f8e5m2:
    case DType::i8:
    case DType::u8:
    case DType::boolean: return 1;
    case DType::f16:
    case DType::bf16: return 2;
    case DType::f64:
    case DType::i64:
    case DType::u64: return 8;
    case DType::f32:
    case DType::i32:
    case DType::u32: break;
    }
    return 4;
}

bool isInteger(DType type) noexcept
{
    switch (type) {
    case DType::i8:
    case DType::u8:
    case DType::i32:
    case DType::u32:
    case DType::i64:
    case DType::u64: return true;
    default: return false;
    }
}

std::string codeHash(const std::string& source, const std::map<std::string, std::string>& headers, const std::optional<ImageSpec>& image)
{
    std::string text = image ? image->base64 : source;
    for (const auto& [name, header] : headers)
        text += '\0' + name + '\0' + header;
    return contentHash(text);
}

bool hasReference(const ReferenceSpec& reference) noexcept
{
    return !reference.function.empty() || !reference.expression.empty() || reference.kernel || reference.data || reference.script;
}

bool isReadAndWritten(const WorkSpec& work, const BufferSpec& buffer)
{
    return buffer.role == BufferRole::input && (buffer.after || (!work.reference.output.empty() && buffer.name == work.reference.output));
}

bool isPlaced(const WorkSpec& work)
{
    return std::ranges::any_of(work.buffers, [](const BufferSpec& buffer) { return buffer.address.has_value(); });
}

} // namespace kl::inline kernels
