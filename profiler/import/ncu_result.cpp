// SPDX-License-Identifier: MIT
#include "profiler/import/ncu_result.h"

#include "core/base/clean_text.h"
#include "core/base/format.h"
#include "core/base/try.h"
#include "core/device/metric_name.h"
#include "profiler/import/device_facts.h"
#include "profiler/import/ncu_report.pb.h"
#include "profiler/import/ncu_series.h"
#include "profiler/import/ncu_source.h"
#include "profiler/import/text_cleanup.h"
#include "profiler/import/wire_reader.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <numeric>

namespace kl::ncu {
namespace {

constexpr std::uint64_t kLatestSecond = 4'102'444'800; ///< the year 2100

std::string formatSecond(std::uint64_t second)
{
    if (second == 0 || second > kLatestSecond)
        return {};
    return isoTime(std::chrono::system_clock::from_time_t(static_cast<std::time_t>(second)));
}

int clampToInt(std::uint64_t value)
{
    return static_cast<int>(std::min<std::uint64_t>(value, std::numeric_limits<int>::max()));
}

template <class Message> bool readPart(Message& message, std::string_view bytes)
{
    return message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()));
}

/// Nothing where a result has none; false where it has something else there.
bool readSize(std::string_view bytes, std::vector<int>& size)
{
    Size read;
    if (!readPart(read, bytes))
        return false;
    if (!bytes.empty())
        size = {clampToInt(read.x()), clampToInt(read.y()), clampToInt(read.z())};
    return true;
}

/// Takes a metric by its Value message: one of a text (1), a float (2), a double (3) and whole numbers of 32 (4) and 64 bits (5). False
/// where it is none.
bool takeMetric(const std::string& name, std::string_view value, ImportedResult& result)
{
    using Type = WireField::Type;
    std::optional<double> figure;
    std::string_view text;
    WireReader fields(value);
    for (WireField field; fields.next(field);) { // of several the last counts
        std::optional<double> here;
        if (field.is(2, Type::fixed32))
            here = field.single();
        else if (field.is(3, Type::fixed64))
            here = field.real();
        else if (field.is(4, Type::varint))
            here = static_cast<std::uint32_t>(field.value);
        else if (field.is(5, Type::varint))
            here = static_cast<double>(field.value);
        else if (!field.is(1, Type::bytes))
            continue;
        figure = here;
        text = field.bytes;
    }
    result.take(name, figure, text.empty() ? std::string() : cleanText(text), "the report has no single value for it");
    return !fields.broken();
}

const char* nameRuleKind(std::uint32_t type)
{
    switch (type) {
    case 1: return "info";
    case 2: return "warning";
    case 3: return "error";
    case 4: return "optimization";
    default: return "";
    }
}

std::vector<RulePlace> collectPlaces(const Rule& rule)
{
    std::vector<RulePlace> places;
    for (const RuleMarker& marker : rule.markers())
        if (!marker.file().empty() && marker.line() > 0)
            places.push_back({cleanText(marker.file()), clampToInt(marker.line()), withoutMarkup(cleanText(marker.text()))});
    return places;
}

/// A rule with nothing to say is not a result.
void takeRule(const Rule& rule, std::vector<RuleResult>& results)
{
    bool first = true;
    for (const RuleItem& item : rule.body().items()) {
        if (!item.has_message())
            continue;
        RuleResult result;
        result.section = cleanText(rule.section());
        result.rule = cleanText(rule.identifier());
        result.title = cleanText(item.message().name().empty() ? rule.title() : item.message().name());
        result.kind = nameRuleKind(item.message().type());
        result.text = withoutMarkup(cleanText(item.message().text()));
        if (item.has_speedup() && std::isfinite(item.speedup().percent())) {
            result.speedupPercent = item.speedup().percent();
            result.speedupScope = item.speedup().type() == 2 ? "global" : "local";
        }
        for (const RuleFocus& focus : item.focus())
            result.focus.push_back({cleanText(focus.metric()),
                                    focus.has_value() && std::isfinite(focus.value()) ? std::optional(focus.value()) : std::nullopt,
                                    withoutMarkup(cleanText(focus.info()))});
        if (std::exchange(first, false))
            result.places = collectPlaces(rule);
        results.push_back(std::move(result));
    }
}

/// "2025.3.1.0" of "2025.3.1.0 (build 36398880) (public-release)".
std::string firstWord(const std::string& text)
{
    return text.substr(0, text.find(' '));
}

/// 13000 of "13.0".
int parseCudaVersion(const std::string& text)
{
    int major = 0;
    int minor = 0;
    const char* end = text.data() + text.size();
    const auto [dot, bad] = std::from_chars(text.data(), end, major);
    if (bad != std::errc() || dot == end || *dot != '.' || major < 0 || major > 1000)
        return 0;
    std::from_chars(dot + 1, end, minor);
    return minor < 0 || minor > 99 ? 0 : major * 1000 + minor * 10;
}

/// The value of an option on ncu's command line, as "--name value" or "--name=value"; `otherwise` if absent.
std::string findOption(const std::string& command, const std::string& name, const std::string& otherwise)
{
    const std::size_t at = command.find(' ' + name);
    if (at == std::string::npos)
        return otherwise;
    const std::size_t from = at + 1 + name.size();
    if (from >= command.size() || (command[from] != ' ' && command[from] != '='))
        return otherwise;
    return command.substr(from + 1, command.find(' ', from + 1) - from - 1);
}

/// How ncu was configured; missing options have their defaults.
void takeConditions(const std::string& command, ImportedResult& result)
{
    if (command.empty())
        return;
    result.replayMode = findOption(command, "--replay-mode", "kernel") + " replay";
    result.cacheControl = findOption(command, "--cache-control", "all") == "none" ? "none" : "flushed before every pass";
    if (findOption(command, "--clock-control", "base") == "none")
        result.warnings.push_back({"clock-unlocked", "ncu ran with --clock-control none: the clocks may have changed."});
    else
        result.warnings.push_back(
            {"clock-base", "ncu locked the SM clock to its base frequency, which is its default: times are longer than in normal use."});
}

/// The report writes "spin<(int)32>" where people, ncu's tables among them, write "spin<32>".
std::string withoutIntegerCasts(std::string name)
{
    constexpr std::string_view kCast = "(int)";
    for (std::size_t at = name.find(kCast); at != std::string::npos; at = name.find(kCast, at)) {
        const char before = at == 0 ? '\0' : name[at - 1];
        const char after = at + kCast.size() < name.size() ? name[at + kCast.size()] : '\0';
        if ((before == '<' || before == ' ' || before == ',') && (after == '-' || (after >= '0' && after <= '9')))
            name.erase(at, kCast.size());
        else
            at += kCast.size();
    }
    return name;
}

bool takeKernel(const RawResult& kernel, ImportFacts& facts)
{
    facts.mangled = cleanText(kernel.mangled);
    facts.kernel = withoutIntegerCasts(cleanText(!kernel.demangled.empty() ? kernel.demangled
                                                 : kernel.function.empty() ? kernel.mangled
                                                                           : kernel.function));
    return readSize(kernel.grid, facts.grid) && readSize(kernel.block, facts.block);
}

/// The metrics of x, y and z: of graphs, the launch that ncu reports. Empty where one is missing.
std::vector<int> sizeIn(const ImportedResult& result, std::initializer_list<MetricName> axes)
{
    std::vector<int> size;
    for (const MetricName axis : axes)
        if (const auto found = result.values.find(std::string(axis)); found != result.values.end() && found->second && *found->second >= 0)
            size.push_back(clampToInt(static_cast<std::uint64_t>(wholeNumber(*found->second).value_or(0))));
    return size.size() == 3 ? size : std::vector<int>();
}

/// The ranges open on the launching thread, those of each domain outermost first.
std::vector<std::string> listRanges(const NvtxState& state, std::uint32_t thread)
{
    std::vector<std::string> ranges;
    for (const NvtxThread& candidate : state.threads()) {
        if (candidate.id() != thread && state.threads_size() > 1)
            continue;
        for (const NvtxStack& stack : candidate.stacks())
            for (const NvtxRange& range : stack.ranges())
                if (const std::string& name = range.name().empty() ? range.attributes().message().text() : range.name(); !name.empty())
                    ranges.push_back(cleanText(name));
    }
    return ranges;
}

/// 580.159 was kept as a float, whose next digits are noise.
std::string driverText(float version)
{
    return version > 0 && version < 100'000 ? fmt::format("{:.6g}", version) : std::string();
}

std::string nameFor(ResultKind kind, const RawResult& parts)
{
    return kind == ResultKind::commandList && !parts.name.empty() ? cleanText(parts.name) : toWord(kind);
}

/// In the alphabet's order, in which a map grows fastest; of a name that appears twice the first comes first.
Status takeMetrics(const NameTable& table, std::vector<RawMetric> metrics, ImportedResult& result)
{
    for (const RawMetric& metric : metrics)
        if (metric.name >= table.names.size())
            return Error{.code = ErrorCode::badInput,
                         .message =
                             fmt::format("one of its metrics has name number {}, but the file has {}", metric.name, table.names.size())};
    std::ranges::stable_sort(metrics, {}, [&](const RawMetric& metric) { return table.ranks[metric.name]; });
    for (const RawMetric& metric : metrics)
        if (!takeMetric(table.names[metric.name], metric.value, result))
            return noMessage();
    return {};
}

} // namespace

void SessionFacts::add(const Session& part)
{
    if (!part.command_line().empty())
        toolCommand = cleanText(part.command_line());
    if (part.has_executable())
        command = cleanText(part.executable().path() + (part.executable().arguments().empty() ? "" : " ") + part.executable().arguments());
    for (const Version& version : part.versions()) {
        if (version.provider() == "Nsight Compute Target")
            tool = "Nsight Compute " + firstWord(cleanText(version.version()));
        else if (version.provider() == "CUDA Version")
            cudaVersion = parseCudaVersion(version.version());
    }
    for (const Device& device : part.devices()) {
        ImportedResult& facts = devices[clampToInt(device.id())];
        for (const Attribute& attribute : device.attributes())
            takeMetric(cleanText(attribute.name()), attribute.value(), facts);
        if (!device.name().empty())
            facts.device.name = cleanText(device.name());
    }
}

NameTable::NameTable(std::vector<std::string> all) : names(std::move(all)), ranks(names.size())
{
    std::vector<std::uint32_t> order(names.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order, {}, [this](std::uint32_t name) -> const std::string& { return names[name]; });
    for (std::uint32_t rank = 0; rank < order.size(); ++rank)
        ranks[order[rank]] = rank;
}

Result<ImportedResult> readResult(ResultKind kind, std::string_view message, const NameTable& table, const Modules& modules)
{
    KL_ASSIGN(RawResult parts, findParts(kind, message));
    ImportedResult result;
    if (kind == ResultKind::kernel) {
        result.source = readSource(parts, table, modules.find(parts.module));
        result.series = readSeries(parts, table);
    }
    KL_TRY(takeMetrics(table, std::move(parts.metrics), result));
    result.startedAt = formatSecond(parts.created);
    result.device.driverVersion = driverText(parts.driver);
    result.facts.context = parts.context;
    result.facts.stream = parts.stream;
    NvtxState nvtx;
    bool fine = readPart(nvtx, parts.nvtx);
    result.facts.ranges = listRanges(nvtx, parts.thread);
    for (const std::string_view bytes : parts.rules) {
        Rule rule;
        fine = fine && readPart(rule, bytes);
        takeRule(rule, result.facts.rules);
    }
    if (kind == ResultKind::kernel)
        fine = fine && takeKernel(parts, result.facts);
    else
        result.facts.kernel = nameFor(kind, parts);
    if (!fine)
        return noMessage();
    return result;
}

void complete(ImportedResult& result, const SessionFacts& session)
{
    if (result.facts.kind == toWord(ResultKind::graph)) { // as ncu's own table has it
        result.facts.grid = sizeIn(result, {"launch__grid_dim_x", "launch__grid_dim_y", "launch__grid_dim_z"});
        result.facts.block = sizeIn(result, {"launch__block_dim_x", "launch__block_dim_y", "launch__block_dim_z"});
    }
    result.facts.command = session.command;
    result.facts.tool = session.tool;
    takeConditions(session.toolCommand, result);
    result.device.cudaDriverVersion = session.cudaVersion;
    const auto id = result.values.find(std::string(MetricName("launch__device_id")));
    const double device = id != result.values.end() && id->second ? *id->second : 0;
    const auto found = session.devices.find(static_cast<int>(wholeNumber(device).value_or(0)));
    if (found != session.devices.end()) {
        result.device.name = found->second.device.name;
        readDeviceFacts(found->second.values, found->second.facts.texts, result.device);
    }
    readDeviceFacts(result.values, result.facts.texts, result.device);
}

} // namespace kl::ncu
