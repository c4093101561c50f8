// SPDX-License-Identifier: MIT
// Kernels of the user's own: registered once, found by id and by path, and never in the way of others.
#include "kernels/starter.h"
#include "sessions/measure/registered_kernels.h"
#include "tests/support/store_support.h"

#include <gmock/gmock.h>

namespace kl {
namespace {

using support::TempDir;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

class RegisteredKernels : public testing::Test {
protected:
    std::string made(const std::string& id, const std::string& folder)
    {
        const Result<std::string> descriptor = writeStarter("copy", id, (dir / folder).string());
        EXPECT_TRUE(descriptor) << descriptor.error().message;
        return descriptor ? std::filesystem::canonical(*descriptor).string() : std::string();
    }
    TempDir dir;
    std::unique_ptr<Store> store = support::openStore(":memory:");
};

TEST_F(RegisteredKernels, AreAddedOnceInTheirOrder)
{
    const std::string mine = made("mine", "a"), other = made("other", "b");
    const Result<KernelFamily> family = registerKernel(*store, (dir / "a").string());
    ASSERT_TRUE(family) << family.error().message;
    EXPECT_EQ(family->id, "mine");
    ASSERT_TRUE(registerKernel(*store, other)) << "by its descriptor";
    ASSERT_TRUE(registerKernel(*store, mine));
    EXPECT_THAT(listRegisteredKernels(*store), ElementsAre(mine, other));
    const Result<OpenCatalog> open = openCatalog(*store);
    ASSERT_TRUE(open);
    EXPECT_THAT(open->broken, IsEmpty());
    EXPECT_TRUE(open->catalog.family("mine"));
    EXPECT_TRUE(open->catalog.family("other"));
    EXPECT_TRUE(open->catalog.family("transpose")) << "beside the built-in ones";
}

TEST_F(RegisteredKernels, OneWithTheIdOfAnotherIsNotAdded)
{
    const std::string mine = made("mine", "a");
    made("mine", "b");
    ASSERT_TRUE(registerKernel(*store, mine));
    EXPECT_FALSE(registerKernel(*store, (dir / "b").string()));
    EXPECT_THAT(listRegisteredKernels(*store), ElementsAre(mine));
}

TEST_F(RegisteredKernels, GoByTheirIdOrPathAndLeaveTheOthers)
{
    const std::string mine = made("mine", "a"), other = made("other", "b"), third = made("third", "c");
    for (const std::string& path : {mine, other, third})
        ASSERT_TRUE(registerKernel(*store, path));
    EXPECT_EQ(*unregisterKernel(*store, "other"), other);
    EXPECT_THAT(listRegisteredKernels(*store), ElementsAre(mine, third));
    EXPECT_EQ(*unregisterKernel(*store, (dir / "a").string()), mine) << "the folder";
    EXPECT_EQ(unregisterKernel(*store, "mine").error().code, ErrorCode::notFound);
    EXPECT_EQ(*unregisterKernel(*store, third), third);
    EXPECT_THAT(listRegisteredKernels(*store), IsEmpty());
}

TEST_F(RegisteredKernels, ABrokenOneIsReportedAndHidesNoOther)
{
    const std::string mine = made("mine", "a"), other = made("other", "b");
    for (const std::string& path : {mine, other})
        ASSERT_TRUE(registerKernel(*store, path));
    support::writeBytes(mine, "{");
    const Result<OpenCatalog> open = openCatalog(*store);
    ASSERT_TRUE(open);
    ASSERT_THAT(open->broken, SizeIs(1));
    EXPECT_EQ(open->broken[0].path, mine);
    EXPECT_EQ(open->broken[0].error.code, ErrorCode::badInput);
    EXPECT_TRUE(open->catalog.family("other"));
    EXPECT_FALSE(open->catalog.family("mine"));
    EXPECT_FALSE(unregisterKernel(*store, "mine")) << "its id cannot be read";
    EXPECT_EQ(*unregisterKernel(*store, mine), mine);
}

TEST_F(RegisteredKernels, ADatabaseThatCannotBeWrittenRegistersNothing)
{
    const std::string mine = made("mine", "a");
    ASSERT_TRUE(registerKernel(*store, mine));
    ASSERT_TRUE(store->setSetting("user-kernels", "[\"" + mine + "\", \"/gone/kernel.json\"]"));
    EXPECT_THAT(listRegisteredKernels(*store), ElementsAre(mine, "/gone/kernel.json"));
    EXPECT_THAT(openCatalog(*store)->broken, SizeIs(1));
    EXPECT_FALSE(registerKernel(*store, (dir / "nosuch").string()));
    EXPECT_THAT(listRegisteredKernels(*store), SizeIs(2));
}

TEST_F(RegisteredKernels, WithoutAnyThereIsOneToAdd)
{
    const Result<std::string> none = unregisterKernel(*store, "mine");
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().where, "mine");
    ASSERT_THAT(none.error().next, testing::SizeIs(1));
    EXPECT_EQ(none.error().next[0].id, StepId::addKernel);
    ASSERT_TRUE(registerKernel(*store, made("mine", "a")));
    EXPECT_THAT(unregisterKernel(*store, "other").error().next, IsEmpty()) << "the registered ones are named instead";
}

TEST_F(RegisteredKernels, OneWhoseFileIsGoneCanStillBeTakenAway)
{
    const std::string mine = made("mine", "a"), other = made("other", "b");
    for (const std::string& path : {mine, other})
        ASSERT_TRUE(registerKernel(*store, path));
    std::filesystem::remove(mine);
    EXPECT_FALSE(unregisterKernel(*store, "mine")) << "its id cannot be read any more";
    EXPECT_EQ(*unregisterKernel(*store, mine), mine);
    EXPECT_THAT(listRegisteredKernels(*store), ElementsAre(other));
    ASSERT_TRUE(store->setSetting("user-kernels", R"(["a", 7, "b"])"));
    EXPECT_THAT(listRegisteredKernels(*store), ElementsAre("a", "b"));
    ASSERT_TRUE(store->setSetting("user-kernels", "{"));
    EXPECT_THAT(listRegisteredKernels(*store), IsEmpty());
}

} // namespace
} // namespace kl
