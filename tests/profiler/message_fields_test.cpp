// SPDX-License-Identifier: MIT
// Every member of every message under its own name: recordings and workers of other versions depend on the names, and a member that is
// left out of a message, or written under another one's name, is a setting that is ignored.
#include "core/codec/json.h"
#include "profiler/protocol/build_messages.h"
#include "profiler/protocol/build_request.h"
#include "profiler/protocol/count_messages.h"
#include "profiler/protocol/launch_request.h"
#include "profiler/protocol/message_codec.h"
#include "profiler/protocol/metric_messages.h"
#include "profiler/protocol/program_messages.h"
#include "profiler/protocol/program_trace.h"
#include "profiler/protocol/sanitize_messages.h"
#include "profiler/protocol/timeline_messages.h"
#include "profiler/protocol/timing_messages.h"
#include "tests/support/held_members.h"

#include <gtest/gtest.h>

namespace kl {
namespace {

/// `text` has every member of the message, none with its default or with the value of another: all are there after reading and writing.
template <class M> void expectAllMembers(const std::string& text, const char* name)
{
    const Result<Json> wanted = parseJson(text, name);
    ASSERT_TRUE(wanted.ok()) << wanted.error().message;
    const Result<M> read = fromJsonMessage<M>(*wanted);
    ASSERT_TRUE(read.ok()) << read.error().message;
    test::expectHeld(*wanted, toJsonMessage(*read), name);
}

const std::string kWholeLaunch =
    R"({"entry":"tiled","grid":[2,3,4],"block":[32,8,5],"dynamic_smem":4224,"args":[{"buffer":"in","scalar":null,"value":0,)"
    R"("tensor_map":{"dims":[64,65],"strides":[128],"box":[16,17],"element_strides":[1,2],"swizzle":"64B","interleave":"16B",)"
    R"("l2_promotion":"256B","oob_fill":"nan"}},{"buffer":"","scalar":"u64","value":7.5,"tensor_map":null}],"repeat":6,"cluster":[1,2,3],)"
    R"("cooperative":true,"programmatic":true,"parameters":"cGFy","carveout":40})";

const std::string kWork =
    R"({"kernel":"transpose/tiled","problem":"M=64","source":"text","source_hash":"hash","headers":{"a.h":"in it"},)"
    R"("image":{"ptx":true,"name":"k.ptx","base64":"cHR4"},"options":["-DTILE=32"],"targets":["sm_90a","sm_100a"],"launches":[)" +
    kWholeLaunch +
    R"(],"graph":true,"deterministic":false,"state":["counter"],"variables":{"table":"dGFi"},"arithmetic":"bf16","buffers":[)"
    R"({"name":"in","type":"f16","count":4160,"role":"scratch","fill":"outliers","scale":0.5,"content":"Y29u","packed":true,)"
    R"("address":4096,"after":"YWZ0"}],"reference":{"function":"matmul","params":{"M":64},"inputs":["in"],"output":"out",)"
    R"~("expression":"in(i)","index":[{"name":"i","count":8}],"sum":[{"name":"k","count":9}],"kernel":{"kernel":"t/naive",)~"
    R"("source":"plain","headers":{"b.h":"b"},"image":{"ptx":false,"name":"k.cubin","base64":"Y3Vi"},"options":["-O1"],"targets":["sm_80"],)"
    R"("launches":[{"entry":"plain","...":0}]},"data":{"type":"f32","base64":"ZGF0"},"script":{"name":"r.py","text":"import","timeout_s":11}},)"
    R"("tolerance":{"max_abs":0.25,"rel_l2":0.125},"baseline":{"kind":"python","name":"cuBLAS","op":"matmul","params":{"K":3},)"
    R"("fallback":"roof","id":"cublas"},"flops":12,"ideal_bytes":34,"seed":56})";

const std::string kSomeWork = R"({"kernel":"a/b","...":0})";

std::string runRequest()
{
    return R"({"work":)" + kSomeWork +
           R"(,"suite":[{"kernel":"c/d","...":0}],"timed":false,"with_baseline":false,"max_samples":21,)"
           R"("min_seconds":0.2,"max_seconds":4,"baselines":[{"kind":"copy","...":0}],"trial":true,"energy":false})";
}

TEST(MessageFields, OfAWork)
{
    expectAllMembers<CompileRequest>(R"({"work":)" + kWork + "}", "compile");
    expectAllMembers<BuildRequest>(R"({"work":)" + kSomeWork + R"(,"arch":"sm_100"})", "build");
}

TEST(MessageFields, OfAGreetingAndOfProgress)
{
    expectAllMembers<Hello>(R"({"protocol":7,"version":"1.2","host":"node","devices":[{"name":"GPU","...":0}],"device":3,)"
                            R"("unavailable":"why","contents":true})",
                            "hello");
    expectAllMembers<Progress>(R"({"seq":4,"step":"pass 2","elapsed_s":1.5,"expected_s":9})", "progress");
}

TEST(MessageFields, OfChecksOfAMachine)
{
    expectAllMembers<ProbeAnswer>(R"({"devices":[{"name":"GPU","...":0}],"counters_permitted":true,"counters_reason":"why","nvrtc":"13.0",)"
                                  R"("cupti":"13.1","python":"3.12"})",
                                  "probe");
    expectAllMembers<EnvRequest>(R"({"required_torch":"2.11","disk_path":"/d","smoke":)" + kSomeWork +
                                     R"(,"extension":{"module":"m","folder":"/f","build":["make","all"],"import_folder":"/i","max_jobs":5,)"
                                     R"("timeout_s":20,"log_file":"/l","file":"/p","file_hash":"h"}})",
                                 "environment");
}

TEST(MessageFields, OfRuns)
{
    expectAllMembers<RunRequest>(runRequest(), "run");
    expectAllMembers<ProfileRequest>(R"({"run":)" + runRequest() +
                                         R"(,"tier":1,"metrics":["a.sum"],"max_passes":5,"source":true,)"
                                         R"("cache_control":"none","counters":false,"experiments":true,"pm_sampling":false})",
                                     "profile");
    expectAllMembers<CountRequest>(R"({"works":[)" + kSomeWork + R"(],"tier":1,"metrics":["a.sum"],"max_passes":5,"cache_control":"none"})",
                                   "count");
    expectAllMembers<LaunchRequest>(R"({"work":)" + kSomeWork + R"(,"repeat":5})", "launch");
    expectAllMembers<SanitizeRequest>(R"({"work":)" + kSomeWork + R"(,"tool":"racecheck"})", "sanitize");
    expectAllMembers<TimelineRequest>(R"({"work":)" + kSomeWork + R"(,"automatic":true,"blocks":3,"marks":128,"overhead":false})",
                                      "timeline");
    expectAllMembers<AbRequest>(R"({"a":)" + kSomeWork +
                                    R"(,"b":{"kernel":"c/d","...":0},"first_block":20,"blocks":5,"per_block":6,)"
                                    R"("check":false,"energy":true})",
                                "ab");
}

TEST(MessageFields, OfAnswers)
{
    expectAllMembers<CompileAnswer>(
        R"({"status":"compilation_failed","reason":"why","log":"l","arch":"sm_90","launches":[{"entry":"e","...":0}],)"
        R"("seconds":2})",
        "compile");
    const std::string run =
        R"({"status":"validation_failed","reason":"why","device":{"name":"GPU","...":0},"correctness":{"seed":3,"...":0},"timing":{"discarded":4,)"
        R"("...":0},"memory_bytes":77,"baseline":{"name":"one","...":0},"baselines":[{"name":"two","...":0}],"launches":[{"entry":"e",)"
        R"("...":0}],"metrics":{"metrics":{"a.sum":1},"...":0},"experiments":[],"source":{"samples":6,"...":0},"pm_sampling":null,)"
        R"("worker_seconds":8,"warnings":[{"code":"c","text":"t"}],"recorded_at":"then","source_hash":"h"})";
    expectAllMembers<RunAnswer>(run, "run");
    expectAllMembers<CountAnswer>(R"({"answers":[)" + run + "]}", "count");
    expectAllMembers<SanitizeAnswer>(R"({"log":"l","trouble":"t"})", "sanitize");
    expectAllMembers<TimelineAnswer>(
        R"({"status":"validation_failed","reason":"why","device":{"name":"GPU","...":0},"correctness":{"seed":3,"...":0},)"
        R"("launches":[{"entry":"e","...":0}],"timeline":{"entry":"f","...":0},"warnings":[{"code":"c",)"
        R"("text":"t"}],"recorded_at":"then","source_hash":"h"})",
        "timeline");
    expectAllMembers<AbAnswer>(
        R"({"status":"validation_failed","reason":"why","device":{"name":"GPU","...":0},"blocks":[{"a":[1,2],"b":[3,4]}],"energy":{"blocks":[)"
        R"({"a":[5],"b":[6]}],"reason":"none"},"correctness_a":{"seed":3,"...":0},"correctness_b":{"seed":4,"...":0},"warnings":[)"
        R"({"code":"c","text":"t"}],"recorded_at":"then","source_hash_a":"h","source_hash_b":"i"})",
        "ab");
}

TEST(MessageFields, OfPrograms)
{
    expectAllMembers<TraceProgramRequest>(R"({"command":["python3","a.py"],"variables":["A=1"],"config":"{}","again":true})", "trace");
    expectAllMembers<TraceProgramAnswer>(R"({"exit_code":137,"signal":9,"wall_s":2.5,"traces":["t"]})", "trace");
    expectAllMembers<ProgramOutput>(R"({"base64":"eA==","errors":true})", "output");
}

TEST(MessageFields, OfMetrics)
{
    expectAllMembers<MetricsRequest>(R"({"chip":"GH100","tier":1,"metrics":["a"],"max_passes":3,"search":"bytes","limit":7})", "metrics");
    expectAllMembers<MetricsAnswer>(
        R"({"chip":"GH100","chips":["GA100"],"names":["a"],"spelled":{"a":"b"},"missing":{"c":"why"},"unknown":{"d":["e"]},"passes":4,)"
        R"("found":[{"name":"f","description":"g","hardware_unit":"dram","unit":"bytes","rollups":["sum"],"passes":2}],"matches":6})",
        "metrics");
}

TEST(MessageFields, OfBuildsOfManyPoints)
{
    expectAllMembers<BuildManyRequest>(
        R"({"source":"text","headers":{"a.h":"b"},"arch":"sm_100","jobs":3,"lines":true,"points":[{"kernel":"k/v","arch":"sm_90a",)"
        R"("options":["-w"],"launches":[{"entry":"e","threads":128,"dynamic_smem":4096}]}]})",
        "build-many");
    expectAllMembers<BuildManyAnswer>(
        R"({"compiler":"NVRTC 13.0","arch":"sm_100","jobs":3,"seconds":1.5,"points":[{"kernel":"k/v","ok":true,"arch":"sm_90a","log":"l",)"
        R"("seconds":0.5,"cached":true,"code":"hash","launches":[{"entry":"e","threads":128,"registers":40,"stack_bytes":16,)"
        R"("spill_stores":24,"spill_loads":32,"static_smem":512,"dynamic_smem":4096,"barriers":2,"opcodes":{"mma":8},"lines":[{"line":7,)"
        R"("opcodes":{"int":3}}]}]}]})",
        "build-many");
}

TEST(MessageFields, OfPhasesOfAWorkersTime)
{
    const std::vector<TimedPart> parts{{"context", 5, 9}, {"compile", 6, 8}};
    EXPECT_EQ(timingsFromJson(timingsToJson(parts)), parts);
}

TEST(MessageFields, OfWhatIsCollectedInAProgram)
{
    const std::string text =
        R"({"kernel":"gemm","skip":3,"count":7,"counters":false,"executions":true,"wanted":[{"kernel":"k","grid_x":1,"grid_y":2,)"
        R"("grid_z":3,"block_x":4,"block_y":5,"block_z":6,"dynamic_smem":7,"range":"r"}],"tier":1,"source":true,"metrics":["a.sum"],)"
        R"("max_passes":5,"max_launches":100,"max_profile_seconds":2.5,"ranges":{"within":"step","each":true},"lift":{"folder":"/f",)"
        R"("max_bytes":8,"all_memory":true},"range_entries":9})";
    const Result<TraceConfig> config = parseTraceConfig(text, "config");
    ASSERT_TRUE(config.ok()) << config.error().message;
    test::expectHeld(*parseJson(text, "config"), *parseJson(encodeTraceConfig(*config), "config"), "config");
}

} // namespace
} // namespace kl
