// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/measurement.h"
#include "kernels/model/work.h"

namespace kl::inline kernels {

/// Fills in the location of an element: its index tuple, by the indices of the work's expression reference, and the thread that writes it,
/// where the shape of the last launch that takes the buffer fits one of the usual mappings: one thread per element (in one dimension, or x
/// over the inner and y over the outer index), one block per element, one block per outer index. Kernels may use others, so `threadBy`
/// names the mapping. Unknown parts stay empty; the flat index is always valid.
void placeElement(const WorkSpec& work, Mismatch& mismatch);

} // namespace kl::inline kernels
