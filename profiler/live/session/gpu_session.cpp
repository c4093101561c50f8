// SPDX-License-Identifier: MIT
#include "profiler/live/session/gpu_session.h"

#include "core/base/ids.h"
#include "core/base/timings.h"
#include "core/base/try.h"
#include "kernels/model/chip.h"
#include "profiler/live/cupti/counter_host.h"
#include "profiler/live/cupti/range_profiler.h"
#include "profiler/live/nvrtc/compile_cache.h"
#include "profiler/live/nvrtc/compile_pool.h"
#include "profiler/live/proof/proof_kernels.h"
#include "profiler/live/work/kernel_image.h"

#include <fmt/format.h>

namespace kl::inline live {
namespace {

constexpr std::size_t kCompiledKept = 256;
constexpr std::size_t kLogShown = 4000;

Result<CompileCache::Compiled> compileSource(const WorkSpec& spec, const std::string& arch)
{
    const Result<CompileCache*> cache = CompileCache::shared();
    return cache ? (*cache)->compile({spec.source, spec.options, arch, spec.headers}) : Result<CompileCache::Compiled>(cache.error());
}

Result<CompileCache::Compiled> assembleImage(const ImageSpec& image, const DeviceInfo& device)
{
    KL_ASSIGN(CompiledSource made, loadImage(image, device));
    return std::make_shared<const CompiledSource>(std::move(made));
}

/// What distinguishes compilations for one device.
std::string compileKey(const WorkSpec& spec)
{
    std::string key = codeHash(spec.source, spec.headers, spec.image);
    for (const std::string& option : spec.options)
        key += '\n' + option;
    for (const std::string& target : spec.targets)
        key += '\n' + target;
    return key;
}

constexpr std::string_view kDeviceMalloc("\0malloc\0", 8); ///< its name among a cubin's symbols

} // namespace

GpuSession::GpuSession(const DeviceInfo& device, int index, PrimaryContext context)
    : device_(device), index_(index), context_(std::move(context))
{
}

GpuSession::~GpuSession() = default;

Result<std::unique_ptr<GpuSession>> GpuSession::open(const DeviceInfo& device, int index)
{
    Timed step("CUDA context");
    Result<PrimaryContext> context = PrimaryContext::retain(index);
    step.end();
    if (!context)
        return context.error();
    std::unique_ptr<GpuSession> session(new GpuSession(device, index, std::move(*context)));
    {
        const Timed time("CUPTI library");
        if (Result<std::string> chip = cuptiChipName(index); chip)
            session->device_.chip = std::move(*chip);
    }
    if (Result<std::unique_ptr<Nvml>> nvml = Nvml::open(device.uuid); nvml) // without it clocks are absent, nothing else
        session->nvml_ = std::move(*nvml);
    const Timed time("bench");
    KL_ASSIGN(std::unique_ptr<Bench> bench, Bench::make(device, session->nvml_.get()));
    session->bench_ = std::move(bench);
    return session;
}

Result<std::shared_ptr<const CompiledSource>> GpuSession::compile(const WorkSpec& spec)
{
    const std::string key = compileKey(spec);
    if (const auto known = compiled_.find(key); known != compiled_.end())
        return known->second;
    KL_ASSIGN(const std::string target, targetOn(spec.kernel, spec.targets, toChip(device_)));
    KL_ASSIGN(CompileCache::Compiled made, spec.image ? assembleImage(*spec.image, device_) : compileSource(spec, target));
    if (compiled_.size() >= kCompiledKept)
        compiled_.clear();
    return compiled_[key] = std::move(made);
}

void GpuSession::compileAhead(std::span<const WorkSpec> works)
{
    const Result<CompileCache*> cache = CompileCache::shared();
    if (!cache)
        return; // compile() says so
    std::map<std::string, const WorkSpec*> wanted;
    for (const WorkSpec& work : works)
        if (!work.image) // the driver's assembler needs the context
            if (std::string key = compileKey(work); !compiled_.contains(key))
                wanted.try_emplace(std::move(key), &work);
    const std::vector<std::pair<std::string, const WorkSpec*>> tasks(wanted.begin(), wanted.end());
    std::vector<CompileCache::Compiled> made(tasks.size());
    const auto one = [&, chip = toChip(device_)](std::size_t i, const std::stop_token& stop) -> Result<bool> {
        const WorkSpec& spec = *tasks[i].second;
        KL_ASSIGN(const std::string target, targetOn(spec.kernel, spec.targets, chip));
        const Result<CompileCache::Compiled> compiled = (*cache)->compile({spec.source, spec.options, target, spec.headers}, stop);
        if (compiled)
            made[i] = *compiled;
        return compiled && (*compiled)->cached;
    };
    (void)compileAll(tasks.size(), compileThreads(0, tasks.size()), {}, one); // compile() says what fails
    for (std::size_t i = 0; i < tasks.size(); ++i)
        if (made[i] && compiled_.size() < kCompiledKept)
            compiled_[tasks[i].first] = std::move(made[i]);
}

Result<std::unique_ptr<BuiltWork>> GpuSession::build(const WorkSpec& spec, const BuildPlace& place)
{
    const Timed time("building " + spec.problem);
    KL_ASSIGN(const std::shared_ptr<const CompiledSource> compiled, compile(spec));
    if (!compiled->ok)
        return Error{.code = ErrorCode::kernelFailed,
                     .message = fmt::format("{} {}:\n{}", spec.kernel, spec.image ? "cannot be loaded" : "does not compile",
                                            compiled->log.substr(0, kLogShown)),
                     .where = spec.kernel,
                     .detail = kCompileFailure};
    usedDeviceHeap_ = usedDeviceHeap_ || compiled->cubin.find(kDeviceMalloc) != std::string::npos;
    return BuiltWork::build(spec, *compiled, device_, bench_->stream(), place);
}

Result<PythonBaseline*> GpuSession::python()
{
    const Timed time("python helper");
    if (!python_)
        python_ = PythonBaseline::start(device_.uuid);
    if (!*python_)
        return python_->error();
    return (**python_).get();
}

Result<SassCounter*> GpuSession::instructionCounter()
{
    const Timed time("instruction counter: open");
    if (!counter_)
        counter_ = SassCounter::open(index_, device_.chip);
    if (!*counter_)
        return counter_->error();
    return (**counter_).get();
}

void GpuSession::planCounters(const MetricRequest& wanted)
{
    if (counters_ || planning_.valid())
        return;
    Result<ChipCounters> device = chipCounters(context(), index_);
    if (!device)
        return;
    planning_ = std::async(std::launch::async, [wanted, device = std::move(*device)]() -> std::shared_ptr<CounterHost> {
        const Timed time("counters: what can be counted");
        Result<std::unique_ptr<MetricHost>> metrics = MetricHost::open(device.chip, device.availability);
        if (!metrics)
            return nullptr;
        auto host = std::make_shared<CounterHost>(std::move(*metrics));
        (void)host->select(wanted); // what fails is not remembered
        return host;
    });
}

std::shared_ptr<CounterHost>& GpuSession::counterHost()
{
    if (planning_.valid()) {
        const Timed time("counters: wait for the plan");
        counters_ = planning_.get();
    }
    return counters_;
}

Result<RangeProfiler*> GpuSession::counters()
{
    if (!profiler_) {
        const Timed time("counters: open");
        KL_ASSIGN(std::unique_ptr<RangeProfiler> opened, RangeProfiler::open(context(), index_, counterHost()));
        profiler_ = std::move(opened);
        counters_ = profiler_->host();
    }
    return profiler_.get();
}

void GpuSession::releaseCounters()
{
    if (!profiler_)
        return;
    const Timed time("counters: let go");
    profiler_.reset();
}

Result<ProofKernels*> GpuSession::proofKernels()
{
    if (!proof_) {
        KL_ASSIGN(std::unique_ptr<ProofKernels> made, ProofKernels::make(device_, bench_->stream()));
        proof_ = std::move(made);
    }
    return proof_.get();
}

Result<ActivityRecorder*> GpuSession::trialRecorder()
{
    if (!trialRecorder_) {
        KL_ASSIGN(trialRecorder_, ActivityRecorder::start());
    }
    return trialRecorder_.get();
}

void GpuSession::endTrials()
{
    sharedInputs_.reset();
    trialRecorder_.reset();
}

Result<CacheFlush*> GpuSession::cacheFlush()
{
    if (!flush_) {
        const Timed time("cache flush: prepare");
        KL_ASSIGN(std::unique_ptr<CacheFlush> made, CacheFlush::make(device_));
        flush_ = std::move(made);
    }
    return flush_.get();
}

std::vector<Warning> GpuSession::warnings()
{
    const Timed time("state of the device");
    std::vector<Warning> list;
    if (nvml_ && !nvml_->clocksLocked())
        list.push_back({"clock-unlocked", "The GPU clocks are not locked: times vary with temperature and power."});
    if (const int others = strangers(); others > 0)
        list.push_back({"gpu-shared", fmt::format("Other programs use this GPU at the same time: {}.", others)});
    return list;
}

int GpuSession::strangers()
{
    return nvml_ && !python_ ? nvml_->otherProcesses() : 0;
}

} // namespace kl::inline live
