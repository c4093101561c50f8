// SPDX-License-Identifier: MIT
#include "profiler/live/ptx/ptx_marks.h"

#include "core/model/source_lines.h"
#include "profiler/live/ptx/mark_code.h"
#include "profiler/live/ptx/mark_sites.h"
#include "profiler/live/ptx/ptx_scan.h"
#include "profiler/live/ptx/ptx_text.h"
#include "profiler/live/ptx/ptx_words.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

namespace kl::inline live {
namespace {

constexpr std::string_view kUserMark = "kl.mark ";
constexpr std::string_view kUserName = "kl_mark_name_";

int toInt(std::string_view text)
{
    int value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

/// The line in the main file that a .loc refers to: of the call, where the instruction is of an inlined function. 0 for another file.
int locateLine(std::string_view location, std::string_view file)
{
    constexpr std::string_view kInlined = "inlined_at ";
    std::string_view rest = location.substr(std::string_view(".loc").size());
    if (const std::size_t call = location.find(kInlined); call != std::string_view::npos)
        rest = location.substr(call + kInlined.size());
    rest = trimText(rest);
    const std::string_view number = firstWord(rest);
    return number == file ? toInt(trimText(rest.substr(number.size()))) : 0;
}

/// Names of ids: variables of 4 bytes id and text, as mark.h makes them.
std::vector<MarkSite> readNamedSites(std::string_view ptx)
{
    std::vector<MarkSite> sites;
    for (std::size_t at = ptx.find(kUserName); at != std::string_view::npos; at = ptx.find(kUserName, at + 1)) {
        const std::string_view line = ptx.substr(at, ptx.find(';', at) - at);
        const std::size_t open = line.find('{');
        if (open == std::string_view::npos)
            continue;
        std::string bytes;
        for (const std::string_view number : splitOn(line.substr(open + 1, line.find('}') - open - 1), ','))
            bytes += static_cast<char>(toInt(trimText(number)));
        if (bytes.size() <= 4)
            continue;
        MarkSite site;
        site.id = static_cast<unsigned char>(bytes[0]) | static_cast<unsigned char>(bytes[1]) << 8;
        site.name = bytes.substr(4, bytes.find('\0', 4) - 4);
        if (site.id < kUserSites)
            sites.push_back(std::move(site));
    }
    return sites;
}

class Rewriter {
public:
    Rewriter(std::string_view ptx, std::string_view body, const MarkOptions& options)
        : body_(body), options_(options), code_(options, body), file_(fileNumber(ptx, kSourceFile))
    {
        marked_.sites = readNamedSites(ptx);
    }

    /// The new body.
    std::string rewrite()
    {
        bool begun = false;
        for (const PtxPiece& piece : splitPieces(body_)) {
            if (piece.kind == PtxPiece::Kind::directive && piece.text.starts_with(".loc"))
                line_ = locateLine(piece.text, file_);
            const bool mark = piece.kind == PtxPiece::Kind::comment && piece.text.starts_with(kUserMark);
            const bool first = piece.kind == PtxPiece::Kind::instruction || piece.kind == PtxPiece::Kind::label || mark ||
                               piece.kind == PtxPiece::Kind::brace;
            if (first && !begun) {
                insert(piece.begin, code_.begin());
                begun = true;
            }
            if (mark)
                userMark(piece);
            else if (piece.kind == PtxPiece::Kind::instruction)
                instruction(piece);
        }
        out_ += body_.substr(done_);
        return std::move(out_);
    }

    MarkedPtx marked_;

private:
    /// Text in front of what is at `place` of the body.
    void insert(std::size_t place, const std::string& text)
    {
        out_ += body_.substr(done_, place - done_);
        out_ += text;
        done_ = place;
    }

    void userMark(const PtxPiece& piece)
    {
        ++marked_.userMarks;
        insert(piece.end, code_.mark(trimText(piece.text.substr(kUserMark.size())), {}, {}, MarkCode::Moment::behind));
    }

    int addSite(MarkKind kind, const SyncInstruction& sync, std::string_view opcode)
    {
        MarkSite site;
        site.id = nextSite_++;
        site.kind = kind;
        site.sync = sync.kind;
        site.name = nameSyncInstruction(opcode);
        site.line = line_;
        site.copies = sync.copies;
        marked_.sites.push_back(site);
        return site.id;
    }

    /// Without types and scopes: "mbarrier.try_wait".
    static std::string nameSyncInstruction(std::string_view opcode)
    {
        std::size_t end = opcode.find('.');
        for (const std::string_view word : {".try_wait", ".test_wait", ".wait_group", ".wait_all", ".sync", ".arrive", ".wait", ".red"})
            if (const std::size_t at = opcode.find(word); at != std::string_view::npos) {
                end = at + word.size();
                break;
            }
        return std::string(opcode.substr(0, end));
    }

    void instruction(const PtxPiece& piece)
    {
        const PtxParts parts = splitInstruction(piece.text);
        if (parts.opcode == "ret" || parts.opcode == "exit" || parts.opcode.starts_with("ret."))
            return insert(piece.begin, code_.end(parts.guard));
        if (!options_.automatic)
            return;
        const std::optional<SyncInstruction> sync = findSyncInstruction(parts);
        if (!sync)
            return;
        if (sync->form == SyncInstruction::Form::arrive) {
            const int id = addSite(MarkKind::arrive, *sync, parts.opcode);
            return insert(piece.begin, code_.mark(std::to_string(id), sync->object, parts.guard, MarkCode::Moment::last));
        }
        const int begins = addSite(MarkKind::waitBegin, *sync, parts.opcode);
        const int ends = addSite(MarkKind::waitEnd, *sync, parts.opcode);
        if (sync->form == SyncInstruction::Form::poll) {
            insert(piece.begin, code_.pollBegins(begins, sync->object, parts.guard));
            insert(piece.end, code_.pollEnds(ends, sync->object, parts.guard, sync->done));
        } else {
            insert(piece.begin, code_.mark(std::to_string(begins), sync->object, parts.guard, MarkCode::Moment::last));
            insert(piece.end, code_.mark(std::to_string(ends), sync->object, parts.guard, MarkCode::Moment::behind));
        }
    }

    std::string_view body_;
    const MarkOptions& options_;
    MarkCode code_;
    std::string_view file_;
    std::string out_;
    std::size_t done_ = 0; ///< of the body, what is in out_
    int nextSite_ = kUserSites;
    int line_ = 0;
};

/// Marks and waits in functions that the compiler did not inline.
int countLeftOut(std::string_view ptx, bool automatic)
{
    int count = 0;
    for (std::size_t at = ptx.find(".func"); at != std::string_view::npos; at = ptx.find(".func", at + 1)) {
        const std::size_t open = ptx.find_first_of("{;", at);
        if (open == std::string_view::npos || ptx[open] == ';')
            continue;
        const std::size_t end = std::min(ptx.find("\n}", open), ptx.size());
        for (const PtxPiece& piece : splitPieces(ptx.substr(open + 1, end - open - 1))) {
            const bool mark = piece.kind == PtxPiece::Kind::comment && piece.text.starts_with(kUserMark);
            const bool wait = automatic && piece.kind == PtxPiece::Kind::instruction && findSyncInstruction(splitInstruction(piece.text));
            count += mark || wait ? 1 : 0;
        }
    }
    return count;
}

/// Behind the line with the address size, before everything that may use it.
std::size_t behindHeader(std::string_view ptx)
{
    const std::size_t at = ptx.find(".address_size");
    return at == std::string_view::npos ? at : ptx.find('\n', at);
}

} // namespace

Result<MarkedPtx> insertMarks(std::string_view ptx, const std::string& entry, const MarkOptions& options)
{
    const PtxEntryText text = entryText(ptx, entry);
    const std::size_t header = behindHeader(ptx);
    if (text.body.empty() || header == std::string_view::npos)
        return Error{.code = ErrorCode::badInput,
                     .message = fmt::format("The compiled code has no kernel {} that marks could be inserted into.", entry),
                     .hint = "A timeline needs the kernel's source, or its PTX.",
                     .where = entry};
    Rewriter rewriter(ptx, text.body, options);
    const std::string body = rewriter.rewrite();
    const auto begin = static_cast<std::size_t>(text.body.data() - ptx.data());
    MarkedPtx marked = std::move(rewriter.marked_);
    marked.leftOut = countLeftOut(ptx, options.automatic);
    marked.ptx = fmt::format("{}\n.visible .global .align 8 .u64 {} = {};{}{}{}", ptx.substr(0, header), kTimelinePointer, options.buffer,
                             ptx.substr(header, begin - header), body, ptx.substr(begin + text.body.size()));
    return marked;
}

} // namespace kl::inline live
