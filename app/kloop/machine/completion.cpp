// SPDX-License-Identifier: MIT
#include "app/kloop/common/arguments.h"
#include "app/kloop/terminal/streams.h"
#include "kernels/catalog.h"

#include <fmt/format.h>
#include <set>

namespace kl::cli {
namespace {

// Names that zsh has no meaning of its own for, as it has for path and options.
constexpr const char* kHead = R"(# Completes kloop's command lines. bash: source <(kloop completion bash)
_kloop() {{
    local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD - 1]}} chain= i offers= switches= takes=
    local kernels="{}"
    COMPREPLY=()
    for ((i = 1; i < COMP_CWORD; i++)); do
        [[ ${{COMP_WORDS[i]}} == -- ]] && return
        case "$chain ${{COMP_WORDS[i]}}" in
        {}) chain="${{chain:+$chain }}${{COMP_WORDS[i]}}" ;;
        esac
    done
    case $chain in
)";

constexpr const char* kTail = R"(    esac
    if [[ $takes == FILE ]]; then return
    elif [[ -n $takes ]]; then COMPREPLY=($(compgen -W "$takes" -- "$cur"))
    elif [[ $cur == -* ]]; then COMPREPLY=($(compgen -W "$switches" -- "$cur"))
    else COMPREPLY=($(compgen -W "$offers" -- "$cur"))
    fi
}
complete -o bashdefault -o default -F _kloop kloop
)";

std::vector<const CLI::App*> listCommands(const CLI::App& app)
{
    return app.get_subcommands([](const CLI::App*) { return true; });
}

/// "--kernel": an option's names as they are written.
std::vector<std::string> listOptionNames(const CLI::Option& option)
{
    std::vector<std::string> names;
    for (const std::string& name : option.get_lnames())
        names.push_back("--" + name);
    for (const std::string& name : option.get_snames())
        names.push_back('-' + name);
    return names;
}

bool namesKernel(const std::string& place)
{
    return place == "KERNEL" || place == "A" || place == "B" || place == "--kernel";
}

/// What an option or a place takes: its list as CLI11 reports it ("TEXT:{json,csv}"), the devices that need no name, kernels, else FILE,
/// which the shell completes.
std::string completeValues(const CLI::Option& option, const std::string& name)
{
    if (name == "--on")
        return "local sample";
    std::string type = option.get_type_name();
    const auto open = type.find('{');
    const auto close = type.find('}', open);
    if (open == std::string::npos || close == std::string::npos)
        return namesKernel(name) ? "$kernels" : "FILE";
    type = type.substr(open + 1, close - open - 1);
    for (char& letter : type)
        letter = letter == ',' ? ' ' : letter;
    return type;
}

/// The branch of one command, and those of its own commands; `shared` are the program's options, which may be anywhere.
void addBranches(const CLI::App& app, const std::string& path, const std::vector<const CLI::Option*>& shared, std::string& branches,
                 std::vector<std::string>& paths)
{
    std::set<std::string> commands;
    std::set<std::string> options;
    std::string values;
    std::vector<const CLI::Option*> all = app.get_options([](const CLI::Option*) { return true; });
    all.insert(all.end(), shared.begin(), shared.end());
    for (const CLI::Option* option : all) {
        if (const std::string place = option->get_name(true); option->get_positional() && completeValues(*option, place) != "FILE")
            commands.insert(completeValues(*option, place));
        for (const std::string& name : listOptionNames(*option))
            if (options.insert(name).second && option->get_items_expected_max() > 0)
                values += fmt::format("            {}) takes=\"{}\" ;;\n", name, completeValues(*option, name));
    }
    for (const CLI::App* sub : listCommands(app))
        commands.insert(sub->get_name());
    branches += fmt::format("        \"{}\") offers=\"{}\" switches=\"{}\"\n            case $prev in\n{}            esac ;;\n", path,
                            fmt::join(commands, " "), fmt::join(options, " "), values);
    for (const CLI::App* sub : listCommands(app)) {
        paths.push_back(fmt::format("\"{} {}\"", path, sub->get_name()));
        addBranches(*sub, path + (path.empty() ? "" : " ") + sub->get_name(), shared, branches, paths);
    }
}

std::string script(const CLI::App& app)
{
    std::string branches;
    std::vector<std::string> paths;
    const std::vector<const CLI::Option*> shared = app.get_options([](const CLI::Option*) { return true; });
    addBranches(app, {}, shared, branches, paths);
    std::string kernels;
    if (const Result<Catalog> catalog = Catalog::loadEmbedded())
        for (const Address& address : catalog->addresses())
            kernels += (kernels.empty() ? "" : " ") + address.family + '/' + address.variant;
    return fmt::format(kHead, kernels, fmt::join(paths, " | \\\n            ")) + branches + kTail;
}

} // namespace

Runner addCompletion(CLI::App& app)
{
    const auto shell = std::make_shared<std::string>();
    app.add_option("SHELL", *shell, "bash or zsh")->required()->check(CLI::IsMember({"bash", "zsh"}));
    app.footer("bash, in ~/.bashrc: source <(kloop completion bash)\n"
               "zsh, in ~/.zshrc:   autoload -Uz compinit bashcompinit && compinit && bashcompinit && source <(kloop completion zsh)");
    return [&app, shell](Program&) { // one script serves both shells
        addEveryOption(*app.get_parent());
        printRaw(script(*app.get_parent()));
        return Result<int>(0);
    };
}

} // namespace kl::cli
