// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/measurement.h"
#include "kernels/model/work.h"

namespace kl {

/// Fills in where an element lies: its index tuple, by the indices of the work's expression reference, and the thread that writes it, where
/// the shape of the last launch that takes the buffer fits one of the usual mappings: a thread an element (in one dimension, or x over the
/// inner and y over the outer index), a block an element, a block an outer index. Kernels are free to do otherwise, so `threadBy` names the
/// mapping. What is not known stays empty; the flat index always holds.
void placeElement(const WorkSpec& work, Mismatch& mismatch);

} // namespace kl
