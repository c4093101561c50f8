// SPDX-License-Identifier: MIT
#include "profiler/live/cupti/pm_sampler.h"

#include "core/base/try.h"
#include "profiler/live/cupti/cupti_api.h"
#include "profiler/live/cupti/device_support.h"
#include "profiler/live/cupti/metric_host.h"

namespace kl::inline live {
namespace {

constexpr std::size_t kDeviceBuffer = std::size_t{64} << 20U; ///< H200: thousands of samples
constexpr std::uint32_t kDecodedAtOnce = 256;                 ///< of eight metrics about 100 KB each

Result<const CuptiApi*> pmApi()
{
    KL_ASSIGN(const CuptiApi* api, pointerTo(CuptiApi::load()));
    if (api->PmSamplingEnable == nullptr || api->PmSamplingDecodeData == nullptr)
        return Error{.code = ErrorCode::environment,
                     .message = "The CUPTI that was found is too old: it has no PM sampling.",
                     .hint = "Install CUPTI of CUDA 12.8 or newer.",
                     .where = api->path};
    return api;
}

const CuptiApi& pmCupti()
{
    return CuptiApi::load().value(); // open() has looked
}

} // namespace

Result<std::unique_ptr<MetricHost>> openPmHost(int device)
{
    KL_ASSIGN(const CuptiApi* api, pmApi());
    KL_TRY(checkDeviceSupported(*api, device));
    KL_ASSIGN(const std::string chip, chipName(*api, device));
    KL_CUPTI_PARAMS(CUpti_PmSampling_GetCounterAvailability_Params, params);
    params.deviceIndex = static_cast<std::size_t>(device);
    KL_TRY(checkCupti(api->PmSamplingGetCounterAvailability(&params), "cuptiPmSamplingGetCounterAvailability"));
    std::vector<std::uint8_t> image(params.counterAvailabilityImageSize);
    params.pCounterAvailabilityImage = image.data();
    KL_TRY(checkCupti(api->PmSamplingGetCounterAvailability(&params), "cuptiPmSamplingGetCounterAvailability"));
    return MetricHost::open(chip, std::move(image), MetricUse::pmSampling);
}

Result<std::unique_ptr<PmSampler>> PmSampler::open(MetricHost& host, PmSamplerSetup setup)
{
    KL_ASSIGN([[maybe_unused]] const CuptiApi* api, pmApi());
    std::unique_ptr<PmSampler> sampler(new PmSampler(host, std::move(setup)));
    KL_TRY(sampler->configure());
    return sampler;
}

PmSampler::~PmSampler()
{
    if (!object_)
        return;
    KL_CUPTI_PARAMS(CUpti_PmSampling_Disable_Params, params);
    params.pPmSamplingObject = object_;
    (void)pmCupti().PmSamplingDisable(&params);
}

Status PmSampler::configure()
{
    KL_CUPTI_PARAMS(CUpti_PmSampling_Enable_Params, enable);
    enable.deviceIndex = static_cast<std::size_t>(setup_.device);
    KL_TRY(checkCupti(pmCupti().PmSamplingEnable(&enable), "cuptiPmSamplingEnable"));
    object_ = enable.pPmSamplingObject;

    KL_ASSIGN(std::vector<std::uint8_t> config, host_.configImage(setup_.metrics));
    config_ = std::move(config);
    KL_CUPTI_PARAMS(CUpti_PmSampling_SetConfig_Params, set);
    set.pPmSamplingObject = object_;
    set.configSize = config_.size();
    set.pConfig = config_.data();
    set.hardwareBufferSize = kDeviceBuffer;
    set.samplingInterval = setup_.interval;
    set.triggerMode =
        setup_.bySystemClock ? CUPTI_PM_SAMPLING_TRIGGER_MODE_GPU_SYSCLK_INTERVAL : CUPTI_PM_SAMPLING_TRIGGER_MODE_GPU_TIME_INTERVAL;
    set.hwBufferAppendMode = CUPTI_PM_SAMPLING_HARDWARE_BUFFER_APPEND_MODE_KEEP_OLDEST;
    KL_TRY(checkCupti(pmCupti().PmSamplingSetConfig(&set), "cuptiPmSamplingSetConfig"));

    std::vector<const char*> names = pointersTo(setup_.metrics);
    KL_CUPTI_PARAMS(CUpti_PmSampling_GetCounterDataSize_Params, size);
    size.pPmSamplingObject = object_;
    size.pMetricNames = names.data();
    size.numMetrics = names.size();
    size.maxSamples = kDecodedAtOnce;
    KL_TRY(checkCupti(pmCupti().PmSamplingGetCounterDataSize(&size), "cuptiPmSamplingGetCounterDataSize"));
    counted_.assign(size.counterDataSize, 0);
    return {};
}

Status PmSampler::start()
{
    KL_CUPTI_PARAMS(CUpti_PmSampling_Start_Params, params);
    params.pPmSamplingObject = object_;
    return checkCupti(pmCupti().PmSamplingStart(&params), "cuptiPmSamplingStart");
}

Result<std::vector<PmSample>> PmSampler::stop()
{
    KL_CUPTI_PARAMS(CUpti_PmSampling_Stop_Params, params);
    params.pPmSamplingObject = object_;
    KL_TRY(checkCupti(pmCupti().PmSamplingStop(&params), "cuptiPmSamplingStop"));
    std::vector<PmSample> samples;
    for (bool more = true; more;)
        KL_TRY(decode(samples, more));
    return samples;
}

/// Takes as many samples as the image holds; `more`: it was full.
Status PmSampler::decode(std::vector<PmSample>& samples, bool& more)
{
    KL_CUPTI_PARAMS(CUpti_PmSampling_CounterDataImage_Initialize_Params, empty);
    empty.pPmSamplingObject = object_;
    empty.counterDataSize = counted_.size();
    empty.pCounterData = counted_.data();
    KL_TRY(checkCupti(pmCupti().PmSamplingCounterDataImageInitialize(&empty), "cuptiPmSamplingCounterDataImageInitialize"));

    KL_CUPTI_PARAMS(CUpti_PmSampling_DecodeData_Params, decoded);
    decoded.pPmSamplingObject = object_;
    decoded.pCounterDataImage = counted_.data();
    decoded.counterDataImageSize = counted_.size();
    KL_TRY(checkCupti(pmCupti().PmSamplingDecodeData(&decoded), "cuptiPmSamplingDecodeData"));
    if (decoded.overflow != 0)
        return Error{.code = ErrorCode::environment, .message = "The GPU's buffer for samples overflowed.", .where = host_.chip()};
    more = decoded.decodeStopReason == CUPTI_PM_SAMPLING_DECODE_STOP_REASON_COUNTER_DATA_FULL;

    KL_CUPTI_PARAMS(CUpti_PmSampling_GetCounterDataInfo_Params, info);
    info.pCounterDataImage = counted_.data();
    info.counterDataImageSize = counted_.size();
    KL_TRY(checkCupti(pmCupti().PmSamplingGetCounterDataInfo(&info), "cuptiPmSamplingGetCounterDataInfo"));
    for (std::size_t i = 0; i < info.numCompletedSamples; ++i) {
        KL_CUPTI_PARAMS(CUpti_PmSampling_CounterData_GetSampleInfo_Params, sample);
        sample.pPmSamplingObject = object_;
        sample.pCounterDataImage = counted_.data();
        sample.counterDataImageSize = counted_.size();
        sample.sampleIndex = i;
        KL_TRY(checkCupti(pmCupti().PmSamplingCounterDataGetSampleInfo(&sample), "cuptiPmSamplingCounterDataGetSampleInfo"));
        KL_ASSIGN(std::vector<double> values, host_.evaluate(counted_, i, setup_.metrics));
        samples.push_back({sample.startTimestamp, sample.endTimestamp, std::move(values)});
    }
    return {};
}

} // namespace kl::inline live
