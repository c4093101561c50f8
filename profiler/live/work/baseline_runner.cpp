// SPDX-License-Identifier: MIT
#include "profiler/live/work/baseline_runner.h"

#include "core/stats/ab.h"
#include "core/stats/robust.h"

#include <algorithm>
#include <fmt/format.h>

namespace kl {
namespace {

constexpr double kRoofCopyBytes = 256.0 * (1 << 20); // large enough that DRAM, not L2, sets the rate

double param(const BaselineSpec& spec, const char* name)
{
    const auto found = spec.params.find(name);
    return found == spec.params.end() ? 0 : found->second;
}

} // namespace

BaselineRunner BaselineRunner::open(const BaselineSpec& spec, const DeviceInfo& device, Bench& bench, PythonSource python)
{
    BaselineRunner runner(spec, device, bench, std::move(python));
    runner.use(spec.kind);
    return runner;
}

void BaselineRunner::use(const std::string& kind)
{
    kind_ = kind;
    answer_.name = spec_.name;
    Status status;
    if (kind == "copy")
        status = prepareCopy(param(spec_, "bytes"));
    else if (kind == "roof")
        status = prepareCopy(kRoofCopyBytes);
    else if (kind == "python")
        status = pythonBlock(1); // prepares the inputs and tells early whether the helper can do it
    else
        status = Error{ErrorCode::badInput, fmt::format("There is no baseline of kind \"{}\".", kind), {}, {}, {}};
    gpuNs_.clear();
    hostNs_.clear();
    if (!status)
        giveUp(status.error().message);
}

void BaselineRunner::giveUp(const std::string& reason)
{
    gpuNs_.clear();
    hostNs_.clear();
    from_ = {};
    to_ = {};
    const bool again = !spec_.fallback.empty() && kind_ != spec_.fallback && !contextLost();
    answer_.unavailable += (answer_.unavailable.empty() ? "" : " ") + reason;
    kind_.clear();
    if (again)
        use(spec_.fallback);
}

Status BaselineRunner::prepareCopy(double bytes)
{
    copyBytes_ = static_cast<std::size_t>(std::max(bytes, 1.0));
    Result<DeviceMemory> from = allocate(copyBytes_);
    if (!from)
        return from.error();
    Result<DeviceMemory> to = allocate(copyBytes_);
    if (!to)
        return to.error();
    from_ = std::move(*from);
    to_ = std::move(*to);
    KL_TRY(KL_CUDA(MemsetD8Async, from_.get(), 1, copyBytes_, bench_->stream()));
    return copy();
}

Status BaselineRunner::copy()
{
    return KL_CUDA(MemcpyDtoDAsync, to_.get(), from_.get(), copyBytes_, bench_->stream());
}

Status BaselineRunner::hostBlock(int samples)
{
    if (kind_ != "copy")
        return {};
    const Result<std::vector<double>> times = bench_->hostTimes([this] { return copy(); }, samples);
    if (!times)
        return times.error();
    hostNs_ = *times;
    return {};
}

Status BaselineRunner::block(ActivityRecorder& recorder, int samples)
{
    if (kind_.empty() || (kind_ == "roof" && gpuNs_.size() >= 20)) // the roof needs a bandwidth, not a long series
        return {};
    const Status status = kind_ == "python" ? pythonBlock(samples) : copyBlock(recorder, samples);
    if (!status && !contextLost()) {
        giveUp(status.error().message);
        return {};
    }
    return status;
}

Status BaselineRunner::copyBlock(ActivityRecorder& recorder, int samples)
{
    const Result<std::vector<Sample>> measured = bench_->measure(
        recorder, [this] { return copy(); }, 1, samples, true);
    if (!measured)
        return measured.error();
    for (const Sample& sample : *measured)
        if (!sample.throttled)
            gpuNs_.push_back(sample.spanNs);
    return {};
}

Status BaselineRunner::pythonBlock(int samples)
{
    const Result<PythonBaseline*> helper = python_();
    if (!helper)
        return helper.error();
    const Result<PythonSamples> measured = (*helper)->measure(spec_.op, spec_.params, samples);
    if (!measured)
        return measured.error();
    answer_.version = measured->version;
    if (!measured->name.empty())
        answer_.name = measured->name;
    gpuNs_.insert(gpuNs_.end(), measured->gpuNs.begin(), measured->gpuNs.end());
    hostNs_.insert(hostNs_.end(), measured->hostNs.begin(), measured->hostNs.end());
    return {};
}

Baseline BaselineRunner::result() const
{
    Baseline answer = answer_;
    if (gpuNs_.empty()) {
        if (answer.unavailable.empty())
            answer.unavailable = "No sample of the baseline could be kept.";
        return answer;
    }
    Summary summary = summarise(gpuNs_);
    if (kind_ == "roof") {
        // A copy reads and writes its bytes. Peak FP32: 128 lanes an SM, a fused multiply-add counts 2 (CUDA programming guide).
        const double bytesPerNs = 2.0 * static_cast<double>(copyBytes_) / summary.median;
        const double flopsPerNs = device_.smCount * 128.0 * 2.0 * device_.clockMhz / 1000.0;
        const double memory = param(spec_, "bytes") / bytesPerNs;
        const double compute = flopsPerNs > 0 ? param(spec_, "flops") / flopsPerNs : 0;
        const double roof = std::max(memory, compute);
        summary = {roof, roof, roof, summary.n};
        answer.name = fmt::format("{} roof ({:.0f} GB/s copied, {:.1f} TFLOP/s FP32 peak)", memory >= compute ? "memory" : "compute",
                                  bytesPerNs, flopsPerNs / 1000);
        answer.version.clear();
    }
    answer.gpu = summary;
    if (!hostNs_.empty())
        answer.host = medianOf(hostNs_);
    return answer; // unavailable stays filled where a fallback answered: why the first choice did not
}

} // namespace kl
