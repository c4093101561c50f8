// SPDX-License-Identifier: MIT
#include "kernels/data/data_file.h"

#include "core/base/read_file.h"
#include "core/base/try.h"
#include "kernels/data/base64.h"
#include "kernels/data/npy.h"
#include "kernels/data/numbers.h"

#include <cstring>
#include <filesystem>
#include <fmt/format.h>

namespace kl::inline kernels {
namespace {

Error badFile(const std::string& path, const std::string& what, const std::string& hint = {})
{
    return {.code = ErrorCode::badInput, .message = fmt::format("{}: {}.", path, what), .hint = hint, .where = path};
}

} // namespace

Result<std::string> readElements(const KernelFamily& family, const std::string& file, const Scope& scope, DType type, std::int64_t count,
                                 const std::string& whose)
{
    KL_ASSIGN(const std::string name, substitute(file, scope));
    const std::string path = (std::filesystem::path(family.origin.descriptor).parent_path() / name).string();
    KL_ASSIGN(const std::string content, readFile(path, kMaxDataBytes));
    Array array;
    array.type = type;
    if (path.ends_with(".npy")) {
        KL_ASSIGN(Array read, fromNpy(content, path));
        array = std::move(read);
    } else {
        array.bytes.resize(content.size());
        std::memcpy(array.bytes.data(), content.data(), content.size());
    }
    if (const std::optional<std::size_t> large = firstTooLarge(type, array))
        return badFile(path,
                       fmt::format("element {} is {}, which the type of {} cannot represent", *large,
                                   elementAt(array.bytes.data(), array.type, *large), whose),
                       "Correct the file, or the buffer's \"type\".");
    const std::vector<std::byte> elements = convertTo(type, array);
    const auto wanted = static_cast<std::size_t>(count) * static_cast<std::size_t>(countBytes(type));
    if (elements.size() != wanted || array.bytes.size() % static_cast<std::size_t>(countBytes(array.type)) != 0)
        return badFile(path, fmt::format("the file has {} elements, {} needs {}", array.count(), whose, count),
                       "Give one file per size, e.g. \"in_{N}.npy\", or change the problem.");
    return toBase64({reinterpret_cast<const char*>(elements.data()), elements.size()});
}

} // namespace kl::inline kernels
