// SPDX-License-Identifier: MIT
#include "profiler/protocol/message_codec.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace kl {
namespace {

/// A work with everything that a user's kernel may bring along.
WorkSpec fullUserWork()
{
    WorkSpec work;
    work.kernel = "mine/fast";
    work.problem = "N=4";
    work.source = "code";
    work.headers = {{"a.cuh", "text"}};
    work.image = ImageSpec{true, "k.ptx", "Zm9v"};
    work.launches.push_back({"f", {1, 1, 1}, {32, 1, 1}, 0, {{"x", {}, 0}, {"", DType::i32, 4}}, 1});
    work.buffers.push_back({"x", DType::f16, 4, BufferRole::input, Fill::file, 1, "Zm9v"});
    work.reference.inputs = {"x"};
    work.reference.output = "y";
    work.reference.expression = "2*x";
    work.reference.index = {{"m", 2}, {"n", 2}};
    work.reference.sum = {{"k", 8}};
    work.reference.kernel =
        CodeSpec{"mine/slow", "slow", {{"b.cuh", "b"}}, ImageSpec{false, "s.cubin", "Zg=="}, {"-DX=1"}, {"sm_90a"}, work.launches};
    work.reference.data = DataSpec{DType::f64, "Zm9v"};
    work.reference.script = ScriptSpec{"ref.py", "print(1)", 5};
    return work;
}

TEST(UserWork, TravelsWhole)
{
    RunRequest request;
    request.work = fullUserWork();
    const Result<RunRequest> back = fromJsonMessage<RunRequest>(toJsonMessage(request));
    ASSERT_TRUE(back) << back.error().message;
    EXPECT_EQ(back->work, request.work);
}

TEST(UserWork, WhatIsCompiledIsNoPartOfTheKey)
{
    RunRequest request;
    request.work = fullUserWork();
    RunRequest other;
    other.work.kernel = request.work.kernel;
    other.work.problem = request.work.problem;
    EXPECT_EQ(requestKey(Verb::run, toJsonMessage(request)), requestKey(Verb::run, toJsonMessage(other)));
    other.work.problem = "N=8";
    EXPECT_NE(requestKey(Verb::run, toJsonMessage(request)), requestKey(Verb::run, toJsonMessage(other)));
}

TEST(UserWork, TheHashCoversAllThatIsCompiled)
{
    const std::string plain = codeHash("code", {}, {});
    EXPECT_NE(codeHash("code", {{"a.cuh", "1"}}, {}), plain);
    EXPECT_NE(codeHash("code", {{"a.cuh", "2"}}, {}), codeHash("code", {{"a.cuh", "1"}}, {}));
    EXPECT_NE(codeHash("", {}, ImageSpec{false, "k.cubin", "Zg=="}), codeHash("", {}, ImageSpec{false, "k.cubin", "Zm8="}));
    EXPECT_EQ(codeHash("", {}, ImageSpec{false, "a", "Zg=="}), codeHash("", {}, ImageSpec{false, "b", "Zg=="}));
}

} // namespace
} // namespace kl
