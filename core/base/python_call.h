// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace kl {

/// How python is started: what a runner of programs needs.
struct PythonCall {
    std::vector<std::string> arguments; ///< the interpreter first
    std::vector<std::string> environment;
    std::string folder; ///< where it runs
};

/// The interpreter to use: KLOOP_PYTHON where it is set and not empty, else "python3" (looked up on PATH). One that is given by a relative
/// path is made absolute, since python runs elsewhere.
std::string pythonProgram();

/// Environment variables for python, so that it imports nothing from the folder that this program was started in: PYTHONSAFEPATH
/// is set, entries of PYTHONPATH that are empty or relative are left out, and so are PYTHON's other folders where they are relative.
std::vector<std::string> pythonEnvironment(const std::vector<std::string>& environment);

/// Runs `code`. Packages of the system, of the user and of a virtual environment are found as ever; nothing is imported from the present
/// folder: python runs in the root folder, and takes even that off sys.path. That holds before python 3.11 (PYTHONSAFEPATH), too.
PythonCall pythonCode(const std::string& code, const std::vector<std::string>& arguments = {});

/// Runs a script of `folder`, which must be a private one: it is where python runs, and before python 3.11 it is on sys.path.
PythonCall pythonScript(const std::string& name, const std::string& folder);

} // namespace kl
