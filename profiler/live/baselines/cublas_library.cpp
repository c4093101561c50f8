// SPDX-License-Identifier: MIT
#include "profiler/live/baselines/cublas_library.h"

#include "core/base/try.h"

#include <array>
#include <fmt/format.h>

namespace kl::inline live::cublas {
namespace {

// cublasOperation_t, cudaDataType_t, cublasComputeType_t, cublasGemmAlgo_t
constexpr int kPlain = 0;
constexpr int kTransposed = 1;
constexpr int kFloat = 0;
constexpr int kHalf = 2;
constexpr int kBfloat16 = 14;
constexpr int kComputeFloat = 68;
constexpr int kDefaultAlgorithm = -1;

const OptionalLibrary& library()
{
    static const OptionalLibrary wanted{"cuBLAS",
                                        {"libcublas.so.13", "libcublas.so.12"},
                                        "cublas",
                                        "Install it for the python3 in use (pip install nvidia-cublas), or the CUDA toolkit."};
    return wanted;
}

Status bindAll(FunctionBinder& bind, Functions& functions)
{
    bind(functions.create, "cublasCreate_v2");
    bind(functions.destroy, "cublasDestroy_v2");
    bind(functions.setStream, "cublasSetStream_v2");
    bind(functions.getVersion, "cublasGetVersion_v2");
    bind(functions.statusString, "cublasGetStatusString");
    bind(functions.gemmStridedBatched, "cublasGemmStridedBatchedEx");
    return bind.complete(library());
}

Status check(const Functions& functions, const char* call, int status)
{
    if (status == 0)
        return {};
    const char* words = functions.statusString(status);
    return Error{.code = ErrorCode::environment,
                 .message = fmt::format("cuBLAS refused {}: {}.", call, words != nullptr ? words : fmt::format("status {}", status)),
                 .where = "cuBLAS"};
}

} // namespace

Result<const Functions*> load(const LibraryFolders& folders)
{
    return loadOnce<Functions>(library(), folders, bindAll);
}

Result<std::unique_ptr<Session>> Session::open(const Functions& functions, void* stream)
{
    Handle handle = nullptr;
    KL_TRY(check(functions, "to start", functions.create(&handle)));
    std::unique_ptr<Session> session(new Session(functions, handle));
    KL_TRY(check(functions, "our stream", functions.setStream(handle, stream)));
    return session;
}

std::string Session::version() const
{
    int number = 0;
    if (functions_->getVersion(handle_, &number) != 0)
        return {};
    return fmt::format("{}.{}.{}", number / 10000, number % 10000 / 100, number % 100);
}

// cuBLAS counts in columns: a row-major matrix is its transpose there, so each product is written the other way round.

Status Session::scores(const AttentionSizes& s, const void* q, const void* k, void* scores)
{
    const int type = s.bf16 ? kBfloat16 : kHalf;
    const auto [queries, keys, dim] = std::array{static_cast<int>(s.queries), static_cast<int>(s.keys), static_cast<int>(s.dim)};
    const float alpha = s.scale();
    const float beta = 0;
    return check(*functions_, "the product of Q and K",
                 functions_->gemmStridedBatched(handle_, kTransposed, kPlain, keys, queries, dim, &alpha, k, type, dim, s.keys * s.dim, q,
                                                type, dim, s.queries * s.dim, &beta, scores, kFloat, keys, s.queries * s.keys,
                                                static_cast<int>(s.batch * s.heads), kComputeFloat, kDefaultAlgorithm));
}

Status Session::output(const AttentionSizes& s, const void* weights, const void* v, void* o)
{
    const int type = s.bf16 ? kBfloat16 : kHalf;
    const auto [queries, keys, dim] = std::array{static_cast<int>(s.queries), static_cast<int>(s.keys), static_cast<int>(s.dim)};
    const float alpha = 1;
    const float beta = 0;
    return check(*functions_, "the product of weights and V",
                 functions_->gemmStridedBatched(handle_, kPlain, kPlain, dim, queries, keys, &alpha, v, type, dim, s.keys * s.dim, weights,
                                                type, keys, s.queries * s.keys, &beta, o, type, dim, s.queries * s.dim,
                                                static_cast<int>(s.batch * s.heads), kComputeFloat, kDefaultAlgorithm));
}

} // namespace kl::inline live::cublas
