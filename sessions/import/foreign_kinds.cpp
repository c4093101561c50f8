// SPDX-License-Identifier: MIT
#include "sessions/import/foreign_kinds.h"

#include <fmt/format.h>

namespace kl::inline imports {
namespace {

struct Kind {
    std::string_view begins;
    const char* what;
    const char* hint;
    bool program = false; ///< whether it can be profiled itself
};

constexpr std::string_view operator""_bytes(const char* text, std::size_t size)
{
    return {text, size};
}

constexpr Kind kKinds[] = {
    {"SQLite format 3\0"_bytes, "is a database",
     "Open a KernelLoop database instead of importing it. An Nsight Systems export cannot be imported: it has no kernel metrics."},
    {"NSRP"_bytes, "is an Nsight Systems report", "It has a timeline but no kernel metrics: profile with ncu --set full instead."},
    {"QDSTRM"_bytes, "is an Nsight Systems stream", "It has a timeline but no kernel metrics: profile with ncu --set full instead."},
    {"\x7f"
     "ELF"_bytes,
     "is a program or library", "Profile it instead.", true},
    {"PK\x03\x04"_bytes, "is a zip archive", "Unpack it first."},
    {"\x1f\x8b"_bytes, "is compressed with gzip", "Unpack it first: gunzip FILE."},
    {"\xfd"
     "7zXZ"_bytes,
     "is compressed with xz", "Unpack it first: unxz FILE."},
    {"==PROF=="_bytes, "is ncu output for reading", "Export a CSV page or a report: ncu --csv --page raw … > FILE, or ncu -o FILE."},
};

Error makeNotReadError(const Kind& kind, const std::string& where)
{
    return {.code = ErrorCode::badInput, .message = fmt::format("{} {}.", where, kind.what), .hint = kind.hint, .where = where};
}

} // namespace

std::optional<Error> foreignKind(std::string_view bytes, const std::string& where)
{
    const bool table = bytes.substr(0, 65536).find("\"ID\",\"Process ID\",") != std::string_view::npos;
    for (const Kind& kind : kKinds)
        if (!table && bytes.starts_with(kind.begins))
            return kind.program ? makeNotReadError(kind, where).leadTo({StepId::profileProgram, {{StepArgument::program, where}}})
                                : makeNotReadError(kind, where);
    return {};
}

} // namespace kl::inline imports
