// SPDX-License-Identifier: MIT
#include "profiler/live/cupti/sass_counts.h"

#include "core/base/try.h"
#include "profiler/live/cupti/cupti_api.h"

#include <map>
#include <utility>

namespace kl::inline live {
namespace {

class CuptiSassCounter final : public SassCounter {
public:
    CuptiSassCounter(const CuptiApi& api, int deviceIndex) : api_(api), device_(static_cast<std::uint32_t>(deviceIndex)) {}

    ~CuptiSassCounter() override
    {
        (void)disable();
        if (configured_) {
            KL_CUPTI_PARAMS(CUpti_SassMetricsUnsetConfig_Params, params);
            params.deviceIndex = device_;
            (void)api_.SassMetricsUnsetConfig(&params);
        }
    }

    Status open(const std::string& chip, bool accesses)
    {
        Configs metrics;
        KL_TRY(add("smsp__sass_inst_executed", &SassCount::warps, chip, metrics));
        KL_TRY(add("smsp__sass_thread_inst_executed", &SassCount::threads, chip, metrics));
        (void)add("smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared", &SassCount::sharedWavefronts, chip, metrics); // not on every chip
        Configs more = metrics;
        if (accesses)
            addAccesses(chip, more);
        if (more.size() > metrics.size() && configure(more))
            return {};
        return configure(metrics);
    }

    Status start(CUcontext context) override
    {
        KL_CUPTI_PARAMS(CUpti_SassMetricsEnable_Params, enable);
        enable.ctx = context;
        enable.enableLazyPatching = 1; // only the kernels that are launched
        KL_TRY(checkCupti(api_.SassMetricsEnable(&enable), "cuptiSassMetricsEnable"));
        context_ = context;
        return {};
    }

    Result<std::vector<SassCount>> stop() override
    {
        Result<std::vector<SassCount>> counts = read();
        if (Status status = disable(); !status && counts)
            return status.error();
        return counts;
    }

private:
    using Member = std::int64_t SassCount::*;
    using OptionalMember = std::optional<std::int64_t> SassCount::*;
    using Configs = std::vector<CUpti_SassMetrics_Config>;

    /// CUPTI 13.0 knows these of every chip from TU102 on.
    void addAccesses(const std::string& chip, Configs& metrics)
    {
        addOptional("smsp__sass_sectors_mem_global", &SassCount::sectors, chip, metrics);
        addOptional("smsp__sass_sectors_mem_global_ideal", &SassCount::idealSectors, chip, metrics);
        addOptional("smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared_ideal", &SassCount::idealWavefronts, chip, metrics);
    }

    Status configure(Configs& metrics)
    {
        KL_CUPTI_PARAMS(CUpti_SassMetricsSetConfig_Params, config);
        config.numOfMetricConfig = metrics.size();
        config.pConfigs = metrics.data();
        config.deviceIndex = device_;
        KL_TRY(checkCupti(api_.SassMetricsSetConfig(&config), "cuptiSassMetricsSetConfig"));
        configured_ = true;
        return {};
    }

    Status disable()
    {
        if (!context_)
            return {};
        KL_CUPTI_PARAMS(CUpti_SassMetricsDisable_Params, params);
        params.ctx = std::exchange(context_, nullptr);
        return checkCupti(api_.SassMetricsDisable(&params), "cuptiSassMetricsDisable");
    }

    Result<std::vector<SassCount>> read()
    {
        KL_CUPTI_PARAMS(CUpti_SassMetricsGetDataProperties_Params, size);
        size.ctx = context_;
        KL_TRY(checkCupti(api_.SassMetricsGetDataProperties(&size), "cuptiSassMetricsGetDataProperties"));
        const std::size_t rows = size.numOfPatchedInstructionRecords;
        const std::size_t values = size.numOfInstances;
        if (rows == 0 || values == 0)
            return std::vector<SassCount>{};
        std::vector<CUpti_SassMetrics_Data> data(rows);
        std::vector<CUpti_SassMetrics_InstanceValue> instances(rows * values);
        for (std::size_t i = 0; i < rows; ++i) {
            data[i].structSize = sizeof(CUpti_SassMetrics_Data);
            data[i].pInstanceValues = &instances[i * values];
        }
        KL_CUPTI_PARAMS(CUpti_SassMetricsFlushData_Params, flush);
        flush.ctx = context_;
        flush.numOfPatchedInstructionRecords = rows;
        flush.numOfInstances = values;
        flush.pMetricsData = data.data();
        KL_TRY(checkCupti(api_.SassMetricsFlushData(&flush), "cuptiSassMetricsFlushData"));
        return makeSassCounts(data, values);
    }

    /// Its id.
    Result<std::uint64_t> addMetric(const char* name, const std::string& chip, Configs& metrics)
    {
        KL_CUPTI_PARAMS(CUpti_SassMetrics_GetProperties_Params, params);
        params.pChipName = chip.c_str();
        params.pMetricName = name;
        KL_TRY(checkCupti(api_.SassMetricsGetProperties(&params), "cuptiSassMetricsGetProperties"));
        metrics.push_back({params.metric.metricId, CUPTI_SASS_METRICS_OUTPUT_GRANULARITY_GPU});
        return params.metric.metricId;
    }

    Status add(const char* name, Member member, const std::string& chip, Configs& metrics)
    {
        KL_ASSIGN(const std::uint64_t id, addMetric(name, chip, metrics));
        members_[id] = member;
        return {};
    }

    void addOptional(const char* name, OptionalMember member, const std::string& chip, Configs& metrics)
    {
        if (const Result<std::uint64_t> id = addMetric(name, chip, metrics))
            optionalMembers_[*id] = member;
    }

    // CUPTI gives a row for each instruction and metric.
    std::vector<SassCount> makeSassCounts(const std::vector<CUpti_SassMetrics_Data>& data, std::size_t values) const
    {
        std::vector<SassCount> counts;
        for (const CUpti_SassMetrics_Data& row : data) {
            SassCount count{row.functionName ? row.functionName : "", row.pcOffset, 0, 0, 0};
            count.cubinCrc = row.cubinCrc;
            for (std::size_t i = 0; i < values; ++i) {
                const auto value = static_cast<std::int64_t>(row.pInstanceValues[i].value);
                if (const auto member = members_.find(row.pInstanceValues[i].metricId); member != members_.end())
                    count.*(member->second) += value;
                else if (const auto more = optionalMembers_.find(row.pInstanceValues[i].metricId); more != optionalMembers_.end())
                    count.*(more->second) = (count.*(more->second)).value_or(0) + value;
            }
            counts.push_back(std::move(count));
        }
        return counts;
    }

    const CuptiApi& api_;
    CUcontext context_ = nullptr; ///< between start() and stop()
    std::uint32_t device_;
    bool configured_ = false;
    std::map<std::uint64_t, Member> members_;
    std::map<std::uint64_t, OptionalMember> optionalMembers_;
};

} // namespace

Result<std::unique_ptr<SassCounter>> SassCounter::open(int deviceIndex, const std::string& chip, bool accesses)
{
    KL_ASSIGN(const CuptiApi* api, pointerTo(CuptiApi::load()));
    auto counter = std::make_unique<CuptiSassCounter>(*api, deviceIndex);
    KL_TRY(counter->open(chip, accesses));
    return std::unique_ptr<SassCounter>(std::move(counter));
}

} // namespace kl::inline live
