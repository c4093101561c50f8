// SPDX-License-Identifier: MIT
#include "app/kloop/commands.h"
#include "app/kloop/program.h"
#include "app/kloop/render.h"
#include "app/kloop/streams.h"
#include "core/base/resource.h"
#include "kernels/baseline_choice.h"
#include "kernels/descriptor_parser.h"
#include "kernels/user_kernel.h"

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
    Json json{{"id", variant.id}, {"expected", nullptr}};
    if (variant.expected)
        json["expected"] = *variant.expected;
    json["expected_why"] = variant.expectedWhy.empty() ? Json(nullptr) : Json(variant.expectedWhy);
    json["address"] = family.id + '/' + variant.id;
    json["title"] = variant.title;
    json["summary"] = variant.summary;
    json["fixes"] = variant.fixes.empty() ? Json(nullptr) : Json(variant.fixes);
    json["tunables"] = variant.tunables;
    json["targets"] = variant.targets;
    json["when"] = variant.when.empty() ? Json(nullptr) : Json(variant.when);
    return json;
}

Json familyJson(const KernelFamily& family)
{
    Json json{{"id", family.id}, {"family", family.id}, {"title", family.title}, {"baseline", family.baseline.name}};
    json["baselines"] = baselineNames(family);
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
    json["origin"] = nullptr;
    if (!family.origin.empty())
        json["origin"] = {{"descriptor", family.origin.descriptor}, {"sources", family.origin.sources}, {"others", family.origin.others}};
    return json;
}

/// Everything that a request would carry, at every size: data files are read, too.
Status buildAll(const Catalog& catalog, const KernelFamily& family)
{
    std::vector<Params> problems = family.problems;
    problems.push_back(family.smallest);
    problems.insert(problems.end(), family.suite.begin(), family.suite.end());
    for (const Variant& variant : family.variants)
        for (const Params& problem : problems)
            if (const Result<WorkSpec> work = catalog.work({family.id, variant.id, {}}, problem); !work)
                return placedIn(family, work.error());
    return {};
}

int answerFamily(Program& program, const KernelFamily& family, const char* done)
{
    if (!program.printed({{"schema", "kernelloop.kernel/1"}, {"done", done}, {"kernel", familyJson(family)}})) {
        printText("{} {}  ({})\n", done, family.id, family.origin.descriptor);
        for (const Variant& variant : family.variants)
            printText("  {}/{}  {}\n", family.id, variant.id, variant.title);
    }
    return 0;
}

} // namespace

Result<int> commandKernels(Program& program, const Options&)
{
    const Result<const Catalog*> catalog = program.catalog();
    if (!catalog)
        return catalog.error();
    Json answer{{"schema", "kernelloop.kernels/1"}, {"kernels", Json::array()}, {"broken", Json::array()}};
    for (const KernelFamily& family : (*catalog)->families())
        answer["kernels"].push_back(familyJson(family));
    for (const BrokenKernel& broken : program.brokenKernels())
        answer["broken"].push_back({{"path", broken.path}, {"error", errorToJson(broken.error)["error"]}});
    if (!program.printed(answer))
        printText("{}", renderKernels(**catalog));
    return 0;
}

Result<int> commandKernelsAdd(Program& program, const Options& options)
{
    const Result<Store*> store = program.store();
    if (!store)
        return store.error();
    const Result<KernelFamily> family = registerKernel(**store, options.userKernels.path);
    return family ? Result<int>(answerFamily(program, *family, "registered")) : Result<int>(family.error());
}

Result<int> commandKernelsRemove(Program& program, const Options& options)
{
    const Result<Store*> store = program.store();
    if (!store)
        return store.error();
    const Result<std::string> removed = unregisterKernel(**store, options.userKernels.path);
    if (!removed)
        return removed.error();
    if (!program.printed({{"schema", "kernelloop.kernel/1"}, {"done", "removed"}, {"path", *removed}}))
        printText("removed {}; its files and runs are left alone\n", *removed);
    return 0;
}

Result<int> commandKernelsCheck(Program& program, const Options& options)
{
    Result<KernelFamily> family = loadKernel(options.userKernels.path);
    if (!family)
        return family.error();
    const Result<const Catalog*> known = program.catalog();
    if (!known)
        return known.error();
    Catalog catalog = **known;
    if (const Status added = catalog.add(*family); !added)
        return added.error();
    if (const Status built = buildAll(catalog, *family); !built)
        return built.error();
    return answerFamily(program, *family, "sound");
}

Result<int> commandKernelsSchema(Program&, const Options&)
{
    const Result<std::string_view> schema = resource(kDescriptorSchema);
    if (!schema)
        return schema.error();
    printRaw(*schema);
    return 0;
}

} // namespace kl
