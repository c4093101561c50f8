// SPDX-License-Identifier: MIT
#include "app/kloop/common/arguments.h"
#include "app/kloop/common/program.h"
#include "app/kloop/render/render.h"
#include "app/kloop/terminal/streams.h"
#include "core/base/try.h"
#include "core/codec/run_codec.h"
#include "sessions/measure/machine_check.h"

#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl {
namespace {

struct EnvOptions {
    std::string torch;   ///< version that is required
    std::string project; ///< empty: kernelloop.json of this folder or one above
};

/// What can be said without a worker: that it is missing, and whether a driver is loaded at all.
EnvReport withoutWorker(const Error& failure, bool remote)
{
    EnvReport report;
    if (remote) {
        report.checks.push_back(
            {"host", Requirement::required, CheckResult::fail, failure.message, "The GPU is on that host.", failure.hint, failure.next});
        keepLog(report, newLogFile());
        return report;
    }
    std::error_code ignored;
    const bool driver = std::filesystem::exists("/dev/nvidiactl", ignored);
    report.checks.push_back({"gpu", Requirement::required, driver ? CheckResult::skipped : CheckResult::fail,
                             driver ? "An NVIDIA driver is loaded, but the worker could not query it."
                                    : "No NVIDIA GPU, or its driver is not loaded (/dev/nvidiactl is missing).",
                             "Kernels are measured on an NVIDIA GPU.",
                             "Install the NVIDIA driver on a machine with a GPU, or work on a recording: --on sample."});
    report.checks.push_back({"worker", Requirement::required, CheckResult::fail, failure.message,
                             "The worker is the program that runs kernels.", failure.hint, failure.next});
    keepLog(report, newLogFile());
    return report;
}

/// Where the database is, or will be made.
std::string databaseFolder(const GlobalOptions& options)
{
    const std::string file = options.db.empty() ? Store::defaultLocation() : options.db;
    return file == ":sample:" ? std::string() : std::filesystem::path(file).parent_path().string();
}

Result<int> checkEnvironment(Program& program, const EnvOptions& options)
{
    if (program.options().onSample())
        return Error{.code = ErrorCode::usage,
                     .message = "kloop env checks this machine; it cannot check the sample.",
                     .hint = "Omit --on. For the machine of the recording: kloop session gate G1, in a session on the sample.",
                     .where = "--on"};
    const Result<const Catalog*> kernels = program.catalog();
    const Result<Catalog> carried =
        kernels ? Result<Catalog>(Catalog(std::vector<KernelFamily>())) : Catalog::embedded(); // enough for the smoke kernel
    if (!carried)
        return carried.error();
    EnvReport report;
    const Result<Collector*> worker = program.device().open();
    if (!worker && worker.error().code == ErrorCode::needsConsent)
        return worker.error();
    if (worker) {
        KL_ASSIGN(EnvReport answer, checkMachine(kernels ? **kernels : *carried, **worker,
                                                 {options.project, options.torch, databaseFolder(program.options())}, program.job()));
        report = std::move(answer);
    } else {
        report = withoutWorker(worker.error(), program.options().on && program.options().on->kind == DeviceKind::ssh);
    }
    if (!kernels)
        report.checks.push_back({"database", Requirement::required, CheckResult::fail, kernels.error().message,
                                 "Runs, sessions and your own kernels are stored there.", kernels.error().hint, kernels.error().next});
    Json answer = envToJson(report);
    if (report.refused)
        answer["error"] = errorToJson(*report.refused)["error"];
    if (!program.printed(answer)) {
        printText("{}", renderEnvironment(report));
        if (!report.logFile.empty())
            printText("Log: {}\n", report.logFile);
    }
    if (report.refused)
        return exitCode(report.refused->code);
    return passes(report) ? 0 : exitCode(ErrorCode::environment);
}

} // namespace

Runner addEnv(CLI::App& app)
{
    const auto o = std::make_shared<EnvOptions>();
    app.add_option("--torch", o->torch, "Version of torch that is required, e.g. 2.2.1 or 2.2.1+cu121");
    app.add_option("--project", o->project, "Project file (default: kernelloop.json in this folder or a parent folder)");
    return [o](Program& program) { return checkEnvironment(program, *o); };
}

} // namespace kl
