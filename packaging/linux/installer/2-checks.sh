
# --- before anything is changed

check_tools() {
    for tool in tar tail head sha256sum cut wc sed df readlink uname tr find; do
        has "$tool" ||
            unchanged "The command $tool is missing: install coreutils, findutils, tar and sed."
    done
}

check_system() {
    check_tools
    [ "$(uname -s) $(uname -m)" = "Linux $MACHINE" ] ||
        unchanged "This program is for Linux on $MACHINE; this is $(uname -s) on $(uname -m)."
    libc=$(getconf GNU_LIBC_VERSION 2>/dev/null || ldd --version 2>&1 | head -n 1)
    needs="This program needs glibc $GLIBC or newer, as Debian 12 has it; this system has"
    case $libc in *musl*) unchanged "$needs musl." ;; esac
    libc=$(printf '%s\n' "$libc" | sed -n 's/.*[^0-9.]\([0-9][0-9]*\.[0-9][0-9]*\).*/\1/p')
    [ -z "$libc" ] || is_newer "$libc" "$GLIBC" || unchanged "$needs $libc."
}

is_newer() {
    [ "${1%%.*}" -eq "${2%%.*}" ] || { [ "${1%%.*}" -gt "${2%%.*}" ]; return; }
    [ "${1#*.}" -ge "${2#*.}" ]
}

check_place() {
    other="name a folder of yours with --to FOLDER or --portable FOLDER."
    [ "$kind" != usual ] || [ -n "${HOME-}" ] || unchanged "HOME is not set: $other"
    case $root in /*) ;; *) unchanged "HOME names no folder: $other" ;; esac
    case $root in *'
'*) unchanged "The program cannot be in a folder with a line break in its name: $other" ;; esac
    base=$root
    until [ -e "$base" ]; do base=${base%/*} base=${base:-/}; done
    [ -d "$base" ] || unchanged "$base is a file: $other"
    try_place || unchanged "$base cannot be written to: $other"
    [ -n "$can_run" ] ||
        unchanged "The disk of $base lets no program start (noexec, or FAT): $other"
    [ -n "$target" ] || [ ! -e "$root/current" ] || is_current ||
        unchanged "$root/current is not of this program: $other"
    [ -z "$target" ] || [ ! -e "$target" ] || is_ours "$target" || is_left "$target" ||
        unchanged "$target is there and is not this program: $other"
}

# Only trying tells: permissions, a disk that is read-only, one that starts no programs.
try_place() {
    probe=$base/.desktop-rag.probe-$$ can_run=''
    rm -f "$probe" 2>/dev/null
    # In a folder of everybody nobody's link may lead this anywhere: `-C` writes only what is new.
    (set -C && printf '#!/bin/sh\nexit 0\n' >"$probe") 2>/dev/null || return 1
    chmod +x "$probe" 2>/dev/null
    ! "$probe" 2>/dev/null || can_run=yes
    rm -f "$probe"
}

is_ours() { [ -f "$1/_internal/bundle" ]; }

# A version that may be deleted: a portable program between versions is one with a library.
is_version() {
    is_ours "$1" || return 1
    for kept in portable.txt data; do
        [ ! -e "$1/$kept" ] || return 1
        [ ! -L "$1/$kept" ] || return 1
    done
}

# The link to the version in use; also where that was damaged.
is_current() { [ -L "$root/current" ] && [ -f "$root/current/desktop-rag" ]; }

# What the removal of a portable program leaves.
is_left() {
    [ -e "$1/data/library.sqlite3" ] || [ -e "$1/data/models" ] || return 1
    for part in $parts; do [ ! -e "$1/$part" ] || return 1; done
}

check_room() {
    free=$(LC_ALL=C df -Pk "$base" | sed -n '2s/.* \([0-9][0-9]*\)  *[0-9]*% .*/\1/p')
    [ -z "$free" ] || [ "$free" -ge "$NEEDED_KB" ] || unchanged "Desktop RAG needs" \
        "$((NEEDED_KB / 1024)) MB in $base, and $((free / 1024)) MB are free: make room, or $other"
}

check_running() {
    place=${target:-$root}
    [ -d "$place" ] || return 0
    place=$(cd "$place" && pwd -P)
    for process in /proc/[0-9]*; do
        program=$(readlink "$process/exe" 2>/dev/null)
        case $program in "$place"/*) program=${program#"$place"/} ;; *) continue ;; esac
        # In a folder such as /opt other programs run, too.
        [ -n "$target" ] || is_ours "$place/${program%%/*}" || continue
        unchanged "Desktop RAG is running from $place (process ${process#/proc/}): quit it, also" \
            "in the tray, and start this again."
    done
}

# --- leftovers of an installation that was ended

tidy() {
    check_alone
    for left in "$root"/.desktop-rag.new-* "$root"/.desktop-rag.probe-*; do
        is_installing "${left##*-}" || rm -rf "$left"
    done
    [ -n "$target" ] || return 0
    for left in "$target".old-*; do
        [ -d "$left/_internal" ] || is_left "$left" || continue
        if [ -e "$target" ]; then keep_data "$left"; else mv "$left" "$target"; fi
    done
}

check_alone() {
    for left in "$root"/.desktop-rag.new-*; do
        [ ! -e "$left" ] || ! is_installing "${left##*-}" ||
            unchanged "Another installation into $root is running (process ${left##*-}): wait" \
                "for it, or delete $left if it is none, and start this again."
    done
}

is_installing() {
    [ "$1" != $$ ] && [ -r "/proc/$1/cmdline" ] || return 1
    case $(tr '\0' ' ' <"/proc/$1/cmdline") in *sh\ *) ;; *) return 1 ;; esac
}
