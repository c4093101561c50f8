// SPDX-License-Identifier: MIT
// The layering rule of HACKING.md, checked over the text of every source: which folder may include which.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

const fs::path kRoot = KL_SOURCE_DIR;

/// Folder (longest prefix wins) to the folders whose headers it may include.
const std::map<std::string, std::set<std::string>> kMayInclude = {
    {"core/base", {"core/base"}},
    {"core/model", {"core/base", "core/model"}},
    {"core/stats", {"core/base", "core/model", "core/stats"}},
    {"core/codec", {"core/base", "core/model", "core/stats", "core/codec"}},
    {"core/device", {"core/base", "core/model", "core/codec", "core/device"}},
    {"core/diagnosis", {"core/base", "core/model", "core/stats", "core/codec", "core/device", "core/diagnosis"}},
    {"core/search", {"core/base", "core/device", "core/search"}},
    {"core/plot", {"core/base", "core/diagnosis", "core/plot"}},
    {"kernels", {"core", "kernels"}},
    {"kernels/model", {"core", "kernels/model"}},
    {"kernels/data", {"core", "kernels/model", "kernels/data"}},
    {"kernels/reference", {"core", "kernels/model", "kernels/data", "kernels/reference"}},
    {"profiler", {"core", "kernels", "profiler/protocol", "profiler/collector.h", "profiler/stall_watch.h"}},
    {"profiler/protocol", {"core", "kernels", "profiler/protocol"}},
    {"profiler/client", {"core", "kernels", "profiler/protocol", "profiler/collector.h", "profiler/client"}},
    {"profiler/replay", {"core", "kernels", "profiler/protocol", "profiler/collector.h", "profiler/replay"}},
    {"profiler/device",
     {"core", "kernels", "profiler/protocol", "profiler/collector.h", "profiler/client", "profiler/replay", "profiler/device"}},
    {"profiler/import", {"core", "kernels", "profiler/protocol", "profiler/collector.h", "profiler/import"}},
    {"profiler/live", {"core", "kernels", "profiler/protocol", "profiler/collector.h", "profiler/live"}},
    {"profiler/inject", {"core", "profiler/protocol", "profiler/live", "profiler/inject"}},
    {"sessions",
     {"core", "kernels", "profiler/protocol", "profiler/collector.h", "profiler/client", "profiler/replay", "profiler/device",
      "profiler/import", "sessions"}},
    {"ui",
     {"core", "kernels", "profiler/protocol", "profiler/collector.h", "profiler/client", "profiler/replay", "profiler/device",
      "profiler/import", "sessions", "ui"}},
    {"app/worker", {"core", "kernels", "profiler/protocol", "profiler/collector.h", "profiler/live", "app/worker"}},
    {"app/kloop",
     {"core", "kernels", "profiler/protocol", "profiler/collector.h", "profiler/client", "profiler/replay", "profiler/device",
      "profiler/import", "sessions", "app/kloop"}},
    {"app/kernelloop",
     {"core", "kernels", "profiler/protocol", "profiler/collector.h", "profiler/client", "profiler/replay", "profiler/device",
      "profiler/import", "sessions", "ui", "app/kernelloop"}},
};

struct Include {
    fs::path file; ///< relative to the root
    std::string target;
    bool angled = false;
};

std::vector<Include> includesUnder(const std::vector<std::string>& folders)
{
    static const std::regex directive(R"(^\s*#\s*include\s*([<"])([^>"]+)[>"])");
    std::vector<Include> all;
    for (const std::string& folder : folders)
        for (const auto& entry : fs::recursive_directory_iterator(kRoot / folder)) {
            const std::string extension = entry.path().extension().string();
            if (extension != ".h" && extension != ".cpp")
                continue;
            std::ifstream in(entry.path());
            for (std::string line; std::getline(in, line);)
                if (std::smatch match; std::regex_search(line, match, directive))
                    all.push_back({fs::relative(entry.path(), kRoot), match[2], match[1] == "<"});
        }
    return all;
}

bool isUnder(const std::string& path, const std::string& folder)
{
    return path == folder || path.starts_with(folder + '/');
}

const std::set<std::string>& allowedFor(const std::string& file)
{
    const std::set<std::string>* best = nullptr;
    std::size_t length = 0;
    for (const auto& [folder, allowed] : kMayInclude)
        if (isUnder(file, folder) && folder.size() >= length) {
            best = &allowed;
            length = folder.size();
        }
    static const std::set<std::string> none;
    return best ? *best : none;
}

const std::vector<std::string> kOurs = {"core", "kernels", "profiler", "sessions", "ui", "app"};

TEST(Layering, OwnHeadersComeFromLowerLayersOnly)
{
    int seen = 0;
    for (const Include& include : includesUnder(kOurs)) {
        if (include.angled)
            continue;
        ++seen;
        const auto& allowed = allowedFor(include.file.string());
        const bool fine =
            std::any_of(allowed.begin(), allowed.end(), [&](const std::string& folder) { return isUnder(include.target, folder); });
        EXPECT_TRUE(fine) << include.file << " includes " << include.target;
    }
    EXPECT_GT(seen, 100) << "the check found hardly any include: is the source folder right?";
}

/// Who starts a worker or opens the recorded sample by himself does not follow what --on says.
TEST(Layering, DevicesAreOpenedInOnePlace)
{
    static const std::regex opening(R"(\b(startWorker|openSample)\()");
    for (const char* folder : {"sessions", "ui", "app"})
        for (const auto& entry : fs::recursive_directory_iterator(kRoot / folder)) {
            if (entry.path().extension() != ".cpp")
                continue;
            std::ifstream in(entry.path());
            for (std::string line; std::getline(in, line);)
                EXPECT_FALSE(std::regex_search(line, opening)) << entry.path() << ": use openDevice: " << line;
        }
}

TEST(Layering, NoQtBelowTheUi)
{
    for (const Include& include : includesUnder({"core", "kernels", "profiler", "sessions", "app/kloop", "app/worker"}))
        EXPECT_FALSE(include.angled && include.target.starts_with('Q')) << include.file << " includes " << include.target;
}

TEST(Layering, CudaHeadersOnlyInTheWorkerAndTheInjectedLibrary)
{
    static const std::regex cuda(R"(^(cuda|cupti|nvrtc|nvml|nvtx|generated_cuda|nvperf).*)");
    for (const Include& include : includesUnder(kOurs)) {
        if (std::regex_match(include.target, cuda)) {
            const std::string file = include.file.string();
            EXPECT_TRUE(isUnder(file, "profiler/live") || isUnder(file, "profiler/inject"))
                << include.file << " includes " << include.target;
        }
    }
}

TEST(Layering, SqliteOnlyInTheStore)
{
    for (const Include& include : includesUnder(kOurs)) {
        if (include.target == "sqlite3.h") {
            EXPECT_TRUE(isUnder(include.file.string(), "sessions/store")) << include.file;
        }
    }
}

/// What people read may be anybody's text: only app/kloop/streams.* and the writers of whole pages put it out, clean.
TEST(Layering, TheCommandLineWritesThroughItsStreams)
{
    static const std::regex writing(R"(fmt::print\(|std::printf\(|std::puts\()");
    for (const auto& entry : fs::directory_iterator(kRoot / "app/kloop")) {
        if (entry.path().stem() == "streams")
            continue;
        std::ifstream in(entry.path());
        for (std::string line; std::getline(in, line);)
            EXPECT_FALSE(std::regex_search(line, writing)) << entry.path() << ": use printText, printJson or printRaw: " << line;
    }
}

TEST(Layering, EveryHeaderHasPragmaOnceAndLicense)
{
    for (const std::string& folder : kOurs)
        for (const auto& entry : fs::recursive_directory_iterator(kRoot / folder)) {
            if (entry.path().extension() != ".h" && entry.path().extension() != ".cpp")
                continue;
            std::ifstream in(entry.path());
            std::string first;
            std::getline(in, first);
            EXPECT_EQ(first, "// SPDX-License-Identifier: MIT") << entry.path();
            if (entry.path().extension() == ".h") {
                const std::string rest((std::istreambuf_iterator<char>(in)), {});
                EXPECT_NE(rest.find("#pragma once"), std::string::npos) << entry.path();
            }
        }
}

} // namespace
