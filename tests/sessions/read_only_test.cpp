// SPDX-License-Identifier: MIT
#include "sessions/search/best_point.h"
#include "sessions/shipped/sample_store.h"
#include "tests/sessions/engine_support.h"

namespace kl::test {
namespace {

const Address kVariant{"transpose", "naive", {}};

/// A GPU, and a database that keeps nothing.
class ReadOnly : public EngineTest {
protected:
    ReadOnly() { live.kernels = gpu.kernels; }

    FakeCollector live{Source::live};
    std::unique_ptr<Store> frozen = unwrap(openSampleStore());
    TestBench here{catalog, tree, live, *frozen};
};

TEST_F(ReadOnly, NothingIsMeasuredThatCouldNotBeKept)
{
    const std::vector<Error> errors{here.run(kVariant, {}, false).error(), here.profile(kVariant, {}, 2).error(),
                                    here.count({{kVariant, {}}}, 0).error(), here.ab(kVariant, kVariant, {}).error(),
                                    here.calibrate(kVariant, {}, 1).error()};
    for (const Error& error : errors) {
        EXPECT_EQ(error.code, ErrorCode::badInput);
        EXPECT_EQ(error.where, frozen->location()) << error.message;
        EXPECT_NE(error.hint, "");
    }
    EXPECT_TRUE(live.requested.empty()) << "the GPU was put to work: " << live.requested.front();
}

TEST_F(ReadOnly, ASearchDoesNotBegin)
{
    const KernelFamily* family = unwrap(catalog.family("attention"));
    const Variant* variant = unwrap(catalog.variant({"attention", "fused", {}}));
    const Result<BestPoint> best = findBest(here, {family, variant, {}, {}}, {}, {});
    ASSERT_FALSE(best);
    EXPECT_EQ(best.error().code, ErrorCode::badInput);
    EXPECT_EQ(best.error().where, frozen->location()) << best.error().message;
    EXPECT_TRUE(live.requested.empty());
}

TEST_F(ReadOnly, AMissingGpuIsWhatIsReportedFirst)
{
    live.hello().unavailable = "There is no NVIDIA GPU on this machine.";
    live.failWith = Error{.code = ErrorCode::environment, .message = *live.hello().unavailable, .hint = "Say --on sample."};
    EXPECT_EQ(here.run(kVariant, {}, false).error().code, ErrorCode::environment);
}

} // namespace
} // namespace kl::test
