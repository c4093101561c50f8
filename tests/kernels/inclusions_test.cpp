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
    for (const Inclusion& one : inclusionsOf(text))
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
    const std::vector<Inclusion> found = inclusionsOf("int x;\n  #include \"a.h\"\n");
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

} // namespace
} // namespace kl
