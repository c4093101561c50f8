// SPDX-License-Identifier: MIT
// Line programs of DWARF, made here byte by byte.
#include "core/sass/line_program.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <vector>

namespace kl {
namespace {

std::string littleEndian(std::uint64_t value, int bytes)
{
    std::string text;
    for (int i = 0; i < bytes; ++i)
        text += static_cast<char>(value >> (8 * i));
    return text;
}

struct Unit {
    int version = 2;
    int smallest = 16; ///< bytes of an instruction
    std::string program;

    /// Two folders and two files; line base −5, line range 14, nine standard opcodes.
    std::string bytes() const
    {
        std::string header = littleEndian(static_cast<std::uint64_t>(smallest), 1);
        if (version == 4)
            header += littleEndian(1, 1);
        header += std::string("\x01\xfb\x0e\x0a", 4) + std::string("\0\1\1\1\1\0\0\0\1", 9);
        header += std::string("folder\0other\0\0", 14);
        header += std::string("a.cu\0\1\2\3", 8) + std::string("b.cu\0\2\x80\1\0", 9) + '\0';
        const std::string body = littleEndian(static_cast<std::uint64_t>(version), 2) + littleEndian(header.size(), 4) + header + program;
        return littleEndian(body.size(), 4) + body;
    }
};

/// Sets the address, of which the relocation tells what it is.
const std::string kSetAddress = std::string("\0\x09\x02", 3) + std::string(8, '\0');
const std::string kEnd("\0\1\1", 3);

/// "section+offset file:line" of every row; "end" behind the last of a sequence. The addresses of the units lead to these places.
std::vector<std::string> readRows(const std::string& section, const std::vector<RelocatedAddress>& addresses)
{
    std::map<std::uint64_t, RelocatedAddress> relocations;
    std::size_t at = 0;
    for (const RelocatedAddress& address : addresses) {
        at = section.find(kSetAddress, at) + 3;
        relocations[at] = address;
    }
    std::vector<std::string> rows;
    runLinePrograms(section, relocations, [&](const LineRow& row) {
        rows.push_back(std::to_string(row.section) + '+' + std::to_string(row.offset) + ' ' + std::string(row.file) + ':' +
                       std::to_string(row.line) + (row.end ? " end" : ""));
    });
    return rows;
}

using Rows = std::vector<std::string>;

TEST(LineProgram, EveryOpcodeMovesWhatItShould)
{
    const std::string program = kSetAddress + "\x03\x09"       // nine lines on
                                + "\x01"                       // a row
                                + "\x2c"                       // special 44: two instructions and one line on, a row
                                + "\x04\x02"                   // the second file
                                + "\x02\x03"                   // three instructions on
                                + "\x03\x7c"                   // four lines back
                                + "\x05\x07\x06\x07"           // a column, a statement, a block: nothing here
                                + "\x01" + "\x08"              // as far as special 255: 17 instructions
                                + std::string("\x09\x10\0", 3) // 16 bytes
                                + "\x0f"                       // special 15: a row here
                                + "\x0a"                       // special 10: the line base, five lines back
                                + std::string("\x04\x09\x01", 3) + kEnd;
    for (const int version : {2, 3, 4})
        EXPECT_EQ(readRows(Unit{.version = version, .program = program}.bytes(), {{3, 0x100}}),
                  (Rows{"3+256 a.cu:10", "3+288 a.cu:11", "3+336 b.cu:7", "3+624 b.cu:7", "3+624 b.cu:2", "3+624 :2", "3+624 :2 end"}))
            << version;
    EXPECT_EQ(readRows(Unit{.smallest = 1, .program = kSetAddress + "\x2c" + kEnd}.bytes(), {{3, 0}}),
              (Rows{"3+2 a.cu:2", "3+2 a.cu:2 end"}));
}

TEST(LineProgram, ASequenceBeginsAnewAndWithoutAnAddressHasNoRows)
{
    const std::string program = kSetAddress + "\x03\x09\x04\x02\x01" + kEnd + "\x01" + kSetAddress + "\x01" + kEnd;
    EXPECT_EQ(readRows(Unit{.program = program}.bytes(), {{3, 0x100}, {4, 0x20}}),
              (Rows{"3+256 b.cu:10", "3+256 b.cu:10 end", "4+32 a.cu:1", "4+32 a.cu:1 end"}));
    EXPECT_EQ(readRows(Unit{.program = kSetAddress + "\x01" + kEnd}.bytes(), {}), Rows{})
        << "an address that nothing relocates is not known";
}

TEST(LineProgram, UnitsFollowEachOtherUpToOneThatMakesNoSense)
{
    const std::string unit = Unit{.program = kSetAddress + "\x01" + kEnd}.bytes();
    const std::string other = Unit{.version = 5, .program = kSetAddress + "\x01" + kEnd}.bytes();
    const Rows one{"3+256 a.cu:1", "3+256 a.cu:1 end"};
    const Rows two{"3+256 a.cu:1", "3+256 a.cu:1 end", "4+32 a.cu:1", "4+32 a.cu:1 end"};
    EXPECT_EQ(readRows(unit + unit, {{3, 0x100}, {4, 0x20}}), two);
    EXPECT_EQ(readRows(unit + other + unit, {{3, 0x100}, {4, 0x20}, {5, 0}}), one);
    EXPECT_EQ(readRows(unit + unit.substr(0, unit.size() - 1), {{3, 0x100}}), one) << "the second is cut off";
    EXPECT_EQ(readRows(Unit{.version = 1, .program = kSetAddress + "\x01" + kEnd}.bytes(), {{3, 0x100}}), Rows{});
    EXPECT_EQ(readRows("", {}), Rows{});
}

} // namespace
} // namespace kl
