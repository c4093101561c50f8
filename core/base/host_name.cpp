// SPDX-License-Identifier: MIT
#include "core/base/host_name.h"

#include <unistd.h>

namespace kl {

std::string hostName()
{
    char name[256] = {};
    return ::gethostname(name, sizeof name - 1) == 0 ? std::string(name) : std::string("unknown");
}

} // namespace kl
