// SPDX-License-Identifier: MIT
#include "kernels/descriptor_parser.h"

#include "core/base/resource.h"
#include "core/codec/json_schema.h"
#include "core/diagnosis/classes.h"

#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <nlohmann/json.hpp>

namespace kl {
namespace {

const std::string kGood = R"_({
  "id": "k", "title": "K", "source": "k.cu",
  "sizes": ["N"],
  "problems": ["N=64"],
  "smallest": "N=1",
  "suite": ["N=2"],
  "buffers": [{"name": "x", "type": "f32", "count": "N"}, {"name": "y", "type": "f32", "count": "N", "role": "output"}],
  "reference": {"expression": "x(i)"},
  "tunables": [{"name": "T", "values": [1, 2], "default": 1}],
  "variants": [
    {"id": "a", "launches": [{"entry": "f", "grid": ["1"], "block": ["32"], "args": ["x", "y"]}]},
    {"id": "b", "fixes": "a", "tunables": ["T"], "launches": [{"entry": "g", "grid": ["N*T"], "block": ["32"], "args": ["x", "y", "i32:N"]}]}
  ]
})_";

/// The error of the good descriptor with one change, or success.
Result<KernelFamily> changed(const std::string& from, const std::string& to)
{
    std::string text = kGood;
    const auto at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
    return parseDescriptor(text, "k.json", DescriptorChecks::formulas);
}

/// Place and field that the error names, and a part of what it says.
struct Case {
    const char* from;
    const char* to;
    const char* place;
    const char* field;
    const char* says;
};

class BadDescriptor : public testing::TestWithParam<Case> {};

TEST_P(BadDescriptor, IsReportedWithLineColumnAndField)
{
    const Case& one = GetParam();
    const Result<KernelFamily> family = changed(one.from, one.to);
    ASSERT_FALSE(family) << one.to;
    EXPECT_EQ(family.error().code, ErrorCode::badInput);
    EXPECT_EQ(family.error().where, one.place) << family.error().message;
    EXPECT_EQ(family.error().message.rfind(std::string(one.place) + ": " + one.field, 0), 0U) << family.error().message;
    EXPECT_NE(family.error().message.find(one.says), std::string::npos) << family.error().message;
}

INSTANTIATE_TEST_SUITE_P(
    Descriptor, BadDescriptor,
    testing::Values(
        Case{R"("entry": "f")", R"("entyr": "f")", "k.json:11:31", "variants[0].launches[0].entyr", "not a known field"},
        Case{R"("grid": ["1"])", R"("grid": "1")", "k.json:11:45", "variants[0].launches[0].grid", "should be a list, is a text"},
        Case{R"("grid": ["1"])", R"("grid": [1])", "k.json:11:54", "variants[0].launches[0].grid[0]", "should be a text, is an integer"},
        Case{R"(["N"])", R"("N")", "k.json:3:3", "sizes", "should be a list"},
        Case{R"("smallest": "N=1",)", "", "k.json:1:1", "the descriptor lacks \"smallest\"", ""},
        Case{R"("f32")", R"("float")", "k.json:7:29", "buffers[0].type", "not one of the allowed values"},
        Case{R"("id": "k")", R"("id": "a/b")", "k.json:2:3", "id", "has the wrong form"},
        Case{R"("problems": ["N=64"])", R"("problems": ["M=64"])", "k.json:4:16", "problems[0]", "has no whole number for N"},
        Case{R"("suite": ["N=2"])", R"("suite": ["N=2,M=3"])", "k.json:6:13", "suite[0]", "M is not a size"},
        Case{R"("suite": ["N=2"])", R"("suite": ["N=2"], "baselines": [{"kind": "copy", "params": {"bytes": "4*N"}}])", "k.json:6:35",
             "baselines[0]", "has no id"},
        Case{R"("suite": ["N=2"])", R"("suite": ["N=2"], "baselines": [{"id": "a", "kind": "copy"}, {"id": "a", "kind": "roof"}])",
             "k.json:6:64", "baselines[1]", "the id a is already used"},
        Case{R"("suite": ["N=2"])", R"("suite": ["N=2"], "baselines": [{"id": "a", "kind": "copy", "params": {"bytes": "4*X"}}])",
             "k.json:6:74", "baselines[0].params.bytes", "X"},
        Case{R"("fixes": "a")", R"("fixes": "z")", "k.json:12:17", "variants[1].fixes", "no variant z comes before"},
        Case{R"("id": "b", "fixes": "a")", R"("id": "a")", "k.json:12:6", "variants[1].id", "two variants a"},
        Case{R"("tunables": ["T"])", R"("tunables": ["U"])", "k.json:12:44", "variants[1].tunables[0]", "no tunable U"},
        Case{R"("default": 1)", R"("default": 3)", "k.json:9:48", "tunables[0].default", "not among the values"},
        Case{R"("fixes": "a")", R"("changes": {"c": "pad-shared-memory"})", "k.json:12:29", "variants[1].changes.c",
             "no variant c comes before"},
        Case{R"("default": 1)", R"("default": 1, "meaning": {"3": "unroll"})", "k.json:9:74", "tunables[0].meaning.3",
             "not among the values"},
        Case{R"("default": 1)", R"("default": 1, "raising": "Big tiles")", "k.json:9:62", "tunables[0].raising", "has the wrong form"},
        Case{R"("name": "T")", R"("name": "N")", "k.json:9:17", "tunables[0].name", "is already used"},
        Case{R"("args": ["x", "y"])", R"("args": ["x", "z"])", "k.json:11:91", "variants[0].launches[0].args[1]", "no buffer z"},
        Case{R"("i32:N")", R"("int:N")", "k.json:12:131", "variants[1].launches[0].args[2]", "not a scalar type"},
        Case{R"("i32:N")", R"("i32:K")", "k.json:12:131", "variants[1].launches[0].args[2]", "cannot be evaluated"},
        Case{R"("N*T")", R"("N*(T")", "k.json:12:87", "variants[1].launches[0].grid[0]", "cannot be evaluated"},
        Case{R"("N*T")", R"("N/3")", "k.json:12:87", "variants[1].launches[0].grid[0]", "not a whole number of at least 1 (at N=64)"},
        Case{R"_("expression": "x(i)")_", R"_("expression": "x(i)", "function": "copy")_", "k.json:8:3", "reference", "several sources"},
        Case{R"_("expression": "x(i)")_", R"("kernel": "c")", "k.json:8:17", "reference.kernel", "no variant c"},
        Case{R"_("expression": "x(i)")_", R"_("expression": "x(i)", "inputs": ["y"])_", "k.json:8:50", "reference.inputs[0]",
             "not an input buffer"},
        Case{R"_("expression": "x(i)")_", R"("sum": ["k:N"], "kernel": "a")", "k.json:8:3", "reference", "belong to an expression"},
        Case{R"("count": "N"})", R"("count": "N", "fill": "file"})", "k.json:7:15", "buffers[0].file", "need each other"},
        Case{R"("role": "output"})", R"("role": "output", "fill": "file", "file": "y.npy"})", "k.json:7:120", "buffers[1].fill",
             "only inputs"},
        Case{R"("role": "output"})", R"("role": "output"}, {"name": "z", "type": "f32", "count": "N", "role": "output"})", "k.json:8:3",
             "reference", "must name the buffer"},
        Case{R"("id": "k")", R"("id": "k", "id": "l")", "k.json:2:14", "id", "appears twice"},
        Case{R"("sizes": ["N"],)", R"("sizes": ["N"])", "k.json:4:12", "this is not valid JSON", ""},
        Case{R"("id": "k")", R"("id": "k", "\u0069d": "l")", "k.json:2:14", "id", "appears twice"},
        Case{R"("id": "k")", R"("id": "k", "id": "l", "title": "a", "title": "b")", "k.json:2:14", "id", "appears twice"},
        Case{R"("id": "k")", R"("id": "k", "tolerance": {"max_abs": 1e999})", "k.json:2:43", "this is not valid JSON", "1e999"},
        Case{R"("id": "k")", R"("id": "k.json")", "k.json:2:3", "id", "would look like a file"},
        Case{R"("id": "a")", R"("id": "a.cu")", "k.json:11:6", "variants[0].id", "would look like a file"},
        Case{R"("id": "k")", R"("id": "k", "optional_sizes": {"1x": "N"})", "k.json:2:33", "optional_sizes.1x", "has the wrong form"},
        Case{R"("id": "k")", R"("id": "k", "optional_sizes": {"S": "N/3"})", "k.json:2:33", "optional_sizes.S", "not a whole number"},
        Case{R"("id": "k")", R"("id": "k", "tolerance_scale": "-1")", "k.json:2:14", "tolerance_scale", "below 0"},
        Case{R"("id": "k")", R"("id": "k", "flops": "N,2")", "k.json:2:14", "flops", "a comma outside a function"},
        Case{R"("suite": ["N=2"])", R"("suite": ["N=-2"])", "k.json:6:13", "suite[0]", "N=-2 is not a size"},
        Case{R"("suite": ["N=2"])", R"("suite": ["N=9007199254740993"])", "k.json:6:13", "suite[0]", "is not a size"},
        Case{R"("suite": ["N=2"])", R"("suite": ["N=2"], "baseline": {"kind": "copy"})", "k.json:6:21", "baseline",
             "needs a value above 0"},
        Case{R"("suite": ["N=2"])", R"("suite": ["N=2"], "baseline": {"kind": "copy", "params": {"byte": "4*N"}})", "k.json:6:61",
             "baseline.params.byte", "not a parameter of copy"},
        Case{R"("suite": ["N=2"])", R"("suite": ["N=2"], "baseline": {"kind": "roof", "params": {"ops": "4*N"}})", "k.json:6:61",
             "baseline.params.ops", "not a parameter of roof"},
        Case{R"("suite": ["N=2"])", R"("suite": ["N=2"], "baseline": {"kind": "roof", "params": {"bytes": "-4"}})", "k.json:6:61",
             "baseline.params.bytes", "below 0"},
        Case{R"("suite": ["N=2"])", R"("suite": ["N=2"], "baseline": {"kind": "python"})", "k.json:6:21", "baseline", "needs \"op\""},
        Case{R"("suite": ["N=2"])", R"("suite": ["N=2"], "baseline": {"kind": "cudnn", "params": {"B": "1"}})", "k.json:6:21", "baseline",
             "lacks the parameter H"},
        Case{R"("suite": ["N=2"])",
             R"("suite": ["N=2"], "baseline": {"kind": "roof", "fallback": "roof", "params": {"bytes": "N", "ops": "4*N"}})", "k.json:6:95",
             "baseline.params.ops", "not a parameter of roof"},
        Case{R"("suite": ["N=2"])", R"("suite": ["N=2"], "baseline": {"kind": "copy", "params": {"bytes": "N", "flops": "N"}})",
             "k.json:6:75", "baseline.params.flops", "not a parameter of copy"},
        Case{R"("suite": ["N=2"])", R"("suite": ["N=2"], "baseline": {"kind": "", "fallback": "roof"})", "k.json:6:34", "baseline.kind",
             "is missing"},
        Case{R"("suite": ["N=2"])", R"("suite": ["N=2"], "baselines": [{"id": "x"}])", "k.json:6:35", "baselines[0].kind", "is missing"},
        Case{R"("values": [1, 2])", R"("values": [1, 2, 1])", "k.json:9:47", "tunables[0].values[2]", "appears twice"},
        Case{R"("values": [1, 2])", R"("values": [1, 9223372036854775808])", "k.json:9:44", "tunables[0].values[1]", "is above"},
        Case{R"("values": [1, 2])", R"("values": [1, "2"])", "k.json:9:44", "tunables[0].values[1]", "has the wrong form"},
        Case{R"("values": [1, 2])", R"("values": [1, "a b"])", "k.json:9:44", "tunables[0].values[1]", "has the wrong form"},
        Case{R"("fixes": "a")", R"("constants": {"N": 3})", "k.json:12:31", "variants[1].constants.N", "the name N is already used"},
        Case{R"("fixes": "a")", R"("constants": {"a b": 3})", "k.json:12:31", "variants[1].constants.a b", "has the wrong form"},
        Case{R"("fixes": "a")", R"("expected": "slow")", "k.json:12:17", "variants[1].expected", "not one of the allowed values"},
        Case{R"("fixes": "a")", R"("expected": "atomics", "expected_when": "T")", "k.json:12:40", "variants[1].expected_when", "cannot be"},
        Case{R"("entry": "f")", R"_("entry": "f(int)")_", "k.json:11:31", "variants[0].launches[0].entry", "has the wrong form"},
        Case{R"("block": ["32"])", R"("block": ["64", "32"])", "k.json:11:60", "variants[0].launches[0].block", "64 × 32 are 2048 threads"},
        Case{R"("block": ["32"])", R"("block": ["1", "1", "65"])", "k.json:11:80", "variants[0].launches[0].block[2]", "65 is above 64"},
        Case{R"("grid": ["1"])", R"("grid": ["1", "65536"])", "k.json:11:59", "variants[0].launches[0].grid[1]", "above 65535"},
        Case{R"("i32:N")", R"("i32:N/128")", "k.json:12:131", "variants[1].launches[0].args[2]", "0.5 is not a whole number"},
        Case{R"("i32:N")", R"("u32:-1")", "k.json:12:131", "variants[1].launches[0].args[2]", "not a whole number from 0 to 4294967295"},
        Case{R"("count": "N"}, {)", R"("count": "1e30"}, {)", "k.json:7:44", "buffers[0].count", "is above 9007199254740992"},
        Case{R"_("expression": "x(i)")_", R"_("expression": "x(i")_", "k.json:8:17", "reference.expression", "cannot be evaluated"},
        Case{R"_("expression": "x(i)")_", R"_("expression": "z(i)")_", "k.json:8:17", "reference.expression", "cannot be evaluated"},
        Case{R"_("expression": "x(i)")_", R"_("expression": "x(i), 1")_", "k.json:8:17", "reference.expression", "a comma outside"},
        Case{R"_("expression": "x(i)")_", R"_("expression": "x(i+1)")_", "k.json:8:17", "reference.expression",
             "reads x(64), which has 64 elements, at i=63 (at N=64)"},
        Case{R"_("expression": "x(i)")_", R"_("expression": "x(m)", "index": ["m:2*N"])_", "k.json:8:39", "reference.index",
             "cover 128 elements, y has 64"},
        Case{R"_("expression": "x(i)")_", R"_("expression": "x(N)", "index": ["N:N"])_", "k.json:8:49", "reference.index[0]",
             "is already used"},
        Case{R"_("expression": "x(i)")_", R"_("function": "histogram", "params": {"bins": "3"}, "inputs": ["x"])_", "k.json:8:3",
             "reference.output: y has 1", "histogram gives 3"},
        Case{R"_("expression": "x(i)")_", R"_("function": "histogram", "inputs": ["x"])_", "k.json:8:3", "reference", "parameter bins"},
        Case{R"_("expression": "x(i)")_", R"_("function": "matmul", "inputs": ["x"])_", "k.json:8:3", "reference", "needs 2 inputs"}));

TEST(DescriptorParser, AReferenceGivesTheWholeOutput)
{
    std::string text = kGood;
    const std::string expression = R"_("expression": "x(i)")_", count = R"("count": "N", "role")";
    text.replace(text.find(expression), expression.size(), R"_("function": "histogram", "params": {"bins": "3"}, "inputs": ["x"])_");
    text.replace(text.find(count), count.size(), R"("count": "3", "role")");
    EXPECT_TRUE(parseDescriptor(text, "k.json", DescriptorChecks::formulas));
    text.replace(text.find(R"("count": "3")"), 12, R"("count": "4")");
    const Result<KernelFamily> short_ = parseDescriptor(text, "k.json", DescriptorChecks::formulas);
    ASSERT_FALSE(short_);
    EXPECT_NE(short_.error().message.find("y has 4 elements, histogram gives 3"), std::string::npos) << short_.error().message;
}

TEST(DescriptorParser, AnIndexThatTheInputsDecideIsNoFault)
{
    for (const char* gathered : {"x(x(i))", "x(x(i)-1)", "x(i > 0 ? i-1 : 0)", "1/x(i)"}) {
        const Result<KernelFamily> family = changed(R"_("expression": "x(i)")_", fmt::format(R"_("expression": "{}")_", gathered));
        EXPECT_TRUE(family) << family.error().message;
    }
}

TEST(DescriptorParser, AMarkOfUtf8CountsForNothing)
{
    const std::string mark = "\xef\xbb\xbf";
    EXPECT_TRUE(parseDescriptor(mark + kGood, "k.json"));
    std::string wrong = kGood;
    wrong.replace(wrong.find("\"title\""), 7, "\"tilte\"");
    EXPECT_EQ(parseDescriptor(mark + wrong, "k.json").error().where, "k.json:2:14");
    EXPECT_EQ(parseDescriptor(mark + "{\"id\" 1}", "k.json").error().where, "k.json:1:7");
}

TEST(DescriptorParser, EndlessBracketsAndNamesAreErrorsAndNoCrash)
{
    for (const std::string open : {"[", "{\"a\":"}) {
        std::string deep;
        for (int i = 0; i < 100000; ++i)
            deep += open;
        const Result<KernelFamily> family = changed(R"("title": "K")", R"("title": )" + deep);
        ASSERT_FALSE(family);
        EXPECT_NE(family.error().message.find("more than 256 nested brackets"), std::string::npos) << family.error().message;
    }
    const Result<KernelFamily> named = changed(R"("id": "k")", R"("id": ")" + std::string(1 << 20, 'k') + '"');
    ASSERT_FALSE(named);
    EXPECT_NE(named.error().message.find("has 1048576 characters; the limit is 100"), std::string::npos);
    const Result<KernelFamily> long_ = changed(R"("id": "k")", R"("id": "k", "flops": ")" + std::string(1 << 20, '(') + '"');
    ASSERT_FALSE(long_);
    EXPECT_LT(long_.error().message.size(), 1000U);
}

TEST(DescriptorParser, AReferenceThatTakesLongIsNotTried)
{
    EXPECT_TRUE(changed(R"_("expression": "x(i)")_", R"_("function": "chain", "params": {"steps": "1e12"}, "inputs": ["x"])_"));
    EXPECT_FALSE(changed(R"_("expression": "x(i)")_", R"_("function": "histogram", "params": {"bins": "0"}, "inputs": ["x"])_"));
}

/// Functions are tried on the smallest problem where inputs and parameters are small.
TEST(DescriptorParser, AReferenceIsTriedWhereThatTakesNoTime)
{
    const char* expression = R"_("expression": "x(i)")_";
    EXPECT_TRUE(changed(expression, R"_("function": "chain", "params": {"steps": "2e9"}, "inputs": ["x"])_"));
    EXPECT_TRUE(changed(expression, R"_("function": "histogram", "params": {"bins": "-1"}, "inputs": ["x"])_"));
    EXPECT_FALSE(changed(expression, R"_("function": "matmul", "params": {"M": "100", "N": "100", "K": "1"}, "inputs": ["x", "x"])_"));
    EXPECT_TRUE(changed(expression, R"_("function": "matmul", "params": {"M": "10000", "N": "10000", "K": "0.5"}, "inputs": ["x", "x"])_"))
        << "10^8 steps together";
    const auto ofElements = [](const char* count) {
        std::string text = kGood;
        const std::string before = R"_("expression": "x(i)")_", n = R"("count": "N"}, {)";
        text.replace(text.find(before), before.size(), R"_("function": "histogram", "params": {"bins": "3"}, "inputs": ["x"])_");
        text.replace(text.find(n), n.size(), fmt::format(R"("count": "{}"}}, {{)", count));
        return parseDescriptor(text, "k.json", DescriptorChecks::formulas);
    };
    EXPECT_FALSE(ofElements("65535"));
    EXPECT_TRUE(ofElements("65536"));
}

TEST(DescriptorParser, AWholeNumberMayBeWrittenWithAFraction)
{
    const Result<KernelFamily> family = changed(R"("values": [1, 2], "default": 1)", R"("values": [1.0, 2e0], "default": 2.0)");
    ASSERT_TRUE(family) << family.error().message;
    EXPECT_EQ(family->tunables[0].values, (std::vector<ParamValue>{std::int64_t{1}, std::int64_t{2}}));
    EXPECT_EQ(family->tunables[0].defaultValue, ParamValue(std::int64_t{2}));
}

TEST(DescriptorParser, OtherEncodingsAndCommentsAreNamed)
{
    EXPECT_EQ(parseDescriptor(std::string_view("\xff\xfe{\0", 4), "k.json").error().hint, "Save the file as UTF-8.");
    EXPECT_EQ(changed(R"("title": "K")", "\"title\": \"\xf6\"").error().hint, "Save the file as UTF-8.");
    EXPECT_EQ(changed(R"("title": "K")", "// \"title\": 1").error().hint, "JSON has no comments: remove them.");
}

TEST(DescriptorParser, ReadsAWholeFamily)
{
    const Result<KernelFamily> family = parseDescriptor(kGood, "k.json", DescriptorChecks::formulas);
    ASSERT_TRUE(family) << family.error().message;
    EXPECT_EQ(family->variants.size(), 2U);
    EXPECT_EQ(toText(family->smallest), "N=1");
    EXPECT_EQ(family->variants[1].fixes, "a");
    EXPECT_EQ(family->idealBytes, "0");
    EXPECT_EQ(changed(R"("id": "k")", R"("id": "k", "ideal_bytes": "8*N", "flops": "2*N")")->idealBytes, "8*N");
    EXPECT_EQ(changed(R"("id": "k")", R"("id": "k", "ideal_bytes": "8*N", "flops": "2*N")")->flops, "2*N");
    EXPECT_EQ(family->reference.output, "y");                             // the only output
    EXPECT_EQ(family->reference.inputs, std::vector<std::string>({"x"})); // all inputs
}

TEST(DescriptorParser, SeveralFaultsAreReportedAtOnceAndAMisspeltNameIsGuessed)
{
    const Result<KernelFamily> family = changed(R"("entry": "f", "grid")", R"("entyr": "f", "grd")");
    ASSERT_FALSE(family);
    EXPECT_EQ(family.error().hint, "Did you mean \"entry\"?");
    EXPECT_NE(family.error().detail.find("k.json:11:45: variants[0].launches[0].grd"), std::string::npos) << family.error().detail;
    EXPECT_NE(family.error().detail.find("lacks \"grid\""), std::string::npos) << family.error().detail;
}

TEST(DescriptorParser, EmbeddedDescriptorsFollowTheShippedSchema)
{
    const Result<std::string_view> text = resource(kDescriptorSchema);
    ASSERT_TRUE(text);
    const Result<JsonSchema> schema = JsonSchema::load(*parseJson(*text, kDescriptorSchema), kDescriptorSchema);
    ASSERT_TRUE(schema) << schema.error().message;
    int descriptors = 0;
    for (const std::string& path : resourcesUnder("kernels/families/")) {
        if (!path.ends_with(".json"))
            continue;
        ++descriptors;
        const Result<Json> json = parseJson(*resource(path), path);
        ASSERT_TRUE(json) << path;
        for (const SchemaFault& fault : schema->check(*json))
            ADD_FAILURE() << path << ": " << fault.path << ' ' << fault.message;
        const Result<KernelFamily> family = parseDescriptor(*resource(path), path, DescriptorChecks::formulas);
        EXPECT_TRUE(family) << family.error().message;
    }
    EXPECT_GE(descriptors, 6);
}

TEST(DescriptorParser, TheDocumentedExampleIsSound)
{
    std::ifstream in(KL_SOURCE_DIR "/docs/kernels.md");
    const std::string text(std::istreambuf_iterator<char>(in), {});
    const auto begin = text.find("```json\n");
    ASSERT_NE(begin, std::string::npos);
    const Result<KernelFamily> family =
        parseDescriptor(text.substr(begin + 8, text.find("```", begin + 8) - begin - 8), "docs/kernels.md", DescriptorChecks::formulas);
    EXPECT_TRUE(family) << family.error().message;
}

TEST(DescriptorParser, TheSchemaNamesEveryClass)
{
    const Json schema = *parseJson(*resource(kDescriptorSchema), kDescriptorSchema);
    const Json& expected = schema["definitions"]["variant"]["properties"]["expected"]["enum"];
    ASSERT_EQ(expected.size(), kClasses.size() + 1); // and null
    for (std::size_t i = 0; i < kClasses.size(); ++i)
        EXPECT_EQ(expected[i], std::string(kClasses[i]));
}

/// A field that the parser reads and the schema does not know could never be used, and one that only the schema knows would
/// do nothing.
TEST(DescriptorParser, EveryFieldOfTheSchemaIsDescribed)
{
    const Json schema = *parseJson(*resource(kDescriptorSchema), kDescriptorSchema);
    const auto described = [](const Json& properties, const std::string& where) {
        for (const auto& [name, rule] : properties.items())
            EXPECT_TRUE(rule.contains("description") || rule.contains("$ref")) << where << '.' << name;
    };
    described(schema["properties"], "root");
    for (const auto& [name, rule] : schema["definitions"].items()) {
        EXPECT_TRUE(rule.contains("description")) << name;
        described(rule["properties"], name);
    }
}

} // namespace
} // namespace kl
