// SPDX-License-Identifier: MIT
#include "profiler/import/ncu_report.h"

#include "core/base/clean_text.h"
#include "core/base/parallel.h"
#include "core/base/try.h"
#include "profiler/import/byte_reader.h"
#include "profiler/import/ncu_report.pb.h"
#include "profiler/import/ncu_result.h"
#include "profiler/import/ncu_source.h"

#include <fmt/format.h>
#include <memory>

namespace kl::inline nsight {
namespace {

constexpr std::string_view kMagic{"NVR\0", 4};
constexpr std::uint32_t kKnownVersion = 7;

template <class Message> bool parse(Message& message, std::string_view bytes)
{
    return message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()));
}

class Report {
public:
    Report(std::string_view bytes, const std::string& where) : file_(bytes), where_(where) {}

    Result<ImportedFile> read()
    {
        const Status structure = scan();
        std::vector<Result<ImportedResult>> results(found_.size(), Error{});
        inParallel(results.size(),
                   [&](std::size_t i) { results[i] = ncu::readResult(found_[i].kind, found_[i].message, *found_[i].names, modules_); });
        for (std::size_t i = 0; i < results.size(); ++i) {
            if (!results[i])
                return makeDamageError(found_[i].at, i,
                                       fmt::format("{} cannot be read: {}", whatIs(i, found_[i].kind), results[i].error().message));
            take(std::move(*results[i]), found_[i]);
        }
        KL_TRY(structure);
        if (answer_.results.empty())
            return Error{.code = ErrorCode::badInput,
                         .message = fmt::format("{} is an Nsight Compute report without a result.", where_),
                         .hint = "Nothing was profiled: check ncu's filters, e.g. --kernel-name and --launch-count.",
                         .where = where_};
        for (ImportedResult& result : answer_.results)
            ncu::complete(result, session_);
        return std::move(answer_);
    }

private:
    /// Where a result lies in the file, and what it takes to read it.
    struct Found {
        ncu::ResultKind kind;
        std::size_t at; ///< bytes from the file's start
        std::string_view message;
        std::shared_ptr<const ncu::NameTable> names; ///< the string table before it
        ImportFacts process;                         ///< pid, process and host
    };

    /// Finds every result; an error where the file stops making sense, behind those found so far.
    Status scan()
    {
        file_.take(kMagic.size());
        KL_TRY(readFileHeader());
        while (!file_.atEnd()) {
            ++blocks_;
            KL_TRY(readBlock());
        }
        return {};
    }

    static std::string whatIs(std::size_t index, ncu::ResultKind kind)
    {
        return fmt::format("result {}, a {},", index + 1, ncu::toWord(kind));
    }

    Error makeDamageError(std::size_t at, const std::string& what) const { return makeDamageError(at, found_.size(), what); }

    Error makeDamageError(std::size_t at, std::size_t before, const std::string& what) const
    {
        return Error{.code = ErrorCode::badInput,
                     .message = fmt::format("{} is damaged or truncated: {}.", where_, what),
                     .hint = "Copy it again from where it was recorded, or record it again.",
                     .where = fmt::format("{}, byte {}", where_, at),
                     .detail = before == 0 ? std::string() : fmt::format("{} results before this place could be read.", before)};
    }

    /// The next message behind its own length.
    Result<std::string_view> message(ByteReader& from, const std::string& what)
    {
        const std::size_t at = from.position();
        const auto size = from.takeU32();
        if (!size)
            return makeDamageError(at, fmt::format("the length of {} is expected here, but {} bytes are left", what, from.left()));
        const auto bytes = from.take(*size);
        if (!bytes)
            return makeDamageError(at, fmt::format("{} should have {} bytes, but {} are left", what, *size, from.left()));
        return *bytes;
    }

    Status readFileHeader()
    {
        KL_ASSIGN(const std::string_view bytes, message(file_, "the file's header"));
        ncu::FileHeader header;
        if (!parse(header, bytes))
            return makeDamageError(kMagic.size(), "the file's header is invalid");
        if (header.version() > kKnownVersion)
            answer_.notes.push_back(
                {"newer-format",
                 fmt::format("The file's format is version {}, newer than the {} that this program supports: something may be "
                             "missing.",
                             header.version(), kKnownVersion)});
        return {};
    }

    Status readBlock()
    {
        const std::size_t at = file_.position();
        KL_ASSIGN(const std::string_view bytes, message(file_, fmt::format("the header of block {}", blocks_)));
        ncu::BlockHeader header;
        if (!parse(header, bytes))
            return makeDamageError(at, fmt::format("the header of block {} is invalid", blocks_));
        if (header.has_session())
            session_.add(header.session());
        if (header.string_table().strings_size() > 0) {
            std::vector<std::string> names;
            for (const std::string& name : header.string_table().strings())
                names.push_back(cleanText(name));
            names_ = std::make_shared<const ncu::NameTable>(std::move(names));
        }
        const std::size_t payloadAt = file_.position();
        const auto payload = file_.take(header.payload_size());
        if (!payload)
            return makeDamageError(
                payloadAt, fmt::format("block {} should have {} bytes, but {} are left", blocks_, header.payload_size(), file_.left()));
        return readPayload(header, ByteReader(*payload, payloadAt));
    }

    Status readPayload(const ncu::BlockHeader& header, ByteReader payload)
    {
        for (std::uint32_t i = 0; i < header.sources(); ++i) {
            KL_ASSIGN(const std::string_view source, message(payload, fmt::format("source {} of block {}", i + 1, blocks_)));
            if (!modules_.add(source))
                answer_.notes.push_back(
                    {"code-unreadable", fmt::format("The machine code in source {} of block {} cannot be read.", i + 1, blocks_)});
        }
        const std::pair<ncu::ResultKind, std::uint32_t> kinds[] = {{ncu::ResultKind::kernel, header.kernel_results()},
                                                                   {ncu::ResultKind::range, header.range_results()},
                                                                   {ncu::ResultKind::commandList, header.command_list_results()},
                                                                   {ncu::ResultKind::graph, header.graph_results()}};
        ImportFacts process;
        process.pid = header.process().pid();
        process.process = cleanText(header.process().name());
        process.host = cleanText(header.process().host());
        for (const auto& [kind, count] : kinds)
            for (std::uint32_t i = 0; i < count; ++i) {
                const std::size_t at = payload.position();
                KL_ASSIGN(const std::string_view bytes, message(payload, whatIs(found_.size(), kind)));
                found_.push_back({kind, at, bytes, names_, process});
            }
        return {};
    }

    void take(ImportedResult result, const Found& found)
    {
        result.facts.kind = ncu::toWord(found.kind);
        result.facts.format = "ncu-rep";
        result.facts.index = static_cast<int>(answer_.results.size());
        result.facts.pid = found.process.pid;
        result.facts.process = found.process.process;
        result.facts.host = found.process.host;
        answer_.results.push_back(std::move(result));
    }

    ByteReader file_;
    const std::string& where_;
    int blocks_ = 0;
    std::shared_ptr<const ncu::NameTable> names_ = std::make_shared<const ncu::NameTable>(std::vector<std::string>());
    std::vector<Found> found_;
    ncu::Modules modules_;
    ncu::SessionFacts session_;
    ImportedFile answer_;
};

} // namespace

bool isNcuReport(std::string_view bytes)
{
    return bytes.starts_with(kMagic);
}

Result<ImportedFile> readNcuReport(std::string_view bytes, const std::string& where)
{
    return Report(bytes, where).read();
}

} // namespace kl::inline nsight
