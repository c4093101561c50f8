// SPDX-License-Identifier: MIT
#include "app/kloop/common/arguments.h"
#include "app/kloop/common/program.h"
#include "app/kloop/terminal/streams.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl::cli {
namespace {

Result<int> showVersion(Program& program)
{
    if (!program.printAsJson(Json{{"schema", "kernelloop.version/1"}, {"version", KL_VERSION}, {"protocol", kProtocolVersion}}))
        printText("kloop {}\n", KL_VERSION);
    return 0;
}

} // namespace

Runner addVersion(CLI::App&)
{
    return showVersion;
}

} // namespace kl::cli
