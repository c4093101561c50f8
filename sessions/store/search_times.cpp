// SPDX-License-Identifier: MIT
#include "sessions/store/search_times.h"

#include "core/codec/json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <optional>

namespace kl::inline store {
namespace {

constexpr const char* kTimesSchema = "kernelloop.search-times/1";

std::string rowName(const std::string& device, const std::string& kernel, const std::string& problem)
{
    return fmt::format("search-times/{}/{}/{}", device, kernel, problem);
}

/// Unset where it is not what saveSearchTimes() wrote.
std::optional<std::map<std::string, double>> timesIn(const Json& json)
{
    if (!json.is_object() || json.value("schema", Json()) != kTimesSchema || !json.contains("ns") || !json["ns"].is_object())
        return {};
    std::map<std::string, double> times;
    for (const auto& [address, ns] : json["ns"].items()) {
        if (!ns.is_number() || !(ns.get<double>() > 0))
            return {};
        times[address] = ns.get<double>();
    }
    return times;
}

} // namespace

std::pair<std::string, std::string> makeArtifact(const SearchTimes& times)
{
    return {rowName(times.device, times.kernel, times.problem), encode(Json{{"schema", kTimesSchema}, {"ns", times.ns}})};
}

Status saveSearchTimes(Store& store, const SearchTimes& times)
{
    const auto [name, content] = makeArtifact(times);
    return store.saveArtifact(name, content);
}

Result<std::map<std::string, double>> loadSearchTimes(const Store& store, const std::string& device, const std::string& kernel,
                                                      const std::string& problem)
{
    const std::string name = rowName(device, kernel, problem);
    const Result<std::string> text = store.artifact(name);
    if (!text)
        return text.error().code == ErrorCode::notFound ? Result<std::map<std::string, double>>(std::map<std::string, double>())
                                                        : Result<std::map<std::string, double>>(text.error());
    const Result<Json> json = parseJson(*text, name);
    std::optional<std::map<std::string, double>> times = json ? timesIn(*json) : std::nullopt;
    if (!times)
        return Error{.code = ErrorCode::badInput,
                     .message = "The times of an earlier search are damaged.",
                     .hint = "Check the database. A new search of this kernel replaces them.",
                     .where = name,
                     .detail = json ? std::string() : json.error().message}
            .leadTo({StepId::checkDatabase});
    return std::move(*times);
}

} // namespace kl::inline store
