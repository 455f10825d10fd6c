
# --- installing

install_program() {
    check_system
    check_place
    check_room
    check_running
    check_file
    tidy
    trap undo EXIT
    trap 'exit 1' HUP INT TERM
    name=$VERSION count=1
    while [ -e "$root/$name" ]; do count=$((count + 1)) name=$VERSION-$count; done
    new=$root/.desktop-rag.new-$$
    mkdir -p "$new" && check_alone # of two that began together, none was seen before
    say "Unpacking into ${target:-$root/$name} ..."
    unpack || unchanged "Unpacking into $root failed; the reason stands above."
    try_program
    import_models
    check_running
    sync -f "$new" 2>/dev/null || sync
    trap '' HUP INT TERM
    if [ -n "$target" ]; then place_portable; else place_version; fi
    new=''
    tell
}

# shellcheck disable=SC2317  # called by trap
undo() {
    [ -z "$new" ] || rm -rf "$new"
    while [ "$root" != "$base" ] && rmdir "$root" 2>/dev/null; do root=${root%/*}; done
}

unpack() {
    mkdir -p "$new" || return 1
    if has xz; then
        section program | xz -dc
    else
        section tools | untar
        section program | LD_LIBRARY_PATH="$new/.tools" "$new/.tools/xz" -dc
    fi | untar || return 1
    rm -rf "$new/.tools"
    [ "$MODEL_SIZE" -eq 0 ] || section model | untar || return 1
    make_links || return 1
    head -c "$HEADER" "$file" >"$new/installer.sh" || return 1
    # Where the window looks for files of models that come later.
    (cd "$(dirname "$file")" && pwd) >"$new/installed-from.txt" || return 1
    [ -z "$target" ] || : >"$new/portable.txt"
}

# Not by `-C`, which reads a backslash in a name as the start of a sign.
untar() { (cd "$new" && tar -xof -); }

# Links are made here, as a stick may have none: there they become copies.
make_links() {
    while IFS='	' read -r link to; do
        ln -s "$to" "$new/$link" 2>/dev/null && continue
        cp "$(dirname "$new/$link")/$to" "$new/$link" || return 1
    done <"$new/_internal/links"
}

try_program() {
    found=$("$new/desktop-rag" --version 2>&1)
    case $found in *"Desktop RAG $VERSION"*) return ;; esac
    found=$(printf '%s' "$found" | head -n 1)
    unchanged "The new program does not start on this system: ${found:-it says nothing}."
}

# By the new program before it takes its place: a damaged file of models stops everything.
import_models() {
    for models in "$(dirname "$file")"/*.ragmodels; do
        [ -f "$models" ] || continue
        say "Importing ${models##*/} ..."
        (
            [ ! -d "${target:-/nowhere}/data" ] ||
                export DESKTOP_RAG_MODELS_DIR="$target/data/models"
            "$new/desktop-rag" models import "$models" >/dev/null
        ) || fail "${models##*/} was not imported, and nothing was installed: copy it again," \
            "or take it away from beside ${file##*/}."
    done
}

place_version() {
    command=$root/current/desktop-rag link=$root/.desktop-rag.new-link-$$
    { mv -T "$new" "$root/$name" && ln -s "$name" "$link" && mv -fT "$link" "$root/current"; } ||
        fail "$root cannot be changed; the reason stands above."
    if [ -n "${HOME-}" ] && mkdir -p "$HOME/.local/bin" "$data_home" 2>/dev/null &&
        [ -w "$HOME/.local/bin" ] && [ -w "$data_home" ]; then
        place_entries
        place_command
    else
        say "There is no menu entry: your home folder cannot be written to."
    fi
    for old in "$root"/*; do
        case ${old##*/} in current | "$name") continue ;; esac
        ! is_version "$old" || rm -rf "$old"
    done
    tell_of_kept
}

tell_of_kept() {
    for old in "$root"/*; do
        [ "${old##*/}" = current ] || ! is_ours "$old" || is_version "$old" ||
            say "$old keeps data of its own and stays as it is."
    done
}

place_command() {
    mine=$HOME/.local/bin/desktop-rag
    case $(readlink "$mine") in
        */current/desktop-rag) ;;
        *) [ ! -e "$mine" ] || { say "$mine is another program and stays as it is."; return; } ;;
    esac
    ln -sfn "$command" "$mine" && command=$mine
}

place_entries() {
    entries | while IFS= read -r entry; do
        mkdir -p "$data_home/${entry%/*}" && cp "$root/current/share/$entry" "$data_home/$entry"
    done
    # A path is quoted, then escaped as any value of an entry, then as a replacement of sed.
    path=$(printf '%s' "$command" | sed 's/\\/\\\\/g; s/[\\&|]/\\&/g')
    quoted=$(printf '%s' "$command" | sed 's/[\\"`$]/\\&/g; s/%/%%/g; s/\\/\\\\/g; s/[\\&|]/\\&/g')
    menu=applications/desktop-rag.desktop
    sed "s|^Exec=desktop-rag|Exec=\"$quoted\"|; s|^TryExec=.*|TryExec=$path|" \
        "$root/current/share/$menu" >"$data_home/$menu"
    tell_desktop
}

entries() { (cd "$root/current/share" 2>/dev/null && find . -type f | sed 's|^\./||'); }

tell_desktop() {
    ! has update-desktop-database || update-desktop-database "$data_home/applications"
    # It does nothing without this folder, and would leave a file type that was removed.
    [ ! -d "$data_home/mime" ] || mkdir -p "$data_home/mime/packages"
    ! has update-mime-database || update-mime-database "$data_home/mime"
    [ ! -d "$data_home/icons/hicolor" ] || touch "$data_home/icons/hicolor"
} >/dev/null 2>&1

# Two renames, as a stick may have no links: when the power fails between them, `tidy` of the next
# start puts the old one back.
place_portable() {
    command=$target/desktop-rag old=$target.old-$$
    [ ! -d "$target/data" ] || rm -rf "$new/data"
    if [ -e "$target" ] && ! mv -T "$target" "$old"; then
        fail "$target cannot be changed; the reason stands above."
    fi
    mv -T "$new" "$target" || fail "$target cannot be changed: start this again to put it in order."
    [ ! -d "$old" ] || keep_data "$old"
    sync -f "$target" 2>/dev/null || sync
}

# What is not of the program moves from an old folder into the new one; then the old one goes. In
# this order: whoever ends it meanwhile finds the data in the new one, or `tidy` does.
keep_data() {
    for one in "$1"/* "$1"/.[!.]*; do
        case " $parts " in *" ${one##*/} "*) continue ;; esac
        [ -e "$one" ] || [ -L "$one" ] || continue
        [ -e "$target/${one##*/}" ] || mv "$one" "$target/"
    done
    remove_parts "$1"
    rmdir "$1" || say "What could not be moved stays in $1."
}

tell() {
    trap - EXIT HUP INT TERM
    if [ -n "$target" ]; then say "Desktop RAG $VERSION is in $target and keeps all data there."
    else say "Desktop RAG $VERSION is installed in $root."; fi
    menu="Open it from the menu, or with:"
    case "$command in ${PATH-}:" in
        *" in ${command%/*}:"* | *":${command%/*}:"*) say "$menu desktop-rag" ;;
        */.local/bin/*" in "*) say "$menu $command (~/.local/bin is not in PATH)" ;;
        *) say "Open it with: $command" ;;
    esac
    tell_missing
    if [ -n "$start" ] || is_clicked; then exec "$command"; fi
}

# The commands work without them.
tell_missing() {
    internal=$(dirname "$(readlink -f "$command")")/_internal
    missing=$(LC_ALL=C LD_LIBRARY_PATH=$internal \
        ldd "$internal/PySide6/Qt/plugins/platforms/libqxcb.so" 2>/dev/null |
        sed -n 's/^[[:space:]]*\(.*\) => not found.*/\1/p' | tr '\n' ' ')
    [ -n "$missing" ] || return 0
    missing="The window needs libraries that this system lacks: ${missing% }. Started in a \
terminal, it names their packages."
    say "$missing"
    ! is_clicked || show_error "$missing"
}
