// SPDX-License-Identifier: MIT
#include "app/kloop/explain.h"
#include "app/kloop/interrupts.h"
#include "app/kloop/parse.h"
#include "app/kloop/program.h"

#include <cstdio>
#include <fmt/format.h>

int main(int argc, char** argv)
{
    const std::stop_token stop = kl::Interrupts::watch();
    const kl::Parsed parsed = kl::parseCommandLine(argc, argv);
    if (parsed.exit)
        return *parsed.exit;
    kl::Program program(parsed.options, stop);
    const kl::Result<int> done = parsed.command(program, parsed.options);
    const int code = done ? *done : kl::explain(done.error(), parsed.options.json);
    // A full disk or a closed pipe must not look like success.
    return std::fflush(stdout) == 0 || code != 0 ? code : kl::exitCode(kl::ErrorCode::badInput);
}
