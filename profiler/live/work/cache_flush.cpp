// SPDX-License-Identifier: MIT
#include "profiler/live/work/cache_flush.h"

#include "core/base/try.h"
#include "profiler/live/nvrtc/compile_cache.h"

#include <algorithm>
#include <array>

namespace kl::inline live {
namespace {

constexpr const char* kName = "kl_read_all";
constexpr const char* kSource = R"(
extern "C" __global__ void kl_read_all(const uint4* data, unsigned long long count, unsigned sweeps, unsigned* sink)
{
    const unsigned long long step = (unsigned long long)gridDim.x * blockDim.x;
    unsigned seen = 0;
    for (unsigned sweep = 0; sweep < sweeps; ++sweep)
        for (unsigned long long i = (unsigned long long)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += step) {
            const uint4 word = __ldcg(data + i);
            seen |= word.x | word.y | word.z | word.w;
        }
    if (seen) // the buffer is zero: the loads stay, and nothing is written
        *sink = seen;
}
)";
constexpr unsigned kThreads = 512;
constexpr unsigned kSweeps = 2;
constexpr std::uint64_t kTimesL2 = 4;
constexpr std::int64_t kSmallestL2 = 8 << 20; // if the driver does not report it

} // namespace

Result<std::unique_ptr<CacheFlush>> CacheFlush::make(const DeviceInfo& device)
{
    KL_ASSIGN(auto* compiler, CompileCache::shared());
    KL_ASSIGN(const CompileCache::Compiled made, compiler->compile({kSource, {}, formatArch(device)}));
    const CompileCache::Compiled& code = made;
    if (!code->ok)
        return Error{.code = ErrorCode::internal, .message = "The worker's own flush kernel does not compile.", .detail = code->log};
    std::unique_ptr<CacheFlush> flush(new CacheFlush);
    flush->code_ = code->cubin;
    KL_ASSIGN(Module module, loadModule(flush->code_.data()));
    flush->module_ = std::move(module);
    KL_TRY(KL_CUDA(ModuleGetFunction, &flush->read_, flush->module_.get(), kName));
    flush->bytes_ = kTimesL2 * static_cast<std::uint64_t>(std::max(device.l2Bytes, kSmallestL2));
    KL_ASSIGN(DeviceMemory memory, allocate(flush->bytes_ + sizeof(std::uint32_t)));
    flush->memory_ = std::move(memory);
    flush->blocks_ = static_cast<unsigned>(std::max(device.smCount, 1) * 4);
    KL_TRY(KL_CUDA(MemsetD8Async, flush->memory_.get(), 0, flush->bytes_ + sizeof(std::uint32_t), nullptr));
    KL_TRY(KL_CUDA(StreamSynchronize, nullptr));
    return flush;
}

Status CacheFlush::issue(CUstream stream)
{
    if (const Result<Module> code = loadModule(code_.data()); !code)
        return code.error();
    CUdeviceptr data = memory_.get();
    CUdeviceptr sink = data + bytes_;
    std::uint64_t count = bytes_ / 16;
    unsigned sweeps = kSweeps;
    std::array<void*, 4> arguments{&data, &count, &sweeps, &sink};
    return checkCuda(cuda().LaunchKernel(read_, blocks_, 1, 1, kThreads, 1, 1, 0, stream, arguments.data(), nullptr),
                     "cuLaunchKernel(kl_read_all)");
}

} // namespace kl::inline live
