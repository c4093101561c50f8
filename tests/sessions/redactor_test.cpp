// SPDX-License-Identifier: MIT
#include "sessions/diagnostics/redactor.h"

#include <gtest/gtest.h>

namespace kl {
namespace {

Redactor makeRedactor()
{
    return Redactor({.home = "/home/anna",
                     .users = {"anna", "Anna Meyer"},
                     .hosts = {"build7.acme.example", "anna@gpu9.acme.example"},
                     .paths = {"/data/secret project/tuned.cu"},
                     .names = {"moonshot"}});
}

std::string redacted(const std::string& text)
{
    return makeRedactor().redact(text);
}

TEST(Redactor, PathsKeepTheirExtensionAlone)
{
    EXPECT_EQ(redacted("/home/anna/x/kernelloop.db is damaged"), "<path 1>.db is damaged");
    EXPECT_EQ(redacted("in /data/secret project/tuned.cu, line 3"), "in <path 1>.cu, line 3");
    EXPECT_EQ(redacted("/usr/lib/libcuda.so.1 and /dev/nvidiactl"), "/usr/lib/libcuda.so.1 and /dev/nvidiactl");
    EXPECT_EQ(redacted("/srv/a.cu:7: error, /srv/b.cu, /srv/a.cu"), "<path 1>.cu:7: error, <path 2>.cu, <path 1>.cu");
    EXPECT_EQ(redacted("../moonshot/kernel.json"), "<path 1>.json");
}

TEST(Redactor, UsersHostsAndAddressesAreReplaced)
{
    for (const char* text :
         {"anna", "Anna Meyer", "build7", "build7.acme.example", "gpu9.acme.example", "anna@gpu9", "10.1.2.3", "fe80::1ff:fe23:4567:890a",
          "00:1A:2b:3c:4d:5e", "ssh://anna@gpu9:22/x", "a.b@acme.example", "moonshot/v1", "GPU-12345678-aaaa-bbbb-cccc-123456789012"}) {
        const std::string out = redacted(std::string("seen: ") + text + " there");
        EXPECT_TRUE(out.starts_with("seen: <") && out.ends_with(" there")) << out;
        for (const char* part : {"anna", "Anna", "acme", "build7", "gpu9", "10.1", "4567", "3c", "moonshot", "12345678"})
            EXPECT_EQ(out.find(part), std::string::npos) << out;
    }
    EXPECT_EQ(redacted("annals of CUDA 13.0.1.2.3"), "annals of CUDA 13.0.1.2.3") << "parts of other words and versions stay";
}

TEST(Redactor, ArgumentsAndSecretsAreReplaced)
{
    EXPECT_EQ(redacted("ran \"python3 train.py --model moon\" twice"), "ran \"python3 <arguments>\" twice");
    EXPECT_EQ(redacted("ran `make SECRET_STEP`"), "ran `make <arguments>`");
    EXPECT_EQ(redacted("nvcc -I include --define NAME"), "nvcc -I <value> --define <value>");
    EXPECT_EQ(redacted("TOKEN=abc MODE=x"), "TOKEN=<value> MODE=<value>");
    EXPECT_EQ(redacted("password: hunter2"), "password: <hidden>");
    EXPECT_EQ(redacted("sk9abcdefghij0123456789"), "<hidden>");
    EXPECT_EQ(redacted("the worker doesn't start, and it isn't there"), "the worker doesn't start, and it isn't there");
}

TEST(Redactor, WhatIsTheSameStaysTheSameOverTexts)
{
    Redactor redactor = makeRedactor();
    const std::string first = redactor.redact("/srv/a.db");
    EXPECT_NE(redactor.redact("/srv/b.db"), first);
    EXPECT_EQ(redactor.redact("/srv/a.db"), first);
}

TEST(Redactor, WhatStandsBetweenAnOptionAndItsValueStays)
{
    EXPECT_EQ(redacted("run --model=moon --size \t 8 -n 3"), "run --model=<value> --size \t <value> -n <value>");
    EXPECT_EQ(redacted("run --fast --slow"), "run --fast --slow") << "no values";
    EXPECT_EQ(redacted("api_key = abc"), "api_key = <hidden>");
    EXPECT_EQ(redacted("Bearer abc"), "Bearer <hidden>");
}

TEST(Redactor, OnlyPlainExtensionsAreKept)
{
    EXPECT_EQ(redacted("/srv/a.tar-gz"), "<path 1>.tar-gz");
    EXPECT_EQ(redacted("/srv/a.b_c"), "<path 1>");
    EXPECT_EQ(redacted("/srv/.hidden"), "<path 1>");
    EXPECT_EQ(redacted("/srv.d/name"), "<path 1>");
    EXPECT_EQ(redacted("see model.py and loss.cu"), "see <file 1>.py and <file 2>.cu");
}

TEST(Redactor, LongerNamesGoBeforeTheirParts)
{
    const PrivateWords words{.users = {"anna", "anna meyer"},
                             .hosts = {"farm", "farm.acme.example"},
                             .paths = {"/data/a.db", "/data/a.db copies/b.db"},
                             .names = {"moon", "moon-shot"}};
    const auto of = [&](const std::string& text) { return Redactor(words).redact(text); };
    EXPECT_EQ(of("by Anna Meyer"), "by <user>");
    EXPECT_EQ(of("on farm.acme.example"), "on <host 1>");
    EXPECT_EQ(of("about moon-shot and moon"), "about <name 1> and <name 2>");
    EXPECT_EQ(of("in /data/a.db copies/b.db now"), "in <path 1>.db now");
}

TEST(Redactor, FoldersOfTheSystemAreNoSecret)
{
    for (const char* path : {"/usr/lib/x", "/lib/x", "/lib64/x", "/proc/1/maps", "/dev/nvidia0", "/sys/class", "/opt/nvidia/nsight"})
        EXPECT_EQ(redacted(path), path);
    for (const char* path : {"/usr/home/x", "/library/x", "/opt/mine/x", "/devel/x", "/home/bob/x"})
        EXPECT_EQ(redacted(path), "<path 1>") << path;
    EXPECT_EQ(redacted("https://acme.example/a?b=c next"), "<address 1> next");
    EXPECT_EQ(redacted("fe80::1 and 10.0.0.1, again 10.0.0.1"), "<address 1> and <address 2>, again <address 2>");
}

} // namespace
} // namespace kl
