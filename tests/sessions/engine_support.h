// SPDX-License-Identifier: MIT
#pragma once

#include "tests/sessions/bench_support.h"
#include "tests/support/fake_collector.h"
#include "tests/support/store_support.h"

#include <gtest/gtest.h>

namespace kl {

/// What a failed assertion prints.
inline void PrintTo(SessionAction action, std::ostream* out)
{
    *out << toString(action);
}

} // namespace kl

namespace kl::test {

inline const Address kNaive{"transpose", "naive", {}};
inline const Address kTiled{"transpose", "tiled", {}};

/// A tree that classifies by DRAM throughput alone: below 30 % uncoalesced, below 60 % bank conflicts, else balanced.
inline constexpr const char* kTinyTree = R"({"schema": 1, "nodes": [
  {"id": "access", "title": "Coalesced?", "class": "uncoalesced", "help": "h", "finding": "Uncoalesced access.", "priority": 0, "confidence": 0.9,
   "any": [{"all": [["dram_percent", "<", 30]]}],
   "fixes": [{"id": "coalesce", "title": "Make accesses contiguous", "why": "w", "confidence": 0.6}]},
  {"id": "banks", "title": "Conflicts?", "class": "bank-conflicts", "help": "h", "finding": "Bank conflicts.", "priority": 0, "confidence": 0.9,
   "any": [{"all": [["dram_percent", "<", 60]]}], "fixes": []},
  {"id": "rest", "title": "Balanced", "class": "balanced", "help": "h", "finding": "Nothing stands out.", "priority": 3, "confidence": 0.5,
   "any": [{"all": []}], "fixes": []}]})";

/// An engine over the embedded catalog, a fake GPU and a real database in a temporary folder. Transposes get figures that make a
/// series: naive 8× slower than the baseline, tiled twice as fast, padded faster again, vector no better than padded.
class EngineTest : public ::testing::Test {
protected:
    EngineTest()
        : catalog(unwrap(Catalog::loadEmbedded())), tree(unwrap(DiagnosisTree::parse(kTinyTree, "tiny tree"))),
          store(support::openStore((folder / "kl.db").string())), bench(catalog, tree, gpu, *store), engine(bench)
    {
        ::setenv("KERNELLOOP_SANITIZER", (folder / "no-such-tool").c_str(), 1); // the fake GPU's kernels cannot run under a real one
        gpu.kernels["transpose/naive"] = {400'000, 50'000, true, "", 10};
        gpu.kernels["transpose/tiled"] = {200'000, 50'000, true, "", 40};
        gpu.kernels["transpose/padded"] = {60'000, 50'000, true, "", 80};
        gpu.kernels["transpose/vector"] = {59'000, 50'000, true, "", 85};
    }

    template <class T> static T unwrap(Result<T> result)
    {
        if (!result)
            throw std::runtime_error(result.error().message + ' ' + result.error().detail);
        return std::move(*result);
    }

    SessionId open(const std::string& kernel = "transpose")
    {
        NewSession request;
        request.objective = "make it fast";
        request.kernel = kernel;
        return unwrap(engine.create(request)).header.id;
    }

    SessionView step(const SessionId& id) { return unwrap(engine.step(id)); }

    /// Steps until the phase is the one asked for, at most 20 times.
    SessionView stepTo(const SessionId& id, const std::string& phase)
    {
        SessionView view = unwrap(engine.view(id));
        for (int i = 0; i < 20 && view.phase != phase; ++i)
            view = step(id);
        EXPECT_EQ(view.phase, phase);
        return view;
    }

    /// Steps until the next recommended action is the one asked for.
    SessionView stepUntil(const SessionId& id, SessionAction action)
    {
        SessionView view = unwrap(engine.view(id));
        for (int i = 0; i < 20 && !view.next.empty() && view.next.front().action != action; ++i)
            view = step(id);
        EXPECT_TRUE(!view.next.empty() && view.next.front().action == action) << view.phase << ' ' << view.why;
        return view;
    }

    Error refusedAct(const SessionId& id, SessionAction action, const std::string& argument = {})
    {
        const Result<SessionView> result = engine.act(id, action, argument);
        EXPECT_FALSE(result.ok()) << toString(action);
        return result ? Error{} : result.error();
    }

    static const GateView& findGate(const SessionView& view, const std::string& id)
    {
        for (const GateView& gate : view.gates)
            if (gate.id == id)
                return gate;
        throw std::runtime_error("no gate " + id);
    }

    support::TempDir folder;
    Catalog catalog;
    DiagnosisTree tree;
    std::unique_ptr<Store> store;
    FakeCollector gpu;
    TestBench bench;
    TestEngine engine;
};

} // namespace kl::test
