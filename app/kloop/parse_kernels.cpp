// SPDX-License-Identifier: MIT
#include "app/kloop/parse_kernels.h"

#include "app/kloop/commands.h"
#include "app/kloop/parse_verb.h"

#include <CLI/CLI.hpp>

namespace kl {
namespace {

void addKernels(CLI::App& app, Parsed& parsed)
{
    KernelOptions& k = parsed.options.userKernels;
    CLI::App* kernels = app.add_subcommand("kernels", "The kernels that can be measured: those of the program and your own");
    kernels->fallthrough();
    kernels->require_subcommand(0, 1);
    kernels->callback([kernels, &parsed] { // CLI11 runs a parent's callback after its verb's
        if (kernels->get_subcommands().empty())
            parsed.command = commandKernels;
    });
    kernels->footer("A kernel of yours is a kernel.json beside its .cu, .cubin or .ptx: `kloop new-kernel NAME` writes one that works.\n"
                    "Wherever a command takes a kernel, the path of its kernel.json will do, with a variant and tunables behind it:\n"
                    "  kloop run ./scale/kernel.json          kloop ab ./scale:plain ./scale:vector@BLOCK=128");
    addVerb(*kernels, parsed, "list", "List them (the same as the bare word)", commandKernels);
    addVerb(*kernels, parsed, "add", "Register a kernel of yours, so that the window and sessions find it by its name", commandKernelsAdd)
        ->add_option("PATH", k.path, "Its kernel.json, or the folder that holds one")
        ->required();
    addVerb(*kernels, parsed, "remove", "Forget a registered kernel; its files and its runs stay", commandKernelsRemove)
        ->add_option("KERNEL", k.path, "Its path, or its id")
        ->required();
    addVerb(*kernels, parsed, "check", "Read a kernel's files and evaluate every formula, without a GPU", commandKernelsCheck)
        ->add_option("PATH", k.path, "Its kernel.json, or the folder that holds one")
        ->required();
    addVerb(*kernels, parsed, "schema", "Print the JSON schema of kernel.json", commandKernelsSchema);
}

} // namespace

void addKernelCommands(CLI::App& app, Parsed& parsed)
{
    KernelOptions& k = parsed.options.userKernels;
    addKernels(app, parsed);
    CLI::App* fresh = addVerb(app, parsed, "new-kernel", "Write a working kernel to start from", commandNewKernel);
    fresh->add_option("NAME", k.name, "Its name: letters, digits, - and _")->required();
    fresh->add_option("--dir", k.folder, "Folder to write; must be empty or not exist (default: NAME)");
    fresh->add_option("--template", k.starter, "What to start from: elementwise, copy, reduction or matmul")
        ->check(CLI::IsMember({"elementwise", "copy", "reduction", "matmul"}))
        ->capture_default_str();
    fresh->add_flag("--add", k.keep, "Register it, too");
    CLI::App* watch =
        addVerb(app, parsed, "watch", "Build, check and time a kernel of yours again whenever one of its files is saved", commandWatch);
    watch->add_option("KERNEL", parsed.options.first, "Path of its kernel.json, or the address of a registered kernel")->required();
    watch->add_option("--problem", parsed.options.problems, "Sizes, as N=4096")->allow_extra_args(false);
    watch->add_option("--saves", k.saves, "End after so many saves (default: go on until Ctrl-C)")->check(CLI::Range(0, 1000000));
}

} // namespace kl
