// SPDX-License-Identifier: MIT
#include "app/kloop/common/labels.h"

#include "app/kloop/terminal/streams.h"
#include "core/base/try.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

namespace kl::cli {

std::vector<std::string> splitWords(const std::string& text)
{
    std::istringstream in(text);
    return {std::istream_iterator<std::string>(in), {}};
}

std::string describeLost(const Dependents& with)
{
    const struct {
        std::int64_t count;
        const char* one;
        const char* several;
    } parts[] = {{with.events, "event", "events"},
                 {with.comparisons, "comparison", "comparisons"},
                 {with.notes, "note", "notes"},
                 {with.costs, "entered cost", "entered costs"},
                 {with.applications, "use of a pattern", "uses of patterns"}};
    std::vector<std::string> words;
    for (const auto& part : parts)
        if (part.count > 0)
            words.push_back(fmt::format("{} {}", part.count, part.count == 1 ? part.one : part.several));
    std::string text = words.empty() ? "" : fmt::format(", with {}", fmt::join(words, ", "));
    if (!with.sessions.empty())
        text += fmt::format(", evidence in {} {}: not before that is deleted", with.sessions.size() == 1 ? "session" : "sessions",
                            fmt::join(with.sessions, ", "));
    return text;
}

Error makeUnconfirmedError(const std::string& lost)
{
    return {.code = ErrorCode::refused, .message = fmt::format("This would delete {}.", lost), .hint = "Repeat with --yes."};
}

Result<int> setTags(Program& program, const std::string& subject, const std::vector<std::string>& tags, bool on)
{
    KL_ASSIGN(auto* store, program.store());
    for (const std::string& tag : tags)
        KL_TRY(store->setTag(subject, tag, on));
    KL_ASSIGN(const std::vector<std::string> now, store->tags(subject));
    if (!program.printAsJson({{"schema", "kernelloop.tags/1"}, {"subject", subject}, {"tags", now}}))
        printText("{}: {}\n", subject, now.empty() ? "no tags" : fmt::format("{}", fmt::join(now, " ")));
    return 0;
}

} // namespace kl::cli
