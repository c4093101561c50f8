// SPDX-License-Identifier: MIT
// The commands below the fixes of a finding: each once, below the first fix that it is a step of.
#include "app/kloop/render/render.h"
#include "app/kloop/terminal/step_commands.h"

#include <gtest/gtest.h>
#include <sstream>
#include <string>
#include <vector>

namespace kl::cli {
namespace {

/// The lines of a finding's text that are commands, without their indent.
std::vector<std::string> commandLines(const Diagnosis& diagnosis)
{
    std::vector<std::string> lines;
    std::istringstream text(renderDiagnosis(diagnosis));
    for (std::string line; std::getline(text, line);)
        if (const std::size_t at = line.find("kloop "); at != std::string::npos && line.find_first_not_of(' ') == at)
            lines.push_back(line.substr(at));
    return lines;
}

TEST(FixCommands, StandBelowTheirFixAndOnce)
{
    using A = StepArgument;
    const NextStep compare{StepId::compareInTurn, {{A::kernel, "k/a"}, {A::other, "k/b"}, {A::problem, "M=1"}}};
    const NextStep session = sessionOn("k/a");
    Diagnosis diagnosis;
    Finding& finding = diagnosis.finding;
    finding.classId = "uncoalesced";
    finding.priority = "P1";
    finding.fixes = {{.id = "k/b", .title = "Tile it", .variant = "k/b", .next = {compare}},
                     {.id = "pad", .title = "Pad it", .kind = "pad", .next = {session}},
                     {.id = "swizzle", .title = "Swizzle it", .kind = "swizzle", .next = {session}},
                     {.id = "fuse", .title = "Fuse it", .kind = "fuse", .next = {programStep()}}};
    EXPECT_EQ(commandLines(diagnosis), (std::vector<std::string>{formatCommand(compare), formatCommand(session)}))
        << "what starts a program is known to who started it";
    const std::string text = renderDiagnosis(diagnosis);
    EXPECT_LT(text.find("Tile it"), text.find(formatCommand(compare)));
    EXPECT_LT(text.find(formatCommand(compare)), text.find("Pad it"));
    EXPECT_LT(text.find(formatCommand(session)), text.find("Swizzle it"));
    for (Fix& fix : finding.fixes)
        fix.next.clear();
    EXPECT_TRUE(commandLines(diagnosis).empty()) << "a finding of an earlier version";
}

} // namespace
} // namespace kl::cli
