// SPDX-License-Identifier: MIT
#include "core/base/shell_line.h"

#include <gtest/gtest.h>

namespace kl {
namespace {

TEST(VisibleText, ShowsWhatATerminalWouldObeyOrHide)
{
    EXPECT_EQ(visibleText("plain ü € 漢 😀"), "plain ü € 漢 😀");
    EXPECT_EQ(visibleText("a\x1b[2Jb\n\t\x7f"), "a\\x1b[2Jb\\x0a\\x09\\x7f");
    EXPECT_EQ(visibleText("\xC2\x9B"
                          "31m"),
              "\\xc2\\x9b31m"); // CSI as one character
    EXPECT_EQ(visibleText("a\xE2\x80\xAE"
                          "b"),
              "a\\xe2\\x80\\xaeb"); // turns the direction
    EXPECT_EQ(visibleText("\xE2\x80\x8B\xEF\xBB\xBF"), "\\xe2\\x80\\x8b\\xef\\xbb\\xbf");
    EXPECT_EQ(visibleText("\xC0\xAF\xFF"), "\\xc0\\xaf\\xff"); // no UTF-8
    EXPECT_EQ(visibleText("\xE2\x82"), "\\xe2\\x82");          // cut off
}

} // namespace
} // namespace kl
