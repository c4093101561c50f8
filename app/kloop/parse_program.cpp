// SPDX-License-Identifier: MIT
#include "app/kloop/parse_program.h"

#include "app/kloop/commands.h"

#include <CLI/CLI.hpp>

namespace kl {

void addProgramOptions(CLI::App* profile, Parsed& parsed)
{
    constexpr const char* kGroup = "Any program, after \"--\"";
    ProgramOptions& o = parsed.options.program;
    profile->add_option("--kernel", o.kernel, "Only kernels in whose demangled name this regular expression is found")->group(kGroup);
    profile->add_option("--skip", o.skip, "Launches of each kernel to let pass before one is profiled (default: 0)")
        ->check(CLI::Range(0, 1'000'000'000))
        ->group(kGroup);
    profile->add_option("--count", o.count, "Kernels to profile at most, one launch of each (default: 20)")
        ->check(CLI::Range(1, 1000))
        ->group(kGroup);
    profile->add_option("--out", o.out, "Write the JSON answer to this file; the program keeps standard output")->group(kGroup);
}

std::optional<Error> takeProgram(Parsed& parsed, bool said, std::vector<std::string> words)
{
    ProgramOptions& o = parsed.options.program;
    if (!said) {
        if (parsed.command == commandProfile && (!o.kernel.empty() || o.skip > 0 || o.count > 0 || !o.out.empty()))
            return Error{ErrorCode::usage,
                         "--kernel, --skip, --count and --out are about a program, and none is named.",
                         "kloop profile --kernel gemm -- python3 train.py",
                         {},
                         {}};
        return std::nullopt;
    }
    if (parsed.command != commandProfile)
        return Error{ErrorCode::usage,
                     "Only `kloop profile` runs programs of yours: nothing may follow \"--\" here.",
                     "kloop profile -- python3 train.py",
                     {},
                     {}};
    if (words.empty())
        return Error{ErrorCode::usage, "No program follows \"--\".", "kloop profile -- python3 train.py", {}, {}};
    o.command = std::move(words);
    parsed.command = commandProfileProgram;
    return std::nullopt;
}

} // namespace kl
