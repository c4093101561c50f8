// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/ids.h"
#include "kernels/catalog.h"
#include "profiler/client/consent.h"
#include "profiler/client/worker_client.h"
#include "tests/support/build_folder.h"

#include <cstdlib>
#include <gtest/gtest.h>

namespace kl::test {

inline std::filesystem::path workerProgram()
{
    if (const char* other = std::getenv("KERNELLOOP_WORKER"))
        return other;
    return std::filesystem::path(test::buildFolder()) / "bin/kloop-worker";
}

/// The tests' own scripts may run.
class AllowsAll final : public Consent {
public:
    Status allow(const FileCommand&, const Job&) override { return {}; }
};

inline std::unique_ptr<Collector> freshWorker()
{
    WorkerOptions options{workerProgram()};
    options.consent = std::make_shared<AllowsAll>();
    Result<std::unique_ptr<Collector>> started = startWorker(options);
    return started ? std::move(*started) : nullptr;
}

/// The worker on a real GPU; one for all tests of the program, since starting it costs seconds.
class LiveWorker : public ::testing::Test {
protected:
    static Collector* worker()
    {
        static const std::unique_ptr<Collector> one = freshWorker();
        return one.get();
    }

    void SetUp() override
    {
        ASSERT_TRUE(catalog) << catalog.error().message;
        if (worker() == nullptr || worker()->hello().unavailable)
            GTEST_SKIP() << "no GPU: " << (worker() ? *worker()->hello().unavailable : std::string("the worker did not start"));
    }

    /// A right, small kernel, or another source under its name.
    WorkSpec copyWork(const std::string& source = {})
    {
        Result<WorkSpec> work = catalog->work({"copy", "coalesced", {}}, *parseParams("N=4096"));
        EXPECT_TRUE(work);
        if (!source.empty()) {
            work->source = source;
            work->sourceHash = contentHash(source);
        }
        return *work;
    }

    static RunRequest requestFor(const WorkSpec& work)
    {
        RunRequest request;
        request.work = work;
        request.withBaseline = false;
        return request;
    }

    static Result<RunAnswer> measure(const WorkSpec& work) { return run(*worker(), requestFor(work)); }

    /// The proof that nothing stayed broken.
    void nextRequestWorks()
    {
        const Result<RunAnswer> answer = measure(copyWork());
        ASSERT_TRUE(answer) << answer.error().message << ' ' << answer.error().detail;
        EXPECT_EQ(answer->status, ResultStatus::ok) << answer->reason;
        EXPECT_EQ(answer->correctness.result, CorrectnessResult::correct);
    }

    Result<Catalog> catalog = Catalog::loadEmbedded();
};

/// Source of a kernel with copy/coalesced's entry and arguments (in, out, n); `i` is the thread's element.
inline std::string kernelText(const std::string& body)
{
    return "extern \"C\" __global__ void copy_coalesced(const float* in, float* out, int n)\n{\n"
           "    const int i = blockIdx.x * blockDim.x + threadIdx.x;\n" +
           body + "\n}\n";
}

} // namespace kl::test
