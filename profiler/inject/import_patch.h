// SPDX-License-Identifier: MIT
#pragma once

namespace kl::inject {

/// Makes every loaded library of this process call `replacement` where it imports `function`, but for the library that holds
/// `replacement` itself. Libraries loaded later are not patched. Returns the number of patched places; 0 on processors other than x86-64
/// and ARM64.
int patchImports(const char* function, void* replacement);

} // namespace kl::inject
