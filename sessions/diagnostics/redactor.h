// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>
#include <vector>

namespace kl::inline diagnostics {

/// What is known to be private on this machine.
struct PrivateWords {
    std::string home;               ///< the home folder, absolute; empty: none
    std::vector<std::string> users; ///< login and full name
    std::vector<std::string> hosts; ///< of this machine and of those that are measured on, as USER@HOST or HOST
    std::vector<std::string> paths; ///< of files that are named in texts and may hold blanks, which end any other path
    std::vector<std::string> names; ///< of things of the user, e.g. kernels
};

/// Those of the running process and its user: HOME, the user database (passwd), the name of the machine.
PrivateWords privateWords();

/// Replaces what may be private in a text by placeholders. The same thing gets the same placeholder, "<path 1>", so that what belongs
/// together can still be seen.
///
/// Replaced are: what is known to be private; paths but those of the system (/usr, /lib, /proc, /dev, /sys, /opt/nvidia), and names of
/// files, of which the extension stays; users; hosts; addresses (IPv4, IPv6, MAC, mail, URL); UUIDs of GPUs; everything after the program's
/// name in quoted or backquoted commands; values of options (--name VALUE) and of NAME=VALUE; words of at least 20 characters that mix
/// letters and digits, as keys and tokens do (the ids of runs and hashes of sources go with them).
class Redactor {
public:
    explicit Redactor(const PrivateWords& words);

    std::string redact(const std::string& text);

private:
    std::string placeholder(const std::string& kind, const std::string& original);

    std::string hidePaths(std::string text); ///< those that are known, and the home folder

    PrivateWords words_;
    std::map<std::string, std::map<std::string, int>> seen_; ///< kind to original to number
};

} // namespace kl::inline diagnostics
