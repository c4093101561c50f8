// SPDX-License-Identifier: MIT
#pragma once

#include "core/diagnosis/tree.h"

#include <gtest/gtest.h>

namespace kl::test {

inline const DiagnosisTree& embeddedTree()
{
    static const auto loaded = DiagnosisTree::loadEmbedded();
    EXPECT_TRUE(loaded);
    return *loaded;
}

inline Diagnosis diagnose(const RunRecord& run)
{
    return embeddedTree().diagnose(run, {});
}

} // namespace kl::test
