// SPDX-License-Identifier: MIT
#include "profiler/live/work/bench.h"

#include "core/base/try.h"
#include "profiler/live/nvrtc/compile_cache.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

namespace kl::inline live {
namespace {

/// Longest that the gate holds the stream: it opens by itself, so a worker that stops cannot leave the GPU spinning.
constexpr std::uint64_t kGateLimitNs = 50'000'000;

constexpr const char* kGateSource = R"(
extern "C" __global__ void kl_gate(const volatile unsigned* flag, unsigned epoch, unsigned long long limit)
{
    unsigned long long begin, now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin));
    do {
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    } while ((int)(*flag - epoch) < 0 && now - begin < limit);
}
)";

/// Largest random pause before a gated sequence starts. About a third of the passes on an H200 take 1.6 µs longer, in step with
/// something periodic in the device; passes at a fixed rhythm (ABBA) alias with it and one side gets more of them.
constexpr std::uint64_t kDitherNs = 300'000;

void spin(std::uint64_t ns)
{
    const auto end = std::chrono::steady_clock::now() + std::chrono::nanoseconds(ns);
    while (std::chrono::steady_clock::now() < end) {
    }
}

/// Kernels and copies; memsets are the flush, or a small part of a pass.
bool counts(const ActivitySpan& span)
{
    return span.kind != ActivitySpan::Kind::memset && !isGate(span);
}

} // namespace

Result<std::unique_ptr<Bench>> Bench::make(const DeviceInfo& device, Nvml* nvml)
{
    std::unique_ptr<Bench> bench(new Bench(device, nvml));
    KL_TRY(bench->prepare());
    return bench;
}

Status Bench::prepare()
{
    KL_ASSIGN(auto* compiler, CompileCache::shared());
    KL_ASSIGN(const CompileCache::Compiled made, compiler->compile({kGateSource, {}, formatArch(device_)}));
    const CompileCache::Compiled& gate = made;
    if (!gate->ok)
        return Error{.code = ErrorCode::internal, .message = "The worker's own gate kernel does not compile.", .detail = gate->log};
    KL_ASSIGN(Stream stream, makeStream());
    stream_ = std::move(stream);
    KL_ASSIGN(Module module, loadModule(gate->cubin.data()));
    gateModule_ = std::move(module);
    KL_TRY(KL_CUDA(ModuleGetFunction, &gate_, gateModule_.get(), kGateName.data()));
    KL_ASSIGN(MappedWord flag, MappedWord::make());
    flag_.emplace(std::move(flag));
    flushBytes_ = 2 * static_cast<std::size_t>(std::max<std::int64_t>(device_.l2Bytes, 8 << 20));
    KL_ASSIGN(DeviceMemory flush, allocate(flushBytes_));
    flush_ = std::move(flush);
    return {};
}

/// For the pass that the gate holds back, which keeps the GPU at work; the throttle reasons once per batch, since they are slow to read.
std::optional<double> Bench::readClock()
{
    if (nvml_ && passes_.empty())
        for (std::string& reason : nvml_->throttleReasons())
            reasons_.insert(std::move(reason));
    return nvml_ ? nvml_->smClockMhz() : std::nullopt;
}

GpuState Bench::takeState()
{
    GpuState state;
    if (nvml_) {
        state.temperatureC = nvml_->temperatureC();
        state.powerW = nvml_->powerW();
    }
    state.throttleReasons.assign(reasons_.begin(), reasons_.end());
    reasons_.clear();
    return state;
}

Status Bench::warmUp(const Sequence& sequence, std::chrono::milliseconds least)
{
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < 3 || (i < 100 && std::chrono::steady_clock::now() - begin < least); ++i) {
        KL_TRY(sequence());
        KL_TRY(waitFor(stream_.get(), kHangSeconds));
    }
    return {};
}

Status Bench::flushL2()
{
    return KL_CUDA(MemsetD8Async, flush_.get(), ++flushValue_, flushBytes_, stream_.get());
}

Status Bench::enqueue(const BenchPass& pass, bool cold, bool primed)
{
    const bool prepareLast = cold || pass.fromPrepared;
    if (pass.prepare && !prepareLast)
        KL_TRY(pass.prepare());
    if (primed && !pass.prime)
        KL_TRY(pass.timed());
    if (pass.prepare && prepareLast)
        KL_TRY(pass.prepare());
    if (pass.prime)
        KL_TRY(pass.prime());
    if (cold)
        KL_TRY(flushL2());
    ++epoch_;
    CUdeviceptr flag = flag_->device();
    std::uint64_t limit = kGateLimitNs;
    std::array<void*, 3> arguments{&flag, &epoch_, &limit};
    KL_TRY(checkCuda(cuda().LaunchKernel(gate_, 1, 1, 1, 1, 1, 1, 0, stream_.get(), arguments.data(), nullptr), "cuLaunchKernel(kl_gate)"));
    const Status issued = pass.timed();
    const std::optional<double> clock = readClock();
    dither_ = dither_ * 6364136223846793005ULL + 1442695040888963407ULL; // Knuth's MMIX generator; its high bits are the random ones
    spin((dither_ >> 33) % kDitherNs);
    flag_->store(epoch_);
    KL_TRY(issued);
    passes_.push_back({primed, clock});
    KL_TRY(waitFor(stream_.get(), kHangSeconds));
    return pass.check ? pass.check() : Status{};
}

Result<std::vector<std::optional<Sample>>> Bench::collect(ActivityRecorder& recorder, const std::vector<std::size_t>& activities)
{
    const std::vector<EnqueuedPass> enqueued = std::exchange(passes_, {});
    const bool locked = nvml_ && nvml_->clocksLocked();
    KL_ASSIGN(const std::vector<ActivitySpan> spans, recorder.drain());
    std::vector<std::optional<Sample>> samples = collectSamples(spans, enqueued, activities);
    for (std::optional<Sample>& sample : samples)
        if (sample)
            sample->throttled = isThrottled(sample->clockMhz, device_.clockMhz, locked);
    return samples;
}

Result<std::vector<Sample>> Bench::measure(ActivityRecorder& recorder, const Sequence& sequence, std::size_t activities, int count,
                                           bool cold)
{
    bool first = true;
    const auto next = [&] { return BenchPass{sequence}; };
    return measureSome(recorder, next, activities, count, cold, [&] { return std::exchange(first, false); });
}

Result<std::vector<Sample>> Bench::measurePasses(ActivityRecorder& recorder, const std::function<BenchPass()>& next, std::size_t activities,
                                                 int count, bool cold)
{
    bool first = true;
    return measureSome(recorder, next, activities, count, cold, [&] { return std::exchange(first, false) || !cold; });
}

Result<std::vector<Sample>> Bench::measureSome(ActivityRecorder& recorder, const std::function<BenchPass()>& next, std::size_t activities,
                                               int count, bool cold, const std::function<bool()>& primed)
{
    for (int i = 0; i < count; ++i)
        if (const Status status = enqueue(next(), cold, primed()); !status) {
            passes_.clear();
            return status.error();
        }
    KL_ASSIGN(const std::vector<std::optional<Sample>> passes,
              collect(recorder, std::vector<std::size_t>(static_cast<std::size_t>(count), activities)));
    std::vector<Sample> samples;
    for (const std::optional<Sample>& pass : passes)
        if (pass)
            samples.push_back(*pass);
    return samples;
}

Result<std::vector<std::string>> Bench::recordActivities(ActivityRecorder& recorder, const Sequence& sequence)
{
    KL_ASSIGN([[maybe_unused]] const auto drained, recorder.drain());
    KL_TRY(sequence());
    KL_TRY(waitFor(stream_.get(), kHangSeconds));
    KL_ASSIGN(const std::vector<ActivitySpan> spans, recorder.drain());
    std::vector<const ActivitySpan*> pass;
    for (const ActivitySpan& span : spans)
        pass.push_back(&span);
    dropFlush(pass);
    std::vector<std::string> names;
    for (const ActivitySpan* span : pass)
        names.push_back(span->name);
    return names;
}

Result<std::vector<double>> Bench::hostTimes(const Sequence& sequence, int count)
{
    std::vector<double> times;
    for (int i = 0; i < count; ++i) {
        const auto begin = std::chrono::steady_clock::now();
        KL_TRY(sequence());
        KL_TRY(KL_CUDA(StreamSynchronize, stream_.get()));
        times.push_back(std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count());
    }
    return times;
}

Result<std::vector<double>> Bench::measureHostTimes(const BenchPass& pass, int count)
{
    std::vector<double> times;
    for (int i = 0; i < count; ++i) {
        if (pass.prepare && !pass.fromPrepared)
            KL_TRY(pass.prepare());
        KL_TRY(pass.timed());
        if (pass.prepare && pass.fromPrepared)
            KL_TRY(pass.prepare());
        KL_TRY(waitFor(stream_.get(), kHangSeconds));
        KL_ASSIGN(const std::vector<double> one, hostTimes(pass.timed, 1));
        times.push_back(one.front());
        if (pass.check)
            KL_TRY(pass.check());
    }
    return times;
}

Result<double> Bench::busyFraction(ActivityRecorder& recorder, const Sequence& sequence, std::size_t activities)
{
    const std::size_t rounds = std::clamp<std::size_t>(2000 / std::max<std::size_t>(activities, 1), 2, 50);
    KL_ASSIGN([[maybe_unused]] const auto drained, recorder.drain());
    for (std::size_t i = 0; i < rounds; ++i)
        KL_TRY(sequence());
    KL_TRY(waitFor(stream_.get(), 3 * kHangSeconds));
    KL_ASSIGN(const std::vector<ActivitySpan> spans, recorder.drain());
    std::vector<const ActivitySpan*> all;
    for (const ActivitySpan& span : spans)
        if (counts(span))
            all.push_back(&span);
    if (all.size() != rounds * activities || all.empty())
        return Error{.code = ErrorCode::inconclusive, .message = "Activity records were lost while the stream's busy time was measured."};
    const Sample sample = makeSample(all);
    double busy = 0;
    for (const double part : sample.partsNs)
        busy += part;
    return sample.spanNs > 0 ? std::min(1.0, busy / sample.spanNs) : 1.0;
}

} // namespace kl::inline live
