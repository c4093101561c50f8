// SPDX-License-Identifier: MIT
// What is known of a work and of a chip without a GPU.
#include "core/base/ids.h"
#include "core/device/arch.h"
#include "kernels/model/chip.h"
#include "kernels/model/work.h"
#include "kernels/model/work_fields.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kl {
namespace {

TEST(WorkModel, TypesHaveTheirSizes)
{
    for (const auto& [type, size, whole] : {std::tuple(DType::f16, 2, false),
                                            {DType::bf16, 2, false},
                                            {DType::f32, 4, false},
                                            {DType::f64, 8, false},
                                            {DType::i32, 4, true},
                                            {DType::u32, 4, true},
                                            {DType::f8e4m3, 1, false},
                                            {DType::f8e5m2, 1, false},
                                            {DType::i8, 1, true},
                                            {DType::u8, 1, true},
                                            {DType::i64, 8, true},
                                            {DType::u64, 8, true},
                                            {DType::boolean, 1, false}}) {
        EXPECT_EQ(countBytes(type), size) << static_cast<int>(type);
        EXPECT_EQ(isInteger(type), whole) << static_cast<int>(type);
    }
}

TEST(WorkModel, AReferenceIsAnyOfItsKinds)
{
    EXPECT_FALSE(hasReference({}));
    ReferenceSpec named;
    named.output = "y";
    named.inputs = {"x"};
    EXPECT_FALSE(hasReference(named));
    ReferenceSpec function = named, expression = named, kernel = named, data = named, script = named;
    function.function = "copy";
    expression.expression = "x";
    kernel.kernel = CodeSpec{};
    data.data = DataSpec{};
    script.script = ScriptSpec{};
    for (const ReferenceSpec* one : {&function, &expression, &kernel, &data, &script})
        EXPECT_TRUE(hasReference(*one));
}

TEST(WorkModel, AnInputThatLaunchesWriteIsTheReferencesOutputOrHasAContentForAfterwards)
{
    WorkSpec work;
    work.buffers.resize(2);
    work.buffers[0].name = "x";
    EXPECT_FALSE(isReadAndWritten(work, work.buffers[0]));
    work.reference.output = "x";
    EXPECT_TRUE(isReadAndWritten(work, work.buffers[0]));
    EXPECT_FALSE(isReadAndWritten(work, work.buffers[1])) << "which has no name";
    work.buffers[0].role = BufferRole::output;
    EXPECT_FALSE(isReadAndWritten(work, work.buffers[0])) << "an output is not read";
    work.buffers[1].after = "";
    EXPECT_TRUE(isReadAndWritten(work, work.buffers[1]));
    work.buffers[1].role = BufferRole::scratch;
    EXPECT_FALSE(isReadAndWritten(work, work.buffers[1]));
    work.reference.output.clear();
    work.buffers[0] = {};
    EXPECT_FALSE(isReadAndWritten(work, work.buffers[0])) << "without a reference none is its output";
}

TEST(WorkModel, OneBufferAtAnAddressMakesAWorkPlaced)
{
    WorkSpec work;
    EXPECT_FALSE(isPlaced(work));
    work.buffers.resize(2);
    EXPECT_FALSE(isPlaced(work));
    work.buffers[1].address = 4096;
    EXPECT_TRUE(isPlaced(work));
}

TEST(WorkModel, CodeIsNamedByAllItsTexts)
{
    EXPECT_EQ(codeHash("text", {}, {}), contentHash("text"));
    const std::string plain = codeHash("text", {{"a.h", "1"}}, {});
    EXPECT_NE(plain, codeHash("text", {}, {}));
    EXPECT_NE(plain, codeHash("text", {{"b.h", "1"}}, {}));
    EXPECT_NE(plain, codeHash("text", {{"a.h", "2"}}, {}));
    EXPECT_NE(plain, codeHash("texta.h1", {}, {}));
    EXPECT_NE(codeHash("text", {{"a", "bc"}}, {}), codeHash("text", {{"ab", "c"}}, {}));
    EXPECT_EQ(codeHash("text", {}, ImageSpec{true, "k.ptx", "AA=="}), contentHash("AA=="));
}

TEST(ChipModel, IsThatOfTheDeviceOrArchitecture)
{
    DeviceInfo device;
    device.ccMajor = 8;
    device.ccMinor = 9;
    device.smCount = 142;
    device.name = "L40S";
    EXPECT_EQ(toChip(device), (Chip{8, 9, 142, "L40S"}));
    device.ccMajor = 0;
    EXPECT_EQ(toChip(device), Chip{}) << "the compute capability is unknown";
    EXPECT_EQ(toChip(*findArch("sm_80")), (Chip{8, 0, 108, {}}));
    EXPECT_EQ(toChip(*findArch("sm_90a")), (Chip{9, 0, 132, {}}));
}

TEST(ChipModel, TheRequestedTargetIsTakenWhereTheCodeHasIt)
{
    EXPECT_EQ(*chooseTarget("k/v", {"sm_100f", "sm_100a"}, "sm_100a"), "sm_100a");
    EXPECT_EQ(*chooseTarget("k/v", {"sm_100f", "sm_100a"}, "sm_100"), "sm_100f") << "else the first that runs";
    EXPECT_EQ(*chooseTarget("k/v", {"sm_80"}, "sm_89"), "sm_80");
    EXPECT_EQ(*chooseTarget("k/v", {}, "sm_89"), "sm_89");
    EXPECT_FALSE(chooseTarget("k/v", {}, "sm_42"));
    const Result<std::string> refused = chooseTarget("k/v", {"sm_90a"}, "sm_89");
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().where, "k/v");
    EXPECT_EQ(refused.error().detail, "sm_89");
    EXPECT_EQ(refused.error().code, ErrorCode::environment);
    EXPECT_THAT(refused.error().message, testing::ContainsRegex("^k/v .* sm_90a,.* sm_89\\.$"));
    EXPECT_THAT(targetOn("k/v", {"sm_90a", "sm_100a"}, {8, 9, 142, "L40S"}).error().message,
                testing::ContainsRegex("^k/v .* sm_90a, sm_100a; L40S .*sm_89\\.$"));
    EXPECT_TRUE(runsOn({"sm_42", "sm_80"}, {8, 0, 108, {}})) << "an unknown one is passed over";
}

} // namespace
} // namespace kl
