# SPDX-License-Identifier: MIT
"""The calls of the corpus, a file per framework and theme."""
