// SPDX-License-Identifier: MIT
#include "app/kloop/measure/comparison_answer.h"

#include "app/kloop/common/program.h"
#include "app/kloop/render/render.h"
#include "app/kloop/terminal/streams.h"
#include "core/codec/run_codec.h"

#include <nlohmann/json.hpp>

namespace kl::cli {

int answerComparison(Program& program, const Comparison& comparison)
{
    if (!program.printAsJson(comparisonToJson(comparison)))
        printText("{}", renderComparison(comparison));
    switch (comparison.verdict) {
    case Verdict::slower: return 1;
    case Verdict::inconclusive:
    case Verdict::notComparable: return 3;
    case Verdict::faster:
    case Verdict::equivalent: break;
    }
    return 0;
}

} // namespace kl::cli
