// SPDX-License-Identifier: MIT
#include "sessions/patterns/pattern_library.h"

#include "core/base/resource.h"
#include "core/base/try.h"
#include "core/codec/fields.h"

#include <algorithm>
#include <set>

namespace kl::inline patterns {

template <class V> void fields(V& v, Pattern& p)
{
    v("slug", p.slug);
    v("label", p.label);
    v("title", p.title);
    v("kind", p.kind);
    v("when", p.when);
    v("problem", p.problem);
    v("advice", p.advice);
    v("quoted_minutes", p.quotedMinutes);
    v("quoted_minutes_high", p.quotedMinutesHigh);
    v("quoted_dollars", p.quotedDollars);
}

template <class V> void fields(V& v, QuotedTotal& t)
{
    v("what", t.what);
    v("low", t.low);
    v("high", t.high);
    v("text", t.text);
}

namespace {

struct FileNote {
    std::string text;
};
template <class V> void fields(V& v, FileNote& n)
{
    v("text", n.text);
}

struct File {
    std::string origin;
    std::vector<Pattern> patterns;
    std::map<std::string, std::vector<std::string>> findings;
    std::vector<FileNote> notes;
    std::vector<QuotedTotal> totals;
};
template <class V> void fields(V& v, File& f)
{
    v("origin", f.origin);
    v("patterns", f.patterns);
    v("findings", f.findings);
    v("notes", f.notes);
    v("totals", f.totals);
}

Error makeMalformedError(std::string_view where, std::string message)
{
    return {.code = ErrorCode::badInput, .message = std::string(where) + ": " + std::move(message), .where = std::string(where)};
}

/// What the method itself names, first; the rest follow in the library's order.
std::vector<std::string> methodOrder(const std::string& when)
{
    if (when == occasion::kSessionStart)
        return {"environment-validation", "baseline-first"};
    if (when == occasion::kSpeedupBelow1)
        return {"profile-before-optimize", "profiling-decision-tree"};
    if (when == occasion::kFinding)
        return {"profile-before-optimize"};
    if (when == occasion::kReMeasure)
        return {"baseline-first"};
    return {};
}

} // namespace

Result<PatternLibrary> PatternLibrary::parse(std::string_view text, std::string_view where)
{
    KL_ASSIGN(const Json json, parseJson(text, where));
    KL_ASSIGN(File file, fromJson<File>(json, where));
    PatternLibrary library{file.origin, std::move(file.patterns), std::move(file.findings), std::move(file.totals), {}};
    std::set<std::string> slugs;
    for (Pattern& pattern : library.patterns) {
        pattern.origin = library.origin;
        if (pattern.slug.empty() || pattern.title.empty() || pattern.kind.empty())
            return makeMalformedError(where, "a pattern has no slug, title or kind.");
        if (!slugs.insert(pattern.slug).second)
            return makeMalformedError(where, "pattern \"" + pattern.slug + "\" is listed twice.");
    }
    for (const auto& [classId, wanted] : library.byClass)
        for (const std::string& slug : wanted)
            if (!slugs.contains(slug))
                return makeMalformedError(where, "finding \"" + classId + "\" refers to pattern \"" + slug + "\", which does not exist.");
    for (const FileNote& note : file.notes)
        library.notes.push_back(note.text);
    return library;
}

Result<PatternLibrary> PatternLibrary::loadEmbedded()
{
    constexpr const char* kPath = "resources/patterns.json";
    KL_ASSIGN(const std::string_view text, resource(kPath));
    return parse(text, kPath);
}

Status seedPatterns(Store& store, const PatternLibrary& library)
{
    KL_ASSIGN(const std::vector<Pattern> present, store.patterns());
    for (const Pattern& pattern : library.patterns) {
        const auto there = std::find_if(present.begin(), present.end(), [&](const Pattern& p) { return p.slug == pattern.slug; });
        if (there != present.end() && (*there == pattern || there->kind == "own"))
            continue;
        KL_TRY(store.savePattern(pattern));
    }
    return {};
}

const std::vector<std::string>& occasions()
{
    using namespace occasion;
    static const std::vector<std::string> all{kSessionStart, kSpeedupBelow1, kFinding,      kReMeasure,  kKeep,
                                              kLongWork,     kSourceChange,  kBuildFailure, kWrongResult};
    return all;
}

std::vector<std::string> patternsFor(const PatternLibrary& library, const std::string& when, const std::string& classId)
{
    std::vector<std::string> slugs = methodOrder(when);
    const auto add = [&](const std::string& slug) {
        if (std::find(slugs.begin(), slugs.end(), slug) == slugs.end())
            slugs.push_back(slug);
    };
    if (when == occasion::kFinding) {
        // A lesson about findings suits only the classes it is listed for.
        if (const auto found = library.byClass.find(classId); found != library.byClass.end())
            std::for_each(found->second.begin(), found->second.end(), add);
        return slugs;
    }
    for (const Pattern& pattern : library.patterns)
        if (pattern.when == when && pattern.kind != "planned")
            add(pattern.slug);
    return slugs;
}

} // namespace kl::inline patterns
