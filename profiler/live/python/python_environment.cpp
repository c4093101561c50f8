// SPDX-License-Identifier: MIT
#include "profiler/live/python/python_environment.h"

#include <cstdlib>

namespace kl {

std::string pythonProgram()
{
    const char* named = std::getenv("KLOOP_PYTHON");
    return named != nullptr && *named != '\0' ? named : "python3";
}

} // namespace kl
