// SPDX-License-Identifier: MIT
#include "app/kloop/common/arguments.h"
#include "app/kloop/common/program.h"
#include "app/kloop/render/render.h"
#include "app/kloop/terminal/step_commands.h"
#include "app/kloop/terminal/streams.h"
#include "core/codec/step_codec.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl::cli {
namespace {

struct DecideOptions {
    double speedup = 0;
    double kernelMs = 0;
};

Result<int> decideNext(Program& program, const DecideOptions& options)
{
    const Decision decision = decide(options.speedup, options.kernelMs);
    Json answer{{"schema", "kernelloop.decide/1"}, {"level", decision.level}, {"action", decision.action}, {"next", Json::array()}};
    for (const Decision::Step& step : decision.next) {
        Json row = stepsToJson({step.step}).front();
        row.update({{"action", step.action}, {"tool", nameTool(step.step)}});
        answer["next"].push_back(std::move(row));
    }
    answer["speedup"] = options.speedup;
    answer["kernel_ms"] = options.kernelMs;
    if (!program.printAsJson(answer))
        printText("{}", renderDecision(decision));
    return 0;
}

} // namespace

Runner addDecide(CLI::App& app)
{
    const auto o = std::make_shared<DecideOptions>();
    app.add_option("SPEEDUP", o->speedup, "Baseline time / kernel time")->required()->check(positiveNumber);
    app.add_option("KERNEL_MS", o->kernelMs, "Kernel time in milliseconds")->required()->check(positiveNumber);
    return [o](Program& program) { return decideNext(program, *o); };
}

} // namespace kl::cli
