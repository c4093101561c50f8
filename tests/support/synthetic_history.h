// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/format.h"
#include "core/base/try.h"
#include "core/codec/json.h"
#include "sessions/session/template_library.h"
#include "sessions/store/store.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <nlohmann/json.hpp>

namespace kl::support {

/// What to invent. The same numbers give the same history.
struct SyntheticSize {
    std::int64_t runs = 1000;
    std::int64_t metricValues = 0; ///< of all runs together
    std::int64_t sessions = 0;
    std::uint64_t seed = 1;
};

/// Splitmix64 of a seed and a place: the same on every machine, unlike the distributions of the standard library.
inline double syntheticUniform(std::uint64_t seed, std::int64_t place, std::uint64_t use)
{
    std::uint64_t x = seed * 0x9E3779B97F4A7C15U + static_cast<std::uint64_t>(place) * 0xBF58476D1CE4E5B9U + use * 0x94D049BB133111EBU;
    for (const std::uint64_t factor : {0xBF58476D1CE4E5B9U, 0x94D049BB133111EBU})
        x = (x ^ (x >> 30U)) * factor;
    return static_cast<double>((x ^ (x >> 31U)) >> 11U) * 0x1p-53;
}

inline std::string syntheticTime(std::int64_t minute)
{
    const std::time_t seconds = 1577836800 + 60 * minute; // from 2020 on
    std::tm utc = {};
    gmtime_r(&seconds, &utc);
    return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:00.000Z", utc.tm_year + 1900, utc.tm_mon + 1, utc.tm_mday, utc.tm_hour, utc.tm_min);
}

/// One run that nobody measured, and that says so: in the device, the host and the finding.
inline RunRecord syntheticRun(const SyntheticSize& size, std::int64_t place)
{
    constexpr const char* kClasses[] = {"dram-bound", "l1-bound", "latency-bound", "uncoalesced", "bank-conflicts", "balanced"};
    const auto uniform = [&](std::uint64_t use) { return syntheticUniform(size.seed, place, use); };
    const auto among = [&](std::uint64_t use, int count) { return static_cast<int>(uniform(use) * count); };
    const int family = among(1, 40);
    const int variant = among(2, 8);
    RunRecord run;
    run.id = {makeUuidFromName(fmt::format("synthetic:{}:{}", size.seed, place))};
    run.kernel = {fmt::format("synthetic-{:02}", family), fmt::format("v{}", variant), {}};
    run.problem = {{"N", std::int64_t{1} << (10 + among(3, 14))}};
    run.sourceHash = "synthetic";
    run.device.uuid = fmt::format("SYNTHETIC-{}", among(4, 3));
    run.device.name = fmt::format("SYNTHETIC GPU {} (not measured)", run.device.uuid.back());
    run.device.ccMajor = 9;
    run.host = "synthetic";
    run.startedAt = syntheticTime(place);
    run.correctness.result = CorrectnessResult::correct;
    const double ns = 1000 * std::exp(8 * syntheticUniform(size.seed, 100 * family + variant, 5)) * (1 + 0.02 * uniform(6));
    run.timing.emplace();
    run.timing->gpu = {ns, ns * 0.99, ns * 1.01, 30};
    run.timing->samples = {ns * 0.99, ns, ns * 1.01};
    run.speedup = 0.5 + 2 * uniform(7);
    const std::int64_t metrics = size.runs > 0 ? (place + 1) * size.metricValues / size.runs - place * size.metricValues / size.runs : 0;
    if (metrics > 0) {
        run.metrics.emplace();
        for (std::int64_t m = 0; m < metrics; ++m)
            run.metrics->values[fmt::format("synthetic__metric_{:04}.sum", m)] =
                std::floor(1e6 * uniform(static_cast<std::uint64_t>(100 + m)));
    }
    if (uniform(8) < 0.6) {
        run.diagnosis.emplace();
        run.diagnosis->finding.classId = kClasses[among(9, 6)];
        run.diagnosis->finding.title = "Synthetic: not measured";
        run.diagnosis->finding.priority = "P1";
        run.diagnosis->finding.estimate = Estimate{0.5 * uniform(10), "synthetic"};
    }
    return run;
}

/// Fills a store, in batches; `report` gets the runs stored so far. Runs and sessions that are there already stay as they are.
inline Status writeSynthetic(Store& store, const SyntheticSize& size, const std::function<void(std::int64_t)>& report = {})
{
    constexpr std::int64_t kBatch = 2000;
    for (std::int64_t first = 0; first < size.runs; first += kBatch) {
        std::vector<RunRecord> runs;
        for (std::int64_t i = first; i < std::min(first + kBatch, size.runs); ++i)
            runs.push_back(syntheticRun(size, i));
        std::vector<const RunRecord*> batch;
        for (const RunRecord& run : runs)
            batch.push_back(&run);
        KL_TRY(store.saveRuns(batch));
        if (report)
            report(first + static_cast<std::int64_t>(runs.size()));
    }
    KL_ASSIGN(const std::string plan, templateText("profile"));
    for (std::int64_t i = 0; i < size.sessions; ++i) {
        SessionHeader header;
        header.id.text = makeUuidFromName(fmt::format("synthetic-session:{}:{}", size.seed, i));
        header.name = fmt::format("synthetic {}", i + 1);
        header.kind = "profile";
        header.objective = "Synthetic: not measured";
        header.kernel = fmt::format("synthetic-{:02}", i % 40);
        header.createdAt = syntheticTime(i * std::max<std::int64_t>(1, size.runs / std::max<std::int64_t>(1, size.sessions)));
        header.templateJson = plan;
        const Json opened{{"answers", Json::object()},    {"start", header.kernel + "/v0"},
                          {"problem", {{"N", 1024}}},     {"device", "SYNTHETIC GPU 0 (not measured)"},
                          {"device_uuid", "SYNTHETIC-0"}, {"driver", ""},
                          {"claims", Json::array()},      {"options", {{"cumulative", false}}}};
        KL_TRY(store.createSession(header, {1, header.createdAt, "opened", encode(opened)}));
        const Json finished{{"speedup", 0.5 + 2 * syntheticUniform(size.seed, i, 11)},
                            {"minutes", 30 + std::floor(60 * syntheticUniform(size.seed, i, 12))},
                            {"outcome", "complete"},
                            {"gates", Json::object()}};
        KL_TRY(store.appendEvent(header.id, {2, header.createdAt, "finished", encode(finished)}));
    }
    return {};
}

} // namespace kl::support
