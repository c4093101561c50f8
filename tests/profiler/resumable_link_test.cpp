// SPDX-License-Identifier: MIT
// The conversation between a relay and the supervisor of its worker: what is sent arrives once and in order, wherever it is cut.
#include "profiler/remote/resumable_link.h"

#include <gtest/gtest.h>
#include <random>

namespace kl {
namespace {

TEST(Frames, AreReadAsTheyWereWrittenWhereverTheBytesAreSplit)
{
    const std::string bytes = encodeFrame(FrameType::output, std::string("a\0b\n", 4)) + encodeFrame(FrameType::ping, "") +
                              encodeFrame(FrameType::input, std::string(kMostPayload, 'x'));
    for (const std::size_t piece : {std::size_t{1}, std::size_t{3}, std::size_t{1000}, bytes.size()}) {
        FrameReader reader;
        std::vector<Frame> frames;
        for (std::size_t at = 0; at < bytes.size(); at += piece) {
            reader.append(std::string_view(bytes).substr(at, piece));
            while (true) {
                Result<std::optional<Frame>> frame = reader.next();
                ASSERT_TRUE(frame.ok());
                if (!*frame)
                    break;
                frames.push_back(std::move(**frame));
            }
        }
        ASSERT_EQ(frames.size(), 3U);
        EXPECT_EQ(frames[0].payload, std::string("a\0b\n", 4));
        EXPECT_EQ(frames[1].type, FrameType::ping);
        EXPECT_EQ(frames[2].payload.size(), kMostPayload);
    }
}

TEST(Frames, OtherBytesAreAnError)
{
    for (const std::string& bytes : {std::string("Last login: Monday"), std::string("O\xFF\xFF\xFF\x7F"), std::string("\n")}) {
        FrameReader reader;
        reader.append(bytes);
        EXPECT_FALSE(reader.next().ok()) << bytes;
    }
}

TEST(Frames, OnlyWhatIsOfTheConversationIsKept)
{
    for (const FrameType kept : {FrameType::input, FrameType::inputEnd, FrameType::output, FrameType::errors, FrameType::ended})
        EXPECT_TRUE(isKept(kept)) << static_cast<char>(kept);
    for (const FrameType lost : {FrameType::resume, FrameType::acknowledge, FrameType::ping, FrameType::quit})
        EXPECT_FALSE(isKept(lost)) << static_cast<char>(lost);
    FrameReader reader;
    for (const char type : std::string("IEOSXRKPQ"))
        reader.append(encodeFrame(static_cast<FrameType>(type), std::string(1, type)));
    for (const char type : std::string("IEOSXRKPQ")) {
        const Result<std::optional<Frame>> frame = reader.next();
        ASSERT_TRUE(frame.ok() && *frame) << type;
        EXPECT_EQ((*frame)->type, static_cast<FrameType>(type));
        EXPECT_EQ((*frame)->payload, std::string(1, type));
    }
    FrameReader longer;
    longer.append(encodeFrame(FrameType::output, std::string(kMostPayload + 1, 'x')));
    EXPECT_FALSE(longer.next().ok());
}

TEST(Frames, CountsAreReadStrictly)
{
    EXPECT_EQ(countIn(countText(18446744073709551615U)), 18446744073709551615U);
    for (const char* text : {"", "-1", "1 ", "x", "18446744073709551616"})
        EXPECT_FALSE(countIn(text)) << text;
}

/// Two ends and a wire that loses what is on it when it is cut.
struct Wire {
    ResumableLink client;
    ResumableLink worker;
    std::string toWorker;
    std::string toClient;
    std::string atWorker; ///< payloads that arrived
    std::string atClient;

    void connect()
    {
        toWorker.clear();
        toClient.clear();
        client.connect();
        worker.connect();
    }

    /// Moves up to `most` bytes each way.
    void move(std::size_t most)
    {
        toWorker += std::exchange(client.unsent(), {});
        toClient += std::exchange(worker.unsent(), {});
        deliver(toWorker, most, worker, atWorker);
        deliver(toClient, most, client, atClient);
    }

    static void deliver(std::string& wire, std::size_t most, ResumableLink& end, std::string& arrived)
    {
        const Result<std::vector<Frame>> frames = end.receive(std::string_view(wire).substr(0, most));
        ASSERT_TRUE(frames.ok());
        wire.erase(0, most);
        for (const Frame& frame : *frames)
            arrived += frame.payload;
    }
};

TEST(ResumableLink, EverythingArrivesOnceAndInOrderWhateverIsCut)
{
    for (unsigned seed = 0; seed < 200; ++seed) {
        std::mt19937 random(seed);
        Wire wire;
        std::string sentToWorker, sentToClient;
        wire.connect();
        for (int step = 0; step < 400; ++step) {
            const std::string text(random() % 300, static_cast<char>('a' + step % 26));
            switch (random() % 8) {
            case 0:
            case 1:
                wire.client.send(FrameType::input, text);
                sentToWorker += text;
                break;
            case 2:
            case 3:
                wire.worker.send(FrameType::output, text);
                sentToClient += text;
                break;
            case 4: // also with one end cut off for a while, which sends on
                if (random() % 2 == 0)
                    wire.client.disconnect();
                wire.connect();
                break;
            default: wire.move(random() % 700);
            }
        }
        for (int i = 0; i < 3; ++i)
            wire.move(1 << 30);
        EXPECT_EQ(wire.atWorker, sentToWorker) << seed;
        EXPECT_EQ(wire.atClient, sentToClient) << seed;
        EXPECT_EQ(wire.client.keptBytes() + wire.worker.keptBytes(), 0U) << "nothing is kept that has arrived";
    }
}

TEST(ResumableLink, WhatIsSentWithoutAConnectionIsKept)
{
    Wire wire;
    wire.client.send(FrameType::input, "before");
    EXPECT_TRUE(wire.client.unsent().empty());
    wire.client.sendNow(FrameType::ping);
    EXPECT_TRUE(wire.client.unsent().empty()) << "a ping is about a connection";
    wire.connect();
    wire.move(1 << 20);
    wire.move(1 << 20);
    EXPECT_EQ(wire.atWorker, "before");
}

TEST(ResumableLink, WhatIsNotAcknowledgedYetIsCounted)
{
    Wire wire;
    wire.client.send(FrameType::input, "first");
    const std::size_t first = wire.client.keptBytes();
    EXPECT_GE(first, 5U);
    wire.client.send(FrameType::input, "a longer second one");
    const std::size_t both = wire.client.keptBytes();
    EXPECT_EQ(both - first, first + 14) << "a frame around each";
    wire.connect();
    wire.client.sendNow(FrameType::ping);
    EXPECT_EQ(wire.client.keptBytes(), both) << "a ping is not kept";
    wire.move(1 << 20);
    wire.move(1 << 20);
    EXPECT_EQ(wire.atWorker, "firsta longer second one");
    EXPECT_EQ(wire.client.keptBytes(), both) << "that it arrived is still on its way";
    wire.move(1 << 20);
    EXPECT_EQ(wire.client.keptBytes(), 0U);
    wire.client.send(FrameType::input, "first");
    EXPECT_EQ(wire.client.keptBytes(), first);
    wire.client.disconnect();
    EXPECT_EQ(wire.client.keptBytes(), first) << "without a connection it stays";
    EXPECT_TRUE(wire.client.unsent().empty());
    wire.connect();
    for (int i = 0; i < 3; ++i)
        wire.move(1 << 20);
    EXPECT_EQ(wire.client.keptBytes(), 0U);
    EXPECT_EQ(wire.atWorker, "firsta longer second onefirst");
}

TEST(ResumableLink, ALongPayloadIsSeveralFrames)
{
    Wire wire;
    wire.connect();
    wire.move(1 << 20);
    const std::string payload = std::string(kMostPayload, 'a') + std::string(kMostPayload, 'b') + "c";
    wire.client.send(FrameType::input, payload);
    const std::size_t kept = wire.client.keptBytes();
    EXPECT_EQ(kept, payload.size() + 3 * 5) << "three frames with a head each";
    wire.client.send(FrameType::inputEnd, {});
    EXPECT_EQ(wire.client.keptBytes(), kept + 5) << "one without a payload is a frame, too";
    for (int i = 0; i < 3; ++i)
        wire.move(1 << 30);
    EXPECT_EQ(wire.atWorker, payload);
    EXPECT_EQ(wire.client.keptBytes(), 0U);
}

TEST(ResumableLink, AnEndThatLiesAboutWhatItReceivedIsRefused)
{
    for (const char* count : {"1", "x", "-1"}) {
        ResumableLink link;
        link.connect();
        EXPECT_FALSE(link.receive(encodeFrame(FrameType::resume, count)).ok()) << count;
    }
    ResumableLink back;
    back.connect();
    back.send(FrameType::input, "one");
    EXPECT_TRUE(back.receive(encodeFrame(FrameType::resume, "0") + encodeFrame(FrameType::acknowledge, "1")).ok());
    EXPECT_FALSE(back.receive(encodeFrame(FrameType::acknowledge, "0")).ok()) << "it had received that";
    ResumableLink early;
    early.connect();
    EXPECT_FALSE(early.receive(encodeFrame(FrameType::output, "before it resumed")).ok());
    ResumableLink twice;
    twice.connect();
    EXPECT_FALSE(twice.receive(encodeFrame(FrameType::resume, "0") + encodeFrame(FrameType::resume, "0")).ok());
}

} // namespace
} // namespace kl
