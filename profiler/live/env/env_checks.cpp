// SPDX-License-Identifier: MIT
#include "profiler/live/env/env_checks.h"

#include "profiler/live/env/check.h"
#include "profiler/live/nvml/nvml.h"

#include <future>

namespace kl::inline live {

namespace {

EnvReport checkAll(const EnvRequest& request, const std::function<EnvFacts()>& gather, const EnvHost& host)
{
    std::future<env::PythonAnswer> pythonAnswer = std::async(std::launch::async, [&host] { return env::askPython(host); });
    const EnvFacts facts = gather();
    env::Context context{request, facts, host, nullptr, env::kNoGpu};
    std::future<std::pair<EnvCheck, EnvCheck>> extension = std::async(std::launch::async, [context] {
        EnvCheck build = env::extensionBuild(context);
        EnvCheck imported = env::extensionImport(context, build);
        return std::pair(std::move(build), std::move(imported));
    });
    std::unique_ptr<Nvml> nvml;
    if (const DeviceInfo* device = context.device()) {
        Result<std::unique_ptr<Nvml>> opened = host.nvml(device->uuid);
        if (opened) {
            nvml = std::move(*opened);
            context.nvml = nvml.get();
        }
        context.nvmlReason = opened ? "" : opened.error().message;
    }

    // The smoke test comes last in the report, but what it does to clocks and load must not show in the lines before it.
    EnvReport report;
    for (const auto check :
         {env::gpu, env::driver, env::nvrtc, env::cupti, env::toolkit, env::counters, env::computeCapabilityCheck, env::sharedMemory,
          env::gpuIdle, env::throttling, env::clocks, env::persistence, env::disk, env::loaderPath, env::preemption})
        report.checks.push_back(check(context));
    EnvCheck smoke = env::smokeKernel(context);
    const env::PythonAnswer answer = pythonAnswer.get();
    report.checks.push_back(env::python(answer));
    report.checks.push_back(env::torch(answer, request.requiredTorch));
    report.checks.push_back(env::numpy(answer, request.requiredTorch));
    report.checks.push_back(env::torchCuda(answer, context.device() != nullptr));
    auto [built, imported] = extension.get();
    report.checks.push_back(std::move(built));
    report.checks.push_back(std::move(imported));
    report.checks.push_back(std::move(smoke));
    return report;
}

} // namespace

EnvReport runEnvChecks(const EnvRequest& request, const std::function<EnvFacts()>& gather)
{
    return checkAll(request, gather, systemHost());
}

EnvReport runEnvChecks(const EnvRequest& request, const EnvFacts& facts, const EnvHost& host)
{
    return checkAll(
        request, [&] { return facts; }, host);
}

namespace env {

EnvCheck passCheck(EnvCheck line, std::string found)
{
    line.result = CheckResult::pass;
    line.found = std::move(found);
    return line;
}

EnvCheck failCheck(EnvCheck line, std::string found, std::string fix)
{
    line.result = CheckResult::fail;
    line.found = std::move(found);
    line.fix = std::move(fix);
    return line;
}

EnvCheck skipCheck(EnvCheck line, std::string reason)
{
    line.result = CheckResult::skipped;
    line.found = std::move(reason);
    return line;
}

std::optional<int> versionNumber(const std::string& text)
{
    int parts[2] = {0, 0};
    std::size_t at = 0;
    for (int part = 0; part < 2; ++part) {
        const std::size_t from = at;
        while (at < text.size() && text[at] >= '0' && text[at] <= '9' && at - from < 5)
            parts[part] = parts[part] * 10 + (text[at++] - '0');
        if (at == from)
            return part == 0 ? std::nullopt : std::optional<int>(parts[0] * 1000);
        if (at < text.size() && text[at] == '.')
            ++at;
        else
            break;
    }
    return parts[0] * 1000 + parts[1] * 10;
}

std::string cudaVersionText(int version)
{
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

} // namespace env
} // namespace kl::inline live
