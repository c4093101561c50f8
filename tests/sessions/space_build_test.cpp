// SPDX-License-Identifier: MIT
#include "sessions/search/space_build.h"

#include <gtest/gtest.h>

namespace kl {
namespace {

CompiledPoint compiled(double seconds, bool cached)
{
    CompiledPoint point;
    point.built.seconds = seconds;
    point.built.cached = cached;
    return point;
}

TEST(SpaceBuild, WhatCompilingTakesIsThatOfPointsWhichWereCompiled)
{
    SpaceBuild build;
    EXPECT_FALSE(build.coldSeconds());
    build.points = {compiled(2, false), compiled(0, true), compiled(4, false)};
    EXPECT_EQ(build.coldSeconds(), 3);
    build.points = {compiled(0, true)};
    EXPECT_FALSE(build.coldSeconds()) << "all came from the cache";
}

} // namespace
} // namespace kl
