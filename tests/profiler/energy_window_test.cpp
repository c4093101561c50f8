// SPDX-License-Identifier: MIT
#include "profiler/live/host/energy_window.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <string>

namespace kl {
namespace {

/// A board that takes 300 W while it works and 80 W while it is idle, with a clock and an energy counter of its own.
struct FakeBoard {
    double passSeconds = 50e-6;
    double updateSeconds = 0.1; ///< the counter's period
    double readSeconds = 0;     ///< that reading the counter takes
    bool hasCounter = true;
    double clock = 0;
    double busyUntil = 0;
    double busySeconds = 0; ///< before `clock`
    double joules = 5000;   ///< as of the counter's latest update
    double updated = 0;
    std::stop_source stop;

    double joulesNow() const { return 5000 + 300 * busySeconds + 80 * (clock - busySeconds); }

    void advance(double to)
    {
        while (clock < to) {
            const double next = updateSeconds > 0 ? std::min(to, updated + updateSeconds) : to;
            busySeconds += std::clamp(busyUntil - clock, 0.0, next - clock);
            clock = next;
            if (updateSeconds > 0 && clock < updated + updateSeconds)
                continue;
            updated = clock;
            joules = joulesNow();
        }
    }

    EnergyPorts ports()
    {
        EnergyPorts ports;
        ports.joules = [this]() -> std::optional<double> {
            if (!hasCounter)
                return {};
            advance(clock + readSeconds);
            return std::floor(1000 * joules) / 1000; // millijoules, since some earlier day
        };
        ports.start = [this](int passes) -> Status {
            busyUntil = std::max(busyUntil, clock) + passes * passSeconds;
            return {};
        };
        ports.finish = [this]() -> Status {
            advance(busyUntil);
            return {};
        };
        ports.now = [this] { return clock; };
        ports.stop = stop.get_token();
        return ports;
    }
    Energy measure()
    {
        Result<Energy> energy = measureEnergy(ports());
        EXPECT_TRUE(energy);
        return energy ? *energy : Energy{};
    }
};

TEST(EnergyWindow, ShortPassesAreRepeatedUntilTheWindowHoldsTwentyUpdates)
{
    FakeBoard board;
    const Energy energy = board.measure();
    ASSERT_TRUE(energy.perLaunchJ);
    EXPECT_NEAR(*energy.perLaunchJ, 300 * 50e-6, 0.02 * 300 * 50e-6);
    EXPECT_GE(energy.updates, kEnergyUpdates);
    EXPECT_GE(energy.windowSeconds, 1.9);
    EXPECT_TRUE(energy.reason.empty());
}

TEST(EnergyWindow, AFastCounterStillNeedsTheLeastTime)
{
    FakeBoard board;
    board.updateSeconds = 0.01;
    const Energy energy = board.measure();
    EXPECT_GE(energy.windowSeconds, kLeastEnergySeconds);
    EXPECT_NEAR(*energy.perLaunchJ, 300 * 50e-6, 0.02 * 300 * 50e-6);
}

TEST(EnergyWindow, LiesBetweenTheUpdatesThatFollowSettling)
{
    double clock = 0, joules = 0;
    int reads = 0;
    EnergyPorts ports;
    ports.joules = [&]() -> std::optional<double> {
        ++reads;
        return joules += reads <= 4 ? 1000 : 3; // it settles late
    };
    ports.start = [](int) -> Status { return {}; };
    ports.finish = [&]() -> Status {
        clock += 0.125;
        return {};
    };
    ports.now = [&] { return clock; };
    const Result<Energy> energy = measureEnergy(ports);
    ASSERT_TRUE(energy);
    EXPECT_EQ(energy->updates, 20);
    EXPECT_EQ(energy->windowSeconds, 2.5);
    EXPECT_EQ(energy->launches, 20);
    EXPECT_EQ(energy->perLaunchJ, 3);
}

TEST(EnergyWindow, TheGpuIsBusyWhileTheCounterIsRead)
{
    for (const double passSeconds : {2e-6, 300e-6, 4e-3}) {
        FakeBoard board;
        board.readSeconds = 0.004; // as on an H200
        board.passSeconds = passSeconds;
        const Energy energy = board.measure();
        ASSERT_TRUE(energy.perLaunchJ);
        EXPECT_NEAR(*energy.perLaunchJ, 300 * passSeconds, 0.02 * 300 * passSeconds);
        EXPECT_TRUE(whyTooShort(energy, 1e9 * passSeconds).empty());
    }
}

TEST(EnergyWindow, ASlowCounterGetsLargerBatches)
{
    FakeBoard board;
    board.readSeconds = 0.05;
    EXPECT_NEAR(*board.measure().perLaunchJ, 300 * 50e-6, 0.03 * 300 * 50e-6);
}

TEST(EnergyWindow, LongPassesMakeItLonger)
{
    FakeBoard board;
    board.passSeconds = 0.3;
    const Energy energy = board.measure();
    ASSERT_TRUE(energy.perLaunchJ);
    EXPECT_NEAR(*energy.perLaunchJ, 90, 0.05 * 90);
    EXPECT_GE(energy.windowSeconds, 20 * 0.3);
}

TEST(EnergyWindow, WithoutACounterThereIsAReason)
{
    FakeBoard board;
    board.hasCounter = false;
    EXPECT_FALSE(board.measure().perLaunchJ);
    EXPECT_FALSE(board.measure().reason.empty());
    EXPECT_EQ(board.clock, 0) << "no pass is issued";
}

TEST(EnergyWindow, ACounterThatHardlyMovesIsGivenUp)
{
    FakeBoard board;
    board.updateSeconds = 2;
    const Energy energy = board.measure();
    EXPECT_FALSE(energy.perLaunchJ);
    EXPECT_NE(energy.reason.find(' ' + std::to_string(kEnergyUpdates) + ' '), std::string::npos) << "what is needed: " << energy.reason;
    EXPECT_LT(board.clock, kMostEnergySeconds + 1);
}

TEST(EnergyWindow, StopsOnRequestAndPassesFaultsOn)
{
    FakeBoard board;
    board.stop.request_stop();
    EXPECT_EQ(measureEnergy(board.ports()).error().code, ErrorCode::interrupted);
    FakeBoard faulty;
    EnergyPorts ports = faulty.ports();
    ports.start = [](int) -> Status { return Error{.code = ErrorCode::kernelFailed, .message = "It faults."}; };
    EXPECT_EQ(measureEnergy(ports).error().code, ErrorCode::kernelFailed);
}

TEST(EnergyWindow, PassesShorterThanTheirLaunchesTellNothing)
{
    Energy energy;
    energy.perLaunchJ = 1e-3;
    energy.windowSeconds = 1;
    energy.launches = 200'000;
    EXPECT_FALSE(whyTooShort(energy, 1'000).empty()) << "busy for 20 % of the window";
    EXPECT_TRUE(whyTooShort(energy, 4'000).empty());
    EXPECT_TRUE(whyTooShort(energy, 2'500).empty()) << "half of it is enough";
    EXPECT_FALSE(whyTooShort(energy, 2'490).empty());
    energy.windowSeconds = 0;
    EXPECT_TRUE(whyTooShort(energy, 1).empty());
    energy.windowSeconds = 1;
    energy.perLaunchJ.reset();
    EXPECT_TRUE(whyTooShort(energy, 1'000).empty()) << "another reason is there already";
}

} // namespace
} // namespace kl
