// SPDX-License-Identifier: MIT
#include "profiler/import/ncu_source.h"

#include "core/base/clean_text.h"
#include "core/device/metric_catalog.h"
#include "core/model/source_lines.h"
#include "core/sass/cubin.h"
#include "core/sass/kernel_code_reader.h"
#include "profiler/import/device_facts.h"
#include "profiler/import/ncu_instances.h"
#include "profiler/import/ncu_result.h"
#include "profiler/import/wire_reader.h"

#include <algorithm>

namespace kl::ncu {
namespace {

using Type = WireField::Type;
using Counter = std::optional<std::int64_t> CodeInstruction::*;

constexpr const char* kElsewhere = "code that the report does not contain";

struct CounterName {
    std::string_view metric;
    Counter counter;
};

/// ncu's metrics with a value for each instruction.
constexpr CounterName kCounters[] = {{"inst_executed", &CodeInstruction::executed},
                                     {"thread_inst_executed", &CodeInstruction::threads},
                                     {"memory_l2_theoretical_sectors_global", &CodeInstruction::sectors},
                                     {"memory_l2_theoretical_sectors_global_ideal", &CodeInstruction::idealSectors},
                                     {"memory_l1_wavefronts_shared", &CodeInstruction::wavefronts},
                                     {"memory_l1_wavefronts_shared_ideal", &CodeInstruction::idealWavefronts}};

/// The number in a Value message; unset for a text or nothing.
std::optional<std::int64_t> numberIn(std::string_view value)
{
    std::optional<std::int64_t> number;
    WireReader fields(value);
    for (WireField field; fields.next(field);)
        if (field.is(4, Type::varint) || field.is(5, Type::varint))
            number = static_cast<std::int64_t>(field.value);
        else if (field.is(2, Type::fixed32))
            number = wholeNumber(field.single());
        else if (field.is(3, Type::fixed64))
            number = wholeNumber(field.real());
    return number;
}

/// Calls take(address, value) for each instance of a metric.
template <class Take> void eachAddress(std::string_view metric, const Take& take)
{
    eachInstance(metric, [&](std::string_view id, std::string_view counted) {
        const std::optional<std::int64_t> address = numberIn(id);
        const std::optional<std::int64_t> value = numberIn(counted);
        if (address && value)
            take(static_cast<std::uint64_t>(*address), *value);
    });
}

/// What was counted at an address.
struct Counted {
    CodeInstruction counters;
    std::map<std::string, std::int64_t> stalls;
};

std::map<std::uint64_t, Counted> readCountedPlaces(const RawResult& kernel, const NameTable& table)
{
    std::map<std::uint64_t, Counted> counted;
    for (const RawMetric& metric : kernel.metrics) {
        if (metric.name >= table.names.size())
            continue;
        const std::string& name = table.names[metric.name];
        if (const auto* known = std::ranges::find(kCounters, name, &CounterName::metric); known != std::end(kCounters))
            eachAddress(metric.whole, [&](std::uint64_t at, std::int64_t value) { counted[at].counters.*(known->counter) = value; });
        else if (const std::string stall = stallWord(name); !stall.empty())
            eachAddress(metric.whole, [&](std::uint64_t at, std::int64_t value) {
                if (value > 0)
                    counted[at].stalls[stall] += value;
            });
    }
    return counted;
}

/// Finds the instructions of a module's functions by their addresses.
class Addresses {
public:
    explicit Addresses(const Module& module)
    {
        for (const auto& [name, address] : module.functions)
            if (const auto found = findFunction(module.cubin, name))
                places_[address] = {name, found->code.size()};
    }

    /// Function and offset; unset for an address in none of them.
    std::optional<std::pair<std::string, std::int64_t>> find(std::uint64_t address) const
    {
        const auto after = places_.upper_bound(address);
        if (after == places_.begin())
            return {};
        const auto& [start, function] = *std::prev(after);
        if (address - start >= function.bytes)
            return {};
        return std::pair(function.name, static_cast<std::int64_t>(address - start));
    }

private:
    struct Function {
        std::string name;
        std::size_t bytes = 0;
    };
    std::map<std::uint64_t, Function> places_; ///< by the first address
};

/// The kernel, and the module's other functions that something was counted in.
std::vector<std::string> functionsIn(const std::map<std::uint64_t, Counted>& counted, const Addresses& addresses, const std::string& kernel)
{
    std::vector<std::string> names{kernel};
    for (const auto& [address, count] : counted)
        if (const auto place = addresses.find(address); place && std::ranges::find(names, place->first) == names.end())
            names.push_back(place->first);
    return names;
}

void join(KernelCode& code, const Addresses& addresses, const std::map<std::uint64_t, Counted>& counted)
{
    std::vector<CodeInstruction> elsewhere; // an instruction of the listing must not move while others are looked up
    int elsewhereFunction = -1;
    for (const auto& [address, count] : counted) {
        const auto place = addresses.find(address);
        const auto function = place ? std::ranges::find(code.functions, place->first) - code.functions.begin() : 0;
        CodeInstruction* one = place ? findInstruction(code, static_cast<int>(function), place->second) : nullptr;
        if (!one) {
            if (elsewhereFunction < 0) {
                elsewhereFunction = static_cast<int>(code.functions.size());
                code.functions.emplace_back(kElsewhere);
            }
            one = &elsewhere.emplace_back();
            one->function = elsewhereFunction;
            one->offset = static_cast<std::int64_t>(address);
        }
        for (const CounterName& counter : kCounters)
            one->*(counter.counter) = count.counters.*(counter.counter);
        addStalls(code, *one, count.stalls);
    }
    std::ranges::move(elsewhere, std::back_inserter(code.instructions));
}

/// The same as a profile's rows, which are summed by line.
void takeInstructions(const KernelCode& code, SourceProfile& profile)
{
    for (const CodeInstruction& one : code.instructions) {
        SampledInstruction& sampled = profile.instructions.emplace_back();
        sampled.function = code.functions[static_cast<std::size_t>(one.function)];
        sampled.offset = one.offset;
        sampled.file = one.file < 0 ? std::string() : code.files[static_cast<std::size_t>(one.file)];
        sampled.line = one.line;
        sampled.samples = one.samples;
        for (std::size_t i = 0; i < one.stalls.size(); ++i)
            if (one.stalls[i] > 0)
                sampled.stalls[code.stalls[i]] = one.stalls[i];
        sampled.executed = one.executed;
        sampled.threads = one.threads;
    }
    summarizeLines(profile);
}

bool readFunctions(std::string_view message, Module& module)
{
    WireReader list(message);
    for (WireField field; list.next(field);) {
        if (!field.is(1, Type::bytes))
            continue;
        std::string name;
        std::uint64_t address = 0;
        WireReader parts(field.bytes);
        for (WireField part; parts.next(part);)
            if (part.is(1, Type::bytes))
                name = part.bytes;
            else if (part.is(2, Type::varint))
                address = part.value;
        module.functions[name] = address;
    }
    return !list.broken();
}

bool readTexts(std::string_view message, Module& module)
{
    WireReader list(message);
    for (WireField field; list.next(field);) {
        if (!field.is(1, Type::bytes))
            continue;
        std::string name;
        std::string text;
        WireReader parts(field.bytes);
        for (WireField part; parts.next(part);)
            if (part.is(1, Type::bytes))
                name = cleanText(part.bytes.substr(part.bytes.rfind('/') + 1));
            else if (part.is(2, Type::bytes))
                text = cleanText(part.bytes);
        module.texts[name] = std::move(text);
    }
    return !list.broken();
}

} // namespace

bool Modules::add(std::string_view message)
{
    std::uint64_t id = 0;
    Module added;
    bool fine = true;
    WireReader fields(message);
    for (WireField field; fields.next(field);)
        if (field.is(1, Type::varint))
            id = field.value;
        else if (field.is(4, Type::bytes))
            added.cubin = field.bytes;
        else if (field.is(8, Type::bytes))
            fine = readTexts(field.bytes, added) && fine;
        else if (field.is(9, Type::bytes))
            fine = readFunctions(field.bytes, added) && fine;
    Module& module = modules_[id];
    if (!added.cubin.empty())
        module.cubin = added.cubin;
    module.functions.merge(added.functions);
    module.texts.merge(added.texts);
    return fine && !fields.broken();
}

const Module* Modules::find(std::uint64_t id) const
{
    const auto found = modules_.find(id);
    return found == modules_.end() ? nullptr : &found->second;
}

std::optional<SourceProfile> readSource(const RawResult& kernel, const NameTable& table, const Module* module)
{
    const std::map<std::uint64_t, Counted> counted = readCountedPlaces(kernel, table);
    const Module none;
    const Module& own = module ? *module : none;
    if (counted.empty() && own.cubin.empty())
        return {};
    const Addresses addresses(own);
    KernelCode code = readKernelCode(own.cubin, functionsIn(counted, addresses, std::string(kernel.mangled)));
    join(code, addresses, counted);
    for (std::string& name : code.functions)
        name = cleanText(name);
    SourceProfile profile;
    profile.launch = cleanText(kernel.mangled);
    takeInstructions(code, profile);
    if (profile.samples == 0)
        profile.unavailable = "The report has no samples of program counters: ncu takes them with --set full or --section SourceCounters, "
                              "and a kernel of a few microseconds can end before the first.";
    if (std::ranges::none_of(code.instructions, [](const CodeInstruction& one) { return one.executed.has_value(); }))
        profile.countsUnavailable = "the report does not count the executions of each instruction";
    profile.texts = own.texts;
    profile.code = SharedCode(std::move(code));
    return profile;
}

} // namespace kl::ncu
