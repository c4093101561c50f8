// SPDX-License-Identifier: MIT
#pragma once

#include "core/codec/json.h"

namespace kl::inline kernels {

/// Renames the fields of a descriptor that had other names before 0.2, in place: `mends` is `fixes` now, `planted`, `planted_when` and
/// `planted_why` are `expected`, `expected_when` and `expected_why`. Where both names are present nothing changes, and the schema rejects
/// the old one. A text that is not a descriptor stays as it is.
void renameOldFields(Json& descriptor);

} // namespace kl::inline kernels
