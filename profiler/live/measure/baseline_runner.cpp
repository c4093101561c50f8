// SPDX-License-Identifier: MIT
#include "profiler/live/measure/baseline_runner.h"

#include "core/base/try.h"
#include "core/device/roof_time.h"
#include "core/stats/ab.h"
#include "core/stats/robust.h"
#include "profiler/live/measure/correctness.h"
#include "profiler/live/measure/library_output.h"
#include "profiler/live/python/python_baseline.h"

#include <algorithm>
#include <fmt/format.h>

namespace kl::inline live {
namespace {

constexpr double kRoofCopyBytes = 256.0 * (1 << 20); // large enough that DRAM, not L2, sets the rate
constexpr std::size_t kRoofSamples = 20;             // the roof needs a bandwidth, not a long series

double param(const BaselineSpec& spec, const char* name)
{
    const auto found = spec.params.find(name);
    return found == spec.params.end() ? 0 : found->second;
}

StreamPlace makeStreamPlace(GpuSession& session, const BuiltWork& work)
{
    StreamPlace place;
    place.stream = session.bench().stream();
    place.arch = formatArch(session.device());
    place.input = [&work](std::size_t index) -> const std::vector<std::byte>* {
        const std::vector<std::string>& names = work.spec().reference.inputs;
        return index < names.size() ? work.initial(names[index]) : nullptr;
    };
    place.libraryFolders = pythonLibraryFolders;
    return place;
}

} // namespace

BaselineRunner BaselineRunner::open(const BaselineSpec& spec, GpuSession& session, const BuiltWork& work)
{
    BaselineRunner runner(spec, session, work);
    runner.use(spec.kind);
    return runner;
}

void BaselineRunner::use(const std::string& kind)
{
    kind_ = kind;
    answer_.name = spec_.name;
    answer_.id = spec_.id.value_or(std::string());
    const Status status = prepare(kind);
    gpuNs_.clear();
    kernelsNs_.clear();
    hostNs_.clear();
    if (!status)
        giveUp(status.error());
}

Status BaselineRunner::prepare(const std::string& kind)
{
    if (kind == "python")
        return pythonBlock(1); // prepares the inputs and shows early whether the helper can do it
    const StreamPlace place = makeStreamPlace(*session_, *work_);
    KL_ASSIGN(std::unique_ptr<StreamBaseline> made, [&]() -> Result<std::unique_ptr<StreamBaseline>> {
        if (kind == "copy")
            return makeCopyBaseline(static_cast<std::size_t>(std::max(param(spec_, "bytes"), 1.0)), place);
        if (kind == "roof")
            return makeCopyBaseline(static_cast<std::size_t>(kRoofCopyBytes), place);
        if (kind == "cudnn")
            return makeCudnnBaseline(spec_, place);
        if (kind == "cublas")
            return makeCublasBaseline(spec_, place);
        return Error{.code = ErrorCode::badInput, .message = fmt::format("Unknown baseline kind \"{}\".", kind)};
    }());
    stream_ = std::move(made);
    answer_.version = stream_->version();
    if (const Status issued = stream_->issue(); !issued) // warm-up that shows early whether it works
        return issued;
    return waitFor(place.stream, kHangSeconds);
}

void BaselineRunner::forget()
{
    gpuNs_.clear();
    kernelsNs_.clear();
    hostNs_.clear();
    activities_.clear();
    stream_.reset();
    answer_.kernels.clear();
    answer_.memoryBytes.reset();
}

void BaselineRunner::giveUp(const Error& reason)
{
    forget();
    const bool again = !spec_.fallback.empty() && kind_ != spec_.fallback && !contextLost();
    answer_.unavailable += (answer_.unavailable.empty() ? "" : " ") + reason.message + (reason.hint.empty() ? "" : ' ' + reason.hint);
    kind_.clear();
    if (again)
        use(spec_.fallback);
}

Status BaselineRunner::hostBlock(int samples)
{
    if (!stream_ || kind_ == "roof")
        return {};
    KL_ASSIGN(const std::vector<double> times, session_->bench().hostTimes([this] { return stream_->issue(); }, samples));
    hostNs_ = times;
    return {};
}

Status BaselineRunner::block(ActivityRecorder& recorder, int samples)
{
    if (kind_.empty() || (kind_ == "roof" && gpuNs_.size() >= kRoofSamples))
        return {};
    const Status status = kind_ == "python" ? pythonBlock(samples) : streamBlock(recorder, samples);
    if (!status && !contextLost()) {
        giveUp(status.error());
        return {};
    }
    return status;
}

Status BaselineRunner::streamBlock(ActivityRecorder& recorder, int samples)
{
    Bench& bench = session_->bench();
    const Sequence call = [this] { return stream_->issue(); };
    if (activities_.empty()) {
        KL_ASSIGN(std::vector<std::string> names, bench.recordActivities(recorder, call));
        activities_ = std::move(names);
        for (const std::string& name : activities_)
            if (std::find(answer_.kernels.begin(), answer_.kernels.end(), name) == answer_.kernels.end())
                answer_.kernels.push_back(name);
    }
    KL_ASSIGN(const std::vector<Sample> measured, bench.measure(recorder, call, activities_.size(), samples, true));
    for (const Sample& sample : measured)
        if (!sample.throttled) {
            gpuNs_.push_back(sample.spanNs);
            double busy = 0;
            for (std::size_t i = 0; i < sample.partsNs.size(); ++i)
                busy += activities_[i].starts_with("mem") ? 0 : sample.partsNs[i]; // memset, memcpy DtoD
            if (busy > 0)
                kernelsNs_.push_back(busy);
        }
    return {};
}

Status BaselineRunner::pythonBlock(int samples)
{
    KL_ASSIGN(auto* helper, session_->python());
    KL_ASSIGN(const PythonSamples measured, helper->measure(spec_.op, spec_.params, samples));
    answer_.version = measured.version;
    if (!measured.name.empty())
        answer_.name = measured.name;
    answer_.kernels = measured.kernels;
    answer_.memoryBytes = measured.memoryBytes;
    gpuNs_.insert(gpuNs_.end(), measured.gpuNs.begin(), measured.gpuNs.end());
    kernelsNs_.insert(kernelsNs_.end(), measured.kernelsNs.begin(), measured.kernelsNs.end());
    hostNs_.insert(hostNs_.end(), measured.hostNs.begin(), measured.hostNs.end());
    return {};
}

std::optional<std::vector<std::byte>> BaselineRunner::output()
{
    if (stream_) {
        Result<std::optional<std::vector<std::byte>>> bytes = stream_->output();
        return bytes ? std::move(*bytes) : std::nullopt;
    }
    return kind_ == "python" && spec_.op.starts_with("sdpa") ? libraryOutput(*session_, *work_, spec_.op) : std::nullopt;
}

void BaselineRunner::setErrors(double maxAbs, double relL2)
{
    answer_.maxAbs = maxAbs;
    answer_.relL2 = relL2;
}

Baseline BaselineRunner::result() const
{
    Baseline answer = answer_;
    if (gpuNs_.empty()) {
        if (answer.unavailable.empty())
            answer.unavailable = "No sample of the baseline was usable.";
        return answer;
    }
    Summary summary = summarize(gpuNs_);
    if (kind_ == "roof") {
        // A copy reads and writes its bytes.
        const Result<RoofTime> roof = roofTime({param(spec_, "bytes"), param(spec_, "flops"), param(spec_, "tensor_flops")},
                                               session_->device(), 2.0 * kRoofCopyBytes / summary.median);
        if (!roof) {
            answer.unavailable = roof.error().message;
            return answer;
        }
        summary = {roof->ns, roof->ns, roof->ns, summary.n};
        answer.name = roof->name;
        answer.version.clear();
        answer.kernels.clear();
    } else if (!kernelsNs_.empty()) {
        answer.kernelsNs = computeMedian(kernelsNs_);
    }
    answer.gpu = summary;
    if (!hostNs_.empty())
        answer.host = computeMedian(hostNs_);
    return answer; // unavailable stays filled where a fallback answered: why the first choice did not
}

} // namespace kl::inline live
