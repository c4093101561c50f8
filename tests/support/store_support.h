// SPDX-License-Identifier: MIT
#pragma once

#include "sessions/store/store.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <string>

namespace kl::support {

/// A fresh folder that goes away with the test.
class TempDir {
public:
    TempDir() : path_(std::filesystem::temp_directory_path() / ("kl-" + newUuid())) { std::filesystem::create_directories(path_); }
    ~TempDir()
    {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    TempDir(const TempDir&) = delete;
    TempDir& operator=(const TempDir&) = delete;
    std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

inline std::string readBytes(const std::filesystem::path& file)
{
    std::ifstream stream(file, std::ios::binary);
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
}

inline void writeBytes(const std::filesystem::path& file, const std::string& bytes)
{
    std::ofstream(file, std::ios::binary) << bytes;
}

/// An open store, or a failed test.
inline std::unique_ptr<Store> openStore(const std::string& location)
{
    Result<std::unique_ptr<Store>> store = Store::open(location);
    if (!store) {
        ADD_FAILURE() << store.error().message << ' ' << store.error().detail;
        return nullptr;
    }
    return std::move(*store);
}

/// What the store says about itself: the number of rows of a table, the version of the schema.
inline std::string infoValue(const Store& store, const std::string& what)
{
    const auto info = store.info();
    for (const auto& [name, value] : *info)
        if (name == what)
            return value;
    return "absent";
}

/// A right, timed run.
inline RunRecord timedRun(const std::string& id, const std::string& variant, const std::string& at, double ns)
{
    RunRecord run;
    run.id = {id};
    run.kernel = {"transpose", variant, {}};
    run.problem = {{"M", std::int64_t{64}}, {"N", std::int64_t{64}}};
    run.sourceHash = "hash";
    run.device.uuid = "GPU-1";
    run.device.name = "NVIDIA H200";
    run.device.ccMajor = 9;
    run.startedAt = at;
    run.correctness.result = CorrectnessResult::correct;
    run.timing.emplace();
    run.timing->gpu = {ns, ns - 1, ns + 1, 3};
    run.timing->samples = {ns - 1, ns, ns + 1};
    return run;
}

/// The same with metrics, one missing, and a diagnosis.
inline RunRecord profiledRun(const std::string& id, const std::string& variant, const std::string& at, double ns)
{
    RunRecord run = timedRun(id, variant, at, ns);
    run.baseline = Baseline{"device copy of the same bytes", Summary{ns / 4, ns / 4, ns / 4, 5}, {}, {}, {}};
    run.speedup = 0.25;
    run.metrics.emplace();
    run.metrics->values = {{"dram__bytes.sum", 1e9 / 3}, {"sm__cycles_elapsed.max", std::nullopt}};
    run.metrics->missing = {{"sm__cycles_elapsed.max", "not offered by this chip"}, {"lts__t_bytes.sum", "pass limit"}};
    run.metrics->plan = {19, 19};
    run.diagnosis.emplace();
    run.diagnosis->finding.classId = "uncoalesced";
    run.diagnosis->finding.title = "32 sectors per request where 4 would do";
    run.diagnosis->finding.priority = "P0";
    run.diagnosis->finding.estimate = Estimate{0.5, "half"};
    run.diagnosis->finding.path = {{"coalescing", "sectors_per_request", 32.0, 8.0, ">", true}};
    run.diagnosis->secondary.push_back({"occupancy-limited", "", "P2"});
    return run;
}

} // namespace kl::support
