// SPDX-License-Identifier: MIT
#include "profiler/program/program_gpus.h"

#include "core/base/try.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <sstream>
#include <string_view>

namespace kl::inline program_runs {
namespace {

struct ListedGpu {
    std::string place; ///< on the PCI bus: "0000:18:00.0"
    std::string model;
    std::string uuid;
};

/// The value of "Name: <tab> value".
std::string parseLineValue(const std::string& line)
{
    const std::size_t at = line.find_first_not_of(" \t", line.find(':') + 1);
    return at == std::string::npos ? std::string() : line.substr(at);
}

/// In order on the PCI bus, which is CUDA's order for GPUs of one model.
std::vector<ListedGpu> readListedGpus(const std::filesystem::path& folder)
{
    std::vector<ListedGpu> gpus;
    std::error_code failed;
    for (const auto& entry : std::filesystem::directory_iterator(folder, failed)) {
        ListedGpu gpu{entry.path().filename().string(), {}, {}};
        std::ifstream in(entry.path() / "information");
        for (std::string line; std::getline(in, line);) {
            if (line.starts_with("Model:"))
                gpu.model = parseLineValue(line);
            else if (line.starts_with("GPU UUID:"))
                gpu.uuid = parseLineValue(line);
        }
        if (!gpu.uuid.empty())
            gpus.push_back(std::move(gpu));
    }
    std::ranges::sort(gpus, {}, &ListedGpu::place);
    return gpus;
}

/// The one that an entry of CUDA_VISIBLE_DEVICES names; unset where that is not known.
std::optional<std::string> findChosenGpu(const std::vector<ListedGpu>& gpus, const std::string& entry)
{
    if (entry.starts_with("GPU-")) {
        const auto found = std::ranges::find_if(gpus, [&](const ListedGpu& gpu) { return gpu.uuid.starts_with(entry); });
        return found == gpus.end() ? std::nullopt : std::optional(found->uuid);
    }
    std::size_t number = 0;
    const auto [end, problem] = std::from_chars(entry.data(), entry.data() + entry.size(), number);
    const bool alike = std::ranges::all_of(gpus, [&](const ListedGpu& gpu) { return gpu.model == gpus.front().model; });
    if (problem != std::errc() || end != entry.data() + entry.size() || number >= gpus.size() || !alike)
        return {};
    return gpus[number].uuid;
}

std::string visibleGpus(const std::vector<std::string>& variables)
{
    constexpr std::string_view kName = "CUDA_VISIBLE_DEVICES=";
    for (const std::string& variable : variables)
        if (variable.starts_with(kName))
            return variable.substr(kName.size());
    const char* own = std::getenv("CUDA_VISIBLE_DEVICES");
    return own ? own : "";
}

} // namespace

std::vector<std::string> listProgramGpus(const std::string& visible, const std::filesystem::path& folder)
{
    const std::vector<ListedGpu> gpus = readListedGpus(folder);
    std::vector<std::string> all, some;
    for (const ListedGpu& gpu : gpus)
        all.push_back(gpu.uuid);
    std::ranges::sort(all);
    std::istringstream entries(visible);
    for (std::string entry; std::getline(entries, entry, ',');) {
        const std::optional<std::string> uuid = findChosenGpu(gpus, entry);
        if (!uuid)
            return all;
        some.push_back(*uuid);
    }
    std::ranges::sort(some);
    some.erase(std::unique(some.begin(), some.end()), some.end());
    return some.empty() ? all : some;
}

Result<std::vector<GpuLock>> lockGpus(const std::vector<std::string>& variables, const Job& job)
{
    std::vector<GpuLock> locks;
    for (const std::string& uuid : listProgramGpus(visibleGpus(variables))) { // sorted: two programs take them in the same order
        KL_ASSIGN(GpuLock lock, GpuLock::take(uuid, job));
        locks.push_back(std::move(lock));
    }
    return locks;
}

} // namespace kl::inline program_runs
