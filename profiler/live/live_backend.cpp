// SPDX-License-Identifier: MIT
#include "profiler/live/live_backend.h"

#include "core/base/host_name.h"
#include "core/base/timings.h"
#include "core/base/try.h"
#include "profiler/gpu_lock.h"
#include "profiler/live/cupti/activity.h"
#include "profiler/live/cupti/describe_metrics.h"
#include "profiler/live/cupti/range_profiler.h"
#include "profiler/live/env/env_checks.h"
#include "profiler/live/host/shared_library.h"
#include "profiler/live/measure/input_sets.h"
#include "profiler/live/verbs.h"
#include "profiler/protocol/gpu_choice.h"
#include "profiler/protocol/message_codec.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <thread>

namespace kl::inline live {
namespace {

std::string sentence(const Error& error)
{
    return error.hint.empty() ? error.message : error.message + ' ' + error.hint;
}

/// Why nothing can run on this machine, or nothing.
std::optional<std::string> obstacle(const DeviceInfo& device)
{
    const Result<Nvrtc>& compiler = Nvrtc::load();
    if (!compiler)
        return sentence(compiler.error());
    if (compiler->versionNumber() / 1000 > cuda().version / 1000)
        return fmt::format("The NVIDIA driver supports CUDA {}.{}, but the compiler found is CUDA {}: its code would not load. Install a "
                           "newer driver, or a CUDA {} toolkit.",
                           cuda().version / 1000, cuda().version % 1000 / 10, compiler->version(), cuda().version / 1000);
    const auto known = compiler->architectures();
    const int arch = device.ccMajor * 10 + device.ccMinor;
    if (std::find(known.begin(), known.end(), arch) == known.end())
        return fmt::format("CUDA {} cannot compile for this GPU (compute capability {}). Install a CUDA toolkit that supports it.",
                           compiler->version(), computeCapability(device));
    return {};
}

void loadLibraries()
{
    const Timed time("libraries");
    (void)SharedLibrary::open({"libcuda.so.1"}); // first: the loader opens one at a time, and the driver's start must not wait
    (void)Nvrtc::load();
    (void)cuptiVersion();
}

class LiveBackend final : public Backend {
public:
    LiveBackend(const std::string& version, const std::string& gpu)
        : libraries_(loadLibraries), monitoring_([] { (void)nvmlDriverVersion(); })
    {
        hello_.version = version;
        hello_.host = hostName();
        Timed driver("CUDA driver");
        Result<std::vector<DeviceInfo>> devices = listDevices();
        driver.end();
        if (!devices) {
            hello_.unavailable = sentence(devices.error());
            return;
        }
        hello_.devices = std::move(*devices);
        Timed nvmlTime("NVML");
        for (DeviceInfo& device : hello_.devices)
            if (Result<std::unique_ptr<Nvml>> nvml = Nvml::open(device.uuid); nvml) {
                device.driverVersion = (*nvml)->driverVersion();
                device.clockMhz = (*nvml)->maxSmClockMhz().value_or(device.clockMhz);
                device.memoryClockMhz = (*nvml)->maxMemoryClockMhz().value_or(device.memoryClockMhz);
            }
        nvmlTime.end();
        const Result<int> chosen = chooseGpu(hello_.devices, gpu);
        hello_.device = chosen ? std::optional(*chosen) : std::nullopt;
        if (!chosen) {
            hello_.unavailable = sentence(chosen.error());
            return;
        }
        const Timed compiler("compiler library");
        hello_.unavailable = obstacle(*findMeasuredDevice(hello_));
    }

    const Hello& hello() const override { return hello_; }
    // A leak on the device's heap would starve the next request's kernel: that one gets a fresh worker, too.
    bool isLost() const override { return contextLost() || (session_ && session_->usedDeviceHeap()); }

    void idle() override
    {
        releaseCounters();
        if (session_)
            session_->endTrials(); // the search is over
    }

    void leave() override
    {
        if (session_)
            session_->endPython();
    }

    Result<Json> answer(Verb verb, const Json& body, const Job& job) override
    {
        switch (verb) {
        case Verb::probe: return serve<Verb::probe>(body, [this](const ProbeRequest&) { return describeMachine(); });
        case Verb::environment: return serve<Verb::environment>(body, [&](const EnvRequest& request) { return checkHost(request, job); });
        case Verb::metrics: return serve<Verb::metrics>(body, [this](const MetricsRequest& request) { return describe(request); });
        case Verb::build:
            releaseCounters(); // compiling takes seconds, in which another worker may want them
            return serve<Verb::build>(body, buildWork);
        case Verb::buildMany:
            releaseCounters();
            return serve<Verb::buildMany>(body, [&](const BuildManyRequest& request) { return buildMany(request, job); });
        case Verb::compile: return onGpu<Verb::compile>(body, job, compileWork);
        case Verb::run: return onGpu<Verb::run>(body, job, runWork);
        case Verb::profile: return onGpu<Verb::profile>(body, job, profileWork);
        case Verb::count: return onGpu<Verb::count>(body, job, countWorks);
        case Verb::launch: return onGpu<Verb::launch>(body, job, launchWork);
        case Verb::timeline: return onGpu<Verb::timeline>(body, job, traceWork);
        case Verb::compare: return onGpu<Verb::compare>(body, job, compareWorks);
        case Verb::sanitize:
            return Error{.code = ErrorCode::environment,
                         .message = "compute-sanitizer cannot be attached to a running worker.",
                         .hint = "Start a worker under it, and request a launch.",
                         .where = toWord(verb)};
        case Verb::trace: break; // the worker's own: it needs no GPU session
        }
        return Error{.code = ErrorCode::internal, .message = "The worker has no arm for a verb of its protocol.", .where = "kloop-worker"};
    }

private:
    void releaseCounters()
    {
        if (session_)
            session_->releaseCounters();
    }

    template <Verb verb, class Serve> Result<Json> serve(const Json& body, const Serve& function)
    {
        KL_ASSIGN(const RequestOf<verb> request, fromJsonMessage<RequestOf<verb>>(body));
        KL_ASSIGN(const AnswerOf<verb> answer, Result<AnswerOf<verb>>(function(request))); // the function may give a plain answer
        return toJsonMessage(answer);
    }

    template <Verb verb, class Serve> Result<Json> onGpu(const Json& body, const Job& job, Serve function)
    {
        static_assert(findTraits(verb).needsDevice);
        return serve<verb>(body, [&](const RequestOf<verb>& request) -> Result<AnswerOf<verb>> {
            KL_ASSIGN(auto* session, ready());
            GpuSession& gpu = *session;
            Timed waiting("lock of the GPU");
            KL_ASSIGN([[maybe_unused]] const GpuLock lock,
                      GpuLock::take(gpu.device().uuid, job, kLockFolder, [&] { gpu.releaseCounters(); }));
            waiting.end();
            if constexpr (verb != Verb::run)
                gpu.endTrials();
            return function(gpu, request, job);
        });
    }

    Result<GpuSession*> ready()
    {
        if (hello_.unavailable)
            return cannotMeasure(hello_);
        if (!session_) {
            KL_ASSIGN(std::unique_ptr<GpuSession> opened, GpuSession::open(*findMeasuredDevice(hello_), *hello_.device));
            session_ = std::move(opened);
        }
        return session_.get();
    }

    Result<MetricsAnswer> describe(const MetricsRequest& request)
    {
        if (!request.chip.empty()) {
            KL_ASSIGN(std::unique_ptr<MetricHost> host, openChip(request.chip));
            CounterHost counters(std::move(host));
            return describeMetrics(request, counters);
        }
        KL_ASSIGN(auto* session, ready());
        const Timed time("metrics: plan");
        std::shared_ptr<CounterHost>& known = session->counterHost();
        if (!known) {
            KL_ASSIGN(std::unique_ptr<MetricHost> host, openMetricHost(session->context(), session->index()));
            known = std::make_shared<CounterHost>(std::move(host));
        }
        return describeMetrics(request, *known);
    }

    ProbeAnswer describeMachine()
    {
        ProbeAnswer probed = probeHost();
        probed.python = describePython();
        return probed;
    }

    ProbeAnswer probeHost()
    {
        ProbeAnswer probed;
        probed.devices = hello_.devices;
        if (const Result<Nvrtc>& compiler = Nvrtc::load(); compiler)
            probed.nvrtcVersion = compiler->version();
        if (const Result<std::string> version = cuptiVersion(); version)
            probed.cuptiVersion = *version;
        Result<GpuSession*> session = ready();
        if (session) {
            (*session)->releaseCounters();                                                        // asking for permission takes them
            probed.devices[static_cast<std::size_t>((*session)->index())] = (*session)->device(); // with the chip's name
        }
        const Status counters = session ? countersPermitted((*session)->context(), (*session)->index()) : Status(session.error());
        probed.countersPermitted = counters.ok();
        if (!counters)
            probed.countersReason = hello_.unavailable.value_or(sentence(counters.error()));
        return probed;
    }

    EnvFacts gatherFacts(const Job& job)
    {
        EnvFacts facts{hello_, probeHost(), {}};
        if (Result<GpuSession*> session = ready(); session)
            facts.smoke = [&job, gpu = *session](const WorkSpec& spec) {
                RunRequest smoke;
                smoke.work = spec;
                smoke.timed = false;
                Result<RunAnswer> answer = runWork(*gpu, smoke, job);
                if (answer)
                    return std::move(*answer);
                RunAnswer failed;
                failed.status = ResultStatus::computationFailed;
                failed.reason = sentence(answer.error());
                return failed;
            };
        return facts;
    }

    Result<EnvReport> checkHost(const EnvRequest& request, const Job& job)
    {
        return runEnvChecks(request, [&] { return gatherFacts(job); });
    }

    std::jthread libraries_; ///< each is loaded while the driver starts, which takes longer
    std::jthread monitoring_;
    Hello hello_;
    std::unique_ptr<GpuSession> session_;
};

} // namespace

std::unique_ptr<Backend> makeLiveBackend(const std::string& version, const std::string& gpu)
{
    return std::make_unique<LiveBackend>(version, gpu);
}

} // namespace kl::inline live
