// SPDX-License-Identifier: MIT
#include "profiler/protocol/program_trace.h"
#include "sessions/program/lifted_folder.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kl::inline program {
namespace {

/// The allocation that a parameter of 8 bytes points into; null for other values.
const LiftedMemory* pointee(const LiftedLaunch& lift, const LiftedParameter& parameter, std::string_view arguments)
{
    std::uint64_t address = 0;
    if (parameter.bytes != sizeof address || parameter.offset + sizeof address > arguments.size())
        return nullptr;
    std::memcpy(&address, arguments.data() + parameter.offset, sizeof address);
    const auto found = std::ranges::find_if(
        lift.memory, [&](const LiftedMemory& memory) { return address >= memory.address && address - memory.address < memory.bytes; });
    return found == lift.memory.end() ? nullptr : &*found;
}

/// The largest alignment that puts a structure where it is: as large as its own, or larger without effect.
std::uint64_t computeAlignment(const LiftedParameter& parameter)
{
    std::uint64_t alignment = 64; // of a tensor map, the largest in use
    while (alignment > 1 && (parameter.offset % alignment != 0 || parameter.bytes % alignment != 0))
        alignment /= 2;
    return alignment;
}

const char* chooseScalarType(const LiftedParameter& parameter)
{
    if (parameter.bytes == 0 || parameter.offset % parameter.bytes != 0)
        return nullptr;
    switch (parameter.bytes) {
    case 1: return "unsigned char";
    case 2: return "unsigned short";
    case 4: return "unsigned";
    case 8: return "unsigned long long";
    default: return nullptr;
    }
}

} // namespace

std::string rewriteSource(const LiftedLaunch& lift, std::string_view arguments)
{
    std::string structures;
    std::vector<std::string> list;
    for (std::size_t i = 0; i < lift.parameters.size(); ++i) {
        const LiftedParameter& parameter = lift.parameters[i];
        if (const LiftedMemory* memory = pointee(lift, parameter, arguments)) {
            std::uint64_t into = 0;
            std::memcpy(&into, arguments.data() + parameter.offset, sizeof into);
            list.push_back(fmt::format("    unsigned char* p{}, // {} bytes into the {} bytes at {:#x}{}", i, into - memory->address,
                                       memory->bytes, memory->address, memory->changed.empty() ? "" : ", which the launch changes"));
        } else if (const char* scalar = chooseScalarType(parameter)) {
            list.push_back(fmt::format("    {} p{},", scalar, i));
        } else {
            structures += fmt::format("struct alignas({}) P{} {{\n    unsigned char bytes[{}];\n}};\n", computeAlignment(parameter), i,
                                      parameter.bytes);
            list.push_back(fmt::format("    const __grid_constant__ P{0} p{0},{1}", i,
                                       parameter.bytes == 128 && parameter.offset % 64 == 0 ? " // a tensor map (CUtensorMap)?" : ""));
        }
    }
    if (!list.empty()) { // the last has no comma
        std::string& last = list.back();
        last.erase(last.find(','), 1);
    }
    return fmt::format(
        "// A rewrite of {}\n// It gets the same arguments, and its results are compared with what the program's own launch left.\n"
        "// Types follow from sizes alone: give parameters their own types and names, of the same size and order.\n"
        "{}\nextern \"C\" __global__ void rewrite(\n{}\n)\n{{\n}}\n",
        demangle(lift.kernel), structures, fmt::join(list, "\n"));
}

} // namespace kl::inline program
