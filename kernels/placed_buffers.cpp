// SPDX-License-Identifier: MIT
#include "kernels/placed_buffers.h"

#include "core/base/read_file.h"
#include "core/base/try.h"
#include "kernels/data/base64.h"
#include "kernels/data/data_file.h"
#include "kernels/data/packed_data.h"
#include "kernels/family_point.h"
#include "kernels/inclusions.h"
#include "kernels/model/work_fields.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fmt/format.h>

namespace kl::inline kernels {
namespace {

constexpr std::int64_t kMostParameterBytes = 32764; ///< CUDA C++ Programming Guide, "Function Parameters"
constexpr std::uint64_t kEndOfAddresses = 1ULL << 57;

using Fault = std::optional<DescriptorFault>;

std::uint64_t addressIn(const std::string& text)
{
    std::uint64_t address = 0;
    std::from_chars(text.data() + std::min<std::size_t>(2, text.size()), text.data() + text.size(), address, 16);
    return address;
}

Fault outside(const std::string& path, const std::string& file)
{
    if (file.empty() || !leadsOut(file))
        return {};
    return DescriptorFault{path, fmt::format("{} is not in the descriptor's folder", file),
                           "Name a file in the folder of the kernel.json."};
}

/// A file in the descriptor's folder, links followed no further than that.
Result<std::string> readInside(const KernelFamily& family, const std::string& file, std::int64_t limit)
{
    namespace fs = std::filesystem;
    std::error_code failure;
    const fs::path folder = fs::weakly_canonical(fs::path(family.origin.descriptor).parent_path(), failure);
    const fs::path path = fs::weakly_canonical(folder / file, failure);
    if (failure || leadsOut(path.lexically_relative(folder).string()))
        return Error{.code = ErrorCode::badInput,
                     .message = fmt::format("{} leads out of the folder {}.", file, folder.string()),
                     .hint = "Name a file in the folder of the kernel.json.",
                     .where = file};
    return readFile(path.string(), limit);
}

Result<std::string> readPlaced(const KernelFamily& family, const std::string& file, const BufferSpec& spec)
{
    const std::int64_t bytes = spec.count * countBytes(spec.type);
    KL_ASSIGN(const std::string frame, readInside(family, file, kMaxPlacedBytes));
    KL_TRY(checkPacked(frame, bytes, file));
    return toBase64(frame);
}

} // namespace

std::optional<DescriptorFault> findPlacedFault(const KernelFamily& family)
{
    for (std::size_t i = 0; i < family.buffers.size(); ++i) {
        const KernelFamily::Buffer& buffer = family.buffers[i];
        const std::string path = fmt::format("buffers[{}]", i);
        if (buffer.address.empty() && !buffer.after.empty())
            return DescriptorFault{path + ".after", "needs an \"address\"", "It belongs to the buffers of a lifted launch."};
        if (buffer.address.empty())
            continue;
        if (buffer.role != BufferRole::input || buffer.fill != Fill::file)
            return DescriptorFault{path + ".address", "belongs to an input that is filled from a file",
                                   "Write \"role\": \"input\", \"fill\": \"file\"; one that the launch writes has \"after\", too."};
        if (const std::uint64_t address = addressIn(buffer.address); address == 0 || address >= kEndOfAddresses)
            return DescriptorFault{path + ".address", fmt::format("{} is not an address of device memory", buffer.address),
                                   "Lift the launch again."};
        if (Fault fault = outside(path + ".file", buffer.file))
            return fault;
        if (Fault fault = outside(path + ".after", buffer.after))
            return fault;
    }
    for (std::size_t i = 0; i < family.variants.size(); ++i) {
        for (const auto& [name, file] : family.variants[i].variables)
            if (Fault fault = outside(fmt::format("variants[{}].variables.{}", i, name), file))
                return fault;
        for (std::size_t j = 0; j < family.variants[i].launches.size(); ++j) {
            const LaunchFormula& launch = family.variants[i].launches[j];
            const std::string path = fmt::format("variants[{}].launches[{}]", i, j);
            if (!launch.parameters.empty() && !launch.args.empty())
                return DescriptorFault{path + ".args", "must be empty beside \"parameters\"", "Keep one of the two."};
            if (Fault fault = outside(path + ".parameters", launch.parameters))
                return fault;
        }
    }
    return {};
}

Status placeBuffer(const KernelFamily& family, const KernelFamily::Buffer& buffer, BufferSpec& spec)
{
    if (spec.count > kMaxPlacedBytes / countBytes(spec.type))
        return Error{.code = ErrorCode::badInput,
                     .message = fmt::format("{} has {} elements, which no GPU holds.", spec.name, spec.count),
                     .hint = "Lift the launch again.",
                     .where = "count"};
    spec.address = addressIn(buffer.address);
    spec.packed = true;
    Result<std::string> before = readPlaced(family, buffer.file, spec);
    if (!before)
        return inField(before.error(), "file");
    spec.content = std::move(*before);
    if (buffer.after.empty())
        return {};
    Result<std::string> after = readPlaced(family, buffer.after, spec);
    if (!after)
        return inField(after.error(), "after");
    spec.after = std::move(*after);
    return {};
}

Status checkPlaces(const WorkSpec& work)
{
    std::vector<const BufferSpec*> placed;
    for (const BufferSpec& buffer : work.buffers)
        if (buffer.address)
            placed.push_back(&buffer);
    std::ranges::sort(placed, {}, [](const BufferSpec* buffer) { return *buffer->address; });
    std::int64_t all = 0;
    for (std::size_t i = 0; i < placed.size(); ++i) {
        const std::int64_t bytes = placed[i]->count * countBytes(placed[i]->type);
        all += bytes; // each at most 2^40, and a descriptor of 4 MiB has fewer than 2^17
        const std::uint64_t end = *placed[i]->address + static_cast<std::uint64_t>(bytes);
        if (end > kEndOfAddresses || (i + 1 < placed.size() && end > *placed[i + 1]->address))
            return Error{.code = ErrorCode::badInput,
                         .message = end > kEndOfAddresses
                                        ? fmt::format("{} ends beyond all addresses.", placed[i]->name)
                                        : fmt::format("{} and {} lie on each other.", placed[i]->name, placed[i + 1]->name),
                         .hint = "Lift the launch again.",
                         .where = "buffers"};
    }
    if (all > kMaxPlacedBytes)
        return Error{.code = ErrorCode::badInput,
                     .message = fmt::format("The buffers have {} bytes together, which no GPU holds.", all),
                     .hint = "Lift the launch again.",
                     .where = "buffers"};
    return {};
}

Result<std::optional<std::map<std::string, std::string>>> readVariables(const KernelFamily& family, const Variant& variant)
{
    std::map<std::string, std::string> variables;
    for (const auto& [name, file] : variant.variables) {
        KL_ASSIGN(const std::string bytes, readInside(family, file, kMaxDataBytes));
        variables[name] = toBase64(bytes);
    }
    return variables.empty() ? std::nullopt : std::optional(std::move(variables));
}

Result<std::string> readParameters(const KernelFamily& family, const std::string& file)
{
    KL_ASSIGN(const std::string bytes, readInside(family, file, kMostParameterBytes));
    return toBase64(bytes);
}

} // namespace kl::inline kernels
