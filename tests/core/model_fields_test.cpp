// SPDX-License-Identifier: MIT
// Every member of the model under its own name in JSON: stored runs, recordings and the answers of the command line depend on it.
#include "core/codec/model_fields.h"
#include "core/codec/timeline_fields.h"
#include "tests/support/held_members.h"

#include <gtest/gtest.h>

namespace kl {
namespace {

/// `text` has every member, none with its default or with the value of another: all are there after reading and writing.
template <class T> void expectAllMembers(const std::string& text)
{
    const Result<Json> wanted = parseJson(text, "text");
    ASSERT_TRUE(wanted.ok()) << wanted.error().message;
    const Result<T> read = fromJson<T>(*wanted, "text");
    ASSERT_TRUE(read.ok()) << read.error().message;
    test::expectHeld(*wanted, toJson(*read), "");
}

const std::string kSummary = R"({"median":1,"low":0.5,"high":2,"n":3})";

TEST(ModelFields, OfADevice)
{
    expectAllMembers<DeviceInfo>(R"({"uuid":"GPU-1","name":"H200","cc_major":1,"cc_minor":2,"sm_count":3,"memory_bytes":4,"l2_bytes":5,)"
                                 R"("smem_per_block_optin":6,"smem_per_sm":7,"smem_reserved_per_block":8,"max_threads_per_sm":9,)"
                                 R"("max_blocks_per_sm":10,"regs_per_sm":11,"clock_mhz":12,"memory_clock_mhz":13,"memory_bus_bits":14,)"
                                 R"("chip":"GH100","driver_version":"580","cuda_driver_version":13000})");
}

TEST(ModelFields, OfTimes)
{
    expectAllMembers<Timing>(R"({"gpu_ns":{"median":1,"low":0.5,"high":2,"n":3},"gpu_ns_hot":4,"host_ns":5,)"
                             R"("clock_mhz":6,"busy_fraction":0.75,"samples":[8],"clocks":[9],"hot_samples":[10],)"
                             R"("host_samples":[11],"discarded":12,"stopped_by":"samples","temperature_c":13,"power_w":14,)"
                             R"("throttle_reasons":["hot"],"energy":{"energy_per_launch_j":15,"window_s":16,"launches":17,"updates":18,)"
                             R"("reason":"why"}})");
    expectAllMembers<Baseline>(R"({"name":"cuBLAS","gpu_ns":)" + kSummary +
                               R"(,"host_ns":4,"version":"13","unavailable":"why","id":"cublas","kernels_ns":5,)"
                               R"("kernels":["gemm"],"max_abs":6,"rel_l2":7,"memory_bytes":8})");
}

TEST(ModelFields, OfCorrectness)
{
    expectAllMembers<Correctness>(
        R"({"result":"incorrect","max_abs":1,"rel_l2":2,"nonfinite":3,"unwritten":4,"reason":"why","suite":[{"problem":"M=1","pass":true,)"
        R"("max_abs":5,"rel_l2":6,"nonfinite":7,"unwritten":8,"reason":"r","first_wrong":{"buffer":"a","...":0},"peer_max_abs":9,)"
        R"("mean_abs":10}],"first_wrong":{"buffer":"b","index":11,"expected":12,"got":13,"fault":"wrong","element":"m=3",)"
        R"("thread":"block 1","thread_by":"usual"},"seed":14,"peer_max_abs":15,"mean_abs":16,"witness":{"what":"w","pass":17,"buffer":"c",)"
        R"("index":18,"expected":19,"got":20,"address":"0x7f","global":"g"},"proof":{"input_sets":21,"passes":22,"checked":23,)"
        R"("new_inputs":false,"note":"n"}})");
}

TEST(ModelFields, OfADiagnosis)
{
    expectAllMembers<Diagnosis>(
        R"({"finding":{"class":"uncoalesced","title":"t","priority":"P1","confidence":0.5,"inferred":true,"path":[{"node":"n","metric":"m",)"
        R"("value":1,"threshold":2,"sense":"<=","taken":true}],"estimate":{"runtime_reduction":0.25,"how":"h"},"fixes":[{"id":"a/b",)"
        R"("title":"f","pattern":"p","confidence":0.75,"variant":"v","why":"w","kind":"k","cases":3,"gain":0.125}]},"secondary":[{)"
        R"("class":"latency","...":0}],"tree_version":"7"})");
}

TEST(ModelFields, OfComparisons)
{
    expectAllMembers<EnergyComparison>(R"({"ratio":{"value":1,"low":0.5,"high":2},"a_j":3,"b_j":4,"blocks":5,"reason":"why"})");
    expectAllMembers<WallComparison>(R"({"ratio":{"value":1,"...":0},"a_ns":3,"b_ns":4})");
    expectAllMembers<NoiseFloor>(R"({"value":0.5,"from":"5 repeats"})");
    expectAllMembers<RefutedSide>(R"({"side":"b","result":"replays","witness":{"what":"w","...":0}})");
    expectAllMembers<AbBlock>(R"({"a":[1],"b":[2]})");
    expectAllMembers<Difference>(R"({"name":"n","a":"1","b":"2","change":3})");
}

TEST(ModelFields, OfWarningsAndChecks)
{
    expectAllMembers<Warning>(R"({"code":"c","text":"t"})");
    expectAllMembers<EnvCheck>(R"({"id":"driver","requirement":"optional","result":"fail","found":"f","why":"w","fix":"x"})");
}

TEST(ModelFields, OfLaunches)
{
    expectAllMembers<LaunchFacts>(
        R"({"entry":"e","grid_blocks":1,"block_threads":2,"registers":3,"local_bytes":4,"static_smem":5,"dynamic_smem":6,)"
        R"("blocks_per_sm":7,"theoretical_occupancy":0.5,"occupancy_limiter":"registers","waves":8,"cluster_blocks":9,"gpu_ns":28,"opcodes":{"mma":10},"warp":{"warps":11,"complete":false,"instructions":12,"active_threads":13,"unknown_branches":14,)"
        R"("executed":{"mma":15},"loads":{"requests":16,"sectors":17,"ideal":18,"unknown":19},"stores":{"requests":20,"...":0},)"
        R"("block_sectors":21,"shared_requests":22,"shared_wavefronts":23,"shared_ideal":24,"atomic_requests":25,"atomic_threads":26,)"
        R"("atomic_addresses":27}})");
    expectAllMembers<Experiment>(R"({"id":"fewer-blocks","change":"c","ratio":1.5,"n":2,"unavailable":"why"})");
}

TEST(ModelFields, OfMetrics)
{
    expectAllMembers<MetricSet>(R"({"tier":3,"metrics":{"a.sum":1,"b.sum":null},"missing":{"b.sum":"why"},"spelled":{"a":"b"},"plan":{)"
                                R"("passes":4,"ran":5},"launch":"l","range_mode":"r","replay_mode":"p","cache_control":"none",)"
                                R"("clock_mhz":6})");
    expectAllMembers<PmSampling>(R"({"launch":"l","interval_ns":1,"passes":[{"end_ns":[2],"series":[{"metric":"m","values":[3]}]}],)"
                                 R"("unavailable":"why"})");
}

TEST(ModelFields, OfSourceLines)
{
    expectAllMembers<SourceProfile>(
        R"({"launch":"l","samples":1,"dropped":2,"period_cycles":3,"lines":[{"file":"k.cu","line":4,"samples":5,"share":0.5,"stalls":{)"
        R"("wait":6},"executed":7,"threads":8,"waits_for":{"k.cu:1":9}}],"instructions":[{"function":"f","offset":10,"file":"h.cu",)"
        R"("line":11,"samples":12,"stalls":{"math":13},"executed":14,"threads":15}],"texts":{"k.cu":"text"},"unavailable":"u",)"
        R"("counts_unavailable":"c"})");
}

TEST(ModelFields, OfAProgramsKernel)
{
    expectAllMembers<ProgramFacts>(R"({"command":["python3","a.py"],"kernel":"k","launches":1,"total_ns":2,"share":0.5,"ranges":["step"],)"
                                   R"("profiled_launch":3})");
}

TEST(ModelFields, OfAnotherToolsReport)
{
    expectAllMembers<ImportFacts>(
        R"({"file":"a.ncu-rep","file_hash":"h","index":1,"format":"ncu-rep","tool":"ncu","kind":"kernel","kernel":"k","mangled":"_Zk",)"
        R"("process":"python3","pid":2,"host":"node","command":"python3 a.py","grid":[3,4,5],"block":[6,7,8],"context":9,"stream":10,)"
        R"("ranges":["step"],"texts":{"m":"t"},"rules":[{"section":"s","rule":"r","title":"i","kind":"warning","text":"x",)"
        R"("speedup_percent":11,"speedup_scope":"local","focus":[{"metric":"m","value":12,"info":"n"}],"places":[{"file":"k.cu","line":13,)"
        R"("text":"p"}]}]})");
}

TEST(ModelFields, OfATimeline)
{
    expectAllMembers<Timeline>(
        R"({"entry":"e","grid_blocks":1,"block_warps":2,"recorded_blocks":3,"automatic":true,"sites":[{"id":4,"kind":"wait-end",)"
        R"("sync":"cluster","name":"n","line":5,"copies":true}],"warps":[{"block":6,"warp":7,"sm":8,"begin_cycle":9,"begin_ns":10,)"
        R"("end_cycle":11,"end_ns":12,"lost":13,"marks":[4,14,15,4,16,17]}],"overhead":[{"a":[18],"b":[19]}],"no_overhead":"o",)"
        R"("notes":["t"]})");
    EXPECT_EQ(fromJson<WarpMarks>(*parseJson(R"({"marks":[4,14,15,4,16,17]})", "marks"), "marks")->marks.at(1),
              (TimelineMark{4, 30, 17})); // cycles count from the mark before
    EXPECT_FALSE(fromJson<WarpMarks>(*parseJson(R"({"marks":[4,14]})", "marks"), "marks").ok());
}

} // namespace
} // namespace kl
