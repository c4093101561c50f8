// SPDX-License-Identifier: MIT
#include "sessions/measure/machine_check.h"
#include "sessions/measure/project_file.h"
#include "tests/sessions/text_lines.h"
#include "tests/support/fake_collector.h"
#include "tests/support/snapshot.h"

#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <iterator>
#include <set>
#include <unistd.h>

namespace kl::test {
namespace {

namespace fs = std::filesystem;
using ::testing::EndsWith;
using ::testing::HasSubstr;

template <class T> T unwrap(Result<T> result)
{
    EXPECT_TRUE(result) << (result ? "" : result.error().message);
    return result ? std::move(*result) : T{};
}

TEST(ProjectFileOf, IsReadWithFoldersOfItsOwn)
{
    const ProjectFile project = unwrap(parseProjectFile(
        R"({"schema": 1, "torch": "2.2.1+cu121", "extension": {"module": "fast", "folder": "ext", "build": "python3 setup.py build_ext --inplace", "max_jobs": 4}})",
        "/work/kernelloop.json"));
    EXPECT_EQ(project.torch, "2.2.1+cu121");
    ASSERT_TRUE(project.extension);
    EXPECT_EQ(project.extension->folder, "/work/ext");
    EXPECT_EQ(project.extension->importFolder, "/work/ext");
    EXPECT_EQ(project.extension->build, (std::vector<std::string>{"sh", "-c", "python3 setup.py build_ext --inplace"}));
    EXPECT_EQ(project.extension->maxJobs, 4);
}

TEST(ProjectFileOf, TakesACMakeCommandAsWords)
{
    const ProjectFile project = unwrap(parseProjectFile(
        R"({"schema": 1, "extension": {"module": "fast", "build": ["cmake", "--build", "build"], "import_folder": "build/lib"}})",
        "/work/kernelloop.json"));
    EXPECT_EQ(project.extension->build, (std::vector<std::string>{"cmake", "--build", "build"}));
    EXPECT_EQ(project.extension->importFolder, "/work/build/lib");
}

constexpr struct {
    const char* text;
    const char* named;
} kMistakes[] = {{"[]", "kernelloop.json"},
                 {"{}", "\"schema\""},
                 {R"({"schema": 3})", "\"schema\""},
                 {R"({"schema": 1, "torhc": "2"})", "\"torch\""},
                 {R"({"schema": 1, "torch": 2})", "\"torch\""},
                 {R"({"schema": 1, "extension": 7})", "\"extension\""},
                 {R"({"schema": 1, "extension": {"build": "make"}})", "\"extension.module\""},
                 {R"({"schema": 1, "extension": {"module": "a"}})", "\"extension.build\""},
                 {R"({"schema": 1, "extension": {"module": "a", "build": [1]}})", "\"extension.build\""},
                 {R"({"schema": 1, "extension": {"module": "a", "build": "b", "max_jobs": 0}})", "\"extension.max_jobs\""}};

TEST(ProjectFileOf, EveryMistakeNamesItsField)
{
    std::set<std::string> messages;
    for (const auto& one : kMistakes) {
        const Result<ProjectFile> project = parseProjectFile(one.text, "/work/kernelloop.json");
        ASSERT_FALSE(project) << one.text;
        EXPECT_EQ(project.error().code, ErrorCode::badInput);
        EXPECT_EQ(project.error().where, "/work/kernelloop.json");
        EXPECT_THAT(project.error().message, HasSubstr(one.named));
        EXPECT_TRUE(messages.insert(project.error().message).second) << one.text << " has the message of another mistake";
    }
    const Result<ProjectFile> cut = parseProjectFile("{", "/work/kernelloop.json");
    ASSERT_FALSE(cut);
    EXPECT_EQ(cut.error().code, ErrorCode::badInput);
    EXPECT_THAT(cut.error().message, HasSubstr("kernelloop.json"));
}

TEST(ProjectFileOf, SnapshotOfEachMistake)
{
    std::string text;
    for (const auto& one : kMistakes)
        text += errorLine(one.text, parseProjectFile(one.text, "/work/kernelloop.json").error());
    expectSnapshot("errors/project-file.txt", text);
}

class ProjectSearch : public ::testing::Test {
protected:
    void SetUp() override
    {
        fs::create_directories(folder / "a/b");
        if (const char* value = std::getenv("XDG_STATE_HOME"))
            before_ = value;
        ::setenv("XDG_STATE_HOME", (folder / "state").c_str(), 1);
    }
    void TearDown() override
    {
        before_ ? ::setenv("XDG_STATE_HOME", before_->c_str(), 1) : ::unsetenv("XDG_STATE_HOME");
        fs::remove_all(folder);
    }
    const fs::path folder = fs::temp_directory_path() / ("kl-project-" + std::to_string(::getpid()));
    std::optional<std::string> before_;
};

TEST_F(ProjectSearch, TheNearestFileAboveIsTaken)
{
    EXPECT_FALSE(unwrap(findProjectFile({}, folder / "a/b")));
    std::ofstream(folder / "kernelloop.json") << R"({"schema": 1, "torch": "2.4"})";
    EXPECT_EQ(unwrap(findProjectFile({}, folder / "a/b"))->torch, "2.4");
    std::ofstream(folder / "a/kernelloop.json") << R"({"schema": 1, "torch": "2.5"})";
    EXPECT_EQ(unwrap(findProjectFile({}, folder / "a/b"))->torch, "2.5");
    EXPECT_EQ(unwrap(findProjectFile((folder / "kernelloop.json").string(), folder / "a/b"))->torch, "2.4");
    EXPECT_EQ(findProjectFile("/no/such/kernelloop.json", folder).error().code, ErrorCode::badInput);
}

TEST_F(ProjectSearch, ALiveCheckIsWrittenDownAndARecordedOneIsNot)
{
    const Result<Catalog> catalog = Catalog::loadEmbedded();
    ASSERT_TRUE(catalog);
    FakeCollector live(Source::live);
    const EnvReport report = unwrap(checkMachine(*catalog, live, {}, {}));
    ASSERT_FALSE(report.logFile.empty());
    EXPECT_TRUE(report.logFile.starts_with((folder / "state/kernelloop").string()));
    std::ifstream in(report.logFile);
    const std::string text(std::istreambuf_iterator<char>(in), {});
    EXPECT_THAT(text, HasSubstr("Fake H200"));
    EXPECT_THAT(text, EndsWith(" pass\n"));
    FakeCollector recorded;
    EXPECT_TRUE(unwrap(checkMachine(*catalog, recorded, {}, {})).logFile.empty());
}

TEST_F(ProjectSearch, OldLogsGoAndALogThatCannotBeWrittenIsReported)
{
    for (int i = 0; i < 30; ++i) {
        EnvReport report;
        keepLog(report, (folder / fmt::format("env-{:02}.log", i)).string());
    }
    EXPECT_FALSE(fs::exists(folder / "env-09.log"));
    EXPECT_TRUE(fs::exists(folder / "env-10.log"));
    EnvReport report;
    keepLog(report, "/proc/no-such-place.log");
    EXPECT_TRUE(report.logFile.empty());
    EXPECT_EQ(report.checks.back().id, "log-file");
    EXPECT_EQ(report.checks.back().requirement, Requirement::optional);
}

} // namespace
} // namespace kl::test
