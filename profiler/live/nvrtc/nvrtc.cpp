// SPDX-License-Identifier: MIT
#include "profiler/live/nvrtc/nvrtc.h"

#include "core/base/try.h"
#include "core/model/source_lines.h"
#include "kernels/compiler_options.h"
#include "kernels/inclusions.h"
#include "profiler/live/host/shared_library.h"
#include "profiler/live/nvrtc/mark_header.h"
#include "profiler/live/nvrtc/toolkit_headers.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <fmt/format.h>
#include <nvrtc.h>

#define KL_NVRTC_FUNCTIONS(X)                                                                                                              \
    X(GetErrorString)                                                                                                                      \
    X(Version)                                                                                                                             \
    X(GetNumSupportedArchs)                                                                                                                \
    X(GetSupportedArchs)                                                                                                                   \
    X(CreateProgram)                                                                                                                       \
    X(DestroyProgram) X(CompileProgram) X(GetProgramLogSize) X(GetProgramLog) X(GetCUBINSize) X(GetCUBIN) X(GetPTXSize) X(GetPTX)

namespace kl::inline live {
namespace {

struct Functions {
#define KL_NVRTC_MEMBER(name) decltype(&::nvrtc##name) name = nullptr;
    KL_NVRTC_FUNCTIONS(KL_NVRTC_MEMBER)
#undef KL_NVRTC_MEMBER
};
Functions nvrtc; // bound once by Nvrtc::load

/// nvrtcSetFlowCallback, since 12.8; null before. Headers of an older toolkit do not declare it.
nvrtcResult (*setFlowCallback)(nvrtcProgram, int (*)(void*, void*), void*) = nullptr;

/// NVRTC's own cache of compiled code (--no-cache exists since it has one) is of no use behind ours, and what comes from it comes without
/// the assembler's word on registers and spills. Until an NVRTC does not know the option.
std::atomic<bool> takesNoCache{true};
constexpr const char* kNoCache = "--no-cache";

int checkStopRequest(void* token, void*)
{
    return static_cast<const std::stop_token*>(token)->stop_requested() ? 1 : 0;
}

constexpr const char* kHint = "Install the CUDA toolkit 12.6 or newer (or the wheel: pip install nvidia-cuda-nvrtc), or set CUDA_HOME.";

class Program {
public:
    ~Program()
    {
        if (program_)
            nvrtc.DestroyProgram(&program_);
    }
    nvrtcProgram* address() { return &program_; }
    nvrtcProgram get() const { return program_; }

private:
    nvrtcProgram program_ = nullptr;
};

/// Feature targets: code for one GPU ("sm_90a") since compute capability 9.0, for a family ("sm_100f") since 10.0 and CUDA 12.9 (CUDA C++
/// Programming Guide, "Feature Set Compiler Targets").
constexpr int kFirstSpecific = 90;
constexpr int kFirstFamily = 100;
constexpr int kFamiliesSince = 12090;

/// A request may come from anywhere, so what a descriptor may not say is refused here once more.
Status checkAllowed(const CompileTask& task)
{
    for (const std::string& option : task.options)
        if (const std::optional<OptionFault> fault = compilerOptionFault(option))
            return Error{.code = ErrorCode::badInput, .message = fault->message + '.', .hint = fault->hint, .where = "options"};
    return checkInclusions(task.source, task.headers, kSourceFile);
}

Error makeNvrtcError(const char* call, nvrtcResult result)
{
    return {.code = ErrorCode::environment,
            .message = fmt::format("{} failed: {}.", call, nvrtc.GetErrorString(result)),
            .hint = kHint,
            .where = "libnvrtc"};
}

/// The text or image that a pair of size and get functions gives.
template <class Size, class Get> std::string fetch(nvrtcProgram program, Size size, Get get)
{
    std::size_t bytes = 0;
    if (size(program, &bytes) != NVRTC_SUCCESS || bytes == 0)
        return {};
    std::string data(bytes, '\0');
    if (get(program, data.data()) != NVRTC_SUCCESS)
        return {};
    return data;
}

std::string asText(std::string data)
{
    while (!data.empty() && (data.back() == '\0' || data.back() == '\n'))
        data.pop_back();
    return data;
}

} // namespace

Result<Nvrtc> Nvrtc::loadLibrary()
{
    const Result<SharedLibrary> library = SharedLibrary::open({"libnvrtc.so.13", "libnvrtc.so.12"}, toolkitLibraryFolders("cuda_nvrtc"));
    if (!library)
        return Error{.code = ErrorCode::environment,
                     .message = "CUDA's run-time compiler (libnvrtc.so.13 or .12) was not found on this machine.",
                     .hint = kHint,
                     .where = "libnvrtc",
                     .detail = library.error().message};
    const char* missing = nullptr;
#define KL_NVRTC_BIND(name)                                                                                                                \
    if (!(nvrtc.name = library->function<decltype(nvrtc.name)>("nvrtc" #name)))                                                            \
        missing = "nvrtc" #name;
    KL_NVRTC_FUNCTIONS(KL_NVRTC_BIND)
#undef KL_NVRTC_BIND
    if (missing)
        return Error{.code = ErrorCode::environment,
                     .message = fmt::format("{} has no {}: it is too old.", library->path(), missing),
                     .hint = kHint,
                     .where = "libnvrtc"};
    setFlowCallback = library->function<decltype(setFlowCallback)>("nvrtcSetFlowCallback");
    Nvrtc compiler;
    std::error_code unreadable;
    compiler.library_ = fmt::format("{} {}", library->path(), std::filesystem::file_size(library->path(), unreadable));
    if (const nvrtcResult result = nvrtc.Version(&compiler.major_, &compiler.minor_); result != NVRTC_SUCCESS)
        return makeNvrtcError("nvrtcVersion", result);
    return compiler;
}

const Result<Nvrtc>& Nvrtc::load()
{
    static const Result<Nvrtc> loaded = loadLibrary();
    return loaded;
}

std::string Nvrtc::version() const
{
    return fmt::format("{}.{}", major_, minor_);
}

std::vector<int> Nvrtc::architectures() const
{
    int count = 0;
    if (nvrtc.GetNumSupportedArchs(&count) != NVRTC_SUCCESS || count <= 0)
        return {};
    std::vector<int> list(static_cast<std::size_t>(count));
    if (nvrtc.GetSupportedArchs(list.data()) != NVRTC_SUCCESS)
        return {};
    return list;
}

Status Nvrtc::checkSupported(const std::string& arch) const
{
    std::string known;
    for (const int base : architectures())
        for (const char* feature : {"", "a", "f"}) {
            if ((*feature == 'a' && base < kFirstSpecific) ||
                (*feature == 'f' && (base < kFirstFamily || versionNumber() < kFamiliesSince)))
                continue;
            const std::string name = fmt::format("sm_{}{}", base, feature);
            if (name == arch)
                return {};
            known += (known.empty() ? "" : ", ") + name;
        }
    return Error{.code = ErrorCode::environment,
                 .message = fmt::format("NVRTC {} cannot compile for {}.", version(), arch),
                 .hint = fmt::format("It supports {}. Use a CUDA toolkit that supports this GPU.", known),
                 .where = arch};
}

std::vector<std::string> Nvrtc::allOptions(const CompileTask& task) const
{
    std::vector<std::string> all{"--gpu-architecture=" + task.arch, "--ptxas-options=-v", "-default-device", "-lineinfo"};
    if (includesLibraryHeader(task.source, task.headers))
        for (const std::string& folder : toolkitIncludeFolders())
            all.push_back("--include-path=" + folder);
    all.insert(all.end(), task.options.begin(), task.options.end());
    return all;
}

std::string Nvrtc::identity(const CompileTask& task) const
{
    std::string text = fmt::format("nvrtc with log, {} {}", version(), library_);
    for (const std::string& option : allOptions(task))
        text += '\0' + option;
    text += '\0' + task.source;
    for (const auto& [name, header] : withMarkHeader(task.source, task.headers))
        text += '\0' + name + '\0' + header;
    return text;
}

Result<CompiledSource> Nvrtc::compile(const CompileTask& task, const std::stop_token& stop) const
{
    KL_TRY(checkAllowed(task));
    KL_TRY(checkSupported(task.arch));

    const auto begin = std::chrono::steady_clock::now();
    Program program;
    std::vector<const char*> names;
    std::vector<const char*> texts;
    const std::map<std::string, std::string> headers = withMarkHeader(task.source, task.headers);
    for (const auto& [name, text] : headers) {
        names.push_back(name.c_str());
        texts.push_back(text.c_str());
    }
    if (const nvrtcResult made = nvrtc.CreateProgram(program.address(), task.source.c_str(), kSourceFile, static_cast<int>(names.size()),
                                                     texts.data(), names.data());
        made != NVRTC_SUCCESS)
        return makeNvrtcError("nvrtcCreateProgram", made);
    if (setFlowCallback && stop.stop_possible())
        setFlowCallback(program.get(), checkStopRequest, const_cast<std::stop_token*>(&stop));
    const std::vector<std::string> all = allOptions(task);
    std::vector<const char*> pointers;
    for (const std::string& option : all)
        pointers.push_back(option.c_str());
    const bool noCache = takesNoCache;
    if (noCache)
        pointers.push_back(kNoCache);
    const nvrtcResult result = nvrtc.CompileProgram(program.get(), static_cast<int>(pointers.size()), pointers.data());
    if (result != NVRTC_SUCCESS && stop.stop_requested())
        return Error{.code = ErrorCode::interrupted, .message = "Compilation was stopped."};

    CompiledSource compiled;
    compiled.log = asText(fetch(program.get(), nvrtc.GetProgramLogSize, nvrtc.GetProgramLog));
    if (result == NVRTC_ERROR_INVALID_OPTION && noCache && compiled.log.find("no-cache") != std::string::npos) {
        takesNoCache = false;
        return compile(task, stop);
    }
    if (result == NVRTC_SUCCESS) {
        compiled.cubin = fetch(program.get(), nvrtc.GetCUBINSize, nvrtc.GetCUBIN);
        compiled.ptx = asText(fetch(program.get(), nvrtc.GetPTXSize, nvrtc.GetPTX));
        compiled.ok = !compiled.cubin.empty();
    } else if (result != NVRTC_ERROR_COMPILATION && result != NVRTC_ERROR_INVALID_OPTION && compiled.log.empty()) {
        return makeNvrtcError("nvrtcCompileProgram", result);
    } else if (compiled.log.empty()) {
        compiled.log = nvrtc.GetErrorString(result);
    }
    compiled.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return compiled;
}

} // namespace kl::inline live
