// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/engine/session_engine.h"
#include "sessions/learning/trained_recommender.h"
#include "sessions/measure/workbench.h"
#include "sessions/report/stored_reports.h"

namespace kl::test {

struct WithRecommender {
    TrainedRecommender recommender;
};

/// A workbench with the recommender that the programs give it, which is a base's so that it is made first.
class TestBench : private WithRecommender, public Workbench {
public:
    TestBench(const Catalog& kernels, const DiagnosisTree& questions, Collector& device, Store& database)
        : WithRecommender{{database, kernels, questions}}, Workbench(kernels, questions, device, database, recommender)
    {
    }
};

struct WithReports {
    StoredReports reports;
};

/// A session engine with the reports that the programs give it.
class TestEngine : private WithReports, public SessionEngine {
public:
    explicit TestEngine(Workbench& bench) : WithReports{{bench.store(), bench.catalog()}}, SessionEngine(bench, reports) {}
};

} // namespace kl::test
