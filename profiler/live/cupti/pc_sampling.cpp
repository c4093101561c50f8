// SPDX-License-Identifier: MIT
#include "profiler/live/cupti/pc_sampling.h"

#include "core/base/try.h"
#include "core/device/metric_catalog.h"
#include "profiler/live/cupti/cupti_api.h"

namespace kl::inline live {
namespace {

constexpr std::size_t kRecords = 4096;             // instructions that one call to GetData hands over at most
constexpr std::size_t kHardwareBuffer = 16U << 20; // bytes; setting up CUPTI's default of 512 MiB takes 0.3 s
constexpr std::uint32_t kWorkerSleepMs = 5;        // between two looks of CUPTI's own threads at that buffer

/// Room for CUPTI's records, with its pointers into it.
struct Buffer {
    explicit Buffer(std::size_t reasons) : pcs(kRecords), stalls(kRecords * reasons)
    {
        for (std::size_t i = 0; i < kRecords; ++i) {
            pcs[i].size = sizeof(CUpti_PCSamplingPCData);
            pcs[i].stallReason = &stalls[i * reasons];
        }
        data.size = sizeof data;
        data.collectNumPcs = kRecords;
        data.pPcData = pcs.data();
    }
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;

    std::vector<CUpti_PCSamplingPCData> pcs;
    std::vector<CUpti_PCSamplingStallReason> stalls;
    CUpti_PCSamplingData data{};
};

/// A parameter struct of the PC sampling API, zeroed, for a context.
#define KL_PC_PARAMS(Type, variable, context)                                                                                              \
    Type variable{};                                                                                                                       \
    variable.size = Type##Size;                                                                                                            \
    variable.ctx = context

class CuptiPcSampler final : public PcSampler {
public:
    CuptiPcSampler(const CuptiApi& api, CUcontext context) : api_(api), context_(context) {}

    ~CuptiPcSampler() override
    {
        if (!enabled_)
            return;
        KL_PC_PARAMS(CUpti_PCSamplingDisableParams, params, context_);
        (void)api_.PCSamplingDisable(&params);
    }

    Status open(int periodLog2)
    {
        KL_PC_PARAMS(CUpti_PCSamplingEnableParams, params, context_);
        KL_TRY(checkCupti(api_.PCSamplingEnable(&params), "cuptiPCSamplingEnable"));
        enabled_ = true;
        KL_TRY(listReasons());
        return configure(periodLog2);
    }

    Status start() override
    {
        KL_PC_PARAMS(CUpti_PCSamplingStartParams, params, context_);
        return checkCupti(api_.PCSamplingStart(&params), "cuptiPCSamplingStart");
    }

    Result<PcSamples> stop() override
    {
        KL_PC_PARAMS(CUpti_PCSamplingStopParams, params, context_);
        KL_TRY(checkCupti(api_.PCSamplingStop(&params), "cuptiPCSamplingStop"));
        PcSamples samples;
        samples.periodCycles = 1 << periodLog2_;
        do {
            taken_->data.totalNumPcs = 0;
            taken_->data.remainingNumPcs = 0;
            KL_PC_PARAMS(CUpti_PCSamplingGetDataParams, get, context_);
            get.pcSamplingData = &taken_->data;
            KL_TRY(checkCupti(api_.PCSamplingGetData(&get), "cuptiPCSamplingGetData"));
            keep(taken_->data, samples);
        } while (taken_->data.remainingNumPcs > 0 && taken_->data.totalNumPcs > 0);
        return samples;
    }

private:
    /// All reasons are collected, also those that are not kept: samples without one of the chosen reasons have no record.
    Status listReasons()
    {
        std::size_t count = 0;
        KL_PC_PARAMS(CUpti_PCSamplingGetNumStallReasonsParams, number, context_);
        number.numStallReasons = &count;
        KL_TRY(checkCupti(api_.PCSamplingGetNumStallReasons(&number), "cuptiPCSamplingGetNumStallReasons"));
        std::vector<std::uint32_t> indices(count);
        std::vector<char> texts(count * CUPTI_STALL_REASON_STRING_SIZE);
        std::vector<char*> names;
        for (std::size_t i = 0; i < count; ++i)
            names.push_back(&texts[i * CUPTI_STALL_REASON_STRING_SIZE]);
        KL_PC_PARAMS(CUpti_PCSamplingGetStallReasonsParams, list, context_);
        list.numStallReasons = count;
        list.stallReasonIndex = indices.data();
        list.stallReasons = names.data();
        KL_TRY(checkCupti(api_.PCSamplingGetStallReasons(&list), "cuptiPCSamplingGetStallReasons"));
        for (std::size_t i = 0; i < count; ++i)
            if (std::string word = stallWord(names[i]); !word.empty())
                words_[indices[i]] = std::move(word);
        reasons_ = std::move(indices);
        return {};
    }

    Status configure(int periodLog2)
    {
        using Info = CUpti_PCSamplingConfigurationInfo;
        periodLog2_ = periodLog2;
        configured_ = std::make_unique<Buffer>(reasons_.size());
        taken_ = std::make_unique<Buffer>(reasons_.size());
        std::vector<Info> settings;
        const auto add = [&](CUpti_PCSamplingConfigurationAttributeType type) -> decltype(Info::attributeData)& {
            settings.push_back({});
            settings.back().attributeType = type;
            return settings.back().attributeData;
        };
        add(CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_COLLECTION_MODE).collectionModeData.collectionMode =
            CUPTI_PC_SAMPLING_COLLECTION_MODE_CONTINUOUS;
        add(CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_ENABLE_START_STOP_CONTROL).enableStartStopControlData.enableStartStopControl = 1;
        add(CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_PERIOD).samplingPeriodData.samplingPeriod =
            static_cast<std::uint32_t>(periodLog2);
        add(CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_HARDWARE_BUFFER_SIZE).hardwareBufferSizeData.hardwareBufferSize = kHardwareBuffer;
        add(CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_WORKER_THREAD_PERIODIC_SLEEP_SPAN)
            .workerThreadPeriodicSleepSpanData.workerThreadPeriodicSleepSpan = kWorkerSleepMs;
        auto& reasons = add(CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_STALL_REASON).stallReasonData;
        reasons.stallReasonCount = reasons_.size();
        reasons.pStallReasonIndex = reasons_.data();
        add(CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_DATA_BUFFER).samplingDataBufferData.samplingDataBuffer = &configured_->data;
        KL_PC_PARAMS(CUpti_PCSamplingConfigurationInfoParams, params, context_);
        params.numAttributes = settings.size();
        params.pPCSamplingConfigurationInfo = settings.data();
        return checkCupti(api_.PCSamplingSetConfigurationAttribute(&params), "cuptiPCSamplingSetConfigurationAttribute");
    }

    // The names in the records stay allocated: CUPTI may share one between records, so freeing them is not safe. Some bytes per function.
    void keep(const CUpti_PCSamplingData& data, PcSamples& samples) const
    {
        samples.total += static_cast<std::int64_t>(data.totalSamples);
        samples.foreign += static_cast<std::int64_t>(data.nonUsrKernelsTotalSamples);
        samples.dropped += static_cast<std::int64_t>(data.droppedSamples);
        for (std::size_t i = 0; i < data.totalNumPcs; ++i) {
            const CUpti_PCSamplingPCData& pc = data.pPcData[i];
            PcRecord record{pc.functionName ? pc.functionName : "", pc.pcOffset, pc.cubinCrc, {}};
            for (std::size_t k = 0; k < pc.stallReasonCount; ++k)
                if (const auto word = words_.find(pc.stallReason[k].pcSamplingStallReasonIndex);
                    word != words_.end() && pc.stallReason[k].samples > 0)
                    record.stalls[word->second] += pc.stallReason[k].samples;
            if (!record.stalls.empty())
                samples.records.push_back(std::move(record));
        }
    }

    const CuptiApi& api_;
    CUcontext context_;
    bool enabled_ = false;
    int periodLog2_ = 0;
    std::map<std::uint32_t, std::string> words_;
    std::vector<std::uint32_t> reasons_;
    std::unique_ptr<Buffer> configured_; ///< CUPTI writes what is left here when sampling is switched off
    std::unique_ptr<Buffer> taken_;
};

} // namespace

std::int64_t PcSamples::count() const
{
    std::int64_t sum = 0;
    for (const PcRecord& record : records)
        for (const auto& [reason, samples] : record.stalls)
            sum += samples;
    return sum;
}

Result<std::unique_ptr<PcSampler>> PcSampler::open(CUcontext context, int periodLog2)
{
    KL_ASSIGN(const CuptiApi* api, pointerTo(CuptiApi::load()));
    auto sampler = std::make_unique<CuptiPcSampler>(*api, context);
    KL_TRY(sampler->open(periodLog2));
    return std::unique_ptr<PcSampler>(std::move(sampler));
}

} // namespace kl::inline live
