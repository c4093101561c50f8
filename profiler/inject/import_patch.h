// SPDX-License-Identifier: MIT
#pragma once

namespace kl {

/// Lets every library that this process has loaded call `replacement` where it imports `function`, but for the library that holds
/// `replacement` itself. Libraries loaded later are not seen. The number of places changed; 0 on processors other than x86-64 and ARM64.
int patchImports(const char* function, void* replacement);

} // namespace kl
