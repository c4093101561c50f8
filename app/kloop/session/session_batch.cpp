// SPDX-License-Identifier: MIT
#include "app/kloop/common/arguments.h"
#include "app/kloop/common/session_pick.h"
#include "app/kloop/session/session_verbs.h"
#include "app/kloop/terminal/input_lines.h"
#include "app/kloop/terminal/step_commands.h"
#include "app/kloop/terminal/streams.h"
#include "core/base/try.h"
#include "core/codec/json_read.h"
#include "sessions/engine/action_table.h"
#include "sessions/engine/own_edit.h"
#include "sessions/session/claims.h"
#include "sessions/session/session_json.h"

#include <cstdio>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace kl::cli {
namespace {

/// A member of a request, and its type as nlohmann::json names it. What is null counts as missing.
struct Member {
    const char* name;
    const char* type;
};

struct VerbMembers {
    const char* verb;
    std::vector<Member> members = {};
};

const std::vector<VerbMembers>& verbMembers()
{
    static const std::vector<VerbMembers> table{
        {"new",
         {{"name", "string"},
          {"objective", "string"},
          {"kind", "string"},
          {"kernel", "string"},
          {"problem", "string"},
          {"cumulative", "boolean"},
          {"git", "boolean"},
          {"budget", "number"},
          {"answers", "object"},
          {"claims", "array"}}},
        {"list"},
        {"kinds"},
        {"show", {{"session", "string"}}},
        {"step", {{"session", "string"}}},
        {"act", {{"session", "string"}, {"action", "string"}, {"argument", "string"}}},
        {"gate", {{"session", "string"}, {"gate", "string"}}},
        {"waive", {{"session", "string"}, {"gate", "string"}, {"reason", "string"}}},
        {"note", {{"session", "string"}, {"text", "string"}}},
        {"claim", {{"session", "string"}, {"source", "string"}, {"figure", "string"}, {"about", "string"}}},
        {"option", {{"session", "string"}, {"name", "string"}, {"value", "boolean"}}},
        {"resume", {{"session", "string"}}},
    };
    return table;
}

/// A request of the batch, whose members are checked: each has its type, or is missing.
class Request {
public:
    explicit Request(const Json& json) : json_(json) {}
    std::string text(const char* key) const
    {
        const auto found = json_.find(key);
        return found != json_.end() && found->is_string() ? found->get<std::string>() : std::string();
    }
    bool flag(const char* key) const
    {
        const auto found = json_.find(key);
        return found != json_.end() && found->is_boolean() && found->get<bool>();
    }
    /// Unset where it is not given.
    std::optional<bool> choice(const char* key) const
    {
        const auto found = json_.find(key);
        return found != json_.end() && found->is_boolean() ? std::optional(found->get<bool>()) : std::nullopt;
    }
    const Json& json() const { return json_; }

private:
    const Json& json_;
};

Error bad(const std::string& what, const std::string& hint)
{
    return {.code = ErrorCode::usage, .message = what, .hint = hint, .where = "stdin"};
}

template <class Row> std::vector<std::string> listNames(const std::vector<Row>& rows, const char* Row::*name)
{
    std::vector<std::string> names;
    for (const Row& row : rows)
        names.emplace_back(row.*name);
    return names;
}

Status checkMembers(const Json& object, const std::vector<Member>& members, const std::string& of)
{
    for (const auto& [name, value] : object.items()) {
        const auto known = std::ranges::find_if(members, [&, &key = name](const Member& member) { return key == member.name; });
        if (known == members.end())
            return bad(fmt::format("{} has no member \"{}\".", of, name),
                       members.empty() ? "It has none."
                                       : fmt::format("Its members: {}.", fmt::join(listNames(members, &Member::name), ", ")));
        if (std::string_view(value.type_name()) != known->type && !value.is_null())
            return bad(fmt::format("\"{}\" of {} must be of type {}, not {}.", name, of, known->type, value.type_name()), "Correct it.");
    }
    return {};
}

Result<Json> openFromRequest(Program& program, SessionEngine& engine, const Request& request)
{
    NewSession fresh{request.text("name"),
                     request.text("objective"),
                     "optimize",
                     request.text("kernel"),
                     {},
                     {},
                     {},
                     request.flag("cumulative"),
                     request.choice("git"),
                     numberAt(request.json(), "budget")};
    if (!request.text("kind").empty())
        fresh.kind = request.text("kind");
    KL_ASSIGN(Params problem, parseParams(request.text("problem")));
    fresh.problem = std::move(problem);
    if (const auto answers = request.json().find("answers"); answers != request.json().end() && answers->is_object())
        for (const auto& [id, text] : answers->items())
            fresh.answers[id] = text.is_string() ? text.get<std::string>() : encode(text);
    if (const auto claims = request.json().find("claims"); claims != request.json().end() && claims->is_array())
        for (const Json& row : *claims) {
            if (!row.is_object())
                return bad("A claim is an object {source, figure, about}.", {});
            KL_TRY(checkMembers(row, {{"source", "string"}, {"figure", "string"}, {"about", "string"}}, "A claim"));
            const Request one(row);
            fresh.claims.push_back({one.text("source"), one.text("figure"), one.text("about").empty() ? "kernel" : one.text("about")});
        }
    if (const std::optional<Error> unusable = program.device().unusable())
        return *unusable;
    KL_ASSIGN(const SessionView view, engine.create(fresh));
    return composeAnswer(program, view);
}

const char* keepArgument(std::optional<bool> git)
{
    return !git ? "" : *git ? kKeepWithGit : kKeepWithoutGit;
}

/// The action that has a verb of its own.
std::optional<SessionAction> parseActionVerb(const std::string& verb)
{
    for (const ActionRow& row : actionTable())
        if (row.verb && verb == row.verb)
            return row.action;
    return {};
}

std::vector<std::string> actionVerbs()
{
    std::vector<std::string> verbs;
    for (const ActionRow& row : actionTable())
        if (row.verb)
            verbs.emplace_back(row.verb);
    return verbs;
}

Result<SessionView> carryOut(Program& program, SessionEngine& engine, const std::string& verb, const Request& request, const SessionId& id)
{
    if (verb == "show")
        return engine.view(id);
    if (verb == "step")
        return engine.step(id, program.job());
    if (const std::optional<SessionAction> action = parseActionVerb(verb))
        return engine.act(id, *action, keepArgument(request.choice("git")), program.job());
    if (verb == "act") {
        KL_ASSIGN(const SessionAction action, engine.action(id, request.text("action")));
        return engine.act(id, action, request.text("argument"), program.job());
    }
    if (verb == "waive")
        return engine.waive(id, request.text("gate"), request.text("reason"));
    if (verb == "note")
        return engine.note(id, request.text("text"));
    if (verb == "claim")
        return engine.claim(id, {request.text("source"), request.text("figure"), request.text("about")});
    if (verb == "option")
        return engine.option(id, request.text("name"), request.flag("value"));
    return engine.resume(id);
}

/// Nothing is done for a request that names something else than what its verb takes.
Status checkRequest(const Json& json)
{
    const auto verb = json.find("verb");
    if (verb == json.end() || !verb->is_string())
        return bad("A request needs its \"verb\", a text.", "For example {\"verb\": \"step\"}.");
    const std::string word = *verb;
    const auto row = std::ranges::find_if(verbMembers(), [&](const VerbMembers& one) { return word == one.verb; });
    if (row == verbMembers().end() && !parseActionVerb(word))
        return bad(
            "Unknown verb \"" + word + "\".",
            fmt::format("Verbs: {}, {}.", fmt::join(listNames(verbMembers(), &VerbMembers::verb), ", "), fmt::join(actionVerbs(), ", ")));
    std::vector<Member> members =
        row != verbMembers().end() ? row->members : std::vector<Member>{{"session", "string"}, {"git", "boolean"}};
    members.push_back({"verb", "string"});
    return checkMembers(json, members, '"' + word + '"');
}

Json listToJson(const Store& store)
{
    Json answer{{"schema", "kernelloop.sessions/1"}, {"sessions", Json::array()}};
    if (const auto sessions = store.sessions())
        for (const SessionHeader& header : *sessions)
            answer["sessions"].push_back({{"id", header.id.text}, {"name", header.name}, {"kind", header.kind}, {"kernel", header.kernel}});
    return answer;
}

/// Answers one request; `code` becomes what the same verb would exit with.
Result<Json> answerRequest(Program& program, const Json& json, int& code)
{
    KL_TRY(checkRequest(json));
    const Request request(json);
    const std::string verb = request.text("verb");
    KL_ASSIGN(auto* engine, program.engine());
    if (verb == "new")
        return openFromRequest(program, *engine, request);
    if (verb == "list" || verb == "kinds") {
        Json answer = verb == "kinds" ? kindsToJson() : listToJson(**program.store());
        answer["next"] = Json::array({newSessionOffer(program, {}, program.options().onSample())});
        return answer;
    }
    KL_ASSIGN(const SessionHeader header,
              pickSession(program, request.text("session"), verb == "show" || verb == "gate" ? Pick::latest : Pick::open));
    if (verb == "gate") {
        const Result<GateView> gate = engine->gate(header.id, request.text("gate"));
        Result<SessionView> view = engine->view(header.id);
        if (!gate || !view)
            return gate ? view.error() : gate.error();
        view->gate = gate->id;
        return composeAnswer(program, *view);
    }
    const Result<SessionView> view = carryOut(program, *engine, verb, request, header.id);
    if (!view) {
        const Result<SessionView> now = engine->view(header.id);
        Json answer = errorToJson(errorIn(view.error(), program, header));
        if (now)
            answer.update(besideError(*now));
        code = exitCode(view.error().code);
        return answer;
    }
    code = verb == "step" || verb == "act" || parseActionVerb(verb) ? chooseExitCode(*view) : 0;
    return composeAnswer(program, *view);
}

Result<int> answerBatch(Program& program)
{
    int last = 0;
    const std::stop_token stop = program.job().stop;
    InputLines lines(stop);
    while (const std::optional<std::string> read = lines.next()) {
        const std::string& line = *read;
        if (line.find_first_not_of(" \t\r") == std::string::npos)
            continue;
        int code = 0;
        program.reloadKernels(); // the caller may have edited one since the last line
        const Result<Json> json = parseJson(line, "standard input");
        Result<Json> answer = !json                ? Result<Json>(json.error())
                              : !json->is_object() ? Result<Json>(bad("A request is an object with a \"verb\".", {}))
                                                   : answerRequest(program, *json, code);
        if (!answer)
            code = exitCode(answer.error().code);
        Json out = answer ? std::move(*answer) : errorToJson(answer.error());
        addStepCommands(out);
        out["exit_code"] = code;
        printJson(encode(out));
        std::fflush(stdout);
        last = code;
    }
    return stop.stop_requested() ? exitCode(ErrorCode::interrupted) : last;
}

} // namespace

Runner addSessionBatch(CLI::App& app)
{
    app.footer(
        "For example: {\"verb\": \"new\", \"name\": \"N\", \"objective\": \"…\", \"kind\": \"optimize\", \"kernel\": \"transpose\"},\n"
        "then {\"verb\": \"step\"}, {\"verb\": \"act\", \"action\": \"choose-fix\", \"argument\": \"transpose/tiled\"},\n"
        "{\"verb\": \"waive\", \"gate\": \"G1\", \"reason\": \"…\"}, {\"verb\": \"note\", \"text\": \"…\"}, show, gate, claim, option, "
        "resume,\n"
        "list, kinds. \"session\" names a session; without it, the latest open one is used.");
    return answerBatch;
}

} // namespace kl::cli
