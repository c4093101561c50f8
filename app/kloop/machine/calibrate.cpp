// SPDX-License-Identifier: MIT
#include "app/kloop/common/arguments.h"
#include "app/kloop/common/program.h"
#include "app/kloop/terminal/streams.h"
#include "app/kloop/terminal/table.h"
#include "core/base/format.h"
#include "core/base/try.h"
#include "core/codec/model_fields.h"
#include "kernels/variant_choice.h"
#include "sessions/measure/calibrated_kernels.h"
#include "sessions/measure/requests.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl::cli {
namespace {

struct CalibrateOptions {
    std::vector<std::string> kernels; ///< variants or families; empty: every family
    int repeats = 0;                  ///< A/A comparisons of each kernel; 0: the default
    std::vector<std::string> problems;
};

/// The named variants; for a family its first one that is meant to be correct; for none named that of each family.
Result<std::vector<Address>> listNamedKernels(const Catalog& catalog, const std::vector<std::string>& names)
{
    if (names.empty())
        return listCalibratedKernels(catalog);
    std::vector<Address> kernels;
    for (const std::string& name : names) {
        KL_ASSIGN(const Address address, parseAddress(name));
        KL_ASSIGN(const KernelFamily* family, catalog.family(address.family));
        if (family->isProgram())
            return Error{.code = ErrorCode::badInput,
                         .message =
                             fmt::format("{} is a program: it is compared process by process, and has no A/A comparison.", family->id),
                         .hint = "Calibrate kernels of the catalog: its comparisons use the largest noise of this GPU.",
                         .where = name};
        if (address.variant.empty()) {
            if (const Variant* sound = firstSound(*family))
                kernels.push_back({family->id, sound->id, address.tunables});
            continue;
        }
        KL_ASSIGN([[maybe_unused]] const Variant* variant, catalog.variant(address));
        kernels.push_back(address);
    }
    return kernels;
}

Json toJson(const NoiseRecord& record)
{
    return {{"id", record.id},
            {"device", {{"uuid", record.deviceUuid}, {"name", record.deviceName}, {"source", toWord(record.source)}}},
            {"driver", record.driver},
            {"kernel", record.kernel},
            {"problem", record.problem},
            {"noise", record.noise},
            {"repeats", record.ratios.size()},
            {"equivalent", record.equivalent},
            {"different", record.different},
            {"ratios", record.ratios},
            {"at", record.at}};
}

/// The largest distance of a repeat's ratio from 1.
double findWorst(const std::vector<double>& ratios)
{
    double worst = 0;
    for (const double ratio : ratios)
        worst = std::max(worst, std::abs(ratio - 1));
    return worst;
}

std::string render(const std::vector<NoiseRecord>& records)
{
    Table table({"Kernel", "Problem", "Noise>", "Worst>", "Repeats>", "Equivalent>", "Different>"});
    for (const NoiseRecord& record : records)
        table.add({record.kernel, record.problem, fmt::format("{:.3f} %", 100 * record.noise),
                   fmt::format("{:.3f} %", 100 * findWorst(record.ratios)), fmt::format("{}", record.ratios.size()),
                   fmt::format("{}", record.equivalent), fmt::format("{}", record.different)});
    const NoiseRecord& first = records.front();
    return fmt::format("A/A noise of {}, driver {}{}\n", first.deviceName, first.driver,
                       first.source == Source::sample ? ", recorded " + first.at : std::string()) +
           table.text("  ") +
           "  A verdict needs an effect above 1 % and above twice the kernel's noise; for a kernel not listed, the worst noise applies.\n";
}

Result<int> calibrateDevice(Program& program, const CalibrateOptions& options)
{
    KL_ASSIGN(const Catalog* catalog, program.catalog());
    std::vector<std::string> names;
    for (const std::string& name : options.kernels) {
        KL_ASSIGN(const std::string plain, program.plainAddress(name));
        names.push_back(plain);
    }
    const Result<std::vector<Address>> kernels = listNamedKernels(*catalog, names);
    const Result<Params> problem = oneProblem(options.problems);
    if (!kernels || !problem)
        return kernels ? problem.error() : kernels.error();
    if (kernels->size() > 1 && !problem->empty())
        return Error{.code = ErrorCode::usage,
                     .message = "--problem sets the size of one kernel, but several are calibrated.",
                     .hint = "Name one kernel.",
                     .where = "--problem"};
    KL_ASSIGN(auto* bench, program.bench());
    std::vector<NoiseRecord> records;
    Json answer{{"schema", "kernelloop.calibration/1"}, {"calibrations", Json::array()}};
    for (const Address& kernel : *kernels) {
        KL_ASSIGN(NoiseRecord record,
                  bench->calibrate(kernel, *problem, options.repeats > 0 ? options.repeats : kNoiseRepeats, program.job()));
        answer["calibrations"].push_back(toJson(record));
        records.push_back(std::move(record));
    }
    if (!program.printAsJson(answer))
        printText("{}", render(records));
    return 0;
}

} // namespace

Runner addCalibrate(CLI::App& app)
{
    const auto o = std::make_shared<CalibrateOptions>();
    app.add_option("KERNEL", o->kernels, "family/variant or family (default: the first variant of every family)");
    app.add_option("--repeats", o->repeats, "A/A comparisons of each kernel (default: 5)")->check(CLI::Range(1, 1000));
    addProblems(app, o->problems, "Sizes, e.g. M=4096,N=4096");
    return [o](Program& program) { return calibrateDevice(program, *o); };
}

} // namespace kl::cli
