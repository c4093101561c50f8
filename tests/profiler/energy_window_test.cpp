// SPDX-License-Identifier: MIT
#include "profiler/live/host/energy_window.h"

#include <cmath>
#include <gtest/gtest.h>

namespace kl {
namespace {

/// A board that takes 300 W, with a clock and an energy counter of its own.
struct FakeBoard {
    double passSeconds = 50e-6;
    double updateSeconds = 0.1; ///< the counter's period
    double watts = 300;
    bool hasCounter = true;
    double clock = 0;
    std::stop_source stop;

    EnergyPorts ports()
    {
        EnergyPorts ports;
        ports.joules = [this]() -> std::optional<double> {
            if (!hasCounter)
                return {};
            const double updated = updateSeconds > 0 ? std::floor(clock / updateSeconds) * updateSeconds : 0;
            return std::floor(1000 * (5000 + watts * updated)) / 1000; // millijoules, since some earlier day
        };
        ports.issue = [this](int passes) -> Status {
            clock += passes * passSeconds;
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
    EXPECT_NE(energy.reason.find("changed only"), std::string::npos);
    EXPECT_LT(board.clock, kMostEnergySeconds + 1);
}

TEST(EnergyWindow, StopsOnRequestAndPassesFaultsOn)
{
    FakeBoard board;
    board.stop.request_stop();
    EXPECT_EQ(measureEnergy(board.ports()).error().code, ErrorCode::interrupted);
    FakeBoard faulty;
    EnergyPorts ports = faulty.ports();
    ports.issue = [](int) -> Status { return Error{.code = ErrorCode::kernelFailed, .message = "It faults."}; };
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
}

} // namespace
} // namespace kl
