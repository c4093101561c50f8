// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "core/device/device_table.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// Shared memory of a block, computed before anything compiles: used by the calculator and by the gate.
namespace kl::inline device {

/// What a block may have without opting in, and the most that static declarations may take, on every GPU: 48 KiB.
inline constexpr std::int64_t kStaticSmemLimit = 48 * 1024;

/// Shared memory of one block: `tiles` tiles of M rows and K columns, and, with N > 0, scores of M × N floats. Bytes:
/// tiles × M × (K × elementBytes + tilePadding) + M × (N × 4 + scorePadding).
struct TilePlan {
    std::int64_t tiles = 3; ///< Q, K and V of attention
    std::int64_t m = 64;
    std::int64_t k = 64;
    std::int64_t n = 0; ///< columns of the scores; 0: none are kept
    std::int64_t elementBytes = 2;
    std::int64_t tilePadding = 0;  ///< bytes after each row of a tile
    std::int64_t scorePadding = 0; ///< bytes after each row of the scores
};

struct SmemNeed {
    std::int64_t tiles = 0;  ///< bytes
    std::int64_t scores = 0; ///< bytes
    std::int64_t total = 0;  ///< bytes
    /// Ways of the bank conflict when eight rows of a tile are read 16 bytes each (a phase of ldmatrix): 1 is free. Unset when
    /// the rows are not a multiple of 16 bytes, which such reads need.
    std::optional<int> ldmatrixWays;
};

/// Error badInput, naming the field, for sizes that are not positive (n, paddings: negative) or whose product leaves 64 bits.
Result<SmemNeed> smemNeed(const TilePlan& plan);

/// A shared memory size compared with a block's limit.
struct SmemFit {
    std::int64_t limit = 0; ///< bytes that a block may have after opting in
    std::int64_t spare = 0; ///< limit − bytes; negative: lacking
    double percent = 0;     ///< of the limit
    bool fits = false;
    bool needsOptIn = false; ///< fits, but only as dynamic shared memory with cudaFuncAttributeMaxDynamicSharedMemorySize
};
SmemFit smemFit(std::int64_t bytes, std::int64_t limit);

/// The need against one product.
struct GpuSmemRow {
    std::string gpu;
    int ccMajor = 0;
    int ccMinor = 0;
    SmemFit fit;
    std::int64_t perSm = 0;           ///< bytes
    int blocksPerSm = 0;              ///< as far as shared memory alone allows
    std::optional<std::int64_t> rows; ///< the largest M that fits, a multiple of 16; unset when not even 16 do
    std::string correction;           ///< set if the limit of the October 2025 documents would have given a different answer
};

/// Every product of the device table, in its order.
Result<std::vector<GpuSmemRow>> smemOnEveryGpu(const TilePlan& plan);

/// A limit of the October 2025 documents that does not hold.
struct CorrectedLimit {
    std::string gpu;
    std::int64_t quoted = 0; ///< bytes per block, as the documents have it
    std::int64_t limit = 0;  ///< bytes that a block may have after opting in
    std::string why;         ///< what the documents' figure is
};

/// Every one, in the order of the device table.
std::vector<CorrectedLimit> listCorrectedLimits();

/// "64 KiB of 99 KiB per block, as dynamic shared memory …": the verdict as a sentence.
std::string smemSentence(std::int64_t bytes, const SmemFit& fit);

} // namespace kl::inline device
