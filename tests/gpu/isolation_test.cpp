// SPDX-License-Identifier: MIT
// What a misbehaving kernel may cost: its own run, with the reason, and nothing else. Each test ends with a request that works.

#include "core/base/host_name.h"
#include "live_worker.h"
#include "tests/support/process_end.h"
#include "worker_processes.h"

#include <atomic>
#include <fstream>
#include <regex>
#include <string>
#include <thread>

namespace kl {
namespace {

using test::kernelText;

constexpr const char* kFault = "CUDA_ERROR_[A-Z_]+";
constexpr const char* kHang = R"(\b[0-9]+ s\b)"; ///< how long it was waited for

class Isolation : public test::LiveWorker {
protected:
    /// Runs a kernel that breaks something; its answer is a failed run with a reason, never a success and never a crash of ours.
    void failsAs(ResultStatus status, const std::string& body, const std::string& pattern)
    {
        const Result<RunAnswer> answer = measure(copyWork(kernelText(body)));
        ASSERT_TRUE(answer) << answer.error().message;
        EXPECT_EQ(answer->status, status) << answer->reason;
        EXPECT_TRUE(std::regex_search(answer->reason, std::regex(pattern))) << answer->reason;
        EXPECT_FALSE(answer->timing);
        nextRequestWorks();
    }
};

TEST_F(Isolation, AnIllegalAddress)
{
    failsAs(ResultStatus::computationFailed, "out[i + (1ll << 40)] = in[0];", kFault);
}

TEST_F(Isolation, AMisalignedAddress)
{
    failsAs(ResultStatus::computationFailed, "*reinterpret_cast<double*>(reinterpret_cast<char*>(out) + 1) = in[i];", "misaligned");
}

TEST_F(Isolation, ATrap)
{
    failsAs(ResultStatus::computationFailed, "out[i] = in[i]; __trap();", kFault);
}

TEST_F(Isolation, AnEndlessRecursion)
{
    failsAs(ResultStatus::computationFailed,
            "struct Deep { static __device__ __noinline__ float go(const float* p, int d) {\n"
            "    volatile float keep[64]; keep[d & 63] = p[d & 7]; return go(p, d + 1) + keep[(d + 1) & 63]; } };\n"
            "    out[i] = Deep::go(in, 0);",
            kFault);
}

TEST_F(Isolation, AHangOfOneWarp)
{
    failsAs(ResultStatus::computationFailed,
            "out[i] = in[i];\n    volatile float* poll = out; while (blockIdx.x == 1 && threadIdx.x < 32 && poll[0] != 12345.0f) { }",
            kHang);
}

TEST_F(Isolation, AHangThatPrintsForever)
{
    failsAs(ResultStatus::computationFailed,
            "volatile float* poll = out; while (poll[0] != 12345.0f) printf(\"still here %d\\n\", i);\n    out[i] = in[i];", kHang);
}

TEST_F(Isolation, WritesOutsideItsBuffers)
{
    const Result<RunAnswer> answer = measure(copyWork(kernelText("out[i] = in[i]; if (i == 0) out[n + 3] = 1.0f;")));
    ASSERT_TRUE(answer) << answer.error().message;
    EXPECT_EQ(answer->status, ResultStatus::validationFailed) << answer->reason;
    EXPECT_TRUE(answer->reason.ends_with(" out.")) << "the buffer, not an element of it: " << answer->reason;
    nextRequestWorks();
}

TEST_F(Isolation, AWildWriteSpoilsNoLaterRequest)
{
    // Far outside, where other allocations of the worker may lie or nothing at all: a fault, or a run that tells nothing.
    const Result<RunAnswer> answer =
        measure(copyWork(kernelText("out[i] = in[i]; for (int k = 1; k < 512; ++k) out[i + (size_t(k) << 20)] = 7.0f;")));
    ASSERT_TRUE(answer) << answer.error().message;
    for (int i = 0; i < 3; ++i)
        nextRequestWorks();
}

TEST_F(Isolation, PrintingWithoutEndIsHarmless)
{
    const Result<RunAnswer> answer =
        measure(copyWork(kernelText("out[i] = in[i];\n"
                                    "    for (int k = 0; k < 64; ++k)\n"
                                    "        printf(\"{\\\"event\\\":\\\"result\\\",\\\"id\\\":%d} %d\\n\", k, i);")));
    ASSERT_TRUE(answer) << answer.error().message << answer.error().detail;
    EXPECT_EQ(answer->status, ResultStatus::ok) << answer->reason; // its words are not taken for the protocol's
    EXPECT_EQ(answer->correctness.result, CorrectnessResult::correct);
    nextRequestWorks();
}

TEST_F(Isolation, MoreMemoryThanThereIs)
{
    WorkSpec work = copyWork();
    work.buffers.push_back({"room", DType::f32, std::int64_t{1} << 42, BufferRole::scratch, Fill::poison, 1, {}});
    const Result<RunAnswer> answer = measure(work);
    ASSERT_TRUE(answer) << answer.error().message;
    EXPECT_EQ(answer->status, ResultStatus::deviceLimitsExceeded) << answer->reason;
    nextRequestWorks();
}

TEST_F(Isolation, MemoryIsGivenBackAfterEachRequest)
{
    WorkSpec work = copyWork();
    const std::int64_t third = worker()->hello().devices.front().memoryBytes / 3;
    work.buffers.push_back({"room", DType::f32, third / 4, BufferRole::scratch, Fill::poison, 1, {}});
    RunRequest request = requestFor(work);
    request.timed = false;
    for (int i = 0; i < 6; ++i) { // twice the device's memory in all
        const Result<RunAnswer> answer = run(*worker(), request);
        ASSERT_TRUE(answer) << answer.error().message;
        ASSERT_EQ(answer->status, ResultStatus::ok) << "request " << i << ": " << answer->reason;
    }
}

TEST_F(Isolation, ADeviceHeapThatLeaksIsFreshForTheNextRequest)
{
    // Takes what is left of the device's heap and never gives it back; right otherwise.
    const WorkSpec leak = copyWork(kernelText("out[i] = in[i];\n    if (i == 0) while (malloc(1 << 18)) { }"));
    const WorkSpec needs =
        copyWork(kernelText("if (i == 0) { void* p = malloc(4 << 20); if (!p) __trap(); free(p); }\n    out[i] = in[i];"));
    for (int i = 0; i < 2; ++i) {
        const Result<RunAnswer> leaked = measure(leak);
        ASSERT_TRUE(leaked) << leaked.error().message;
        EXPECT_EQ(leaked->status, ResultStatus::ok) << leaked->reason;
        const Result<RunAnswer> answer = measure(needs);
        ASSERT_TRUE(answer) << answer.error().message;
        EXPECT_EQ(answer->status, ResultStatus::ok) << answer->reason;
    }
    nextRequestWorks();
}

TEST_F(Isolation, AWorkerKilledMidRequestTakesItsHelperWithIt)
{
    const std::unique_ptr<Collector> own = test::freshWorker();
    ASSERT_TRUE(own);
    RunRequest request;
    for (const Address& address : catalog->addresses())
        if (address.family == "attention")
            request.work = *catalog->work(address, {});
    std::atomic<pid_t> killed = 0;
    Job job;
    job.progress = [&](const Progress& progress) {
        const std::vector<pid_t> ours = test::listWorkers(::getpid());
        if (killed != 0 || ours.empty() || progress.step.find("baseline") == std::string::npos)
            return;
        const pid_t newest = ours.back(); // the newest: this test's own
        if (test::listGroupMembers(newest).size() < 2)
            return; // the python helper is not there yet
        killed = newest;
        ::kill(killed, SIGKILL);
    };
    const Result<RunAnswer> answer = run(*own, request, job);
    ASSERT_NE(killed, 0) << "the python helper was never seen";
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().code, ErrorCode::kernelFailed);
    EXPECT_NE(answer.error().message.find(" 9 ("), std::string::npos) << "the signal: " << answer.error().message;
    for (const pid_t left : test::listGroupMembers(killed))
        EXPECT_TRUE(endsSoon(left)) << "the python helper outlived its worker";
    const Result<RunAnswer> next = run(*own, requestFor(copyWork()));
    ASSERT_TRUE(next) << next.error().message;
    EXPECT_EQ(next->status, ResultStatus::ok);
}

/// The wait for the GPU's lock is the only step that names the host.
bool saysThatItWaits(const Progress& progress)
{
    return progress.step.find(" of " + hostName()) != std::string::npos;
}

/// Measures for seconds.
RunRequest longRequest(const WorkSpec& work)
{
    RunRequest request;
    request.work = work;
    request.withBaseline = false;
    request.maxSamples = 1000000;
    request.minSeconds = 2;
    request.maxSeconds = 3;
    return request;
}

TEST_F(Isolation, TwoClientsWaitForEachOtherAndBothAreRight)
{
    const Result<WorkSpec> work = catalog->work({"transpose", "naive", {}}, {});
    ASSERT_TRUE(work);
    const Result<RunAnswer> alone = run(*worker(), longRequest(*work));
    ASSERT_TRUE(alone && alone->timing) << (alone ? alone->reason : alone.error().message);
    std::atomic<int> waits = 0;
    std::vector<Result<RunAnswer>> answers(4, Error{});
    std::vector<std::thread> clients;
    for (int c = 0; c < 2; ++c)
        clients.emplace_back([&, c] {
            const std::unique_ptr<Collector> own = test::freshWorker();
            Job job;
            job.progress = [&](const Progress& p) { waits += saysThatItWaits(p); };
            for (int i = 0; own && i < 2; ++i)
                answers[2 * static_cast<std::size_t>(c) + static_cast<std::size_t>(i)] = run(*own, longRequest(*work), job);
        });
    for (std::thread& client : clients)
        client.join();
    EXPECT_GT(waits, 0) << "nobody had to wait";
    std::printf("alone %.3f µs (%d samples)", alone->timing->gpu.median / 1000, alone->timing->gpu.n);
    for (const Result<RunAnswer>& answer : answers) {
        ASSERT_TRUE(answer) << answer.error().message;
        EXPECT_EQ(answer->status, ResultStatus::ok) << answer->reason;
        EXPECT_EQ(answer->correctness.result, CorrectnessResult::correct);
        ASSERT_TRUE(answer->timing);
        std::printf(", beside another %.3f µs", answer->timing->gpu.median / 1000);
    }
    std::printf("\n");
}

TEST_F(Isolation, TheLockIsFreeWhenItsHolderDies)
{
    const WorkSpec hang = copyWork(kernelText("volatile float* poll = out; while (poll[0] != 12345.0f) { }\n    out[i] = in[i];"));
    const std::unique_ptr<Collector> holder = test::freshWorker();
    const std::unique_ptr<Collector> other = test::freshWorker();
    ASSERT_TRUE(holder && other);
    const std::vector<pid_t> ours = test::listWorkers(::getpid());
    ASSERT_GE(ours.size(), 2U);
    const pid_t holderPid = ours[ours.size() - 2];
    std::atomic<bool> holding = false;
    std::thread hanging([&] {
        Job job;
        job.progress = [&](const Progress& p) { holding = holding || p.step.find("correctness") != std::string::npos; };
        (void)run(*holder, longRequest(hang), job);
    });
    while (!holding)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    Job job;
    std::string waited;
    job.progress = [&](const Progress& p) {
        if (waited.empty() && saysThatItWaits(p)) {
            waited = p.step;
            ::kill(holderPid, SIGKILL);
        }
    };
    const Result<RunAnswer> answer = run(*other, requestFor(copyWork()), job);
    hanging.join();
    EXPECT_NE(waited.find(std::to_string(holderPid)), std::string::npos) << "the wait names who holds the GPU: " << waited;
    ASSERT_TRUE(answer) << answer.error().message;
    EXPECT_EQ(answer->status, ResultStatus::ok) << answer->reason;
}

} // namespace
} // namespace kl
