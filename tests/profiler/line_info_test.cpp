// SPDX-License-Identifier: MIT
#ifdef KL_HAVE_LIVE
#include "core/sass/line_table.h"
#include "kernels/catalog.h"
#include "profiler/live/cupti/cupti_api.h"
#include "profiler/live/cupti/sass_code.h"
#include "profiler/live/host/shared_library.h"
#include "profiler/live/nvrtc/nvrtc.h"
#include "profiler/live/ptx/opcodes.h"
#include "profiler/live/work/source_join.h"

#include <algorithm>
#include <cstdlib>
#include <cupti.h>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <nvrtc.h>
#include <set>
#include <tuple>

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

/// File, folder and line that CUPTI names for an instruction.
std::tuple<std::string, std::string, int> cuptiPlace(const std::string& cubin, const std::string& function, std::uint64_t offset)
{
    const auto library = SharedLibrary::open({CuptiApi::load()->path}, {});
    if (!library)
        return {"no library", "", 0};
    CUpti_GetSassToSourceCorrelationParams requested{};
    requested.size = CUpti_GetSassToSourceCorrelationParamsSize;
    requested.cubin = cubin.data();
    requested.cubinSize = cubin.size();
    requested.functionName = function.c_str();
    requested.pcOffset = offset;
    const CUptiResult result = library->function<decltype(&cuptiGetSassToSourceCorrelation)>("cuptiGetSassToSourceCorrelation")(&requested);
    const std::unique_ptr<char, decltype(&std::free)> file(requested.fileName, &std::free), folder(requested.dirName, &std::free);
    if (result != CUPTI_SUCCESS || !file || requested.lineNumber == 0)
        return {};
    return {file.get(), folder ? folder.get() : "", static_cast<int>(requested.lineNumber)};
}

/// 1-based line of the first occurrence of `text`.
int findLine(const std::string& source, const std::string& text)
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

struct VariantCode {
    WorkSpec work;
    const CompiledSource* compiled = nullptr; ///< shared by variants of one source and the same options
    std::string arch;
};

/// Every variant of the catalog, compiled once for all tests, for Hopper or the chip that it is for.
const std::map<std::string, VariantCode>& variantCodes()
{
    static std::map<std::pair<std::string, std::vector<std::string>>, CompiledSource> compiled;
    static const std::map<std::string, VariantCode> codes = [] {
        std::map<std::string, VariantCode> made;
        const auto catalog = Catalog::loadEmbedded();
        EXPECT_TRUE(catalog.ok()) << catalog.error().message;
        for (const Address& address : catalog->addresses()) {
            VariantCode& code = made[toText(address)];
            auto work = catalog->work(address, {});
            EXPECT_TRUE(work.ok()) << toText(address);
            code.work = std::move(*work);
            code.arch = code.work.targets.empty() ? "sm_90" : code.work.targets.front();
            CompiledSource& source = compiled[{code.work.source, code.work.options}];
            if (!source.ok) {
                auto result = Nvrtc::load()->compile({code.work.source, code.work.options, code.arch});
                EXPECT_TRUE(result.ok() && result->ok) << toText(address) << '\n' << (result ? result->log : result.error().message);
                if (result)
                    source = std::move(*result);
            }
            code.compiled = &source;
        }
        return made;
    }();
    return codes;
}

/// The entries of every variant are in its PTX, and their machine code is that of a compilation without line information.
TEST(LineInfo, DoesNotChangeTheMachineCodeOfAnyVariant)
{
    if (const auto& loaded = Nvrtc::load(); !loaded)
        GTEST_SKIP() << loaded.error().message;
    std::map<const CompiledSource*, std::string> bare;
    for (const auto& [name, code] : variantCodes())
        for (const LaunchSpec& launch : code.work.launches) {
            EXPECT_FALSE(opcodeMix(code.compiled->ptx, launch.entry).empty()) << name << ' ' << launch.entry;
            if (!code.work.targets.empty())
                continue; // of one chip: the others show it
            std::string& other = bare[code.compiled];
            if (other.empty())
                other = bareCubin(code.work.source, code.work.options);
            const auto with = SassCode::of(code.compiled->cubin, launch.entry);
            const auto without = SassCode::of(other, launch.entry);
            ASSERT_TRUE(with && without) << name << ' ' << launch.entry;
            EXPECT_TRUE(with->bytes() == without->bytes()) << name << ' ' << launch.entry;
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
    SourceLines places(compiled->cubin);
    for (std::size_t at = 0; at < code->bytes().size(); at += 16)
        if (const LineEntry* place = places.find("gather", static_cast<std::int64_t>(at))) {
            EXPECT_EQ(place->file, "kernel.cu");
            lines.insert(place->line);
        }
    EXPECT_TRUE(lines.contains(findLine(kSource, "in[where]")));
    EXPECT_TRUE(lines.contains(findLine(kSource, "value * 2.0f")));
    EXPECT_FALSE(places.find("no_such_function", 0));
    EXPECT_FALSE(SourceLines("not a cubin").find("gather", 0));
    EXPECT_FALSE(SourceLines(bareCubin(kSource, {})).find("gather", 0));
}

/// Of two cubins of one size whose functions have the same name CUPTI gives the second the lines of the first.
TEST(LineInfo, LinesAreTheOwnOnesOfCodeThatWasOnlyMoved)
{
    KL_NEED_TOOLS();
    std::vector<std::set<int>> lines;
    std::vector<std::size_t> sizes;
    for (const int moved : {0, 5}) {
        const auto compiled = Nvrtc::load()->compile({std::string(static_cast<std::size_t>(moved), '\n') + kSource, {}, "sm_90"});
        ASSERT_TRUE(compiled.ok() && compiled->ok);
        sizes.push_back(compiled->cubin.size());
        PcSamples samples;
        for (std::uint64_t at = 0; at < SassCode::of(compiled->cubin, "gather")->bytes().size(); at += 16)
            samples.records.push_back({"gather", at, 1, {{"long_scoreboard", 1}}});
        std::set<int>& found = lines.emplace_back();
        for (const SourceLine& line : joinSource(samples, {}, compiled->cubin, "gather", {}).lines)
            found.insert(line.line == 0 ? 0 : line.line - moved);
    }
    EXPECT_EQ(sizes[0], sizes[1]) << "else it shows nothing";
    EXPECT_EQ(lines[0], lines[1]);
    EXPECT_TRUE(lines[0].contains(findLine(kSource, "in[where]")));
}

/// Whatever CUPTI answers for code that it has not seen before.
TEST(LineInfo, EveryInstructionOfEveryVariantHasTheLineThatCuptiNames)
{
    KL_NEED_TOOLS();
    std::set<std::pair<std::string, std::size_t>> seen; // CUPTI's lines are of the first of them
    int compared = 0;
    for (const auto& [name, variant] : variantCodes()) {
        const std::string& cubin = variant.compiled->cubin;
        SourceLines places(cubin);
        for (const LaunchSpec& launch : variant.work.launches) {
            const auto code = SassCode::of(cubin, launch.entry);
            if (!code || !seen.emplace(launch.entry, cubin.size()).second)
                continue;
            ++compared;
            for (std::size_t at = 0; at < code->bytes().size(); at += 16) {
                const LineEntry* place = places.find(launch.entry, static_cast<std::int64_t>(at));
                const LineEntry own = place ? *place : LineEntry();
                const auto [file, folder, line] = cuptiPlace(cubin, launch.entry, at);
                ASSERT_EQ(std::tie(own.file, own.folder, own.line), std::tie(file, folder, line)) << name << ' ' << at;
            }
        }
    }
    EXPECT_GT(compared, 30);
}

TEST(LineInfo, AWaitIsTracedToTheLoadItIsFor)
{
    KL_NEED_TOOLS();
    const auto compiled = Nvrtc::load()->compile({kSource, {}, "sm_90"});
    ASSERT_TRUE(compiled.ok() && compiled->ok);
    const auto code = SassCode::of(compiled->cubin, "gather");
    ASSERT_TRUE(code);
    SourceLines places(compiled->cubin);
    const auto line = [&](std::uint64_t at) { return places.find("gather", static_cast<std::int64_t>(at))->line; };
    std::map<int, std::set<int>> awaited; // by line of the waiting instruction
    for (std::uint64_t at = 0; at < code->bytes().size(); at += 16)
        for (const std::uint64_t producer : code->findAwaited(at))
            awaited[line(at)].insert(line(producer));
    EXPECT_TRUE(awaited[findLine(kSource, "in[where]")].contains(findLine(kSource, "index[i]")));
    EXPECT_TRUE(awaited[findLine(kSource, "value * 2.0f")].contains(findLine(kSource, "in[where]")));
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
    EXPECT_EQ(SourceLines(compiled->cubin).find("gather", static_cast<std::int64_t>(*store))->line, findLine(kSource, "value * 2.0f"));
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
