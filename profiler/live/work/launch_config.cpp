// SPDX-License-Identifier: MIT
#include "profiler/live/work/launch_config.h"

#include "profiler/live/work/work_errors.h"

#include <fmt/format.h>

namespace kl::inline live {
namespace {

constexpr int kFirstWithClusters = 9;        ///< major compute capability
constexpr std::int64_t kPortableCluster = 8; ///< blocks that every device with clusters takes

unsigned along(const std::vector<std::int64_t>& sizes, std::size_t axis)
{
    return axis < sizes.size() ? static_cast<unsigned>(sizes[axis]) : 1U;
}

} // namespace

LaunchConfig::LaunchConfig(const LaunchSpec& launch, const std::vector<std::int64_t>& grid, std::int64_t dynamicSmem, CUstream stream,
                           bool follows)
{
    config_.gridDimX = along(grid, 0);
    config_.gridDimY = along(grid, 1);
    config_.gridDimZ = along(grid, 2);
    config_.blockDimX = along(launch.block, 0);
    config_.blockDimY = along(launch.block, 1);
    config_.blockDimZ = along(launch.block, 2);
    config_.sharedMemBytes = static_cast<unsigned>(dynamicSmem);
    config_.hStream = stream;
    config_.attrs = attributes_.data();
    if (!launch.cluster.empty()) {
        auto& cluster = add(CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION).clusterDim;
        cluster.x = along(launch.cluster, 0);
        cluster.y = along(launch.cluster, 1);
        cluster.z = along(launch.cluster, 2);
    }
    if (launch.cooperative)
        add(CU_LAUNCH_ATTRIBUTE_COOPERATIVE).cooperative = 1;
    if (launch.programmatic && follows)
        add(CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION).programmaticStreamSerializationAllowed = 1;
}

CUlaunchAttributeValue& LaunchConfig::add(CUlaunchAttributeID id)
{
    CUlaunchAttribute& attribute = attributes_[config_.numAttrs++];
    attribute.id = id;
    return attribute.value;
}

Status prepareShape(CUfunction function, const LaunchSpec& launch, const DeviceInfo& device, LaunchFacts& facts)
{
    if ((!launch.cluster.empty() || launch.programmatic) && device.ccMajor < kFirstWithClusters)
        return deviceLimit(fmt::format("{} is launched {}, which requires compute capability 9.0; {} has {}.", facts.entry,
                                       launch.cluster.empty() ? "programmatically" : "in clusters", device.name, computeCapability(device)),
                           "Choose a variant that does not need this, or a newer GPU.");
    std::int64_t resident = static_cast<std::int64_t>(facts.blocksPerSm) * device.smCount;
    if (!launch.cluster.empty()) {
        facts.clusterBlocks = 1;
        for (const std::int64_t size : launch.cluster)
            facts.clusterBlocks *= size;
        if (facts.clusterBlocks > kPortableCluster)
            KL_TRY(KL_CUDA(FuncSetAttribute, function, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1));
        int clusters = 0;
        const LaunchConfig config(launch, launch.grid, launch.dynamicSmem, nullptr, false);
        KL_TRY(KL_CUDA(OccupancyMaxActiveClusters, &clusters, function, &config.get()));
        if (clusters == 0)
            return deviceLimit(fmt::format("{}: no cluster of {} blocks fits on the device, with {} threads and {} bytes of shared memory "
                                           "per block.",
                                           facts.entry, facts.clusterBlocks, facts.blockThreads, facts.staticSmem + facts.dynamicSmem),
                               "Choose a smaller cluster, or smaller blocks.");
        resident = clusters * facts.clusterBlocks;
        facts.waves = static_cast<double>(facts.gridBlocks) / static_cast<double>(resident);
    }
    if (launch.cooperative && facts.gridBlocks > resident)
        return deviceLimit(fmt::format("{} is cooperative: all of its {} blocks must run at once, but only {} fit on the device.",
                                       facts.entry, facts.gridBlocks, resident),
                           "Use a smaller grid, e.g. with SMS in its formula, and let each block process several parts.");
    return {};
}

} // namespace kl::inline live
