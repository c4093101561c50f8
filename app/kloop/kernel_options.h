// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace kl {

/// What `kloop kernels`, new-kernel and watch say.
struct KernelOptions {
    std::string path;                    ///< add, remove: a kernel.json, its folder, or an id
    std::string name;                    ///< new-kernel
    std::string folder;                  ///< new-kernel --dir; empty: a folder of the kernel's name here
    std::string starter = "elementwise"; ///< new-kernel --template
    bool keep = false;                   ///< new-kernel --add: register it, too
    int saves = 0;                       ///< watch --saves: end after so many; 0: go on until Ctrl-C
};

} // namespace kl
