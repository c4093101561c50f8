// SPDX-License-Identifier: MIT
#include "sessions/measure/build_recipe.h"

#include <algorithm>
#include <fmt/format.h>
#include <initializer_list>
#include <nlohmann/json.hpp>

namespace kl::inline measure {
namespace {

/// A step that checks of the environment answer: done if all that ran passed; unset where none ran.
RecipeStep makeCheckStep(const EnvReport& report, const char* title, std::initializer_list<const char*> ids, const char* command)
{
    RecipeStep step{title, {}, command, {}};
    for (const char* id : ids) {
        const auto check = std::ranges::find(report.checks, id, &EnvCheck::id);
        if (check == report.checks.end())
            continue;
        step.found += (step.found.empty() ? "" : "; ") + check->found;
        if (check->result != CheckResult::skipped)
            step.done = step.done.value_or(true) && check->result == CheckResult::pass;
    }
    return step;
}

constexpr const char* kBinding = "// binding.cu: the only file of the build\n"
                                 "#include <torch/extension.h>\n"
                                 "#include \"kernel.cu\"          // templates are instantiated here\n"
                                 "PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def(\"forward\", &forward); }";

} // namespace

std::vector<RecipeStep> buildRecipe(const EnvReport& report, const std::vector<ShellSetting>& settings)
{
    return {
        makeCheckStep(report, "GPU and driver", {"gpu", "driver"}, "nvidia-smi"),
        makeCheckStep(report, "Compiler and profiler libraries", {"nvrtc", "cupti"}, ""),
        makeCheckStep(report, "Python with a torch that fits", {"python", "torch", "torch-cuda"},
                      "python3 -c \"import torch; print(torch.__version__, torch.version.cuda)\""),
        makeCheckStep(report, "A numpy that fits that torch", {"numpy"}, "python3 -c \"import numpy; print(numpy.__version__)\""),
        {"Settings for the shell", {}, shellScript(settings), {}},
        {"Kernel and binding in one compilation unit; CUDA's own types (half, __nv_bfloat16) inside the kernel", {}, kBinding, {}},
        makeCheckStep(report, "A clean build that keeps its log", {"extension-build"},
                      "rm -rf build *.so\npython3 setup.py build_ext --inplace 2>&1 | tee build.log"),
        makeCheckStep(report, "The module loads", {"extension-import", "loader-path"}, "python3 -c \"import MODULE\""),
        makeCheckStep(report, "A smoke test at the smallest size: no NaN, close to PyTorch", {"smoke-kernel"}, ""),
    };
}

std::string recipeMarkdown(const std::vector<RecipeStep>& steps)
{
    std::string text = "# Build recipe\n";
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const RecipeStep& step = steps[i];
        text += fmt::format("\n{}. [{}] **{}**\n", i + 1, step.done.value_or(false) ? 'x' : ' ', step.title);
        if (!step.found.empty())
            text += fmt::format("   {}{}\n", step.done == false ? "To fix: " : "", step.found);
        if (!step.command.empty())
            text += fmt::format("\n```\n{}{}```\n", step.command, step.command.ends_with('\n') ? "" : "\n");
    }
    return text;
}

Json recipeToJson(const std::vector<RecipeStep>& steps)
{
    Json list = Json::array();
    for (const RecipeStep& step : steps)
        list.push_back({{"title", step.title},
                        {"found", step.found},
                        {"command", step.command},
                        {"done", step.done ? Json(*step.done) : Json(nullptr)}});
    return list;
}

} // namespace kl::inline measure
