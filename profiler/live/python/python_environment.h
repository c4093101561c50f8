// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/original_environment.h"

#include <string>

namespace kl {

/// The interpreter to use: KLOOP_PYTHON where it is set and not empty, else "python3" (looked up on PATH).
std::string pythonProgram();

} // namespace kl
