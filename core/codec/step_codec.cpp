// SPDX-License-Identifier: MIT
#include "core/codec/step_codec.h"

#include <nlohmann/json.hpp>

namespace kl {
namespace {

std::string wordAt(const Json& json, const char* key)
{
    const auto found = json.find(key);
    return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::vector<StepInput> inputsFromJson(const Json& json)
{
    std::vector<StepInput> inputs;
    for (const Json& item : json) {
        const std::optional<StepArgument> argument = findArgument(wordAt(item, "argument"));
        if (!argument)
            continue;
        StepInput input{*argument, wordAt(item, "question"), {}};
        if (const auto choices = item.find("choices"); choices != item.end() && choices->is_array())
            for (const Json& choice : *choices)
                if (choice.is_string())
                    input.choices.push_back(choice.get<std::string>());
        inputs.push_back(std::move(input));
    }
    return inputs;
}

} // namespace

Json stepsToJson(const std::vector<NextStep>& steps)
{
    Json list = Json::array();
    for (const NextStep& step : steps) {
        Json arguments = Json::object();
        for (const auto& [argument, value] : step.arguments)
            arguments[toString(argument)] = value;
        Json inputs = Json::array();
        for (const StepInput& input : step.inputs)
            inputs.push_back({{"argument", toString(input.argument)}, {"question", input.question}, {"choices", input.choices}});
        list.push_back({{"id", findKind(step.id).word}, {"arguments", std::move(arguments)}, {"inputs", std::move(inputs)}});
    }
    return list;
}

std::vector<NextStep> stepsFromJson(const Json& json)
{
    std::vector<NextStep> steps;
    if (!json.is_array())
        return steps;
    for (const Json& item : json) {
        const std::optional<StepId> id = item.is_object() ? findStepId(wordAt(item, "id")) : std::nullopt;
        if (!id)
            continue;
        NextStep step{*id, {}, {}};
        if (const auto arguments = item.find("arguments"); arguments != item.end() && arguments->is_object())
            for (const auto& [name, value] : arguments->items())
                if (const std::optional<StepArgument> argument = findArgument(name); argument && value.is_string())
                    step.set(*argument, value.get<std::string>());
        if (const auto inputs = item.find("inputs"); inputs != item.end() && inputs->is_array())
            step.inputs = inputsFromJson(*inputs);
        steps.push_back(std::move(step));
    }
    return steps;
}

} // namespace kl
