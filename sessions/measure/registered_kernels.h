// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"
#include "kernels/catalog.h"

#include <string>
#include <vector>

namespace kl {

class Store;

/// A registered kernel that cannot be used at present: its file is gone, or does not parse.
struct BrokenKernel {
    std::string path; ///< of its descriptor
    Error error;
};

/// The kernels that the program carries and those that the user registered in this database. A broken one hides no other.
struct OpenCatalog {
    Catalog catalog;
    std::vector<BrokenKernel> broken;
};

/// The one way in which command line, window and sessions come to their kernels. Error: the program's own descriptors do not parse.
Result<OpenCatalog> openCatalog(const Store& store);

/// Descriptors of the registered kernels, absolute paths in order of registration: the setting "user-kernels", a JSON list.
std::vector<std::string> registeredKernels(const Store& store);

/// Registers the kernel at a path (kernel.json, or the folder that holds one) and gives it as loaded; one that is registered stays so.
/// Errors: loadKernel's, an id that another kernel has, a database that cannot be written.
Result<KernelFamily> registerKernel(Store& store, const std::string& path);

/// Forgets the kernel of this path or id; its files and runs stay. Gives its descriptor's path. Error notFound, with what is registered.
Result<std::string> unregisterKernel(Store& store, const std::string& pathOrId);

} // namespace kl
