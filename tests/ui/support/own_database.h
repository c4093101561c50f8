// SPDX-License-Identifier: MIT
#pragma once

#include "tests/support/store_support.h"
#include "ui/context/app_context.h"
#include "ui/jobs/job.h"

#include <gtest/gtest.h>
#include <memory>

namespace kl::ui {

/// A new database in a folder of its own, with the recorded sample as its device.
class OwnDatabase : public testing::Test {
protected:
    void SetUp() override
    {
        auto opened = AppContext::open((folder / "own.db").string(), DeviceSpec::sample());
        ASSERT_TRUE(opened) << opened.error().message;
        context = std::move(*opened);
    }
    void TearDown() override { waitForJobs(); }

    support::TempDir folder;
    std::unique_ptr<AppContext> context;
};

} // namespace kl::ui
