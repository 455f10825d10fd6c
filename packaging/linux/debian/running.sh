# The process that runs the program, as `process` and `user`; no words when it does not run. It is told
# by the file itself, not by its name: in a container the programs of other systems show, too.
program=/usr/lib/desktop-rag/desktop-rag
process=
if [ -e "$program" ]; then
    inode=$(stat -L -c %d:%i "$program")
    # Some end meanwhile, and without a mounted /proc there are none; that is no fault.
    process=$(stat -L -c '%d:%i %n' /proc/[0-9]*/exe 2>/dev/null |
        sed -n "s|^$inode /proc/\([0-9]*\)/exe\$|\1|p" | sort -n | head -n 1)
    user=$(stat -c %U "/proc/$process" 2>/dev/null || echo unknown)
fi
