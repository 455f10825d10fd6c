#!/bin/sh
# Desktop RAG @VERSION@ for Linux: installs for the person who starts it, without root or a network.
# `sh FILE --help` tells what it can do. What follows the last line is data.
# Every check comes before the first change. What is new is unpacked beside what is there and
# renamed in the end, so that whoever ends this at any moment keeps a program that works.
HEADER_SUM=@HEADER_SUM@
VERSION='@VERSION@' MACHINE='@MACHINE@' GLIBC='@GLIBC@' HEADER=@HEADER@
TOOLS_SIZE=@TOOLS_SIZE@ TOOLS_SUM=@TOOLS_SUM@
PROGRAM_SIZE=@PROGRAM_SIZE@ PROGRAM_SUM=@PROGRAM_SUM@
MODEL_SIZE=@MODEL_SIZE@ MODEL_SUM=@MODEL_SUM@ MODEL='@MODEL@'
NEEDED_KB=@NEEDED_KB@ FILES=@FILES@
set -u
umask 022
# Settings of a person that would change what these commands do, or where `cd` leads.
unset CDPATH TAR_OPTIONS XZ_OPT XZ_DEFAULTS
file=$0 action=install kind=usual folder='' start='' quiet=''
root='' target='' name='' new='' command=''
# What a portable program consists of; `_internal` is last, as an old folder is known by it.
parts='desktop-rag share portable.txt installed-from.txt installer.sh _internal'
data_home=${HOME-}/.local/share
case ${XDG_DATA_HOME-} in /*) data_home=$XDG_DATA_HOME ;; esac

tell_help() {
    cat <<END
Desktop RAG $VERSION for Linux. Needs no root, no network, and asks nothing.

  sh FILE                     install for you, in ~/.local/opt/desktop-rag; again: upgrade or mend
  sh FILE --to FOLDER         install into another folder
  sh FILE --portable FOLDER   into FOLDER/desktop-rag, with all data beside it: for a stick
  sh FILE --remove            remove the program (also --to, --portable); your data stay
  sh FILE --check             tell whether this file is whole
  sh FILE --list              tell what is in this file
      --start                 open the window in the end
      --quiet                 tell only what went wrong

Models (*.ragmodels) beside FILE are imported. Exit codes: 0 done; 1 refused or failed, and what was
there before still works; 2 no such option.
END
}

read_arguments() {
    while [ $# -gt 0 ]; do
        case $1 in
            --to | --portable)
                [ -n "${2-}" ] || wrong "Name a folder after $1."
                kind=${1#--} folder=$2
                shift ;;
            --remove | --check | --list | --help | --version) action=${1#--} ;;
            -h) action=help ;;
            --start) start=yes ;;
            --quiet) quiet=yes ;;
            *) wrong "There is no option $1; see --help." ;;
        esac
        shift
    done
    case $folder in '' | /*) ;; *) folder=$PWD/$folder ;; esac
    root=${folder%/} root=${root:-/}
    [ "$kind" != usual ] || root=${HOME-}/.local/opt/desktop-rag
    [ "$kind" != portable ] || target=$root/desktop-rag
}

say() { [ -n "$quiet" ] || printf '%s\n' "$*"; }

wrong() {
    printf '%s\n' "$*" >&2
    exit 2
}

fail() {
    printf '%s\n' "$*" >&2
    ! is_clicked || show_error "$*"
    exit 1
}

unchanged() { fail "$* Nothing was changed."; }

has() { command -v "$1" >/dev/null 2>&1; }

# Started by a double click: on a desktop, and nobody reads a terminal.
is_clicked() {
    [ -z "$quiet" ] && [ -n "${DISPLAY-}${WAYLAND_DISPLAY-}" ] || return 1
    ! [ -t 0 ] && ! [ -t 1 ] && ! [ -t 2 ]
}

show_error() {
    if has zenity; then zenity --error --no-markup --title='Desktop RAG' --text="$1"
    elif has kdialog; then kdialog --title 'Desktop RAG' --error "$1"
    elif has xmessage; then xmessage -center "$1"
    elif has notify-send; then notify-send 'Desktop RAG' "$1"
    fi >/dev/null 2>&1
}

# --- what this file holds: this text, xz for systems without it, the program, perhaps a model

section() {
    at=$HEADER
    case $1 in
        tools) size=$TOOLS_SIZE ;;
        program) at=$((at + TOOLS_SIZE)) size=$PROGRAM_SIZE ;;
        model) at=$((at + TOOLS_SIZE + PROGRAM_SIZE)) size=$MODEL_SIZE ;;
    esac
    tail -c "+$((at + 1))" "$file" 2>/dev/null | head -c "$size"
}

sum() { sha256sum | cut -c 1-64; }

header_sum() { head -c "$HEADER" "$file" | sed '/^HEADER_SUM=/d' | sum; }

check_file() {
    expected=$((HEADER + TOOLS_SIZE + PROGRAM_SIZE + MODEL_SIZE))
    found=$(wc -c <"$file") || unchanged "This file cannot be read: start it with: sh FILE"
    [ "$found" -eq "$expected" ] || damaged "has $((found)) bytes instead of $expected"
    say "Checking $file ..."
    [ "$(header_sum)" = "$HEADER_SUM" ] || damaged "is damaged in its first part"
    [ "$(section tools | sum)" = "$TOOLS_SUM" ] || damaged "is damaged in its tools"
    [ "$(section program | sum)" = "$PROGRAM_SUM" ] || damaged "is damaged in the program"
    [ "$(section model | sum)" = "$MODEL_SUM" ] || damaged "is damaged in the language model"
}

damaged() { unchanged "${file##*/} $1: copy or download it again."; }

# The shell reads no further than here before this is done: damage below is told, not run.
if has sha256sum && [ -r "$file" ]; then
    [ "$(header_sum)" = "$HEADER_SUM" ] || damaged "is damaged in its first part"
fi

list() {
    say "Desktop RAG $VERSION for Linux on $MACHINE with glibc $GLIBC or newer."
    say "Needs $((NEEDED_KB / 1024)) MB when it is installed."
    say "  program  $PROGRAM_SIZE bytes, $FILES files, SHA-256 $PROGRAM_SUM"
    [ "$MODEL_SIZE" -eq 0 ] || say "  model    $MODEL_SIZE bytes, $MODEL, SHA-256 $MODEL_SUM"
    say "  xz       $TOOLS_SIZE bytes, for systems without it, SHA-256 $TOOLS_SUM"
}
