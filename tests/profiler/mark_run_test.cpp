// SPDX-License-Identifier: MIT
// Code with marks is run for one thread, instruction by instruction, and what it writes is read back as a timeline: no GPU needed.
#include "core/timeline/read_rings.h"
#include "profiler/live/ptx/ptx_arithmetic.h"
#include "profiler/live/ptx/ptx_marks.h"

#include <algorithm>
#include <cstring>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <regex>

namespace kl {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

constexpr std::uint64_t kMarkBuffer = 0x40'0000'0000;

/// A thread of a grid of 2 × 3 × 4 blocks of 4 × 8 × 3 threads.
struct MarkThread {
    std::array<std::uint64_t, 3> block{1, 1, 2};  ///< the 16th
    std::array<std::uint64_t, 3> thread{0, 0, 2}; ///< the first of warp 2
    std::uint64_t pointer = kMarkBuffer;          ///< of kl_timeline
    std::vector<bool> polls;                      ///< what polls of barriers give, one after the other
};

/// "[%a+4096+16]" as "[%a+4112]", which the parser takes.
std::string withSums(const std::string& ptx)
{
    static const std::regex kTwo(R"(\+(\d+)\+(\d+)\])");
    std::string text = ptx, done;
    for (std::smatch found; std::regex_search(text, found, kTwo); text = found.suffix())
        done += found.prefix().str() + '+' + std::to_string(std::stoull(found[1]) + std::stoull(found[2])) + ']';
    return done + text;
}

class MarkRun {
public:
    MarkRun(const std::string& ptx, const RingLayout& layout)
        : code_(parsePtx(withSums(ptx), "k")), buffer_(layout.bytes(), std::byte{kUnwritten})
    {
    }

    const std::vector<std::byte>& buffer() const { return buffer_; }

    void run(const MarkThread& thread)
    {
        thread_ = thread;
        std::vector<std::uint64_t> registers(static_cast<std::size_t>(code_.registers), 0);
        std::size_t polled = 0;
        int budget = 100'000;
        for (std::size_t at = 0; at < code_.instructions.size() && --budget > 0; ++at) {
            const PtxInstruction& one = code_.instructions[at];
            clock_ += 10;
            if (one.guard >= 0 && (registers[static_cast<std::size_t>(one.guard)] != 0) == one.guardNegated)
                continue;
            const std::string& base = one.parts.front();
            if (base == "ret")
                return;
            if (base == "bra")
                at = static_cast<std::size_t>(one.target) - 1;
            else if (base == "mbarrier" && one.has("try_wait"))
                registers[static_cast<std::size_t>(one.operands[0].reg)] = thread.polls.at(polled++) ? 1 : 0;
            else if (base == "ld")
                registers[static_cast<std::size_t>(one.operands[0].reg)] =
                    one.type.bits == 64 ? thread.pointer : thread.pointer & 0xffff'ffff;
            else if (base == "st")
                store(one, registers);
            else if (base != "bar" && base != "mbarrier")
                compute(one, registers);
        }
        EXPECT_GT(budget, 0) << "it does not end";
    }

private:
    std::uint64_t value(const PtxOperand& operand, const std::vector<std::uint64_t>& registers)
    {
        if (operand.kind == PtxOperand::Kind::reg) {
            const std::uint64_t held = registers[static_cast<std::size_t>(operand.reg)];
            return !operand.negated ? held : held == 0 ? 1 : 0;
        }
        if (operand.kind == PtxOperand::Kind::special)
            return special(operand.name);
        return static_cast<std::uint64_t>(operand.value);
    }
    std::uint64_t special(const std::string& name)
    {
        const auto axis = static_cast<std::size_t>(std::clamp(name.back() - 'x', 0, 2));
        constexpr std::array<std::uint64_t, 3> kGrid{2, 3, 4}, kBlock{4, 8, 3};
        if (name.starts_with("%ctaid"))
            return thread_.block[axis];
        if (name.starts_with("%nctaid"))
            return kGrid[axis];
        if (name.starts_with("%tid"))
            return thread_.thread[axis];
        if (name.starts_with("%ntid"))
            return kBlock[axis];
        if (name == "%smid")
            return 77;
        if (name == "%globaltimer")
            return 5'000'000'000'000 + clock_;
        return name == "%clock" ? clock_ & 0xffff'ffff : clock_;
    }
    void compute(const PtxInstruction& one, std::vector<std::uint64_t>& registers)
    {
        std::array<std::uint64_t, 4> in{};
        for (std::size_t i = 1; i < one.operands.size(); ++i)
            in[i - 1] = value(one.operands[i], registers);
        const std::optional<std::uint64_t> result = evaluate(one, in);
        ASSERT_TRUE(result) << one.opcode;
        registers[static_cast<std::size_t>(one.operands[0].reg)] = *result;
    }
    void store(const PtxInstruction& one, const std::vector<std::uint64_t>& registers)
    {
        std::uint64_t at = registers[static_cast<std::size_t>(one.operands[0].reg)] + static_cast<std::uint64_t>(one.operands[0].value);
        const auto bytes = static_cast<std::size_t>(one.type.bits / 8);
        const std::vector<int> list =
            one.operands[1].kind == PtxOperand::Kind::list ? one.operands[1].list : std::vector{one.operands[1].reg};
        for (const int reg : list) {
            ASSERT_GE(at, kMarkBuffer);
            ASSERT_LE(at - kMarkBuffer + bytes, buffer_.size());
            std::memcpy(buffer_.data() + (at - kMarkBuffer), &registers[static_cast<std::size_t>(reg)], bytes);
            at += bytes;
        }
    }

    PtxCode code_;
    MarkThread thread_;
    std::vector<std::byte> buffer_;
    std::uint64_t clock_ = (std::uint64_t{1} << 32) - 500; ///< its low word starts again soon
};

struct MarkedRun {
    std::vector<WarpMarks> warps;
    std::int64_t damaged = 0;
};

/// What threads record in a kernel with this body, of 20 blocks of three warps at most.
MarkedRun recorded(const std::string& body, const std::vector<MarkThread>& threads, RingLayout layout = {60, 64, 3},
                   std::int64_t blocks = 20)
{
    const std::string ptx =
        ".version 8.0\n.target sm_90a\n.address_size 64\n\n.visible .entry k(\n\t.param .u64 k_param_0\n)\n{\n\t.reg .pred %p<3>;\n"
        "\t.reg .b32 %r<9>;\n\n" +
        body + "\n\tret;\n\n}\n";
    Result<MarkedPtx> marked = insertMarks(ptx, "k", {.layout = layout, .blocks = blocks, .automatic = true, .buffer = kMarkBuffer});
    EXPECT_TRUE(marked);
    for (int id = 1; id < 9; ++id)
        marked->sites.push_back({.id = id});
    MarkRun run(marked->ptx, layout);
    for (const MarkThread& thread : threads)
        run.run(thread);
    RingContent content = readRings(run.buffer(), layout, marked->sites);
    return {std::move(content.warps), content.damaged};
}

std::vector<std::pair<int, std::uint32_t>> marksIn(const WarpMarks& warp)
{
    std::vector<std::pair<int, std::uint32_t>> list;
    for (const TimelineMark& mark : warp.marks)
        list.emplace_back(mark.site, mark.object);
    return list;
}

TEST(MarkRun, AWarpRecordsWhereItRunsAndWhatItMeets)
{
    MarkThread thread;
    thread.polls = {false, false, true};
    const MarkedRun run = recorded("\tmov.u32 %r7, 4096;\n\tbar.sync 3;\n\t// kl.mark 5\n\tmbarrier.arrive.shared.b64 _, [%r7+8];\n"
                                   "AGAIN:\n\tmbarrier.try_wait.parity.shared.b64 %p1, [%r7], %r8;\n\t@!%p1 bra AGAIN;",
                                   {thread});
    EXPECT_EQ(run.damaged, 0);
    ASSERT_EQ(run.warps.size(), 1U);
    const WarpMarks& warp = run.warps[0];
    EXPECT_EQ(warp.block, 15);
    EXPECT_EQ(warp.warp, 2);
    EXPECT_EQ(warp.sm, 77);
    EXPECT_EQ(warp.lost, 0);
    ASSERT_TRUE(warp.endCycle && warp.endNs);
    EXPECT_GT(*warp.endCycle, warp.marks.back().cycle);
    EXPECT_EQ(warp.beginNs - warp.beginCycle, 5'000'000'000'000 - 10) << "one instruction apart";
    EXPECT_EQ(*warp.endNs - *warp.endCycle, 20) << "the other way round";
    EXPECT_THAT(marksIn(warp), ElementsAre(Pair(kUserSites, 3), Pair(kUserSites + 1, 3), Pair(5, 0), Pair(kUserSites + 2, 4104),
                                           Pair(kUserSites + 3, 4096), Pair(kUserSites + 4, 4096)))
        << "a poll that is made again begins no other wait";
    EXPECT_TRUE(std::ranges::is_sorted(warp.marks, {}, &TimelineMark::cycle));
}

TEST(MarkRun, APollThatIsMadeOnceHasBothMarksAndTheNextBeginsAnother)
{
    MarkThread thread;
    thread.polls = {true, false, true};
    const std::string poll = "\tmbarrier.try_wait.parity.shared.b64 %p1, [%r7], %r8;\n";
    const MarkedRun run = recorded(poll + poll + poll, {thread});
    ASSERT_EQ(run.warps.size(), 1U);
    EXPECT_THAT(marksIn(run.warps[0]),
                ElementsAre(Pair(kUserSites, 0), Pair(kUserSites + 1, 0), Pair(kUserSites + 2, 0), Pair(kUserSites + 5, 0)))
        << "the third poll ends the wait that the second began";
}

TEST(MarkRun, TheFirstLaneOfEachRecordedWarpWritesAndNoOther)
{
    const std::string body = "\t// kl.mark 1";
    MarkThread lane, block, unrecorded;
    lane.thread = {1, 0, 2};
    block.block = {1, 2, 3}; // the 24th
    unrecorded.pointer = 0;
    EXPECT_THAT(recorded(body, {lane}).warps, IsEmpty());
    EXPECT_THAT(recorded(body, {block}).warps, IsEmpty());
    EXPECT_EQ(recorded(body, {block}, {72, 64, 3}, 24).warps.size(), 1U);
    EXPECT_THAT(recorded(body, {unrecorded}).warps, IsEmpty());
    EXPECT_THAT(recorded(body, {{}}, {60, 64, 3}, 15).warps, IsEmpty()) << "fifteen blocks";
    EXPECT_EQ(recorded(body, {{}}, {60, 64, 3}, 16).warps.size(), 1U);
    EXPECT_THAT(recorded(body, {{}}, {47, 64, 3}).warps, IsEmpty()) << "the slot behind the last";
    EXPECT_EQ(recorded(body, {{}}, {48, 64, 3}).warps.size(), 1U);
    MarkThread first, second;
    first.block = {0, 0, 0};
    first.thread = {0, 0, 0};
    second.block = {1, 0, 0};
    second.thread = {0, 0, 1};
    const MarkedRun run = recorded(body, {first, second, {}});
    ASSERT_EQ(run.warps.size(), 3U);
    EXPECT_EQ(run.damaged, 0);
    EXPECT_EQ(run.warps[0].block, 0);
    EXPECT_EQ(run.warps[0].warp, 0);
    EXPECT_EQ(run.warps[1].block, 1);
    EXPECT_EQ(run.warps[1].warp, 1);
    EXPECT_EQ(run.warps[2].block, 15);
    for (const WarpMarks& warp : run.warps)
        EXPECT_THAT(marksIn(warp), ElementsAre(Pair(1, 0)));
}

TEST(MarkRun, ARingKeepsTheLatestMarks)
{
    const MarkedRun run =
        recorded("\t// kl.mark 1\n\t// kl.mark 2\n\t// kl.mark 3\n\t// kl.mark 4\n\t// kl.mark 5\n\t// kl.mark 6", {{}}, {60, 4, 3});
    ASSERT_EQ(run.warps.size(), 1U);
    EXPECT_EQ(run.damaged, 0);
    EXPECT_EQ(run.warps[0].lost, 2);
    EXPECT_THAT(marksIn(run.warps[0]), ElementsAre(Pair(3, 0), Pair(4, 0), Pair(5, 0), Pair(6, 0)));
}

TEST(MarkRun, AGuardHoldsForTheMarksAroundIt)
{
    const std::string body = "\tsetp.eq.u32 %p1, 0, 0;\n\tsetp.ne.u32 %p2, 0, 0;\n";
    const auto countMarks = [&](const std::string& rest) {
        const MarkedRun run = recorded(body + rest, {{}});
        EXPECT_EQ(run.warps.size(), 1U);
        EXPECT_EQ(run.damaged, 0);
        return run.warps.empty() ? std::size_t{0} : run.warps[0].marks.size();
    };
    EXPECT_EQ(countMarks("\t@%p1 bar.sync 0;"), 2U);
    EXPECT_EQ(countMarks("\t@!%p1 bar.sync 0;"), 0U);
    EXPECT_EQ(countMarks("\t@%p2 bar.sync 0;"), 0U);
    EXPECT_EQ(countMarks("\t@!%p2 bar.arrive 0, 64;"), 1U);
    EXPECT_EQ(countMarks("\t@%p2 ret;\n\t// kl.mark 1"), 1U);
    EXPECT_EQ(countMarks("\t@%p1 ret;\n\t// kl.mark 1"), 0U);
    const MarkedRun early = recorded(body + "\t@%p1 ret;\n\t// kl.mark 1", {{}});
    EXPECT_TRUE(early.warps[0].endCycle) << "it ended there";
    MarkThread thread;
    thread.polls = {true};
    const MarkedRun polled = recorded(body + "\t@%p1 mbarrier.try_wait.parity.shared.b64 %p2, [%r7], %r8;", {thread});
    EXPECT_EQ(polled.warps[0].marks.size(), 2U);
    const MarkedRun skipped = recorded(body + "\t@!%p1 mbarrier.try_wait.parity.shared.b64 %p2, [%r7], %r8;", {{}});
    EXPECT_THAT(skipped.warps[0].marks, IsEmpty());
}

} // namespace
} // namespace kl
