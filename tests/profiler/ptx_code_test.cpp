// SPDX-License-Identifier: MIT
// What is read from the compiler's texts: instructions and operands of PTX, classes of opcodes, the assembler's messages.
#include "profiler/live/ptx/ptx_code.h"

#include "profiler/live/ptx/coarse_arithmetic.h"
#include "profiler/live/ptx/opcodes.h"
#include "profiler/live/ptx/ptx_scan.h"
#include "profiler/live/ptx/ptx_text.h"
#include "profiler/live/ptx/ptx_words.h"
#include "profiler/live/ptx/ptxas_log.h"

#include <gtest/gtest.h>

namespace kl {
namespace {

using OperandKind = PtxOperand::Kind;

PtxCode codeWith(const std::string& body, const std::string& variables = {})
{
    return parsePtx(".version 8.5\n.target sm_90\n.address_size 64\n" + variables +
                        ".visible .entry k(\n.param .u64 k_param_0,\n.param .align 4 .b8 k_param_1[12]\n)\n{\n" + body + "}\n",
                    "k");
}

PtxInstruction parseFirst(const std::string& body, const std::string& variables = {})
{
    const PtxCode code = codeWith(body, variables);
    EXPECT_FALSE(code.instructions.empty()) << body;
    return code.instructions.empty() ? PtxInstruction{} : code.instructions.front();
}

TEST(PtxWords, NumbersAreDecimalHexadecimalOrBitsOfFloatingPoint)
{
    EXPECT_EQ(ptxNumber("42"), 42);
    EXPECT_EQ(ptxNumber("-3"), -3);
    EXPECT_EQ(ptxNumber("5U"), 5);
    EXPECT_EQ(ptxNumber("0x1F"), 31);
    EXPECT_EQ(ptxNumber("0f3F800000"), 0x3f80'0000);
    EXPECT_EQ(ptxNumber("0dBFF0000000000000"), static_cast<std::int64_t>(0xbff0'0000'0000'0000));
    EXPECT_EQ(ptxNumber("010"), 10);
    EXPECT_EQ(ptxNumber("0"), 0);
    for (const char* none : {"", "-", "x", "%r1", "1a", "0xg", "k_param_0"})
        EXPECT_FALSE(ptxNumber(none)) << none;
}

TEST(PtxWords, TypesHaveAKindAndBits)
{
    for (const auto& [word, kind, bits] : std::vector<std::tuple<const char*, char, int>>{{"u8", 'u', 8},
                                                                                          {"s16", 's', 16},
                                                                                          {"b32", 'b', 32},
                                                                                          {"f64", 'f', 64},
                                                                                          {"bf16", 'f', 16},
                                                                                          {"f16x2", 'f', 32},
                                                                                          {"bf16x2", 'f', 32},

                                                                                          {"pred", 'p', 1}}) {
        const auto type = parsePtxType(word);
        ASSERT_TRUE(type) << word;
        EXPECT_EQ(type->kind, kind) << word;
        EXPECT_EQ(type->bits, bits) << word;
    }
    for (const char* none : {"", "u", "sync", "bfly", "shared", "v2", "x4", "tf32"})
        EXPECT_FALSE(parsePtxType(none)) << none;
}

TEST(PtxWords, APairOfFloatsHasSixtyFourBits)
{
    const auto type = parsePtxType("f32x2");
    ASSERT_TRUE(type);
    EXPECT_EQ(type->kind, 'f');
    EXPECT_EQ(type->bits, 64);
}

TEST(PtxCode, OperandsAreRegistersConstantsMemoryAndLists)
{
    const PtxInstruction add = parseFirst("add.s32 %r1, %r2, -7;\n");
    ASSERT_EQ(add.operands.size(), 3U);
    EXPECT_EQ(add.operands[0].kind, OperandKind::reg);
    EXPECT_EQ(add.operands[0].reg, 0);
    EXPECT_EQ(add.operands[1].reg, 1);
    EXPECT_EQ(add.operands[2].kind, OperandKind::constant);
    EXPECT_EQ(add.operands[2].value, -7);

    const PtxInstruction load = parseFirst("ld.global.v4.f32 {%f1, _, %f3, %f1}, [%rd1+-16];\n");
    ASSERT_EQ(load.operands.size(), 2U);
    EXPECT_EQ(load.vector, 4);
    EXPECT_EQ(load.operands[0].kind, OperandKind::list);
    EXPECT_EQ(load.operands[0].list, (std::vector{0, -1, 1, 0}));
    EXPECT_EQ(load.operands[1].kind, OperandKind::memory);
    EXPECT_EQ(load.operands[1].reg, 2);
    EXPECT_EQ(load.operands[1].value, -16);
    EXPECT_EQ(parseFirst("ld.global.f32 %f1, [%rd1+64];\n").operands[1].value, 64);
    EXPECT_EQ(parseFirst("ld.global.f32 %f1, [%rd1-8];\n").operands[1].value, -8);
    EXPECT_EQ(parseFirst("ld.global.v2.f32 {%f1, %f2}, [%rd1];\n").vector, 2);
    EXPECT_EQ(parseFirst("ld.global.v8.f32 {%f1, %f2}, [%rd1];\n").vector, 8);

    const PtxInstruction parameter = parseFirst("ld.param.u32 %r1, [k_param_1+8];\n");
    EXPECT_EQ(parameter.operands[1].kind, OperandKind::memory);
    EXPECT_EQ(parameter.operands[1].name, "k_param_1");
    EXPECT_EQ(parameter.operands[1].value, 8);

    const PtxInstruction shuffle = parseFirst("shfl.sync.bfly.b32 %r1|%p1, %r2, 1, 31, -1;\n");
    EXPECT_EQ(shuffle.operands[0].list, (std::vector{0, 1}));
    EXPECT_EQ(parseFirst("mov.u32 %r1, %tid.x;\n").operands[1].name, "%tid.x");
    const PtxInstruction select = parseFirst("and.pred %p1, %p2, !%p3;\n");
    EXPECT_TRUE(select.operands[2].negated);
    EXPECT_EQ(select.operands[2].reg, 2);
    EXPECT_FALSE(select.operands[1].negated);
}

TEST(PtxCode, ParametersAreInTheOrderOfTheArguments)
{
    EXPECT_EQ(codeWith("ret;\n").params, (std::vector<std::string>{"k_param_0", "k_param_1"}));
}

TEST(PtxCode, TypesOfAConversionAreTargetAndSource)
{
    const PtxInstruction convert = parseFirst("cvt.rn.f32.s16 %f1, %rs1;\n");
    EXPECT_EQ(convert.type.kind, 'f');
    EXPECT_EQ(convert.type.bits, 32);
    EXPECT_EQ(convert.from.kind, 's');
    EXPECT_EQ(convert.from.bits, 16);
    const PtxInstruction atomic = parseFirst("atom.global.add.noftz.f16x2 %r1, [%rd1], %r2;\n");
    EXPECT_EQ(atomic.type.kind, 'f');
    EXPECT_EQ(atomic.opcodeClass, "atom");
    const PtxInstruction matrix = parseFirst("dp4a.u32.s32 %r1, %r2, %r3, %r4;\n");
    EXPECT_EQ(matrix.type.kind, 's') << "the last suffix";
    const PtxInstruction compare = parseFirst("setp.geu.f32 %p1, %f1, %f2;\n");
    EXPECT_EQ(compare.comparison, PtxComparison::ge);
    EXPECT_TRUE(compare.has("geu"));
    EXPECT_FALSE(compare.has("ge"));
}

TEST(PtxCode, GuardsArePredicatesThatMayBeNegated)
{
    const PtxCode code = codeWith("setp.eq.s32 %p1, %r1, 0;\n@%p1 add.s32 %r1, %r1, 1;\n@!%p1 sub.s32 %r1, %r1, 1;\n");
    ASSERT_EQ(code.instructions.size(), 3U);
    EXPECT_EQ(code.instructions[0].guard, -1);
    EXPECT_EQ(code.instructions[1].guard, 0);
    EXPECT_FALSE(code.instructions[1].guardNegated);
    EXPECT_EQ(code.instructions[1].opcode, "add.s32");
    EXPECT_EQ(code.instructions[2].guard, 0);
    EXPECT_TRUE(code.instructions[2].guardNegated);
    EXPECT_EQ(code.registers, 2);
    EXPECT_EQ(codeWith("@%p1;\nret;\n").instructions.size(), 1U) << "a guard alone is not an instruction";
}

TEST(PtxCode, BranchesKnowTheInstructionBehindTheirLabel)
{
    const PtxCode code = codeWith("bra.uni $L_end;\n$L_top: add.s32 %r1, %r1, 1;\n{\nbra $L_top;\n}\n$L_end:\nbra $L_none;\nret;\n");
    ASSERT_EQ(code.instructions.size(), 5U);
    EXPECT_EQ(code.instructions[0].target, 3);
    EXPECT_EQ(code.instructions[1].opcode, "add.s32");
    EXPECT_EQ(code.instructions[2].target, 1);
    EXPECT_EQ(code.instructions[3].target, -1) << "a label that is not there";
    EXPECT_EQ(parseFirst("cp.async.bulk.shared::cta.global [%r1], [%rd1], 16, [%r2];\n").operands.size(), 4U) << "no label";
}

TEST(PtxCode, LinesAreThoseOfTheKernelsOwnFile)
{
    const std::string files = ".file 1 \"/usr/include/other_kernel.cu\"\n.file 2 \"/tmp/kernel.cu\"\n";
    const PtxCode code = codeWith(".loc 2 12 5\nadd.s32 %r1, %r1, 1;\nadd.s32 %r1, %r1, 2;\n.loc 1 40 1\nadd.s32 %r1, %r1, 3;\n"
                                  ".loc 2 14 5, function_name $L__info_string0, inlined_at 2 20 3\nret;\n",
                                  files);
    ASSERT_EQ(code.instructions.size(), 4U);
    EXPECT_EQ(code.instructions[0].line, 12);
    EXPECT_EQ(code.instructions[1].line, 12);
    EXPECT_EQ(code.instructions[2].line, 0) << "of another file";
    EXPECT_EQ(code.instructions[3].line, 14);
    EXPECT_EQ(codeWith(".loc 1 12 5\nret;\n").instructions[0].line, 0) << "without a table of files";
}

TEST(PtxCode, VariablesLieOneAfterAnotherInTheirSpace)
{
    const std::string variables = ".extern .shared .align 16 .b8 dynamic[];\n.global .align 4 .u32 counter;\n"
                                  ".const .align 8 .f64 table[3] = {1, 2, 3};\n.global .align 4 .b32 last[2];\n";
    const PtxCode code = codeWith(".shared .align 4 .b8 tile[10];\n.shared .align 16 .f32 other[4];\n.local .align 8 .b8 depot[24];\n"
                                  "mov.u32 %r1, tile;\nmov.u32 %r1, other;\nmov.u32 %r1, dynamic;\nmov.u64 %rd1, counter;\n"
                                  "mov.u64 %rd1, table;\nmov.u64 %rd1, last;\nmov.u64 %rd1, depot;\nmov.u32 %r1, other+8;\n"
                                  "mov.u32 %r1, dynamic+4;\n",
                                  variables);
    std::vector<std::int64_t> places;
    for (const PtxInstruction& instruction : code.instructions) {
        EXPECT_EQ(instruction.operands[1].kind, OperandKind::constant);
        places.push_back(instruction.operands[1].value);
    }
    const auto global = static_cast<std::int64_t>(kGlobalSymbols);
    EXPECT_EQ(places, (std::vector<std::int64_t>{0, 16, 32, global, global + 8, global + 32, 0, 24, 36}));
}

TEST(PtxCode, AnEntryIsFoundByItsWholeName)
{
    const std::string ptx =
        ".visible .entry k_long(\n.param .u64 p\n)\n{\nret;\nret;\n}\n.visible .entry k(\n.param .u64 p\n)\n{\nret;\n}\n"
        ".visible .entry bare\n{\nret;\nret;\nret;\n}\n";
    EXPECT_EQ(parsePtx(ptx, "k").instructions.size(), 1U);
    EXPECT_EQ(parsePtx(ptx, "k_long").instructions.size(), 2U);
    EXPECT_EQ(parsePtx(ptx, "bare").instructions.size(), 3U);
    EXPECT_TRUE(parsePtx(ptx, "bare").params.empty());
    EXPECT_TRUE(parsePtx(ptx, "k_").instructions.empty());
    const std::string second =
        ".global .align 4 .u32 a;\n.visible .entry first(\n.param .u64 p\n)\n{\n.shared .align 4 .b8 own[64];\nret;\n}\n" +
        std::string(".visible .entry k(\n.param .u64 p\n)\n{\n.shared .align 4 .b8 tile[64];\nmov.u32 %r1, tile;\nret;\n}\n");
    EXPECT_EQ(parsePtx(second, "k").instructions[0].operands[1].value, 0) << "another entry's shared memory is not its own";
}

TEST(PtxText, CommentsAndDirectivesAreNoStatements)
{
    EXPECT_EQ(
        splitStatements("// one;\n.pragma \"nounroll\";\n\tadd.s32 \t%r1, %r1, 1; // two;\n{\n.reg .b32 t;\nL1:\n{ mov.b32 t, 0; }\n}"),
        (std::vector<std::string>{"add.s32  %r1, %r1, 1", ".reg .b32 t", "L1:  mov.b32 t, 0"}));
    EXPECT_EQ(splitStatements(".loc 1 2 3\nret;"), (std::vector<std::string>{".loc 1 2 3", "ret"}));
    EXPECT_EQ(splitOperands(" {%r1, %r2}, [%rd1+4] , (a, b), 5"), (std::vector<std::string_view>{"{%r1, %r2}", "[%rd1+4]", "(a, b)", "5"}));
    EXPECT_EQ(lastName(".shared .align 4 .b8 tile"), "tile");
    EXPECT_EQ(firstWord("  .u32 k"), ".u32");
}

TEST(PtxScan, PiecesKeepTheirPlaceInTheText)
{
    const std::string body = "// kl.mark 3\n/* x; */.loc 1 2 3\n{\n.reg .b32 %r<4>;\nL1 : add.s32 %r1, %r1, 1;\n"
                             "cp.async.shared::cta [%r1];\n}";
    std::vector<std::pair<PtxPiece::Kind, std::string_view>> pieces;
    std::size_t last = 0;
    for (const PtxPiece& piece : splitPieces(body)) {
        pieces.emplace_back(piece.kind, piece.text);
        EXPECT_GE(piece.begin, last);
        EXPECT_NE(std::string_view(body).substr(piece.begin, piece.end - piece.begin).find(piece.text), std::string_view::npos);
        last = piece.end;
    }
    using enum PtxPiece::Kind;
    EXPECT_EQ(pieces, (std::vector<std::pair<PtxPiece::Kind, std::string_view>>{{comment, "kl.mark 3"},
                                                                                {directive, ".loc 1 2 3"},
                                                                                {brace, "{"},
                                                                                {directive, ".reg .b32 %r<4>"},
                                                                                {label, "L1"},
                                                                                {instruction, "add.s32 %r1, %r1, 1"},
                                                                                {instruction, "cp.async.shared::cta [%r1]"},
                                                                                {brace, "}"}}));
    EXPECT_EQ(last, body.size());
    EXPECT_TRUE(splitPieces("/* no end").empty());
    EXPECT_EQ(splitPieces("ret; add.s32 %r1").size(), 1U) << "the rest cannot be read";
}

TEST(PtxScan, LabelsAreNamesAsCompilersMakeThem)
{
    for (const char* name : {"$L__BB0_2", "LOOP_1", "_x", "a9", "%way"}) {
        const std::string body = std::string(name) + ":\nret;";
        const std::vector<PtxPiece> pieces = splitPieces(body);
        ASSERT_EQ(pieces.size(), 2U) << name;
        EXPECT_EQ(pieces[0].kind, PtxPiece::Kind::label) << name;
        EXPECT_EQ(pieces[0].text, name);
        EXPECT_EQ(pieces[1].text, "ret");
    }
}

TEST(PtxCode, AVariableWithoutSizeIsOneElement)
{
    const PtxCode code = codeWith(".shared .align 4 .u32 first;\n.shared .align 4 .f32 second;\n.shared .align 1 .u8 third;\n"
                                  ".shared .align 1 .u8 fourth;\nmov.u32 %r1, second;\nmov.u32 %r1, third;\nmov.u32 %r1, fourth;\n");
    ASSERT_EQ(code.instructions.size(), 3U);
    EXPECT_EQ(code.instructions[0].operands[1].value, 4);
    EXPECT_EQ(code.instructions[1].operands[1].value, 8);
    EXPECT_EQ(code.instructions[2].operands[1].value, 9);
}

TEST(PtxScan, AnInstructionHasAGuardAnOpcodeAndOperands)
{
    const PtxParts guarded = splitInstruction("  @!%p1\tbar.sync \t0, %r5 ");
    EXPECT_EQ(guarded.guard, "!%p1");
    EXPECT_EQ(guarded.opcode, "bar.sync");
    EXPECT_EQ(guarded.operands, (std::vector<std::string_view>{"0", "%r5"}));
    EXPECT_TRUE(splitInstruction("ret").guard.empty());
    EXPECT_TRUE(splitInstruction("ret").operands.empty());
}

TEST(Opcodes, ClassesAreThoseOfTheUnitsThatExecute)
{
    const std::vector<std::pair<const char*, const char*>> cases{{"ld.global.nc.f32", "ld.global"},
                                                                 {"ldu.global.f32", "ld.global"},
                                                                 {"ld.param.u64", "ld.param"},
                                                                 {"ld.const.f32", "ld.const"},
                                                                 {"ld.local.f32", "ld.local"},
                                                                 {"ld.shared::cluster.f32", "ld.shared"},
                                                                 {"ld.f32", "ld.generic"},
                                                                 {"st.shared.v4.f32", "st.shared"},
                                                                 {"st.global.f32", "st.global"},
                                                                 {"atom.shared.add.u32", "atom"},
                                                                 {"red.global.add.f32", "atom"},
                                                                 {"cp.async.cg.shared.global", "cp.async"},
                                                                 {"cp.async.bulk.tensor.2d.shared::cluster.global", "tma"},
                                                                 {"cp.async.bulk.commit_group", "other"},
                                                                 {"cp.async.bulk.wait_group.read", "other"},
                                                                 {"ldmatrix.sync.aligned.m8n8.x4.shared.b16", "ldmatrix"},
                                                                 {"stmatrix.sync.aligned.m8n8.x4.shared.b16", "stmatrix"},
                                                                 {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", "mma"},
                                                                 {"wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32", "mma"},
                                                                 {"wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16", "wgmma"},
                                                                 {"wgmma.fence.sync.aligned", "other"},
                                                                 {"tcgen05.mma.cta_group::1.kind::f16", "tcgen05"},
                                                                 {"tcgen05.wait::ld.sync.aligned", "other"},
                                                                 {"ex2.approx.f32", "xu"},
                                                                 {"rsqrt.approx.f32", "xu"},
                                                                 {"tanh.approx.f32", "xu"},
                                                                 {"div.rn.f32", "div"},
                                                                 {"rem.u32", "div"},
                                                                 {"fma.rn.f64", "fma.f64"},
                                                                 {"fma.rn.f32", "fma.f32"},
                                                                 {"add.rn.f32x2", "fma.f32"},
                                                                 {"mul.bf16x2", "fma.f16"},
                                                                 {"fma.rn.f16", "fma.f16"},
                                                                 {"mad.lo.s32", "int"},
                                                                 {"lop3.b32", "int"},
                                                                 {"bfind.u32", "int"},
                                                                 {"mbarrier.try_wait.b64", "mbarrier"},
                                                                 {"bar.sync", "bar"},
                                                                 {"barrier.cluster.arrive", "bar"},
                                                                 {"fence.proxy.async", "fence"},
                                                                 {"membar.gl", "fence"},
                                                                 {"bra.uni", "branch"},
                                                                 {"call.uni", "branch"},
                                                                 {"setp.lt.s32", "setp"},
                                                                 {"selp.b32", "setp"},
                                                                 {"mov.u32", "mov"},
                                                                 {"cvt.rn.f32.s32", "cvt"},
                                                                 {"cvta.to.global.u64", "cvt"},
                                                                 {"shfl.sync.bfly.b32", "shfl"},
                                                                 {"vote.sync.any.pred", "vote"},
                                                                 {"nanosleep.u32", "other"}};
    for (const auto& [opcode, expected] : cases)
        EXPECT_EQ(opcodeClass(opcode), expected) << opcode;
}

TEST(Opcodes, AreCountedPerEntryAndPerLine)
{
    const std::string ptx =
        ".file 1 \"kernel.cu\"\n.visible .entry k(\n.param .u64 p\n)\n{\nmov.u32 %r1, 0;\n.loc 1 3 1\nadd.s32 %r1, %r1, 1;\n"
        "add.s32 %r1, %r1, 1;\n.loc 1 2 1\nbar.sync 0;\nret;\n}\n";
    EXPECT_EQ(opcodeMix(ptx, "k"), (std::map<std::string, std::int64_t>{{"mov", 1}, {"int", 2}, {"bar", 1}, {"branch", 1}}));
    const std::vector<CodeLine> lines = opcodesByLine(ptx, "k");
    ASSERT_EQ(lines.size(), 2U);
    EXPECT_EQ(lines[0].line, 2);
    EXPECT_EQ(lines[1].line, 3);
    EXPECT_EQ(lines[1].opcodes, (std::map<std::string, std::int64_t>{{"int", 2}}));
}

TEST(PtxasLog, ResourcesAreThoseOfEachKernel)
{
    const auto kernels =
        kernelResources("ptxas info    : 8 bytes gmem\n"
                        "ptxas info    : Compiling entry function 'one' for 'sm_90'\n"
                        "ptxas info    : Function properties for one\n"
                        "    24 bytes stack frame, 16 bytes spill stores, 12 bytes spill loads\n"
                        "ptxas info    : Used 40 registers, used 2 barriers, 24 bytes cumulative stack size, 4096 bytes smem\n"
                        "ptxas info    : Compiling entry function 'two' for 'sm_90'\n"
                        "ptxas info    : Function properties for helper\n"
                        "    99 bytes stack frame, 98 bytes spill stores, 97 bytes spill loads\n"
                        "ptxas info    : Function properties for two\n"
                        "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
                        "ptxas info    : Used 255 registers, 380 bytes cmem[0]\n"
                        "ptxas info    : Function properties for one\n"
                        "    77 bytes stack frame, 76 bytes spill stores, 75 bytes spill loads\n");
    ASSERT_EQ(kernels.size(), 2U);
    const KernelResources& one = kernels.at("one");
    EXPECT_EQ(one.registers, 40);
    EXPECT_EQ(one.barriers, 2);
    EXPECT_EQ(one.staticSmem, 4096);
    EXPECT_EQ(one.stackBytes, 24);
    EXPECT_EQ(one.spillStores, 16);
    EXPECT_EQ(one.spillLoads, 12);
    const KernelResources& two = kernels.at("two");
    EXPECT_EQ(two.registers, 255);
    EXPECT_EQ(two.barriers, 0);
    EXPECT_EQ(two.staticSmem, 0);
    EXPECT_EQ(two.stackBytes, 0) << "its own, not that of a function that it calls";
    EXPECT_EQ(two.spillStores, 0);
}

/// A work with one buffer per type, whose kernel has these instructions.
std::optional<std::string> coarseIn(const std::vector<DType>& types, const std::string& body, double error,
                                    std::optional<DType> arithmetic = {})
{
    WorkSpec work;
    for (const DType type : types)
        work.buffers.push_back({"b" + std::to_string(work.buffers.size()), type, 16});
    work.launches = {{"k", {1}, {32}}};
    work.arithmetic = arithmetic;
    return coarseArithmetic(work, ".visible .entry k(\n.param .u64 p\n)\n{\n" + body + "ret;\n}\n", error);
}

TEST(CoarseArithmetic, ShowsWhereCodeIsLessPreciseThanItsBuffers)
{
    const std::string half = "cvt.rn.f16.f32 %rs1, %f1;\nadd.f32 %f1, %f1, %f1;\n";
    EXPECT_EQ(coarseIn({DType::f32}, half, kCoarseErrorF32), "cvt.rn.f16.f32");
    EXPECT_EQ(coarseIn({DType::f32, DType::i32}, half, 1e-3), "cvt.rn.f16.f32");
    EXPECT_EQ(coarseIn({DType::f32}, half, kCoarseErrorF32 / 2), std::nullopt) << "its error is that of FP32";
    for (const DType coarse : {DType::f16, DType::bf16, DType::f8e4m3, DType::f8e5m2}) {
        EXPECT_EQ(coarseIn({DType::f32, coarse}, half, 1e-3), std::nullopt) << "a buffer has less";
        EXPECT_EQ(coarseIn({DType::f32}, half, 1e-3, coarse), std::nullopt) << "declared";
    }
    EXPECT_EQ(coarseIn({DType::i32, DType::boolean}, half, 1e-3), std::nullopt);
    EXPECT_EQ(coarseIn({DType::f32}, "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%f1}, {%r1}, {%r2}, {%f1};\n", 1e-3),
              "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32");
    for (const char* moves : {"ld.global.f16 %rs1, [%rd1];\n", "st.global.bf16 [%rd1], %rs1;\n", "mov.f16 %rs1, %rs2;\n"})
        EXPECT_EQ(coarseIn({DType::f32}, moves, 1e-3), std::nullopt) << moves;
}

TEST(CoarseArithmetic, OfDoublesIsAlreadySinglePrecision)
{
    const std::string single = "fma.rn.f32 %f1, %f1, %f1, %f1;\n";
    EXPECT_EQ(coarseIn({DType::f64}, single, kCoarseErrorF64), "fma.rn.f32");
    EXPECT_EQ(coarseIn({DType::f64}, single, kCoarseErrorF64 / 2), std::nullopt);
    EXPECT_EQ(coarseIn({DType::f64, DType::f32}, single, 1e-3), std::nullopt) << "a buffer has it";
    EXPECT_EQ(coarseIn({DType::f32}, single, 1e-3), std::nullopt);
    EXPECT_EQ(coarseIn({DType::f64}, "fma.rn.f64 %fd1, %fd1, %fd1, %fd1;\n", 1), std::nullopt);
}

} // namespace
} // namespace kl
