// SPDX-License-Identifier: MIT
#include "sessions/search/packed_search.h"

#include "core/codec/json.h"
#include "sessions/store/blob.h"
#include "sessions/store/search_records.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl::inline search {

std::string packSearch(SearchRecord record)
{
    for (SearchTrial& trial : record.trials)
        for (auto& [name, value] : trial.metrics)
            value = std::stod(fmt::format("{:.4e}", value));
    record.host.clear();
    record.deviceUuid.clear();
    if (record.best) {
        record.best->run.clear();
        record.best->comparison.clear();
        record.best->profile.clear();
    }
    return packBytes(encode(searchRecordToJson(record)));
}

} // namespace kl::inline search
