// SPDX-License-Identifier: MIT
#include "core/base/try.h"
#include "profiler/live/baselines/cublas_library.h"
#include "profiler/live/nvrtc/compile_cache.h"
#include "profiler/live/work/attention_tensors.h"

#include <array>

namespace kl::inline live {
namespace {

constexpr const char* kSoftmaxEntry = "kl_softmax_rows";

/// One block a row: largest score and sum of powers in one pass (each thread its own, then merged), weights in a second one.
constexpr const char* kSoftmaxSource = R"(
__device__ unsigned short narrow(float x)
{
    unsigned short bits;
#if BF16
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(bits) : "f"(x));
#else
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(x));
#endif
    return bits;
}

__device__ void merge(float& largest, float& sum, float otherLargest, float otherSum)
{
    const float both = fmaxf(largest, otherLargest);
    sum = (largest == both ? sum : sum * __expf(largest - both)) + (otherLargest == both ? otherSum : otherSum * __expf(otherLargest - both));
    largest = both;
}

extern "C" __global__ void kl_softmax_rows(const float* scores, unsigned short* weights, int queries, int keys, int causal)
{
    __shared__ float largests[8], sums[8];
    const long long row = blockIdx.x;
    const int visible = causal ? min((int)(row % queries) + 1, keys) : keys;
    scores += row * keys;
    weights += row * keys;
    float largest = -3e38f, sum = 0;
    for (int i = threadIdx.x; i < visible; i += blockDim.x)
        merge(largest, sum, scores[i], 1);
    for (int lane = 16; lane > 0; lane /= 2)
        merge(largest, sum, __shfl_xor_sync(~0u, largest, lane), __shfl_xor_sync(~0u, sum, lane));
    if (threadIdx.x % 32 == 0) {
        largests[threadIdx.x / 32] = largest;
        sums[threadIdx.x / 32] = sum;
    }
    __syncthreads();
    largest = largests[0];
    sum = sums[0];
    for (int warp = 1; warp < blockDim.x / 32; ++warp)
        merge(largest, sum, largests[warp], sums[warp]);
    for (int i = threadIdx.x; i < keys; i += blockDim.x)
        weights[i] = narrow(i < visible ? __expf(scores[i] - largest) / sum : 0);
}
)";
constexpr unsigned kSoftmaxThreads = 256;

class CublasBaseline final : public StreamBaseline {
public:
    CublasBaseline(const AttentionSizes& sizes, AttentionTensors tensors, std::unique_ptr<cublas::Session> session, CUstream stream)
        : sizes_(sizes), tensors_(std::move(tensors)), session_(std::move(session)), stream_(stream)
    {
    }

    Status prepare(const std::string& arch)
    {
        const std::size_t count = static_cast<std::size_t>(sizes_.batch * sizes_.heads * sizes_.queries * sizes_.keys);
        Result<DeviceMemory> scores = allocate(4 * count);
        KL_ASSIGN(DeviceMemory weights, scores ? allocate(2 * count) : Result<DeviceMemory>(scores.error()));
        scores_ = std::move(*scores);
        weights_ = std::move(weights);
        KL_ASSIGN(auto* compiler, CompileCache::shared());
        KL_ASSIGN(const CompileCache::Compiled made,
                  compiler->compile({kSoftmaxSource, {sizes_.bf16 ? "-DBF16=1" : "-DBF16=0"}, arch, {}}));
        if (!made->ok)
            return Error{
                .code = ErrorCode::internal, .message = "The softmax between cuBLAS's products does not compile.", .detail = made->log};
        KL_ASSIGN(Module module, loadModule(made->cubin.data()));
        module_ = std::move(module);
        return KL_CUDA(ModuleGetFunction, &softmax_, module_.get(), kSoftmaxEntry);
    }

    Status issue() override
    {
        KL_TRY(session_->scores(sizes_, tensors_.q(), tensors_.k(), AttentionTensors::address(scores_)));
        KL_TRY(softmax());
        return session_->output(sizes_, AttentionTensors::address(weights_), tensors_.v(), tensors_.o());
    }

    std::string version() const override { return "cuBLAS " + session_->version(); }
    Result<std::optional<std::vector<std::byte>>> output() override { return tensors_.output(); }

private:
    Status softmax()
    {
        CUdeviceptr scores = scores_.get();
        CUdeviceptr weights = weights_.get();
        int queries = static_cast<int>(sizes_.queries);
        int keys = static_cast<int>(sizes_.keys);
        int causal = sizes_.causal ? 1 : 0;
        std::array<void*, 5> arguments{&scores, &weights, &queries, &keys, &causal};
        const auto rows = static_cast<unsigned>(sizes_.batch * sizes_.heads * sizes_.queries);
        return checkCuda(cuda().LaunchKernel(softmax_, rows, 1, 1, kSoftmaxThreads, 1, 1, 0, stream_, arguments.data(), nullptr),
                         "cuLaunchKernel(kl_softmax_rows)");
    }

    AttentionSizes sizes_;
    AttentionTensors tensors_;
    std::unique_ptr<cublas::Session> session_;
    CUstream stream_;
    DeviceMemory scores_;
    DeviceMemory weights_;
    Module module_;
    CUfunction softmax_ = nullptr;
};

} // namespace

Result<std::unique_ptr<StreamBaseline>> makeCublasBaseline(const BaselineSpec& spec, const StreamPlace& place)
{
    KL_ASSIGN(const AttentionSizes sizes, attentionSizes(spec.params));
    KL_ASSIGN(const cublas::Functions* functions, cublas::load(place.libraryFolders));
    KL_ASSIGN(std::unique_ptr<cublas::Session> session, cublas::Session::open(*functions, place.stream));
    KL_ASSIGN(AttentionTensors tensors, AttentionTensors::make(sizes, place));
    auto baseline = std::make_unique<CublasBaseline>(sizes, std::move(tensors), std::move(session), place.stream);
    KL_TRY(baseline->prepare(place.arch));
    return std::unique_ptr<StreamBaseline>(std::move(baseline));
}

} // namespace kl::inline live
