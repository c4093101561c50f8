// SPDX-License-Identifier: MIT
#include "app/kloop/parse_calc.h"

#include "app/kloop/commands.h"

#include <CLI/CLI.hpp>

namespace kl {
namespace {

CLI::App* calculator(CLI::App& app, Parsed& parsed, const char* name, const char* help, Command run)
{
    CLI::App* sub = app.add_subcommand(name, help);
    sub->fallthrough();
    sub->callback([&parsed, run] { parsed.command = run; });
    return sub;
}

void addSmem(CLI::App& app, Parsed& parsed)
{
    TilePlan& t = parsed.options.calc.tiles;
    CLI::App* smem = calculator(app, parsed, "smem", "Shared memory of a block's tiles against every GPU's limit", commandSmem);
    smem->add_option("-M,--rows", t.m, "Rows of a tile")->required();
    smem->add_option("-K,--columns", t.k, "Columns of a tile")->required();
    smem->add_option("-N,--scores", t.n, "Columns of the scores (M × N floats); 0: none are kept")->capture_default_str();
    smem->add_option("--tiles", t.tiles, "Number of tiles")->capture_default_str();
    smem->add_option("--bytes", t.elementBytes, "Bytes of an element of a tile")->capture_default_str();
    smem->add_option("--pad", t.tilePadding, "Bytes after each row of a tile")->capture_default_str();
    smem->add_option("--score-pad", t.scorePadding, "Bytes after each row of the scores")->capture_default_str();
    smem->footer("Bytes: tiles × M × (K × bytes + pad) + M × (N × 4 + score pad).\n"
                 "Q, K and V of attention with the scores of 64 × 64: kloop smem -M 64 -K 64 -N 64\n"
                 "Exits with 1 when no GPU of the table has so much.");
}

void addOccupancy(CLI::App& app, Parsed& parsed)
{
    CalcOptions& c = parsed.options.calc;
    CLI::App* sub = calculator(app, parsed, "occupancy", "Occupancy of a launch on every GPU, what limits it and what would raise it",
                               commandOccupancy);
    sub->add_option("RUN", c.run, "run:ID, or the start of one: the longest launch of a stored run");
    sub->add_option("--threads", c.threads, "Threads a block (needed without RUN)");
    sub->add_option("--registers", c.registers, "Registers a thread, as `kloop run` shows them (32)");
    sub->add_option("--smem", c.smem, "Bytes of shared memory a block, static and dynamic (0)");
    sub->add_option("--gpu", c.gpu, "One GPU, by part of its name");
    sub->add_option("--sweep", c.sweep, "Every value of one input, with its occupancy")
        ->check(CLI::IsMember({"registers", "shared-memory", "block-size"}));
    sub->footer("What if a measured kernel had fewer registers: kloop occupancy run:ID --registers 64 --gpu H200");
}

void addAdvise(CLI::App& app, Parsed& parsed)
{
    CalcOptions& c = parsed.options.calc;
    CLI::App* advise = app.add_subcommand("advise", "What memory is for what; what there is to gain behind launches");
    advise->fallthrough();
    advise->require_subcommand(1);
    CLI::App* memory =
        calculator(*advise, parsed, "memory", "Memory tiers of a GPU, and where a piece of data belongs", commandAdviseMemory);
    memory->add_option("--gpu", c.gpu, "By part of its name (default: H200)");
    memory->add_option("--bytes", c.data.bytes, "Bytes of the data: of one thread, one block or all, as --shared-by says");
    memory->add_option("--shared-by", c.sharedBy, "Who reads it again")
        ->check(CLI::IsMember({"thread", "block", "grid"}))
        ->capture_default_str();
    memory->add_option("--reads", c.data.reads, "How often each element is read")->capture_default_str();
    memory->add_flag("--read-only", c.data.readOnly, "Nobody writes it while the kernel runs");
    memory->add_flag("--same-address", c.data.sameAddress, "All threads of a warp read one address at a time");
    CLI::App* launch =
        calculator(*advise, parsed, "launch", "What work on a kernel, and what fusion, can gain behind launches", commandAdviseLaunch);
    launch->add_option("--kernel-us", c.launch.kernelUs, "GPU time of one kernel, µs")->required();
    launch->add_option("--launch-us", c.launch.launchUs, "Cost of one launch, µs: host time less GPU time")->required();
    launch->add_option("--kernels", c.launch.kernels, "Kernels that could become one")->capture_default_str();
    launch->footer("A 5 µs kernel behind a 10 µs launch: kloop advise launch --kernel-us 5 --launch-us 10");
}

} // namespace

void addCalculators(CLI::App& app, Parsed& parsed)
{
    addSmem(app, parsed);
    addOccupancy(app, parsed);
    addAdvise(app, parsed);
}

} // namespace kl
