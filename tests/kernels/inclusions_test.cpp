// SPDX-License-Identifier: MIT
#include "kernels/inclusions.h"

#include <gtest/gtest.h>

namespace kl {
namespace {

using Form = Inclusion::Form;

/// "quoted a.h, computed" and so on.
std::string read(const std::string& text)
{
    std::string all;
    for (const Inclusion& one : findInclusions(text))
        all += (all.empty() ? "" : ", ") + (one.form == Form::quoted   ? "quoted " + one.name
                                            : one.form == Form::angled ? "angled " + one.name
                                                                       : std::string("computed"));
    return all;
}

TEST(Inclusions, AreFoundHoweverTheyAreWritten)
{
    EXPECT_EQ(read("#include \"a.h\"\n#include <b.h>\n"), "quoted a.h, angled b.h");
    EXPECT_EQ(read(" \t# \v include\f\"a.h\""), "quoted a.h");
    EXPECT_EQ(read("%:include \"a.h\""), "quoted a.h");
    EXPECT_EQ(read("#inc\\\nlude \"a\\\r\n.h\""), "quoted a.h");
    EXPECT_EQ(read("#inc\\\r\r\nlude \"a.h\""), "quoted a.h");
    EXPECT_EQ(read("/* x\n */ # /* y */ include /**/ \"a.h\""), "quoted a.h");
    EXPECT_EQ(read("#include_next <a.h>\n#embed \"b.bin\"\n#import \"c.h\""), "angled a.h, quoted b.bin, quoted c.h");
    EXPECT_EQ(read("#define X \"a.h\"\n#include X\n"), "computed");
    EXPECT_EQ(read("#if __has_include(\"a.h\")\n#elif defined(__has_include) && __has_include ( <b.h> )\n"), "quoted a.h, angled b.h");
    EXPECT_EQ(read("#if 0\ndon't /* '\n#endif\n#include \"a.h\"\n"), "quoted a.h");
}

TEST(Inclusions, TextIsNoInclusion)
{
    EXPECT_EQ(read("// #include \"a.h\"\n/*\n#include \"b.h\"\n*/\nint x; #include \"c.h\"\n"), "");
    EXPECT_EQ(read("// x \\\n#include \"a.h\"\n"), "");
    EXPECT_EQ(read("// x \\ \n#include \"a.h\"\n"), "quoted a.h"); // a blank after it: no line is joined
    EXPECT_EQ(read("auto s = \"\\\"/*\";\n#include \"a.h\"\n"), "quoted a.h");
    EXPECT_EQ(read("auto s = R\"x(\n#include \"a.h\"\n)\" )x\";\n#include \"b.h\"\n"), "quoted b.h");
    EXPECT_EQ(read("auto s = R\"(\\)\"; /*\n#include \"a.h\"\n*/"), "");
    EXPECT_EQ(read("int n = 1'000'000;\n#include \"a.h\"\nint m = 0x1'0;"), "quoted a.h");
    EXPECT_EQ(read("FOR\"(\" /*\n#include \"a.h\"\n*/"), "");
    EXPECT_EQ(read("#pragma unroll\n#define F(x) #x\n#ifdef __has_include\n#endif\n"), "");
}

TEST(Inclusions, OnlyWholeTokensCount)
{
    EXPECT_EQ(read("#if a$__has_include(\"a.h\")\n#elif \xc3\xa9__has_include(\"a.h\")\n#elif _a__has_include(\"a.h\")\n#endif"), "");
    EXPECT_EQ(read("% include \"a.h\"\n"), "") << "half a digraph";
    EXPECT_EQ(read("#includes \"a.h\"\n#$include \"a.h\"\n"), "");
    EXPECT_EQ(read("int a = b / c;\n#include \"a.h\"\n"), "quoted a.h");
    EXPECT_EQ(read("// /*\n#include \"a.h\"\n"), "quoted a.h");
    EXPECT_EQ(read("/* // */ #include \"a.h\"\n"), "quoted a.h");
    EXPECT_EQ(read("/* * / **/#include \"a.h\"\n"), "quoted a.h");
    EXPECT_EQ(read("/*/ #include \"a.h\"\n*/\n"), "") << "a comment does not end with its own star";
    EXPECT_EQ(read("x = .5; #include \"a.h\"\ny = .;\n#include \"b.h\""), "quoted b.h");
    EXPECT_EQ(read("#include \"a.h\n#include <b.h\n#include <c.h>\n"), "computed, computed, angled c.h") << "names end with their line";
    EXPECT_EQ(read("#include"), "computed");
    EXPECT_EQ(read("R\"abc"), "computed");
    EXPECT_EQ(read("R\"(abc"), "");
    EXPECT_EQ(read("\"abc"), "");
    EXPECT_EQ(read("#include \"a.h\"\\"), "quoted a.h");
    EXPECT_EQ(read("\\\r"), "");
    EXPECT_EQ(read("#\\ include \"a.h\"\n"), "") << "a backslash that joins no lines";
    EXPECT_EQ(read("/* open"), "");
    EXPECT_EQ(read("LR\"(\n#include \"a.h\"\n)\" uR\"(\n#include \"a.h\"\n)\" UR\"(\n#include \"a.h\"\n)\" u8R\"(\n#include \"a.h\"\n)\""),
              "");
    EXPECT_EQ(read("'\\'' '\"' \"'\"\n#include \"a.h\""), "quoted a.h");
}

TEST(Inclusions, AQuestionIsSeenOnlyWhereItIsAsked)
{
    EXPECT_EQ(read("int x = __has_include(\"a.h\");\n"), "computed");
    EXPECT_EQ(read("#define X __has_include(\"a.h\")\n"), "computed");
    EXPECT_EQ(read("#if defined __has_include (\"a.h\")\n#endif\n"), "");
    EXPECT_EQ(read("#elif __has_embed(<a.bin>)\n#if __has_include_next(\"b.h\")\n"), "angled a.bin, quoted b.h");
    EXPECT_EQ(read("#if __has_include(X)\n"), "computed");
    EXPECT_EQ(read("#elifdef __has_include\n#elifndef __has_embed\n#ifndef __has_include\n"), "");
    EXPECT_EQ(read("#if 1\n__has_include(\"a.h\")\n"), "computed") << "the directive has ended with its line";
    EXPECT_EQ(read("#define A __has_\n#define B __has_i\n#define C __has_e\n#define D __has\n#define E __ha\n"),
              "computed, computed, computed, computed");
    EXPECT_EQ(read("#if __has_attribute(x)\n#endif"), "");
}

TEST(Inclusions, PlacesAreThoseOfTheText)
{
    const std::vector<Inclusion> found =
        findInclusions("/* one\n two */ #include \"a.h\"\nint \\\nx; R\"(\n\n)\";\n  #include <b.h>\n#if __has_include(\"c.h\")");
    ASSERT_EQ(found.size(), 3U);
    EXPECT_EQ(std::pair(found[0].line, found[0].column), std::pair(2, 9));
    EXPECT_EQ(std::pair(found[1].line, found[1].column), std::pair(7, 3));
    EXPECT_EQ(std::pair(found[2].line, found[2].column), std::pair(8, 5));
}

TEST(Inclusions, NoRawStringBeginsWithinAnotherToken)
{
    const std::string hidden = "\n#include \"a.h\"\n//)\"";
    for (const char* start :
         {"1e+R\"(\"", "1p+R\"(\"", ".1E-R\"(\"", "\"a\"R\"(\"", "'a'R\"(\"", "u8\"R\"R\"(\"", "R\"()\"R\"(\"", "1'0'/*'"})
        EXPECT_EQ(read("#define X " + std::string(start) + hidden), "quoted a.h") << start;
    for (const std::string& delimiter : {std::string(17, 'a'), std::string("a b"), std::string("a\\")}) // no raw string for every compiler
        EXPECT_EQ(read("R\"" + delimiter + "(" + hidden).substr(0, 8), "computed") << delimiter;
    EXPECT_EQ(read("R\"aaaaaaaaaaaaaaaa(\n#include \"a.h\"\n)aaaaaaaaaaaaaaaa\""), "");
}

TEST(Inclusions, AQuestionBehindAMacroCannotBeSeen)
{
    EXPECT_EQ(read("#define H __has_include\n#if H(\"/etc/passwd\")\n#endif"), "computed");
    EXPECT_EQ(read("#if __has_##include(\"/etc/passwd\")\n#endif"), "computed");
    EXPECT_EQ(read("#if !defined __has_include\n#elif defined(__has_embed)\n#endif\n#ifndef __has_include\n#endif"), "");
}

TEST(Inclusions, TellTheirPlace)
{
    const std::vector<Inclusion> found = findInclusions("int x;\n  #include \"a.h\"\n");
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].line, 2);
    EXPECT_EQ(found[0].column, 3);
}

TEST(Inclusions, OnlyWhatCameAlongAndTheToolkitsIsAllowed)
{
    const std::map<std::string, std::string> headers{{"a.h", "#include \"../b.h\"\n"}, {"../b.h", ""}};
    EXPECT_TRUE(checkInclusions("#include \"a.h\"\n#include <cuda_fp16.h>\n#include \"not_there.h\"\n", headers, "kernel.cu"));
    for (const char* text : {"#include \"/etc/passwd\"", "#include </etc/passwd>", "#include \"../secret.h\"",
                             "#include <../../etc/passwd>", "#define X <a>\n#include X", "#if __has_include(\"/etc/passwd\")\n#endif"}) {
        const Status refused = checkInclusions(text, {}, "kernel.cu");
        ASSERT_FALSE(refused) << text;
        EXPECT_EQ(refused.error().code, ErrorCode::badInput);
        EXPECT_EQ(refused.error().where.substr(0, 10), "kernel.cu:");
        EXPECT_FALSE(checkInclusions("#include \"a.h\"\n", {{"a.h", text}}, "kernel.cu")) << text;
    }
}

TEST(Inclusions, AHeaderThatCameAlongIsFoundOnlyInQuotes)
{
    const std::map<std::string, std::string> headers{{"../b.h", ""}, {"c.h", ""}};
    EXPECT_TRUE(checkInclusions("#include \"../b.h\"\n", headers, "k.cu"));
    EXPECT_FALSE(checkInclusions("#include <../b.h>\n", headers, "k.cu"));
    EXPECT_TRUE(checkInclusions("#include <c.h>\n", headers, "k.cu"));
    EXPECT_FALSE(checkInclusions("#include \".\"\n", headers, "k.cu")) << "there in the current folder, which the compiler searches";
    EXPECT_TRUE(checkInclusions("#include <.>\n", headers, "k.cu")) << "which is not searched for these";
}

TEST(Inclusions, ARefusalShowsNameAndPlace)
{
    const auto refusal = [](const std::string& text) { return checkInclusions(text, {}, "k.cu").error(); };
    EXPECT_EQ(refusal("\n  #include \"../a.h\"").where, "k.cu:2:3");
    EXPECT_NE(refusal("#include \"../a.h\"").message.find("\"../a.h\""), std::string::npos);
    EXPECT_NE(refusal("#include <../a.h>").message.find("<../a.h>"), std::string::npos);
    EXPECT_EQ(refusal("#include X").message, refusal("#include Y").message) << "whose name cannot be told";
    EXPECT_EQ(checkInclusions("", {{"a.h", "\n#include </b.h>"}}, "k.cu").error().where, "a.h:2:1");
}

TEST(Inclusions, NamesThatLeadOut)
{
    for (const char* name : {"/a", "..", "../a", "a/../b", "a/.."})
        EXPECT_TRUE(leadsOut(name)) << name;
    for (const char* name : {"", "a", "a/b", "..a", "a..", "a/..b/c", "./a"})
        EXPECT_FALSE(leadsOut(name)) << name;
}

} // namespace
} // namespace kl
