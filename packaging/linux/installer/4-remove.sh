
# --- removing

remove() {
    is_there || unchanged "Desktop RAG is not in ${target:-$root}:" \
        "name its folder with --to FOLDER or --portable FOLDER."
    [ -w "$root" ] || unchanged "$root cannot be written to."
    check_running
    tidy
    if [ -n "$target" ]; then remove_portable; else remove_versions; fi
}

is_there() {
    if [ -n "$target" ]; then
        if [ -e "$target" ]; then is_ours "$target"; else is_any is_ours "$target".old-*; fi
    else
        is_any is_version "$root"/*
    fi
}

is_any() {
    condition=$1
    shift
    for one in "$@"; do ! "$condition" "$one" || return 0; done
    return 1
}

remove_versions() {
    remove_entries
    ! is_current || rm -f "$root/current"
    for old in "$root"/*; do ! is_version "$old" || rm -rf "$old"; done
    tell_of_kept
    rmdir "$root" 2>/dev/null
    [ "$kind" != usual ] || rmdir "${root%/*}" 2>/dev/null
    say "Desktop RAG is removed from $root."
    tell_of_data "$data_home/desktop-rag"
}

remove_entries() {
    menu=$data_home/applications/desktop-rag.desktop mine=${HOME-}/.local/bin/desktop-rag
    if [ "$(sed -n 's/^TryExec=//p' "$menu" 2>/dev/null)" = "$root/current/desktop-rag" ]; then
        entries | while IFS= read -r entry; do
            rm -f "$data_home/$entry"
            (cd "$data_home" && rmdir -p "${entry%/*}" 2>/dev/null)
        done
        tell_desktop
    fi
    [ "$(readlink "$mine")" != "$root/current/desktop-rag" ] || rm -f "$mine"
}

remove_parts() {
    for part in $parts; do rm -rf "${1:?}/$part"; done
}

remove_portable() {
    remove_parts "$target"
    rmdir "$target" 2>/dev/null
    say "Desktop RAG is removed from $root."
    tell_of_data "$target/data"
}

tell_of_data() {
    [ ! -d "$1" ] || say "Your library, chats and models stay in $1. To delete them: rm -r '$1'"
}

read_arguments "$@"
case $action in
    help) tell_help ;;
    version) printf 'Desktop RAG %s\n' "$VERSION" ;;
    check) check_tools && check_file && say "It is whole." ;;
    list) list ;;
    remove) remove ;;
    install) install_program ;;
esac
exit
