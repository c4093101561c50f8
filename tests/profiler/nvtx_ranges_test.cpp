// SPDX-License-Identifier: MIT
// What NVTX's headers call in the injected library, in this process: a table as they have it, and the ranges that come of it.
#ifdef KL_HAVE_LIVE
#include "profiler/inject/nvtx_ranges.h"
#include "tests/support/may_stay.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <map>
#include <nvtx3/nvToolsExt.h>
#include <thread>

namespace kl::inject::nvtx {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// The tables of a library that was built with NVTX's headers.
struct PlayedTables {
    NvtxFunctionPointer core[NVTX_CBID_CORE_SIZE]{};
    NvtxFunctionPointer* corePlaces[NVTX_CBID_CORE_SIZE]{};
    NvtxFunctionPointer core2[NVTX_CBID_CORE2_SIZE]{};
    NvtxFunctionPointer* core2Places[NVTX_CBID_CORE2_SIZE]{};
    NvtxExportTableCallbacks callbacks{};
    unsigned coreSize = NVTX_CBID_CORE_SIZE;
    bool hasDomains = true;
};
PlayedTables played;

int NVTX_API playedTable(NvtxCallbackModule module, NvtxFunctionTable* table, unsigned* size)
{
    if (module == NVTX_CB_MODULE_CORE) {
        *table = played.corePlaces;
        *size = played.coreSize;
        return 1;
    }
    if (module != NVTX_CB_MODULE_CORE2 || !played.hasDomains)
        return 0;
    *table = played.core2Places;
    *size = NVTX_CBID_CORE2_SIZE;
    return 1;
}

const void* playedExports(unsigned id)
{
    return id == NVTX_ETID_CALLBACKS ? &played.callbacks : nullptr;
}

class NvtxRanges : public testing::Test {
protected:
    void SetUp() override
    {
        played = {};
        for (unsigned i = 0; i < NVTX_CBID_CORE_SIZE; ++i)
            played.corePlaces[i] = &played.core[i];
        for (unsigned i = 0; i < NVTX_CBID_CORE2_SIZE; ++i)
            played.core2Places[i] = &played.core2[i];
        played.callbacks = {sizeof(NvtxExportTableCallbacks), playedTable};
        drainTimes([](int, std::int64_t, double) {});
    }
    template <class F> F core(unsigned id) const { return reinterpret_cast<F>(played.core[id]); }
    template <class F> F core2(unsigned id) const { return reinterpret_cast<F>(played.core2[id]); }

    using PushA = int(NVTX_API*)(const char*);
    using PushW = int(NVTX_API*)(const wchar_t*);
    using PushEx = int(NVTX_API*)(const nvtxEventAttributes_t*);
    using Pop = int(NVTX_API*)();
    using StartA = nvtxRangeId_t(NVTX_API*)(const char*);
    using StartW = nvtxRangeId_t(NVTX_API*)(const wchar_t*);
    using StartEx = nvtxRangeId_t(NVTX_API*)(const nvtxEventAttributes_t*);
    using End = void(NVTX_API*)(nvtxRangeId_t);
    using DomainPush = int(NVTX_API*)(nvtxDomainHandle_t, const nvtxEventAttributes_t*);
    using DomainPop = int(NVTX_API*)(nvtxDomainHandle_t);
    using DomainStart = nvtxRangeId_t(NVTX_API*)(nvtxDomainHandle_t, const nvtxEventAttributes_t*);
    using DomainEnd = void(NVTX_API*)(nvtxDomainHandle_t, nvtxRangeId_t);
    using RegisterA = nvtxStringHandle_t(NVTX_API*)(nvtxDomainHandle_t, const char*);
    using RegisterW = nvtxStringHandle_t(NVTX_API*)(nvtxDomainHandle_t, const wchar_t*);
    using CreateA = nvtxDomainHandle_t(NVTX_API*)(const char*);
    using CreateW = nvtxDomainHandle_t(NVTX_API*)(const wchar_t*);

    int push(const char* name) const { return core<PushA>(NVTX_CBID_CORE_RangePushA)(name); }
    int pop() const { return core<Pop>(NVTX_CBID_CORE_RangePop)(); }

    /// How often each stack's innermost range has ended, by its names joined with '/'.
    static std::map<std::string, std::int64_t> ended()
    {
        std::map<std::string, std::int64_t> counts;
        drainTimes([&](int stack, std::int64_t count, double hostNs) {
            EXPECT_GT(hostNs, 0);
            std::string names;
            for (const std::string& name : findStack(stack))
                names += (names.empty() ? "" : "/") + name;
            counts[names] += count;
        });
        return counts;
    }

private:
    const test::MayStay mayStay_{};
};

nvtxEventAttributes_t makeEvent(int type)
{
    nvtxEventAttributes_t event{};
    event.version = NVTX_VERSION;
    event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    event.messageType = type;
    return event;
}

TEST_F(NvtxRanges, AStackIsNumberedByItsNames)
{
    ASSERT_TRUE(attach(playedExports));
    EXPECT_EQ(openStack(), -1);
    EXPECT_THAT(openEntries(), IsEmpty());
    push("stack-outer");
    const int outer = openStack();
    EXPECT_THAT(findStack(outer), ElementsAre("stack-outer"));
    push("stack-inner");
    const int inner = openStack();
    EXPECT_NE(inner, outer);
    EXPECT_THAT(findStack(inner), ElementsAre("stack-outer", "stack-inner"));
    const std::vector<std::uint32_t> first = openEntries();
    ASSERT_EQ(first.size(), 2U);
    EXPECT_LT(first[0], first[1]);
    pop();
    EXPECT_EQ(openStack(), outer);
    push("stack-inner");
    EXPECT_EQ(openStack(), inner) << "the same names";
    const std::vector<std::uint32_t> second = openEntries();
    EXPECT_EQ(second[0], first[0]);
    EXPECT_EQ(second[1], first[1] + 1) << "another entry";
    std::thread([&] { EXPECT_EQ(openStack(), -1) << "each thread has its own"; }).join();
    pop();
    pop();
    EXPECT_EQ(openStack(), -1);
    EXPECT_THAT(findStack(-1), IsEmpty());
    EXPECT_THAT(findStack(1'000'000), IsEmpty());
}

TEST_F(NvtxRanges, NamesComeInEveryForm)
{
    ASSERT_TRUE(attach(playedExports));
    const auto pushed = [&](const nvtxEventAttributes_t* event) {
        core<PushEx>(NVTX_CBID_CORE_RangePushEx)(event);
        const std::vector<std::string> names = findStack(openStack());
        pop();
        return names.empty() ? std::string("none") : names.back();
    };
    nvtxEventAttributes_t event = makeEvent(NVTX_MESSAGE_TYPE_ASCII);
    event.message.ascii = "plain";
    EXPECT_EQ(pushed(&event), "plain");
    event.message.ascii = nullptr;
    EXPECT_EQ(pushed(&event), "");
    event = makeEvent(NVTX_MESSAGE_TYPE_UNICODE);
    event.message.unicode = L"w\u00efde";
    EXPECT_EQ(pushed(&event), "w?de");
    event = makeEvent(NVTX_MESSAGE_TYPE_REGISTERED);
    event.message.registered = core2<RegisterA>(NVTX_CBID_CORE2_DomainRegisterStringA)(nullptr, "kept");
    EXPECT_EQ(pushed(&event), "kept");
    event.message.registered = core2<RegisterW>(NVTX_CBID_CORE2_DomainRegisterStringW)(nullptr, L"kept wide");
    EXPECT_EQ(pushed(&event), "kept wide");
    event.message.registered = nullptr;
    EXPECT_EQ(pushed(&event), "");
    event = makeEvent(NVTX_MESSAGE_UNKNOWN);
    EXPECT_EQ(pushed(&event), "");
    EXPECT_EQ(pushed(nullptr), "");
    core<PushW>(NVTX_CBID_CORE_RangePushW)(L"wide");
    EXPECT_THAT(findStack(openStack()), ElementsAre("wide"));
    pop();
    push(nullptr);
    EXPECT_THAT(findStack(openStack()), ElementsAre(""));
    pop();
}

TEST_F(NvtxRanges, EveryEndOfARangeIsTimed)
{
    ASSERT_TRUE(attach(playedExports));
    for (int i = 0; i < 3; ++i) {
        push("timed");
        push("part");
        pop();
        pop();
    }
    push("timed"); // and stays open
    nvtxEventAttributes_t event = makeEvent(NVTX_MESSAGE_TYPE_ASCII);
    event.message.ascii = "across";
    const End end = core<End>(NVTX_CBID_CORE_RangeEnd);
    const nvtxRangeId_t first = core<StartA>(NVTX_CBID_CORE_RangeStartA)("across");
    const nvtxRangeId_t second = core<StartW>(NVTX_CBID_CORE_RangeStartW)(L"across");
    const nvtxRangeId_t third = core<StartEx>(NVTX_CBID_CORE_RangeStartEx)(&event);
    EXPECT_NE(first, 0U);
    EXPECT_NE(first, second);
    EXPECT_THAT(findStack(openStack()), ElementsAre("timed")) << "those are of no thread";
    end(second);
    end(first);
    end(first);
    end(third);
    EXPECT_EQ(ended(), (std::map<std::string, std::int64_t>{{"timed", 3}, {"timed/part", 3}, {"across", 3}}));
    EXPECT_THAT(ended(), IsEmpty()) << "they were handed over";
    pop();
    EXPECT_EQ(ended(), (std::map<std::string, std::int64_t>{{"timed", 1}}));
}

TEST_F(NvtxRanges, ADomainsRangesAreItsOwnButLieInTheOthers)
{
    ASSERT_TRUE(attach(playedExports));
    const nvtxDomainHandle_t one = core2<CreateA>(NVTX_CBID_CORE2_DomainCreateA)("same");
    const nvtxDomainHandle_t other = core2<CreateW>(NVTX_CBID_CORE2_DomainCreateW)(L"same");
    EXPECT_NE(one, other);
    nvtxEventAttributes_t event = makeEvent(NVTX_MESSAGE_TYPE_ASCII);
    event.message.ascii = "of-domain";
    EXPECT_EQ(push("of-all"), 0);
    const DomainPush domainPush = core2<DomainPush>(NVTX_CBID_CORE2_DomainRangePushEx);
    const DomainPop domainPop = core2<DomainPop>(NVTX_CBID_CORE2_DomainRangePop);
    EXPECT_EQ(domainPush(one, &event), 0);
    EXPECT_EQ(domainPush(one, &event), 1);
    EXPECT_EQ(domainPush(other, &event), 0);
    EXPECT_THAT(findStack(openStack()), ElementsAre("of-all", "of-domain", "of-domain", "of-domain"));
    EXPECT_EQ(pop(), 0);
    EXPECT_EQ(domainPop(one), 1);
    EXPECT_EQ(domainPop(one), 0);
    EXPECT_EQ(openEntries().size(), 1U) << "the other domain's";
    EXPECT_EQ(domainPop(one), 0) << "nothing is left to pop";
    EXPECT_EQ(openEntries().size(), 1U);
    EXPECT_EQ(domainPop(other), 0);
    EXPECT_EQ(openStack(), -1);
    drainTimes([](int, std::int64_t, double) {});
    const nvtxRangeId_t started = core2<DomainStart>(NVTX_CBID_CORE2_DomainRangeStartEx)(one, &event);
    core2<DomainEnd>(NVTX_CBID_CORE2_DomainRangeEnd)(one, started);
    EXPECT_EQ(ended(), (std::map<std::string, std::int64_t>{{"of-domain", 1}}));
}

TEST_F(NvtxRanges, AWatchedNameIsReportedByItsOutermostEntry)
{
    ASSERT_TRUE(attach(playedExports));
    std::vector<std::string> reported;
    watch(
        "watched", [&reported] { reported.push_back("enter " + std::to_string(openEntries().size())); },
        [&reported] { reported.push_back("leave " + std::to_string(openEntries().size())); });
    push("around");
    push("watched");
    push("watched");
    push("inside");
    pop();
    pop();
    EXPECT_THAT(reported, ElementsAre("enter 2")) << "when it is entered already";
    pop();
    EXPECT_THAT(reported, ElementsAre("enter 2", "leave 2")) << "while it is still open";
    pop();
    push("watched");
    pop();
    EXPECT_EQ(reported.size(), 4U);
    watch(
        "nothing more", [] {}, [] {});
}

TEST_F(NvtxRanges, UnknownTablesAreLeftAlone)
{
    EXPECT_FALSE(attach(nullptr));
    EXPECT_FALSE(attach([](unsigned) -> const void* { return nullptr; }));
    played.callbacks.struct_size = sizeof(NvtxExportTableCallbacks) - 1;
    EXPECT_FALSE(attach(playedExports));
    played.callbacks = {sizeof(NvtxExportTableCallbacks), nullptr};
    EXPECT_FALSE(attach(playedExports));
    played.callbacks.GetModuleFunctionTable = [](NvtxCallbackModule, NvtxFunctionTable*, unsigned*) { return 0; };
    EXPECT_FALSE(attach(playedExports));
    played.callbacks.GetModuleFunctionTable = playedTable;
    played.coreSize = NVTX_CBID_CORE_RangePop; // of headers that have no more
    played.corePlaces[NVTX_CBID_CORE_RangePushA] = nullptr;
    played.hasDomains = false;
    EXPECT_TRUE(attach(playedExports));
    EXPECT_EQ(played.core[NVTX_CBID_CORE_RangePop], nullptr);
    EXPECT_EQ(played.core[NVTX_CBID_CORE_RangePushA], nullptr);
    EXPECT_NE(played.core[NVTX_CBID_CORE_RangePushEx], nullptr);
    EXPECT_EQ(played.core2[NVTX_CBID_CORE2_DomainRangePop], nullptr);
}

} // namespace
} // namespace kl::inject::nvtx
#endif
