// SPDX-License-Identifier: MIT
#pragma once

#include "core/model/model_words.h"
#include "profiler/protocol/build_messages.h"
#include "profiler/protocol/build_request.h"
#include "profiler/protocol/count_messages.h"
#include "profiler/protocol/launch_request.h"
#include "profiler/protocol/messages.h"
#include "profiler/protocol/metric_messages.h"
#include "profiler/protocol/program_messages.h"
#include "profiler/protocol/sanitize_messages.h"
#include "profiler/protocol/timeline_messages.h"

#include <array>
#include <tuple>
#include <utility>

namespace kl::inline protocol {

/// What a collector can be asked, in the order of kVerbs.
enum class Verb { probe, environment, metrics, build, buildMany, compile, run, profile, count, launch, compare, sanitize, timeline, trace };

/// One verb's row: its messages as types, its word, and what a worker needs for it.
template <class RequestType, class AnswerType> struct VerbRow {
    using Request = RequestType;
    using Answer = AnswerType;

    Verb verb;
    const char* word;           ///< in requests, in the keys of recordings, and in messages
    bool needsDevice = false;   ///< served on a prepared GPU, whose lock is held meanwhile
    bool runsReference = false; ///< may start the script that a kernel names as its reference, which takes consent
};

/// Every verb. A new one is a row here, an arm in LiveBackend and, for typed requests, a function in collector.h.
inline constexpr std::tuple kVerbs{
    VerbRow<ProbeRequest, ProbeAnswer>{Verb::probe, "probe"},
    VerbRow<EnvRequest, EnvReport>{.verb = Verb::environment, .word = "env", .runsReference = true},
    VerbRow<MetricsRequest, MetricsAnswer>{Verb::metrics, "metrics"},
    VerbRow<BuildRequest, CompileAnswer>{Verb::build, "build"},
    VerbRow<BuildManyRequest, BuildManyAnswer>{Verb::buildMany, "build-many"},
    VerbRow<CompileRequest, CompileAnswer>{.verb = Verb::compile, .word = "compile", .needsDevice = true},
    VerbRow<RunRequest, RunAnswer>{.verb = Verb::run, .word = "run", .needsDevice = true, .runsReference = true},
    VerbRow<ProfileRequest, RunAnswer>{.verb = Verb::profile, .word = "profile", .needsDevice = true, .runsReference = true},
    VerbRow<CountRequest, CountAnswer>{.verb = Verb::count, .word = "count", .needsDevice = true},
    VerbRow<LaunchRequest, RunAnswer>{.verb = Verb::launch, .word = "launch", .needsDevice = true},
    VerbRow<AbRequest, AbAnswer>{.verb = Verb::compare, .word = "ab", .needsDevice = true, .runsReference = true},
    VerbRow<SanitizeRequest, SanitizeAnswer>{Verb::sanitize, "sanitize"},
    VerbRow<TimelineRequest, TimelineAnswer>{.verb = Verb::timeline, .word = "timeline", .needsDevice = true, .runsReference = true},
    VerbRow<TraceProgramRequest, TraceProgramAnswer>{Verb::trace, "trace"},
};

inline constexpr std::size_t kVerbCount = std::tuple_size_v<decltype(kVerbs)>;

/// A verb's row and its messages, where the verb is known to the compiler.
template <Verb verb> using VerbRowOf = std::tuple_element_t<static_cast<std::size_t>(verb), decltype(kVerbs)>;
template <Verb verb> using RequestOf = typename VerbRowOf<verb>::Request;
template <Verb verb> using AnswerOf = typename VerbRowOf<verb>::Answer;

/// The part of a row that has no types.
struct VerbTraits {
    Verb verb;
    const char* word;
    bool needsDevice;
    bool runsReference;
};

inline constexpr std::array<VerbTraits, kVerbCount> kVerbTraits = std::apply(
    [](const auto&... row) {
        return std::array<VerbTraits, kVerbCount>{{{row.verb, row.word, row.needsDevice, row.runsReference}...}};
    },
    kVerbs);

constexpr bool verbsAreInOrder()
{
    for (std::size_t i = 0; i < kVerbCount; ++i)
        if (static_cast<std::size_t>(kVerbTraits[i].verb) != i)
            return false;
    return true;
}
static_assert(verbsAreInOrder(), "kVerbs lists the verbs in the order of the enum");

constexpr const VerbTraits& findTraits(Verb verb)
{
    return kVerbTraits[static_cast<std::size_t>(verb)];
}

/// The words, for codecs, toWord() and enumFrom().
constexpr auto enumWords(Verb)
{
    std::array<std::pair<Verb, const char*>, kVerbCount> words{};
    for (std::size_t i = 0; i < kVerbCount; ++i)
        words[i] = {kVerbTraits[i].verb, kVerbTraits[i].word};
    return words;
}

/// The verb of a word; unset for any other word.
std::optional<Verb> parseVerb(std::string_view word);

/// Words of requests that no backend serves: they act on the worker itself.
inline constexpr const char* kCancel = "cancel"; ///< body {"id": n}: the request to end
inline constexpr const char* kShutdown = "shutdown";
inline constexpr const char* kHave = "have"; ///< body {"hashes": […]}; answer {"missing": […]}: those that have to be sent
inline constexpr const char* kKeep = "keep"; ///< body {"hash": …, "base64": …}: a compressed piece of a long text; answer {}

} // namespace kl::inline protocol
