// SPDX-License-Identifier: MIT
// What is wrong with a descriptor, by the field that is named.
#include "kernels/descriptor_checks.h"
#include "kernels/descriptor_errors.h"
#include "kernels/descriptor_parser.h"

#include <algorithm>
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace kl {
namespace {

constexpr const char* kWhole = R"_({
  "id": "k", "source": "k.cu",
  "sizes": ["N"], "optional_sizes": {"S": "N"},
  "problems": ["N=64", "N=32"], "smallest": "N=1", "suite": ["N=2"],
  "buffers": [{"name": "x", "type": "f32", "count": "N"}, {"name": "w", "type": "f32", "count": "N"},
              {"name": "y", "type": "f32", "count": "N", "role": "output"}],
  "reference": {"expression": "x(i) + w(k)", "index": ["i:N"], "sum": ["k:N"], "inputs": ["x", "w"], "output": "y"},
  "baseline": {"kind": "copy", "params": {"bytes": "8*N"}},
  "baselines": [{"id": "own", "kind": "roof", "params": {"flops": "N"}}],
  "flops": "N", "ideal_bytes": "8*N", "tolerance_scale": "1",
  "tunables": [{"name": "T", "values": [1, 2], "default": 1, "meaning": {"2": "unroll"}},
               {"name": "MODE", "values": ["plain", "xor"], "default": "plain"}],
  "constraints": ["T<=2"],
  "variants": [
    {"id": "a", "constants": {"C": 3}, "launches": [{"entry": "f", "grid": ["N"], "block": ["32"], "args": ["x", "w", "y"]}]},
    {"id": "b", "fixes": "a", "tunables": ["T", "MODE"], "constraints": ["T<3"], "options": ["-DX={N}", "-w"], "when": "N>3",
     "search": {"static_smem": "0", "min_blocks": "1", "other_registers": "20", "fragments": [{"name": "sums", "count": "T"}],
       "global": [{"name": "x", "bytes": "4", "lanes": "32", "pitch": "0", "lane_stride": "4"}],
       "shared": [{"name": "t", "pitch": "128", "row_mask": "0"}]},
     "launches": [{"entry": "g", "grid": ["ceildiv(N,T)", "2"], "block": ["32"], "dynamic_smem": "4*N", "repeat": "2",
       "args": ["x", "w", "y", "i32:N", "f32:N/2"]}]}
  ]
})_";

std::string replaced(std::string text, const std::string& from, const std::string& to)
{
    const auto at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
}

/// The field that the error of the whole descriptor with one change names; empty where there is no error.
std::string faultyField(const std::string& from, const std::string& to, DescriptorChecks checks = DescriptorChecks::formulas)
{
    const Result<KernelFamily> family = parseDescriptor(replaced(kWhole, from, to), "k", checks);
    if (family)
        return {};
    EXPECT_EQ(family.error().code, ErrorCode::badInput);
    const std::string& message = family.error().message; // k:LINE:COLUMN: FIELD: …
    const auto begin = message.find(": ") + 2;
    return message.substr(begin, message.find(": ", begin) - begin);
}

struct Change {
    const char* from;
    const char* to;
    const char* field; ///< empty: no fault
};

TEST(DescriptorChecks, TheWholeDescriptorHasNoFault)
{
    EXPECT_EQ(faultyField("\"k\"", "\"k\""), "");
}

TEST(DescriptorChecks, NamesAreThoseOfOneThing)
{
    for (const auto& [from, to, field] : {Change{R"({"S": "N"})", R"({"N": "N"})", "optional_sizes.N"},
                                          {R"("name": "x")", R"("name": "T")", "buffers[0].name"},
                                          {R"("name": "w")", R"("name": "S")", "buffers[1].name"},
                                          {R"("name": "w")", R"("name": "x")", "buffers[1].name"},
                                          {R"("name": "MODE")", R"("name": "T")", "tunables[1].name"},
                                          {R"("name": "T")", R"("name": "S")", "tunables[0].name"},
                                          {R"("sum": ["k:N"])", R"("sum": ["i:N"])", "reference.sum[0]"},
                                          {R"("sum": ["k:N"])", R"("sum": ["w:N"])", "reference.sum[0]"},
                                          {R"("index": ["i:N"])", R"("index": ["T:N"])", "reference.index[0]"},
                                          {R"("index": ["i:N"])", R"("index": ["i:N", "i:1"])", "reference.index[1]"},
                                          {R"("C": 3)", R"("S": 3)", "variants[0].constants.S"},
                                          {R"("C": 3)", R"("x": 3)", "variants[0].constants.x"},
                                          {R"("C": 3)", R"("T": 3)", ""},
                                          {R"("fixes": "a")", R"("constants": {"T": 3})", "variants[1].constants.T"},
                                          {R"("tunables": ["T", "MODE"])", R"("tunables": ["T", "SIZE"])", "variants[1].tunables[1]"},
                                          {R"("fixes": "a")", R"("fixes": "b")", "variants[1].fixes"},
                                          {R"("fixes": "a")", R"("changes": {"a": "unroll", "b": "unroll"})", "variants[1].changes.b"},
                                          {R"("fixes": "a")", R"("changes": {"a": "unroll"})", ""},
                                          {R"("meaning": {"2")", R"("meaning": {"3")", "tunables[0].meaning.3"},
                                          {R"("default": "plain")", R"("default": "none")", "tunables[1].default"},
                                          {R"("id": "b")", R"("id": "b.ptx")", "variants[1].id"}})
        EXPECT_EQ(faultyField(from, to, DescriptorChecks::structure), field) << to;
}

TEST(DescriptorChecks, ArgumentsAreBuffersOrScalars)
{
    for (const auto& [from, to, field] :
         {Change{R"("y"]}]},)", R"("z"]}]},)", "variants[0].launches[0].args[2]"},
          {R"("y", "i32:N")", R"("z", "i32:N")", "variants[1].launches[0].args[2]"},
          {R"("f32:N/2")", R"("f33:N/2")", "variants[1].launches[0].args[4]"},
          {R"("f32:N/2")", R"({"tensor_map": "q", "dims": ["N"], "box": ["4"]})", "variants[1].launches[0].args[4].tensor_map"},
          {R"("y"]}]},)", R"("y"]}, {"entry": "h", "grid": ["1"], "block": ["1"], "args": ["z"]}]},)", "variants[0].launches[1].args[0]"}})
        EXPECT_EQ(faultyField(from, to, DescriptorChecks::structure), field) << to;
}

TEST(DescriptorChecks, TargetsAreWrittenInFull)
{
    const char* family = R"("source": "k.cu",)";
    for (const auto& [from, to, field] : {Change{family, R"("source": "k.cu", "targets": ["sm_90a", "sm_42"],)", "targets[1]"},
                                          {family, R"("source": "k.cu", "targets": ["sm_90a", "sm_100f"],)", ""},
                                          {R"("fixes": "a")", R"("targets": ["sm_80", "sm_90", "90"])", "variants[1].targets[2]"}})
        EXPECT_EQ(faultyField(from, to, DescriptorChecks::structure), field) << to;
    const auto hint = [](const char* target) {
        const std::string text = replaced(kWhole, R"("fixes": "a")", fmt::format(R"("targets": ["{}"])", target));
        return parseDescriptor(text, "k").error().hint;
    };
    EXPECT_NE(hint("sm_42").find("sm_"), std::string::npos);
}

TEST(DescriptorChecks, OptionsAreJudgedOneByOne)
{
    const char* options = R"("options": ["-DX={N}", "-w"])";
    EXPECT_EQ(faultyField(options, R"("options": ["-w", "-I/"])", DescriptorChecks::structure), "variants[1].options[1]");
    EXPECT_EQ(faultyField(options, R"("options": ["-DX={N}", "-I{N}"])"), "variants[1].options[1]");
    EXPECT_EQ(faultyField(options, R"("options": ["-DX={Q}"])"), "variants[1].options[0]");
    EXPECT_EQ(faultyField(options, R"("options": ["-DX={Q}"])", DescriptorChecks::structure), "") << "formulas are not evaluated";
}

TEST(DescriptorChecks, ABaselineHasWhatItsKindNeeds)
{
    const char* baseline = R"("baseline": {"kind": "copy", "params": {"bytes": "8*N"}})";
    const char* sizes = R"("params": {"B": "1", "H": "1", "S": "N", "D": "64", "bytes": "N"})";
    const auto field = [&](const std::string& fields) { return faultyField(baseline, "\"baseline\": {" + fields + '}'); };
    EXPECT_EQ(field(R"("kind": "python")"), "baseline");
    EXPECT_EQ(field(R"("kind": "copy", "op": "sdpa", "params": {"bytes": "N"})"), "baseline.op");
    EXPECT_EQ(field(R"("kind": "python", "op": "cub-sum")"), "baseline");
    EXPECT_EQ(field(R"("kind": "python", "op": "cub-sum", "params": {"N": "N"})"), "");
    EXPECT_EQ(field(R"("kind": "python", "op": "cub-sum", "params": {"N": "N", "B": "1"})"), "baseline.params.B");
    EXPECT_EQ(field(R"("kind": "python", "op": "sdpa", "params": {"B": "1", "H": "1", "S": "N"})"), "baseline");
    for (const char* kind : {R"("kind": "python", "op": "sdpa", )", R"("kind": "cudnn", )", R"("kind": "cublas", "fallback": "roof", )"})
        EXPECT_EQ(field(std::string(kind) + sizes), "") << kind;
    EXPECT_EQ(field(R"("kind": "cublas", "params": {"B": "1", "H": "1", "S": "N", "D": "64", "N": "N"})"), "baseline.params.N");
    EXPECT_EQ(field(R"("kind": "cublas", "params": {"B": "1", "H": "1", "S": "N", "D": "64", "flops": "N"})"), "baseline.params.flops");
    EXPECT_EQ(field(R"("kind": "roof", "params": {"tensor_flops": "N"})"), "");
    EXPECT_EQ(field(R"("kind": "roof", "params": {"flops": "N"})"), "");
    EXPECT_EQ(field(R"("kind": "roof", "params": {"flops": "0", "bytes": "0"})"), "baseline");
    EXPECT_EQ(field(R"("kind": "roof", "params": {"flops": "-1"})"), "baseline.params.flops");
    EXPECT_EQ(field(R"("kind": "copy", "params": {"bytes": "0"})"), "baseline");
    EXPECT_EQ(field(R"("kind": "copy", "fallback": "roof", "params": {"flops": "N"})"), "baseline") << "a copy has bytes";
    EXPECT_EQ(field(R"("kind": "cudnn", "fallback": "roof", "params": {"B": "1", "H": "1", "S": "N", "D": "64"})"), "baseline");
}

TEST(DescriptorChecks, ABaselineHasAKind)
{
    const std::string both = R"("baseline": {"kind": "copy", "params": {"bytes": "8*N"}},
  "baselines": [{"id": "own", "kind": "roof", "params": {"flops": "N"}}],)";
    const auto field = [&](const std::string& fields) { return faultyField(both, fields); };
    EXPECT_EQ(field(""), "");
    EXPECT_EQ(field(R"("baseline": {"kind": "", "name": "the best"},)"), "baseline.kind");
    EXPECT_EQ(field(R"("baseline": {"kind": "", "fallback": "roof"},)"), "baseline.kind");
    EXPECT_EQ(field(R"("baseline": {"kind": "", "op": "sdpa"},)"), "baseline.op");
    EXPECT_EQ(field(R"("baseline": {"kind": "", "params": {"bytes": "N"}},)"), "baseline.kind");
    EXPECT_EQ(field(R"("baseline": {"kind": "", "params": {"bytes": "N"}}, "baselines": [{"id": "a", "kind": "copy"}],)"), "")
        << "parameters for those of the list";
    EXPECT_EQ(field(R"("baseline": {"kind": "", "params": {"bytes": "0"}}, "baselines": [{"id": "a", "kind": "copy"}],)"), "baselines[0]");
    EXPECT_EQ(field(R"("baselines": [{"id": "all", "kind": "roof", "params": {"flops": "N"}}],)"), "baselines[0]");
    EXPECT_EQ(field(R"("baselines": [{"id": "a", "kind": "roof", "params": {"flops": "N"}}, {"id": "b", "kind": "cudnn"}],)"),
              "baselines[1]");
    EXPECT_EQ(field(R"("baselines": [{"id": "a", "kind": "roof", "params": {"flops": "N", "M": "1"}}],)"), "baselines[0].params.M");
}

TEST(DescriptorChecks, AReferenceIsOfOneKindAndNamesItsBuffers)
{
    const char* reference =
        R"_("reference": {"expression": "x(i) + w(k)", "index": ["i:N"], "sum": ["k:N"], "inputs": ["x", "w"], "output": "y"})_";
    const auto field = [&](const std::string& fields) { return faultyField(reference, "\"reference\": {" + fields + '}'); };
    const char* const kinds[] = {R"("function": "copy", "inputs": ["x"])", R"("expression": "x")", R"("kernel": "a")", R"("file": "y.npy")",
                                 R"("python": "y.py")"};
    for (const char* one : kinds) {
        EXPECT_EQ(field(one), "") << one;
        for (const char* other : kinds)
            if (one != other) {
                EXPECT_EQ(field(std::string(one) + ", " + other), "reference") << one << other;
            }
    }
    EXPECT_EQ(field(R"("expression": "x", "output": "q")"), "reference.output");
    EXPECT_EQ(field(R"("output": "q")"), "reference.output");
    EXPECT_EQ(field(R"("expression": "x", "inputs": ["x", "y"])"), "reference.inputs[1]");
    EXPECT_EQ(field(R"("expression": "x", "inputs": ["q"])"), "reference.inputs[0]");
    EXPECT_EQ(field(R"("function": "copy", "inputs": ["x"], "index": ["i:N"])"), "reference");
    EXPECT_EQ(field(R"("kernel": "a", "sum": ["i:N"])"), "reference");
    EXPECT_EQ(field(R"("kernel": "q")"), "reference.kernel");
    EXPECT_EQ(field(""), "");
}

TEST(DescriptorChecks, FormulasAreEvaluatedEverywhere)
{
    for (const auto& [from, to, field] :
         {Change{R"("count": "N"})", R"("count": "Q"})", "buffers[0].count"},
          {R"("count": "N"})", R"("count": "N", "type_when": {"f16": "Q"}})", "buffers[0].type_when.f16"},
          {R"("count": "N"})", R"("count": "N", "fill_when": {"zeros": "Q"}})", "buffers[0].fill_when.zeros"},
          {R"("count": "N"})", R"("count": "N", "fill": "file", "file": "x_{Q}.npy"})", "buffers[0].file"},
          {R"("sum": ["k:N"])", R"("sum": ["k:Q"])", "reference.sum[0]"},
          {R"("sum": ["k:N"])", R"("sum": ["k:0"])", "reference.sum[0]"},
          {R"("index": ["i:N"])", R"("index": ["i:0"])", "reference.index[0]"},
          {R"({"S": "N"})", R"({"S": "Q"})", "optional_sizes.S"},
          {R"({"S": "N"})", R"({"S": "-1"})", "optional_sizes.S"},
          {R"({"S": "N"})", R"({"S": "0"})", ""},
          {R"("flops": "N", )", R"("flops": "-N", )", "flops"},
          {R"("flops": "N", )", R"("flops": "0", )", ""},
          {R"("ideal_bytes": "8*N")", R"("ideal_bytes": "-1")", "ideal_bytes"},
          {R"("tolerance_scale": "1")", R"("tolerance_scale": "Q")", "tolerance_scale"},
          {R"("flops": "N"})", R"("flops": "Q"})", "baselines[0].params.flops"},
          {R"("constraints": ["T<=2"])", R"("constraints": ["Q"])", "constraints[0]"},
          {R"("constraints": ["T<3"])", R"("constraints": ["T<3", "Q"])", "variants[1].constraints[1]"},
          {R"("when": "N>3")", R"("when": "Q")", "variants[1].when"},
          {R"("fixes": "a")", R"("expected": "atomics", "expected_when": "SMS>Q")", "variants[1].expected_when"},
          {R"("fixes": "a")", R"("expected": "atomics", "expected_when": "SMS>N")", ""}})
        EXPECT_EQ(faultyField(from, to), field) << to;
}

TEST(DescriptorChecks, SearchRulesAreEvaluatedEach)
{
    for (const auto& [from, to, field] : {Change{R"("static_smem": "0")", R"("static_smem": "-1")", "static_smem"},
                                          {R"("min_blocks": "1")", R"("min_blocks": "0")", "min_blocks"},
                                          {R"("other_registers": "20")", R"("other_registers": "Q")", "other_registers"},
                                          {R"("count": "T")", R"("count": "Q")", "fragments[0].count"},
                                          {R"("bytes": "4")", R"("bytes": "0")", "global[0].bytes"},
                                          {R"("lanes": "32")", R"("lanes": "0")", "global[0].lanes"},
                                          {R"("lanes": "32")", R"("lanes": "1")", nullptr},
                                          {R"("pitch": "0")", R"("pitch": "-1")", "global[0].pitch"},
                                          {R"("lane_stride": "4")", R"("lane_stride": "-1")", "global[0].lane_stride"},
                                          {R"("lane_stride": "4")", R"("lane_stride": "0")", nullptr},
                                          {R"("pitch": "128")", R"("pitch": "0")", "shared[0].pitch"},
                                          {R"("row_mask": "0")", R"("row_mask": "-1")", "shared[0].row_mask"}})
        EXPECT_EQ(faultyField(from, to), field ? std::string("variants[1].search.") + field : "") << to;
}

TEST(DescriptorChecks, LaunchesAreWithinTheLimitsOfEveryGpu)
{
    for (const auto& [from, to, field] : {Change{R"("grid": ["N"])", R"("grid": ["2147483647"])", nullptr},
                                          {R"("grid": ["N"])", R"("grid": ["2147483648"])", "grid[0]"},
                                          {R"("grid": ["N"])", R"("grid": ["1", "65535", "65535"])", nullptr},
                                          {R"("grid": ["N"])", R"("grid": ["1", "1", "65536"])", "grid[2]"},
                                          {R"("grid": ["N"])", R"("grid": ["1", "0"])", "grid[1]"},
                                          {R"("block": ["32"])", R"("block": ["1024"])", nullptr},
                                          {R"("block": ["32"])", R"("block": ["1025"])", "block[0]"},
                                          {R"("block": ["32"])", R"("block": ["1", "1025"])", "block[1]"},
                                          {R"("block": ["32"])", R"("block": ["16", "1", "64"])", nullptr},
                                          {R"("block": ["32"])", R"("block": ["33", "32"])", "block"},
                                          {R"("block": ["32"])", R"("block": ["0"])", "block[0]"},
                                          {R"("block": ["32"])", R"("block": ["32"], "dynamic_smem": "-1")", "dynamic_smem"},
                                          {R"("block": ["32"])", R"("block": ["32"], "repeat": "-1")", "repeat"},
                                          {R"("block": ["32"])", R"("block": ["32"], "repeat": "1000001")", "repeat"},
                                          {R"("block": ["32"])", R"("block": ["32"], "repeat": "1000000")", nullptr},
                                          {R"("grid": ["N"])", R"("grid": ["4*N", "2"], "cluster": ["4", "2"])", nullptr},
                                          {R"("grid": ["N"])", R"("grid": ["4*N", "3"], "cluster": ["4", "2"])", "grid"},
                                          {R"("grid": ["N"])", R"("grid": ["4*N"], "cluster": ["4", "2"])", "grid"},
                                          {R"("grid": ["N"])", R"("grid": ["17*N"], "cluster": ["17"])", "cluster"}})
        EXPECT_EQ(faultyField(from, to), field ? std::string("variants[0].launches[0].") + field : "") << to;
    EXPECT_EQ(faultyField(R"("i32:N")", R"("i32:N/3")"), "variants[1].launches[0].args[3]");
    EXPECT_EQ(faultyField(R"("f32:N/2")", R"("f32:Q")"), "variants[1].launches[0].args[4]");
}

/// Each size of the descriptor is tried: the problems, the smallest, and the suite.
TEST(DescriptorChecks, FormulasHoldOnEverySize)
{
    for (const int size : {64, 32, 1, 2}) {
        const std::string grid = fmt::format(R"_("grid": ["abs(N-{})"])_", size);
        const Result<KernelFamily> family = parseDescriptor(replaced(kWhole, R"("grid": ["N"])", grid), "k", DescriptorChecks::formulas);
        ASSERT_FALSE(family) << size;
        EXPECT_NE(family.error().message.find(fmt::format("(at N={})", size)), std::string::npos) << family.error().message;
        const std::string optional = fmt::format(R"_({{"S": "abs(N-{})-1"}})_", size);
        EXPECT_EQ(faultyField(R"({"S": "N"})", optional), "optional_sizes.S") << size;
    }
}

TEST(DescriptorChecks, SizesHaveWholeNumbersOfTheirOwn)
{
    for (const auto& [from, to, field] : {Change{R"("problems": ["N=64", "N=32"])", R"("problems": ["N=64", "N"])", "problems[1]"},
                                          {R"("problems": ["N=64", "N=32"])", R"("problems": ["N=64", "S=32"])", "problems[1]"},
                                          {R"("problems": ["N=64", "N=32"])", R"("problems": ["N=64", "N=32,S=3"])", ""},
                                          {R"("problems": ["N=64", "N=32"])", R"("problems": ["N=64", "N=32,T=1"])", "problems[1]"},
                                          {R"("smallest": "N=1")", R"("smallest": "N=x")", "smallest"},
                                          {R"("smallest": "N=1")", R"("smallest": "N=-1")", "smallest"},
                                          {R"("smallest": "N=1")", R"("smallest": "N=1,S=big")", "smallest"},
                                          {R"("suite": ["N=2"])", R"("suite": ["N=2", "N=3,S=-1"])", "suite[1]"},
                                          {R"("suite": ["N=2"])", R"("suite": ["N=9007199254740992"])", ""},
                                          {R"("suite": ["N=2"])", R"("suite": ["N=9007199254740993"])", "suite[0]"},
                                          {R"("suite": ["N=2"])", R"("suite": ["N=0"])", ""}})
        EXPECT_EQ(faultyField(from, to, DescriptorChecks::structure), field) << to;
}

TEST(DescriptorChecks, GoAsFarAsTheyAreAsked)
{
    const char* title = R"("id": "k", )";
    EXPECT_EQ(faultyField(title, R"("id": "k", "color": 3, )", DescriptorChecks::none), "") << "the schema is not applied";
    EXPECT_EQ(faultyField(R"("fixes": "a")", R"("fixes": "q")", DescriptorChecks::none), "");
    EXPECT_EQ(faultyField(R"("flops": "N", )", R"("flops": "Q", )", DescriptorChecks::structure), "");
}

TEST(DescriptorErrors, HintsFollowFromTheFault)
{
    const auto hint = [](const std::string& text) { return parseDescriptor(text, "k").error().hint; };
    const std::string utf8 = hint("\xfe\xff{}"), comments = hint("{/* one */}");
    EXPECT_FALSE(utf8.empty());
    EXPECT_FALSE(comments.empty());
    EXPECT_NE(utf8, comments);
    EXPECT_EQ(hint("\xff\xfe{}"), utf8);
    EXPECT_EQ(hint(std::string("{\0\"\0", 4)), utf8);
    EXPECT_EQ(hint("{\"id\": \"\xff\"}"), utf8);
    EXPECT_EQ(hint("{\"id\": 1 // one\n}"), comments);
    EXPECT_NE(hint("{\"id\": 1e999}"), hint("{\"id\" 1}"));
    EXPECT_NE(hint("{\"id\": 1e999}"), utf8);
    EXPECT_NE(hint("{\"id\" 1}"), comments);
}

TEST(DescriptorErrors, TwentyFaultsAreListedInTheirOrder)
{
    std::string many;
    for (int i = 0; i < 25; ++i)
        many += fmt::format("\"q{:02}\": 1, ", i);
    const Result<KernelFamily> family = parseDescriptor(replaced(kWhole, R"("id": "k", )", R"("id": "k", )" + many), "k");
    ASSERT_FALSE(family);
    EXPECT_EQ(family.error().where, "k:2:14");
    EXPECT_NE(family.error().message.find("q00"), std::string::npos) << family.error().message;
    const std::string& detail = family.error().detail;
    EXPECT_EQ(std::ranges::count(detail, '\n'), 18) << detail;
    EXPECT_EQ(detail.find("k:2:24: q01"), 0U) << detail;
    EXPECT_NE(detail.find("q19"), std::string::npos);
    EXPECT_EQ(detail.find("q20"), std::string::npos);
}

TEST(DescriptorErrors, AnErrorOfAFieldGetsItsPlace)
{
    const Error error{.code = ErrorCode::badInput, .message = "Too many.", .hint = "Fewer.", .where = "b"};
    const Error placed = placeError("{\"a\": 1,\n \"b\": 2}", "f.json", "b", error);
    EXPECT_EQ(placed.where, "f.json:2:2");
    EXPECT_EQ(placed.message, "f.json:2:2: b: Too many.");
    EXPECT_EQ(placed.hint, "Fewer.");
    EXPECT_EQ(placeError("{\"a\": 1}", "f.json", "b", error), error);
}

TEST(DescriptorChecks, FormulasOfReferencesAreEvaluatedToo)
{
    const char* reference =
        R"_("reference": {"expression": "x(i) + w(k)", "index": ["i:N"], "sum": ["k:N"], "inputs": ["x", "w"], "output": "y"})_";
    const auto field = [&](const std::string& fields) { return faultyField(reference, "\"reference\": {" + fields + '}'); };
    EXPECT_EQ(field(R"("function": "transpose", "inputs": ["x"], "params": {"rows": "N", "cols": "1"})"), "");
    EXPECT_EQ(field(R"("function": "transpose", "inputs": ["x"], "params": {"rows": "N", "cols": "Q"})"), "reference.params.cols");
    EXPECT_EQ(field(R"("file": "y_{N}.npy")"), "");
    EXPECT_EQ(field(R"("file": "y_{Q}.npy")"), "reference.file");
    EXPECT_EQ(field(R"("expression": "x + Q")").substr(0, 10), "reference.");
    EXPECT_EQ(faultyField(R"("tolerance_scale": "1")", R"("tolerance_scale": "-1")"), "tolerance_scale");
    EXPECT_EQ(faultyField(R"("tolerance_scale": "1")", R"("tolerance_scale": "0")"), "");
}

TEST(DescriptorChecks, EachAxisOfAShapeHasItsLimit)
{
    for (const auto& [from, to, field] : {Change{R"("grid": ["N"])", R"("grid": ["1", "65536"])", "grid[1]"},
                                          {R"("grid": ["N"])", R"("grid": ["Q"])", "grid[0]"},
                                          {R"("grid": ["N"])", R"("grid": ["N"], "cluster": ["0"])", "cluster[0]"},
                                          {R"("block": ["32"])", R"("block": ["1", "1", "65"])", "block[2]"},
                                          {R"("block": ["32"])", R"("block": ["1", "1024"])", nullptr},
                                          {R"("block": ["32"])", R"("block": ["16", "16", "5"])", "block"},
                                          {R"("block": ["32"])", R"("block": ["16", "16", "4"])", nullptr},
                                          {R"("block": ["32"])", R"("block": ["32"], "dynamic_smem": "Q")", "dynamic_smem"},
                                          {R"("block": ["32"])", R"("block": ["32"], "repeat": "0")", nullptr}})
        EXPECT_EQ(faultyField(from, to), field ? std::string("variants[0].launches[0].") + field : "") << to;
}

} // namespace
} // namespace kl
