// SPDX-License-Identifier: MIT
// What an image says of its module beside the code: variables, symbols, textures. The images are made here, section by section.
#include "core/base/scratch_folder.h"
#include "core/model/kernel_code.h"
#include "core/sass/cubin.h"
#include "core/sass/disassemble.h"
#include "core/sass/image_variables.h"
#include "core/sass/kernel_code_reader.h"
#include "core/sass/line_table.h"
#include "core/sass/relocations.h"
#include "core/sass/texture_use.h"
#include "tests/support/set_variable.h"

#include <cstring>
#include <elf.h>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kl {
namespace {

/// A 64-bit ELF image; sections and symbols are added before it is asked for.
class Image {
public:
    std::size_t section(const std::string& name, Elf64_Word type, std::string content, std::uint64_t size = 0)
    {
        sections_.push_back({name, type, std::move(content), size, 0, 0});
        return sections_.size(); // 0 is the null section
    }
    /// Addresses of a section that lead to the symbols, as entries of Elf64_Rela or Elf64_Rel.
    template <class Entry> void relocations(std::size_t target, const std::vector<Entry>& entries)
    {
        const std::string content(reinterpret_cast<const char*>(entries.data()), entries.size() * sizeof(Entry));
        const Elf64_Word type = sizeof(Entry) == sizeof(Elf64_Rela) ? SHT_RELA : SHT_REL;
        sections_.push_back({".relocations", type, content, 0, kSymbols, static_cast<Elf64_Word>(target)});
    }
    void symbol(const std::string& name, unsigned type, std::size_t section, std::uint64_t value, std::uint64_t size)
    {
        Elf64_Sym one{};
        one.st_name = static_cast<Elf64_Word>(names_.size());
        names_ += name + '\0';
        one.st_info = static_cast<unsigned char>(ELF64_ST_INFO(STB_GLOBAL, type));
        one.st_shndx = static_cast<Elf64_Half>(section);
        one.st_value = value;
        one.st_size = size;
        symbols_.append(reinterpret_cast<const char*>(&one), sizeof one);
    }
    std::string bytes(unsigned char abi = 8, Elf64_Word flags = 90U << 8U, Elf64_Half machine = 190) const
    {
        std::vector<Section> all = sections_;
        all.push_back({".strtab", SHT_STRTAB, names_, 0, 0, 0});
        all.push_back({".symtab", SHT_SYMTAB, symbols_, 0, static_cast<Elf64_Word>(all.size()), 0});
        const std::size_t symbols = all.size();
        std::string titles(1, '\0');
        std::vector<Elf64_Shdr> headers(1);
        std::string body(sizeof(Elf64_Ehdr), '\0');
        all.push_back({".shstrtab", SHT_STRTAB, {}, 0, 0, 0});
        for (Section& one : all) {
            Elf64_Shdr header{};
            header.sh_name = static_cast<Elf64_Word>(titles.size());
            titles += one.name + '\0';
            if (&one == &all.back())
                one.content = titles;
            header.sh_type = one.type;
            header.sh_offset = body.size();
            header.sh_size = one.type == SHT_NOBITS ? one.size : one.content.size();
            header.sh_link = one.link == kSymbols ? static_cast<Elf64_Word>(symbols) : one.link;
            header.sh_info = one.info;
            body += one.content;
            headers.push_back(header);
        }
        Elf64_Ehdr head{};
        std::memcpy(head.e_ident, ELFMAG, SELFMAG);
        head.e_ident[EI_CLASS] = ELFCLASS64;
        head.e_ident[EI_ABIVERSION] = abi;
        head.e_machine = machine;
        head.e_flags = flags;
        head.e_shoff = body.size();
        head.e_shentsize = sizeof(Elf64_Shdr);
        head.e_shnum = static_cast<Elf64_Half>(headers.size());
        head.e_shstrndx = static_cast<Elf64_Half>(headers.size() - 1);
        std::memcpy(body.data(), &head, sizeof head);
        for (const Elf64_Shdr& header : headers)
            body.append(reinterpret_cast<const char*>(&header), sizeof header);
        return body;
    }

private:
    static constexpr Elf64_Word kSymbols = ~0U; ///< for the index of .symtab, which follows all others
    struct Section {
        std::string name;
        Elf64_Word type;
        std::string content;
        std::uint64_t size;
        Elf64_Word link;
        Elf64_Word info;
    };
    std::vector<Section> sections_;
    std::string names_ = std::string(1, '\0');
    std::string symbols_ = std::string(sizeof(Elf64_Sym), '\0');
};

TEST(ImageVariables, AreThoseOfGlobalAndConstantMemoryByName)
{
    Image image;
    const std::size_t set = image.section(".nv.global.init", SHT_PROGBITS, "ABCDEFGH");
    const std::size_t zeros = image.section(".nv.global", SHT_NOBITS, {}, 64);
    const std::size_t constant = image.section(".nv.constant3", SHT_PROGBITS, "0123");
    const std::size_t arguments = image.section(".nv.constant0.k", SHT_PROGBITS, "abcd");
    image.symbol("table", STT_OBJECT, constant, 1, 3);
    image.symbol("counter", STT_OBJECT, zeros, 32, 4);
    image.symbol("scale", STT_OBJECT, set, 4, 4);
    image.symbol("kernel", STT_FUNC, set, 0, 8);
    image.symbol("empty", STT_OBJECT, set, 0, 0);
    image.symbol("argument", STT_OBJECT, arguments, 0, 4);
    image.symbol("beyond", STT_OBJECT, set, 6, 4);
    image.symbol("nowhere", STT_OBJECT, 999, 0, 4);
    const std::string bytes = image.bytes();
    const std::vector<ImageVariable> found = imageVariables(bytes);
    ASSERT_EQ(found.size(), 4U);
    EXPECT_EQ(found[0], (ImageVariable{"beyond", 4, {}})) << "its content reaches beyond its section";
    EXPECT_EQ(found[1], (ImageVariable{"counter", 4, {}}));
    EXPECT_EQ(found[2].name, "scale");
    ASSERT_TRUE(found[2].place && found[3].place);
    EXPECT_EQ(bytes.substr(*found[2].place, 4), "EFGH");
    EXPECT_EQ(found[3].name, "table");
    EXPECT_EQ(bytes.substr(*found[3].place, found[3].bytes), "123");
    EXPECT_TRUE(imageVariables("no image").empty());
}

TEST(ImageVariables, ASymbolIsFoundByAPartOfItsName)
{
    Image image;
    const std::size_t code = image.section(".text.k", SHT_PROGBITS, std::string(32, 'x'));
    image.symbol("cudaCDP2LaunchDevice_ptsz", STT_FUNC, code, 0, 16);
    image.symbol("other", STT_FUNC, code, 16, 16);
    EXPECT_TRUE(hasSymbol(image.bytes(), "cudaCDP2LaunchDevice"));
    EXPECT_TRUE(hasSymbol(image.bytes(), "other"));
    EXPECT_FALSE(hasSymbol(image.bytes(), "another"));
    EXPECT_FALSE(hasSymbol("no image", "o"));
}

TEST(Relocations, BothKindsLeadToTheirSymbols)
{
    const auto read = [](auto entries) {
        Image image;
        const std::size_t code = image.section(".text.k", SHT_PROGBITS, std::string(64, 'x'));
        const std::uint64_t inPlace[] = {0, 3, 0};
        const std::size_t lines = image.section(".debug_line", SHT_PROGBITS, std::string(reinterpret_cast<const char*>(inPlace), 24));
        image.symbol("k", STT_FUNC, code, 16, 32);
        image.relocations(lines, entries);
        const std::string bytes = image.bytes();
        const ElfFile file = ElfFile::read(bytes).value();
        EXPECT_TRUE(readRelocations(file, code).empty()) << "they are of the other section";
        const auto found = readRelocations(file, lines);
        EXPECT_EQ(found.size(), 1U);
        EXPECT_EQ(found.at(8).section, code);
        return found.at(8).offset;
    };
    EXPECT_EQ(read(std::vector<Elf64_Rela>{{8, ELF64_R_INFO(1, 2), 5}}), 16U + 5);
    EXPECT_EQ(read(std::vector<Elf64_Rel>{{8, ELF64_R_INFO(1, 2)}}), 16U + 3) << "the addend is where the address goes";
}

TEST(Cubin, TheArchitectureIsWhereItsVersionHasIt)
{
    Image image;
    const std::size_t code = image.section(".text.k", SHT_PROGBITS, std::string(48, 'x'));
    image.symbol("k", STT_FUNC, code, 16, 32);
    image.symbol("cut", STT_FUNC, code, 32, 32);
    EXPECT_EQ(readComputeCapability(image.bytes(8, 0x0600'5a02)), 90);
    EXPECT_EQ(readComputeCapability(image.bytes(7, 0x0600'0550)), 80) << "before CUDA 13";
    EXPECT_EQ(readComputeCapability(image.bytes(8, 0x5a00, EM_X86_64)), 0);
    const std::string bytes = image.bytes();
    const auto found = findFunction(bytes, "k");
    ASSERT_TRUE(found);
    EXPECT_EQ(found->code.size(), 32U);
    EXPECT_EQ(found->start, 16U);
    EXPECT_FALSE(findFunction(bytes, "cut")) << "it reaches beyond its section";
    EXPECT_FALSE(findFunction(bytes, "none"));
}

/// Instructions of these opcodes, with other bits beside them.
std::string code(std::initializer_list<std::uint64_t> opcodes)
{
    std::string bytes;
    for (const std::uint64_t opcode : opcodes) {
        const std::uint64_t words[2] = {opcode | 0xabcd'e000, ~std::uint64_t{0}};
        bytes.append(reinterpret_cast<const char*>(words), sizeof words);
    }
    return bytes;
}

TEST(TextureUse, IsSeenByTheOpcodesOfTexturesAndSurfaces)
{
    for (const std::uint64_t opcode : {0x160, 0x168, 0x170, 0x199, 0x19c, 0x19f})
        EXPECT_TRUE(usesTextures(code({0x010, opcode}))) << opcode;
    for (const std::uint64_t opcode : {0x010, 0x15f, 0x171, 0x181, 0x198, 0x1a0})
        EXPECT_FALSE(usesTextures(code({opcode, opcode}))) << opcode;
    EXPECT_FALSE(usesTextures(""));
}

TEST(ElfFiles, OnlyWhatIsInTheFileHasContent)
{
    Image image;
    const std::size_t zeros = image.section(".nv.global", SHT_NOBITS, {}, 1 << 20);
    const std::size_t set = image.section(".data", SHT_PROGBITS, "ABCD");
    std::string bytes = image.bytes();
    const ElfFile file = ElfFile::read(bytes).value();
    EXPECT_EQ(file.content(*file.section(zeros)), "") << "a variable without a value takes no room in the file";
    EXPECT_EQ(file.content(*file.section(set)), "ABCD");
    EXPECT_EQ(file.name(*file.section(set)), ".data");
    EXPECT_FALSE(file.section(file.sections() + 1));
    Elf64_Shdr last = *file.section(set);
    last.sh_offset = bytes.size() - 3;
    last.sh_size = 3;
    EXPECT_EQ(file.content(last), std::string_view(bytes).substr(bytes.size() - 3));
    Elf64_Shdr beyond = *file.section(set);
    beyond.sh_size = bytes.size();
    EXPECT_FALSE(file.content(beyond));
    beyond.sh_offset = bytes.size() + 1;
    beyond.sh_size = 0;
    EXPECT_FALSE(file.content(beyond));
    bytes[EI_CLASS] = ELFCLASS32;
    EXPECT_FALSE(ElfFile::read(bytes));
    EXPECT_FALSE(ElfFile::read(std::string_view(bytes).substr(0, 20)));
}

TEST(ImageVariables, OneThatFillsItsSectionHasItsPlace)
{
    Image image;
    const std::size_t set = image.section(".nv.global.init", SHT_PROGBITS, "ABCD");
    image.symbol("all", STT_OBJECT, set, 0, 4);
    const auto found = imageVariables(image.bytes());
    ASSERT_EQ(found.size(), 1U);
    EXPECT_TRUE(found[0].place);
    EXPECT_EQ(found[0].bytes, 4U);
}

/// Three sequences of a line table, each with rows 0, 16 and 32 bytes behind its address.
std::string threeSequences(const std::string& file = "dir/a.cu", const std::vector<std::string>& folders = {}, char folder = 0)
{
    std::string header("\x10\x01\xfb\x0e\x0a\0\1\1\1\1\0\0\0\1", 14);
    for (const std::string& one : folders)
        header += one + '\0';
    header += '\0' + file + '\0' + folder + std::string(3, '\0');
    const std::string sequence = std::string("\0\x09\x02", 3) + std::string(8, '\0') + "\x01\x1e\x1e" + std::string("\0\1\1", 3);
    const auto number = [](std::size_t value) { return static_cast<char>(value) + std::string(3, '\0'); };
    const std::string body = std::string("\x02\0", 2) + number(header.size()) + header + sequence + sequence + sequence;
    return number(body.size()) + body;
}

/// Where the addresses of the sequences are.
std::vector<std::uint64_t> addressesIn(const std::string& lines)
{
    std::vector<std::uint64_t> addresses;
    for (std::size_t at = lines.find(std::string("\0\x09\x02", 3)); at != std::string::npos;
         at = lines.find(std::string("\0\x09\x02", 3), at + 1))
        addresses.push_back(at + 3);
    return addresses;
}

TEST(LineTables, HaveTheRowsOfTheirFunctionAlone)
{
    const std::string lines = threeSequences();
    const std::vector<std::uint64_t> addresses = addressesIn(lines);
    ASSERT_EQ(addresses.size(), 3U);
    Image image;
    const std::size_t code = image.section(".text.k", SHT_PROGBITS, std::string(64, 'x'));
    const std::size_t other = image.section(".text.j", SHT_PROGBITS, std::string(64, 'x'));
    const std::size_t table = image.section(".debug_line", SHT_PROGBITS, lines);
    image.symbol("k", STT_FUNC, code, 16, 32);
    image.symbol("j", STT_FUNC, other, 16, 32);
    image.relocations(table, std::vector<Elf64_Rela>{{addresses[0], ELF64_R_INFO(1, 2), 0},     // rows at 16, 32 and 48, where k ends
                                                     {addresses[1], ELF64_R_INFO(2, 2), 0},     // of j
                                                     {addresses[2], ELF64_R_INFO(1, 2), -16}}); // rows at 0, before k, 16 and 32
    const std::string bytes = image.bytes();
    EXPECT_EQ(readLineTable(bytes, "k", LineTable::source),
              (std::vector<LineEntry>{{0, "a.cu", 1, "dir"}, {0, "a.cu", 2, "dir"}, {16, "a.cu", 2, "dir"}, {16, "a.cu", 3, "dir"}}));
    EXPECT_EQ(readLineTable(bytes, "j", LineTable::source), (std::vector<LineEntry>{{0, "a.cu", 1, "dir"}, {16, "a.cu", 2, "dir"}}));
    EXPECT_TRUE(readLineTable(bytes, "k", LineTable::ptx).empty());
    EXPECT_TRUE(readLineTable(bytes, "none", LineTable::source).empty());
}

/// An image with a kernel k, of which the section says the lines.
std::string imageWithLines(const char* section, const std::string& lines)
{
    Image image;
    const std::size_t text = image.section(".text.k", SHT_PROGBITS, std::string(64, 'x'));
    const std::size_t table = image.section(section, SHT_PROGBITS, lines);
    image.symbol("k", STT_FUNC, text, 0, 64);
    image.relocations(table, std::vector<Elf64_Rela>{{addressesIn(lines).at(0), ELF64_R_INFO(1, 2), 0}});
    return image.bytes();
}

TEST(LineTables, AFileIsWithoutAnyOfItsFolders)
{
    for (const auto& [file, folder] : {std::pair{"a.cu", ""}, std::pair{"dir/a.cu", "dir"}, std::pair{"/a.cu", "/"},
                                       std::pair{"/home/ann/src/a.cu", "/home/ann/src"}, std::pair{"./b.cu/c/a.cu", "./b.cu/c"}}) {
        const std::vector<LineEntry> entries = readLineTable(imageWithLines(".debug_line", threeSequences(file)), "k", LineTable::source);
        EXPECT_EQ(entries, (std::vector<LineEntry>{{0, "a.cu", 1, folder}, {16, "a.cu", 2, folder}, {32, "a.cu", 3, folder}})) << file;
    }
    EXPECT_EQ(readLineTable(imageWithLines(".debug_line", threeSequences("dir/")), "k", LineTable::source).at(0).file, "");
}

TEST(LineTables, AFolderIsTheOneThatTheFileNames)
{
    const auto readFolder = [](const std::string& file, char folder) {
        return readLineTable(imageWithLines(".debug_line", threeSequences(file, {"/src", "inc"}, folder)), "k", LineTable::source)
            .at(0)
            .folder;
    };
    EXPECT_EQ(readFolder("a.cu", 0), "") << "where it was compiled, which the table does not name";
    EXPECT_EQ(readFolder("a.cu", 1), "/src");
    EXPECT_EQ(readFolder("a.cu", 2), "inc");
    EXPECT_EQ(readFolder("sub/a.cu", 1), "/src/sub");
    EXPECT_EQ(readFolder("/lib/a.cu", 1), "/lib");
    EXPECT_EQ(readFolder("a.cu", 3), "") << "there are two";
}

TEST(LineTables, AnInstructionHasTheLineOfTheLastRowBeforeIt)
{
    const std::string bytes = imageWithLines(".debug_line", threeSequences());
    SourceLines places(bytes);
    for (const auto& [offset, line] : {std::pair{0, 1}, std::pair{15, 1}, std::pair{16, 2}, std::pair{31, 2}, std::pair{48, 3}}) {
        const LineEntry* place = places.find("k", offset);
        ASSERT_TRUE(place) << offset;
        EXPECT_EQ(place->line, line) << offset;
        EXPECT_EQ(place->file, "a.cu");
    }
    EXPECT_FALSE(places.find("none", 0));
    EXPECT_FALSE(SourceLines("no image").find("k", 0));
}

TEST(LineTables, OfThePtxAreInTheirOwnSection)
{
    const std::string bytes = imageWithLines(".nv_debug_line_sass", threeSequences());
    EXPECT_EQ(readLineTable(bytes, "k", LineTable::ptx).size(), 3U);
    EXPECT_TRUE(readLineTable(bytes, "k", LineTable::source).empty());
    Image image;
    image.section(".nv_debug_ptx_txt", SHT_PROGBITS, std::string("first\0\0third", 12));
    EXPECT_EQ(ptxTexts(image.bytes()), (std::vector<std::string_view>{"first", "", "third"}));
}

TEST(Cubin, AFunctionKnowsItsSectionItsSymbolAndItsCode)
{
    Image image;
    const std::size_t data = image.section(".nv.global.init", SHT_PROGBITS, "ABCDEFGH");
    const std::size_t text = image.section(".text.k", SHT_PROGBITS, std::string(16, 'x') + std::string(32, 'y'));
    image.symbol("k", STT_OBJECT, data, 0, 8);
    image.symbol("none", STT_FUNC, text, 0, 0);
    image.symbol("k", STT_FUNC, text, 16, 32);
    image.symbol("whole", STT_FUNC, text, 0, 48);
    const std::string bytes = image.bytes();
    const auto found = findFunction(bytes, "k");
    ASSERT_TRUE(found);
    EXPECT_EQ(found->section, text);
    EXPECT_EQ(found->symbol, 3U) << "behind the null symbol, a variable of this name and a function of no size";
    EXPECT_EQ(found->start, 16U);
    EXPECT_EQ(found->code, std::string(32, 'y'));
    EXPECT_FALSE(findFunction(bytes, "none"));
    ASSERT_TRUE(findFunction(bytes, "whole")) << "it fills its section";
    EXPECT_EQ(findFunction(bytes, "whole")->symbol, 4U);
}

TEST(Disassemble, AFunctionInTheMiddleOfItsSectionHasItsOwnInstructions)
{
    Image image;
    image.section(".nv.global.init", SHT_PROGBITS, "ABCD");
    const std::size_t text = image.section(".text.k", SHT_PROGBITS, std::string(64, 'x'));
    image.symbol("before", STT_FUNC, text, 0, 16);
    image.symbol("k", STT_FUNC, text, 16, 32);
    const Result<ScratchFolder> folder = ScratchFolder::make();
    ASSERT_TRUE(folder);
    const std::filesystem::path program = folder->path() / "nvdisasm";
    std::ofstream(program)
        << "#!/bin/sh\ncat << END\n\t.section\t.text.k,\"ax\",@progbits\n        /*0000*/ FIRST ; // | 1 |\n"
           "        /*0010*/ SECOND ; // | 2 |\n        /*0020*/ THIRD ; // | 3 |\n        /*0030*/ FOURTH ; // | 4 |\nEND\n";
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
    const support::SetVariable tool("KERNELLOOP_NVDISASM", program.c_str());
    const KernelCode code = disassemble(readKernelCode(image.bytes(), {"k", "before"}));
    ASSERT_EQ(code.language, CodeLanguage::sass) << code.notDisassembled;
    ASSERT_EQ(code.instructions.size(), 3U);
    EXPECT_EQ(code.instructions[0].text, "SECOND");
    EXPECT_EQ(code.instructions[0].liveRegisters, 2);
    EXPECT_EQ(code.instructions[0].offset, 0);
    EXPECT_EQ(code.instructions[1].text, "THIRD");
    EXPECT_EQ(code.instructions[1].liveRegisters, 3);
    EXPECT_EQ(code.instructions[2].function, 1);
    EXPECT_EQ(code.instructions[2].text, "FIRST");
}

} // namespace
} // namespace kl
