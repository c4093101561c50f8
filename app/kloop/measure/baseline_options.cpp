// SPDX-License-Identifier: MIT
#include "app/kloop/measure/baseline_options.h"

#include "app/kloop/common/arguments.h"

#include <cstdlib>

namespace kl::cli {

void addBaselineOptions(CLI::App& app, BaselineOptions& options)
{
    addRepeated(app, "--baseline", options.names, "Measure against these, by name (kloop baselines lists them), or all")->delimiter(',');
    app.add_option("--python", options.python, "Python interpreter that has PyTorch (default: $KLOOP_PYTHON, else python3)");
}

void usePython(const BaselineOptions& options)
{
    if (!options.python.empty())
        ::setenv("KLOOP_PYTHON", options.python.c_str(), 1); // the worker, our child, hands it on
}

} // namespace kl::cli
