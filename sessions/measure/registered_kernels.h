// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "kernels/catalog.h"

#include <string>
#include <vector>

namespace kl::inline store {
class Store;
}

namespace kl::inline measure {

/// A registered kernel that cannot be used at present: its file is missing or does not parse.
struct BrokenKernel {
    std::string path; ///< of its descriptor
    Error error;
};

/// The built-in kernels and those that the user registered in this database. A broken one does not hide others.
struct OpenCatalog {
    Catalog catalog;
    std::vector<BrokenKernel> broken;
};

/// How command line, window and sessions get their kernels. Error: the built-in descriptors do not parse.
Result<OpenCatalog> openCatalog(const Store& store);

/// Descriptors of the registered kernels, absolute paths in order of registration: the setting "user-kernels", a JSON list.
std::vector<std::string> listRegisteredKernels(const Store& store);

/// Registers the kernel at a path (kernel.json, a kernelloop.json with a target, or the folder of either) and returns it loaded;
/// registering twice has no effect. Errors: loadKernel's, an id that another kernel has, a database that is not writable.
Result<KernelFamily> registerKernel(Store& store, const std::string& path);

/// Unregisters the kernel with this path or id; its files and runs stay. Returns its descriptor's path. Error notFound, with the registered
/// ones.
Result<std::string> unregisterKernel(Store& store, const std::string& pathOrId);

} // namespace kl::inline measure
