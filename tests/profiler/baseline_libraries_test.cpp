// SPDX-License-Identifier: MIT
// cuBLAS, cuDNN and NVML as they are loaded: libraries of a few lines, whose functions give their own numbers.
#include "core/base/scratch_folder.h"
#include "profiler/live/baselines/cublas_library.h"
#include "profiler/live/baselines/cudnn_graph.h"
#include "profiler/live/baselines/cudnn_library.h"
#include "profiler/live/nvml/nvml.h"

#include <array>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

namespace kl {
namespace {

constexpr const char* kPlayedCublas = R"(
int cublasCreate_v2() { return 1; }
int cublasDestroy_v2() { return 2; }
int cublasSetStream_v2() { return 3; }
int cublasGetVersion_v2() { return 4; }
const char* cublasGetStatusString() { return "five"; }
int cublasGemmStridedBatchedEx() { return 6; }
)";

constexpr const char* kPlayedNvml = R"(
#include <string.h>
int nvmlInit_v2() { return 0; }
int nvmlDeviceGetHandleByUUID(const char* uuid, void** device) { *device = (void*)uuid; return strcmp(uuid, "GPU-1") != 0; }
int nvmlSystemGetDriverVersion(char* text, unsigned size) { strncpy(text, "580.1", size); return 0; }
int nvmlDeviceGetClockInfo(void* device, unsigned type, unsigned* mhz) { *mhz = 100 + type; return 0; }
int nvmlDeviceGetMaxClockInfo(void* device, unsigned type, unsigned* mhz) { *mhz = 200 + type; return 0; }
int REASONS(void* device, unsigned long long* bits) { *bits = 0x22; return 0; }
int nvmlDeviceGetTemperature(void* device, unsigned sensor, unsigned* celsius) { *celsius = 50 + sensor; return 0; }
int nvmlDeviceGetPowerUsage(void* device, unsigned* milliwatt) { *milliwatt = 2500; return 0; }
int nvmlDeviceGetTotalEnergyConsumption(void* device, unsigned long long* millijoule) { *millijoule = 7000; return 0; }
int nvmlDeviceGetPersistenceMode(void* device, unsigned* enabled) { *enabled = 1; return 0; }
int nvmlDeviceGetUtilizationRates(void* device, unsigned* rates) { rates[0] = 61; rates[1] = 62; return 0; }
int nvmlDeviceGetMigMode(void* device, unsigned* current, unsigned* pending) { *current = 1; *pending = 0; return 0; }
int nvmlDeviceGetComputeRunningProcesses_v3(void* device, unsigned* count, void* list) { *count = 3; return 0; }
)";

constexpr const char* kPlayedCudnn = R"(
unsigned long cudnnGetVersion() { return VERSION; }
int cudnnCreate() { return 1; }
int cudnnDestroy() { return 2; }
int cudnnSetStream() { return 3; }
const char* cudnnGetErrorString() { return "four"; }
void cudnnGetLastErrorString(char* text) { text[0] = '5'; }
int cudnnBackendCreateDescriptor() { return 6; }
int cudnnBackendDestroyDescriptor() { return 7; }
int cudnnBackendSetAttribute() { return 8; }
int cudnnBackendGetAttribute() { return 9; }
int cudnnBackendFinalize() { return 10; }
int cudnnBackendExecute() { return 11; }
)";

#if defined(__aarch64__)
constexpr unsigned char kMachine = EM_AARCH64;
#else
constexpr unsigned char kMachine = EM_X86_64;
#endif

/// Makes a library in a folder; false without a C compiler for this processor.
bool makeLibrary(const std::string& folder, const std::string& name, const std::string& source, const std::string& options = {})
{
    const std::string file = folder + '/' + name;
    std::ofstream(folder + "/source.c") << source;
    if (std::system(("cc -shared -fPIC -w " + options + " -o '" + file + "' '" + folder + "/source.c' 2> /dev/null").c_str()) != 0)
        return false;
    std::array<char, 20> header{};
    std::ifstream(file, std::ios::binary).read(header.data(), header.size());
    return static_cast<unsigned char>(header[offsetof(Elf64_Ehdr, e_machine)]) == kMachine;
}

/// What is loaded stays loaded, here and in what is forked from here: the program is started again.
template <class Body> void inItsOwnProcess(Body body)
{
    const auto run = [&] {
        body();
        std::fflush(stdout);
        ::_exit(testing::Test::HasFailure() ? 1 : 0);
    };
    const std::string style = GTEST_FLAG_GET(death_test_style);
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EXPECT_EXIT(run(), testing::ExitedWithCode(0), "");
    GTEST_FLAG_SET(death_test_style, style);
}

TEST(BaselineLibraries, FunctionsOfCublasAreThoseOfTheirNames)
{
    const Result<ScratchFolder> scratch = ScratchFolder::make();
    ASSERT_TRUE(scratch);
    const std::string folder = scratch->path().string();
    if (!makeLibrary(folder, "libcublas.so.13", kPlayedCublas))
        GTEST_SKIP() << "no C compiler";
    inItsOwnProcess([&] {
        const Result<const cublas::Functions*> loaded = cublas::load([&] { return std::vector<std::string>{"/nowhere", folder}; });
        ASSERT_TRUE(loaded) << loaded.error().message;
        const cublas::Functions& f = **loaded;
        EXPECT_EQ(f.create(nullptr), 1);
        EXPECT_EQ(f.destroy(nullptr), 2);
        EXPECT_EQ(f.setStream(nullptr, nullptr), 3);
        EXPECT_EQ(f.getVersion(nullptr, nullptr), 4);
        EXPECT_STREQ(f.statusString(0), "five");
        EXPECT_EQ(f.gemmStridedBatched({}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}), 6);
    });
}

TEST(BaselineLibraries, FunctionsOfCudnnAreThoseOfTheirNames)
{
    const Result<ScratchFolder> scratch = ScratchFolder::make();
    ASSERT_TRUE(scratch);
    const std::string folder = scratch->path().string();
    if (!makeLibrary(folder, "libcudnn.so.9", kPlayedCudnn, "-DVERSION=90000"))
        GTEST_SKIP() << "no C compiler";
    inItsOwnProcess([&] {
        const Result<const cudnn::Functions*> loaded = cudnn::load([&] { return std::vector<std::string>{folder}; });
        ASSERT_TRUE(loaded) << loaded.error().message;
        const cudnn::Functions& f = **loaded;
        EXPECT_EQ(cudnn::versionText(f), "9.0.0");
        EXPECT_EQ(f.create(nullptr), 1);
        EXPECT_EQ(f.destroy(nullptr), 2);
        EXPECT_EQ(f.setStream(nullptr, nullptr), 3);
        EXPECT_STREQ(f.errorString(0), "four");
        char text[2] = {};
        f.lastError(text, 1);
        EXPECT_STREQ(text, "5");
        EXPECT_EQ(f.createDescriptor(0, nullptr), 6);
        EXPECT_EQ(f.destroyDescriptor(nullptr), 7);
        EXPECT_EQ(f.setAttribute(nullptr, 0, 0, 0, nullptr), 8);
        EXPECT_EQ(f.getAttribute(nullptr, 0, 0, 0, nullptr, nullptr), 9);
        EXPECT_EQ(f.finalize(nullptr), 10);
        EXPECT_EQ(f.execute(nullptr, nullptr, nullptr), 11);
    });
}

/// The driver's library is found by its name among those that are loaded.
TEST(DriverLibraries, FunctionsOfNvmlAreThoseOfTheirNames)
{
    const Result<ScratchFolder> scratch = ScratchFolder::make();
    ASSERT_TRUE(scratch);
    const std::string folder = scratch->path().string();
    for (const char* reasons : {"nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetCurrentClocksThrottleReasons"}) {
        const std::string name = std::string("lib") + reasons + ".so";
        if (!makeLibrary(folder, name, kPlayedNvml, std::string("-Wl,-soname,libnvidia-ml.so.1 -DREASONS=") + reasons))
            GTEST_SKIP() << "no C compiler";
        inItsOwnProcess([&] {
            ASSERT_NE(::dlopen((folder + '/' + name).c_str(), RTLD_NOW), nullptr) << ::dlerror();
            const Result<std::string> version = nvmlDriverVersion();
            ASSERT_TRUE(version) << version.error().message;
            EXPECT_EQ(*version, "580.1");
            EXPECT_EQ(Nvml::open("GPU-2").error().where, "GPU-2");
            const Result<std::unique_ptr<Nvml>> opened = Nvml::open("GPU-1");
            ASSERT_TRUE(opened) << opened.error().message;
            Nvml& gpu = **opened;
            EXPECT_EQ(gpu.driverVersion(), "580.1");
            EXPECT_EQ(gpu.smClockMhz(), 101);
            EXPECT_EQ(gpu.memoryClockMhz(), 102);
            EXPECT_EQ(gpu.maxSmClockMhz(), 201);
            EXPECT_EQ(gpu.maxMemoryClockMhz(), 202);
            EXPECT_EQ(gpu.throttleReasons(), std::vector<std::string>{"thermal"});
            EXPECT_TRUE(gpu.clocksLocked());
            EXPECT_EQ(gpu.temperatureC(), 50);
            EXPECT_EQ(gpu.powerW(), 2.5);
            EXPECT_EQ(gpu.totalEnergyJ(), 7);
            EXPECT_EQ(gpu.persistenceMode(), true);
            EXPECT_EQ(gpu.utilizationPercent(), 61);
            EXPECT_EQ(gpu.migEnabled(), true);
            EXPECT_EQ(gpu.otherProcesses(), 3);
        });
    }
}

TEST(BaselineLibraries, WhatIsTooOldOrIncompleteIsRefusedWithTheWayToGetIt)
{
    const Result<ScratchFolder> scratch = ScratchFolder::make();
    ASSERT_TRUE(scratch);
    const std::string folder = scratch->path().string();
    if (!makeLibrary(folder, "libcudnn.so.9", kPlayedCudnn, "-DVERSION=8907") ||
        !makeLibrary(folder, "libcublas.so.13", "int cublasCreate_v2() { return 1; }"))
        GTEST_SKIP() << "no C compiler";
    inItsOwnProcess([&] {
        const LibraryFolders folders = [&] { return std::vector<std::string>{folder}; };
        const Result<const cudnn::Functions*> old = cudnn::load(folders);
        ASSERT_FALSE(old);
        EXPECT_EQ(old.error().code, ErrorCode::environment);
        EXPECT_NE(old.error().hint.find("nvidia-cudnn"), std::string::npos) << old.error().hint;
        EXPECT_EQ(old.error().where, folder + "/libcudnn.so.9");
        const Result<const cublas::Functions*> part = cublas::load(folders);
        ASSERT_FALSE(part);
        EXPECT_EQ(part.error().code, ErrorCode::environment);
        EXPECT_NE(part.error().message.find("cublasDestroy_v2"), std::string::npos) << part.error().message;
        EXPECT_NE(part.error().hint.find("nvidia-cublas"), std::string::npos) << part.error().hint;
    });
}

int handlesHeld = 0;
int createStatus = 0;
int streamStatus = 0;
void* streamGiven = nullptr;

template <class Functions, class Handle> Functions playedSession()
{
    handlesHeld = createStatus = streamStatus = 0;
    streamGiven = nullptr;
    Functions f;
    f.create = [](Handle* handle) {
        handlesHeld += createStatus == 0 ? 1 : 0;
        *handle = reinterpret_cast<Handle>(&handlesHeld);
        return createStatus;
    };
    f.destroy = [](Handle) {
        --handlesHeld;
        return 0;
    };
    f.setStream = [](Handle, void* stream) {
        streamGiven = stream;
        return streamStatus;
    };
    return f;
}

/// `functions` have what a session takes and what names an error.
template <class Session, class Functions> void expectSessionIsWholeOrNone(const Functions& functions)
{
    int stream = 0;
    {
        const auto session = Session::open(functions, &stream);
        ASSERT_TRUE(session) << session.error().message;
        EXPECT_EQ(streamGiven, &stream);
        EXPECT_EQ(handlesHeld, 1);
    }
    EXPECT_EQ(handlesHeld, 0);
    streamStatus = 7;
    const auto lost = Session::open(functions, &stream);
    ASSERT_FALSE(lost);
    EXPECT_EQ(lost.error().code, ErrorCode::environment);
    EXPECT_NE(lost.error().message.find("STATUS_7"), std::string::npos) << lost.error().message;
    EXPECT_EQ(handlesHeld, 0) << "its handle is given back";
    createStatus = 3;
    streamGiven = nullptr;
    const auto none = Session::open(functions, &stream);
    ASSERT_FALSE(none);
    EXPECT_NE(none.error().message.find("status 3"), std::string::npos) << "it has no word for it: " << none.error().message;
    EXPECT_EQ(streamGiven, nullptr);
    EXPECT_EQ(handlesHeld, 0);
}

const char* playedStatus(int status)
{
    return status == 7 ? "STATUS_7" : nullptr;
}

TEST(BaselineLibraries, ASessionHasAHandleOnItsStreamOrIsAnError)
{
    cublas::Functions blas = playedSession<cublas::Functions, cublas::Handle>();
    blas.statusString = playedStatus;
    expectSessionIsWholeOrNone<cublas::Session>(blas);
    cudnn::Functions dnn = playedSession<cudnn::Functions, cudnn::Handle>();
    dnn.errorString = playedStatus;
    dnn.lastError = [](char* text, std::size_t size) { std::strncpy(text, "the last words", size); };
    expectSessionIsWholeOrNone<cudnn::Session>(dnn);
    EXPECT_EQ(cudnn::makeCudnnError(dnn, "a call", 7).detail, "the last words");
}

TEST(BaselineLibraries, VersionsAreCountedInHundreds)
{
    cublas::Functions blas = playedSession<cublas::Functions, cublas::Handle>();
    blas.statusString = playedStatus;
    blas.getVersion = [](cublas::Handle, int* version) {
        *version = 120817;
        return 0;
    };
    EXPECT_EQ((*cublas::Session::open(blas, nullptr))->version(), "12.8.17");
    blas.getVersion = [](cublas::Handle, int*) { return 1; };
    EXPECT_EQ((*cublas::Session::open(blas, nullptr))->version(), "");
    cudnn::Functions dnn;
    dnn.getVersion = [] { return std::size_t{101203}; };
    EXPECT_EQ(cudnn::versionText(dnn), "10.12.3");
}

} // namespace
} // namespace kl
