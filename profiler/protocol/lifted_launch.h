// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/result.h"

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

/// A launch of a program, as the injected library writes it for `kloop lift`: lift.json in a folder of its own, and files beside it.
namespace kl::inline protocol {

inline constexpr const char* kLiftFile = "lift.json";
inline constexpr const char* kLiftSchema = "kernelloop.lift/1";

/// A part of an allocation; bytes from its start.
struct LiftedRange {
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;

    bool operator==(const LiftedRange&) const = default;
};

/// An allocation of device memory that the launch could reach.
struct LiftedMemory {
    std::uint64_t address = 0;
    std::uint64_t bytes = 0;
    std::string reached;              ///< "argument", "pointer" (in another one's content), "all"
    std::string before;               ///< file with its content before the launch
    std::string after;                ///< the same after it; empty where nothing changed
    std::vector<LiftedRange> changed; ///< by the launch; ascending

    bool operator==(const LiftedMemory&) const = default;
};

/// A parameter's place in the packed arguments.
struct LiftedParameter {
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;

    bool operator==(const LiftedParameter&) const = default;
};

/// A variable of the kernel's module that is not as the machine code has it.
struct LiftedVariable {
    std::string name; ///< as the module spells it
    std::string file; ///< with its content before the launch

    bool operator==(const LiftedVariable&) const = default;
};

struct LiftedLaunch {
    std::string schema = kLiftSchema;
    std::string kernel; ///< as the module spells it
    int launch = 0;     ///< index among the kernel's launches in the process
    std::vector<std::string> command;
    std::string host;
    std::string gpu;
    std::string driver;
    int computeCapability = 0; ///< 90
    std::string at;            ///< ISO 8601
    std::array<int, 3> grid{};
    std::array<int, 3> block{};
    std::array<int, 3> cluster{}; ///< zeros: launched without
    bool cooperative = false;
    int dynamicSmem = 0;
    std::map<std::string, int> attributes; ///< of the function, by name: "registers", "static_smem", "max_dynamic_smem", "carveout"
    std::vector<LiftedParameter> parameters;
    std::string arguments; ///< file with their bytes
    std::string image;     ///< file with the machine code
    std::vector<LiftedVariable> variables;
    std::vector<LiftedMemory> memory;
    std::uint64_t bytes = 0;        ///< of the memory
    bool tooLarge = false;          ///< the memory is larger than was allowed: it was not copied
    std::vector<std::string> notes; ///< what may be missing
    std::string refusal;            ///< why it cannot be lifted; empty: it was

    bool operator==(const LiftedLaunch&) const = default;
};

std::string encodeLift(const LiftedLaunch& launch);
/// Error badInput: no JSON, another schema, a field of another type.
Result<LiftedLaunch> parseLift(std::string_view text, const std::string& where);

} // namespace kl::inline protocol
