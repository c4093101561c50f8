// SPDX-License-Identifier: MIT
#include "profiler/inject/nvtx_ranges.h"

#include <atomic>
#include <chrono>
#include <cwchar>
#include <map>
#include <mutex>

#define NVTX_NO_IMPL
#include <nvtx3/nvToolsExt.h>

namespace kl::inject::nvtx {
namespace {

using Clock = std::chrono::steady_clock;

struct Time {
    std::int64_t count = 0;
    double hostNs = 0;
};

struct Started {
    int stack = -1;
    std::uint32_t entry = 0;
    Clock::time_point begin;
};

/// What all threads share. Never destroyed: ranges are popped while the process exits.
struct Shared {
    std::mutex mutex;
    std::map<std::vector<std::string>, int> numbers;
    std::vector<std::vector<std::string>> stacks;
    std::map<int, Time> times;
    std::map<nvtxRangeId_t, Started> started;
    nvtxRangeId_t lastId = 0;
    std::uint32_t lastEntry = 0;

    int assignNumber(const std::vector<std::string>& names)
    {
        const auto [found, fresh] = numbers.try_emplace(names, static_cast<int>(stacks.size()));
        if (fresh)
            stacks.push_back(names);
        return found->second;
    }
    void add(const Started& range)
    {
        Time& time = times[range.stack];
        ++time.count;
        time.hostNs += std::chrono::duration<double, std::nano>(Clock::now() - range.begin).count();
    }
};

Shared& getShared()
{
    static Shared* all = new Shared;
    return *all;
}

struct Open {
    const void* domain = nullptr;
    std::string name;
    Started range;
};
thread_local std::vector<Open> open;

struct Watch {
    std::string name;
    std::function<void()> entered;
    std::function<void()> leaving;
};
std::atomic<const Watch*> watched = nullptr; // never destroyed

/// Whether this open range is the watched one, and no other of the thread around it is.
const Watch* findWatch(std::size_t index)
{
    const Watch* watch = watched;
    if (!watch || open[index].name != watch->name)
        return nullptr;
    for (std::size_t i = 0; i < index; ++i)
        if (open[i].name == watch->name)
            return nullptr;
    return watch;
}

std::string narrow(const wchar_t* text)
{
    std::string out;
    for (; text && *text; ++text)
        out += *text < 0x80 ? static_cast<char>(*text) : '?';
    return out;
}

/// A string that a program registered is one of ours.
struct Registered {
    std::string text;
};

nvtxStringHandle_t keepString(std::string text)
{
    return reinterpret_cast<nvtxStringHandle_t>(new Registered{std::move(text)}); // lives as long as the process, by NVTX's rule
}

std::string nameFor(const nvtxEventAttributes_t* event)
{
    if (!event)
        return {};
    switch (event->messageType) {
    case NVTX_MESSAGE_TYPE_ASCII: return event->message.ascii ? event->message.ascii : "";
    case NVTX_MESSAGE_TYPE_UNICODE: return narrow(event->message.unicode);
    case NVTX_MESSAGE_TYPE_REGISTERED: {
        const auto* kept = reinterpret_cast<const Registered*>(event->message.registered);
        return kept ? kept->text : "";
    }
    default: return {};
    }
}

int push(const void* domain, std::string name) noexcept
try {
    std::vector<std::string> names;
    for (const Open& range : open)
        names.push_back(range.name);
    names.push_back(name);
    Open fresh{domain, std::move(name), {}};
    {
        Shared& all = getShared();
        const std::lock_guard lock(all.mutex);
        fresh.range = {all.assignNumber(names), ++all.lastEntry, Clock::now()};
    }
    open.push_back(std::move(fresh));
    if (const Watch* watch = findWatch(open.size() - 1))
        watch->entered();
    int level = -1;
    for (const Open& range : open)
        level += range.domain == domain ? 1 : 0;
    return level;
} catch (...) {
    return NVTX_NO_PUSH_POP_TRACKING;
}

int pop(const void* domain) noexcept
try {
    for (std::size_t i = open.size(); i-- > 0;) {
        if (open[i].domain != domain)
            continue;
        if (const Watch* watch = findWatch(i))
            watch->leaving();
        Shared& all = getShared();
        const std::lock_guard lock(all.mutex);
        all.add(open[i].range);
        open.erase(open.begin() + static_cast<std::ptrdiff_t>(i));
        break;
    }
    int level = 0;
    for (const Open& range : open)
        level += range.domain == domain ? 1 : 0;
    return level;
} catch (...) {
    return NVTX_NO_PUSH_POP_TRACKING;
}

nvtxRangeId_t start(std::string name) noexcept
try {
    Shared& all = getShared();
    const std::lock_guard lock(all.mutex);
    all.started[++all.lastId] = {all.assignNumber({std::move(name)}), ++all.lastEntry, Clock::now()};
    return all.lastId;
} catch (...) {
    return 0;
}

void end(nvtxRangeId_t id) noexcept
try {
    Shared& all = getShared();
    const std::lock_guard lock(all.mutex);
    if (const auto found = all.started.find(id); found != all.started.end()) {
        all.add(found->second);
        all.started.erase(found);
    }
} catch (...) {
    return;
}

int NVTX_API pushEx(const nvtxEventAttributes_t* event)
{
    return push(nullptr, nameFor(event));
}
int NVTX_API pushA(const char* name)
{
    return push(nullptr, name ? name : "");
}
int NVTX_API pushW(const wchar_t* name)
{
    return push(nullptr, narrow(name));
}
int NVTX_API popCore()
{
    return pop(nullptr);
}
nvtxRangeId_t NVTX_API startEx(const nvtxEventAttributes_t* event)
{
    return start(nameFor(event));
}
nvtxRangeId_t NVTX_API startA(const char* name)
{
    return start(name ? name : "");
}
nvtxRangeId_t NVTX_API startW(const wchar_t* name)
{
    return start(narrow(name));
}
void NVTX_API endCore(nvtxRangeId_t id)
{
    end(id);
}

int NVTX_API domainPush(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* event)
{
    return push(domain, nameFor(event));
}
int NVTX_API domainPop(nvtxDomainHandle_t domain)
{
    return pop(domain);
}
nvtxRangeId_t NVTX_API domainStart(nvtxDomainHandle_t, const nvtxEventAttributes_t* event)
{
    return start(nameFor(event));
}
void NVTX_API domainEnd(nvtxDomainHandle_t, nvtxRangeId_t id)
{
    end(id);
}
nvtxStringHandle_t NVTX_API registerA(nvtxDomainHandle_t, const char* text)
{
    return keepString(text ? text : "");
}
nvtxStringHandle_t NVTX_API registerW(nvtxDomainHandle_t, const wchar_t* text)
{
    return keepString(narrow(text));
}
nvtxDomainHandle_t NVTX_API createA(const char* name)
{
    return reinterpret_cast<nvtxDomainHandle_t>(keepString(name ? name : "")); // any address of its own tells domains apart
}
nvtxDomainHandle_t NVTX_API createW(const wchar_t* name)
{
    return reinterpret_cast<nvtxDomainHandle_t>(keepString(narrow(name)));
}

template <class F> void put(NvtxFunctionTable table, unsigned size, unsigned id, F function)
{
    if (id < size && table[id])
        *table[id] = reinterpret_cast<NvtxFunctionPointer>(function);
}

} // namespace

bool attach(GetExportTable exportTable)
{
    const auto* callbacks = static_cast<const NvtxExportTableCallbacks*>(exportTable ? exportTable(NVTX_ETID_CALLBACKS) : nullptr);
    if (!callbacks || callbacks->struct_size < sizeof(NvtxExportTableCallbacks) || !callbacks->GetModuleFunctionTable)
        return false;
    NvtxFunctionTable table = nullptr;
    unsigned size = 0;
    if (!callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE, &table, &size) || !table)
        return false;
    put(table, size, NVTX_CBID_CORE_RangePushEx, pushEx);
    put(table, size, NVTX_CBID_CORE_RangePushA, pushA);
    put(table, size, NVTX_CBID_CORE_RangePushW, pushW);
    put(table, size, NVTX_CBID_CORE_RangePop, popCore);
    put(table, size, NVTX_CBID_CORE_RangeStartEx, startEx);
    put(table, size, NVTX_CBID_CORE_RangeStartA, startA);
    put(table, size, NVTX_CBID_CORE_RangeStartW, startW);
    put(table, size, NVTX_CBID_CORE_RangeEnd, endCore);
    if (callbacks->GetModuleFunctionTable(NVTX_CB_MODULE_CORE2, &table, &size) && table) {
        put(table, size, NVTX_CBID_CORE2_DomainRangePushEx, domainPush);
        put(table, size, NVTX_CBID_CORE2_DomainRangePop, domainPop);
        put(table, size, NVTX_CBID_CORE2_DomainRangeStartEx, domainStart);
        put(table, size, NVTX_CBID_CORE2_DomainRangeEnd, domainEnd);
        put(table, size, NVTX_CBID_CORE2_DomainRegisterStringA, registerA);
        put(table, size, NVTX_CBID_CORE2_DomainRegisterStringW, registerW);
        put(table, size, NVTX_CBID_CORE2_DomainCreateA, createA);
        put(table, size, NVTX_CBID_CORE2_DomainCreateW, createW);
    }
    return true;
}

int openStack()
{
    return open.empty() ? -1 : open.back().range.stack;
}

std::vector<std::uint32_t> openEntries()
{
    std::vector<std::uint32_t> entries;
    for (const Open& range : open)
        entries.push_back(range.range.entry);
    return entries;
}

void watch(std::string name, std::function<void()> entered, std::function<void()> leaving)
{
    watched = new Watch{std::move(name), std::move(entered), std::move(leaving)};
}

std::vector<std::string> findStack(int stack)
{
    Shared& all = getShared();
    const std::lock_guard lock(all.mutex);
    return stack >= 0 && stack < static_cast<int>(all.stacks.size()) ? all.stacks[static_cast<std::size_t>(stack)]
                                                                     : std::vector<std::string>();
}

void drainTimes(const std::function<void(int stack, std::int64_t count, double hostNs)>& take)
{
    Shared& all = getShared();
    std::map<int, Time> times;
    {
        const std::lock_guard lock(all.mutex);
        times.swap(all.times);
    }
    for (const auto& [stack, time] : times)
        take(stack, time.count, time.hostNs);
}

} // namespace kl::inject::nvtx
