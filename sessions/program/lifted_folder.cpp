// SPDX-License-Identifier: MIT
#include "sessions/program/lifted_folder.h"

#include "core/base/format.h"
#include "core/base/read_file.h"
#include "core/base/resource.h"
#include "core/base/shell_line.h"
#include "core/base/try.h"
#include "core/base/write_file.h"
#include "core/codec/json.h"
#include "kernels/data/packed_data.h"
#include "kernels/descriptor_parser.h"
#include "kernels/model/work_fields.h"
#include "kernels/user_kernel.h"
#include "profiler/protocol/program_trace.h"
#include "sessions/program/program_profile.h"

#include <cctype>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>

namespace kl::inline program {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kMostText = 64 << 20;
constexpr std::size_t kLongestName = 48;
constexpr const char* kMemoryFolder = "memory";
constexpr const char* kArguments = "arguments.bin";
constexpr const char* kImage = "kernel.cubin";
constexpr const char* kRewrite = "rewrite.cu";

Error bad(std::string message, std::string hint, const fs::path& where)
{
    return {.code = ErrorCode::badInput, .message = std::move(message), .hint = std::move(hint), .where = where.string()};
}

/// A part of a file. Error badInput where the file is shorter.
Result<std::string> readPart(const fs::path& file, std::uint64_t offset, std::uint64_t bytes)
{
    std::ifstream in(file, std::ios::binary);
    std::string part(bytes, '\0');
    in.seekg(static_cast<std::streamoff>(offset));
    in.read(part.data(), static_cast<std::streamsize>(part.size()));
    if (!in || static_cast<std::uint64_t>(in.gcount()) != bytes)
        return bad(fmt::format("{} is shorter than lift.json says.", file.string()), "Lift the launch again.", file);
    return part;
}

/// "lifted-softmax_kernel" of "void ns::softmax_kernel<float>(float*)".
std::string makeKernelId(const std::string& kernel)
{
    const std::string bare = shortKernelName(demangle(kernel));
    const std::string name = bare.substr(0, bare.find('<'));
    std::string id = "lifted-";
    for (const char c : name.substr(0, kLongestName))
        id += std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' ? c : '-';
    return id;
}

/// Writes the memory as buffers of the descriptor: what the launch changed, and what lies between.
class BufferWriter {
public:
    BufferWriter(fs::path raw, fs::path out, const LiftedAs& as) : raw_(std::move(raw)), out_(std::move(out)), as_(as) {}

    Status add(const LiftedMemory& memory)
    {
        std::uint64_t at = 0, taken = 0;
        for (const LiftedRange& range : memory.changed) {
            if (range.bytes == 0 || range.offset < at || range.offset > memory.bytes || range.bytes > memory.bytes - range.offset)
                return bad("lift.json has changed ranges that are not in their memory.", "Lift the launch again.", raw_ / kLiftFile);
            KL_TRY(addPiece(memory, {at, range.offset - at}, {}));
            KL_TRY(addPiece(memory, range, taken));
            taken += range.bytes;
            at = range.offset + range.bytes;
        }
        return addPiece(memory, {at, memory.bytes - at}, {});
    }

    Json buffers = Json::array();
    LiftedFolder folder;

private:
    /// `after`: where its content after the launch begins in the file of changed parts.
    Status addPiece(const LiftedMemory& memory, const LiftedRange& piece, std::optional<std::uint64_t> after)
    {
        if (piece.bytes == 0)
            return {};
        const std::string name = fmt::format("{}{}", after ? "out" : "in", after ? outputs_++ : inputs_++);
        const std::uint64_t address = memory.address + piece.offset;
        const auto size = static_cast<std::uint64_t>(countBytes(as_.type));
        const bool typed = after && piece.bytes % size == 0 && address % size == 0;
        Json buffer{{"name", name},
                    {"type", typed ? word(as_.type) : "u8"},
                    {"count", std::to_string(typed ? piece.bytes / size : piece.bytes)},
                    {"role", "input"},
                    {"fill", "file"},
                    {"address", fmt::format("{:#x}", address)}};
        KL_ASSIGN(buffer["file"], save(name, memory.before, piece.offset, piece.bytes));
        if (after) {
            KL_ASSIGN(buffer["after"], save(name + ".after", memory.after, *after, piece.bytes));
            folder.changedBytes += piece.bytes;
        }
        folder.bytes += piece.bytes;
        ++folder.buffers;
        buffers.push_back(std::move(buffer));
        return {};
    }

    static std::string word(DType type)
    {
        for (const auto& [known, text] : enumWords(DType{}))
            if (known == type)
                return text;
        return {};
    }

    Result<std::string> save(const std::string& name, const std::string& from, std::uint64_t offset, std::uint64_t bytes)
    {
        const std::string file = fmt::format("{}/{}.zst", kMemoryFolder, name);
        KL_ASSIGN(const std::string content, readPart(raw_ / from, offset, bytes));
        const std::string frame = packData(content);
        folder.storedBytes += frame.size();
        KL_TRY(writeFile(out_ / file, frame));
        return file;
    }

    fs::path raw_;
    fs::path out_;
    const LiftedAs& as_;
    int inputs_ = 0;
    int outputs_ = 0;
};

std::string variableFile(std::size_t index)
{
    return fmt::format("{}/variable{}.bin", kMemoryFolder, index);
}

Json axes(const std::array<int, 3>& sizes)
{
    Json list = Json::array();
    for (const int size : sizes)
        list.push_back(std::to_string(size));
    return list;
}

Json encodeLaunch(const LiftedLaunch& lift, const std::string& entry)
{
    Json launch{{"entry", entry},
                {"grid", axes(lift.grid)},
                {"block", axes(lift.block)},
                {"dynamic_smem", std::to_string(lift.dynamicSmem)},
                {"args", Json::array()}};
    if (!lift.arguments.empty() && !lift.parameters.empty())
        launch["parameters"] = kArguments;
    if (lift.cluster != std::array<int, 3>{})
        launch["cluster"] = axes(lift.cluster);
    if (lift.cooperative)
        launch["cooperative"] = true;
    return launch;
}

Json makeDescriptor(const LiftedLaunch& lift, const LiftedAs& as, const std::string& id, const Json& buffers)
{
    const std::string problem = fmt::format("LAUNCH={}", lift.launch);
    Json own = encodeLaunch(lift, lift.kernel);
    Json variables = Json::object();
    for (std::size_t i = 0; i < lift.variables.size(); ++i)
        variables[lift.variables[i].name] = variableFile(i);
    if (const auto carveout = lift.attributes.find("carveout"); carveout != lift.attributes.end() && carveout->second >= 0)
        own["carveout"] = carveout->second;
    Json variants = Json::array();
    variants.push_back({{"id", "lifted"},
                        {"title", "As the program launched it"},
                        {"summary", fmt::format("Launch {} of {} in `{}` on {}, {}.", lift.launch, demangle(lift.kernel),
                                                shellLine(lift.command), lift.gpu, lift.at)},
                        {"when", "1"},
                        {"deterministic", as.deterministic},
                        {"variables", variables},
                        {"launches", Json::array({own})}});
    variants.push_back({{"id", "rewrite"},
                        {"title", "Your rewrite"},
                        {"summary", "The same arguments, memory and launch shape; change the shape here as your kernel needs it."},
                        {"source", kRewrite},
                        {"fixes", "lifted"},
                        {"deterministic", as.deterministic},
                        {"launches", Json::array({encodeLaunch(lift, "rewrite")})}});
    return {{"$schema", "kernel.schema.json"},
            {"id", id},
            {"title", demangle(lift.kernel)},
            {"source", kImage},
            {"sizes", Json::array({"LAUNCH"})},
            {"problems", Json::array({problem})},
            {"smallest", problem},
            {"buffers", buffers},
            {"tolerance", {{"max_abs", as.tolerance}, {"rel_l2", as.tolerance}}},
            {"variants", variants}};
}

Status makeFolder(const fs::path& out)
{
    std::error_code failure;
    if (fs::exists(out, failure) && !(fs::is_directory(out, failure) && fs::is_empty(out, failure)))
        return bad(fmt::format("{} exists and is not an empty folder.", out.string()), "Choose another folder.", out);
    fs::create_directories(out / kMemoryFolder, failure);
    if (failure)
        return bad(fmt::format("{} cannot be created: {}.", out.string(), failure.message()), "Choose another folder.", out);
    return {};
}

} // namespace

Result<std::optional<LiftedLaunch>> readLift(const fs::path& raw)
{
    std::error_code failure;
    if (!fs::exists(raw / kLiftFile, failure))
        return std::optional<LiftedLaunch>();
    KL_ASSIGN(const std::string text, readFile((raw / kLiftFile).string(), kMostText));
    KL_ASSIGN(LiftedLaunch lift, parseLift(text, (raw / kLiftFile).string()));
    return std::optional(std::move(lift));
}

Result<LiftedFolder> writeLifted(const LiftedLaunch& lift, const fs::path& raw, const fs::path& out, const LiftedAs& as)
{
    if (lift.memory.empty())
        return Error{.code = ErrorCode::refused,
                     .message = "The launch reaches no device memory: there is nothing that it could compute from, or leave.",
                     .hint = "Skip to another launch, or copy every allocation of the program.",
                     .where = lift.kernel};
    KL_TRY(makeFolder(out));
    BufferWriter writer(raw, out, as);
    for (const LiftedMemory& memory : lift.memory)
        KL_TRY(writer.add(memory));
    LiftedFolder folder = writer.folder;
    folder.id = as.name.empty() ? makeKernelId(lift.kernel) : as.name;
    folder.descriptor = out / kDescriptorName;
    KL_ASSIGN(const std::string arguments, readFile((raw / lift.arguments).string(), kMostText));
    KL_ASSIGN(const std::string image, readFile((raw / lift.image).string(), kMostText));
    KL_ASSIGN(const std::string_view schema, resource(kDescriptorSchema));
    for (std::size_t i = 0; i < lift.variables.size(); ++i) {
        KL_ASSIGN(const std::string content, readFile((raw / lift.variables[i].file).string(), kMostText));
        KL_TRY(writeFile(out / variableFile(i), content));
    }
    KL_TRY(writeFile(out / kArguments, arguments));
    KL_TRY(writeFile(out / kImage, image));
    KL_TRY(writeFile(out / kRewrite, rewriteSource(lift, arguments)));
    KL_TRY(writeFile(out / "kernel.schema.json", schema));
    KL_TRY(writeFile(out / kLiftFile, encodeLift(lift)));
    KL_TRY(writeFile(folder.descriptor, encodePretty(makeDescriptor(lift, as, folder.id, writer.buffers)) + '\n'));
    KL_ASSIGN([[maybe_unused]] const KernelFamily made, loadKernel(out));
    return folder;
}

} // namespace kl::inline program
