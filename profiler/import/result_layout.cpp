// SPDX-License-Identifier: MIT
#include "profiler/import/result_layout.h"

#include "profiler/import/wire_reader.h"

namespace kl::ncu {
namespace {

using Type = WireField::Type;

/// Field numbers of one kind of result, as seen in files of version 7; 0 for what it does not have.
struct Layout {
    std::uint32_t metrics = 0;
    std::uint32_t rules = 0;
    std::uint32_t thread = 0;
    std::uint32_t created = 0;
    std::uint32_t nvtx = 0;
    std::uint32_t context = 0;
    std::uint32_t stream = 0;
    std::uint32_t driver = 0;
    std::uint32_t name = 0;
    std::uint32_t mangled = 0;
    std::uint32_t function = 0;
    std::uint32_t demangled = 0;
    std::uint32_t grid = 0;
    std::uint32_t block = 0;
    std::uint32_t module = 0;
};

constexpr Layout kKernel{.metrics = 13,
                         .rules = 19,
                         .thread = 1,
                         .created = 14,
                         .nvtx = 21,
                         .context = 22,
                         .stream = 23,
                         .driver = 35,
                         .mangled = 5,
                         .function = 6,
                         .demangled = 7,
                         .grid = 10,
                         .block = 11,
                         .module = 15};
constexpr Layout kRange{.metrics = 4, .rules = 20, .thread = 1, .created = 5, .nvtx = 10, .context = 11, .driver = 21};
constexpr Layout kCommandList{
    .metrics = 4, .rules = 21, .thread = 1, .created = 5, .nvtx = 10, .context = 11, .stream = 12, .driver = 25, .name = 18};
constexpr Layout kGraph{.metrics = 4, .rules = 22, .thread = 1, .created = 5, .nvtx = 10, .context = 11, .stream = 12, .driver = 23};

const Layout& findLayout(ResultKind kind)
{
    switch (kind) {
    case ResultKind::kernel: return kKernel;
    case ResultKind::range: return kRange;
    case ResultKind::commandList: return kCommandList;
    case ResultKind::graph: break;
    }
    return kGraph;
}

/// A Metric message: the place of its name, and its value.
bool readMetric(std::string_view message, std::vector<RawMetric>& metrics)
{
    RawMetric& metric = metrics.emplace_back();
    metric.whole = message;
    WireReader fields(message);
    for (WireField field; fields.next(field);)
        if (field.is(1, Type::varint))
            metric.name = field.value;
        else if (field.is(2, Type::bytes))
            metric.value = field.bytes;
    return !fields.broken();
}

/// The id in a source reference; 0 without one.
std::uint64_t readModuleId(std::string_view message)
{
    std::uint64_t id = 0;
    WireReader fields(message);
    for (WireField field; fields.next(field);)
        if (field.is(1, Type::varint))
            id = field.value;
    return id;
}

void takeNumber(const Layout& layout, const WireField& field, RawResult& parts)
{
    if (field.number == layout.thread)
        parts.thread = static_cast<std::uint32_t>(field.value);
    else if (field.number == layout.created)
        parts.created = field.value;
    else if (field.number == layout.context)
        parts.context = static_cast<std::uint32_t>(field.value);
    else if (field.number == layout.stream)
        parts.stream = static_cast<std::uint32_t>(field.value);
}

void takeBytes(const Layout& layout, const WireField& field, RawResult& parts)
{
    if (field.number == layout.rules)
        parts.rules.push_back(field.bytes);
    else if (field.number == layout.nvtx)
        parts.nvtx = field.bytes;
    else if (field.number == layout.name)
        parts.name = field.bytes;
    else if (field.number == layout.mangled)
        parts.mangled = field.bytes;
    else if (field.number == layout.function)
        parts.function = field.bytes;
    else if (field.number == layout.demangled)
        parts.demangled = field.bytes;
    else if (field.number == layout.grid)
        parts.grid = field.bytes;
    else if (field.number == layout.block)
        parts.block = field.bytes;
    else if (field.number == layout.module)
        parts.module = readModuleId(field.bytes);
}

} // namespace

const char* toWord(ResultKind kind)
{
    switch (kind) {
    case ResultKind::kernel: return "kernel";
    case ResultKind::range: return "range";
    case ResultKind::commandList: return "command list";
    case ResultKind::graph: return "graph";
    }
    return "";
}

Error noMessage()
{
    return {.code = ErrorCode::badInput, .message = "it is not a valid message"};
}

Result<RawResult> findParts(ResultKind kind, std::string_view message)
{
    const Layout& layout = findLayout(kind);
    RawResult parts;
    WireReader fields(message);
    for (WireField field; fields.next(field);)
        if (field.is(layout.metrics, Type::bytes)) {
            if (!readMetric(field.bytes, parts.metrics))
                return noMessage();
        } else if (field.type == Type::bytes) {
            takeBytes(layout, field, parts);
        } else if (field.type == Type::varint) {
            takeNumber(layout, field, parts);
        } else if (field.is(layout.driver, Type::fixed32)) {
            parts.driver = field.single();
        }
    if (fields.broken())
        return noMessage();
    return parts;
}

} // namespace kl::ncu
