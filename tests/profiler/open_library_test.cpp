// SPDX-License-Identifier: MIT
#include "profiler/live/baselines/open_library.h"

#include "core/base/scratch_folder.h"
#include "tests/support/set_variable.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

namespace kl {
namespace {

TEST(OpenLibrary, WheelsOfTheNewestToolkitComeFirst)
{
    const Result<ScratchFolder> home = ScratchFolder::make();
    ASSERT_TRUE(home);
    const auto folder = [&](const char* toolkit) {
        return (home->path() / ".local/lib/python3.12/site-packages/nvidia" / toolkit / "lib").string();
    };
    std::filesystem::create_directories(folder("cu12"));
    std::filesystem::create_directories(folder("cu13"));
    const support::SetVariable set("HOME", home->path().c_str());
    const std::vector<std::string> folders = toolkitLibraryFolders("");
    const auto older = std::ranges::find(folders, folder("cu12")), newer = std::ranges::find(folders, folder("cu13"));
    ASSERT_NE(older, folders.end());
    EXPECT_LT(newer - folders.begin(), older - folders.begin());
}

TEST(OpenLibrary, TheUsersFoldersComeFirst)
{
    namespace fs = std::filesystem;
    const Result<SharedLibrary> known = SharedLibrary::open({"libz.so.1", "libzstd.so.1", "libm.so.6"});
    if (!known)
        GTEST_SKIP() << "none of the usual libraries is there to be copied";
    const fs::path folder = fs::temp_directory_path() / ("kl-library-" + std::to_string(::getpid()));
    fs::create_directories(folder);
    fs::copy_file(known->path(), folder / "libkl_copy.so.1", fs::copy_options::overwrite_existing);
    const Result<SharedLibrary> copy = openLibrary({"copy", {"libkl_copy.so.1"}, {}, {}}, {(folder / "none").string(), folder.string()});
    const Result<SharedLibrary> other = openLibrary({"A library", {"libkl_nowhere.so.1"}, {}, "Get it."}, {folder.string()});
    fs::remove_all(folder);
    ASSERT_TRUE(copy) << copy.error().message;
    EXPECT_EQ(copy->path(), (folder / "libkl_copy.so.1").string());
    const fs::path broken = fs::temp_directory_path() / ("kl-broken-" + std::to_string(::getpid()));
    fs::create_directories(broken);
    std::ofstream(broken / "libkl_broken.so.1") << "no library";
    const Result<SharedLibrary> damaged = SharedLibrary::open({"libkl_broken.so.1"}, {(broken / "none").string(), broken.string()});
    fs::remove_all(broken);
    ASSERT_FALSE(damaged);
    EXPECT_EQ(damaged.error().where, "libkl_broken.so.1");
    EXPECT_NE(damaged.error().message.find((broken / "libkl_broken.so.1").string()), std::string::npos)
        << "the file that is there and does not load: " << damaged.error().message;
    ASSERT_FALSE(other);
    EXPECT_EQ(other.error().code, ErrorCode::environment);
    EXPECT_EQ(other.error().where, "libkl_nowhere.so.1");
    EXPECT_TRUE(other.error().message.starts_with("A library ")) << other.error().message;
    EXPECT_NE(other.error().message.find("libkl_nowhere.so.1"), std::string::npos) << "what the loader says: " << other.error().message;
    EXPECT_EQ(other.error().hint, "Get it.");
}

TEST(OpenLibrary, OfTheGivenFoldersTheFirstNameIsTakenThatLoads)
{
    namespace fs = std::filesystem;
    const Result<SharedLibrary> known = SharedLibrary::open({"libz.so.1", "libzstd.so.1", "libm.so.6"});
    if (!known)
        GTEST_SKIP() << "none of the usual libraries is there to be copied";
    const Result<ScratchFolder> scratch = ScratchFolder::make();
    ASSERT_TRUE(scratch);
    const fs::path first = scratch->path() / "first", second = scratch->path() / "second";
    for (const fs::path& folder : {first, second})
        fs::create_directories(folder);
    fs::copy_file(known->path(), first / "libkl_older.so.1");
    fs::copy_file(known->path(), second / "libkl_newer.so.2");
    const std::vector<std::string> folders{first.string(), second.string()};
    const Result<SharedLibrary> newest = openLibrary({"A", {"libkl_newer.so.2", "libkl_older.so.1"}, {}, {}}, folders);
    ASSERT_TRUE(newest) << newest.error().message;
    EXPECT_EQ(newest->path(), (second / "libkl_newer.so.2").string()) << "the order of names goes before that of folders";
    std::ofstream(first / "libkl_broken.so.3") << "no library";
    const Result<SharedLibrary> next = openLibrary({"A", {"libkl_broken.so.3", "libkl_older.so.1"}, {}, {}}, folders);
    ASSERT_TRUE(next) << next.error().message;
    EXPECT_EQ(next->path(), (first / "libkl_older.so.1").string());
    std::ofstream(first / "libm.so.6") << "no library";
    EXPECT_TRUE(openLibrary({"A", {"libm.so.6"}, {}, {}}, {first.string()})) << "the system has one that loads";
}

const OptionalLibrary kMaths{"Mathematics", {"libm.so.6"}, {}, "Get it."};

TEST(FunctionBinder, RemembersTheFirstThatIsMissing)
{
    const Result<SharedLibrary> maths = openLibrary(kMaths, {});
    if (!maths)
        GTEST_SKIP() << maths.error().message;
    FunctionBinder bind(*maths);
    double (*cosine)(double) = nullptr;
    double (*other)(double) = cosine;
    bind(cosine, "cos");
    ASSERT_NE(cosine, nullptr);
    EXPECT_EQ(cosine(0), 1);
    EXPECT_TRUE(bind.complete(kMaths));
    bind(other, "kl_nowhere");
    bind(other, "kl_nowhere_either");
    EXPECT_EQ(other, nullptr);
    const Status lacks = bind.complete(kMaths);
    ASSERT_FALSE(lacks);
    EXPECT_EQ(lacks.error().where, maths->path());
    EXPECT_NE(lacks.error().message.find(maths->path()), std::string::npos) << lacks.error().message;
    EXPECT_NE(lacks.error().message.find("kl_nowhere"), std::string::npos) << lacks.error().message;
    EXPECT_EQ(lacks.error().message.find("kl_nowhere_either"), std::string::npos) << lacks.error().message;
    EXPECT_EQ(lacks.error().hint, "Get it.");
}

struct Cosine {
    double (*function)(double) = nullptr;
};

void expectFoldersAreRequestedUntilFound()
{
    int requested = 0;
    const LibraryFolders folders = [&] {
        ++requested;
        return std::vector<std::string>();
    };
    const char* name = "kl_nowhere";
    const auto bind = [&](FunctionBinder& binder, Cosine& functions) {
        binder(functions.function, name);
        return binder.complete(kMaths);
    };
    EXPECT_FALSE(loadOnce<Cosine>(kMaths, folders, bind));
    EXPECT_FALSE(loadOnce<Cosine>(kMaths, folders, bind));
    EXPECT_EQ(requested, 2);
    name = "cos";
    const Result<const Cosine*> first = loadOnce<Cosine>(kMaths, folders, bind);
    ASSERT_TRUE(first) << first.error().message;
    EXPECT_EQ((*first)->function(0), 1);
    const Result<const Cosine*> again = loadOnce<Cosine>(kMaths, folders, bind);
    ASSERT_TRUE(again);
    EXPECT_EQ(*again, *first);
    EXPECT_EQ(requested, 3);
}

TEST(LoadOnce, AsksForFoldersUntilItHasTheFunctionsAndNeverAgain)
{
    if (const Result<SharedLibrary> maths = openLibrary(kMaths, {}); !maths)
        GTEST_SKIP() << maths.error().message;
    const auto checkAndExit = [] {
        expectFoldersAreRequestedUntilFound();
        std::fflush(stdout);
        ::_exit(testing::Test::HasFailure() ? 1 : 0);
    };
    EXPECT_EXIT(checkAndExit(), testing::ExitedWithCode(0), ""); // what is loaded stays loaded: a repetition would find it so
}

} // namespace
} // namespace kl
