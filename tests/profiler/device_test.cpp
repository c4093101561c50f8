// SPDX-License-Identifier: MIT
// Choosing a device: what --on names, which GPU a worker takes, and how the one way to open one passes that on.
#include "fake_worker.h"
#include "profiler/client/consent.h"
#include "profiler/device/lazy_device.h"
#include "profiler/expected_request.h"
#include "profiler/protocol/gpu_choice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <thread>

namespace kl {
namespace {

using test::FakeWorker;
using testing::HasSubstr;

std::vector<DeviceInfo> twoGpus()
{
    std::vector<DeviceInfo> devices(2);
    devices[0].uuid = "GPU-5e1fa0c4-0000";
    devices[0].name = "NVIDIA H200";
    devices[1].uuid = "GPU-7b22d913-0000";
    devices[1].name = "NVIDIA L4";
    return devices;
}

TEST(DeviceSpec, IsWrittenAsItIsRead)
{
    for (const char* text : {"sample", "local", "local:0", "local:12", "local:GPU-5e1fa0c4", "local:5e1f", "local:MIG-1/2/3"}) {
        const Result<DeviceSpec> device = parseDeviceSpec(text);
        ASSERT_TRUE(device) << text;
        EXPECT_EQ(toText(*device), text);
    }
    EXPECT_EQ(*parseDeviceSpec("local"), DeviceSpec::local());
    EXPECT_EQ(parseDeviceSpec("local:1")->gpu, "1");
    EXPECT_EQ(chooseSource(*parseDeviceSpec("sample")), Source::sample);
}

TEST(DeviceSpec, AGpuIsNamedByLettersDigitsHyphensAndSlashes)
{
    for (const char* text : {"local:GPU-azAZ09", "local:MIG-GPU-1/7/0", "local:0", "ssh:gpu7:MIG-a/1", "local:z", "local:Z", "local:9"}) {
        const Result<DeviceSpec> device = parseDeviceSpec(text);
        ASSERT_TRUE(device.ok()) << text;
        EXPECT_EQ(toText(*device), text);
    }
    for (const char* text :
         {"local:", "local:-1", "local:a_b", "local:a.b", "local:a@b", "local:a[b", "local:a`b", "local:a{b", "local:a:b", "localhost"})
        EXPECT_FALSE(parseDeviceSpec(text).ok()) << text;
}

TEST(DeviceSpec, OtherTextsAreUsageErrors)
{
    for (const char* text : {"", "gpu", "Local", "local:", "local:-1", "local:--version", "local:1 2", "sample:0", "localhost"}) {
        const Result<DeviceSpec> device = parseDeviceSpec(text);
        ASSERT_FALSE(device) << text;
        EXPECT_EQ(device.error().code, ErrorCode::usage);
        EXPECT_EQ(device.error().where, "--on");
        EXPECT_THAT(device.error().hint, HasSubstr(kDeviceForms));
    }
}

TEST(DeviceSpec, OptionsOfOurOwnHaveAValueThatIsWholeAndANumber)
{
    for (const char* text : {"slurm:gpu,workers=3x", "slurm:gpu,workers=-1", "slurm:gpu,workers=", "slurm:gpu,job=", "slurm:gpu,job=1a",
                             "slurm:gpu,workers=99999999999", "slurm:gpu,job=1,time=2,slurm:other", "slurm:gpu,job=1,workers=2"})
        EXPECT_FALSE(parseDeviceSpec(text).ok()) << text;
    EXPECT_EQ(parseDeviceSpec("slurm:gpu,workers=1")->remote, parseDeviceSpec("slurm:gpu")->remote);
    EXPECT_EQ(parseDeviceSpec("slurm:gpu,job=12")->remote.front().job, "12");
}

TEST(DeviceSpec, SeveralKeepTheirOrderAndTheirKinds)
{
    const Result<DeviceSpec> device = parseDeviceSpec("local:1+ssh:a:0,ssh:b+slurm:c,workers=2");
    ASSERT_TRUE(device.ok());
    EXPECT_EQ(device->kind, DeviceKind::several);
    ASSERT_EQ(device->several.size(), 3U);
    EXPECT_EQ(device->several[0], DeviceSpec::local("1"));
    EXPECT_EQ(device->several[1], DeviceSpec::on({{"a", "0"}, {"b", ""}}));
    EXPECT_EQ(device->several[2].remote.front().workers, 2);
    EXPECT_EQ(listDeviceHosts(*device), (std::vector<std::string>{"a", "b", "slurm:c"}));
    EXPECT_EQ(chooseSource(*device), Source::live);
    EXPECT_EQ(chooseCompilingDevice(*device), *device);
    EXPECT_TRUE(listDeviceHosts(DeviceSpec::local()).empty());
    EXPECT_FALSE(parseDeviceSpec("sample+local").ok());
}

TEST(DeviceSpec, ARecordingLeavesCompilingToThisMachine)
{
    EXPECT_EQ(chooseCompilingDevice(DeviceSpec::sample()), DeviceSpec::local());
    EXPECT_EQ(chooseCompilingDevice(DeviceSpec::local("1")), DeviceSpec::local("1"));
}

TEST(GpuChoice, TakesAnIndexOrTheBeginningOfAUuid)
{
    EXPECT_EQ(*chooseGpu(twoGpus(), ""), 0);
    EXPECT_EQ(*chooseGpu(twoGpus(), "0"), 0);
    EXPECT_EQ(*chooseGpu(twoGpus(), "1"), 1);
    EXPECT_EQ(*chooseGpu(twoGpus(), "GPU-7b22d913-0000"), 1);
    EXPECT_EQ(*chooseGpu(twoGpus(), "gpu-7B"), 1);
    EXPECT_EQ(*chooseGpu(twoGpus(), "5e1f"), 0);
}

TEST(GpuChoice, ANumberIsAnIndexOnlyWhole)
{
    std::vector<DeviceInfo> devices = twoGpus();
    devices[0].uuid = "GPU-1a00";
    devices[1].uuid = "GPU-3b00";
    EXPECT_EQ(*chooseGpu(devices, "1"), 1) << "an index goes first";
    EXPECT_EQ(*chooseGpu(devices, "1A"), 0);
    EXPECT_EQ(*chooseGpu(devices, "3"), 1) << "no index, but the beginning of a UUID";
    EXPECT_EQ(*chooseGpu(devices, "GPU-1A00"), 0);
    EXPECT_FALSE(chooseGpu(devices, "0x"));
    EXPECT_FALSE(chooseGpu(devices, "-1"));
    EXPECT_FALSE(chooseGpu(devices, "GPU-1a001"));
    EXPECT_EQ(chooseGpu(devices, "9").error().where, "9");
}

TEST(GpuChoice, AnErrorListsTheGpus)
{
    for (const char* wanted : {"2", "GPU-9", "GPU-", "x"}) {
        const Result<int> chosen = chooseGpu(twoGpus(), wanted);
        ASSERT_FALSE(chosen) << wanted;
        EXPECT_EQ(chosen.error().code, ErrorCode::environment);
        EXPECT_THAT(chosen.error().message, HasSubstr("0: NVIDIA H200 (GPU-5e1fa0c4-0000), 1: NVIDIA L4 (GPU-7b22d913-0000)"));
    }
    EXPECT_FALSE(chooseGpu({}, "0"));
}

TEST(GpuChoice, TheMeasuredDeviceIsTheOneChosen)
{
    Hello hello;
    EXPECT_EQ(findMeasuredDevice(hello), nullptr) << "no GPU";
    hello.devices = twoGpus();
    EXPECT_EQ(findMeasuredDevice(hello), &hello.devices[0]);
    hello.device = 1;
    EXPECT_EQ(findMeasuredDevice(hello), &hello.devices[1]);
    hello.device = 2;
    EXPECT_EQ(findMeasuredDevice(hello), nullptr);
    hello.device.reset();
    EXPECT_EQ(findMeasuredDevice(hello), nullptr);
}

/// A worker on a host with two GPUs, which takes the one that its arguments name: sh has them as $0 and $1.
const char* const kTwoGpus = R"(gpu=${1:-0}
case $gpu in 0|1) why=null ;; *) why="\"no such GPU\"" ;; esac
case $gpu in 0|1) ;; *) gpu=null ;; esac
echo "$0 $1" > arguments
printf '{"event":"hello","protocol":1,"version":"fake","host":"farm-7","devices":[{"name":"A","uuid":"GPU-a"},{"name":"B","uuid":"GPU-b"}],"device":%s,"unavailable":%s}\n' "$gpu" "$why"
)";

TEST(OpenDevice, TheWorkerIsReportedWhichGpu)
{
    const FakeWorker fake(kTwoGpus);
    const auto opened = openDevice(DeviceSpec::local("1"), fake.options());
    ASSERT_TRUE(opened.ok());
    EXPECT_EQ(fake.file("arguments"), "--device 1");
    const Hello& hello = (*opened)->hello();
    EXPECT_EQ(hello.host, "farm-7");
    ASSERT_EQ(hello.devices.size(), 2U);
    ASSERT_NE(findMeasuredDevice(hello), nullptr);
    EXPECT_EQ(findMeasuredDevice(hello)->name, "B");
    EXPECT_EQ(describeDevice(**opened), DeviceSpec::local("GPU-b"));
}

TEST(OpenDevice, WithoutAGpuNamedTheFirstOneMeasures)
{
    const FakeWorker fake(kTwoGpus);
    const auto opened = openDevice(DeviceSpec::local(), fake.options());
    ASSERT_TRUE(opened.ok());
    EXPECT_EQ(findMeasuredDevice((*opened)->hello())->name, "A");
}

TEST(OpenDevice, AFreshWorkerTakesTheSameGpu)
{
    const FakeWorker fake(kTwoGpus);
    const auto opened = openDevice(DeviceSpec::local("1"), fake.options());
    ASSERT_TRUE(opened.ok());
    EXPECT_FALSE((*opened)->ask(Verb::run, FakeWorker::requestTo("die"), {}).ok());
    EXPECT_TRUE((*opened)->ask(Verb::run, FakeWorker::requestTo("echo"), {}).ok());
    EXPECT_EQ(findMeasuredDevice((*opened)->hello())->name, "B");
}

TEST(OpenDevice, AGpuThatIsNotThereMeasuresNothing)
{
    const FakeWorker fake(kTwoGpus);
    LazyDevice device(DeviceSpec::local("7"), fake.options());
    EXPECT_EQ(findMeasuredDevice(device.hello()), nullptr);
    EXPECT_EQ(device.hello().unavailable, "no such GPU");
}

TEST(LazyDevice, OneThatCannotBeOpenedAnswersWithTheReason)
{
    WorkerOptions options;
    options.program = "/nonexistent/kloop-worker";
    LazyDevice device(DeviceSpec::local(), options);
    EXPECT_EQ(device.source(), Source::live);
    ASSERT_TRUE(device.hello().unavailable);
    EXPECT_THAT(*device.hello().unavailable, HasSubstr("/nonexistent/kloop-worker"));
    const Result<Json> answer = device.ask(Verb::probe, Json::object(), {});
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().code, ErrorCode::environment);
}

TEST(OpenDevice, SeveralGpusHaveAWorkerEach)
{
    const FakeWorker fake("echo yes > gpu-${1:-none}\n" + std::string(FakeWorker::kHello));
    LazyDevice device(*parseDeviceSpec("local:0+local:1"), fake.options());
    EXPECT_EQ(device.remoteHost(), "") << "no other host: that is known without a worker";
    EXPECT_EQ(fake.file("starts"), "") << "nothing was asked yet";
    EXPECT_EQ(device.width(), 2);
    EXPECT_TRUE(device.holds(Verb::run, FakeWorker::requestTo("echo")));
    device.expect({{Verb::run, FakeWorker::requestTo("echo")}, {Verb::run, FakeWorker::requestTo("echo")}});
    for (int i = 0; i < 2; ++i)
        EXPECT_TRUE(device.ask(Verb::run, FakeWorker::requestTo("echo"), {}).ok());
    EXPECT_EQ(device.getAnsweringHello().version, "fake");
    EXPECT_EQ(device.sameDevice(), "");
    for (const char* gpu : {"gpu-0", "gpu-1"}) { // one of them may still be starting
        for (int i = 0; i < 3000 && fake.file(gpu).empty(); ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        EXPECT_EQ(fake.file(gpu), "yes") << gpu;
    }
    EXPECT_EQ(fake.file("gpu-none"), "") << "each gets its own GPU";
}

TEST(OpenDevice, AWorkerThatIsStillToOpenDoesNotKeepTheOthersFromEnding)
{
    const FakeWorker fake("case $1 in 1) exec sleep 1000 ;; esac\n" + std::string(FakeWorker::kHello));
    WorkerOptions options = fake.options();
    options.hello = std::chrono::minutes(10);
    const auto opened = openDevice(*parseDeviceSpec("local:0+local:1"), options);
    ASSERT_TRUE(opened.ok());
    EXPECT_TRUE((*opened)->ask(Verb::run, FakeWorker::requestTo("echo"), {}).ok());
}

TEST(LazyDevice, OneThatCannotBeOpenedIsTriedOnceAndKnownByItsFirstHost)
{
    const FakeWorker fake("echo 'no driver' >&2; exit 3\n");
    LazyDevice device(DeviceSpec::local(), fake.options());
    for (int i = 0; i < 2; ++i)
        EXPECT_EQ(device.ask(Verb::probe, Json::object(), {}).error().code, ErrorCode::environment);
    EXPECT_EQ(fake.file("starts"), "1");
    EXPECT_TRUE(device.hello().unavailable);
    EXPECT_EQ(device.getAnsweringHello().unavailable, device.hello().unavailable);
    EXPECT_TRUE(device.hello().unavailable->ends_with(device.open().error().hint)) << "with what can be done about it";
    EXPECT_EQ(device.width(), 1);
    EXPECT_EQ(device.sameDevice(), "");
    EXPECT_TRUE(device.holds(Verb::run, Json::object()));
    WorkerOptions none;
    none.program = "/nonexistent/kloop-worker";
    EXPECT_EQ(LazyDevice(*parseDeviceSpec("ssh:gpu7,ssh:gpu8"), none).remoteHost(), "gpu7");
}

TEST(LazyDevice, AnotherDeviceCanBeChosenBeforeTheFirstUse)
{
    LazyDevice device(DeviceSpec::local("5"));
    device.choose(DeviceSpec::sample());
    EXPECT_EQ(device.spec(), DeviceSpec::sample());
    EXPECT_EQ(device.source(), Source::sample);
    EXPECT_FALSE(device.holds(Verb::run, Json{{"work", {{"kernel", "unknown/one"}, {"source_hash", "0"}, {"source", ""}}}}));
    ASSERT_TRUE(device.open().ok());
    EXPECT_EQ(describeDevice(**device.open()), DeviceSpec::sample());
}

/// Answers what a test sets, and keeps the commands that it was asked about.
class RequestedConsent final : public Consent {
public:
    Status allow(const FileCommand& command, const Job&) override
    {
        files.push_back(command.file);
        return answer;
    }
    std::vector<std::string> files;
    Status answer;
};

TEST(LazyDevice, ItsConsentIsThatOfItsOptions)
{
    FileCommand command;
    command.file = "/p/kernelloop.json";
    LazyDevice nobody(DeviceSpec::sample());
    EXPECT_EQ(nobody.allow(command, {}).error().code, ErrorCode::needsConsent);
    const auto consent = std::make_shared<RequestedConsent>();
    WorkerOptions options;
    options.consent = consent;
    LazyDevice device(DeviceSpec::sample(), options);
    EXPECT_TRUE(device.allow(command, {}).ok());
    consent->answer = Error{.code = ErrorCode::interrupted, .message = "m"};
    EXPECT_EQ(device.allow(command, {}).error().code, ErrorCode::interrupted);
    EXPECT_EQ(consent->files, (std::vector<std::string>{command.file, command.file}));
    const auto sample = openDevice(DeviceSpec::sample());
    ASSERT_TRUE(sample.ok());
    const Status refused = (*sample)->allow(command, {});
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code, ErrorCode::needsConsent);
    ASSERT_TRUE(refused.error().command);
    EXPECT_EQ(refused.error().command->file, command.file);
    EXPECT_EQ(refused.error().where, command.file);
}

TEST(LazyDevice, TheSampleMeasuresWithoutAWorker)
{
    LazyDevice device(DeviceSpec::sample());
    EXPECT_EQ(device.source(), Source::sample);
    EXPECT_NE(findMeasuredDevice(device.hello()), nullptr);
    EXPECT_EQ(device.hello().host, "") << "a recording is of no machine at hand";
}

} // namespace
} // namespace kl
