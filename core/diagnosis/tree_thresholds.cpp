// SPDX-License-Identifier: MIT
#include "core/diagnosis/tree_thresholds.h"

#include "core/base/try.h"
#include "core/base/write_file.h"
#include "core/codec/json.h"
#include "core/diagnosis/quantities.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl::inline diagnosis {
namespace {

constexpr int kValuePlace = 2; ///< place in [quantity, sense, value]

/// A tree was checked when it was read.
Json parseTreeSource(const DiagnosisTree& tree)
{
    return Json::parse(tree.source());
}

void addConditions(const Json& node, const std::string& place, bool unless, const Json& conditions, std::vector<TreeThreshold>& all)
{
    for (std::size_t i = 0; i < conditions.size(); ++i) {
        const Json& condition = conditions[i];
        const Quantity* quantity = findQuantity(condition[0].get<std::string>());
        all.push_back({fmt::format("{}/{}/{}", place, i, kValuePlace), node["id"], node["title"], node["class"],
                       std::string(quantity->title), std::string(quantity->how), condition[1], std::string(quantity->unit), unless,
                       condition[kValuePlace]});
    }
}

} // namespace

std::vector<TreeThreshold> listThresholds(const DiagnosisTree& tree)
{
    std::vector<TreeThreshold> all;
    const Json text = parseTreeSource(tree);
    const Json& nodes = text["nodes"];
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        const Json& ways = nodes[n]["any"];
        for (std::size_t w = 0; w < ways.size(); ++w)
            for (const char* field : {"all", "unless"})
                if (const auto conditions = ways[w].find(field); conditions != ways[w].end())
                    addConditions(nodes[n], fmt::format("/nodes/{}/any/{}/{}", n, w, field), field == std::string_view("unless"),
                                  *conditions, all);
    }
    return all;
}

Result<DiagnosisTree> withThresholds(const DiagnosisTree& tree, const std::map<std::string, double>& values)
{
    Json text = parseTreeSource(tree);
    for (const auto& [place, value] : values) {
        const Json::json_pointer at(place);
        if (!text.contains(at) || !text[at].is_number())
            return Error{.code = ErrorCode::badInput,
                         .message = fmt::format("The tree has no threshold at {}.", place),
                         .hint = "Take the places of the tree itself.",
                         .where = place};
        text[at] = value;
    }
    return DiagnosisTree::parse(encodePretty(text) + "\n", teamTreeFile().string());
}

Status saveTeamTree(const DiagnosisTree& tree)
{
    const std::filesystem::path file = teamTreeFile();
    KL_ASSIGN(const DiagnosisTree builtIn, DiagnosisTree::loadEmbedded());
    std::error_code trouble;
    if (parseTreeSource(tree) == parseTreeSource(builtIn)) {
        std::filesystem::remove(file, trouble);
        return {};
    }
    std::filesystem::create_directories(file.parent_path(), trouble);
    return writeFile(file, tree.source());
}

} // namespace kl::inline diagnosis
