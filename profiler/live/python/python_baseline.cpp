// SPDX-License-Identifier: MIT
#include "profiler/live/python/python_baseline.h"

#include "core/base/resource.h"
#include "core/base/try.h"
#include "core/codec/json_read.h"
#include "profiler/live/python/helper_process.h"
#include "profiler/live/python/shared_bytes.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl::inline live {
namespace {

using std::chrono::seconds;

constexpr seconds kStartDeadline{120};   ///< importing torch from a cold network disk takes most of it
constexpr seconds kMeasureDeadline{120}; ///< one block; the first one of an operation loads its libraries
constexpr seconds kDescribeDeadline{10};

/// Reads torch's version without importing it, which would take seconds.
constexpr const char* kDescribe = R"(import importlib.util, pathlib, platform, re
text = 'python3 ' + platform.python_version()
spec = importlib.util.find_spec('torch')
if spec and spec.origin:
    file = pathlib.Path(spec.origin).with_name('version.py')
    found = re.search(r"__version__ = '([^']+)'", file.read_text()) if file.exists() else None
    text += ', torch ' + (found.group(1) if found else 'of unknown version')
print(text))";

/// A list of the folders of NVIDIA's wheels, wherever python looks for packages.
constexpr const char* kFolders = R"(import glob, json, sys
print(json.dumps([f for p in sys.path for f in sorted(glob.glob(p + '/nvidia/*/lib'))])))";

std::vector<double> readNumbers(const Json& json, const char* key)
{
    std::vector<double> values;
    if (const auto found = json.find(key); found != json.end() && found->is_array())
        for (const Json& value : *found)
            if (value.is_number())
                values.push_back(value.get<double>());
    return values;
}

/// One request and its answer, with "unavailable" and "error" turned into errors.
Result<Json> ask(HelperProcess& helper, int id, Json request, std::chrono::milliseconds deadline)
{
    request["id"] = id;
    KL_TRY(helper.send(encode(request)));
    KL_ASSIGN(const std::string line, helper.receive(deadline));
    Result<Json> answer = parseJson(line, "python helper");
    if (!answer || !answer->is_object() || !answer->contains("id") || (*answer)["id"] != id)
        return Error{.code = ErrorCode::kernelFailed,
                     .message = "The python helper returned an unexpected answer.",
                     .hint = "A sitecustomize or another program may write to its output.",
                     .where = "python helper",
                     .detail = line.substr(0, 500)};
    if (answer->contains("unavailable"))
        return Error{.code = ErrorCode::environment,
                     .message = textAt(*answer, "unavailable"),
                     .hint = textAt(*answer, "hint"),
                     .where = "python helper"};
    if (answer->contains("error"))
        return Error{.code = ErrorCode::kernelFailed,
                     .message = fmt::format("The python helper failed: {}.", textAt(*answer, "error")),
                     .where = "python helper",
                     .detail = helper.errorTail()};
    return answer;
}

class HelperBaseline final : public PythonBaseline {
public:
    HelperBaseline(std::unique_ptr<HelperProcess> helper, std::string description)
        : helper_(std::move(helper)), description_(std::move(description))
    {
    }

    const std::string& description() const noexcept override { return description_; }

    Result<PythonSamples> measure(const std::string& op, const std::map<std::string, double>& params, int samples) override
    {
        KL_ASSIGN(const Json answer,
                  ask(*helper_, ++lastId_, {{"verb", "measure"}, {"op", op}, {"params", params}, {"samples", samples}}, kMeasureDeadline));
        PythonSamples result{textAt(answer, "name"),
                             textAt(answer, "version"),
                             readNumbers(answer, "gpu_ns"),
                             readNumbers(answer, "kernels_ns"),
                             readNumbers(answer, "host_ns"),
                             {},
                             {}};
        if (const auto memory = answer.find("memory_bytes"); memory != answer.end() && memory->is_number())
            result.memoryBytes = memory->get<std::int64_t>();
        if (const auto kernels = answer.find("kernels"); kernels != answer.end() && kernels->is_array())
            for (const Json& kernel : *kernels)
                if (kernel.is_string())
                    result.kernels.push_back(kernel.get<std::string>());
        if (result.gpuNs.size() != static_cast<std::size_t>(samples))
            return Error{.code = ErrorCode::kernelFailed,
                         .message = fmt::format("The python helper measured {} of {} calls.", result.gpuNs.size(), samples),
                         .where = "python helper",
                         .detail = helper_->errorTail()};
        return result;
    }

    Result<std::vector<std::byte>> output(const std::string& op, const std::map<std::string, double>& params,
                                          const std::vector<const std::vector<std::byte>*>& inputs, std::size_t bytes) override
    {
        std::vector<SharedBytes> files;
        std::vector<std::string> paths;
        for (const std::vector<std::byte>* input : inputs) {
            KL_ASSIGN(SharedBytes file, SharedBytes::make(*input));
            paths.push_back(file.path());
            files.push_back(std::move(file));
        }
        KL_ASSIGN(const SharedBytes result, SharedBytes::make());
        KL_ASSIGN([[maybe_unused]] const Json done,
                  ask(*helper_, ++lastId_,
                      {{"verb", "output"}, {"op", op}, {"params", params}, {"inputs", paths}, {"output", result.path()}},
                      kMeasureDeadline));
        Result<std::vector<std::byte>> computed = result.read();
        if (computed && computed->size() != bytes)
            return Error{.code = ErrorCode::kernelFailed,
                         .message = fmt::format("The python helper computed {} bytes where {} were requested.", computed->size(), bytes),
                         .where = "python helper",
                         .detail = helper_->errorTail()};
        return computed;
    }

private:
    std::unique_ptr<HelperProcess> helper_;
    std::string description_;
    int lastId_ = 1; ///< 1 was the greeting
};

} // namespace

Result<std::unique_ptr<PythonBaseline>> PythonBaseline::start(const std::string& deviceUuid)
{
    KL_ASSIGN(const std::string_view script, resource("profiler/live/python/baseline_helper.py"));
    KL_ASSIGN(std::unique_ptr<HelperProcess> helper, HelperProcess::start(pythonCode(std::string(script))));
    Result<Json> answer = ask(*helper, 1, {{"verb", "hello"}, {"device", deviceUuid}}, kStartDeadline);
    if (!answer) {
        Error error = answer.error();
        error.code = ErrorCode::environment; // nothing was measured yet: whatever went wrong is the installation's
        return error;
    }
    const Json versions = answer->value("versions", Json::object());
    return std::unique_ptr<PythonBaseline>(std::make_unique<HelperBaseline>(
        std::move(helper), fmt::format("python3 {}, torch {}", textAt(versions, "python"), textAt(versions, "torch"))));
}

std::vector<std::string> pythonLibraryFolders()
{
    std::vector<std::string> folders;
    Result<std::unique_ptr<HelperProcess>> helper = HelperProcess::start(pythonCode(kFolders));
    const Result<std::string> line = helper ? (*helper)->receive(kDescribeDeadline) : Result<std::string>(helper.error());
    const Result<Json> list = line ? parseJson(*line, "python3") : Result<Json>(line.error());
    if (list && list->is_array())
        for (const Json& folder : *list)
            if (folder.is_string())
                folders.push_back(folder.get<std::string>());
    return folders;
}

std::string describePython()
{
    Result<std::unique_ptr<HelperProcess>> helper = HelperProcess::start(pythonCode(kDescribe));
    if (!helper)
        return {};
    const Result<std::string> line = (*helper)->receive(kDescribeDeadline);
    return line ? *line : std::string();
}

} // namespace kl::inline live
