// SPDX-License-Identifier: MIT
// The injected library in a process without a GPU: it is loaded as the driver and NVTX would load it, and must not be felt.
#include "profiler/inject/import_patch.h"
#include "profiler/protocol/program_trace.h"
#include "tests/support/build_folder.h"

#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <iterator>
#include <sys/wait.h>
#include <unistd.h>
#ifdef KL_HAVE_LIVE
#include <nvtx3/nvToolsExt.h>
#endif

namespace kl::inject {
namespace {

using testing::Contains;
using testing::Field;

int nobody()
{
    return -4711;
}

TEST(ImportPatch, OtherLibrariesCallTheReplacement)
{
    void* library = ::dlopen((test::buildFolder() + "/tests/libasks_for_parent.so").c_str(), RTLD_NOW);
    ASSERT_NE(library, nullptr) << ::dlerror();
    const auto ask = reinterpret_cast<int (*)()>(::dlsym(library, "parentAsTheLibrarySeesIt"));
    ASSERT_NE(ask, nullptr);
    EXPECT_EQ(ask(), ::getppid());
    EXPECT_GE(patchImports("getppid", reinterpret_cast<void*>(&nobody)), 1);
    EXPECT_EQ(ask(), -4711);
    EXPECT_NE(::getppid(), -4711) << "the library that holds the replacement keeps the function";
    EXPECT_EQ(patchImports("no_library_imports_this", reinterpret_cast<void*>(&nobody)), 0);
    EXPECT_GE(patchImports("getppid", reinterpret_cast<void*>(&::getppid)), 1); // as the tests after this one need it
    EXPECT_EQ(ask(), ::getppid());
}

TEST(ImportPatch, AFunctionThatALibraryTakesTheAddressOfIsReplacedToo)
{
    void* library = ::dlopen((test::buildFolder() + "/tests/libasks_for_parent.so").c_str(), RTLD_NOW);
    ASSERT_NE(library, nullptr) << ::dlerror();
    const auto ask = reinterpret_cast<int (*)()>(::dlsym(library, "groupAsTheLibrarySeesIt"));
    ASSERT_NE(ask, nullptr);
    EXPECT_EQ(ask(), ::getpgrp());
    EXPECT_GE(patchImports("getpgrp", reinterpret_cast<void*>(&nobody)), 1);
    EXPECT_EQ(ask(), -4711);
    EXPECT_GE(patchImports("getpgrp", reinterpret_cast<void*>(&::getpgrp)), 1);
    EXPECT_EQ(ask(), ::getpgrp());
}

#ifdef KL_HAVE_LIVE
const std::string kLibrary = test::buildFolder() + "/lib/libkloop-inject.so";

class InjectedLibrary : public testing::Test {
protected:
    void SetUp() override
    {
        folder_ = std::filesystem::temp_directory_path() / ("kl-inject-" + std::to_string(::getpid()));
        std::filesystem::create_directories(folder_);
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    /// Exit status of a child in which `body` ran with the library's environment set.
    template <class Body> int inChild(Body body) const
    {
        const pid_t child = ::fork();
        if (child == 0) {
            ::setenv(kTraceFolderVariable, folder_.c_str(), 1);
            ::setenv("NVTX_INJECTION64_PATH", kLibrary.c_str(), 1);
            std::exit(body());
        }
        int status = 0;
        ::waitpid(child, &status, 0);
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }
    static int initialize()
    {
        void* library = ::dlopen(kLibrary.c_str(), RTLD_NOW);
        const auto start = library ? reinterpret_cast<int (*)()>(::dlsym(library, "InitializeInjection")) : nullptr;
        return start ? start() : -1;
    }
    std::vector<ProcessTrace> traces() const
    {
        std::vector<ProcessTrace> list;
        for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
            if (entry.path().extension() != kTraceSuffix)
                continue;
            std::ifstream in(entry.path(), std::ios::binary);
            list.push_back(parseTrace(std::string(std::istreambuf_iterator<char>(in), {})));
            EXPECT_EQ(list.back().damage, "") << entry.path();
        }
        return list;
    }
    std::filesystem::path folder_;
};

TEST_F(InjectedLibrary, WithoutADriverItSaysSoAndTheProgramGoesOn)
{
    std::ofstream(folder_ / kTraceConfigFile) << encodeTraceConfig({});
    EXPECT_EQ(inChild([] { return initialize() == 1 ? 7 : 8; }), 7);
    const std::vector<ProcessTrace> left = traces();
    ASSERT_EQ(left.size(), 1U);
    EXPECT_TRUE(left[0].ended);
    EXPECT_FALSE(left[0].command.empty());
    if (!left[0].notes.empty()) { // a machine with a GPU has nothing to note
        EXPECT_THAT(left[0].notes, Contains(Field(&Warning::code, "no-tracing")));
    }
}

TEST_F(InjectedLibrary, AForkedCopyLeavesTheTraceAlone)
{
    std::ofstream(folder_ / kTraceConfigFile) << encodeTraceConfig({});
    EXPECT_EQ(inChild([] {
                  initialize();
                  const pid_t copy = ::fork();
                  if (copy == 0)
                      std::exit(5);
                  int status = 0;
                  ::waitpid(copy, &status, 0);
                  return WEXITSTATUS(status);
              }),
              5);
    ASSERT_EQ(traces().size(), 1U);
    EXPECT_TRUE(traces()[0].ended);
    EXPECT_FALSE(traces()[0].cut);
}

TEST_F(InjectedLibrary, WithoutItsFolderItDoesNothing)
{
    EXPECT_EQ(inChild([] { return initialize(); }), 1);
    EXPECT_TRUE(traces().empty()) << "no configuration, so nobody asked";
}

TEST_F(InjectedLibrary, SeesNvtxRanges)
{
    EXPECT_EQ(inChild([] {
                  if (nvtxRangePushA("outer") != 0 || nvtxRangePushA("inner") != 1)
                      return 1;
                  if (nvtxRangePop() != 1 || nvtxRangePop() != 0)
                      return 2;
                  const nvtxDomainHandle_t domain = nvtxDomainCreateA("mine");
                  nvtxEventAttributes_t event{};
                  event.version = NVTX_VERSION;
                  event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
                  event.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
                  event.message.registered = nvtxDomainRegisterStringA(domain, "registered");
                  if (nvtxRangePushA("core") != 0 || nvtxDomainRangePushEx(domain, &event) != 0)
                      return 3; // each domain counts for itself
                  if (nvtxDomainRangePop(domain) != 0 || nvtxRangePop() != 0)
                      return 4;
                  if (nvtxRangePushA("core") != 0 || nvtxDomainRangePushEx(domain, &event) != 0)
                      return 5;
                  if (nvtxRangePop() != 0 || nvtxRangePop() != 0 || nvtxDomainRangePop(domain) != 0)
                      return 6; // what the core domain pops is its own, not the innermost of another's
                  nvtxRangeEnd(nvtxRangeStartA("across threads"));
                  nvtxRangeEnd(12345); // never started
                  return 0;
              }),
              0);
}
#endif

} // namespace
} // namespace kl::inject
