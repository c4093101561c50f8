// SPDX-License-Identifier: MIT
#include "bench.h"

#include "core/base/resource.h"
#include "profiler/replay/capture_file.h"
#include "profiler/replay/replay.h"
#include "sessions/learning/sample_builder.h"
#include "sessions/shipped/sample_store.h"

#include <algorithm>
#include <benchmark/benchmark.h>

namespace kl::bench {
namespace {

constexpr const char* kCapture = "resources/captures/h200-transpose.zst";

std::string_view captureBytes()
{
    const Result<std::string_view> bytes = resource(kCapture);
    return bytes ? *bytes : std::string_view();
}

/// A full profile: the largest answer that a capture holds.
std::optional<RecordedRequest> oneProfile()
{
    const auto requests = unpackRequests(captureBytes(), kCapture);
    if (!requests)
        return std::nullopt;
    const auto found = std::find_if(requests->begin(), requests->end(), [](const RecordedRequest& r) { return r.verb == Verb::profile; });
    return found == requests->end() ? std::nullopt : std::optional(*found);
}

void answerFromIndex(benchmark::State& state)
{
    const auto request = oneProfile();
    const auto capture = openCapture(captureBytes(), kCapture);
    if (!request || !capture)
        return state.SkipWithError("this build carries no capture");
    for (auto _ : state) {
        const Result<Json> answer = (*capture)->ask(request->verb, request->body, {});
        if (!answer)
            state.SkipWithError("not recorded");
        benchmark::DoNotOptimize(answer);
    }
}
BENCHMARK(answerFromIndex)->Name(kIndexed)->Unit(benchmark::kMillisecond);

void answerAfterOpening(benchmark::State& state)
{
    const auto request = oneProfile();
    if (!request)
        return state.SkipWithError("this build carries no capture");
    for (auto _ : state) {
        const auto capture = openCapture(captureBytes(), kCapture);
        const Result<Json> answer = (*capture)->ask(request->verb, request->body, {});
        if (!answer)
            state.SkipWithError("not recorded");
        benchmark::DoNotOptimize(answer);
    }
}
BENCHMARK(answerAfterOpening)->Name(kOpened)->Unit(benchmark::kMillisecond);

/// What a reader without an index does: every conversation of the capture into JSON, then the one that was asked for.
void answerAfterParsingAll(benchmark::State& state)
{
    const auto request = oneProfile();
    if (!request)
        return state.SkipWithError("this build carries no capture");
    for (auto _ : state) {
        const Result<std::string> text = decompressCapture(captureBytes(), kCapture);
        const std::string key = describeRequest(request->verb, request->body).key;
        const std::vector<std::string_view> lines = splitIntoLines(*text);
        Json answer;
        for (std::size_t i = 1; i < lines.size(); ++i)
            if (Result<Conversation> reported = parseConversation(lines[i], kCapture, true); reported && reported->key == key)
                answer = std::move(reported->answer);
        if (answer.is_null())
            state.SkipWithError("not recorded");
        benchmark::DoNotOptimize(answer);
    }
}
BENCHMARK(answerAfterParsingAll)->Name(kParsed)->Unit(benchmark::kMillisecond);

void buildSampleDatabase(benchmark::State& state)
{
    for (auto _ : state) {
        const auto store = buildSampleStore();
        if (!store)
            state.SkipWithError(store.error().message.c_str());
        benchmark::DoNotOptimize(store);
    }
}
BENCHMARK(buildSampleDatabase)->Name(kSampleStore)->Unit(benchmark::kMillisecond);

void openBuiltSample(benchmark::State& state)
{
    for (auto _ : state) {
        const auto store = openSampleStore();
        if (!store)
            state.SkipWithError(store.error().message.c_str());
        benchmark::DoNotOptimize(store);
    }
}
BENCHMARK(openBuiltSample)->Name(kBuiltSample)->Unit(benchmark::kMillisecond);

} // namespace
} // namespace kl::bench
