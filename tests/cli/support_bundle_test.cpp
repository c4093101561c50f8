// SPDX-License-Identifier: MIT
// kloop support-bundle: private words are written wherever a user can put them, and must not come out.
#include "kloop.h"

#include "sessions/store/store.h"

#include <filesystem>

namespace kl::test {
namespace {

class SupportBundleCommand : public Kloop {
protected:
    /// As on a machine whose user is "qzuser", with every setting below one folder.
    std::string environment() const
    {
        return "HOME=" + quoted(file("qzhome")) +
               " USER=qzuser LOGNAME=qzuser KLOOP_PYTHON=/opt/qzpython/bin/python3 XDG_CONFIG_HOME=" + quoted(file("config")) +
               " XDG_DATA_HOME=" + quoted(file("data"));
    }
    std::string bundle() const
    {
        const Answer answer = kloop({"support-bundle", "-o", file("support.txt"), "--json"}, environment());
        EXPECT_EQ(answer.code, 0) << answer.err;
        EXPECT_EQ(answer.json().value("schema", ""), "kernelloop.support-bundle/1");
        return read("support.txt");
    }
};

TEST_F(SupportBundleCommand, HoldsVersionsSettingsAndLogsButNothingPrivate)
{
    std::filesystem::create_directories(file("qzhome"));
    std::filesystem::create_directories(file("state") + "/kernelloop");
    {
        const auto store = Store::open(file("test.db"));
        ASSERT_TRUE(store) << store.error().message;
        for (const auto& [key, value] : {std::pair{"engineer-rate", "123.5"},
                                         {"gpu-prices", "qzprice"},
                                         {"roadmap", "qzroadmap"},
                                         {"qzsetting", "qzvalue"},
                                         {"accepted-noise", "0.01 qznoise"}})
            ASSERT_TRUE((*store)->setSetting(key, value));
        SessionHeader session;
        session.id.text = newUuid();
        session.name = "qzsession";
        session.kind = "profile";
        session.objective = "qzobjective";
        session.kernel = "qzkernel";
        session.createdAt = "2026-01-01T00:00:00.000Z";
        ASSERT_TRUE((*store)->createSession(session, {1, session.createdAt, "opened", "{\"note\": \"qzevent\"}"}));
        ASSERT_TRUE((*store)->saveNote({newUuid(), "session:" + session.id.text, session.createdAt, "qznote"}));
    }
    ASSERT_EQ(kloop({"hosts", "add", "qzperson@qzhost.example", "--note", "qzremark"}, environment()).code, 0);
    ASSERT_EQ(kloop({"new-kernel", "qzmine", "--dir", file("qzfolder")}, environment()).code, 0);
    ASSERT_EQ(kloop({"kernels", "add", file("qzfolder")}, environment()).code, 0);
    write("qzfolder/kernel.json", "{ broken");
    const std::string built = "gcc -DQZDEFINE qzsource.c\n";
    write("state/kernelloop/env-20260101T000000-1.log",
          built +
              "KernelLoop environment check, 2026-01-01\n\n"
              "fail     project  required  Build \"make qztarget TOKEN=qztoken\" failed in /srv/qzproject on qzhost for qzuser\n"
              "         fix: python3 qzscript.py --password qzpassword, see https://qzsite.example/x?key=qzkey or qzmail@qzcorp.example\n"
              "pass     driver   required  driver 580.159.04\n\nverdict: fail\n");

    const std::string text = bundle();
    for (const char* shown :
         {"engineer-rate: 123.5", "schema: ", "sessions: ", "verdict: fail", "driver 580.159.04", "registered: 1", "KLOOP_PYTHON: "})
        EXPECT_NE(text.find(shown), std::string::npos) << shown << " is not in\n" << text;
    EXPECT_THAT(text, testing::ContainsRegex("registered: 1\n[^:\n]+: <path")) << "the one that cannot be read";
    EXPECT_THAT(text, testing::ContainsRegex("gpu-prices: [^0-9\n]*7 ")) << "bytes of what is set";
    EXPECT_NE(text.find('(' + std::to_string(built.size()) + ' '), std::string::npos) << "bytes of a build's output that are left out";
    std::string lower = text;
    std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return std::tolower(c); });
    for (std::size_t at = lower.find("qz"); at != std::string::npos; at = lower.find("qz", at + 1))
        ADD_FAILURE() << "private, and in the bundle: " << text.substr(at, 40);
    EXPECT_EQ(text.find(file("")), std::string::npos) << "the folder of the test";
}

TEST_F(SupportBundleCommand, IsWrittenForADamagedDatabaseToo)
{
    write("test.db", "SQLite format 3");
    std::filesystem::create_directories(file("state/kernelloop/env-9999")); // no log: it cannot be read
    EXPECT_NE(bundle().find("== Database\nerror: "), std::string::npos);
}

TEST_F(SupportBundleCommand, SaysWhereItCannotWrite)
{
    const Answer answer = kloop({"support-bundle", "-o", file("nowhere/support.txt")});
    EXPECT_EQ(answer.code, 4);
}

} // namespace
} // namespace kl::test
