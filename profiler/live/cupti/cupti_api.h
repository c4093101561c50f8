// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <cuda.h>
#include <cupti_activity.h>
#include <cupti_callbacks.h>
#include <cupti_pcsampling.h>
#include <cupti_pmsampling.h>
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_sass_metrics.h>
#include <cupti_target.h>
#include <cupti_version.h>

#include <string>

/// Every CUPTI function that KernelLoop calls: name without the "cupti" prefix.
// The formatter would lay this list out again on every pass.
// clang-format off
#define KL_CUPTI_FUNCTIONS(X)                                                                                                              \
    X(GetResultString)                                                                                                                     \
    X(GetVersion)                                                                                                                          \
    X(Subscribe) X(Unsubscribe) X(EnableCallback) X(GetTimestamp) X(ActivityFlushPeriod)                                                   \
    X(ActivityEnable)                                                                                                                      \
    X(ActivityDisable) X(ActivityRegisterCallbacks) X(ActivityFlushAll) X(ActivityGetNextRecord) X(ActivityGetNumDroppedRecords)           \
        X(DeviceGetChipName) X(ProfilerInitialize) X(ProfilerDeInitialize) X(ProfilerGetCounterAvailability) X(ProfilerDeviceSupported)    \
            X(ProfilerHostInitialize) X(ProfilerHostDeinitialize) X(ProfilerHostGetSupportedChips) X(ProfilerHostGetMetricProperties)      \
                X(ProfilerHostGetSubMetrics) X(ProfilerHostConfigAddMetrics) X(ProfilerHostGetConfigImageSize)                             \
                    X(ProfilerHostGetConfigImage) X(ProfilerHostGetNumOfPasses) X(ProfilerHostEvaluateToGpuValues) X(RangeProfilerEnable)  \
                        X(RangeProfilerDisable) X(RangeProfilerSetConfig) X(RangeProfilerStart) X(RangeProfilerStop)                       \
                            X(RangeProfilerDecodeData) X(RangeProfilerGetCounterDataSize) X(RangeProfilerCounterDataImageInitialize)       \
                                X(RangeProfilerGetCounterDataInfo) X(RangeProfilerPushRange) X(RangeProfilerPopRange)                      \
    X(ProfilerHostGetBaseMetrics)                                                                                                          \
    X(GetCubinCrc)                                                                                                                                        \
    X(PCSamplingEnable) X(PCSamplingDisable) X(PCSamplingStart) X(PCSamplingStop) X(PCSamplingGetData)                                     \
    X(PCSamplingSetConfigurationAttribute) X(PCSamplingGetNumStallReasons) X(PCSamplingGetStallReasons)                                    \
    X(SassMetricsGetProperties) X(SassMetricsSetConfig) X(SassMetricsUnsetConfig) X(SassMetricsEnable) X(SassMetricsDisable)               \
    X(SassMetricsGetDataProperties) X(SassMetricsFlushData)

/// Those that older versions lack: null there.
#define KL_CUPTI_NEWER_FUNCTIONS(X)                                                                                                        \
    X(PmSamplingGetCounterAvailability) X(PmSamplingEnable) X(PmSamplingDisable) X(PmSamplingSetConfig) X(PmSamplingStart)                 \
    X(PmSamplingStop) X(PmSamplingDecodeData) X(PmSamplingGetCounterDataSize) X(PmSamplingCounterDataImageInitialize)                      \
    X(PmSamplingGetCounterDataInfo) X(PmSamplingCounterDataGetSampleInfo)
// clang-format on

namespace kl::inline live {

/// CUPTI's functions, bound at run time.
struct CuptiApi {
#define KL_CUPTI_MEMBER(name) decltype(&::cupti##name) name = nullptr;
    KL_CUPTI_FUNCTIONS(KL_CUPTI_MEMBER)
    KL_CUPTI_NEWER_FUNCTIONS(KL_CUPTI_MEMBER)
#undef KL_CUPTI_MEMBER
    std::string path; ///< library file

    /// Loads the library once per process. Error environment: not found (with the folders tried), or too old to have a function.
    static const Result<CuptiApi>& load();
};

/// Success, or an Error with the call and CUPTI's message; causes that a user can fix have one sentence with the fix.
Status checkCupti(CUptiResult result, const char* call);

/// Another process uses the device's counters.
bool countersBusy(const Error& error);

/// The sentence and fix for hosts that restrict performance counters to administrators.
Error makeNotPermittedError();

/// A parameter struct of CUPTI, zeroed, with its size set.
#define KL_CUPTI_PARAMS(Type, variable)                                                                                                    \
    Type variable{};                                                                                                                       \
    variable.structSize = Type##_STRUCT_SIZE

} // namespace kl::inline live
