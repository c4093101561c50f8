// SPDX-License-Identifier: MIT
// A library that imports functions, for the tests that change imports.
#include <unistd.h>

extern "C" int parentAsTheLibrarySeesIt()
{
    return ::getppid();
}

/// Its address is taken: such an import is not one of those that calls go through.
extern "C" int groupAsTheLibrarySeesIt()
{
    pid_t (*volatile ask)() = &::getpgrp;
    return ask();
}
