// SPDX-License-Identifier: MIT
// In every test program: a test that hangs is ended after KL_TEST_SECONDS, which ctest sets, also where ctest itself waits for a whole
// suite. The signal ends the program; the last line of its output names the test. Without the variable, as in a debugger, none is ended.

#include <cstdlib>
#include <gtest/gtest.h>
#include <unistd.h>

namespace {

class TestLimit : public testing::EmptyTestEventListener {
public:
    explicit TestLimit(unsigned seconds) : seconds_(seconds) {}
    void OnTestStart(const testing::TestInfo& /*info*/) override { alarm(seconds_); }
    void OnTestEnd(const testing::TestInfo& /*info*/) override { alarm(0); }

private:
    unsigned seconds_;
};

/// Before main(): the list of listeners, which owns this one, exists from its first use on.
const bool kLimited = [] {
    const char* seconds = std::getenv("KL_TEST_SECONDS"); // NOLINT(concurrency-mt-unsafe): no other thread has started
    if (seconds != nullptr)
        testing::UnitTest::GetInstance()->listeners().Append(new TestLimit(static_cast<unsigned>(std::atoi(seconds))));
    return seconds != nullptr;
}();

} // namespace
