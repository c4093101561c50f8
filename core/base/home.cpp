// SPDX-License-Identifier: MIT
#include "core/base/home.h"

#include <cstdlib>
#include <pwd.h>
#include <unistd.h>

namespace kl {

void ensureHome()
{
    // NOLINTBEGIN(concurrency-mt-unsafe): before other threads start
    const char* home = std::getenv("HOME");
    if (home && *home == '/')
        return;
    const passwd* user = ::getpwuid(::getuid());
    if (user && user->pw_dir && *user->pw_dir == '/')
        ::setenv("HOME", user->pw_dir, 1);
    // NOLINTEND(concurrency-mt-unsafe)
}

} // namespace kl
