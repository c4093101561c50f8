// SPDX-License-Identifier: MIT
#include "sessions/measure/shrink_problem.h"

#include <fmt/format.h>

namespace kl::inline measure {

Result<ShrunkProblem> shrinkProblem(const Params& failing, int limit, const TryProblem& fails)
{
    ShrunkProblem found{failing, 0, {}};
    bool smaller = true;
    while (smaller) {
        smaller = false;
        for (const auto& [name, value] : failing) {
            const std::int64_t* number = numberIn(found.problem, name);
            std::int64_t high = number ? *number : 0;
            std::int64_t low = 0;
            while (high - low > 1) {
                if (found.tried == limit) {
                    found.stopped = fmt::format("the search ended after {} problems", limit);
                    return found;
                }
                const std::int64_t middle = low + (high - low) / 2;
                Params probe = found.problem;
                probe[name] = middle;
                ++found.tried;
                const Result<bool> wrong = fails(probe);
                if (!wrong && wrong.error().code == ErrorCode::interrupted)
                    return wrong.error();
                if (!wrong) {
                    found.stopped = fmt::format("{} could not be tried: {}", toText(probe), wrong.error().message);
                    return found;
                }
                if (*wrong) {
                    found.problem = std::move(probe);
                    high = middle;
                    smaller = true;
                } else {
                    low = middle;
                }
            }
        }
    }
    return found;
}

} // namespace kl::inline measure
