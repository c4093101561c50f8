// SPDX-License-Identifier: MIT
// The layering rule of HACKING.md, checked over the text of every source: which folder may include which.

#include "tests/core/support/source_tree.h"

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

using kl::test::kRoot;

using Folders = std::set<std::string>;

/// What the layers above the profiler may include of what is below them: never profiler/live.
const Folders kBelowSessions = {"core",
                                "kernels",
                                "profiler/protocol",
                                "profiler/collector.h",
                                "profiler/gpu_lock.h",
                                "profiler/client",
                                "profiler/replay",
                                "profiler/device",
                                "profiler/import",
                                "profiler/program"};

Folders operator+(Folders all, const Folders& more)
{
    all.insert(more.begin(), more.end());
    return all;
}

/// What a page is made of.
const Folders kPartsOfPages = {"sessions", "ui/style", "ui/jobs", "ui/widgets", "ui/charts", "ui/models", "ui/context", "ui/import"};

/// What a folder of the command line may include: everything below the command line, and these folders of it.
Folders withKloop(const std::vector<std::string>& folders)
{
    Folders allowed = kBelowSessions + Folders{"sessions"};
    for (const std::string& folder : folders)
        allowed.insert("app/kloop/" + folder);
    return allowed;
}

/// What a folder of the live worker may include: what lies below the worker, and these folders of it.
Folders withLive(const std::vector<std::string>& folders)
{
    Folders allowed = {"core", "kernels", "profiler/protocol", "profiler/collector.h"};
    for (const std::string& folder : folders)
        allowed.insert("profiler/live/" + folder);
    return allowed;
}

/// Folder (longest prefix wins) to the folders whose headers it may include.
const std::map<std::string, Folders> kMayInclude = {
    {"core/base", {"core/base"}},
    {"core/process", {"core/base", "core/process"}},
    {"core/model", {"core/base", "core/model"}},
    {"core/sass", {"core/base", "core/process", "core/model", "core/sass"}},
    {"core/stats", {"core/base", "core/model", "core/stats"}},
    {"core/codec", {"core/base", "core/model", "core/stats", "core/codec"}},
    {"core/timeline", {"core/base", "core/model", "core/stats", "core/codec", "core/timeline"}},
    {"core/device", {"core/base", "core/model", "core/codec", "core/device"}},
    {"core/diagnosis", {"core/base", "core/model", "core/stats", "core/codec", "core/device", "core/diagnosis"}},
    {"core/search", {"core/base", "core/device", "core/search"}},
    {"core/plot", {"core/base", "core/diagnosis", "core/plot"}},
    {"kernels", {"core", "kernels"}},
    {"kernels/model", {"core", "kernels/model"}},
    {"kernels/data", {"core", "kernels/model", "kernels/data"}},
    {"kernels/reference", {"core", "kernels/model", "kernels/data", "kernels/reference"}},
    {"kernels/space", {"core", "kernels/model", "kernels/variant_choice.h", "kernels/work_builder.h", "kernels/space"}},
    {"profiler",
     {"core", "kernels", "profiler/protocol", "profiler/collector.h", "profiler/expected_request.h", "profiler/gpu_lock.h",
      "profiler/stall_watch.h"}},
    {"profiler/protocol", {"core", "kernels", "profiler/protocol"}},
    {"profiler/client", {"core", "kernels", "profiler/protocol", "profiler/collector.h", "profiler/client"}},
    {"profiler/replay", {"core", "kernels", "profiler/protocol", "profiler/collector.h", "profiler/replay"}},
    {"profiler/remote", {"core", "profiler/protocol", "profiler/collector.h", "profiler/client", "profiler/remote"}},
    {"profiler/device",
     {"core", "kernels", "profiler/protocol", "profiler/collector.h", "profiler/expected_request.h", "profiler/client", "profiler/replay",
      "profiler/remote", "profiler/device"}},
    {"profiler/import", {"core", "kernels", "profiler/protocol", "profiler/collector.h", "profiler/import"}},
    {"profiler/live", {"core", "kernels", "profiler/protocol", "profiler/collector.h", "profiler/gpu_lock.h", "profiler/live"}},
    {"profiler/live/host", withLive({"host"})},
    {"profiler/live/ptx", withLive({"ptx"})},
    {"profiler/live/python", withLive({"python"})},
    {"profiler/live/nvml", withLive({"host", "nvml"})},
    {"profiler/live/cuda", withLive({"host", "cuda"})},
    {"profiler/live/cupti", withLive({"host", "cupti"})},
    {"profiler/live/nvrtc", withLive({"host", "nvrtc"})},
    {"profiler/live/baselines", withLive({"host", "baselines"})},
    {"profiler/live/env", withLive({"host", "python", "nvml", "env"})},
    {"profiler/live/proof", withLive({"ptx", "cuda", "nvrtc", "proof"})},
    {"profiler/live/work", withLive({"host", "ptx", "nvml", "cuda", "cupti", "nvrtc", "baselines", "work"})},
    {"profiler/live/session", withLive({"python", "nvml", "cupti", "nvrtc", "proof", "work", "session"})},
    {"profiler/live/measure", withLive({"host", "ptx", "python", "cupti", "proof", "work", "session", "measure"})},
    {"profiler/live/backend", withLive({"python", "env", "backend"})},
    {"profiler/program", {"core", "profiler/protocol", "profiler/collector.h", "profiler/gpu_lock.h", "profiler/program"}},
    {"profiler/inject", {"core", "profiler/protocol", "profiler/live", "profiler/inject"}},

    // The trunk: store, measure, session, patterns, learning, subject, engine, report. What a subject needs is below it.
    {"sessions/store", {"core", "sessions/store"}},
    {"sessions/target", {"core", "kernels", "profiler/protocol", "sessions/target"}},
    {"sessions/measure",
     {"core", "kernels", "profiler/protocol", "profiler/collector.h", "profiler/expected_request.h", "sessions/store", "sessions/target",
      "sessions/measure"}},
    {"sessions/session", {"core", "kernels", "sessions/store", "sessions/measure", "sessions/session"}},
    {"sessions/engine",
     {"core", "kernels", "profiler/protocol", "profiler/collector.h", "sessions/store", "sessions/measure", "sessions/session",
      "sessions/edit", "sessions/sanitize", "sessions/target", "sessions/subject", "sessions/bisect", "sessions/engine"}},
    {"sessions/subject",
     {"core", "kernels", "profiler/protocol", "profiler/collector.h", "profiler/gpu_lock.h", "profiler/client", "profiler/device",
      "sessions/store", "sessions/measure", "sessions/session", "sessions/learning", "sessions/edit", "sessions/sanitize",
      "sessions/bisect", "sessions/program", "sessions/import", "sessions/search", "sessions/target", "sessions/subject"}},
    {"sessions/patterns", {"core", "sessions/store", "sessions/session", "sessions/patterns"}},
    {"sessions/learning",
     {"core", "kernels", "profiler/collector.h", "profiler/replay", "profiler/device", "sessions/store", "sessions/hosts",
      "sessions/measure", "sessions/session", "sessions/patterns", "sessions/learning"}},
    {"sessions/report",
     {"core", "kernels", "sessions/store", "sessions/measure", "sessions/session", "sessions/engine", "sessions/patterns",
      "sessions/learning", "sessions/report"}},
    // What the subject and the engine do their work with, and the branches.
    {"sessions/edit", {"core", "kernels", "profiler/client", "sessions/target", "sessions/edit"}},
    {"sessions/sanitize", {"core", "kernels", "profiler/collector.h", "profiler/client", "profiler/device", "sessions/sanitize"}},
    {"sessions/confusion", {"core", "kernels", "profiler/import", "sessions/confusion"}},
    {"sessions/bisect",
     {"core", "kernels", "profiler/protocol", "profiler/collector.h", "sessions/measure", "sessions/edit", "sessions/bisect"}},
    {"sessions/search",
     {"core", "kernels", "profiler/protocol", "profiler/collector.h", "profiler/expected_request.h", "sessions/store", "sessions/measure",
      "sessions/search"}},
    {"sessions/hosts", {"core", "profiler/protocol", "profiler/device", "profiler/remote/host_trouble.h", "sessions/hosts"}},
    {"sessions/diagnostics",
     {"core", "kernels", "profiler/protocol", "sessions/store", "sessions/measure", "sessions/hosts", "sessions/diagnostics"}},
    {"sessions/trust", {"core", "kernels", "profiler/client", "sessions/measure", "sessions/target", "sessions/trust"}},
    {"sessions/program",
     {"core", "kernels", "profiler/protocol", "profiler/collector.h", "profiler/gpu_lock.h", "profiler/program", "sessions/measure",
      "sessions/learning", "sessions/program"}},
    {"sessions/import",
     {"core", "kernels", "profiler/collector.h", "profiler/import", "sessions/store", "sessions/measure", "sessions/learning",
      "sessions/program", "sessions/import"}},
    {"sessions/shipped", {"core", "kernels/data", "sessions/store", "sessions/learning", "sessions/shipped"}},

    {"ui/style", {"ui/style"}},
    {"ui/jobs", {"core", "profiler/collector.h", "ui/jobs"}},
    {"ui/widgets", kBelowSessions + Folders{"sessions", "ui/style", "ui/jobs", "ui/widgets"}},
    {"ui/charts", {"core", "ui/style", "ui/widgets", "ui/charts"}},
    {"ui/charts/geometry", {"ui/charts/geometry"}},
    {"ui/models", {"core", "sessions", "ui/style", "ui/widgets", "ui/models"}},
    {"ui/context", kBelowSessions + Folders{"sessions", "ui/style", "ui/jobs", "ui/widgets", "ui/context"}},
    {"ui/import", {"core", "sessions", "ui/widgets", "ui/context", "ui/import"}},
    {"ui/pages", kBelowSessions + kPartsOfPages + Folders{"ui/pages"}},
    {"ui/pages/shared", kBelowSessions + kPartsOfPages + Folders{"ui/pages/shared"}},
    {"ui/pages/calculate", kBelowSessions + kPartsOfPages + Folders{"ui/pages/shared", "ui/pages/calculate"}},
    {"ui/pages/compare", kBelowSessions + kPartsOfPages + Folders{"ui/pages/shared", "ui/pages/compare"}},
    {"ui/pages/diagnose", kBelowSessions + kPartsOfPages + Folders{"ui/pages/shared", "ui/pages/diagnose"}},
    {"ui/pages/environment", kBelowSessions + kPartsOfPages + Folders{"ui/pages/shared", "ui/pages/environment"}},
    {"ui/pages/home", kBelowSessions + kPartsOfPages + Folders{"ui/pages/shared", "ui/pages/home"}},
    {"ui/pages/history", kBelowSessions + kPartsOfPages + Folders{"ui/pages/shared", "ui/pages/history"}},
    {"ui/pages/kernels", kBelowSessions + kPartsOfPages + Folders{"ui/pages/shared", "ui/pages/kernels"}},
    {"ui/pages/patterns", kBelowSessions + kPartsOfPages + Folders{"ui/pages/shared", "ui/pages/patterns"}},
    {"ui/pages/search", kBelowSessions + kPartsOfPages + Folders{"ui/pages/shared", "ui/pages/search"}},
    {"ui/pages/session", kBelowSessions + kPartsOfPages + Folders{"ui/pages/shared", "ui/pages/session"}},
    {"ui/tour", {"sessions", "ui/style", "ui/widgets", "ui/tour"}},
    {"ui/window", kPartsOfPages + Folders{"core", "ui/pages", "ui/tour", "ui/window"}},
    {"ui/window/preferences", kPartsOfPages + Folders{"core", "ui/window/preferences"}},
    {"ui/window/tools", kPartsOfPages + Folders{"core", "ui/window/tools"}},

    {"app/worker",
     {"core", "kernels", "profiler/protocol", "profiler/collector.h", "profiler/client", "profiler/replay", "profiler/live",
      "profiler/program", "profiler/remote", "app/worker"}},
    {"app/kloop", withKloop({"command_line.h", "commands.h", "mistakes.h", "common", "terminal"})},
    {"app/kloop/terminal", withKloop({"terminal"})},
    {"app/kloop/render", withKloop({"terminal", "render"})},
    {"app/kloop/common", withKloop({"terminal", "render", "common"})},
    {"app/kloop/measure", withKloop({"terminal", "render", "common", "measure"})},
    {"app/kloop/diagnose", withKloop({"terminal", "render", "common", "diagnose"})},
    {"app/kloop/improve", withKloop({"terminal", "render", "common", "improve"})},
    {"app/kloop/session", withKloop({"terminal", "render", "common", "session"})},
    {"app/kloop/search", withKloop({"terminal", "render", "common", "search"})},
    {"app/kloop/history", withKloop({"terminal", "render", "common", "history"})},
    {"app/kloop/machine", withKloop({"terminal", "render", "common", "machine"})},
    {"app/kernelloop",
     kBelowSessions + Folders{"sessions", "ui", "app/kernelloop", "app/kloop/terminal/interrupts.h", "app/kloop/terminal/step_commands.h"}},
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
                if (std::smatch match; line.find('#') != std::string::npos && std::regex_search(line, match, directive))
                    all.push_back({fs::relative(entry.path(), kRoot), match[2], match[1] == "<"});
        }
    return all;
}

bool isUnder(const std::string& path, const std::string& folder)
{
    return path == folder || path.starts_with(folder + '/');
}

const Folders& allowedFor(const std::string& file)
{
    const Folders* best = nullptr;
    std::size_t length = 0;
    for (const auto& [folder, allowed] : kMayInclude)
        if (isUnder(file, folder) && folder.size() >= length) {
            best = &allowed;
            length = folder.size();
        }
    static const Folders none;
    return best ? *best : none;
}

/// The folder in which a file and what it includes part ways, and the part of it that each is in; "." for the folder's own files.
struct Parting {
    std::string folder; ///< empty: two top-level folders
    std::string from;
    std::string to;
};

Parting findParting(const Include& include)
{
    const std::vector<fs::path> file(include.file.begin(), include.file.end());
    const fs::path target(include.target);
    const std::vector<fs::path> other(target.begin(), target.end());
    Parting parting;
    std::size_t i = 0;
    for (; i + 1 < file.size() && i + 1 < other.size() && file[i] == other[i]; ++i)
        parting.folder += (i == 0 ? "" : "/") + file[i].string();
    parting.from = i + 1 < file.size() ? file[i].string() : ".";
    parting.to = i + 1 < other.size() ? other[i].string() : ".";
    return parting;
}

/// What of a folder includes what, with one of the includes that do.
using Parts = std::map<std::string, std::map<std::string, Include>>;

bool leadsTo(const Parts& parts, const std::string& from, const std::string& to, Folders& seen)
{
    const auto found = parts.find(from);
    if (found == parts.end() || !seen.insert(from).second)
        return false;
    return std::any_of(found->second.begin(), found->second.end(),
                       [&](const auto& next) { return next.first == to || leadsTo(parts, next.first, to, seen); });
}

/// For each two parts of a folder that include each other, directly or in a circle: the folder, and one include that makes it so.
std::vector<std::pair<std::string, Include>> circlesIn(const std::vector<Include>& includes)
{
    std::map<std::string, Parts> folders;
    for (const Include& include : includes)
        if (const Parting parting = findParting(include); !include.angled && !parting.folder.empty() && parting.from != parting.to)
            folders[parting.folder][parting.from].try_emplace(parting.to, include);
    std::vector<std::pair<std::string, Include>> circles;
    for (const auto& [folder, parts] : folders)
        for (const auto& [from, included] : parts)
            for (const auto& [to, include] : included)
                if (Folders seen; leadsTo(parts, to, from, seen))
                    circles.emplace_back(folder, include);
    return circles;
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

/// A folder without a row would have the freedom of the one around it.
TEST(Layering, EveryFolderOfSourcesHasARow)
{
    std::set<std::string> folders;
    for (const std::string& folder : kOurs)
        for (const auto& entry : fs::recursive_directory_iterator(kRoot / folder))
            if (entry.path().extension() == ".h" || entry.path().extension() == ".cpp")
                folders.insert(fs::relative(entry.path().parent_path(), kRoot).string());
    for (const std::string& folder : folders)
        EXPECT_TRUE(kMayInclude.contains(folder)) << folder;
    for (const auto& [folder, allowed] : kMayInclude)
        EXPECT_TRUE(fs::is_directory(kRoot / folder)) << folder << " has a row and is not there";
}

TEST(Layering, NoFoldersIncludeEachOther)
{
    std::vector<std::string> all = kOurs;
    all.push_back("tests");
    for (const auto& [folder, include] : circlesIn(includesUnder(all)))
        ADD_FAILURE() << folder << ": a circle through " << include.file << ", which includes " << include.target;
}

TEST(Layering, CirclesOfFoldersAreFound)
{
    std::vector<Include> includes = {
        {"a/low/x.h", "a/low/y.h"}, {"a/mid/x.cpp", "a/low/x.h"}, {"a/x.cpp", "a/mid/x.h"}, {"b/x.h", "a/x.h"}};
    EXPECT_TRUE(circlesIn(includes).empty());

    includes.push_back({"a/low/deep/z.cpp", "a/x.h"}); // low, the folder's own files, mid, low
    auto circles = circlesIn(includes);
    ASSERT_EQ(circles.size(), 3U);
    EXPECT_EQ(circles[0].first, "a");
    EXPECT_EQ(circles[1].second.target, "a/x.h");

    includes.pop_back();
    includes.push_back({"a/low/deep/z.cpp", "a/low/wide/z.h"});
    includes.push_back({"a/low/wide/z.h", "a/low/deep/z.h"});
    circles = circlesIn(includes);
    ASSERT_EQ(circles.size(), 2U);
    EXPECT_EQ(circles[0].first, "a/low");
    EXPECT_EQ(circles[0].second.file, "a/low/deep/z.cpp");
}

/// Code that starts a worker or opens the recorded sample itself ignores --on.
TEST(Layering, DevicesAreOpenedInOnePlace)
{
    for (const char* folder : {"sessions", "ui", "app"})
        for (const auto& entry : fs::recursive_directory_iterator(kRoot / folder)) {
            if (entry.path().extension() != ".h" && entry.path().extension() != ".cpp")
                continue;
            std::ifstream in(entry.path());
            const std::string text((std::istreambuf_iterator<char>(in)), {});
            for (const char* call : {"startWorker(", "openRemote(", "openSample(", "openSlurm(", "openSpread("})
                EXPECT_EQ(text.find(call), std::string::npos) << entry.path() << ": use openDevice, not " << call;
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

TEST(Layering, OneFolderStartsPrograms)
{
    for (const std::string& folder : kOurs)
        for (const auto& entry : fs::recursive_directory_iterator(kRoot / folder)) {
            const std::string extension = entry.path().extension().string();
            if ((extension != ".h" && extension != ".cpp") || entry.path().parent_path() == kRoot / "core/process")
                continue;
            std::ifstream in(entry.path());
            const std::string text((std::istreambuf_iterator<char>(in)), {});
            for (const char* call : {"posix_spawn", " fork(", ":fork(", "vfork(", "popen(", "execv", "execl", "std::system("})
                EXPECT_EQ(text.find(call), std::string::npos) << entry.path() << ": use core/process, not " << call;
        }
}

/// What people read may be anybody's text: only app/kloop/terminal/streams.* and the writers of whole pages put it out, clean.
TEST(Layering, TheCommandLineWritesThroughItsStreams)
{
    for (const auto& entry : fs::recursive_directory_iterator(kRoot / "app/kloop")) {
        if (!entry.is_regular_file() || entry.path().stem() == "streams")
            continue;
        std::ifstream in(entry.path());
        const std::string text((std::istreambuf_iterator<char>(in)), {});
        for (const char* call : {"fmt::print(", "std::printf(", "std::puts("})
            EXPECT_EQ(text.find(call), std::string::npos) << entry.path() << ": use printText, printJson or printRaw, not " << call;
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
