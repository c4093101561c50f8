// SPDX-License-Identifier: MIT
#pragma once

#include "app/kloop/common/program.h"
#include "sessions/patterns/pattern_library.h"

namespace kl::cli {

/// The shipped patterns, put into the database where it may be written: a fresh one knows them from the first command on.
Result<PatternLibrary> seedLibrary(Program& program);

} // namespace kl::cli
