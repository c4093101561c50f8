// SPDX-License-Identifier: MIT
#include "kernels/work.h"

#include "core/base/ids.h"

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

} // namespace kl
