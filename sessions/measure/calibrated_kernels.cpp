// SPDX-License-Identifier: MIT
#include "sessions/measure/calibrated_kernels.h"

#include "kernels/catalog.h"
#include "kernels/variant_choice.h"

namespace kl::inline measure {

std::vector<Address> listCalibratedKernels(const Catalog& catalog)
{
    std::vector<Address> kernels;
    for (const KernelFamily& family : catalog.families())
        if (const Variant* sound = firstSound(family))
            kernels.push_back({family.id, sound->id, {}});
    return kernels;
}

} // namespace kl::inline measure
