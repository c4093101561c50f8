// SPDX-License-Identifier: MIT
// A library that imports a function, for the test that changes imports.
#include <unistd.h>

extern "C" int parentAsTheLibrarySeesIt()
{
    return ::getppid();
}
