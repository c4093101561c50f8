// SPDX-License-Identifier: MIT
#include "profiler/inject/cupti_wanted.h"

#include "profiler/inject/import_patch.h"
#include "profiler/inject/tracer.h"
#include "profiler/live/cupti/cupti_api.h"

#include <dlfcn.h>

namespace kl::inject {
namespace {

/// CUPTI's newest way to subscribe, where it has it.
using SubscribeV2 = CUptiResult(CUPTIAPI*)(CUpti_SubscriberHandle*, CUpti_CallbackFunc, void*, void*);
SubscribeV2 subscribeV2 = nullptr;

const CuptiApi& api()
{
    return CuptiApi::load().value();
}

CUptiResult CUPTIAPI subscribe(CUpti_SubscriberHandle* subscriber, CUpti_CallbackFunc callback, void* data)
{
    Tracer::standBack();
    return api().Subscribe(subscriber, callback, data);
}

CUptiResult CUPTIAPI subscribeNew(CUpti_SubscriberHandle* subscriber, CUpti_CallbackFunc callback, void* data, void* params)
{
    Tracer::standBack();
    return subscribeV2(subscriber, callback, data, params);
}

CUptiResult CUPTIAPI registerCallbacks(CUpti_BuffersCallbackRequestFunc requested, CUpti_BuffersCallbackCompleteFunc completed)
{
    Tracer::standBack();
    return api().ActivityRegisterCallbacks(requested, completed);
}

CUptiResult CUPTIAPI initializeProfiler(CUpti_Profiler_Initialize_Params* params)
{
    Tracer::standBack();
    return api().ProfilerInitialize(params);
}

} // namespace

void yieldCuptiWhenWanted()
{
    patchImports("cuptiSubscribe", reinterpret_cast<void*>(&subscribe));
    patchImports("cuptiActivityRegisterCallbacks", reinterpret_cast<void*>(&registerCallbacks));
    patchImports("cuptiProfilerInitialize", reinterpret_cast<void*>(&initializeProfiler));
    void* library = ::dlopen(CuptiApi::load().value().path.c_str(), RTLD_NOW | RTLD_NOLOAD);
    subscribeV2 = library ? reinterpret_cast<SubscribeV2>(::dlsym(library, "cuptiSubscribe_v2")) : nullptr;
    if (subscribeV2)
        patchImports("cuptiSubscribe_v2", reinterpret_cast<void*>(&subscribeNew));
}

} // namespace kl::inject
