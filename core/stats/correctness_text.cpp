// SPDX-License-Identifier: MIT
#include "core/stats/correctness_text.h"

#include "core/model/model_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <vector>

namespace kl::inline stats {

std::string refutationText(const Correctness& correctness)
{
    if (!isRefuted(correctness.result))
        return {};
    return correctness.witness && !correctness.witness->what.empty() ? correctness.witness->what : correctness.reason;
}

std::string describeRefuted(const Correctness& correctness)
{
    if (!isRefuted(correctness.result))
        return {};
    const std::string why = refutationText(correctness);
    const std::string word = toWord(correctness.result);
    return why.empty() ? word : word + ": " + why;
}

std::string differenceText(const Correctness& correctness)
{
    const std::string mean = correctness.meanAbs ? fmt::format("{:.3g}", *correctness.meanAbs) : "not recorded";
    return fmt::format("max abs {:.3g}, mean abs {}, relative L2 {:.3g}", correctness.maxAbs, mean, correctness.relL2);
}

std::string witnessPlace(const Witness& witness)
{
    std::vector<std::string> parts;
    if (witness.pass)
        parts.push_back(fmt::format("checked pass {}", *witness.pass));
    if (!witness.buffer.empty()) {
        std::string element = witness.buffer;
        if (witness.index)
            element += fmt::format("[{}]", *witness.index);
        if (witness.got)
            element += fmt::format(": {:.9g}", *witness.got);
        else if (witness.index)
            element += ": not finite or never written";
        if (witness.expected)
            element += fmt::format(" instead of {:.9g}", *witness.expected);
        parts.push_back(std::move(element));
    }
    if (!witness.global.empty())
        parts.push_back("variable " + witness.global);
    if (!witness.address.empty())
        parts.push_back("at " + witness.address);
    return fmt::format("{}", fmt::join(parts, ", "));
}

std::string proofText(const Correctness& correctness)
{
    const std::optional<PassProof>& proof = correctness.proof;
    if (!proof)
        return correctness.result == CorrectnessResult::notChecked ? "timed passes were not checked"
                                                                   : "timed passes were not checked: recorded by an earlier version";
    const char* const sets = proof->inputSets == 1 ? "input set" : "input sets";
    std::string text = fmt::format("{} of {} timed passes, on {} {}{}", proof->checked, proof->passes, proof->inputSets,
                                   proof->newInputs ? "hidden " : "", sets);
    if (!proof->newInputs)
        text += " (the descriptor fixes all inputs; only their addresses change)";
    return proof->note.empty() ? text : text + "; " + proof->note;
}

} // namespace kl::inline stats
