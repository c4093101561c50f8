// SPDX-License-Identifier: MIT
#include "profiler/live/verbs.h"

#include "core/base/ids.h"
#include "core/base/try.h"
#include "core/timeline/read_rings.h"
#include "kernels/data/base64.h"
#include "profiler/live/measure/collect_metrics.h"
#include "profiler/live/measure/correctness.h"
#include "profiler/live/nvrtc/mark_header.h"
#include "profiler/live/ptx/ptx_marks.h"
#include "profiler/live/work/nvtx_phase.h"

#include <algorithm>
#include <bit>
#include <fmt/format.h>

namespace kl::inline live {
namespace {

constexpr int kWarpThreads = 32;
constexpr int kFewestMarks = 64;
constexpr int kMostMarks = 1 << 16;
constexpr std::size_t kMostRingBytes = std::size_t{1} << 30;
constexpr int kOverheadBlocks = 10;

/// One request, served step by step.
class Tracing {
public:
    Tracing(GpuSession& session, const TimelineRequest& request, const Job& job, TimelineAnswer& answer)
        : session_(session), request_(request), job_(job), answer_(answer)
    {
    }

    Status run()
    {
        KL_TRY(preparePlain());
        KL_TRY(prepareMarked());
        KL_TRY(check());
        if (answer_.status != ResultStatus::ok)
            return {};
        KL_TRY(record());
        return request_.overhead.value_or(true) ? measureOverhead() : Status{};
    }

private:
    /// The kernel as it is timed: its launches, of which the longest is recorded.
    Status preparePlain()
    {
        const Phase phase(job_, "compiling");
        KL_ASSIGN(std::unique_ptr<BuiltWork> plain, session_.build(request_.work));
        answer_.launches = plain->facts();
        launch_ = longestLaunch(plain->facts());
        timeline_.entry = request_.work.launches[launch_].entry;
        timeline_.gridBlocks = plain->facts()[launch_].gridBlocks;
        timeline_.blockWarps = (plain->facts()[launch_].blockThreads + kWarpThreads - 1) / kWarpThreads;
        timeline_.recordedBlocks = std::min<std::int64_t>(std::max(request_.blocks, 1), timeline_.gridBlocks);
        layout_.blockWarps = timeline_.blockWarps;
        layout_.slots = static_cast<int>(std::min<std::int64_t>(timeline_.recordedBlocks * timeline_.blockWarps, kMostSlots));
        timeline_.recordedBlocks = layout_.slots / timeline_.blockWarps;
        layout_.slots = static_cast<int>(timeline_.recordedBlocks) * timeline_.blockWarps;
        layout_.capacity = static_cast<int>(std::bit_ceil(static_cast<unsigned>(std::clamp(request_.marks, kFewestMarks, kMostMarks))));
        while (layout_.bytes() > kMostRingBytes && layout_.capacity > kFewestMarks)
            layout_.capacity /= 2;
        return {};
    }

    /// The same source with marks, rewritten in its PTX and assembled by the driver.
    Status prepareMarked()
    {
        const Phase phase(job_, "inserting marks");
        KL_ASSIGN(DeviceMemory buffer, allocate(layout_.bytes()));
        buffer_ = std::move(buffer);
        WorkSpec source = request_.work;
        if (!source.image && usesMarks(source.source, source.headers))
            source.options.push_back(kMarkOption);
        KL_ASSIGN(const auto compiled, session_.compile(source));
        if (!compiled->ok)
            return Error{.code = ErrorCode::kernelFailed,
                         .message = fmt::format("{} does not compile with marks:\n{}", source.kernel, compiled->log),
                         .where = source.kernel,
                         .detail = kCompileFailure};
        MarkOptions options{.layout = layout_, .blocks = timeline_.recordedBlocks, .buffer = buffer_.get()};
        KL_ASSIGN(MarkedPtx marked, insertMarks(compiled->ptx, timeline_.entry, options));
        timeline_.automatic = request_.automatic.value_or(marked.userMarks == 0);
        if (timeline_.automatic) {
            options.automatic = true;
            KL_ASSIGN(MarkedPtx all, insertMarks(compiled->ptx, timeline_.entry, options));
            marked = std::move(all);
        }
        if (marked.userMarks == 0 && std::ranges::none_of(marked.sites, isAutomatic))
            return Error{.code = ErrorCode::badInput,
                         .message = fmt::format("{} has nothing to mark: no KL_MARK{}.", timeline_.entry,
                                                timeline_.automatic ? ", and no barrier or asynchronous wait" : ""),
                         .hint = "Put KL_MARK(id) into the kernel; #include <kernelloop/mark.h>.",
                         .where = request_.work.kernel};
        if (marked.leftOut > 0)
            timeline_.notes.push_back(
                fmt::format("{} marks or waits are in functions that the compiler did not inline, and are not recorded.", marked.leftOut));
        timeline_.sites = std::move(marked.sites);
        marked_ = request_.work;
        marked_.source.clear();
        marked_.headers.clear();
        marked_.options.clear();
        marked_.image = ImageSpec{true, fmt::format("{} with marks", request_.work.kernel), toBase64(marked.ptx)};
        marked_.sourceHash = codeHash({}, {}, marked_.image);
        KL_ASSIGN(std::unique_ptr<BuiltWork> built, session_.build(marked_));
        work_ = std::move(built);
        noteChangedResources();
        return {};
    }

    static bool isAutomatic(const MarkSite& site) { return site.kind != MarkKind::user; }

    void noteChangedResources()
    {
        const LaunchFacts& plain = answer_.launches[launch_];
        const LaunchFacts& marked = work_->facts()[launch_];
        if (marked.blocksPerSm != plain.blocksPerSm)
            timeline_.notes.push_back(
                fmt::format("With marks, {} blocks fit on an SM; without, {}.", marked.blocksPerSm, plain.blocksPerSm));
        if (marked.localBytes > plain.localBytes)
            timeline_.notes.push_back(
                fmt::format("With marks, {} bytes per thread spill to local memory; without, {}.", marked.localBytes, plain.localBytes));
    }

    /// Whether the marked kernel still computes the same; its first run also fills the instruction caches.
    Status check()
    {
        const Phase phase(job_, "checking the marked kernel");
        KL_ASSIGN(const SuiteRow row, checkWork(session_, *work_));
        Correctness& correctness = answer_.correctness;
        correctness.result = row.pass ? CorrectnessResult::correct : CorrectnessResult::incorrect;
        correctness.maxAbs = row.maxAbs;
        correctness.relL2 = row.relL2;
        correctness.meanAbs = row.meanAbs;
        correctness.nonfinite = row.nonfinite;
        correctness.unwritten = row.unwritten;
        correctness.reason = row.reason;
        correctness.firstWrong = row.firstWrong;
        if (!row.pass) {
            answer_.status = ResultStatus::validationFailed;
            answer_.reason = row.reason;
        }
        return {};
    }

    Status point(CUdeviceptr to)
    {
        CUdeviceptr variable = 0;
        std::size_t bytes = 0;
        KL_TRY(KL_CUDA(ModuleGetGlobal, &variable, &bytes, work_->module()->get(), kTimelinePointer));
        return KL_CUDA(MemcpyHtoDAsync, variable, &to, sizeof to, session_.bench().stream());
    }

    Status record()
    {
        const Phase phase(job_, "recording marks");
        const CUstream stream = session_.bench().stream();
        KL_TRY(work_->reset());
        KL_TRY(point(0)); // launches before the longest may be of the same kernel
        KL_TRY(KL_CUDA(MemsetD8Async, buffer_.get(), kUnwritten, layout_.bytes(), stream));
        for (std::size_t i = 0; i <= launch_; ++i) {
            if (i == launch_)
                KL_TRY(point(buffer_.get()));
            KL_TRY(work_->issueLaunch(i));
        }
        KL_TRY(waitFor(stream, kHangSeconds));
        std::vector<std::byte> bytes(layout_.bytes());
        KL_TRY(KL_CUDA(MemcpyDtoH, bytes.data(), buffer_.get(), bytes.size()));
        RingContent content = readRings(bytes, layout_, timeline_.sites);
        if (content.damaged > 0)
            timeline_.notes.push_back(fmt::format("{} records of the buffer are damaged, and left out.", content.damaged));
        timeline_.warps = std::move(content.warps);
        answer_.timeline = timeline_;
        return {};
    }

    /// A failure of the comparison leaves the timeline valid.
    Status measureOverhead()
    {
        AbRequest request;
        request.a = request_.work;
        request.b = marked_;
        request.blocks = kOverheadBlocks;
        request.check = false;
        work_.reset();
        const Result<AbAnswer> measured = compareWorks(session_, request, job_);
        if (!measured && measured.error().code == ErrorCode::interrupted)
            return measured.error();
        Timeline& timeline = *answer_.timeline;
        if (measured)
            timeline.overhead = measured->blocks;
        if (timeline.overhead.empty())
            timeline.noOverhead = !measured ? measured.error().message : measured->reason;
        return {};
    }

    GpuSession& session_;
    const TimelineRequest& request_;
    const Job& job_;
    TimelineAnswer& answer_;
    Timeline timeline_;
    std::size_t launch_ = 0;
    RingLayout layout_;
    DeviceMemory buffer_; ///< outlives the marked code
    WorkSpec marked_;
    std::unique_ptr<BuiltWork> work_;
};

} // namespace

Result<TimelineAnswer> traceWork(GpuSession& session, const TimelineRequest& request, const Job& job)
{
    TimelineAnswer answer;
    answer.device = session.device();
    answer.sourceHash = request.work.sourceHash.empty() ? contentHash(request.work.source) : request.work.sourceHash;
    answer.warnings = session.warnings();
    if (const Status status = Tracing(session, request, job, answer).run(); !status) {
        const std::optional<ResultStatus> ended = findStatus(status.error());
        if (!ended)
            return status.error();
        answer.status = *ended;
        answer.reason = status.error().message;
        answer.timeline.reset();
        if (contextLost())
            answer.warnings.push_back(workerRestarts());
    }
    return answer;
}

} // namespace kl::inline live
