// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/live/baselines/attention_sizes.h"
#include "profiler/live/baselines/open_library.h"

#include <memory>
#include <string>

/// The part of cuBLAS that KernelLoop calls, declared here so that the cuBLAS headers are not needed; names and numbers as in cuBLAS
/// 12 and 13. Calls return 0 on success.
namespace kl::inline live::cublas {

using Handle = struct CublasHandle*;

struct Functions {
    int (*create)(Handle* handle) = nullptr;
    int (*destroy)(Handle handle) = nullptr;
    int (*setStream)(Handle handle, void* stream) = nullptr;
    int (*getVersion)(Handle handle, int* version) = nullptr; ///< 130100 for 13.1.0
    const char* (*statusString)(int status) = nullptr;
    int (*gemmStridedBatched)(Handle handle, int transposeA, int transposeB, int m, int n, int k, const void* alpha, const void* a,
                              int typeA, int lda, long long strideA, const void* b, int typeB, int ldb, long long strideB, const void* beta,
                              void* c, int typeC, int ldc, long long strideC, int batch, int computeType, int algorithm) = nullptr;
};

/// As cudnn::load, of libcublas.so.13 or .12.
Result<const Functions*> load(const LibraryFolders& folders);

/// A cuBLAS handle on the current context that queues on `stream`, and the two products of unfused attention.
class Session {
public:
    static Result<std::unique_ptr<Session>> open(const Functions& functions, void* stream);
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;
    ~Session() { functions_->destroy(handle_); }

    /// "13.1.0".
    std::string version() const;

    /// scores[batch·heads][query][key] = q · k · scale, FP32. Device addresses; tensors as AttentionSizes says.
    Status scores(const AttentionSizes& sizes, const void* q, const void* k, void* scores);

    /// o[batch·heads][query] = Σ over keys of weights[query][key] · v[key]; weights and all else 16 bits wide.
    Status output(const AttentionSizes& sizes, const void* weights, const void* v, void* o);

private:
    Session(const Functions& functions, Handle handle) : functions_(&functions), handle_(handle) {}

    const Functions* functions_;
    Handle handle_;
};

} // namespace kl::inline live::cublas
