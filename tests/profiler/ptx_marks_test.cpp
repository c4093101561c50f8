// SPDX-License-Identifier: MIT
// Marks in PTX: which instructions get them, and where they come from.
#include "profiler/live/ptx/ptx_marks.h"

#include "profiler/live/ptx/mark_sites.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace kl {
namespace {

std::string entryWith(const std::string& body)
{
    return ".version 8.0\n.target sm_90a\n.address_size 64\n\n.visible .entry k(\n\t.param .u64 k_param_0\n)\n{\n\t.reg .pred %p<3>;\n"
           "\t.reg .b32 %r<9>;\n\t.reg .b64 %rd<9>;\n\t.shared .align 8 .b8 bars[64];\n\n" +
           body + "\n\tret;\n\n}\n";
}

MarkedPtx marked(const std::string& ptx, bool automatic = true, const std::string& entry = "k")
{
    const Result<MarkedPtx> result =
        insertMarks(ptx, entry, {.layout = {.slots = 96, .capacity = 1024, .blockWarps = 12}, .blocks = 8, .automatic = automatic});
    EXPECT_TRUE(result.ok());
    return result ? *result : MarkedPtx{};
}

std::optional<SyncInstruction> parseSync(const char* instruction)
{
    return findSyncInstruction(splitInstruction(instruction));
}

TEST(PtxMarks, KnowWhatWaits)
{
    using Form = SyncInstruction::Form;
    const auto bar = parseSync("@!%p1 bar.sync %r2, 256");
    ASSERT_TRUE(bar);
    EXPECT_EQ(bar->form, Form::wait);
    EXPECT_EQ(bar->kind, SyncKind::threadBarrier);
    EXPECT_EQ(bar->object, "%r2");
    EXPECT_EQ(parseSync("barrier.cta.red.popc.aligned.u32 %r1, 3, %p1")->object, "3");
    EXPECT_EQ(parseSync("bar.arrive 1, 256")->form, Form::arrive);
    const auto poll = parseSync("mbarrier.try_wait.parity.shared::cta.b64 complete, [%r306+8], %r964");
    ASSERT_TRUE(poll);
    EXPECT_EQ(poll->form, Form::poll);
    EXPECT_EQ(poll->done, "complete");
    EXPECT_EQ(poll->object, "[%r306+8]");
    EXPECT_TRUE(parseSync("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r3], 128")->copies);
    EXPECT_EQ(parseSync("mbarrier.arrive.shared::cta.b64 _, [bars+16]")->object, "[bars+16]");
    EXPECT_EQ(parseSync("cp.async.wait_group 1")->kind, SyncKind::copies);
    EXPECT_EQ(parseSync("cp.async.bulk.wait_group.read 0")->kind, SyncKind::copies);
    EXPECT_EQ(parseSync("wgmma.wait_group.sync.aligned 0")->kind, SyncKind::products);
    EXPECT_EQ(parseSync("barrier.cluster.wait.acquire.aligned")->kind, SyncKind::clusterBarrier);
    EXPECT_EQ(parseSync("barrier.cluster.arrive.release")->form, Form::arrive);
    for (const char* other : {"bar.warp.sync -1", "mbarrier.init.shared::cta.b64 [%r1], 4", "cp.async.commit_group",
                              "add.s32 %r1, %r2, %r3", "wgmma.fence.sync.aligned"})
        EXPECT_FALSE(parseSync(other)) << other;
}

TEST(PtxMarks, EveryKindOfArrivalKnowsItsBarrierAndItsCopies)
{
    using Form = SyncInstruction::Form;
    const struct {
        const char* instruction;
        SyncKind kind;
        const char* object;
        bool copies;
    } cases[] = {{"cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%r5]", SyncKind::memoryBarrier, "[%r5]", true},
                 {"cp.async.mbarrier.arrive.shared.b64 [bars+8]", SyncKind::memoryBarrier, "[bars+8]", true},
                 {"tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%rd4]", SyncKind::memoryBarrier, "[%rd4]", true},
                 {"mbarrier.arrive.release.cta.shared::cta.b64 %rd1, [%r3]", SyncKind::memoryBarrier, "[%r3]", false},
                 {"mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r3], 128", SyncKind::memoryBarrier, "[%r3]", true},
                 {"barrier.cta.arrive 2, 64", SyncKind::threadBarrier, "2", false},
                 {"barrier.cluster.arrive.relaxed.aligned", SyncKind::clusterBarrier, "", false}};
    for (const auto& one : cases) {
        const auto sync = parseSync(one.instruction);
        ASSERT_TRUE(sync) << one.instruction;
        EXPECT_EQ(sync->form, Form::arrive) << one.instruction;
        EXPECT_EQ(sync->kind, one.kind) << one.instruction;
        EXPECT_EQ(sync->object, one.object) << one.instruction;
        EXPECT_EQ(sync->copies, one.copies) << one.instruction;
    }
}

TEST(PtxMarks, EveryKindOfWaitKnowsWhatItWaitsFor)
{
    using Form = SyncInstruction::Form;
    const struct {
        const char* instruction;
        Form form;
        SyncKind kind;
        const char* object;
    } cases[] = {{"barrier.sync 4, 128", Form::wait, SyncKind::threadBarrier, "4"},
                 {"barrier.cta.sync.aligned %r3", Form::wait, SyncKind::threadBarrier, "%r3"},
                 {"bar.red.or.pred %p1, 5, %p2", Form::wait, SyncKind::threadBarrier, "5"},
                 {"mbarrier.test_wait.shared.b64 %p1, [%r7], %rd1", Form::poll, SyncKind::memoryBarrier, "[%r7]"},
                 {"barrier.cluster.wait", Form::wait, SyncKind::clusterBarrier, ""},
                 {"cp.async.wait_all", Form::wait, SyncKind::copies, ""},
                 {"tcgen05.wait::st.sync.aligned", Form::wait, SyncKind::products, ""}};
    for (const auto& one : cases) {
        const auto sync = parseSync(one.instruction);
        ASSERT_TRUE(sync) << one.instruction;
        EXPECT_EQ(sync->form, one.form) << one.instruction;
        EXPECT_EQ(sync->kind, one.kind) << one.instruction;
        EXPECT_EQ(sync->object, one.object) << one.instruction;
        EXPECT_FALSE(sync->copies) << one.instruction;
    }
    EXPECT_EQ(parseSync("mbarrier.test_wait.shared.b64 %p1, [%r7], %rd1")->done, "%p1");
    for (const char* other : {"mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%r1], 64", "bar.warp.sync 255", "cp.async.bulk.commit_group",
                              "tcgen05.fence::after_thread_sync", "wgmma.commit_group.sync.aligned"})
        EXPECT_FALSE(parseSync(other)) << other;
}

TEST(PtxMarks, SitesHaveLinesOfTheCall)
{
    std::string ptx = entryWith("\t.loc\t1 7 3\n\tbar.sync \t0;\n\t.loc\t1 9 1, function_name $L__info_string0, inlined_at 1 42 "
                                "5\n\twgmma.wait_group.sync.aligned 0;");
    ptx += "\t.file\t1 \"kernel.cu\"\n";
    const MarkedPtx result = marked(ptx);
    ASSERT_EQ(result.sites.size(), 4U);
    EXPECT_EQ(result.sites[0].line, 7);
    EXPECT_EQ(result.sites[0].kind, MarkKind::waitBegin);
    EXPECT_EQ(result.sites[1].kind, MarkKind::waitEnd);
    EXPECT_EQ(result.sites[2].line, 42);
    EXPECT_EQ(result.sites[2].name, "wgmma.wait_group");
    EXPECT_EQ(result.sites[2].sync, SyncKind::products);
}

TEST(PtxMarks, LinesOfOtherFilesAreNone)
{
    const auto findLine = [](const std::string& location) {
        std::string ptx = entryWith("\t.loc\t2 3 1\n\t" + location + "\n\tbar.sync \t0;");
        ptx += "\t.file\t1 \"/tmp/header.h\"\n\t.file\t2 \"kernel.cu\"\n\t.file\t3 \"/else/other_kernel.cu\"\n";
        const MarkedPtx result = marked(ptx);
        return result.sites.empty() ? -1 : result.sites[0].line;
    };
    EXPECT_EQ(findLine(".loc\t2 17 5"), 17);
    EXPECT_EQ(findLine(".loc\t1 17 5"), 0);
    EXPECT_EQ(findLine(".loc\t3 17 5"), 0);
    EXPECT_EQ(findLine(".loc\t1 9 1, function_name $L__info_string0, inlined_at 2 42 5"), 42) << "that of the call";
    EXPECT_EQ(findLine(".loc\t2 9 1, function_name $L__info_string0, inlined_at 1 42 5"), 0);
    EXPECT_EQ(findLine("mov.u32 %r1, 5;"), 3) << "the last one stays";
}

TEST(PtxMarks, SitesAreNumberedOnAndOfTheEntryThatIsNamed)
{
    const std::string two = entryWith("\tbar.sync \t0;\n\tbar.arrive \t1, 64;\n\tcp.async.wait_all;");
    const MarkedPtx result = marked(two);
    ASSERT_EQ(result.sites.size(), 5U);
    for (std::size_t i = 0; i < result.sites.size(); ++i)
        EXPECT_EQ(result.sites[i].id, kUserSites + static_cast<int>(i));
    EXPECT_EQ(result.sites[2].kind, MarkKind::arrive);
    EXPECT_EQ(result.sites[3].sync, SyncKind::copies);
    EXPECT_EQ(result.sites[4].kind, MarkKind::waitEnd);
    EXPECT_EQ(result.userMarks, 0);
    EXPECT_EQ(result.leftOut, 0);
    const std::string other = ".visible .entry other(\n\t.param .u64 other_param_0\n)\n{\n\tbar.sync \t0;\n\tret;\n\n}\n";
    EXPECT_EQ(marked(two + other, true, "other").sites.size(), 2U);
    EXPECT_EQ(marked(two + other).sites.size(), 5U);
}

TEST(PtxMarks, WithoutAutomaticOnesOnlyOwnMarksAreInserted)
{
    const std::string ptx = entryWith("\tbar.sync \t0;\n\tmov.u32 %r1, 5;\n\t// begin inline asm\n\t// kl.mark %r1\n\t// end inline asm");
    const MarkedPtx own = marked(ptx, false);
    EXPECT_EQ(own.userMarks, 1);
    EXPECT_TRUE(own.sites.empty());
    EXPECT_EQ(marked(ptx).sites.size(), 2U);
}

TEST(PtxMarks, NamesAreReadFromTheirVariables)
{
    std::string ptx = entryWith("\t// kl.mark 3");
    ptx.insert(ptx.find(".visible"), ".global .align 4 .b8 kl_mark_name_4[64] = {3, 0, 0, 0, 108, 111, 97, 100};\n");
    const MarkedPtx result = marked(ptx, false);
    ASSERT_EQ(result.sites.size(), 1U);
    EXPECT_EQ(result.sites[0].id, 3);
    EXPECT_EQ(result.sites[0].name, "load");
}

TEST(PtxMarks, WaitsInOtherFunctionsAreCountedAsLeftOut)
{
    std::string ptx = entryWith("\tbar.sync \t0;");
    ptx.insert(ptx.find(".visible"), ".func helper()\n{\n\tbar.sync \t1;\n\tret;\n\n}\n\n");
    const MarkedPtx result = marked(ptx);
    EXPECT_EQ(result.leftOut, 1);
    EXPECT_EQ(result.sites.size(), 2U);
}

std::size_t timesIn(const std::string& text, std::string_view part)
{
    std::size_t count = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
        ++count;
    return count;
}

TEST(PtxMarks, WhatWasThereStaysAndMarksLieAroundIt)
{
    const std::string ptx = entryWith("\t@%p1 bar.sync \t0;\n\t@!%p2 ret;");
    const MarkedPtx result = marked(ptx);
    EXPECT_EQ(timesIn(result.ptx, "@%p1 bar.sync \t0;"), 1U);
    const std::size_t wait = result.ptx.find("bar.sync");
    EXPECT_EQ(result.sites[0].id, kUserSites);
    EXPECT_EQ(result.sites[1].id, kUserSites + 1);
    EXPECT_LT(result.ptx.find("mov.b32 %kl_t3, " + std::to_string(kUserSites)), wait);
    EXPECT_GT(result.ptx.find("mov.b32 %kl_t3, " + std::to_string(kUserSites + 1)), wait);
    EXPECT_LT(result.ptx.find(".reg .b32 %kl_at"), wait) << "the setup comes first";
    EXPECT_EQ(timesIn(result.ptx, ".reg .b32 %kl_at"), 1U);
    EXPECT_EQ(timesIn(result.ptx, "setp.ne.and.u32 %kl_q, %kl_at, 0, %p1;"), 2U) << "a mark holds where its wait does";
    EXPECT_EQ(timesIn(result.ptx, "setp.ne.and.u32 %kl_q, %kl_at, 0, !%p2;"), 1U) << "of the return with a guard";
    EXPECT_EQ(timesIn(result.ptx, "setp.ne.u32 %kl_q, %kl_at, 0;"), 1U) << "of the one without";
    EXPECT_EQ(timesIn(result.ptx, ".u64 kl_timeline = 0;"), 1U);
    EXPECT_LT(result.ptx.find("kl_timeline = 0"), result.ptx.find(".entry"));
}

TEST(PtxMarks, ABarrierIsToldFromOthersByItsNumberOrAddress)
{
    const auto findObject = [](const std::string& instruction) {
        const std::string ptx = marked(entryWith("\t.reg .b64 wide;\n\t.reg .u32 narrow;\n\t" + instruction + ";")).ptx;
        const std::size_t begin = ptx.find("%kl_t1, 1024, %kl_t2;");
        const std::size_t object = ptx.find("%kl_a;\n", begin) + 7;
        return ptx.substr(object, ptx.find("\tmov.b32 %kl_t3", object) - object);
    };
    EXPECT_EQ(findObject("bar.sync 3"), "\tmov.b32 %kl_t2, 3;\n");
    EXPECT_EQ(findObject("bar.sync %r5"), "\tmov.b32 %kl_t2, %r5;\n");
    EXPECT_EQ(findObject("mbarrier.arrive.shared.b64 _, [%r7]"), "\tmov.b32 %kl_t2, %r7;\n");
    EXPECT_EQ(findObject("mbarrier.arrive.shared.b64 _, [%r7+8]"), "\tmov.b32 %kl_t2, %r7;\n\tadd.u32 %kl_t2, %kl_t2, 8;\n");
    EXPECT_EQ(findObject("mbarrier.arrive.b64 _, [%rd2]"), "\tmov.b64 %kl_c, %rd2;\n\tcvt.u32.u64 %kl_t2, %kl_c;\n");
    EXPECT_EQ(findObject("mbarrier.arrive.b64 _, [wide]"), "\tmov.b64 %kl_c, wide;\n\tcvt.u32.u64 %kl_t2, %kl_c;\n");
    EXPECT_EQ(findObject("mbarrier.arrive.b64 _, [narrow]"), "\tmov.b32 %kl_t2, narrow;\n");
    EXPECT_EQ(findObject("mbarrier.arrive.shared.b64 _, [ bars + 16 ]"),
              "\tmov.b64 %kl_c, bars;\n\tcvt.u32.u64 %kl_t2, %kl_c;\n\tadd.u32 %kl_t2, %kl_t2, 16;\n");
    EXPECT_EQ(findObject("cp.async.wait_group 0"), "\tmov.b32 %kl_t2, 0;\n");
}

TEST(PtxMarks, APollIsMarkedWhenItBeginsAndWhenItIsOver)
{
    for (const auto& [guard, both] :
         std::vector<std::pair<std::string, std::string>>{{"", ""},
                                                          {"@%p2 ", "\tand.pred %kl_q, %kl_q, %p2;\n"},
                                                          {"@!%p2 ", "\tnot.pred %kl_p, %p2;\n\tand.pred %kl_q, %kl_q, %kl_p;\n"}}) {
        const MarkedPtx result = marked(entryWith("\t" + guard + "mbarrier.try_wait.parity.b64 %p1, [%r7], %r8;"));
        ASSERT_EQ(result.sites.size(), 2U);
        EXPECT_EQ(result.sites[0].kind, MarkKind::waitBegin);
        EXPECT_EQ(result.sites[1].kind, MarkKind::waitEnd);
        EXPECT_EQ(result.sites[0].name, "mbarrier.try_wait");
        EXPECT_NE(result.ptx.find("setp.lt.and.s32 %kl_q, %kl_at, 0, %p1;\n" + both + "\t@%kl_q mov.u32 %kl_t0, %clock;"),
                  std::string::npos)
            << guard;
        EXPECT_EQ(timesIn(result.ptx, "or.b32 %kl_at, %kl_t1, 0x80000000"), 1U);
        EXPECT_EQ(timesIn(result.ptx, "and.b32 %kl_at, %kl_t1, 0x7fffffff"), 1U);
    }
}

TEST(PtxMarks, ArrivalsHaveOneMarkAndKnowWhetherTheyAreOfCopies)
{
    const MarkedPtx result = marked(entryWith("\tmbarrier.arrive.expect_tx.shared.b64 _, [%r7], 128;\n\tbar.arrive 1, 256;"));
    ASSERT_EQ(result.sites.size(), 2U);
    EXPECT_EQ(result.sites[0].kind, MarkKind::arrive);
    EXPECT_TRUE(result.sites[0].copies);
    EXPECT_EQ(result.sites[0].name, "mbarrier.arrive");
    EXPECT_EQ(result.sites[0].sync, SyncKind::memoryBarrier);
    EXPECT_FALSE(result.sites[1].copies);
    EXPECT_EQ(result.sites[1].name, "bar.arrive");
}

TEST(PtxMarks, NamesAreThoseOfTheInstructionWithoutItsTypes)
{
    for (const auto& [instruction, name] :
         std::vector<std::pair<const char*, const char*>>{{"barrier.cta.sync.aligned 0", "barrier.cta.sync"},
                                                          {"barrier.cta.red.popc.aligned.u32 %r1, 3, %p1", "barrier.cta.red"},
                                                          {"barrier.cluster.wait.acquire", "barrier.cluster.wait"},
                                                          {"barrier.cluster.arrive.release", "barrier.cluster.arrive"},
                                                          {"cp.async.wait_all", "cp.async.wait_all"},
                                                          {"cp.async.bulk.wait_group.read 0", "cp.async.bulk.wait_group"},
                                                          {"mbarrier.test_wait.b64 %p1, [%r7], %rd1", "mbarrier.test_wait"},
                                                          {"tcgen05.commit.cta_group::1.b64 [%rd1]", "tcgen05"},
                                                          {"tcgen05.wait::ld.sync.aligned", "tcgen05.wait::ld.sync"}}) {
        const MarkedPtx result = marked(entryWith(std::string("\t") + instruction + ";"));
        ASSERT_FALSE(result.sites.empty()) << instruction;
        EXPECT_EQ(result.sites[0].name, name) << instruction;
    }
}

TEST(PtxMarks, OfNamesOnlyThoseOfUsersIdsAreTaken)
{
    std::string ptx = entryWith("\t// kl.mark 3");
    ptx.insert(ptx.find(".visible"), ".global .align 4 .b8 kl_mark_name_1[64] = {44, 1, 0, 0, 97};\n"    // 300
                                     ".global .align 4 .b8 kl_mark_name_2[64] = {255, 255, 0, 0, 98};\n" // too large
                                     ".global .align 4 .b8 kl_mark_name_3[64] = {5, 0, 0, 0};\n"         // no text
                                     ".global .align 4 .b8 kl_mark_name_4[64];\n"
                                     ".global .align 4 .b8 kl_mark_name_5[64] = {6, 0, 0, 0, 99, 100, 0, 101};\n");
    const MarkedPtx result = marked(ptx, false);
    ASSERT_EQ(result.sites.size(), 2U);
    EXPECT_EQ(result.sites[0].id, 300);
    EXPECT_EQ(result.sites[0].name, "a");
    EXPECT_EQ(result.sites[1].id, 6);
    EXPECT_EQ(result.sites[1].name, "cd") << "up to its end";
}

TEST(PtxMarks, OfOtherFunctionsDeclarationsHaveNoWaitsAndMarksCountAlways)
{
    std::string ptx = entryWith("\tbar.sync \t0;");
    ptx.insert(ptx.find(".visible"),
               ".extern .func other();\n.func helper()\n{\n\t// kl.mark 5\n\t// a comment\n\tbar.sync \t1;\n\tret;\n\n}\n\n");
    EXPECT_EQ(marked(ptx).leftOut, 2);
    EXPECT_EQ(marked(ptx, false).leftOut, 1);
}

TEST(PtxMarks, TheBufferIsThatOfTheOptions)
{
    const std::string ptx = entryWith("\tbar.sync \t0;");
    const Result<MarkedPtx> result = insertMarks(
        ptx, "k",
        {.layout = {.slots = 96, .capacity = 1024, .blockWarps = 12}, .blocks = 8, .automatic = true, .buffer = 0x7f00'0000'1000});
    ASSERT_TRUE(result.ok());
    EXPECT_EQ(timesIn(result->ptx, ".u64 kl_timeline = " + std::to_string(0x7f00'0000'1000) + ";"), 1U);
    EXPECT_EQ(timesIn(result->ptx, "mov.u64 %kl_a, " + std::to_string(0x7f00'0000'1000) + ";"), 3U) << "two marks and the end";
    EXPECT_EQ(timesIn(marked(ptx).ptx, std::to_string(0x7f00'0000'1000)), 0U);
}

TEST(PtxMarks, AnEntryThatIsNotThereIsAnError)
{
    const Result<MarkedPtx> none = insertMarks(entryWith(""), "other", {});
    ASSERT_FALSE(none.ok());
    EXPECT_EQ(none.error().code, ErrorCode::badInput);
    EXPECT_FALSE(insertMarks("", "k", {}).ok());
}

} // namespace
} // namespace kl
