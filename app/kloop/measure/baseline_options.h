// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace kl::cli {

/// What a kernel is measured against.
struct BaselineOptions {
    std::vector<std::string> names; ///< empty: not given
    std::string python;             ///< interpreter that has PyTorch; empty: KLOOP_PYTHON or python3
};

/// Adds --baseline and --python.
void addBaselineOptions(CLI::App& app, BaselineOptions& options);

/// Has the worker start the interpreter of --python, where one is given.
void usePython(const BaselineOptions& options);

} // namespace kl::cli
