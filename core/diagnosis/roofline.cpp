// SPDX-License-Identifier: MIT
#include "core/diagnosis/roofline.h"

#include "core/base/format.h"
#include "core/device/peaks.h"
#include "core/diagnosis/quantities.h"
#include "core/diagnosis/run_facts.h"

#include <algorithm>
#include <fmt/format.h>

namespace kl::inline diagnosis {
namespace {

constexpr double kL1SectorBytes = 32;    ///< bytes
constexpr double kLessThanNeeded = 0.95; ///< traffic amplification below which it is reported, allowing for counting errors

constexpr RoofKind kRoofKinds[] = {
    {"dram", "DRAM", &RoofRates::dram, MemoryLevel::dram},
    {"l2", "L2", &RoofRates::l2, MemoryLevel::l2},
    {"l1", "L1", &RoofRates::l1, MemoryLevel::l1},
    {"fp64", "FP64", &RoofRates::fp64, {}},
    {"fp32", "FP32", &RoofRates::fp32, {}},
    {"tensor", "tensor FP16", &RoofRates::tensorFp16, {}},
};

void addRoofs(Roofline& out, const Peaks& peaks)
{
    for (const bool measured : {false, true})
        for (const RoofKind& kind : kRoofKinds) {
            const std::optional<double> value = (measured ? peaks.measured : static_cast<const RoofRates&>(peaks)).*kind.rate;
            if (!value || !(*value > 0))
                continue;
            const std::string figure = kind.level ? formatBandwidth(*value) : formatFlops(*value);
            // DRAM and L2 have clocks of their own, and what was measured of the tensor cores is held by power.
            const bool clocked = !kind.level && peaks.clockMhz > 0 && !(measured && kind.rate == &RoofRates::tensorFp16);
            out.roofs.push_back({fmt::format("{} {}{}{}", kind.title, figure, measured ? " measured" : "",
                                             clocked ? " at " + formatClock(peaks.clockMhz) : std::string()),
                                 *value, kind.level.has_value(), measured, kind.level, std::string(kind.id)});
        }
    for (const RoofKind& kind : kRoofKinds)
        if (!(peaks.*kind.rate))
            out.missing.push_back(fmt::format("{} roof: not known for this GPU", kind.title));
}

/// Cycles of the counted launch, as the rates of a report count them.
Value computeCycles(const RunFacts& facts)
{
    if (const Value cycles = facts.metric("smsp__cycles_elapsed.avg"))
        return cycles;
    const Value perSecond = facts.metric("smsp__cycles_elapsed.avg.per_second"), ns = facts.launchNs();
    return perSecond && ns ? Value(*perSecond * *ns * 1e-9) : std::nullopt;
}

/// A count, or what Nsight Compute's roofline section has in its place: its rate a cycle.
Value findCount(const RunFacts& facts, MetricName name)
{
    if (const Value count = facts.metric(name))
        return count;
    const Value rate = facts.perCycle(name), cycles = computeCycles(facts);
    return rate && cycles ? Value(*rate * *cycles) : std::nullopt;
}

struct Weight {
    MetricName metric;
    double factor;
};

/// What was collected, summed with its weights; nothing when none was.
Value sumWeighted(const RunFacts& facts, std::initializer_list<Weight> weights)
{
    Value sum;
    for (const Weight& weight : weights)
        if (const Value value = findCount(facts, weight.metric))
            sum = sum.value_or(0) + weight.factor * *value;
    return sum;
}

struct Executed {
    Value fp32;
    Value fp64;
    Value half;
    Value tensor;
};

/// The compiler also converts halves and loads constants by HADD2 and HFMA2: where the code is known to have no arithmetic in half
/// precision, they do not count as work. A naive product of FP16 matrices with FP32 sums would otherwise seem to execute three times its
/// FLOPs.
bool computesInHalf(const RunFacts& facts)
{
    const LaunchFacts* launch = facts.launch();
    return !launch || launch->opcodes.empty() || launch->opcodes.contains("fma.f16");
}

Executed collectExecuted(const RunFacts& facts)
{
    return {sumWeighted(facts, {{"smsp__sass_thread_inst_executed_op_fadd_pred_on.sum", 1},
                                {"smsp__sass_thread_inst_executed_op_fmul_pred_on.sum", 1},
                                {"smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", 2}}),
            sumWeighted(facts, {{"smsp__sass_thread_inst_executed_op_dadd_pred_on.sum", 1},
                                {"smsp__sass_thread_inst_executed_op_dmul_pred_on.sum", 1},
                                {"smsp__sass_thread_inst_executed_op_dfma_pred_on.sum", 2}}),
            computesInHalf(facts) ? sumWeighted(facts, {{"smsp__sass_thread_inst_executed_op_hadd_pred_on.sum", 2},
                                                        {"smsp__sass_thread_inst_executed_op_hmul_pred_on.sum", 2},
                                                        {"smsp__sass_thread_inst_executed_op_hfma_pred_on.sum", 4}})
                                  : Value(),
            sumWeighted(facts, {{"sm__ops_path_tensor_src_fp16.sum", 1}, {"sm__ops_path_tensor_src_bf16_dst_fp32.sum", 1}})};
}

/// The kind of arithmetic that takes most of its own peak.
std::string chooseArithmetic(const RunFacts& facts, const Executed& executed, const Peaks& peaks)
{
    const Value busyTensor = facts.metric("sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed");
    const Value fp32 = quotient(executed.fp32, peaks.fp32), fp64 = quotient(executed.fp64, peaks.fp64);
    const Value tensor = findLargest({quotient(executed.tensor, peaks.tensorFp16), busyTensor && *busyTensor > 1 ? Value(1e-30) : Value()});
    const double most = findLargest({fp32, fp64, tensor}).value_or(0);
    if (most > 0)
        return tensor == most ? "tensor" : fp64 == most ? "fp64" : "fp32";
    if (const LaunchFacts* launch = facts.launch()) { // no counters: by the code
        if (std::ranges::any_of(launch->opcodes, [](const auto& one) { return isMatrixOpcode(one.first); }))
            return "tensor";
        const auto count = [&](const char* name) { return launch->opcodes.contains(name) ? launch->opcodes.at(name) : 0; };
        if (count("fma.f64") > count("fma.f32"))
            return "fp64";
    }
    return "fp32";
}

Peaks peaksUnder(const RunRecord& run, Roofline& out)
{
    std::optional<double> clock;
    out.clockFrom = "the device's maximum";
    if (run.metrics && run.metrics->clockMhz) {
        clock = run.metrics->clockMhz;
        out.clockFrom = "the counted pass";
    } else if (run.timing && run.timing->clockMhz) {
        clock = run.timing->clockMhz;
        out.clockFrom = "the timing";
    }
    Peaks peaks = computePeaks(run.device, clock);
    out.clockMhz = peaks.clockMhz;
    return peaks;
}

const char* metricsAt(MemoryLevel level)
{
    switch (level) {
    case MemoryLevel::dram: return "dram__bytes_read.sum and dram__bytes_write.sum";
    case MemoryLevel::l2: return "lts__t_bytes.sum";
    case MemoryLevel::l1: break;
    }
    return "l1tex__t_sectors.sum";
}

/// Points of one launch's work at each level. `kind` "useful" or "executed".
void addMeasured(Roofline& out, const RunRecord& run, Value work, Value ns, const char* kind)
{
    for (const MemoryLevel level : kMemoryLevels) {
        const Value bytes = bytesAt(run, level);
        if (work && *work > 0 && bytes && *bytes > 0 && ns && *ns > 0)
            out.points.push_back({toText(run.kernel), *work / *bytes, *work / *ns * 1e9, true, level, kind});
    }
}

void addReached(Roofline& out, const RunRecord& run, const Executed& executed, Value ns)
{
    const auto add = [&](const char* id, Value work) {
        if (const Value rate = times(quotient(work, ns), 1e9))
            out.reached[id] = *rate;
    };
    add("dram", bytesAt(run, MemoryLevel::dram));
    add("l2", bytesAt(run, MemoryLevel::l2));
    add("l1", bytesAt(run, MemoryLevel::l1));
    add("fp32", executed.fp32);
    add("fp64", executed.fp64);
    add("tensor", executed.tensor);
}

/// A roof that the run exceeds is none: it becomes what the run reached, and says so.
void raiseExceeded(Roofline& out)
{
    for (Roof& roof : out.roofs) {
        const auto reached = out.reached.find(roof.id);
        if (reached == out.reached.end() || reached->second <= roof.value)
            continue;
        roof.value = reached->second;
        roof.reachedHere = true;
        roof.label = fmt::format("{} {} reached by this kernel", roofKind(roof.id).title,
                                 roof.slanted ? formatBandwidth(roof.value) : formatFlops(roof.value));
    }
}

void tellMissing(Roofline& out, const RunRecord& run)
{
    if (!run.metrics) {
        out.missing.emplace_back("measured traffic: the run has no hardware counters");
        return;
    }
    for (const MemoryLevel level : kMemoryLevels)
        if (!bytesAt(run, level))
            out.missing.push_back(fmt::format("{} traffic: {} not collected", titleFor(level), metricsAt(level)));
    if (!out.executedFlops)
        out.missing.emplace_back("executed FLOPs: no instruction counts were collected");
    if (!out.flops)
        out.missing.emplace_back("useful FLOPs: the kernel has no formula for its work");
}

} // namespace

std::span<const RoofKind> roofKinds()
{
    return kRoofKinds;
}

const RoofKind& roofKind(std::string_view id)
{
    return *std::ranges::find(kRoofKinds, id, &RoofKind::id);
}

const RoofKind& roofKind(MemoryLevel level)
{
    return *std::ranges::find_if(kRoofKinds, [&](const RoofKind& kind) { return kind.level == level; });
}

std::string_view titleFor(MemoryLevel level)
{
    return roofKind(level).title;
}

std::optional<double> bytesAt(const RunRecord& run, MemoryLevel level)
{
    const RunFacts facts(run);
    switch (level) {
    case MemoryLevel::dram: {
        const Value read = facts.metric("dram__bytes_read.sum"), written = facts.metric("dram__bytes_write.sum");
        return read && written ? Value(*read + *written) : std::nullopt;
    }
    case MemoryLevel::l2: return facts.metric("lts__t_bytes.sum");
    case MemoryLevel::l1: break;
    }
    return times(facts.metric("l1tex__t_sectors.sum"), kL1SectorBytes);
}

Roofline computeRoofline(const RunRecord& run)
{
    Roofline out;
    const RunFacts facts(run);
    const Peaks peaks = peaksUnder(run, out);
    addRoofs(out, peaks);
    const Executed executed = collectExecuted(facts);
    out.compute = chooseArithmetic(facts, executed, peaks);
    if (executed.fp32) // the tensor cores' alone are not all of a kernel's
        out.executedFlops = sumValues({executed.fp32, executed.fp64, executed.half, executed.tensor});
    if (run.flops > 0)
        out.flops = run.flops;
    const bool oneLaunch = run.launches.size() <= 1;
    const Value whole = facts.sequenceNs(), counted = facts.launchNs();
    if (out.flops && run.idealBytes > 0 && whole && *whole > 0)
        out.points.push_back(
            {toText(run.kernel), run.flops / run.idealBytes, run.flops / *whole * 1e9, false, MemoryLevel::dram, "analytic"});
    if (oneLaunch) {
        addMeasured(out, run, out.flops, counted, "useful");
        out.trafficAmplification = run.idealBytes > 0 ? quotient(bytesAt(run, MemoryLevel::dram), run.idealBytes) : std::nullopt;
        out.flopAmplification = out.flops ? quotient(out.executedFlops, out.flops) : std::nullopt;
    }
    addMeasured(out, run, out.executedFlops, counted, "executed");
    addReached(out, run, executed, counted);
    raiseExceeded(out);
    tellMissing(out, run);
    return out;
}

const RooflinePoint* mainPoint(const Roofline& roofline, MemoryLevel level)
{
    for (const char* kind : {"useful", "executed", "analytic"})
        for (const RooflinePoint& point : roofline.points)
            if (point.kind == kind && point.level == level)
                return &point;
    return nullptr;
}

std::string amplificationNote(const Roofline& roofline)
{
    return roofline.trafficAmplification.value_or(1) < kLessThanNeeded
               ? "Less than the minimum: part of its data stays in L2 and moves outside the launch."
               : std::string();
}

const Roof* findRoof(const Roofline& roofline, std::string_view id, bool measured)
{
    const auto found = std::ranges::find_if(roofline.roofs, [&](const Roof& roof) { return roof.id == id && roof.measured == measured; });
    return found == roofline.roofs.end() ? nullptr : &*found;
}

} // namespace kl::inline diagnosis
