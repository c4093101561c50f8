// SPDX-License-Identifier: MIT
// What a recording keeps of a conversation: dates, versions, devices, and answers that came another way.
#include "core/base/scratch_folder.h"
#include "profiler/protocol/message_codec.h"
#include "profiler/replay/capture_file.h"
#include "profiler/replay/replay.h"
#include "tests/support/fake_collector.h"

#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <nlohmann/json.hpp>

namespace kl {
namespace {

Json requestFor(const std::string& kernel, const std::string& problem)
{
    return {{"work", {{"kernel", kernel}, {"problem", problem}, {"source", "s"}, {"source_hash", "h"}}}};
}

std::string recordedBytes(const Recorder& recorder)
{
    const Result<ScratchFolder> folder = ScratchFolder::make();
    EXPECT_TRUE(recorder.save(folder->path() / "a.zst").ok());
    std::ifstream in(folder->path() / "a.zst", std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// A capture with one answer to `request`, recorded long ago.
std::string earlierCapture(const Json& request, const DeviceInfo& device)
{
    Conversation conversation = describeRequest(Verb::run, request);
    conversation.at = "2020-01-02T03:04:05.000Z";
    conversation.answer = Json{{"recorded_at", ""}, {"figure", 1}};
    CaptureHeader header;
    header.device = device;
    return compressCapture(headerLine(header) + '\n' + conversationLine(conversation) + '\n').value();
}

TEST(Recording, WhatIsNotAskedAgainKeepsItsDate)
{
    test::FakeCollector live;
    const Json old = requestFor("a/b", "N=1"), fresh = requestFor("a/b", "N=2");
    const auto recorder = recordFrom(live);
    ASSERT_TRUE(recorder->resume(earlierCapture(old, live.hello().devices.front()), "x").ok());
    recorder->add(Verb::run, fresh, Json{{"recorded_at", ""}, {"figure", 2}});
    const auto replay = openCapture(recordedBytes(*recorder), "x");
    ASSERT_TRUE(replay.ok()) << replay.error().message;
    const Result<Json> kept = (*replay)->ask(Verb::run, old, {});
    ASSERT_TRUE(kept.ok()) << kept.error().message;
    EXPECT_EQ((*kept)["recorded_at"], "2020-01-02T03:04:05.000Z");
    EXPECT_EQ((*kept)["figure"], 1);
    const Result<Json> added = (*replay)->ask(Verb::run, fresh, {});
    ASSERT_TRUE(added.ok()) << "an answer that did not come through it";
    EXPECT_EQ((*added)["figure"], 2);
    EXPECT_NE((*added)["recorded_at"], "");
    EXPECT_NE((*added)["recorded_at"], (*kept)["recorded_at"]);
}

TEST(Recording, AnAnswerThatIsAddedTakesThePlaceOfTheEarlierOne)
{
    test::FakeCollector live;
    const Json request = requestFor("a/b", "N=1");
    const auto recorder = recordFrom(live);
    ASSERT_TRUE(recorder->resume(earlierCapture(request, live.hello().devices.front()), "x").ok());
    recorder->add(Verb::run, request, Json{{"figure", 3}});
    const auto replay = openCapture(recordedBytes(*recorder), "x");
    ASSERT_TRUE(replay.ok());
    EXPECT_EQ((*(*replay)->ask(Verb::run, request, {}))["figure"], 3);
    EXPECT_EQ(unpackRequests(recordedBytes(*recorder), "x")->size(), 1U);
}

TEST(Recording, OnlyAGpuOfAnotherNameIsAnotherDevice)
{
    test::FakeCollector live;
    DeviceInfo device = live.hello().devices.front();
    device.uuid = "GPU-elsewhere";
    EXPECT_TRUE(recordFrom(live)->resume(earlierCapture(requestFor("a/b", "N=1"), device), "x").ok()) << "the model counts";
    device.name = "Another";
    const Status other = recordFrom(live)->resume(earlierCapture(requestFor("a/b", "N=1"), device), "x.zst");
    ASSERT_FALSE(other.ok());
    EXPECT_EQ(other.error().where, "x.zst");
    live.hello().devices.clear();
    EXPECT_TRUE(recordFrom(live)->resume(earlierCapture(requestFor("a/b", "N=1"), device), "x").ok()) << "without one it is not known";
}

TEST(Recording, TheHeaderNamesTheMeasuredDeviceAndTheLibraries)
{
    test::FakeCollector live;
    live.hello().devices.push_back(live.hello().devices.front());
    live.hello().devices[1].name = "Second";
    live.hello().devices[1].driverVersion = "590.2";
    live.hello().device = 1;
    live.hello().version = "7.8";
    const auto recorder = recordFrom(live);
    recorder->add(Verb::run, requestFor("a/b", "N=1"), Json{{"nvrtc", "of no probe"}});
    recorder->add(Verb::probe, Json::object(), Json{{"nvrtc", "13.0"}, {"cupti", "13.1"}, {"python", "3.12"}, {"other", "x"}});
    const Result<std::string> text = decompressCapture(recordedBytes(*recorder), "x");
    ASSERT_TRUE(text.ok());
    const Result<CaptureHeader> header = parseHeader(splitIntoLines(*text).front(), "x");
    ASSERT_TRUE(header.ok());
    EXPECT_EQ(header->device.name, "Second");
    EXPECT_EQ(header->program, "7.8");
    EXPECT_EQ(header->versions,
              (std::map<std::string, std::string>{{"driver", "590.2"}, {"nvrtc", "13.0"}, {"cupti", "13.1"}, {"python", "3.12"}}));
}

TEST(Recording, CapturesOfTwoGpusAnswerWithBothDevices)
{
    test::FakeCollector live;
    const auto empty = openCapture(recordedBytes(*recordFrom(live)), "x");
    ASSERT_TRUE(empty.ok());
    ASSERT_EQ((*empty)->hello().devices.size(), 1U);
    EXPECT_EQ((*empty)->hello().devices.front().uuid, "GPU-fake");
    EXPECT_EQ((*empty)->hello().device, 0);
    EXPECT_FALSE((*empty)->holds(Verb::run, requestFor("a/b", "N=1")));
    EXPECT_EQ((*empty)->width(), 1);
}

} // namespace
} // namespace kl
