// SPDX-License-Identifier: MIT
#ifdef KL_HAVE_LIVE
#include "kernels/catalog.h"
#include "profiler/live/cupti/cupti_api.h"
#include "profiler/live/cupti/line_table.h"
#include "profiler/live/cupti/sass_code.h"
#include "profiler/live/host/shared_library.h"
#include "profiler/live/nvrtc/nvrtc.h"
#include "profiler/live/ptx/opcodes.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <nvrtc.h>
#include <set>

namespace kl {
namespace {

/// A cubin as NVRTC makes it from exactly these options: Nvrtc adds line information to every compilation, this does not.
std::string bareCubin(const std::string& source, std::vector<std::string> options)
{
    const auto library = SharedLibrary::open({"libnvrtc.so.13", "libnvrtc.so.12"}, toolkitLibraryFolders("cuda_nvrtc"));
    if (!library)
        return {};
    options.insert(options.begin(), {"--gpu-architecture=sm_90", "-default-device"});
    std::vector<const char*> pointers;
    for (const std::string& option : options)
        pointers.push_back(option.c_str());
    nvrtcProgram program = nullptr;
    library->function<decltype(&nvrtcCreateProgram)>("nvrtcCreateProgram")(&program, source.c_str(), "kernel.cu", 0, nullptr, nullptr);
    library->function<decltype(&nvrtcCompileProgram)>("nvrtcCompileProgram")(program, static_cast<int>(pointers.size()), pointers.data());
    std::size_t bytes = 0;
    library->function<decltype(&nvrtcGetCUBINSize)>("nvrtcGetCUBINSize")(program, &bytes);
    std::string cubin(bytes, '\0');
    library->function<decltype(&nvrtcGetCUBIN)>("nvrtcGetCUBIN")(program, cubin.data());
    library->function<decltype(&nvrtcDestroyProgram)>("nvrtcDestroyProgram")(&program);
    return cubin;
}

/// 1-based line of the first occurrence of `text`.
int lineOf(const std::string& source, const std::string& text)
{
    const auto at = source.find(text);
    return at == std::string::npos ? 0 : 1 + static_cast<int>(std::count(source.begin(), source.begin() + static_cast<long>(at), '\n'));
}

constexpr const char* kSource = R"(extern "C" __global__ void gather(const int* index, const float* in, float* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int where = index[i];
    float value = in[where];
    out[i] = value * 2.0f;
}
)";

#define KL_NEED_TOOLS()                                                                                                                    \
    if (const auto& loaded = Nvrtc::load(); !loaded)                                                                                       \
        GTEST_SKIP() << loaded.error().message;                                                                                            \
    if (const auto& loaded = CuptiApi::load(); !loaded)                                                                                    \
    GTEST_SKIP() << loaded.error().message

/// Every variant of the catalog compiles for Hopper (or the chip that it is for), its entries are in the PTX, and their machine code is
/// that of a compilation without line information.
TEST(LineInfo, DoesNotChangeTheMachineCodeOfAnyVariant)
{
    if (const auto& loaded = Nvrtc::load(); !loaded)
        GTEST_SKIP() << loaded.error().message;
    const auto catalog = Catalog::embedded();
    ASSERT_TRUE(catalog.ok()) << catalog.error().message;
    struct Code {
        CompiledSource compiled;
        std::string bare;
    };
    std::map<std::pair<std::string, std::vector<std::string>>, Code> codes; // variants share their family's source
    for (const Address& address : catalog->addresses()) {
        const auto work = catalog->work(address, {});
        ASSERT_TRUE(work.ok()) << toText(address);
        auto& [compiled, bare] = codes[{work->source, work->options}];
        if (!compiled.ok) {
            auto result = Nvrtc::load()->compile({work->source, work->options, work->targets.empty() ? "sm_90" : work->targets.front()});
            ASSERT_TRUE(result.ok()) << toText(address);
            ASSERT_TRUE(result->ok) << toText(address) << '\n' << result->log;
            compiled = std::move(*result);
            if (work->targets.empty())
                bare = bareCubin(work->source, work->options);
        }
        for (const LaunchSpec& launch : work->launches) {
            EXPECT_FALSE(opcodeMix(compiled.ptx, launch.entry).empty()) << toText(address) << ' ' << launch.entry;
            if (!work->targets.empty())
                continue; // of one chip: the others show it
            const auto with = SassCode::of(compiled.cubin, launch.entry);
            const auto without = SassCode::of(bare, launch.entry);
            ASSERT_TRUE(with && without) << toText(address) << ' ' << launch.entry;
            EXPECT_TRUE(with->bytes() == without->bytes()) << toText(address) << ' ' << launch.entry;
        }
    }
}

TEST(LineInfo, MapsInstructionsToTheLinesOfTheSource)
{
    KL_NEED_TOOLS();
    const auto compiled = Nvrtc::load()->compile({kSource, {}, "sm_90"});
    ASSERT_TRUE(compiled.ok() && compiled->ok);
    const auto code = SassCode::of(compiled->cubin, "gather");
    ASSERT_TRUE(code);
    std::set<int> lines;
    for (std::uint64_t at = 0; at < code->bytes().size(); at += 16)
        if (const auto place = sourcePlace(compiled->cubin, "gather", at)) {
            EXPECT_EQ(place->file, "kernel.cu");
            lines.insert(place->line);
        }
    EXPECT_TRUE(lines.contains(lineOf(kSource, "in[where]")));
    EXPECT_TRUE(lines.contains(lineOf(kSource, "value * 2.0f")));
    EXPECT_FALSE(sourcePlace(compiled->cubin, "no_such_function", 0));
    EXPECT_FALSE(sourcePlace("not a cubin", "gather", 0));
    EXPECT_FALSE(sourcePlace(bareCubin(kSource, {}), "gather", 0));
}

TEST(LineInfo, AWaitIsTracedToTheLoadItIsFor)
{
    KL_NEED_TOOLS();
    const auto compiled = Nvrtc::load()->compile({kSource, {}, "sm_90"});
    ASSERT_TRUE(compiled.ok() && compiled->ok);
    const auto code = SassCode::of(compiled->cubin, "gather");
    ASSERT_TRUE(code);
    std::map<int, std::set<int>> awaited; // by line of the waiting instruction
    for (std::uint64_t at = 0; at < code->bytes().size(); at += 16)
        for (const std::uint64_t producer : code->awaitedBy(at))
            awaited[sourcePlace(compiled->cubin, "gather", at)->line].insert(sourcePlace(compiled->cubin, "gather", producer)->line);
    EXPECT_TRUE(awaited[lineOf(kSource, "in[where]")].contains(lineOf(kSource, "index[i]")));
    EXPECT_TRUE(awaited[lineOf(kSource, "value * 2.0f")].contains(lineOf(kSource, "in[where]")));
}

TEST(LineInfo, AWarpThatDrainsWaitsForTheLastStore)
{
    KL_NEED_TOOLS();
    const auto compiled = Nvrtc::load()->compile({kSource, {}, "sm_90"});
    ASSERT_TRUE(compiled.ok() && compiled->ok);
    const auto code = SassCode::of(compiled->cubin, "gather");
    ASSERT_TRUE(code);
    const auto store = code->lastStore(code->bytes().size());
    ASSERT_TRUE(store);
    EXPECT_EQ(sourcePlace(compiled->cubin, "gather", *store)->line, lineOf(kSource, "value * 2.0f"));
    EXPECT_FALSE(code->lastStore(0));
}

TEST(LineInfo, DamagedImagesHaveNoCode)
{
    EXPECT_FALSE(SassCode::of("", "gather"));
    EXPECT_FALSE(SassCode::of("\177ELF", "gather"));
    EXPECT_FALSE(SassCode::of(std::string(200, '\377'), "gather"));
}

} // namespace
} // namespace kl
#endif
