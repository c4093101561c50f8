// SPDX-License-Identifier: MIT
#include "app/kloop/command_line.h"
#include "app/kloop/common/program.h"
#include "app/kloop/terminal/explain.h"
#include "app/kloop/terminal/interrupts.h"
#include "app/kloop/terminal/streams.h"
#include "app/kloop/terminal/timings_table.h"
#include "core/base/home.h"
#include "core/base/timings.h"

#include <cstdio>
#include <exception>
#include <system_error>

namespace {

int carryOut(const kl::cli::CommandLine& line, const std::stop_token& stop)
{
    kl::cli::Program program(line.options, stop);
    const kl::Result<int> done = line.run(program);
    const int code = done ? *done : kl::cli::explain(done.error(), line.options.json);
    (void)kl::cli::flushAnswer(); // the answer first: the end of a worker takes its time
    return code;
}

int run(int argc, char** argv)
{
    kl::Timed reading("command line");
    const std::stop_token stop = kl::cli::Interrupts::watch();
    const kl::cli::CommandLine line = kl::cli::readCommandLine(argc, argv);
    reading.end();
    if (line.exit)
        return *line.exit;
    const int code = carryOut(line, stop);
    if (line.options.timings)
        kl::cli::say("{}", kl::cli::timingsTable(kl::timings()));
    return code;
}

} // namespace

int main(int argc, char** argv)
{
    kl::cli::holdStandardStreams();
    kl::ensureHome();
    const bool json = kl::cli::asksForJson(argc, argv);
    int code = 0;
    std::error_code failure;
    try {
        code = run(argc, argv);
    } catch (const std::system_error& thrown) { // what fmt throws where standard output cannot be written
        failure = thrown.code();
        code = std::ferror(stdout) != 0 ? 0 : kl::cli::explain(thrown, json);
    } catch (const std::exception& thrown) {
        code = kl::cli::explain(thrown, json);
    }
    const kl::Status written = kl::cli::flushAnswer(failure);
    if (written)
        return code;
    const int lost = kl::cli::explain(written.error(), false);
    return code == 0 ? lost : code; // a verdict or an error stays what it is
}
