// SPDX-License-Identifier: MIT
// kl_bench synthetic FILE: a large history that nobody measured. kl_bench lists FILE: what lists of it cost.
#include "synthetic.h"

#include "core/base/try.h"
#include "sessions/learning/history.h"
#include "tests/support/synthetic_history.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>

namespace kl::bench {
namespace {

int fail(const Error& error)
{
    std::fprintf(stderr, "kl_bench: %s %s\n", error.message.c_str(), error.detail.c_str());
    return 1;
}

/// The number after `--NAME`; `usual` without it.
std::int64_t readNumber(int argc, char** argv, const char* name, std::int64_t usual)
{
    for (int i = 0; i + 1 < argc; ++i)
        if (std::strcmp(argv[i], name) == 0)
            return std::atoll(argv[i + 1]);
    return usual;
}

/// ms
struct Took {
    double clock = 0;
    double processor = 0; ///< of this program, which has one thread: beside other work only this says something
};

Took take(const std::function<void()>& work)
{
    const auto start = std::chrono::steady_clock::now();
    const std::clock_t before = std::clock();
    work();
    return {std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count(),
            1e3 * static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC};
}

struct Slot {
    std::string name;
    Took first; ///< with what the caches of a fresh connection lack
    Took again;
    std::size_t rows = 0;
};

} // namespace

int writeSyntheticHistory(int argc, char** argv)
{
    if (argc < 1) {
        std::fprintf(stderr, "usage: kl_bench synthetic FILE [--runs N] [--metrics N] [--sessions N] [--seed N]\n");
        return 2;
    }
    const support::SyntheticSize size{readNumber(argc, argv, "--runs", 1000000), readNumber(argc, argv, "--metrics", 50000000),
                                      readNumber(argc, argv, "--sessions", 10000),
                                      static_cast<std::uint64_t>(readNumber(argc, argv, "--seed", 1))};
    const auto store = Store::open(argv[0]);
    if (!store)
        return fail(store.error());
    const Status done = support::writeSynthetic(**store, size, [&](std::int64_t runs) {
        if (runs % 100000 == 0)
            std::fprintf(stderr, "%lld of %lld runs\n", static_cast<long long>(runs), static_cast<long long>(size.runs));
    });
    return done ? 0 : fail(done.error());
}

int timeLists(int argc, char** argv)
{
    if (argc < 1) {
        std::fprintf(stderr, "usage: kl_bench lists FILE\n");
        return 2;
    }
    std::unique_ptr<Store> store;
    std::vector<Slot> slots;
    Slot opening{"open", take([&] {
                     auto opened = Store::open(argv[0]);
                     if (!opened)
                         std::exit(fail(opened.error()));
                     store = std::move(*opened);
                 })};
    opening.again = take([&] { static_cast<void>(Store::open(argv[0])); });
    slots.push_back(opening);
    const auto time = [&](const std::string& name, const std::function<std::size_t()>& work) {
        Slot slot{name};
        slot.first = take([&] { slot.rows = work(); });
        slot.again = take([&] { slot.rows = work(); });
        slots.push_back(slot);
    };
    const auto page = [&](const std::string& name, const RunQuery& query) {
        time(name, [&store, query]() -> std::size_t {
            const auto found = store->runPage(query);
            return found ? found->rows.size() : 0;
        });
    };
    page("newest", {});
    page("fastest", {.order = RunOrder::fastest});
    page("slowest", {.order = RunOrder::slowest});
    page("profiles", {.profilesOnly = true});
    page("class dram-bound", {.classId = "dram-bound"});
    page("class nobody has", {.classId = "invalid"});
    page("family synthetic-07", {.kernel = "synthetic-07"});
    page("fastest of synthetic-07", {.kernel = "synthetic-07", .order = RunOrder::fastest});
    page("variant synthetic-07/v3", {.kernel = "synthetic-07/v3"});
    page("profiles of synthetic-07", {.kernel = "synthetic-07", .profilesOnly = true});
    page("words 07 dram", {.words = {"07", "dram"}});
    page("words that match nothing", {.words = {"nowhere"}});
    page("a tag", {.tag = "none"});
    page("from the middle", {.beforeStartedAt = support::syntheticTime(500000), .beforeId = "~"});
    time("sessions", [&] { return store->sessions(SessionQuery{})->size(); });
    time("sessions by word", [&] { return store->sessions({.words = {"synthetic-07"}})->size(); });
    time("whole history (Home, History)", [&] { return loadHistory(*store)->rows.size(); });
    std::ranges::sort(slots, std::greater(), [](const Slot& slot) { return slot.first.clock; });
    std::printf("%-34s %12s %12s %12s %12s %8s\n", "slowest first", "first, ms", "processor", "again, ms", "processor", "rows");
    for (const Slot& slot : slots)
        std::printf("%-34s %12.1f %12.1f %12.1f %12.1f %8zu\n", slot.name.c_str(), slot.first.clock, slot.first.processor, slot.again.clock,
                    slot.again.processor, slot.rows);
    return 0;
}

} // namespace kl::bench
