// SPDX-License-Identifier: MIT
#include "app/kloop/commands.h"
#include "app/kloop/common/program.h"
#include "app/kloop/render/render.h"
#include "app/kloop/terminal/streams.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl {

Result<int> commandDecide(Program& program, const Options& options)
{
    const Decision decision = decide(options.speedup, options.kernelMs);
    Json answer{{"schema", "kernelloop.decide/1"}, {"level", decision.level}, {"action", decision.action}, {"next", Json::array()}};
    for (const Decision::Step& step : decision.next)
        answer["next"].push_back({{"action", step.action}, {"tool", step.tool}, {"command", step.command}});
    answer["speedup"] = options.speedup;
    answer["kernel_ms"] = options.kernelMs;
    if (!program.printed(answer))
        printText("{}", renderDecision(decision));
    return 0;
}

Result<int> commandVersion(Program& program, const Options&)
{
    if (!program.printed(Json{{"schema", "kernelloop.version/1"}, {"version", KL_VERSION}, {"protocol", kProtocolVersion}}))
        printText("kloop {}\n", KL_VERSION);
    return 0;
}

} // namespace kl
