// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/params.h"

#include <vector>

namespace kl::inline kernels {
class Catalog;
}

namespace kl::inline measure {

/// What a calibration without a kernel's name compares with itself: of each family the first variant that is meant to be correct.
std::vector<Address> listCalibratedKernels(const Catalog& catalog);

} // namespace kl::inline measure
