#!/bin/sh
# install [--remove] [PREFIX]: links this folder's programs, menu entry, icon and completion into PREFIX (/usr/local as root, else
# ~/.local), or removes the links. The folder itself stays in place; foreign files are never touched.
set -eu
here=$(cd "$(dirname "$0")" && pwd -P)
remove=
[ "${1:-}" != --remove ] || { remove=1; shift; }
case ${1:-} in -*) echo "usage: install [--remove] [PREFIX]" >&2; exit 2 ;; esac
if [ "$(id -u)" = 0 ]; then prefix=${1:-/usr/local}; else prefix=${1:-$HOME/.local}; fi

# KernelLoop's own are links into its folder, or a menu entry that starts its program.
ours() {
  case $1 in
    *.desktop) grep -qs '^Exec=.*/bin/kernelloop"\{0,1\}\( %F\)\{0,1\}$' "$1" ;;
    *) [ -L "$1" ] && case $(readlink "$1") in */"$2") true ;; *) false ;; esac ;;
  esac
}

place() { # place PATH: the same path in this folder and under the prefix
  to=$prefix/$1
  if [ -e "$to" ] || [ -L "$to" ]; then
    ours "$to" "$1" || { echo "install: $to is not KernelLoop's and stays as it is" >&2; exit 1; }
    rm -f "$to"
  fi
  [ -z "$remove" ] || return 0
  mkdir -p "$(dirname "$to")"
  case $1 in
    *.desktop) sed "s|^Exec=.*|Exec=\"$here/bin/kernelloop\" %F|" "$here/$1" >"$to" ;;
    *) ln -s "$here/$1" "$to" ;;
  esac
  echo "$to"
}

for path in bin/kloop bin/kernelloop share/applications/kernelloop.desktop share/icons/hicolor/scalable/apps/kernelloop.svg \
  share/mime/packages/kernelloop-mime.xml \
  share/bash-completion/completions/kloop; do
  [ ! -e "$here/$path" ] || place "$path"
done
# The desktop learns of file types and menu entries from caches of its own.
for update in "update-mime-database $prefix/share/mime" "update-desktop-database $prefix/share/applications"; do
  if command -v "${update%% *}" >/dev/null && [ -d "${update#* }" ]; then $update >/dev/null 2>&1 || :; fi
done
[ -n "$remove" ] || case :$PATH: in
  *":$prefix/bin:"*) ;;
  *) echo "$prefix/bin is not on your PATH: add  export PATH=\"$prefix/bin:\$PATH\"  to ~/.profile" ;;
esac
