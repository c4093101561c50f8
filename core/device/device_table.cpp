// SPDX-License-Identifier: MIT
#include "core/device/device_table.h"

#include "core/base/resource.h"
#include "core/base/try.h"
#include "core/codec/json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl::inline device {
namespace {

constexpr double kKb = 1024;

CapabilityRow capability(const Json& row)
{
    CapabilityRow out;
    SmLimits& limits = out.limits;
    limits.ccMajor = row.at("cc").at(0).get<int>();
    limits.ccMinor = row.at("cc").at(1).get<int>();
    limits.smemPerSm = static_cast<std::int64_t>(row.at("smem_sm_kb").get<double>() * kKb);
    limits.smemOptin = static_cast<std::int64_t>(row.at("smem_optin_kb").get<double>() * kKb);
    limits.smemReserved = row.at("smem_reserved").get<std::int64_t>();
    limits.smemGranularity = row.at("smem_granularity").get<std::int64_t>();
    limits.maxWarps = row.at("warps").get<int>();
    limits.maxBlocks = row.at("blocks").get<int>();
    out.fp32Lanes = row.at("fp32_lanes").get<int>();
    out.fp64Lanes = row.at("fp64_lanes").get<int>();
    out.tensorFp16FlopsPerClock = row.at("tensor_fp16_flops_per_clock").get<int>();
    out.l1BytesPerClock = row.at("l1_bytes_per_clock").get<int>();
    return out;
}

/// A figure in tera-units; unset where the row has none.
std::optional<double> tera(const Json& row, const char* name)
{
    const auto found = row.find(name);
    return found == row.end() ? std::nullopt : std::optional(found->get<double>() * 1e12);
}

GpuRow gpu(const Json& row)
{
    GpuRow out;
    out.name = row.at("name").get<std::string>();
    out.match = row.at("match").get<std::string>();
    out.ccMajor = row.at("cc").at(0).get<int>();
    out.ccMinor = row.at("cc").at(1).get<int>();
    out.smCount = row.at("sms").get<int>();
    out.clockMhz = row.at("clock_mhz").get<double>();
    out.dramBytesPerSecond = row.at("dram_tb_s").get<double>() * 1e12;
    out.l2 = tera(row, "l2_tb_s");
    out.tensorFp16 = tera(row, "tensor_fp16_tflops");
    if (const auto found = row.find("measured"); found != row.end()) {
        out.measured = MeasuredRoofs{found->at("clock_mhz").get<double>(), {}};
        out.measured->rates = {tera(*found, "dram_tb_s"),   tera(*found, "l2_tb_s"),     tera(*found, "l1_tb_s"),
                               tera(*found, "fp32_tflops"), tera(*found, "fp64_tflops"), tera(*found, "tensor_fp16_tflops")};
    }
    out.l2Bytes = static_cast<std::int64_t>(row.at("l2_mb").get<double>() * kKb * kKb);
    out.memoryBytes = static_cast<std::int64_t>(row.at("memory_gb").get<double>() * kKb * kKb * kKb);
    return out;
}

template <class Row, class Read>
Status readRows(const Json& json, const char* list, std::vector<Row>& rows, Read read, std::string_view where)
{
    std::size_t at = 0;
    try {
        for (const Json& row : json.at(list)) {
            rows.push_back(read(row));
            ++at;
        }
    } catch (const std::exception& problem) {
        return Error{.code = ErrorCode::badInput,
                     .message = fmt::format("{}: {}[{}]: {}.", where, list, at, problem.what()),
                     .hint = "Fix that row.",
                     .where = fmt::format("{}[{}]", list, at)};
    }
    return {};
}

} // namespace

Result<DeviceTable> parseDeviceTable(std::string_view text, std::string_view where)
{
    KL_ASSIGN(const auto json, parseJson(text, where));
    DeviceTable table;
    KL_TRY(readRows(json, "capabilities", table.capabilities, capability, where));
    KL_TRY(readRows(json, "gpus", table.gpus, gpu, where));
    return table;
}

const DeviceTable& deviceTable()
{
    static const DeviceTable table = [] {
        const auto text = resource("resources/devices.json");
        auto parsed = text ? parseDeviceTable(*text, "resources/devices.json") : Result<DeviceTable>(text.error());
        return parsed ? std::move(*parsed) : DeviceTable{};
    }();
    return table;
}

const GpuRow* findGpu(std::string_view deviceName)
{
    const GpuRow* best = nullptr;
    for (const GpuRow& row : deviceTable().gpus)
        if (deviceName.find(row.match) != std::string_view::npos && (!best || row.match.size() > best->match.size()))
            best = &row;
    return best;
}

DeviceInfo describeDevice(const GpuRow& row)
{
    DeviceInfo device;
    device.name = row.name;
    device.ccMajor = row.ccMajor;
    device.ccMinor = row.ccMinor;
    device.smCount = row.smCount;
    device.clockMhz = row.clockMhz;
    device.l2Bytes = row.l2Bytes;
    device.memoryBytes = row.memoryBytes;
    if (const auto limits = smLimits(row.ccMajor, row.ccMinor)) {
        device.smemPerBlockOptin = limits->smemOptin;
        device.smemPerSm = limits->smemPerSm;
        device.smemReservedPerBlock = limits->smemReserved;
        device.maxThreadsPerSm = limits->maxWarps * 32;
        device.maxBlocksPerSm = limits->maxBlocks;
        device.regsPerSm = limits->registers;
    }
    return device;
}

} // namespace kl::inline device
