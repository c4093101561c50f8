// SPDX-License-Identifier: MIT
#include "kernels/descriptor_parser.h"

#include "core/base/resource.h"
#include "core/codec/json_schema.h"
#include "core/diagnosis/classes.h"
#include "tests/support/snapshot.h"

#include <fmt/format.h>
#include <fstream>
#include <gmock/gmock.h>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>

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

/// Place and field that the error names, and a name or figure of it.
struct Case {
    const char* from;
    const char* to;
    const char* place;
    const char* field;
    const char* names;
};

constexpr Case kBadDescriptors[] = {
    {R"("entry": "f")", R"("entyr": "f")", "k.json:11:31", "variants[0].launches[0].entyr", ""},
    {R"("grid": ["1"])", R"("grid": "1")", "k.json:11:45", "variants[0].launches[0].grid", ""},
    {R"("grid": ["1"])", R"("grid": [1])", "k.json:11:54", "variants[0].launches[0].grid[0]", ""},
    {R"(["N"])", R"("N")", "k.json:3:3", "sizes", ""},
    {R"("smallest": "N=1",)", "", "k.json:1:1", "", "\"smallest\""},
    {R"("f32")", R"("float")", "k.json:7:29", "buffers[0].type", ""},
    {R"("id": "k")", R"("id": "a/b")", "k.json:2:3", "id", ""},
    {R"("problems": ["N=64"])", R"("problems": ["M=64"])", "k.json:4:16", "problems[0]", "M=64"},
    {R"("suite": ["N=2"])", R"("suite": ["N=2,M=3"])", "k.json:6:13", "suite[0]", " M "},
    {R"("suite": ["N=2"])", R"("suite": ["N=2"], "baselines": [{"kind": "copy", "params": {"bytes": "4*N"}}])", "k.json:6:35",
     "baselines[0]", ""},
    {R"("suite": ["N=2"])", R"("suite": ["N=2"], "baselines": [{"id": "a", "kind": "copy"}, {"id": "a", "kind": "roof"}])", "k.json:6:64",
     "baselines[1]", ""},
    {R"("suite": ["N=2"])", R"("suite": ["N=2"], "baselines": [{"id": "a", "kind": "copy", "params": {"bytes": "4*X"}}])", "k.json:6:74",
     "baselines[0].params.bytes", "X"},
    {R"("fixes": "a")", R"("fixes": "z")", "k.json:12:17", "variants[1].fixes", " z "},
    {R"("id": "b", "fixes": "a")", R"("id": "a")", "k.json:12:6", "variants[1].id", ""},
    {R"("tunables": ["T"])", R"("tunables": ["U"])", "k.json:12:44", "variants[1].tunables[0]", " U"},
    {R"("default": 1)", R"("default": 3)", "k.json:9:48", "tunables[0].default", ""},
    {R"("fixes": "a")", R"("changes": {"c": "pad-shared-memory"})", "k.json:12:29", "variants[1].changes.c", " c "},
    {R"("default": 1)", R"("default": 1, "meaning": {"3": "unroll"})", "k.json:9:74", "tunables[0].meaning.3", ""},
    {R"("default": 1)", R"("default": 1, "raising": "Big tiles")", "k.json:9:62", "tunables[0].raising", ""},
    {R"("name": "T")", R"("name": "N")", "k.json:9:17", "tunables[0].name", ""},
    {R"("args": ["x", "y"])", R"("args": ["x", "z"])", "k.json:11:91", "variants[0].launches[0].args[1]", " z"},
    {R"("i32:N")", R"("int:N")", "k.json:12:131", "variants[1].launches[0].args[2]", ""},
    {R"("i32:N")", R"("i32:K")", "k.json:12:131", "variants[1].launches[0].args[2]", ""},
    {R"("N*T")", R"("N*(T")", "k.json:12:87", "variants[1].launches[0].grid[0]", ""},
    {R"("N*T")", R"("N/3")", "k.json:12:87", "variants[1].launches[0].grid[0]", "N=64"},
    {R"_("expression": "x(i)")_", R"_("expression": "x(i)", "function": "copy")_", "k.json:8:3", "reference", ""},
    {R"_("expression": "x(i)")_", R"("kernel": "c")", "k.json:8:17", "reference.kernel", " c"},
    {R"_("expression": "x(i)")_", R"_("expression": "x(i)", "inputs": ["y"])_", "k.json:8:50", "reference.inputs[0]", ""},
    {R"_("expression": "x(i)")_", R"("sum": ["k:N"], "kernel": "a")", "k.json:8:3", "reference", ""},
    {R"("count": "N"})", R"("count": "N", "fill": "file"})", "k.json:7:15", "buffers[0].file", ""},
    {R"("role": "output"})", R"("role": "output", "fill": "file", "file": "y.npy"})", "k.json:7:120", "buffers[1].fill", ""},
    {R"("role": "output"})", R"("role": "output"}, {"name": "z", "type": "f32", "count": "N", "role": "output"})", "k.json:8:3",
     "reference", ""},
    {R"("id": "k")", R"("id": "k", "id": "l")", "k.json:2:14", "id", ""},
    {R"("sizes": ["N"],)", R"("sizes": ["N"])", "k.json:4:12", "", ""},
    {R"("id": "k")", R"("id": "k", "\u0069d": "l")", "k.json:2:14", "id", ""},
    {R"("id": "k")", R"("id": "k", "id": "l", "title": "a", "title": "b")", "k.json:2:14", "id", ""},
    {R"("id": "k")", R"("id": "k", "tolerance": {"max_abs": 1e999})", "k.json:2:43", "", "1e999"},
    {R"("id": "k")", R"("id": "k.json")", "k.json:2:3", "id", ""},
    {R"("id": "a")", R"("id": "a.cu")", "k.json:11:6", "variants[0].id", ""},
    {R"("id": "k")", R"("id": "k", "optional_sizes": {"1x": "N"})", "k.json:2:33", "optional_sizes.1x", ""},
    {R"("id": "k")", R"("id": "k", "optional_sizes": {"S": "N/3"})", "k.json:2:33", "optional_sizes.S", ""},
    {R"("id": "k")", R"("id": "k", "tolerance_scale": "-1")", "k.json:2:14", "tolerance_scale", ""},
    {R"("id": "k")", R"("id": "k", "flops": "N,2")", "k.json:2:14", "flops", ""},
    {R"("suite": ["N=2"])", R"("suite": ["N=-2"])", "k.json:6:13", "suite[0]", "N=-2"},
    {R"("suite": ["N=2"])", R"("suite": ["N=9007199254740993"])", "k.json:6:13", "suite[0]", "9007199254740993"},
    {R"("suite": ["N=2"])", R"("suite": ["N=2"], "baseline": {"kind": "copy"})", "k.json:6:21", "baseline", ""},
    {R"("suite": ["N=2"])", R"("suite": ["N=2"], "baseline": {"kind": "copy", "params": {"byte": "4*N"}})", "k.json:6:61",
     "baseline.params.byte", "copy"},
    {R"("suite": ["N=2"])", R"("suite": ["N=2"], "baseline": {"kind": "roof", "params": {"ops": "4*N"}})", "k.json:6:61",
     "baseline.params.ops", "roof"},
    {R"("suite": ["N=2"])", R"("suite": ["N=2"], "baseline": {"kind": "roof", "params": {"bytes": "-4"}})", "k.json:6:61",
     "baseline.params.bytes", ""},
    {R"("suite": ["N=2"])", R"("suite": ["N=2"], "baseline": {"kind": "python"})", "k.json:6:21", "baseline", "\"op\""},
    {R"("suite": ["N=2"])", R"("suite": ["N=2"], "baseline": {"kind": "cudnn", "params": {"B": "1"}})", "k.json:6:21", "baseline", " H"},
    {R"("suite": ["N=2"])", R"("suite": ["N=2"], "baseline": {"kind": "roof", "fallback": "roof", "params": {"bytes": "N", "ops": "4*N"}})",
     "k.json:6:95", "baseline.params.ops", "roof"},
    {R"("suite": ["N=2"])", R"("suite": ["N=2"], "baseline": {"kind": "copy", "params": {"bytes": "N", "flops": "N"}})", "k.json:6:75",
     "baseline.params.flops", "copy"},
    {R"("suite": ["N=2"])", R"("suite": ["N=2"], "baseline": {"kind": "", "fallback": "roof"})", "k.json:6:34", "baseline.kind", ""},
    {R"("suite": ["N=2"])", R"("suite": ["N=2"], "baselines": [{"id": "x"}])", "k.json:6:35", "baselines[0].kind", ""},
    {R"("values": [1, 2])", R"("values": [1, 2, 1])", "k.json:9:47", "tunables[0].values[2]", ""},
    {R"("values": [1, 2])", R"("values": [1, 9223372036854775808])", "k.json:9:44", "tunables[0].values[1]", ""},
    {R"("values": [1, 2])", R"("values": [1, "2"])", "k.json:9:44", "tunables[0].values[1]", ""},
    {R"("values": [1, 2])", R"("values": [1, "a b"])", "k.json:9:44", "tunables[0].values[1]", ""},
    {R"("fixes": "a")", R"("constants": {"N": 3})", "k.json:12:31", "variants[1].constants.N", " N "},
    {R"("fixes": "a")", R"("constants": {"a b": 3})", "k.json:12:31", "variants[1].constants.a b", ""},
    {R"("fixes": "a")", R"("expected": "slow")", "k.json:12:17", "variants[1].expected", ""},
    {R"("fixes": "a")", R"("expected": "atomics", "expected_when": "T")", "k.json:12:40", "variants[1].expected_when", ""},
    {R"("entry": "f")", R"_("entry": "f(int)")_", "k.json:11:31", "variants[0].launches[0].entry", ""},
    {R"("block": ["32"])", R"("block": ["64", "32"])", "k.json:11:60", "variants[0].launches[0].block", "2048"},
    {R"("block": ["32"])", R"("block": ["1", "1", "65"])", "k.json:11:80", "variants[0].launches[0].block[2]", "65"},
    {R"("grid": ["1"])", R"("grid": ["1", "65536"])", "k.json:11:59", "variants[0].launches[0].grid[1]", "65535"},
    {R"("i32:N")", R"("i32:N/128")", "k.json:12:131", "variants[1].launches[0].args[2]", "0.5"},
    {R"("i32:N")", R"("u32:-1")", "k.json:12:131", "variants[1].launches[0].args[2]", "4294967295"},
    {R"("count": "N"}, {)", R"("count": "1e30"}, {)", "k.json:7:44", "buffers[0].count", "9007199254740992"},
    {R"_("expression": "x(i)")_", R"_("expression": "x(i")_", "k.json:8:17", "reference.expression", ""},
    {R"_("expression": "x(i)")_", R"_("expression": "z(i)")_", "k.json:8:17", "reference.expression", ""},
    {R"_("expression": "x(i)")_", R"_("expression": "x(i), 1")_", "k.json:8:17", "reference.expression", ""},
    {R"_("expression": "x(i)")_", R"_("expression": "x(i+1)")_", "k.json:8:17", "reference.expression", "i=63"},
    {R"_("expression": "x(i)")_", R"_("expression": "x(m)", "index": ["m:2*N"])_", "k.json:8:39", "reference.index", "128"},
    {R"_("expression": "x(i)")_", R"_("expression": "x(N)", "index": ["N:N"])_", "k.json:8:49", "reference.index[0]", ""},
    {R"_("expression": "x(i)")_", R"_("function": "histogram", "params": {"bins": "3"}, "inputs": ["x"])_", "k.json:8:3",
     "reference.output", " 3"},
    {R"_("expression": "x(i)")_", R"_("function": "histogram", "inputs": ["x"])_", "k.json:8:3", "reference", "bins"},
    {R"_("expression": "x(i)")_", R"_("function": "matmul", "inputs": ["x"])_", "k.json:8:3", "reference", " 2 "}};

class BadDescriptor : public testing::TestWithParam<Case> {};

TEST_P(BadDescriptor, IsReportedWithLineColumnAndField)
{
    const Case& one = GetParam();
    const Result<KernelFamily> family = changed(one.from, one.to);
    ASSERT_FALSE(family) << one.to;
    EXPECT_EQ(family.error().code, ErrorCode::badInput);
    EXPECT_EQ(family.error().where, one.place) << family.error().message;
    EXPECT_EQ(family.error().message.rfind(std::string(one.place) + ": " + one.field, 0), 0U) << family.error().message;
    EXPECT_NE(family.error().message.find(one.names), std::string::npos) << family.error().message;
}

INSTANTIATE_TEST_SUITE_P(Descriptor, BadDescriptor, testing::ValuesIn(kBadDescriptors));

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
    EXPECT_THAT(short_.error().message, testing::ContainsRegex("reference\\.output: y .*4.*histogram .*3"));
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
        EXPECT_NE(family.error().message.find("256"), std::string::npos) << family.error().message;
    }
    const Result<KernelFamily> named = changed(R"("id": "k")", R"("id": ")" + std::string(1 << 20, 'k') + '"');
    ASSERT_FALSE(named);
    EXPECT_THAT(named.error().message, testing::ContainsRegex(" 1048576 .* 100"));
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

constexpr std::string_view kUtf16("\xff\xfe{\0", 4);
constexpr const char* kLatin1 = "\"title\": \"\xf6\"";
constexpr const char* kComment = "// \"title\": 1";

TEST(DescriptorParser, OtherEncodingsAndCommentsAreNamed)
{
    const auto hint = [](const Result<KernelFamily>& family) { return family ? std::string() : family.error().hint; };
    const std::string utf16 = hint(parseDescriptor(kUtf16, "k.json"));
    EXPECT_FALSE(utf16.empty());
    EXPECT_EQ(hint(changed(R"("title": "K")", kLatin1)), utf16);
    const std::set<std::string> hints{utf16, hint(changed(R"("title": "K")", kComment)),
                                      hint(changed(R"("sizes": ["N"],)", R"("sizes": ["N"])")),
                                      hint(changed(R"("id": "k")", R"("id": "k", "tolerance": {"max_abs": 1e999})"))};
    EXPECT_EQ(hints.size(), 4U) << "a missing comma and a large number have hints of their own";
    EXPECT_FALSE(hints.contains(""));
}

/// Without what the parsers of JSON and of formulas say, which differs between their versions.
std::string ownWords(std::string message)
{
    for (const std::string theirs : {"this is not valid JSON", "cannot be evaluated"})
        if (const std::size_t at = message.find(theirs); at != std::string::npos && message.find(": a comma", at) == std::string::npos)
            message.resize(at + theirs.size());
    return message;
}

TEST(DescriptorParser, SnapshotOfTheFaults)
{
    std::string text;
    const auto add = [&](const std::string& what, const Result<KernelFamily>& family) {
        ASSERT_FALSE(family) << what;
        text += what + ": " + ownWords(family.error().message) + " | " + family.error().hint + '\n';
    };
    for (const Case& one : kBadDescriptors)
        add(*one.to == '\0' ? one.from + std::string(" is missing") : one.to, changed(one.from, one.to));
    add("UTF-16", parseDescriptor(kUtf16, "k.json"));
    add("Latin-1", changed(R"("title": "K")", kLatin1));
    add("a comment", changed(R"("title": "K")", kComment));
    add("a long name", changed(R"("id": "k")", R"("id": ")" + std::string(1 << 20, 'k') + '"'));
    const Result<KernelFamily> twice = changed(R"("entry": "f", "grid")", R"("entyr": "f", "grd")");
    add("two names", twice);
    test::expectSnapshot("errors/descriptors.txt", text + twice.error().detail + '\n');
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
    EXPECT_NE(family.error().hint.find("\"entry\""), std::string::npos) << family.error().hint;
    EXPECT_NE(family.error().detail.find("k.json:11:45: variants[0].launches[0].grd"), std::string::npos) << family.error().detail;
    EXPECT_NE(family.error().detail.find("\"grid\""), std::string::npos) << family.error().detail;
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
