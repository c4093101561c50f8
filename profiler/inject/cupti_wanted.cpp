// SPDX-License-Identifier: MIT
#include "profiler/inject/cupti_wanted.h"

#include "profiler/inject/import_patch.h"
#include "profiler/inject/tracer.h"
#include "profiler/live/cupti/cupti_api.h"

#include <dlfcn.h>

namespace kl {
namespace {

using SubscribeV2 = CUptiResult(CUPTIAPI*)(CUpti_SubscriberHandle*, CUpti_CallbackFunc, void*, void*);
SubscribeV2 subscribeV2 = nullptr;

CUptiResult CUPTIAPI subscribeOfProgram(CUpti_SubscriberHandle* subscriber, CUpti_CallbackFunc callback, void* data)
{
    Tracer::standBack();
    return CuptiApi::load().value().Subscribe(subscriber, callback, data);
}

CUptiResult CUPTIAPI subscribeOfProgramV2(CUpti_SubscriberHandle* subscriber, CUpti_CallbackFunc callback, void* data, void* params)
{
    Tracer::standBack();
    return subscribeV2(subscriber, callback, data, params);
}

} // namespace

void yieldCuptiWhenWanted()
{
    patchImports("cuptiSubscribe", reinterpret_cast<void*>(&subscribeOfProgram));
    void* library = ::dlopen(CuptiApi::load().value().path.c_str(), RTLD_NOW | RTLD_NOLOAD);
    subscribeV2 = library ? reinterpret_cast<SubscribeV2>(::dlsym(library, "cuptiSubscribe_v2")) : nullptr;
    if (subscribeV2)
        patchImports("cuptiSubscribe_v2", reinterpret_cast<void*>(&subscribeOfProgramV2));
}

} // namespace kl
