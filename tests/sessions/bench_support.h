// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/engine/session_engine.h"
#include "sessions/learning/trained_recommender.h"
#include "sessions/measure/workbench.h"
#include "sessions/report/stored_reports.h"

namespace kl::test {

/// A workbench with the recommender that the programs give it: a base, so that it is there first.
class TestBench : private TrainedRecommender, public Workbench {
public:
    TestBench(const Catalog& kernels, const DiagnosisTree& questions, Collector& device, Store& database)
        : TrainedRecommender(database, kernels, questions),
          Workbench(kernels, questions, device, database, static_cast<Recommender&>(*this))
    {
    }
};

/// A session engine with the reports that the programs give it.
class TestEngine : private StoredReports, public SessionEngine {
public:
    explicit TestEngine(Workbench& bench)
        : StoredReports(bench.store(), bench.catalog()), SessionEngine(bench, static_cast<SessionReporter&>(*this))
    {
    }
};

} // namespace kl::test
