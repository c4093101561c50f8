// SPDX-License-Identifier: MIT
#include "profiler/live/baselines/open_library.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <unistd.h>

namespace kl {
namespace {

TEST(OpenLibrary, TheUsersFoldersComeFirst)
{
    namespace fs = std::filesystem;
    const Result<SharedLibrary> known = SharedLibrary::open({"libz.so.1", "libzstd.so.1", "libm.so.6"});
    if (!known)
        GTEST_SKIP() << "none of the usual libraries is there to be copied";
    const fs::path folder = fs::temp_directory_path() / ("kl-library-" + std::to_string(::getpid()));
    fs::create_directories(folder);
    fs::copy_file(known->path(), folder / "libkl_copy.so.1", fs::copy_options::overwrite_existing);
    const Result<SharedLibrary> copy = openLibrary({"libkl_copy.so.1"}, {(folder / "none").string(), folder.string()}, {});
    const Result<SharedLibrary> other = openLibrary({"libkl_nowhere.so.1"}, {folder.string()}, {});
    fs::remove_all(folder);
    ASSERT_TRUE(copy) << copy.error().message;
    EXPECT_EQ(copy->path(), (folder / "libkl_copy.so.1").string());
    ASSERT_FALSE(other);
    EXPECT_EQ(other.error().code, ErrorCode::environment);
}

TEST(FunctionBinder, RemembersTheFirstThatIsMissing)
{
    const Result<SharedLibrary> maths = SharedLibrary::open({"libm.so.6"});
    if (!maths)
        GTEST_SKIP() << maths.error().message;
    FunctionBinder bind(*maths);
    double (*cosine)(double) = nullptr;
    double (*other)(double) = cosine;
    bind(cosine, "cos");
    ASSERT_NE(cosine, nullptr);
    EXPECT_EQ(cosine(0), 1);
    EXPECT_EQ(bind.missing(), "");
    bind(other, "kl_nowhere");
    bind(other, "kl_nowhere_either");
    EXPECT_EQ(bind.missing(), "kl_nowhere");
    EXPECT_EQ(other, nullptr);
}

} // namespace
} // namespace kl
