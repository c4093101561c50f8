// SPDX-License-Identifier: MIT
#include "core/device/shared_memory.h"

#include "core/base/try.h"
#include "core/device/warp_memory.h"

#include <fmt/format.h>
#include <limits>

namespace kl::inline device {
namespace {

constexpr std::int64_t kRowStep = 16; // rows of a tensor-core fragment
constexpr std::int64_t kMostBytes = std::int64_t{1} << 40;

/// The limit per block that the October 2025 documents quote.
struct QuotedLimit {
    const char* match; ///< GpuRow::match
    std::int64_t bytes;
    const char* really;
};
constexpr QuotedLimit kQuoted[] = {
    {"L4", kStaticSmemLimit, "is the static limit; with opt-in, a block can have"},
    {"A100", 164 * 1024, "is the total per SM; a block can have"},
    {"A100-SXM4-80GB", 164 * 1024, "is the total per SM; a block can have"},
    {"H100", 228 * 1024, "is the total per SM; a block can have"},
};

Error wrong(const char* field, std::int64_t value, const char* rule)
{
    return {.code = ErrorCode::badInput,
            .message = fmt::format("{} is {}; it must be {}.", field, value, rule),
            .hint = "Give a size in elements, paddings in bytes.",
            .where = field};
}

std::string kib(std::int64_t bytes)
{
    return bytes % 1024 == 0 ? fmt::format("{} KiB", bytes / 1024) : fmt::format("{:.1f} KiB", static_cast<double>(bytes) / 1024);
}

std::string explainQuoted(const QuotedLimit& quoted, std::int64_t limit)
{
    return fmt::format("{} {} {}.", kib(quoted.bytes), quoted.really, kib(limit));
}

std::string describeCorrection(const GpuRow& gpu, std::int64_t bytes, const SmemFit& fit)
{
    for (const QuotedLimit& quoted : kQuoted)
        if (gpu.match == quoted.match && (bytes <= quoted.bytes) != fit.fits)
            return explainQuoted(quoted, fit.limit);
    return {};
}

} // namespace

std::vector<CorrectedLimit> listCorrectedLimits()
{
    std::vector<CorrectedLimit> limits;
    for (const GpuRow& gpu : deviceTable().gpus)
        for (const QuotedLimit& quoted : kQuoted)
            if (gpu.match == quoted.match) {
                const std::int64_t limit = describeDevice(gpu).smemPerBlockOptin;
                limits.push_back({gpu.name, quoted.bytes, limit, explainQuoted(quoted, limit)});
            }
    return limits;
}

Result<SmemNeed> smemNeed(const TilePlan& plan)
{
    const std::pair<const char*, std::int64_t> positive[] = {
        {"tiles", plan.tiles}, {"M", plan.m}, {"K", plan.k}, {"element bytes", plan.elementBytes}};
    for (const auto& [name, value] : positive)
        if (value <= 0)
            return wrong(name, value, "at least 1");
    const std::pair<const char*, std::int64_t> others[] = {
        {"N", plan.n}, {"tile padding", plan.tilePadding}, {"score padding", plan.scorePadding}};
    for (const auto& [name, value] : others)
        if (value < 0)
            return wrong(name, value, "0 or more");
    const double rough =
        static_cast<double>(plan.tiles) * static_cast<double>(plan.m) *
            (static_cast<double>(plan.k) * static_cast<double>(plan.elementBytes) + static_cast<double>(plan.tilePadding)) +
        static_cast<double>(plan.m) * (4.0 * static_cast<double>(plan.n) + static_cast<double>(plan.scorePadding));
    if (rough > static_cast<double>(kMostBytes))
        return Error{.code = ErrorCode::badInput,
                     .message = "The tiles add up to more than a terabyte.",
                     .hint = "Check the sizes: they are per block.",
                     .where = "M"};
    SmemNeed need;
    const std::int64_t row = plan.k * plan.elementBytes + plan.tilePadding;
    need.tiles = plan.tiles * plan.m * row;
    need.scores = plan.n > 0 ? plan.m * (plan.n * 4 + plan.scorePadding) : 0;
    need.total = need.tiles + need.scores;
    if (row % 16 == 0)
        need.ldmatrixWays = phaseConflictWays({row, 0});
    return need;
}

SmemFit smemFit(std::int64_t bytes, std::int64_t limit)
{
    SmemFit fit;
    fit.limit = limit;
    fit.spare = limit - bytes;
    fit.percent = limit > 0 ? 100.0 * static_cast<double>(bytes) / static_cast<double>(limit) : 0;
    fit.fits = bytes <= limit;
    fit.needsOptIn = fit.fits && bytes > kStaticSmemLimit;
    return fit;
}

Result<std::vector<GpuSmemRow>> smemOnEveryGpu(const TilePlan& plan)
{
    KL_ASSIGN(const SmemNeed need, smemNeed(plan));
    TilePlan row = plan;
    row.m = 1;
    const std::int64_t perRow = smemNeed(row)->total;
    std::vector<GpuSmemRow> rows;
    for (const GpuRow& gpu : deviceTable().gpus) {
        const std::optional<SmLimits> limits = smLimits(gpu.ccMajor, gpu.ccMinor);
        if (!limits)
            continue; // a product of a capability that the table lacks; a test rules it out
        GpuSmemRow out;
        out.gpu = gpu.name;
        out.ccMajor = gpu.ccMajor;
        out.ccMinor = gpu.ccMinor;
        out.fit = smemFit(need.total, limits->smemOptin);
        out.perSm = limits->smemPerSm;
        out.blocksPerSm = occupancyTerms(*limits, {1, 0, need.total}).bySharedMemory;
        if (const std::int64_t most = limits->smemOptin / perRow / kRowStep * kRowStep; most > 0)
            out.rows = most;
        out.correction = describeCorrection(gpu, need.total, out.fit);
        rows.push_back(std::move(out));
    }
    return rows;
}

std::string smemSentence(std::int64_t bytes, const SmemFit& fit)
{
    if (!fit.fits)
        return fmt::format("{} of shared memory per block, where the GPU allows {}: {} too much", kib(bytes), kib(fit.limit),
                           kib(-fit.spare));
    return fmt::format("{} of {} per block{}", kib(bytes), kib(fit.limit),
                       fit.needsOptIn ? ", as dynamic shared memory with the opt-in required beyond 48 KiB" : "");
}

} // namespace kl::inline device
