// SPDX-License-Identifier: MIT
// Machine code in JSON: recordings and databases hold it in this form.
#include "core/codec/code_codec.h"

#include "core/model/kernel_code.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

namespace kl {
namespace {

KernelCode makeTwoInstructionCode()
{
    KernelCode code;
    code.language = CodeLanguage::ptx;
    code.computeCapability = 90;
    code.functions = {"helper", "k"};
    code.files = {"k.cu"};
    code.stalls = {"wait", "barrier"};
    code.notDisassembled = "why";
    code.image = std::string("\0\xff\x1a", 3);
    code.instructions.resize(2);
    CodeInstruction& one = code.instructions[0];
    one.function = 1;
    one.offset = 16;
    one.file = 0;
    one.line = 7;
    one.liveRegisters = 12;
    one.stalls = {2, 3};
    one.samples = 5;
    one.executed = 21;
    one.threads = 22;
    one.sectors = 23;
    one.idealSectors = 24;
    one.wavefronts = 25;
    one.idealWavefronts = 26;
    one.text = "ld\tr1,\nr2";
    code.instructions[1].offset = 32;
    code.instructions[1].text = "ret";
    return code;
}

TEST(CodeCodec, EveryMemberAndEveryColumnHasItsPlace)
{
    EXPECT_EQ(codeToJson(SharedCode(makeTwoInstructionCode())),
              Json::parse(R"({"language": "ptx", "compute_capability": 90, "functions": ["helper", "k"], "files": ["k.cu"],
                  "stalls": ["wait", "barrier"], "not_disassembled": "why",
                  "rows": "1\t16\t0\t7\t12\t5\t2,3\t21\t22\t23\t24\t25\t26\tld r1, r2\n0\t32\t-1\t0\t\t0\t\t\t\t\t\t\t\tret\n",
                  "image": "00ff1a"})"));
    EXPECT_TRUE(codeToJson({}).is_null());
}

TEST(CodeCodec, WhatWasWrittenIsReadBackWithoutBreaksInItsText)
{
    KernelCode code = makeTwoInstructionCode();
    const Result<SharedCode> read = codeFromJson(codeToJson(SharedCode(code)));
    ASSERT_TRUE(read) << read.error().message;
    code.instructions[0].text = "ld r1, r2";
    EXPECT_EQ(**read, code);
    for (const auto& [language, word] :
         {std::pair(CodeLanguage::none, "none"), std::pair(CodeLanguage::ptx, "ptx"), std::pair(CodeLanguage::sass, "sass")}) {
        code.language = language;
        EXPECT_EQ(codeToJson(SharedCode(code))["language"], word);
        EXPECT_EQ((**codeFromJson(codeToJson(SharedCode(code)))).language, language);
    }
}

TEST(CodeCodec, ARowThatIsNoneIsReportedWithItsNumber)
{
    const Json good = codeToJson(SharedCode(makeTwoInstructionCode()));
    const auto getError = [&](const char* rows) {
        Json json = good;
        json["rows"] = rows;
        const Result<SharedCode> read = codeFromJson(json);
        EXPECT_FALSE(read) << rows;
        return read ? Error{} : read.error();
    };
    const Error second = getError("0\t0\t-1\t0\t\t0\t\t\t\t\t\t\t\tret\n0\t16\t-1\t0\tx\t0\t\t\t\t\t\t\t\tret\n");
    EXPECT_EQ(second.code, ErrorCode::badInput);
    EXPECT_EQ(second.where, "code");
    EXPECT_NE(second.message.find("row 2"), std::string::npos) << second.message;
    for (const char* column :
         {"0\tx\t-1\t0\t\t0\t\t\t\t\t\t\t\tA", "0\t0\t-1\t0\t\tx\t\t\t\t\t\t\t\tA", "0\t0\t-1\t0\t\t0\t\tx\t\t\t\t\t\tA",
          "0\t0\t-1\t0\t\t0\t\t\tx\t\t\t\t\tA", "0\t0\t-1\t0\t\t0\t\t\t\tx\t\t\t\tA", "0\t0\t-1\t0\t\t0\t\t\t\t\tx\t\t\tA",
          "0\t0\t-1\t0\t\t0\t\t\t\t\t\tx\t\tA", "0\t0\t-1\t0\t\t0\t\t\t\t\t\t\tx\tA", "0\t0\t-1\t0\t\t0\t1,x\t\t\t\t\t\t\tA",
          "0\t0\t-1\t0\t\t\t\t\t\t\t\t\t\tA"})
        EXPECT_EQ(getError(column).where, "code");
}

} // namespace
} // namespace kl
