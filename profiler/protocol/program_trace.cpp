// SPDX-License-Identifier: MIT
#include "profiler/protocol/program_trace.h"

#include "core/codec/model_fields.h"

#include <algorithm>
#include <cstdlib>
#include <cxxabi.h>

namespace kl::inline protocol {

template <class V> void fields(V& v, WantedLaunch& w)
{
    v("kernel", w.kernel);
    for (std::size_t i = 0; i < 3; ++i) {
        constexpr std::array kGrid{"grid_x", "grid_y", "grid_z"};
        constexpr std::array kBlock{"block_x", "block_y", "block_z"};
        v(kGrid[i], w.shape.grid[i]);
        v(kBlock[i], w.shape.block[i]);
    }
    v("dynamic_smem", w.shape.dynamicSmem);
    v("range", w.shape.range);
}

template <class V> void fields(V& v, RangeChoice& r)
{
    v("within", r.within);
    v("each", r.each);
}

template <class V> void fields(V& v, LiftRequest& l)
{
    v("folder", l.folder);
    v("max_bytes", l.maxBytes);
    v("all_memory", l.allMemory);
}

template <class V> void fields(V& v, TraceConfig& c)
{
    v("kernel", c.kernel);
    v("skip", c.skip);
    v("count", c.count);
    v("counters", c.counters);
    v("executions", c.executions);
    v("wanted", c.wanted);
    v("tier", c.tier);
    v("source", c.source);
    v("metrics", c.metrics);
    v("max_passes", c.maxPasses);
    v("max_launches", c.maxLaunches);
    v("max_profile_seconds", c.maxProfileSeconds);
    v("ranges", c.ranges);
    v("lift", c.lift);
    v("range_entries", c.rangeEntries);
}

template <class V> void fields(V& v, ProfiledLaunch& p)
{
    v("kernel", p.kernel);
    v("launch", p.launch);
    v("device", p.device);
    for (int i = 0; i < 3; ++i) {
        constexpr std::array kGrid{"grid_x", "grid_y", "grid_z"};
        constexpr std::array kBlock{"block_x", "block_y", "block_z"};
        v(kGrid[i], p.grid[i]);
        v(kBlock[i], p.block[i]);
    }
    v("facts", p.facts);
    v("ranges", p.ranges);
    v("metrics", p.metrics);
    v("failure", p.failure);
    v("seconds", p.seconds);
    v("memory_bytes", p.memoryBytes);
}

template <class V> void fields(V& v, CountedRange& r)
{
    v("name", r.name);
    v("entries", r.entries);
    v("metrics", r.metrics);
    v("failure", r.failure);
}

template <class V> void fields(V& v, ProcessRank& r)
{
    v("rank", r.rank);
    v("local_rank", r.localRank);
    v("world_size", r.worldSize);
}

template <class V> void fields(V& v, SampledKernel& s)
{
    v("kernel", s.kernel);
    v("device", s.device);
    v("launches", s.launches);
    v("source", s.source);
}

namespace {

std::string line(const char* type, const Json& json)
{
    Json whole{{"t", type}};
    whole.update(json);
    return encode(whole) + '\n';
}

/// Reads one line into the trace. Throws what nlohmann and the field codec throw.
class LineReader {
public:
    explicit LineReader(ProcessTrace& trace) : trace_(trace) {}

    void read(const Json& json)
    {
        if (json.is_array())
            readArray(json);
        else
            readObject(json);
    }

private:
    void readArray(const Json& a)
    {
        const std::string type = a.at(0);
        if (type == "k") {
            TracedLaunch l;
            l.kernel = a.at(1);
            l.start = a.at(2);
            l.end = a.at(3);
            l.device = a.at(4);
            l.stream = a.at(5);
            l.correlation = a.at(6);
            for (std::size_t i = 0; i < 3; ++i) {
                l.grid[i] = a.at(7 + i);
                l.block[i] = a.at(10 + i);
            }
            l.registers = a.at(13);
            l.staticSmem = a.at(14);
            l.dynamicSmem = a.at(15);
            l.localBytes = a.at(16);
            l.graph = a.at(17).get<int>() != 0;
            l.graphId = a.size() > 18 ? a.at(18).get<std::uint32_t>() : 0;
            (void)trace_.kernels.at(static_cast<std::size_t>(l.kernel));
            trace_.launches.push_back(l);
        } else if (type == "c") {
            trace_.copies.push_back({a.at(1).get<int>() != 0, a.at(2), a.at(3), a.at(4), a.at(5)});
        } else if (type == "r") {
            trace_.stackOf[a.at(1)] = stackIndex(a.at(2));
            if (a.size() > 3)
                trace_.entriesOf[a.at(1)] = {a.begin() + 3, a.end()};
        } else if (type == "a") {
            trace_.alone.insert(a.at(1).get<std::uint32_t>());
        } else if (type == "s") {
            trace_.sampledAt.insert(a.at(1).get<std::uint32_t>());
        } else if (type == "n") {
            const RangeTime more{a.at(2).get<std::int64_t>(), a.at(3).get<double>()};
            RangeTime& time = trace_.ranges[stackIndex(a.at(1))];
            time.count += more.count;
            time.hostNs += more.hostNs;
        }
    }

    void readObject(const Json& o)
    {
        const std::string type = o.at("t");
        if (type == "process") {
            if (const int version = o.at("version"); version != kTraceVersion)
                throw std::runtime_error(fmt::format("written by another version ({}, expected {})", version, kTraceVersion));
            trace_.pid = o.at("pid");
            trace_.command = o.at("command").get<std::vector<std::string>>();
            trace_.cupti = o.at("cupti");
        } else if (type == "rank") {
            trace_.rank = readBack<ProcessRank>(o, "rank");
        } else if (type == "device") {
            trace_.devices[o.at("index")] = readBack<DeviceInfo>(o.at("device"), "device");
        } else if (type == "kernel") {
            place(trace_.kernels, o.at("id"), o.at("name").get<std::string>());
        } else if (type == "stack") {
            place(trace_.stacks, o.at("id"), o.at("ranges").get<std::vector<std::string>>());
        } else if (type == "profiled") {
            trace_.profiled.push_back(readBack<ProfiledLaunch>(o, "profiled"));
        } else if (type == "executed") {
            trace_.executed.push_back(readBack<ProfiledLaunch>(o, "executed"));
        } else if (type == "sampled") {
            trace_.sampled.push_back(readBack<SampledKernel>(o, "sampled"));
        } else if (type == "counted-range") {
            trace_.countedRanges.push_back(readBack<CountedRange>(o, "counted-range"));
        } else if (type == "pause") {
            trace_.pauses.push_back({o.at("start"), o.at("end")});
        } else if (type == "note") {
            trace_.notes.push_back({o.at("code"), o.at("text")});
        } else if (type == "end") {
            trace_.ended = true;
        }
    }

    int stackIndex(int index) const
    {
        (void)trace_.stacks.at(static_cast<std::size_t>(index));
        return index;
    }

    /// Whole or, by an exception, not at all: what is damaged must leave nothing behind.
    template <class T> static T readBack(const Json& json, const char* where)
    {
        T value;
        fields_detail::readValue(json, value, where);
        return value;
    }

    template <class T> static void place(std::vector<T>& list, std::size_t id, T value)
    {
        if (id != list.size())
            throw std::runtime_error(fmt::format("number {} where {} was expected", id, list.size()));
        list.push_back(std::move(value));
    }

    ProcessTrace& trace_;
};

} // namespace

bool RangeChoice::includes(const std::vector<std::string>& stack) const
{
    return within.empty() || std::ranges::find(stack, within) != stack.end();
}

std::string RangeChoice::makeKey(const std::vector<std::string>& stack) const
{
    if (!each || stack.empty() || !includes(stack))
        return {};
    if (within.empty())
        return stack.front();
    const auto outer = std::ranges::find(stack, within);
    return outer + 1 == stack.end() ? *outer : *(outer + 1);
}

std::string traceLine(int pid, const std::vector<std::string>& command, const std::string& cupti)
{
    return line("process", {{"version", kTraceVersion}, {"pid", pid}, {"command", command}, {"cupti", cupti}});
}

std::string traceLine(int index, const DeviceInfo& device)
{
    return line("device", {{"index", index}, {"device", toJson(device)}});
}

std::string traceLine(int id, const std::string& kernel)
{
    return line("kernel", {{"id", id}, {"name", kernel}});
}

std::string traceLine(const TracedLaunch& l)
{
    return fmt::format("[\"k\",{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}]\n", l.kernel, l.start, l.end, l.device, l.stream,
                       l.correlation, l.grid[0], l.grid[1], l.grid[2], l.block[0], l.block[1], l.block[2], l.registers, l.staticSmem,
                       l.dynamicSmem, l.localBytes, l.graph ? 1 : 0, l.graphId);
}

std::string traceLine(const TracedCopy& c)
{
    return fmt::format("[\"c\",{},{},{},{},{}]\n", c.set ? 1 : 0, c.start, c.end, c.device, c.bytes);
}

std::string traceLine(const TracedPause& pause)
{
    return line("pause", {{"start", pause.start}, {"end", pause.end}});
}

std::string traceLine(const ProfiledLaunch& launch)
{
    return line("profiled", toJson(launch));
}

std::string traceExecuted(const ProfiledLaunch& launch)
{
    return line("executed", toJson(launch));
}

std::string traceLine(const SampledKernel& kernel)
{
    return line("sampled", toJson(kernel));
}

std::string traceLine(const CountedRange& range)
{
    return line("counted-range", toJson(range));
}

std::string traceLine(int id, const std::vector<std::string>& stack)
{
    return line("stack", {{"id", id}, {"ranges", stack}});
}

std::string traceLine(const Warning& note)
{
    return line("note", toJson(note));
}

std::string traceLine(const ProcessRank& rank)
{
    return line("rank", toJson(rank));
}

std::string traceLaunchRanges(std::uint32_t correlation, int stack, const std::vector<std::uint32_t>& entries)
{
    std::string text = fmt::format("[\"r\",{},{}", correlation, stack);
    for (const std::uint32_t entry : entries)
        text += fmt::format(",{}", entry);
    return text + "]\n";
}

std::string traceLaunchAlone(std::uint32_t correlation)
{
    return fmt::format("[\"a\",{}]\n", correlation);
}

std::string traceLaunchSampled(std::uint32_t correlation)
{
    return fmt::format("[\"s\",{}]\n", correlation);
}

std::string traceRangeTime(int stack, const RangeTime& time)
{
    return fmt::format("[\"n\",{},{},{:.0f}]\n", stack, time.count, time.hostNs);
}

std::string traceEnd()
{
    return line("end", Json::object());
}

ProcessTrace parseTrace(std::string_view text)
{
    ProcessTrace trace;
    LineReader reader(trace);
    for (int number = 1; !text.empty(); ++number) {
        const std::size_t length = text.find('\n');
        if (length == std::string_view::npos) {
            trace.cut = true;
            break;
        }
        try {
            reader.read(Json::parse(text.substr(0, length)));
        } catch (const std::exception& problem) {
            trace.damage = fmt::format("line {} ({})", number, problem.what());
            break;
        }
        text.remove_prefix(length + 1);
    }
    return trace;
}

std::string encodeTraceConfig(const TraceConfig& config)
{
    return encode(toJson(config));
}

Result<TraceConfig> parseTraceConfig(std::string_view text, const std::string& where)
{
    const Result<Json> json = parseJson(text, where);
    return json ? fromJson<TraceConfig>(*json, where) : Result<TraceConfig>(json.error());
}

std::string explainNotReplayed(const std::string& kernel)
{
    for (const char* library : {"nccl", "nvshmem"})
        if (kernel.find(library) != std::string::npos)
            return "it waits for other GPUs, and replaying it alone for its counters would never finish";
    return {};
}

std::string demangle(const std::string& name)
{
    int status = 0;
    char* text = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
    std::string result = status == 0 && text ? text : name;
    std::free(text);
    return result;
}

} // namespace kl::inline protocol
