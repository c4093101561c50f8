// SPDX-License-Identifier: MIT
#include "profiler/live/cupti/metric_host.h"

#include "core/base/try.h"
#include "profiler/live/cupti/cupti_api.h"
#include "profiler/live/cupti/device_support.h"

#include <algorithm>
#include <string_view>

namespace kl::inline live {
namespace {

constexpr std::size_t kImagesKept = 16;

} // namespace

/// Owns one host object: metrics added to it stay, so each configuration gets its own.
struct MetricHost::Object {
    const CuptiApi& api;
    CUpti_Profiler_Host_Object* handle = nullptr;

    explicit Object(const CuptiApi& functions) : api(functions) {}
    Object(const Object&) = delete;
    Object& operator=(const Object&) = delete;
    ~Object()
    {
        if (!handle)
            return;
        KL_CUPTI_PARAMS(CUpti_Profiler_Host_Deinitialize_Params, params);
        params.pHostObject = handle;
        (void)api.ProfilerHostDeinitialize(&params);
    }
};

MetricHost::MetricHost(std::string chip, std::vector<std::uint8_t> availability, MetricUse use)
    : chip_(std::move(chip)), availability_(std::move(availability)), use_(use)
{
}

MetricHost::~MetricHost() = default;

Result<std::unique_ptr<MetricHost::Object>> MetricHost::newObject() const
{
    KL_ASSIGN(const CuptiApi* api, pointerTo(CuptiApi::load()));
    auto object = std::make_unique<Object>(*api);
    KL_CUPTI_PARAMS(CUpti_Profiler_Host_Initialize_Params, params);
    params.profilerType = use_ == MetricUse::ranges ? CUPTI_PROFILER_TYPE_RANGE_PROFILER : CUPTI_PROFILER_TYPE_PM_SAMPLING;
    params.pChipName = chip_.c_str();
    params.pCounterAvailabilityImage = availability_.empty() ? nullptr : availability_.data();
    if (Status status = checkCupti(api->ProfilerHostInitialize(&params), "cuptiProfilerHostInitialize"); !status) {
        Error error = status.error();
        error.where = chip_;
        return error;
    }
    object->handle = params.pHostObject;
    return object;
}

Result<std::unique_ptr<MetricHost>> MetricHost::open(const std::string& chip, std::vector<std::uint8_t> availability, MetricUse use)
{
    std::unique_ptr<MetricHost> host(new MetricHost(chip, std::move(availability), use));
    KL_ASSIGN(std::unique_ptr<Object> object, host->newObject());
    host->object_ = std::move(object);
    return host;
}

Result<ChipCounters> MetricHost::queryCounters(CUctx_st* context, int deviceIndex)
{
    KL_ASSIGN(const CuptiApi* api, pointerTo(CuptiApi::load()));
    KL_TRY(checkDeviceSupported(*api, deviceIndex));
    KL_ASSIGN(std::string chip, chipName(*api, deviceIndex));
    KL_ASSIGN(std::vector<std::uint8_t> availability, counterAvailability(*api, context));
    return ChipCounters{std::move(chip), std::move(availability)};
}

Result<std::unique_ptr<MetricHost>> MetricHost::openFor(CUctx_st* context, int deviceIndex)
{
    Result<ChipCounters> counters = queryCounters(context, deviceIndex);
    return counters ? open(counters->chip, std::move(counters->availability)) : Result<std::unique_ptr<MetricHost>>(counters.error());
}

bool MetricHost::has(const std::string& metric)
{
    // The properties of a base metric are found whatever follows its dot: the rollup is looked up on its own.
    const std::size_t dot = metric.find('.');
    if (dot == std::string::npos)
        return false;
    const std::vector<std::string> known = rollups(metric.substr(0, dot));
    return std::ranges::find(known, metric.substr(dot + 1)) != known.end();
}

std::vector<std::string> MetricHost::rollups(const std::string& base)
{
    KL_CUPTI_PARAMS(CUpti_Profiler_Host_GetMetricProperties_Params, properties);
    properties.pHostObject = object_->handle;
    properties.pMetricName = base.c_str();
    if (object_->api.ProfilerHostGetMetricProperties(&properties) != CUPTI_SUCCESS)
        return {};
    KL_CUPTI_PARAMS(CUpti_Profiler_Host_GetSubMetrics_Params, list);
    list.pHostObject = object_->handle;
    list.metricType = properties.metricType;
    list.pMetricName = base.c_str();
    if (object_->api.ProfilerHostGetSubMetrics(&list) != CUPTI_SUCCESS)
        return {};
    std::vector<std::string> names;
    for (const std::string_view name : std::span<const char*>(list.ppSubMetrics, list.numOfSubmetrics))
        names.emplace_back(name.substr(name.find('.') + 1)); // ".sum", or the whole name
    return names;
}

const std::vector<std::string>& MetricHost::baseNames()
{
    if (!baseNames_.empty())
        return baseNames_;
    for (const CUpti_MetricType type : {CUPTI_METRIC_TYPE_COUNTER, CUPTI_METRIC_TYPE_RATIO, CUPTI_METRIC_TYPE_THROUGHPUT}) {
        KL_CUPTI_PARAMS(CUpti_Profiler_Host_GetBaseMetrics_Params, list);
        list.pHostObject = object_->handle;
        list.metricType = type;
        if (object_->api.ProfilerHostGetBaseMetrics(&list) != CUPTI_SUCCESS)
            continue;
        for (const std::string_view name : std::span<const char*>(list.ppMetricNames, list.numMetrics))
            if (use_ == MetricUse::pmSampling || name.find('.') == std::string_view::npos) // "FBSP.TriageCompute.…" are sampled only
                baseNames_.emplace_back(name);
    }
    std::ranges::sort(baseNames_);
    return baseNames_;
}

std::optional<MetricHost::Description> MetricHost::describe(const std::string& metric)
{
    KL_CUPTI_PARAMS(CUpti_Profiler_Host_GetMetricProperties_Params, properties);
    properties.pHostObject = object_->handle;
    properties.pMetricName = metric.c_str();
    if (object_->api.ProfilerHostGetMetricProperties(&properties) != CUPTI_SUCCESS)
        return {};
    const auto text = [](const char* words) { return std::string(words ? words : ""); };
    return Description{text(properties.pDescription), text(properties.pHwUnit), text(properties.pDimUnit)};
}

Result<std::vector<std::uint8_t>> MetricHost::configImage(const std::vector<std::string>& metrics)
{
    if (const auto known = images_.find(metrics); known != images_.end())
        return known->second;
    KL_ASSIGN(std::unique_ptr<Object> object, newObject());
    const CuptiApi& api = object->api;
    std::vector<const char*> names = pointersTo(metrics);

    KL_CUPTI_PARAMS(CUpti_Profiler_Host_ConfigAddMetrics_Params, add);
    add.pHostObject = object->handle;
    add.ppMetricNames = names.data();
    add.numMetrics = names.size();
    KL_TRY(checkCupti(api.ProfilerHostConfigAddMetrics(&add), "cuptiProfilerHostConfigAddMetrics"));

    KL_CUPTI_PARAMS(CUpti_Profiler_Host_GetConfigImageSize_Params, size);
    size.pHostObject = object->handle;
    KL_TRY(checkCupti(api.ProfilerHostGetConfigImageSize(&size), "cuptiProfilerHostGetConfigImageSize"));

    std::vector<std::uint8_t> image(size.configImageSize);
    KL_CUPTI_PARAMS(CUpti_Profiler_Host_GetConfigImage_Params, get);
    get.pHostObject = object->handle;
    get.configImageSize = image.size();
    get.pConfigImage = image.data();
    KL_TRY(checkCupti(api.ProfilerHostGetConfigImage(&get), "cuptiProfilerHostGetConfigImage"));
    if (images_.size() >= kImagesKept)
        images_.clear();
    return images_[metrics] = std::move(image);
}

Result<int> MetricHost::passes(const std::vector<std::string>& metrics)
{
    if (metrics.empty())
        return 0;
    KL_ASSIGN(std::vector<std::uint8_t> image, configImage(metrics));
    KL_CUPTI_PARAMS(CUpti_Profiler_Host_GetNumOfPasses_Params, params);
    params.configImageSize = image.size();
    params.pConfigImage = image.data();
    KL_TRY(checkCupti(object_->api.ProfilerHostGetNumOfPasses(&params), "cuptiProfilerHostGetNumOfPasses"));
    return static_cast<int>(params.numOfPasses);
}

Result<std::vector<double>> MetricHost::evaluate(std::span<const std::uint8_t> counterData, std::size_t range,
                                                 const std::vector<std::string>& metrics)
{
    std::vector<const char*> names = pointersTo(metrics);
    std::vector<double> values(metrics.size());
    KL_CUPTI_PARAMS(CUpti_Profiler_Host_EvaluateToGpuValues_Params, params);
    params.pHostObject = object_->handle;
    params.pCounterDataImage = counterData.data();
    params.counterDataImageSize = counterData.size();
    params.rangeIndex = range;
    params.ppMetricNames = names.data();
    params.numMetrics = names.size();
    params.pMetricValues = values.data();
    KL_TRY(checkCupti(object_->api.ProfilerHostEvaluateToGpuValues(&params), "cuptiProfilerHostEvaluateToGpuValues"));
    return values;
}

Result<std::vector<std::string>> listSupportedChips()
{
    KL_ASSIGN(const CuptiApi* api, pointerTo(CuptiApi::load()));
    KL_CUPTI_PARAMS(CUpti_Profiler_Host_GetSupportedChips_Params, params);
    KL_TRY(checkCupti(api->ProfilerHostGetSupportedChips(&params), "cuptiProfilerHostGetSupportedChips"));
    return std::vector<std::string>(params.ppChipNames, params.ppChipNames + params.numChips);
}

std::vector<const char*> pointersTo(const std::vector<std::string>& names)
{
    std::vector<const char*> pointers;
    pointers.reserve(names.size());
    for (const std::string& name : names)
        pointers.push_back(name.c_str());
    return pointers;
}

} // namespace kl::inline live
