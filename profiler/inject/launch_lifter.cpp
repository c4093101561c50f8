// SPDX-License-Identifier: MIT
#include "profiler/inject/launch_lifter.h"

#include "core/base/format.h"
#include "core/base/try.h"
#include "core/sass/cubin.h"
#include "core/sass/image_variables.h"
#include "core/sass/texture_use.h"
#include "profiler/inject/argument_memory.h"
#include "profiler/inject/changed_ranges.h"
#include "profiler/live/cuda/device.h"
#include "profiler/live/nvml/nvml.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace kl::inject {
namespace {

Error makeRefusal(std::string why)
{
    return {.code = ErrorCode::environment, .message = std::move(why)};
}

/// Functions of the device runtime, which a kernel that launches others is linked with.
constexpr const char* kDeviceLaunch = "cudaCDP2LaunchDevice";

} // namespace

Status LaunchLifter::save(const std::string& name, std::string_view bytes) const
{
    const std::string file = request_.folder + '/' + name;
    const int fd = ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    std::size_t done = 0;
    while (fd >= 0 && done < bytes.size()) {
        const ssize_t written = ::write(fd, bytes.data() + done, bytes.size() - done);
        if (written < 0 && errno != EINTR)
            break;
        done += written > 0 ? static_cast<std::size_t>(written) : 0;
    }
    const int failure = errno;
    if (fd >= 0)
        ::close(fd);
    if (fd < 0 || done < bytes.size())
        return makeRefusal(fmt::format("{} cannot be written: {}.", file, std::strerror(failure)));
    return {};
}

void LaunchLifter::finish(const Status& done)
{
    if (!done)
        lift_.refusal = done.error().message;
    lift_.notes.assign(reached_.notes().begin(), reached_.notes().end());
    (void)save(kLiftFile, encodeLift(lift_)); // a missing file is reported by kloop
    open_ = false;
    before_ = {};
}

void LaunchLifter::begin(const std::string& kernel, int launch, const LaunchParams& params, const std::vector<std::string>& command)
{
    if (::mkdir(request_.folder.c_str(), 0700) != 0)
        return; // another process of the program has lifted its launch
    lift_.kernel = kernel;
    lift_.launch = launch;
    lift_.command = command;
    lift_.at = isoNow();
    std::array<char, 256> host{};
    if (::gethostname(host.data(), host.size() - 1) == 0)
        lift_.host = host.data();
    const Status started = start(params);
    open_ = started && !lift_.tooLarge;
    if (!open_)
        finish(started);
}

Status LaunchLifter::start(const LaunchParams& params)
{
    KL_TRY(checkCuda(cuda().CtxSynchronize(), "cuCtxSynchronize"));
    const CUfunction function = resolveFunction(params.function);
    KL_TRY(describe(params));
    const std::string arguments = argumentBytes(params, function, lift_.parameters);
    if (arguments.empty() && (params.arguments || params.packed))
        return makeRefusal("The driver does not describe the kernel's parameters; NVIDIA driver 550 or newer does.");
    lift_.arguments = "arguments";
    KL_TRY(save(lift_.arguments, arguments));
    KL_TRY(takeImage(function));
    return takeMemory(arguments);
}

Status LaunchLifter::describe(const LaunchParams& params)
{
    lift_.grid = params.grid;
    lift_.block = params.block;
    lift_.cluster = params.cluster;
    lift_.cooperative = params.cooperative;
    lift_.dynamicSmem = params.dynamicSmem;
    constexpr std::array kAttributes{std::pair{"registers", CU_FUNC_ATTRIBUTE_NUM_REGS},
                                     std::pair{"static_smem", CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES},
                                     std::pair{"max_dynamic_smem", CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES},
                                     std::pair{"local_bytes", CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES},
                                     std::pair{"carveout", CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT}};
    for (const auto& [name, attribute] : kAttributes)
        if (int value = 0; cuda().FuncGetAttribute(&value, attribute, resolveFunction(params.function)) == CUDA_SUCCESS)
            lift_.attributes[name] = value;
    CUdevice device = 0;
    KL_TRY(checkCuda(cuda().CtxGetDevice(&device), "cuCtxGetDevice"));
    KL_ASSIGN(const std::vector<DeviceInfo> devices, listDevices());
    if (device < 0 || static_cast<std::size_t>(device) >= devices.size())
        return makeRefusal("The launch's device is not known.");
    const DeviceInfo& gpu = devices[static_cast<std::size_t>(device)];
    lift_.gpu = gpu.name;
    lift_.computeCapability = 10 * gpu.ccMajor + gpu.ccMinor;
    if (const Result<std::string> driver = nvmlDriverVersion())
        lift_.driver = *driver;
    return {};
}

/// The machine code, and the variables that the program has set.
Status LaunchLifter::takeImage(CUfunction function)
{
    const std::string_view image = images_.findHolding(lift_.kernel);
    const std::optional<CubinFunction> code = findFunction(image, lift_.kernel);
    if (!code)
        return makeRefusal("The machine code of the kernel was not seen when it was loaded.");
    if (usesTextures(code->code))
        return makeRefusal("The kernel reads textures or surfaces, whose descriptions only the program's driver has.");
    if (hasSymbol(image, kDeviceLaunch))
        return makeRefusal(
            "The kernel's module launches kernels from the device (CUDA dynamic parallelism), which a single kernel cannot.");
    lift_.image = "kernel.cubin";
    KL_TRY(save(lift_.image, image));
    return takeVariables(image, findModule(function));
}

Status LaunchLifter::takeVariables(std::string_view image, CUmodule module)
{
    for (const ImageVariable& variable : imageVariables(image)) {
        CUdeviceptr data = 0;
        std::size_t bytes = 0;
        if (!module || cuda().ModuleGetGlobal(&data, &bytes, module, variable.name.c_str()) != CUDA_SUCCESS || bytes != variable.bytes)
            continue; // no code refers to it
        std::string now(bytes, '\0');
        if (!checkCuda(cuda().MemcpyDtoH(now.data(), data, bytes), "cuMemcpyDtoH"))
            continue;
        const bool initial =
            variable.place ? image.substr(*variable.place, bytes) == now : now.find_first_not_of('\0') == std::string::npos;
        if (initial)
            continue;
        lift_.variables.push_back({variable.name, fmt::format("variable{}", lift_.variables.size())});
        KL_TRY(save(lift_.variables.back().file, now));
    }
    return {};
}

Status LaunchLifter::takeMemory(const std::string& arguments)
{
    KL_TRY(reached_.addArguments(arguments));
    KL_TRY(reached_.addBehind());
    reached_.addAll(allocations_);
    lift_.bytes = reached_.bytes();
    for (const auto& [address, memory] : reached_.allocations())
        lift_.memory.push_back(memory);
    lift_.tooLarge = lift_.bytes > static_cast<std::uint64_t>(request_.maxBytes);
    return lift_.tooLarge ? Status() : copyBefore();
}

Status LaunchLifter::copyBefore()
{
    for (std::size_t i = 0; i < lift_.memory.size(); ++i) {
        LiftedMemory& memory = lift_.memory[i];
        std::string content(memory.bytes, '\0');
        KL_TRY(checkCuda(cuda().MemcpyDtoH(content.data(), memory.address, content.size()), "cuMemcpyDtoH"));
        memory.before = fmt::format("{}.before", i);
        KL_TRY(save(memory.before, content));
        before_.push_back(std::move(content));
    }
    return {};
}

/// The changed parts, one after another.
Status LaunchLifter::copyAfter()
{
    KL_TRY(checkCuda(cuda().CtxSynchronize(), "cuCtxSynchronize"));
    for (std::size_t i = 0; i < lift_.memory.size(); ++i) {
        LiftedMemory& memory = lift_.memory[i];
        std::string content(memory.bytes, '\0');
        KL_TRY(checkCuda(cuda().MemcpyDtoH(content.data(), memory.address, content.size()), "cuMemcpyDtoH"));
        memory.changed = findChangedRanges(before_[i], content);
        std::string parts;
        for (const LiftedRange& range : memory.changed)
            parts.append(content, range.offset, range.bytes);
        if (memory.changed.empty())
            continue;
        memory.after = fmt::format("{}.after", i);
        KL_TRY(save(memory.after, parts));
    }
    return {};
}

void LaunchLifter::end()
{
    if (open_)
        finish(copyAfter());
}

} // namespace kl::inject
