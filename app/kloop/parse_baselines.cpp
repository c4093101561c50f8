// SPDX-License-Identifier: MIT
#include "app/kloop/parse_baselines.h"

#include "app/kloop/commands.h"
#include "app/kloop/parse_verb.h"

#include <CLI/CLI.hpp>

namespace kl {

void addBaselineCommands(CLI::App& app, Parsed& parsed, CLI::App& run)
{
    Options& o = parsed.options;
    CLI::App* baselines = addVerb(app, parsed, "baselines", "Time what a kernel must beat, by each library that can", commandBaselines);
    baselines->add_option("KERNEL", o.first, "A family, as attention, or family/variant; without it, the names that --baseline takes");
    baselines->add_option("--problem", o.problems, "Sizes, as S=4096,D=64; may be given several times")->allow_extra_args(false);
    for (CLI::App* sub : {&run, baselines}) {
        sub->add_option("--baseline", o.baselines, "Measure against these, by name (kloop baselines lists them), or all")
            ->delimiter(',')
            ->allow_extra_args(false);
        sub->add_option("--python", o.python, "Interpreter that has PyTorch (default: $KLOOP_PYTHON, or python3)");
    }
}

} // namespace kl
