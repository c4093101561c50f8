// SPDX-License-Identifier: MIT
// What a support bundle is gathered from, and what the redactor takes out of it.
#include "core/model/model_words.h"
#include "kernels/catalog.h"
#include "sessions/diagnostics/redactor.h"
#include "sessions/diagnostics/support_bundle.h"
#include "sessions/hosts/host_list.h"
#include "tests/support/set_variable.h"
#include "tests/support/snapshot.h"
#include "tests/support/store_support.h"

#include <cstdlib>
#include <gmock/gmock.h>
#include <regex>
#include <thread>

namespace kl {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Ne;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

const SupportSection* findSection(const SupportBundle& bundle, const std::string& title)
{
    const auto found = std::ranges::find(bundle.sections, title, &SupportSection::title);
    return found == bundle.sections.end() ? nullptr : &*found;
}

std::string findCell(const SupportSection& section, const std::string& name)
{
    for (const auto& [key, value] : section.rows)
        if (key == name)
            return value;
    return "no row";
}

/// The first section with a row of this name.
const SupportSection* sectionWith(const SupportBundle& bundle, const std::string& name)
{
    const auto found = std::ranges::find_if(bundle.sections, [&](const SupportSection& one) { return findCell(one, name) != "no row"; });
    return found == bundle.sections.end() ? nullptr : &*found;
}

class SupportParts : public testing::Test {
protected:
    /// Four checks of the environment, the second newest of which ended without a report, and a log of something else.
    void writeLogs() const
    {
        const std::filesystem::path logs = folder / "state/kernelloop";
        std::filesystem::create_directories(logs);
        for (const int day : {1, 2, 3, 4})
            support::writeBytes(logs / ("env-2026010" + std::to_string(day) + ".log"),
                                day == 3 ? "no report" : "gcc qz.c\nKernelLoop environment check, day " + std::to_string(day) + '\n');
        support::writeBytes(logs / "other.log", "KernelLoop environment check, other");
    }
    support::TempDir folder;
    support::SetVariable config{"XDG_CONFIG_HOME", (folder / "config").c_str()};
    support::SetVariable state{"XDG_STATE_HOME", (folder / "state").c_str()};
};

TEST_F(SupportParts, SettingsAreShownByTheirKind)
{
    const auto store = support::openStore(":memory:");
    for (const auto& [key, value] : {std::pair{"engineer-rate", "45.5"}, std::pair{"session-cost-target", "a lot"},
                                     std::pair{"accepted-noise", ""}, std::pair{"gpu-prices", "12345"}, std::pair{"unknown", "hidden"}})
        ASSERT_TRUE(store->setSetting(key, value));
    const SupportBundle bundle = gatherSupport({.program = "kloop 9", .store = store.get()});
    EXPECT_EQ(findCell(*findSection(bundle, "KernelLoop"), "program"), "kloop 9");
    ASSERT_NE(sectionWith(bundle, "engineer-rate"), nullptr);
    const SupportSection& settings = *sectionWith(bundle, "engineer-rate");
    EXPECT_EQ(findCell(settings, "engineer-rate"), "45.5");
    const std::string byDefault = findCell(settings, "roadmap");
    EXPECT_NE(byDefault, "no row");
    EXPECT_EQ(findCell(settings, "accepted-noise"), byDefault);
    EXPECT_THAT(findCell(settings, "session-cost-target"), AllOf(Ne(byDefault), Not(HasSubstr("a lot")))) << "it is set, but no number";
    EXPECT_THAT(findCell(settings, "gpu-prices"), AllOf(Ne(byDefault), HasSubstr(" 5 ")));
    EXPECT_THAT(bundle.text(), testing::AllOf(Not(HasSubstr("hidden")), Not(HasSubstr("a lot")), Not(HasSubstr("12345"))));
    ASSERT_NE(sectionWith(bundle, "registered"), nullptr);
    EXPECT_EQ(findCell(*sectionWith(bundle, "registered"), "registered"), "0");
}

TEST_F(SupportParts, WithoutADatabaseItSaysWhy)
{
    const SupportBundle bundle = gatherSupport({.program = "p", .storeError = "It is damaged.", .more = {{"More", {{"a", "b"}}, "text"}}});
    EXPECT_EQ(findCell(*findSection(bundle, "Database"), "error"), "It is damaged.");
    EXPECT_EQ(sectionWith(bundle, "engineer-rate"), nullptr);
    EXPECT_THAT(bundle.text(), HasSubstr("\n== More\na: b\ntext\n"));
    EXPECT_THAT(supportFileName(), MatchesRegex("kernelloop-support-[0-9]{8}-[0-9]{6}\\.txt"));
}

TEST_F(SupportParts, HostsHaveTheirStateAndBrokenKernelsTheirReason)
{
    ASSERT_TRUE(HostList().change("qzhost", [](KnownHost& host) {
        host.state = HostState::unusable;
        host.gpus = {"T4", "T4"};
        host.reason = "no driver";
    }));
    ASSERT_TRUE(HostList().change("qzother", [](KnownHost& host) { host.worker = "0.3"; }));
    BrokenKernel broken;
    broken.path = "/srv/qz/kernel.json";
    broken.error.message = "It has no id.";
    const SupportBundle bundle = gatherSupport({.program = "p", .broken = {broken}});
    const SupportSection& hosts = *findSection(bundle, "Hosts");
    ASSERT_THAT(hosts.rows, SizeIs(3));
    EXPECT_EQ(hosts.rows[0].first, "<host 1>");
    EXPECT_THAT(hosts.rows[0].second, AllOf(StartsWith(toWord(HostState::unusable)), HasSubstr(" 2 "), HasSubstr("T4")));
    EXPECT_EQ(hosts.rows[1].second, "no driver");
    EXPECT_THAT(hosts.rows[2].second, AllOf(StartsWith(toWord(HostState::unknown)), HasSubstr(" 0 "), EndsWith("0.3")));
    const SupportSection& kernels = *sectionWith(bundle, "registered");
    EXPECT_THAT(kernels.rows, testing::Contains(testing::Pair(testing::_, MatchesRegex("<path [0-9]+>\\.json"))));
    EXPECT_EQ(findCell(kernels, "reason"), "It has no id.");
    EXPECT_THAT(bundle.text(), Not(HasSubstr("qz")));
    std::filesystem::remove(HostList::defaultFile());
    std::filesystem::create_directories(HostList::defaultFile());
    EXPECT_NE(findCell(*findSection(gatherSupport({.program = "p"}), "Hosts"), "error"), "no row");
}

TEST_F(SupportParts, TheThreeNewestChecksAreInItWithoutBuilds)
{
    writeLogs();
    const SupportBundle bundle = gatherSupport({.program = "p"});
    EXPECT_THAT(findSection(bundle, "Environment check 1")->text,
                AllOf(StartsWith("(9 "), EndsWith(")\nKernelLoop environment check, day 4\n")));
    EXPECT_THAT(findSection(bundle, "Environment check 2")->text, AllOf(StartsWith("(9 "), EndsWith(")\n")));
    EXPECT_THAT(findSection(bundle, "Environment check 2")->text, Not(HasSubstr("no report")));
    EXPECT_THAT(findSection(bundle, "Environment check 3")->text, HasSubstr("day 2"));
    EXPECT_EQ(findSection(bundle, "Environment check 4"), nullptr);
}

std::string redactedBy(const PrivateWords& words, const std::string& text)
{
    return Redactor(words).redact(text);
}

TEST(Redactor, HidesTheHomeAndKnownPathsWhateverTheirForm)
{
    const PrivateWords words{.home = "/home/anna/", .paths = {"/data/my files/a.db", "plain"}};
    EXPECT_EQ(redactedBy(words, "/home/anna and /home/annabel/x"), "~ and <path 1>");
    EXPECT_EQ(redactedBy(words, "in /data/my files/a.db and /data/my files"), "in <path 1>.db and <path 2>");
    EXPECT_EQ(redactedBy({}, "~/x.txt ./y.cu /usr/home/anna/z /opt/nvidia/n /lib64"),
              "<path 1>.txt <path 2>.cu <path 3> /opt/nvidia/n /lib64");
    EXPECT_EQ(redactedBy({}, "/srv/.hidden /srv/a.verylongend /srv/a.x_y /srv/a.ncu-repz"), "<path 1> <path 2> <path 3> <path 4>.ncu-repz");
    EXPECT_EQ(redactedBy({}, "read a.py, then \"b.json\" and c.zip"), "read <file 1>.py, then \"<file 2>.json\" and c.zip");
}

TEST(Redactor, LeavesWhatNamesNobody)
{
    const PrivateWords words{.users = {"a", "root", "bo"}, .hosts = {"localhost", "bo@gpu9.x.y"}, .names = {"k", "kern"}};
    EXPECT_EQ(redactedBy(words, "a root localhost k"), "a root localhost k");
    EXPECT_EQ(redactedBy(words, "bo kern gpu9 gpu9.x.y"), "<user> <name 1> <host 2> <host 1>");
    EXPECT_EQ(redactedBy(words, "BO, kernels, bob"), "<user>, kernels, bob");
    EXPECT_EQ(redactedBy({}, std::string(30, 'a') + ' ' + std::string(30, '1') + " abcdefghij123456789"),
              std::string(30, 'a') + ' ' + std::string(30, '1') + " abcdefghij123456789")
        << "no key mixes letters and digits in fewer than 20 characters";
    EXPECT_EQ(redactedBy({}, "abcdefghij1234567890"), "<hidden>");
    EXPECT_EQ(redactedBy({}, "GPU-0 MIG-0a1b2c3d-x 1.2.3 1.2.3.4.5 10.0.0.1"), "GPU-0 <gpu 1>x 1.2.3 1.2.3.4.5 <address 1>");
}

TEST(Redactor, ThisMachinesWordsAreKnown)
{
    const support::SetVariable home("HOME", "/qz/home");
    const support::SetVariable user("USER", "qzuser");
    const PrivateWords words = privateWords();
    EXPECT_EQ(words.home, "/qz/home");
    EXPECT_THAT(words.users, testing::Contains("qzuser"));
    ASSERT_THAT(words.hosts, SizeIs(1));
    EXPECT_FALSE(words.hosts[0].empty());
}

TEST_F(SupportParts, OfTheEnvironmentOnlyKnownValuesAreShown)
{
    const support::SetVariable language("LC_NUMERIC", "de_DE.UTF-8");
    const support::SetVariable color("NO_COLOR", nullptr);
    const support::SetVariable preload("LD_PRELOAD", "");
    const support::SetVariable python("KLOOP_PYTHON", "/qz/bin/python");
    const support::SetVariable other("QZ_SECRET", "hidden");
    const SupportBundle bundle = gatherSupport({.program = "p"});
    const SupportSection& variables = *findSection(bundle, "Environment variables");
    EXPECT_EQ(findCell(variables, "LC_NUMERIC"), "de_DE.UTF-8");
    EXPECT_EQ(findCell(variables, "NO_COLOR"), "no row");
    const std::string set = findCell(variables, "KLOOP_PYTHON");
    EXPECT_NE(set, "no row");
    EXPECT_EQ(findCell(variables, "LD_PRELOAD"), set) << "though it is empty";
    EXPECT_EQ(findCell(variables, "CUDA_HOME"), std::getenv("CUDA_HOME") == nullptr ? "no row" : set);
    EXPECT_THAT(bundle.text(), testing::AllOf(Not(HasSubstr("/qz")), Not(HasSubstr("hidden"))));
    const SupportSection& machine = *findSection(bundle, "Machine");
    for (const char* row : {"system", "kernel", "C library", "processors", "NVIDIA driver"})
        EXPECT_NE(findCell(machine, row), "no row") << row;
    EXPECT_EQ(findCell(machine, "processors"), std::to_string(std::thread::hardware_concurrency()));
}

TEST_F(SupportParts, NamesOfOnesOwnKernelsAndPlacesAreReplaced)
{
    const auto store = support::openStore((folder / "qz own.db").string());
    Catalog catalog = *Catalog::loadEmbedded();
    KernelFamily own = catalog.families().front();
    own.id = "qzkernel";
    own.origin.descriptor = "/srv/qz/kernel.json";
    ASSERT_TRUE(catalog.add(own));
    const std::string builtIn = catalog.families().front().id;
    const std::string text = "about qzkernel, " + builtIn + ", and " + store->location();
    const SupportBundle bundle =
        gatherSupport({.program = "p", .store = store.get(), .catalog = &catalog, .more = {{"More", {{"qzkernel", "1"}}, text}}});
    const SupportSection& more = *findSection(bundle, "More");
    EXPECT_EQ(more.rows.at(0).first, "<name 1>");
    EXPECT_THAT(more.text, MatchesRegex("about <name 1>, " + builtIn + ", and <path [0-9]+>\\.db"));
    EXPECT_THAT(bundle.text(), Not(HasSubstr("qz")));
    const SupportSection& database = *findSection(bundle, "Database");
    EXPECT_EQ(database.rows.size(), store->info()->size());
    EXPECT_EQ(findCell(database, "notice"), "no row");
}

TEST_F(SupportParts, OfALongCheckTheBeginningIsKept)
{
    const std::filesystem::path logs = folder / "state/kernelloop";
    std::filesystem::create_directories(logs);
    std::string report = "KernelLoop environment check\n";
    while (report.size() < 30'000)
        report += std::string(99, '.') + '\n';
    report += "the end";
    support::writeBytes(logs / "env-20260101.log", report);
    const SupportBundle bundle = gatherSupport({.program = "p"});
    EXPECT_EQ(findSection(bundle, "Environment check 1")->text, report.substr(0, 20'000));
    EXPECT_EQ(findSection(bundle, "Environment check 2"), nullptr);
    EXPECT_THAT(bundle.text(), testing::EndsWith(".\n")) << "a text without a line end gets one";
}

TEST_F(SupportParts, WhatIsKnownOfTheProgramsComesFirst)
{
    const auto store = support::openStore(":memory:");
    const SupportBundle bundle = gatherSupport({.program = "p", .store = store.get(), .more = {{"More", {}, "text"}}});
    std::vector<std::ptrdiff_t> places;
    for (const SupportSection* section : {sectionWith(bundle, "program"), sectionWith(bundle, "processors"),
                                          findSection(bundle, "Database"), sectionWith(bundle, "engineer-rate"),
                                          sectionWith(bundle, "registered"), findSection(bundle, "Hosts"), findSection(bundle, "More")}) {
        ASSERT_NE(section, nullptr);
        places.push_back(section - bundle.sections.data());
    }
    EXPECT_THAT(places, ElementsAre(0, 1, 3, 4, 5, 6, 7)) << "the environment's variables are behind the machine";
    EXPECT_THAT(bundle.sections, SizeIs(8));
}

class SupportTexts : public SupportParts {};

/// But for what is of this machine: there, only the titles.
TEST_F(SupportTexts, SnapshotOfABundle)
{
    const auto store = support::openStore(":memory:");
    for (const auto& [key, value] :
         {std::pair{"engineer-rate", "45.5"}, std::pair{"session-cost-target", "a lot"}, std::pair{"gpu-prices", "12345"}})
        ASSERT_TRUE(store->setSetting(key, value));
    ASSERT_TRUE(HostList().change("qzhost", [](KnownHost& host) {
        host.state = HostState::unusable;
        host.gpus = {"T4", "T4"};
        host.reason = "no driver";
    }));
    ASSERT_TRUE(HostList().change("qzother", [](KnownHost& host) { host.worker = "0.3"; }));
    BrokenKernel broken;
    broken.path = "/srv/qz/kernel.json";
    broken.error.message = "It has no id.";
    writeLogs();
    SupportBundle bundle = gatherSupport({.program = "kloop 9", .store = store.get(), .broken = {broken}});
    ASSERT_GE(bundle.sections.size(), 4U);
    bundle.sections[0].rows.resize(1);  // the program, without its compiler
    for (std::size_t i = 1; i < 4; ++i) // machine, variables, database
        bundle.sections[i].rows.clear();
    std::string text;
    for (const SupportSection& section : bundle.sections) {
        text += "== " + section.title + '\n';
        for (const auto& [name, value] : section.rows)
            text += name + ": " + value + '\n';
        text += section.text;
    }
    test::expectSnapshot("texts/support-bundle.txt", std::regex_replace(text, std::regex("<path [0-9]+>"), "<path>"));
}

} // namespace
} // namespace kl
