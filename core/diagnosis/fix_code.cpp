// SPDX-License-Identifier: MIT
#include "core/diagnosis/fix_code.h"

#include "core/base/resource.h"
#include "core/base/try.h"
#include "core/codec/fields.h"

namespace kl::inline diagnosis {

template <class V> void fields(V& v, FixCode& c)
{
    v("before", c.before);
    v("after", c.after);
    v("note", c.note);
}

namespace {

struct FixCodeFile {
    std::map<std::string, FixCode> fixes;
};
template <class V> void fields(V& v, FixCodeFile& f)
{
    v("fixes", f.fixes);
}

std::map<std::string, FixCode> loadEmbeddedFixCode()
{
    constexpr const char* kPath = "resources/fix-code.json";
    const Result<std::string_view> text = resource(kPath);
    Result<std::map<std::string, FixCode>> all = text ? parseFixCode(*text, kPath) : Result<std::map<std::string, FixCode>>(text.error());
    return all ? std::move(*all) : std::map<std::string, FixCode>{}; // a test rules out a damaged file
}

} // namespace

Result<std::map<std::string, FixCode>> parseFixCode(std::string_view text, std::string_view where)
{
    KL_ASSIGN(const Json json, parseJson(text, where));
    KL_ASSIGN(FixCodeFile file, fromJson<FixCodeFile>(json, where));
    for (const auto& [id, code] : file.fixes)
        if (code.before.empty() || code.after.empty())
            return Error{.code = ErrorCode::badInput,
                         .message = fmt::format("{}: the fix {} has no code before or after.", where, id),
                         .hint = "Write a few lines without the fix, and the same lines with it.",
                         .where = id};
    return std::move(file.fixes);
}

const FixCode* fixCode(const std::string& id)
{
    static const std::map<std::string, FixCode> all = loadEmbeddedFixCode();
    const auto found = all.find(id);
    return found == all.end() ? nullptr : &found->second;
}

} // namespace kl::inline diagnosis
