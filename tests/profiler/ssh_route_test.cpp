// SPDX-License-Identifier: MIT
// What the end of an ssh means that did not get as far as a worker: another attempt may do better, or none will.
#include "profiler/remote/host_trouble.h"
#include "profiler/remote/route.h"
#include "profiler/remote/worker_socket.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace kl {
namespace {

/// Whether there will be another attempt after ssh ended with 255 and these last words.
bool isTriedAgain(const std::string& words)
{
    const ProcessEnd end{.status = 255, .signal = {}};
    return !routeOverSsh("gpu7", "key", {})->findRefusal(end, words);
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

TEST(SshRoute, WhatTheHostsShellEndsWithIsAWorkerThatCannotBeUsed)
{
    const std::unique_ptr<Route> route = routeOverSsh("gpu7", "key", {});
    const auto refused = [&](int status, const std::string& words, std::optional<int> signal = {}) {
        return route->findRefusal(ProcessEnd{.status = status, .signal = signal}, words);
    };
    for (const int status : {0, 1, 2, 126, 254}) {
        const std::optional<Error> error = refused(status, "usage: kloop-worker\nConnection closed by remote host");
        ASSERT_TRUE(error) << status;
        EXPECT_TRUE(isWorkerMissing(*error)) << status;
        EXPECT_EQ(error->detail, "") << "the system is not known";
    }
    EXPECT_TRUE(isWorkerMissing(*refused(2, "")));
    const std::optional<Error> none = refused(127, "/usr/bin/env: 'ssh': No such file or directory");
    ASSERT_TRUE(none);
    EXPECT_TRUE(isHostLost(*none));
    const std::optional<Error> other = refused(127, "sh: something: not found");
    ASSERT_TRUE(other);
    EXPECT_TRUE(isHostLost(*other));
    EXPECT_NE(none->hint, other->hint);
    EXPECT_FALSE(refused(137, "words", 9)) << "somebody killed ssh";
    const std::optional<Error> endless = route->findRefusal({}, "words");
    ASSERT_TRUE(endless);
    EXPECT_TRUE(isHostLost(*endless));
    EXPECT_FALSE(route->findEnd());
    EXPECT_FALSE(route->startsByItself());
}

TEST(SshRoute, TheHostIsToldTheWorkersNameKeyAndArguments)
{
    const std::unique_ptr<Route> route = routeOverSsh("me@gpu7", "key7", {"--device", "GPU-1"});
    EXPECT_EQ(route->host(), "me@gpu7");
    EXPECT_TRUE(isWorkerName(route->name()));
    EXPECT_NE(route->name(), routeOverSsh("me@gpu7", "key7", {})->name()) << "each worker has a name of its own";
    for (const bool again : {false, true}) {
        const Result<std::vector<std::string>> command = route->command(again);
        ASSERT_TRUE(command.ok());
        const std::string words = " " + route->name() + " key7 " + (again ? "again" : "new") + " --device GPU-1";
        EXPECT_TRUE(command->back().ends_with("' kloop" + words)) << command->back();
        EXPECT_EQ((*command)[command->size() - 2], "me@gpu7");
    }
    EXPECT_EQ(routeOverSsh("-x", "key7", {})->command(false).error().code, ErrorCode::usage);
}

TEST(SlurmRoute, StepsIntoTheJobThatRuns)
{
    const std::unique_ptr<Route> route = routeIntoJob({"slurm:gpu", "12", "name-12", "/opt/kloop-worker"});
    EXPECT_EQ(route->host(), "slurm:gpu");
    EXPECT_EQ(route->name(), "name-12");
    EXPECT_TRUE(route->startsByItself());
    const Result<std::vector<std::string>> command = route->command(false);
    ASSERT_TRUE(command.ok());
    EXPECT_EQ(command->front(), "/usr/bin/env");
    EXPECT_NE(std::ranges::find(*command, "--jobid=12"), command->end());
    EXPECT_NE(std::ranges::find(*command, "--gres=none"), command->end()) << "the supervisor needs no GPU of its own";
    EXPECT_EQ((std::vector<std::string>(command->end() - 4, command->end())),
              (std::vector<std::string>{"/opt/kloop-worker", "--attach", "name-12", "--again"}));
}

TEST(SshRoute, AHostThatDoesNotAnswerIsLost)
{
    const std::optional<Error> refused = routeOverSsh("gpu7", "key", {})->findRefusal({}, "");
    ASSERT_TRUE(refused);
    EXPECT_TRUE(isHostLost(*refused));
    EXPECT_NE(refused->message, routeOverSsh("gpu7", "key", {})->findRefusal(ProcessEnd{.status = 255, .signal = {}}, "No route")->message);
}

} // namespace
} // namespace kl
