// SPDX-License-Identifier: MIT
#include "profiler/live/cupti/module_capture.h"

#include "profiler/live/cupti/cupti_api.h"

namespace kl::inline live {
namespace {

void CUPTIAPI keepCubin(void* kept, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void* data)
try {
    if (domain != CUPTI_CB_DOMAIN_RESOURCE || id != CUPTI_CBID_RESOURCE_MODULE_LOADED || !data)
        return;
    const auto* module = static_cast<const CUpti_ModuleResourceData*>(static_cast<const CUpti_ResourceData*>(data)->resourceDescriptor);
    if (module && module->pCubin)
        static_cast<std::string*>(kept)->assign(module->pCubin, module->cubinSize);
} catch (...) {
    return;
}

} // namespace

std::string captureCubin(const std::function<void()>& load)
{
    std::string cubin;
    const Result<CuptiApi>& api = CuptiApi::load();
    CUpti_SubscriberHandle subscriber = nullptr;
    const bool subscribed = api && api->Subscribe(&subscriber, keepCubin, &cubin) == CUPTI_SUCCESS;
    if (subscribed)
        (void)api->EnableCallback(1, subscriber, CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_MODULE_LOADED);
    load();
    if (subscribed)
        (void)api->Unsubscribe(subscriber);
    return cubin;
}

} // namespace kl::inline live
