// SPDX-License-Identifier: MIT
#include "profiler/live/cuda/device.h"

#include "core/base/try.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace kl::inline live {
namespace {

Status read(CUdevice device, CUdevice_attribute attribute, auto& target)
{
    int value = 0;
    KL_TRY(checkCuda(cuda().DeviceGetAttribute(&value, attribute, device), "cuDeviceGetAttribute"));
    target = static_cast<std::remove_reference_t<decltype(target)>>(value);
    return {};
}

std::string uuidText(const CUuuid& uuid)
{
    std::string text = "GPU-";
    for (int i = 0; i < 16; ++i) {
        if (i == 4 || i == 6 || i == 8 || i == 10)
            text += '-';
        text += fmt::format("{:02x}", static_cast<unsigned char>(uuid.bytes[i]));
    }
    return text;
}

Result<DeviceInfo> describe(int index)
{
    CUdevice device = 0;
    KL_TRY(KL_CUDA(DeviceGet, &device, index));
    DeviceInfo info;
    std::array<char, 256> name{};
    KL_TRY(KL_CUDA(DeviceGetName, name.data(), static_cast<int>(name.size()), device));
    info.name = name.data();
    CUuuid uuid{};
    KL_TRY(KL_CUDA(DeviceGetUuid, &uuid, device));
    info.uuid = uuidText(uuid);
    std::size_t memory = 0;
    KL_TRY(KL_CUDA(DeviceTotalMem, &memory, device));
    info.memoryBytes = static_cast<std::int64_t>(memory);
    KL_TRY(read(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, info.ccMajor));
    KL_TRY(read(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, info.ccMinor));
    KL_TRY(read(device, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, info.smCount));
    KL_TRY(read(device, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, info.l2Bytes));
    KL_TRY(read(device, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, info.smemPerBlockOptin));
    KL_TRY(read(device, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, info.smemPerSm));
    KL_TRY(read(device, CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK, info.smemReservedPerBlock));
    KL_TRY(read(device, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, info.maxThreadsPerSm));
    KL_TRY(read(device, CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR, info.maxBlocksPerSm));
    KL_TRY(read(device, CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR, info.regsPerSm));
    KL_TRY(read(device, CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH, info.memoryBusBits));
    KL_TRY(read(device, CU_DEVICE_ATTRIBUTE_CLOCK_RATE, info.clockMhz));
    KL_TRY(read(device, CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE, info.memoryClockMhz));
    info.clockMhz /= 1000; // the driver reports kHz
    info.memoryClockMhz /= 1000;
    info.cudaDriverVersion = cuda().version;
    return info;
}

Status attribute(CUfunction function, CUfunction_attribute which, auto& target)
{
    int value = 0;
    KL_TRY(checkCuda(cuda().FuncGetAttribute(&value, which, function), "cuFuncGetAttribute"));
    target = static_cast<std::remove_reference_t<decltype(target)>>(value);
    return {};
}

std::int64_t roundUp(std::int64_t value, std::int64_t unit)
{
    return (value + unit - 1) / unit * unit;
}

} // namespace

Result<std::vector<DeviceInfo>> listDevices()
{
    KL_ASSIGN([[maybe_unused]] const Driver* driver, pointerTo(Driver::load()));
    int count = 0;
    KL_TRY(KL_CUDA(DeviceGetCount, &count));
    std::vector<DeviceInfo> devices;
    for (int index = 0; index < count; ++index) {
        KL_ASSIGN(DeviceInfo info, describe(index));
        devices.push_back(std::move(info));
    }
    return devices;
}

std::string occupancyLimiter(const LaunchFacts& facts, const DeviceInfo& device)
{
    const std::int64_t warps = (facts.blockThreads + 31) / 32;
    const std::int64_t perWarp = std::max<std::int64_t>(roundUp(32LL * facts.registers, 256), 256);
    const std::int64_t byRegisters = device.regsPerSm / 4 / perWarp * 4 / std::max<std::int64_t>(warps, 1);
    const std::int64_t shared = facts.staticSmem + facts.dynamicSmem;
    const std::int64_t byShared = device.smemPerSm / std::max<std::int64_t>(roundUp(shared + device.smemReservedPerBlock, 128), 1);
    const std::int64_t byWarps = device.maxThreadsPerSm / 32 / std::max<std::int64_t>(warps, 1);
    const std::int64_t byBlocks = device.maxBlocksPerSm;
    const std::int64_t least = std::min({byRegisters, byShared, byWarps, byBlocks});
    // On a tie, what is not a fault of the kernel is named first: it already fills the SM with warps.
    if (least == byWarps)
        return byWarps * warps * 32 == device.maxThreadsPerSm ? "warps" : "block size";
    if (least == byBlocks)
        return "blocks";
    return least == byRegisters ? "registers" : "shared memory";
}

Status describeLaunch(CUfunction function, const DeviceInfo& device, LaunchFacts& facts)
{
    KL_TRY(attribute(function, CU_FUNC_ATTRIBUTE_NUM_REGS, facts.registers));
    KL_TRY(attribute(function, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, facts.localBytes));
    KL_TRY(attribute(function, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, facts.staticSmem));
    KL_TRY(KL_CUDA(OccupancyMaxActiveBlocksPerMultiprocessor, &facts.blocksPerSm, function, facts.blockThreads,
                   static_cast<std::size_t>(facts.dynamicSmem)));
    const int warps = (facts.blockThreads + 31) / 32;
    if (device.maxThreadsPerSm > 0)
        facts.theoreticalOccupancy = 100.0 * facts.blocksPerSm * warps * 32 / device.maxThreadsPerSm;
    facts.occupancyLimiter = occupancyLimiter(facts, device);
    if (facts.blocksPerSm > 0 && device.smCount > 0)
        facts.waves = static_cast<double>(facts.gridBlocks) / (static_cast<double>(facts.blocksPerSm) * device.smCount);
    return {};
}

} // namespace kl::inline live
