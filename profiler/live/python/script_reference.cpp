// SPDX-License-Identifier: MIT
#include "profiler/live/python/script_reference.h"

#include "core/base/python_call.h"
#include "core/base/read_file.h"
#include "core/base/scratch_folder.h"
#include "core/base/try.h"
#include "core/codec/json.h"
#include "kernels/data/numbers.h"
#include "profiler/live/python/run_once.h"

#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>

namespace kl::inline live {
namespace {

namespace fs = std::filesystem;

Status writeFile(const fs::path& path, const std::string& content)
{
    std::ofstream out(path, std::ios::binary);
    if (!out.write(content.data(), static_cast<std::streamsize>(content.size())).flush())
        return Error{.code = ErrorCode::environment,
                     .message = fmt::format("{} cannot be written.", path.string()),
                     .hint = "Free space in /tmp, or set TMPDIR to another folder.",
                     .where = path.string()};
    return {};
}

Status writeInputs(const fs::path& folder, const ReferenceSpec& reference, const std::vector<NamedArray>& inputs)
{
    Json problem = Json::object();
    for (const auto& [name, value] : reference.params)
        problem[name] =
            value == static_cast<double>(static_cast<std::int64_t>(value)) ? Json(static_cast<std::int64_t>(value)) : Json(value);
    KL_TRY(writeFile(folder / "problem.json", encodePretty(problem)));
    for (const NamedArray& input : inputs) {
        const auto elements = static_cast<std::int64_t>(input.bytes->size() / static_cast<std::size_t>(countBytes(input.type)));
        KL_TRY(writeFile(folder / (input.name + ".npy"), toNpy(input.type, {elements}, input.bytes->data())));
    }
    return writeFile(folder / "reference.py", reference.script->text);
}

} // namespace

Result<Expected> runReferenceScript(const ReferenceSpec& reference, const std::vector<NamedArray>& inputs, std::int64_t count)
{
    const ScriptSpec& script = *reference.script;
    const auto failed = [&](const std::string& what, const std::string& hint, const std::string& detail) {
        return Error{.code = ErrorCode::badInput,
                     .message = fmt::format("The reference script {} {}.", script.name, what),
                     .hint = hint,
                     .where = script.name,
                     .detail = detail};
    };
    KL_ASSIGN(const ScratchFolder folder, ScratchFolder::make());
    KL_TRY(writeInputs(folder.path(), reference, inputs));
    const PythonCall call = pythonScript("reference.py", folder.path().string());
    KL_ASSIGN(const Finished finished, runOnce(call.arguments, call.environment, call.folder, script.timeoutSeconds));
    if (finished.timedOut)
        return failed(fmt::format("took longer than {} s and was stopped", script.timeoutSeconds),
                      "Raise \"timeout_s\" in the reference, or choose a smaller problem.", finished.output);
    if (finished.status != 0)
        return failed(fmt::format("failed with exit status {}", finished.status), "Its last output is below.", finished.output);
    const fs::path written = folder.path() / (reference.output + ".npy");
    std::error_code failure;
    if (!fs::exists(written, failure))
        return failed(fmt::format("wrote no {}.npy", reference.output),
                      fmt::format("End it with numpy.save(\"{}.npy\", result).", reference.output), finished.output);
    KL_ASSIGN(const std::string content, readFile(written.string(), std::int64_t{16} << 30));
    KL_ASSIGN(const Array array, fromNpy(content, reference.output + ".npy of " + script.name));
    if (static_cast<std::int64_t>(array.count()) != count)
        return failed(fmt::format("wrote {} elements, {} has {}", array.count(), reference.output, count), {}, finished.output);
    return Expected{{}, toDoubles(array.bytes.data(), array.type, array.count())};
}

} // namespace kl::inline live
