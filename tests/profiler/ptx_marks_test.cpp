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

std::optional<SyncInstruction> syncOf(const char* instruction)
{
    return syncInstructionOf(partsOf(instruction));
}

TEST(PtxMarks, KnowWhatWaits)
{
    using Form = SyncInstruction::Form;
    const auto bar = syncOf("@!%p1 bar.sync %r2, 256");
    ASSERT_TRUE(bar);
    EXPECT_EQ(bar->form, Form::wait);
    EXPECT_EQ(bar->kind, SyncKind::threadBarrier);
    EXPECT_EQ(bar->object, "%r2");
    EXPECT_EQ(syncOf("barrier.cta.red.popc.aligned.u32 %r1, 3, %p1")->object, "3");
    EXPECT_EQ(syncOf("bar.arrive 1, 256")->form, Form::arrive);
    const auto poll = syncOf("mbarrier.try_wait.parity.shared::cta.b64 complete, [%r306+8], %r964");
    ASSERT_TRUE(poll);
    EXPECT_EQ(poll->form, Form::poll);
    EXPECT_EQ(poll->done, "complete");
    EXPECT_EQ(poll->object, "[%r306+8]");
    EXPECT_TRUE(syncOf("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r3], 128")->copies);
    EXPECT_EQ(syncOf("mbarrier.arrive.shared::cta.b64 _, [bars+16]")->object, "[bars+16]");
    EXPECT_EQ(syncOf("cp.async.wait_group 1")->kind, SyncKind::copies);
    EXPECT_EQ(syncOf("cp.async.bulk.wait_group.read 0")->kind, SyncKind::copies);
    EXPECT_EQ(syncOf("wgmma.wait_group.sync.aligned 0")->kind, SyncKind::products);
    EXPECT_EQ(syncOf("barrier.cluster.wait.acquire.aligned")->kind, SyncKind::clusterBarrier);
    EXPECT_EQ(syncOf("barrier.cluster.arrive.release")->form, Form::arrive);
    for (const char* other : {"bar.warp.sync -1", "mbarrier.init.shared::cta.b64 [%r1], 4", "cp.async.commit_group",
                              "add.s32 %r1, %r2, %r3", "wgmma.fence.sync.aligned"})
        EXPECT_FALSE(syncOf(other)) << other;
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

TEST(PtxMarks, AnEntryThatIsNotThereIsAnError)
{
    const Result<MarkedPtx> none = insertMarks(entryWith(""), "other", {});
    ASSERT_FALSE(none.ok());
    EXPECT_EQ(none.error().code, ErrorCode::badInput);
    EXPECT_FALSE(insertMarks("", "k", {}).ok());
}

} // namespace
} // namespace kl
