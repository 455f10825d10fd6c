#!/bin/sh
# Enters a root folder. Called in name spaces of its own, which have no network interface that is up.
#   enter.sh ROOT USER:GROUP SOCKET COMMAND…      SOCKET is that of the display, or empty
set -eu
root=$1 user=$2 socket=$3
shift 3
mount --make-rprivate /
mount -t proc proc "$root/proc"
mount -t tmpfs -o mode=755 tmpfs "$root/dev"
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
mkdir -m 1777 "$root/dev/shm" "$root/tmp/.X11-unix"
for device in null zero full random urandom tty; do
    : >"$root/dev/$device"
    mount --bind "/dev/$device" "$root/dev/$device"
done
if [ -n "$socket" ]; then
    : >"$root$socket"
    mount --bind "$socket" "$root$socket"
fi
# In numbers and with its groups named, chroot need not ask a service of the system who that is.
exec chroot --userspec="+${user%:*}:+${user#*:}" --groups="+${user#*:}" "$root" "$@"
