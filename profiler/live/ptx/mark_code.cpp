// SPDX-License-Identifier: MIT
#include "profiler/live/ptx/mark_code.h"

#include "profiler/live/ptx/ptx_scan.h"
#include "profiler/live/ptx/ptx_text.h"
#include "profiler/live/ptx/ptx_words.h"

#include <cctype>
#include <fmt/format.h>

namespace kl::inline live {
namespace {

/// The name without a number at its end: "%rd" of "%rd15".
std::string_view stripNumber(std::string_view name)
{
    while (!name.empty() && std::isdigit(static_cast<unsigned char>(name.back())) != 0)
        name.remove_suffix(1);
    return name;
}

/// ", !%p1" behind a comparison that is combined with a guard.
std::string formatCombined(std::string_view guard)
{
    return guard.empty() ? std::string() : fmt::format(", {}", guard);
}

std::string_view orAnd(std::string_view guard)
{
    return guard.empty() ? "" : ".and";
}

} // namespace

MarkCode::MarkCode(const MarkOptions& options, std::string_view body) : options_(options)
{
    for (const PtxPiece& piece : splitPieces(body)) {
        if (piece.kind != PtxPiece::Kind::directive || firstWord(piece.text) != ".reg")
            continue;
        const std::string_view rest = trimText(piece.text.substr(4));
        const std::string_view type = firstWord(rest);
        const std::optional<PtxType> known = type.empty() ? std::nullopt : parsePtxType(type.substr(1));
        for (std::string_view name : splitOperands(rest.substr(type.size()))) {
            name = trimText(name.substr(0, name.find('<')));
            if (known)
                widths_.insert_or_assign(std::string(name), known->bits);
        }
    }
}

std::string MarkCode::begin() const
{
    return fmt::format(R"(
	.reg .pred %kl_q, %kl_p;
	.reg .b32 %kl_at, %kl_t0, %kl_t1, %kl_t2, %kl_t3;
	.reg .b64 %kl_a, %kl_b, %kl_c, %kl_d;
	mov.u32 %kl_t0, %ctaid.z;
	mov.u32 %kl_t1, %nctaid.y;
	mov.u32 %kl_t2, %ctaid.y;
	mad.lo.u32 %kl_t0, %kl_t0, %kl_t1, %kl_t2;
	mov.u32 %kl_t1, %nctaid.x;
	mov.u32 %kl_t2, %ctaid.x;
	mul.wide.u32 %kl_b, %kl_t0, %kl_t1;
	cvt.u64.u32 %kl_c, %kl_t2;
	add.u64 %kl_b, %kl_b, %kl_c;
	mov.u32 %kl_t0, %tid.z;
	mov.u32 %kl_t1, %ntid.y;
	mov.u32 %kl_t2, %tid.y;
	mad.lo.u32 %kl_t0, %kl_t0, %kl_t1, %kl_t2;
	mov.u32 %kl_t1, %ntid.x;
	mov.u32 %kl_t2, %tid.x;
	mad.lo.u32 %kl_t0, %kl_t0, %kl_t1, %kl_t2;
	ld.global.u64 %kl_a, [{pointer}];
	setp.ne.u64 %kl_q, %kl_a, 0;
	setp.lt.and.u64 %kl_q, %kl_b, {blocks}, %kl_q;
	and.b32 %kl_t1, %kl_t0, 31;
	setp.eq.and.u32 %kl_q, %kl_t1, 0, %kl_q;
	cvt.u32.u64 %kl_t1, %kl_b;
	shr.u32 %kl_t2, %kl_t0, 5;
	mad.lo.u32 %kl_t1, %kl_t1, {warps}, %kl_t2;
	setp.lt.and.u32 %kl_q, %kl_t1, {slots}, %kl_q;
	add.u32 %kl_t1, %kl_t1, 1;
	shl.b32 %kl_t2, %kl_t1, {bits};
	selp.b32 %kl_at, %kl_t2, 0, %kl_q;
	mad.wide.u32 %kl_a, %kl_t1, {header}, %kl_a;
	mov.u32 %kl_t0, %smid;
	cvt.u64.u32 %kl_c, %kl_t0;
	@%kl_q st.global.v2.u64 [%kl_a+{headers}+16], {{%kl_c, %kl_b}};
	mov.u64 %kl_d, %globaltimer;
	mov.u64 %kl_c, %clock64;
	@%kl_q st.global.v2.u64 [%kl_a+{headers}], {{%kl_c, %kl_d}};
)",
                       fmt::arg("pointer", kTimelinePointer), fmt::arg("blocks", options_.blocks),
                       fmt::arg("warps", options_.layout.blockWarps), fmt::arg("slots", options_.layout.slots),
                       fmt::arg("bits", kNumberBits), fmt::arg("header", kHeaderBytes), fmt::arg("headers", options_.layout.headersAt()));
}

std::string MarkCode::end(std::string_view guard) const
{
    return fmt::format(R"(
	setp.ne{both}.u32 %kl_q, %kl_at, 0{guard};
	mov.u64 %kl_a, {buffer};
	bfe.u32 %kl_t1, %kl_at, {bits}, {slot_bits};
	mad.wide.u32 %kl_a, %kl_t1, {header}, %kl_a;
	cvt.u64.u32 %kl_b, %kl_at;
	mov.u64 %kl_c, %clock64;
	mov.u64 %kl_d, %globaltimer;
	@%kl_q st.global.v2.u64 [%kl_a+{headers}+32], {{%kl_c, %kl_d}};
	@%kl_q st.global.u64 [%kl_a+{headers}+48], %kl_b;
)",
                       fmt::arg("both", orAnd(guard)), fmt::arg("guard", formatCombined(guard)), fmt::arg("buffer", options_.buffer),
                       fmt::arg("bits", kNumberBits), fmt::arg("slot_bits", kSlotBits), fmt::arg("header", kHeaderBytes),
                       fmt::arg("headers", options_.layout.headersAt()));
}

std::string MarkCode::loadObject(std::string_view object) const
{
    if (object.empty())
        return "\tmov.b32 %kl_t2, 0;\n";
    std::string_view place = object;
    std::string_view offset;
    if (place.starts_with('[')) {
        place = trimText(place.substr(1, place.size() - 2));
        if (const std::size_t plus = place.find('+'); plus != std::string_view::npos) {
            offset = trimText(place.substr(plus + 1));
            place = trimText(place.substr(0, plus));
        }
    }
    const bool number = !place.empty() && std::isdigit(static_cast<unsigned char>(place.front())) != 0;
    auto width = widths_.find(place);
    if (width == widths_.end())
        width = widths_.find(stripNumber(place));
    std::string code;
    if (number || (width != widths_.end() && width->second == 32))
        code = fmt::format("\tmov.b32 %kl_t2, {};\n", place);
    else // an address of 64 bits, in a register or of a variable: its low half tells barriers apart
        code = fmt::format("\tmov.b64 %kl_c, {};\n\tcvt.u32.u64 %kl_t2, %kl_c;\n", place);
    if (!offset.empty())
        code += fmt::format("\tadd.u32 %kl_t2, %kl_t2, {};\n", offset);
    return code;
}

std::string MarkCode::record(std::string_view id, std::string_view object, After after, Moment moment) const
{
    const std::string_view next = after == After::pending ? "or.b32 %kl_at, %kl_t1, 0x80000000"
                                  : after == After::done  ? "and.b32 %kl_at, %kl_t1, 0x7fffffff"
                                                          : "mov.b32 %kl_at, %kl_t1";
    // Neither assembler nor GPU keeps a read of the clock behind a barrier by itself: after bar.sync it came 4000 cycles early (H200). It
    // waits for a load, which does stay behind.
    constexpr std::string_view kClock = "\t@%kl_q mov.u32 %kl_t0, %clock;\n";
    const std::string behind = moment == Moment::behind ? fmt::format("\t@%kl_q ld.relaxed.cta.global.u32 %kl_t0, [{}];\n"
                                                                      "\tsetp.ne.and.u32 %kl_q, %kl_t0, 1, %kl_q;\n",
                                                                      kTimelinePointer)
                                                        : std::string();
    return fmt::format(R"({behind}{early}	mov.u64 %kl_a, {buffer};
	bfe.u32 %kl_t1, %kl_at, {bits}, {slot_bits};
	and.b32 %kl_t2, %kl_at, {mask};
	mad.lo.u32 %kl_t1, %kl_t1, {capacity}, %kl_t2;
	mad.wide.u32 %kl_a, %kl_t1, {bytes}, %kl_a;
{object}	mov.b32 %kl_t3, {id};
	@%kl_q st.global.v2.b32 [%kl_a+8], {{%kl_t3, %kl_t2}};
{late}	@%kl_q st.global.v2.b32 [%kl_a], {{%kl_t0, %kl_at}};
	add.u32 %kl_t1, %kl_at, 1;
	bfi.b32 %kl_t1, %kl_t1, %kl_at, 0, {bits};
	@%kl_q {next};
)",
                       fmt::arg("behind", behind), fmt::arg("early", moment == Moment::last ? "" : kClock),
                       fmt::arg("late", moment == Moment::last ? kClock : ""), fmt::arg("buffer", options_.buffer),
                       fmt::arg("bits", kNumberBits), fmt::arg("slot_bits", kSlotBits), fmt::arg("mask", options_.layout.capacity - 1),
                       fmt::arg("capacity", options_.layout.capacity), fmt::arg("bytes", kRecordBytes),
                       fmt::arg("object", loadObject(object)), fmt::arg("id", id), fmt::arg("next", next));
}

std::string MarkCode::mark(std::string_view id, std::string_view object, std::string_view guard, Moment moment) const
{
    return fmt::format("\n\tsetp.ne{}.u32 %kl_q, %kl_at, 0{};\n", orAnd(guard), formatCombined(guard)) +
           record(id, object, After::keep, moment);
}

std::string MarkCode::pollBegins(int id, std::string_view object, std::string_view guard) const
{
    return fmt::format("\n\tsetp.gt{}.s32 %kl_q, %kl_at, 0{};\n", orAnd(guard), formatCombined(guard)) +
           record(std::to_string(id), object, After::pending, Moment::last);
}

std::string MarkCode::pollEnds(int id, std::string_view object, std::string_view guard, std::string_view done) const
{
    std::string code = fmt::format("\n\tsetp.lt.and.s32 %kl_q, %kl_at, 0, {};\n", done);
    if (guard.starts_with('!'))
        code += fmt::format("\tnot.pred %kl_p, {};\n\tand.pred %kl_q, %kl_q, %kl_p;\n", guard.substr(1));
    else if (!guard.empty())
        code += fmt::format("\tand.pred %kl_q, %kl_q, {};\n", guard);
    return code + record(std::to_string(id), object, After::done, Moment::first);
}

} // namespace kl::inline live
