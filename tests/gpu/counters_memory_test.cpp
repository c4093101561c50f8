// SPDX-License-Identifier: MIT
// A counted launch is repeated for every pass: what it computes must be what one run computes.
#ifdef KL_HAVE_LIVE
#include "core/base/ids.h"
#include "core/device/metric_catalog.h"
#include "kernels/catalog.h"
#include "profiler/live/cuda/device.h"
#include "profiler/live/cupti/range_profiler.h"
#include "profiler/live/measure/collect_metrics.h"
#include "profiler/live/measure/correctness.h"

#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>

namespace kl {
namespace {

constexpr const char* kAccumulate = R"(
extern "C" __global__ void copy_coalesced(float* in, float* out, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] += 1.0f;
        in[i] += 1.0f;
    }
}
)";

class CountersMemory : public testing::Test {
protected:
    void SetUp() override
    {
        const Result<std::vector<DeviceInfo>> devices = listDevices();
        if (!devices || devices->empty())
            GTEST_SKIP() << "no GPU: " << (devices ? std::string("none listed") : devices.error().message);
        Result<std::unique_ptr<GpuSession>> opened = GpuSession::open(devices->front(), 0);
        ASSERT_TRUE(opened) << opened.error().message;
        session = std::move(*opened);
        if (const Status permitted = countersPermitted(session->context(), 0); !permitted)
            GTEST_SKIP() << permitted.error().message;
        const Result<Catalog> catalog = Catalog::loadEmbedded();
        ASSERT_TRUE(catalog);
        Result<WorkSpec> work = catalog->work({"copy", "coalesced", {}}, *parseParams("N=65536"));
        ASSERT_TRUE(work) << work.error().message;
        spec = std::move(*work);
        spec.source = kAccumulate;
        spec.sourceHash = contentHash(spec.source);
        for (BufferSpec& buffer : spec.buffers)
            if (buffer.role != BufferRole::input)
                buffer.fill = Fill::zeros;
    }

    /// Every element of the output after the counters of tier 2 were collected.
    std::vector<float> outputAfter(const ProfileRequest& request)
    {
        Result<std::unique_ptr<BuiltWork>> work = session->build(spec);
        EXPECT_TRUE(work) << work.error().message;
        const Result<MetricSet> set = collectMetrics(*session, **work, request, {});
        EXPECT_TRUE(set) << set.error().message;
        EXPECT_GT(set->plan.ran, 10);
        EXPECT_EQ(set->plan.ran, set->plan.passes);
        EXPECT_TRUE(set->clockMhz.has_value());
        const Result<std::vector<std::byte>> bytes = (*work)->read(output());
        EXPECT_TRUE(bytes);
        std::vector<float> values(bytes->size() / sizeof(float));
        std::memcpy(values.data(), bytes->data(), bytes->size());
        return values;
    }
    std::string output() const
    {
        const auto found = std::ranges::find(spec.buffers, BufferRole::output, &BufferSpec::role);
        return found->name;
    }

    std::unique_ptr<GpuSession> session;
    WorkSpec spec;
};

TEST_F(CountersMemory, AnAccumulatingKernelEndsWithTheValueOfOneRun)
{
    const std::vector<float> values = outputAfter({});
    ASSERT_FALSE(values.empty());
    EXPECT_EQ(std::ranges::count(values, 1.0F), static_cast<std::ptrdiff_t>(values.size()));
}

TEST_F(CountersMemory, TheSameWithCachesLeftAsTheyAre)
{
    ProfileRequest request;
    request.cacheControl = "none";
    const std::vector<float> values = outputAfter(request);
    ASSERT_FALSE(values.empty());
    EXPECT_EQ(std::ranges::count(values, 1.0F), static_cast<std::ptrdiff_t>(values.size()));
}

TEST_F(CountersMemory, CuptisOwnReplayRestoresMemoryToo)
{
    Result<std::unique_ptr<BuiltWork>> work = session->build(spec);
    ASSERT_TRUE(work) << work.error().message;
    ASSERT_TRUE((*work)->reset());
    Result<std::unique_ptr<RangeProfiler>> profiler = RangeProfiler::open(session->context(), 0);
    ASSERT_TRUE(profiler);
    const CountedWork counted{1,
                              {0},
                              [&]() -> Status {
                                  KL_TRY((*work)->issueLaunch(0));
                                  return waitFor(session->bench().stream(), kHangSeconds);
                              },
                              {}};
    const Result<std::vector<MetricSet>> sets = (*profiler)->collect({}, counted);
    ASSERT_TRUE(sets) << sets.error().message;
    EXPECT_EQ(sets->front().replayMode, "KernelReplay");
    const Result<std::vector<std::byte>> bytes = (*work)->read(output());
    ASSERT_TRUE(bytes);
    std::vector<float> values(bytes->size() / sizeof(float));
    std::memcpy(values.data(), bytes->data(), bytes->size());
    EXPECT_EQ(std::ranges::count(values, 1.0F), static_cast<std::ptrdiff_t>(values.size()));
}

TEST_F(CountersMemory, EmptiedCachesMakeALaunchReadItsInputFromDram)
{
    ProfileRequest request;
    request.metrics = {"dram__bytes_read.sum"};
    Result<std::unique_ptr<BuiltWork>> work = session->build(spec);
    ASSERT_TRUE(work) << work.error().message;
    const Result<MetricSet> cold = collectMetrics(*session, **work, request, {});
    ASSERT_TRUE(cold) << cold.error().message;
    EXPECT_FALSE(cold->cacheControl.empty() || cold->cacheControl == "none") << cold->cacheControl;
    EXPECT_EQ(cold->values.size(), 1u);
    EXPECT_GE(*cold->values.at("dram__bytes_read.sum"), 2 * 65536 * 4);
    EXPECT_TRUE(cold->clockMhz.has_value()) << "time and cycles ride along";
}

} // namespace
} // namespace kl
#endif
