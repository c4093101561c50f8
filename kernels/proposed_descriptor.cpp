// SPDX-License-Identifier: MIT
#include "kernels/proposed_descriptor.h"

#include "core/base/try.h"
#include "core/base/write_file.h"
#include "core/codec/json.h"
#include "core/model/params.h"
#include "kernels/user_kernel.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace kl::inline kernels {
namespace {

constexpr int kOneSize = 1 << 20, kEachSize = 1024, kSmallest = 64;

Error invalid(std::string message, std::string hint, const std::string& where)
{
    return {.code = ErrorCode::badInput, .message = std::move(message), .hint = std::move(hint), .where = where};
}

std::string inCapitals(std::string text)
{
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return text;
}

bool isInteger(const SourceParameter& parameter)
{
    return !parameter.pointer && (parameter.type.starts_with('i') || parameter.type.starts_with('u'));
}

Json formulas(const std::string& text)
{
    Json list = Json::array();
    for (std::size_t from = 0; from <= text.size();) {
        const std::size_t end = std::min(text.find(';', from), text.size());
        list.push_back(text.substr(from, end - from));
        from = end + 1;
    }
    return list;
}

Json makeDescriptor(const ProposedDescriptor& proposed, const Params& problem, const std::string& source)
{
    Json sizes = Json::array();
    Params smallest;
    for (const auto& [name, value] : problem) {
        sizes.push_back(name);
        smallest[name] = std::int64_t{kSmallest};
    }
    Json buffers = Json::array();
    Json arguments = Json::array();
    for (const ProposedArgument& argument : proposed.arguments) {
        const SourceParameter& parameter = argument.parameter;
        if (!parameter.pointer) {
            arguments.push_back(parameter.type + ':' + argument.value);
            continue;
        }
        Json buffer{{"name", parameter.name}, {"type", parameter.type}, {"count", argument.value}, {"role", argument.role}};
        if (argument.role == "input")
            buffer["fill"] = "uniform";
        buffers.push_back(std::move(buffer));
        arguments.push_back(parameter.name);
    }
    const Json launch{
        {"entry", proposed.entry}, {"grid", formulas(proposed.grid)}, {"block", formulas(proposed.block)}, {"args", arguments}};
    return {{"id", proposed.id},
            {"source", source},
            {"sizes", sizes},
            {"problems", Json::array({toText(problem)})},
            {"smallest", toText(smallest)},
            {"buffers", buffers},
            {"variants", Json::array({Json{{"id", "first"}, {"launches", Json::array({launch})}}})}};
}

} // namespace

ProposedDescriptor proposeDescriptor(const SourceKernel& kernel, const std::string& id)
{
    std::vector<std::string> sizes;
    for (const SourceParameter& parameter : kernel.parameters)
        if (isInteger(parameter))
            sizes.push_back(inCapitals(parameter.name));
    if (sizes.empty())
        sizes.emplace_back("N");
    const std::string elements = sizes.size() == 1 ? sizes[0] : sizes[0] + '*' + sizes[1];
    ProposedDescriptor proposed{id, kernel.name, {}, fmt::format("ceildiv({},256)", elements), "256", {}};
    for (const std::string& size : sizes)
        proposed.problem += fmt::format("{}{}={}", proposed.problem.empty() ? "" : ",", size, sizes.size() == 1 ? kOneSize : kEachSize);
    for (const SourceParameter& parameter : kernel.parameters) {
        ProposedArgument argument{parameter, {}, elements};
        if (parameter.pointer)
            argument.role = parameter.readOnly ? "input" : "output";
        else
            argument.value = isInteger(parameter) ? inCapitals(parameter.name) : "1";
        proposed.arguments.push_back(std::move(argument));
    }
    return proposed;
}

Result<std::string> writeDescriptor(const ProposedDescriptor& proposed, const std::string& source)
{
    const std::filesystem::path file(source);
    for (const ProposedArgument& argument : proposed.arguments)
        if (argument.parameter.type.empty() || argument.parameter.name.empty())
            return invalid(fmt::format("The parameter {} of {} has a type that a descriptor has no name for.", argument.parameter.name,
                                       proposed.entry),
                           "Write the descriptor by hand, or change the parameter to a plain type.", source);
    const Result<Params> problem = parseParams(proposed.problem);
    if (!problem || problem->empty())
        return invalid(fmt::format("\"{}\" is not a problem.", proposed.problem), "Give each size a value: N=1048576.", proposed.problem);
    const std::filesystem::path target = std::filesystem::absolute(file).replace_extension(".json");
    std::error_code none;
    if (std::filesystem::exists(target, none))
        return invalid(fmt::format("{} already exists.", target.string()), "Add that descriptor, or remove it.", target.string());
    KL_TRY(writeFile(target, encodePretty(makeDescriptor(proposed, *problem, file.filename().string())) + '\n'));
    if (const Result<KernelFamily> family = loadKernel(target); !family) { // as every other descriptor is read
        std::filesystem::remove(target, none);
        return family.error();
    }
    return target.string();
}

} // namespace kl::inline kernels
