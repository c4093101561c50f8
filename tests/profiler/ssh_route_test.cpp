// SPDX-License-Identifier: MIT
// What the end of an ssh means that did not get as far as a worker: another attempt may do better, or none will.
#include "profiler/remote/host_trouble.h"
#include "profiler/remote/route.h"

#include <gtest/gtest.h>

namespace kl {
namespace {

/// Whether there will be another attempt after ssh ended with 255 and these last words.
bool isTriedAgain(const std::string& words)
{
    const ProcessEnd end{.status = 255, .signal = {}};
    return !routeOverSsh("gpu7", "key", {})->refused(end, words);
}

TEST(SshRoute, AConnectionThatBreaksOnItsWayIsMadeAgain)
{
    EXPECT_TRUE(isTriedAgain(""));
    EXPECT_TRUE(isTriedAgain("Connection closed by 10.0.0.7 port 22\r\n"));
    EXPECT_TRUE(isTriedAgain("kex_exchange_identification: read: Connection reset by peer\r\n"));
    EXPECT_TRUE(isTriedAgain("ssh_dispatch_run_fatal: Connection to 10.0.0.7 port 22: Broken pipe\r\n"));
    EXPECT_TRUE(isTriedAgain("client_loop: send disconnect: Broken pipe\r\n"));
}

TEST(SshRoute, AHostThatLetsNobodyInIsNotAskedAgain)
{
    EXPECT_FALSE(isTriedAgain("ssh: Could not resolve hostname gpu7: Name or service not known\r\n"));
    EXPECT_FALSE(isTriedAgain("ssh: connect to host gpu7 port 22: No route to host\r\n"));
    EXPECT_FALSE(isTriedAgain("Host key verification failed.\r\n"));
    EXPECT_FALSE(isTriedAgain("me@gpu7: Permission denied (publickey).\r\n"));
}

TEST(SshRoute, AHostThatDoesNotAnswerIsLost)
{
    const std::optional<Error> refused = routeOverSsh("gpu7", "key", {})->refused({}, "");
    ASSERT_TRUE(refused);
    EXPECT_TRUE(isHostLost(*refused));
    EXPECT_NE(refused->message, routeOverSsh("gpu7", "key", {})->refused(ProcessEnd{.status = 255, .signal = {}}, "No route")->message);
}

} // namespace
} // namespace kl
