// SPDX-License-Identifier: MIT
#include "core/sass/line_program.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace kl::inline sass {
namespace {

/// DW_LNS_… that have a meaning here; the others only have operands, which are skipped.
enum StandardOpcode { opCopy = 1, opAdvancePc = 2, opAdvanceLine = 3, opSetFile = 4, opConstAddPc = 8, opFixedAdvancePc = 9 };
/// DW_LNE_…
enum ExtendedOpcode { opEndSequence = 1, opSetAddress = 2 };

/// Reads numbers off the front of bytes; what is beyond the end reads as 0 and is remembered.
class Cursor {
public:
    Cursor(std::string_view bytes, std::size_t origin) : bytes_(bytes), origin_(origin) {}

    bool atEnd() const { return at_ >= bytes_.size(); }
    bool broken() const { return broken_; }
    std::size_t position() const { return origin_ + at_; } ///< in the section

    template <class T> T take()
    {
        const auto value = ElfFile::valueAt<T>(bytes_, at_);
        at_ += sizeof(T);
        broken_ = broken_ || !value;
        return value.value_or(T{});
    }
    std::uint64_t readUnsignedLeb() { return leb(false); }
    std::int64_t readSignedLeb() { return static_cast<std::int64_t>(leb(true)); }
    std::string_view text()
    {
        const std::string_view found = ElfFile::textAt(bytes_, at_);
        at_ += found.size() + 1;
        broken_ = broken_ || at_ > bytes_.size();
        return found;
    }
    std::string_view part(std::uint64_t size)
    {
        if (size > bytes_.size() - std::min(at_, bytes_.size())) {
            broken_ = true;
            return {};
        }
        const std::string_view found = bytes_.substr(at_, size);
        at_ += size;
        return found;
    }

private:
    /// A number in groups of seven bits (DWARF 4, section 7.6).
    std::uint64_t leb(bool isSigned)
    {
        std::uint64_t value = 0;
        unsigned shift = 0;
        std::uint8_t byte = 0x80;
        while ((byte & 0x80U) != 0 && !broken_ && shift < 64) {
            byte = take<std::uint8_t>();
            value |= static_cast<std::uint64_t>(byte & 0x7fU) << shift;
            shift += 7;
        }
        if (isSigned && shift < 64 && (byte & 0x40U) != 0)
            value |= ~std::uint64_t{0} << shift;
        return value;
    }

    std::string_view bytes_;
    std::size_t origin_;
    std::size_t at_ = 0;
    bool broken_ = false;
};

/// One unit: its header, then its program.
class LineProgram {
public:
    LineProgram(Cursor unit, const std::map<std::uint64_t, RelocatedAddress>& relocations, const std::function<void(const LineRow&)>& take)
        : unit_(unit), relocations_(relocations), take_(take)
    {
    }

    bool run()
    {
        if (!readHeader())
            return false;
        row_.line = 1;
        while (!unit_.atEnd() && !unit_.broken())
            step();
        return !unit_.broken();
    }

private:
    bool readHeader()
    {
        const auto version = unit_.take<std::uint16_t>();
        if (version < 2 || version > 4)
            return false;
        const auto length = unit_.take<std::uint32_t>();
        Cursor header(unit_.part(length), 0);
        smallest_ = header.take<std::uint8_t>();
        if (version == 4)
            header.take<std::uint8_t>(); // operations per instruction, for VLIW code
        header.take<std::uint8_t>();     // whether rows are statements
        lineBase_ = header.take<std::int8_t>();
        lineRange_ = header.take<std::uint8_t>();
        const auto base = header.take<std::uint8_t>();
        for (int opcode = 1; opcode < base; ++opcode)
            operands_.push_back(header.take<std::uint8_t>());
        std::vector<std::string_view> folders{{}}; // the first is the one of the compilation, which the table does not name
        for (std::string_view name; !header.atEnd() && !(name = header.text()).empty();)
            folders.push_back(name);
        for (std::string_view name; !header.atEnd() && !(name = header.text()).empty();) {
            const std::uint64_t folder = header.readUnsignedLeb();
            files_.push_back({name, folder < folders.size() ? folders[folder] : std::string_view()});
            for (int i = 0; i < 2; ++i) // time, size
                header.readUnsignedLeb();
        }
        return lineRange_ > 0 && base > 0 && !unit_.broken();
    }

    void step()
    {
        const auto opcode = unit_.take<std::uint8_t>();
        if (opcode > operands_.size())
            special(opcode);
        else if (opcode == 0)
            readExtended();
        else
            standard(opcode);
    }

    void special(unsigned opcode)
    {
        const unsigned adjusted = opcode - static_cast<unsigned>(operands_.size()) - 1;
        row_.offset += adjusted / lineRange_ * smallest_;
        moveLine(lineBase_ + static_cast<int>(adjusted % lineRange_));
        emit();
    }

    void readExtended()
    {
        const std::uint64_t size = unit_.readUnsignedLeb();
        const std::size_t at = unit_.position();
        const std::string_view body = unit_.part(size);
        if (body.empty())
            return;
        if (body[0] == opEndSequence) {
            row_.end = true;
            emit();
            row_ = {};
            row_.line = 1;
            file_ = 1;
            known_ = false;
        } else if (body[0] == opSetAddress) {
            const auto found = relocations_.find(at + 1);
            known_ = found != relocations_.end();
            if (known_) {
                row_.section = found->second.section;
                row_.offset = found->second.offset;
            }
        } // else: NVIDIA's own, e.g. of inlined calls
    }

    void standard(unsigned opcode)
    {
        switch (opcode) {
        case opCopy: return emit();
        case opAdvancePc: row_.offset += unit_.readUnsignedLeb() * smallest_; return;
        case opAdvanceLine: return moveLine(unit_.readSignedLeb());
        case opSetFile: file_ = unit_.readUnsignedLeb(); return;
        case opConstAddPc: row_.offset += (255 - operands_.size() - 1) / lineRange_ * smallest_; return;
        case opFixedAdvancePc: row_.offset += unit_.take<std::uint16_t>(); return;
        default:
            for (int i = 0; i < operands_[opcode - 1]; ++i)
                unit_.readUnsignedLeb();
        }
    }

    void moveLine(std::int64_t by) { row_.line += static_cast<std::uint64_t>(by); }

    void emit()
    {
        const File file = file_ >= 1 && file_ <= files_.size() ? files_[file_ - 1] : File();
        row_.file = file.name;
        row_.folder = file.folder;
        if (known_)
            take_(row_);
    }

    struct File {
        std::string_view name, folder;
    };

    Cursor unit_;
    const std::map<std::uint64_t, RelocatedAddress>& relocations_;
    const std::function<void(const LineRow&)>& take_;
    unsigned smallest_ = 1;
    std::int8_t lineBase_ = 0; ///< may be negative
    unsigned lineRange_ = 0;
    std::vector<std::uint8_t> operands_; ///< of the standard opcodes, from 1
    std::vector<File> files_;
    LineRow row_;
    std::uint64_t file_ = 1;
    bool known_ = false; ///< the sequence's address has a relocation
};

} // namespace

void runLinePrograms(std::string_view section, const std::map<std::uint64_t, RelocatedAddress>& relocations,
                     const std::function<void(const LineRow&)>& take)
{
    Cursor all(section, 0);
    while (!all.atEnd()) {
        const auto length = all.take<std::uint32_t>();
        const std::size_t at = all.position();
        const std::string_view unit = all.part(length);
        if (all.broken() || !LineProgram(Cursor(unit, at), relocations, take).run())
            return;
    }
}

} // namespace kl::inline sass
