// SPDX-License-Identifier: MIT
#include "app/kloop/commands.h"
#include "app/kloop/program.h"
#include "app/kloop/render.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl {
namespace {

Json valueJson(const ParamValue& value)
{
    return std::visit([](const auto& held) { return Json(held); }, value);
}

Json textsOf(const std::vector<Params>& list)
{
    Json array = Json::array();
    for (const Params& params : list)
        array.push_back(toText(params));
    return array;
}

Json variantJson(const KernelFamily& family, const Variant& variant)
{
    Json json{{"id", variant.id}, {"planted", nullptr}};
    if (variant.planted)
        json["planted"] = *variant.planted;
    json["address"] = family.id + '/' + variant.id;
    json["title"] = variant.title;
    json["summary"] = variant.summary;
    json["mends"] = variant.mends.empty() ? Json(nullptr) : Json(variant.mends);
    json["tunables"] = variant.tunables;
    return json;
}

Json familyJson(const KernelFamily& family)
{
    Json json{{"id", family.id}, {"family", family.id}, {"title", family.title}, {"baseline", family.baseline.name}};
    json["smallest_problem"] = toText(family.smallest);
    json["suite"] = textsOf(family.suite);
    json["variants"] = Json::array();
    for (const Variant& variant : family.variants)
        json["variants"].push_back(variantJson(family, variant));
    json["tunables"] = Json::array();
    for (const Tunable& tunable : family.tunables) {
        Json values = Json::array();
        for (const ParamValue& value : tunable.values)
            values.push_back(valueJson(value));
        json["tunables"].push_back(
            {{"name", tunable.name}, {"values", values}, {"default", valueJson(tunable.defaultValue)}, {"help", tunable.help}});
    }
    json["problems"] = textsOf(family.problems);
    return json;
}

} // namespace

Result<int> commandKernels(Program& program, const Options&)
{
    const Result<const Catalogue*> catalogue = program.catalogue();
    if (!catalogue)
        return catalogue.error();
    Json answer{{"schema", "kernelloop.kernels/1"}, {"kernels", Json::array()}};
    for (const KernelFamily& family : (*catalogue)->families())
        answer["kernels"].push_back(familyJson(family));
    if (!program.printed(answer))
        fmt::print("{}", renderKernels(**catalogue));
    return 0;
}

} // namespace kl
