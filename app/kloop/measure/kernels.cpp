// SPDX-License-Identifier: MIT
#include "app/kloop/common/arguments.h"
#include "app/kloop/common/program.h"
#include "app/kloop/render/render.h"
#include "app/kloop/terminal/streams.h"
#include "core/base/resource.h"
#include "core/base/try.h"
#include "kernels/baseline_choice.h"
#include "kernels/descriptor_parser.h"
#include "kernels/user_kernel.h"
#include "sessions/target/target_family.h"
#include "sessions/target/target_file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kl::cli {
namespace {

Json valueJson(const ParamValue& value)
{
    return std::visit([](const auto& held) { return Json(held); }, value);
}

Json textsToJson(const std::vector<Params>& list)
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
    json["fault"] = variant.fault.empty() ? Json(nullptr) : Json(variant.fault);
    json["targets"] = variant.targets;
    json["when"] = variant.when.empty() ? Json(nullptr) : Json(variant.when);
    return json;
}

Json familyJson(const KernelFamily& family)
{
    Json json{{"id", family.id}, {"family", family.id}, {"title", family.title}, {"baseline", family.baseline.name}};
    json["baselines"] = baselineNames(family);
    json["smallest_problem"] = toText(family.smallest);
    json["suite"] = textsToJson(family.suite);
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
    json["problems"] = textsToJson(family.problems);
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
                return placeError(family, work.error());
    return {};
}

int answerFamily(Program& program, const KernelFamily& family, const char* done)
{
    if (!program.printAsJson({{"schema", "kernelloop.kernel/1"}, {"done", done}, {"kernel", familyJson(family)}})) {
        printText("{} {}  ({})\n", done, family.id, family.origin.descriptor);
        for (const Variant& variant : family.variants)
            printText("  {}/{}  {}\n", family.id, variant.id, variant.title);
    }
    return 0;
}

Result<int> listKernels(Program& program)
{
    KL_ASSIGN(const Catalog* catalog, program.catalog());
    Json answer{{"schema", "kernelloop.kernels/1"}, {"kernels", Json::array()}, {"programs", Json::array()}, {"broken", Json::array()}};
    for (const KernelFamily& family : catalog->families())
        answer["kernels"].push_back(familyJson(family));
    for (const KernelFamily& family : catalog->programs())
        answer["programs"].push_back(familyJson(family));
    for (const BrokenKernel& broken : program.brokenKernels())
        answer["broken"].push_back({{"path", broken.path}, {"error", errorToJson(broken.error)["error"]}});
    if (!program.printAsJson(answer))
        printText("{}", renderKernels(*catalog));
    return 0;
}

Result<int> addKernel(Program& program, const std::string& path)
{
    KL_ASSIGN(auto* store, program.store());
    const Result<KernelFamily> family = registerKernel(*store, path);
    return family ? Result<int>(answerFamily(program, *family, "registered")) : Result<int>(family.error());
}

Result<int> removeKernel(Program& program, const std::string& kernel)
{
    KL_ASSIGN(auto* store, program.store());
    KL_ASSIGN(const std::string removed, unregisterKernel(*store, kernel));
    if (!program.printAsJson({{"schema", "kernelloop.kernel/1"}, {"done", "removed"}, {"path", removed}}))
        printText("Removed {}; its files and runs are kept.\n", removed);
    return 0;
}

Result<int> checkKernel(Program& program, const std::string& path)
{
    KL_ASSIGN(KernelFamily family, loadFamily(path));
    KL_ASSIGN(const Catalog* known, program.catalog());
    Catalog catalog = *known;
    KL_TRY(catalog.add(family));
    if (!family.isProgram()) // whose formulas were evaluated when it was read
        KL_TRY(buildAll(catalog, family));
    return answerFamily(program, family, "sound");
}

Result<int> printSchema(bool project)
{
    KL_ASSIGN(const std::string_view schema, resource(project ? kProjectSchema : kDescriptorSchema));
    printRaw(schema);
    return 0;
}

constexpr const char* kDescriptorHelp = "Its kernel.json, a kernelloop.json with a target, or the folder that holds one";

Runner addKernelsList(CLI::App&)
{
    return listKernels;
}

Runner addKernelsAdd(CLI::App& app)
{
    const auto path = std::make_shared<std::string>();
    app.add_option("PATH", *path, kDescriptorHelp)->required();
    return [path](Program& program) { return addKernel(program, *path); };
}

Runner addKernelsRemove(CLI::App& app)
{
    const auto kernel = std::make_shared<std::string>();
    app.add_option("KERNEL", *kernel, "Its path or id")->required();
    return [kernel](Program& program) { return removeKernel(program, *kernel); };
}

Runner addKernelsCheck(CLI::App& app)
{
    const auto path = std::make_shared<std::string>();
    app.add_option("PATH", *path, kDescriptorHelp)->required();
    return [path](Program& program) { return checkKernel(program, *path); };
}

Runner addKernelsSchema(CLI::App& app)
{
    const auto project = std::make_shared<bool>(false);
    app.add_flag("--project", *project, "Print that of kernelloop.json instead");
    return [project](Program&) { return printSchema(*project); };
}

} // namespace

Runner addKernels(CLI::App& app)
{
    app.footer("Your own kernel is a kernel.json beside its .cu, .cubin or .ptx: `kloop new-kernel NAME` writes one that works.\n"
               "Wherever a command takes a kernel, it also takes the path of a kernel.json, with a variant and tunables after it:\n"
               "  kloop run ./scale/kernel.json          kloop ab ./scale:plain ./scale:vector@BLOCK=128");
    return addCommands(app,
                       {{"list", "List all kernels (the default)", addKernelsList},
                        {"add", "Register your own kernel, so that the window and sessions can find it by name", addKernelsAdd},
                        {"remove", "Unregister a kernel; its files and runs are kept", addKernelsRemove},
                        {"check", "Read a kernel's files and evaluate every formula, without a GPU", addKernelsCheck},
                        {"schema", "Print the JSON schema of kernel.json", addKernelsSchema}},
                       listKernels);
}

} // namespace kl::cli
