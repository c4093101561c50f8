// SPDX-License-Identifier: MIT
#pragma once

#include "profiler/live/ptx/ptx_marks.h"

#include <map>
#include <string>
#include <string_view>

namespace kl::inline live {

/// Writes the instructions of marks. Register %kl_at of a recording lane holds slot + 1 (bits 20 to 30) and the number of its next mark
/// (bits 0 to 19); bit 31: it has polled a barrier in vain, so that further polls of the same wait begin no other. Elsewhere it is 0.
class MarkCode {
public:
    /// `body`: of the entry, for the types of its registers.
    MarkCode(const MarkOptions& options, std::string_view body);

    /// Declarations and setup, before the first instruction.
    std::string begin() const;
    /// Before an instruction that ends the thread. `guard` as in PtxParts.
    std::string end(std::string_view guard) const;

    /// When a mark reads the clock: at once, at once but behind all that comes before it, or after what can be done before.
    enum class Moment { first, behind, last };

    /// A mark that is always recorded; `id` a number or a 32-bit register.
    std::string mark(std::string_view id, std::string_view object, std::string_view guard, Moment moment) const;
    /// Before a poll: recorded unless a poll before it was in vain.
    std::string pollBegins(int id, std::string_view object, std::string_view guard) const;
    /// After a poll: recorded if `done`, a predicate, is true.
    std::string pollEnds(int id, std::string_view object, std::string_view guard, std::string_view done) const;

private:
    enum class After { keep, pending, done };
    std::string record(std::string_view id, std::string_view object, After after, Moment moment) const;
    std::string loadObject(std::string_view object) const;

    MarkOptions options_;
    std::map<std::string, int, std::less<>> widths_; ///< bits of registers, by name or by the beginning of numbered ones ("%rd")
};

} // namespace kl::inline live
