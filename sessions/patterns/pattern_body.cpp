// SPDX-License-Identifier: MIT
#include "sessions/patterns/pattern_body.h"

#include "core/base/resource.h"
#include "core/base/try.h"
#include "core/codec/fields.h"

#include <algorithm>
#include <map>

namespace kl::inline patterns {

template <class V> void fields(V& v, PatternBody& b)
{
    v("why", b.why);
    v("evidence", b.evidence);
    v("steps", b.steps);
    v("before", b.before);
    v("after", b.after);
    v("example", b.example);
    v("checklist", b.checklist);
}

namespace {

struct BodiesFile {
    std::map<std::string, PatternBody> bodies;
};
template <class V> void fields(V& v, BodiesFile& f)
{
    v("bodies", f.bodies);
}

std::string bodySetting(const std::string& slug)
{
    return "pattern-body:" + slug;
}

std::string nameRetiredSetting(const std::string& slug)
{
    return "pattern-retired:" + slug;
}

Result<std::map<std::string, PatternBody>> loadShippedBodies()
{
    constexpr const char* kPath = "resources/pattern-bodies.json";
    KL_ASSIGN(const std::string_view text, resource(kPath));
    KL_ASSIGN(const Json json, parseJson(text, kPath));
    KL_ASSIGN(BodiesFile file, fromJson<BodiesFile>(json, kPath));
    return std::move(file.bodies);
}

Status checkOwn(const Store& store, const std::string& slug)
{
    KL_ASSIGN(const std::vector<Pattern> patterns, store.patterns());
    const auto found = std::ranges::find(patterns, slug, &Pattern::slug);
    if (found == patterns.end())
        return Error{.code = ErrorCode::notFound,
                     .message = fmt::format("There is no pattern \"{}\".", slug),
                     .hint = "See the list of patterns.",
                     .where = slug};
    if (found->kind != "own")
        return Error{.code = ErrorCode::badInput,
                     .message = fmt::format("\"{}\" is a shipped pattern.", slug),
                     .hint = "Only patterns of your own can be changed: add one.",
                     .where = slug};
    return {};
}

} // namespace

Result<PatternBody> patternBody(const Store& store, const std::string& slug)
{
    if (const std::optional<std::string> own = store.setting(bodySetting(slug)); own && !own->empty()) {
        KL_ASSIGN(const Json json, parseJson(*own, bodySetting(slug)));
        return fromJson<PatternBody>(json, bodySetting(slug));
    }
    KL_ASSIGN(auto bodies, loadShippedBodies());
    const auto found = bodies.find(slug);
    return found == bodies.end() ? PatternBody{} : std::move(found->second);
}

Status editPatternBody(Store& store, const std::string& slug, const PatternBody& change)
{
    KL_TRY(checkOwn(store, slug));
    KL_ASSIGN(PatternBody body, patternBody(store, slug));
    const auto take = [](auto& field, const auto& wanted) {
        if (!wanted.empty())
            field = wanted;
    };
    take(body.why, change.why);
    take(body.evidence, change.evidence);
    take(body.steps, change.steps);
    take(body.before, change.before);
    take(body.after, change.after);
    take(body.example, change.example);
    take(body.checklist, change.checklist);
    return store.setSetting(bodySetting(slug), encode(toJson(body)));
}

Status setPatternBody(Store& store, const std::string& slug, const PatternBody& body)
{
    KL_TRY(checkOwn(store, slug));
    return store.setSetting(bodySetting(slug), body == PatternBody{} ? std::string() : encode(toJson(body)));
}

Status retirePattern(Store& store, const std::string& slug, bool retired)
{
    KL_TRY(checkOwn(store, slug));
    return store.setSetting(nameRetiredSetting(slug), retired ? "yes" : "");
}

bool isRetired(const Store& store, const std::string& slug)
{
    return store.setting(nameRetiredSetting(slug)).value_or("") == "yes";
}

Json bodyToJson(const PatternBody& body)
{
    return toJson(body);
}

} // namespace kl::inline patterns
