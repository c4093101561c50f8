#!/bin/sh
# instead.sh CLANG GCC [LAUNCHER...] GCC ARGS...: a compiler launcher of CMake that runs CLANG with GCC's arguments, behind the other
# launchers, such as ccache.
set -e
clang=$1 gcc=$2
shift 2
launcher=
while [ "$1" != "$gcc" ]; do
  launcher="$launcher $1"
  shift
done
shift
# A precompiled header is made from a file beside it. clang would read an older one, also one of GCC's, instead of that file.
last=
for argument; do
  case $last$argument in -o*.gch) rm -f "$argument" ;; esac
  last=$argument
done
exec $launcher "$clang" "$@"
