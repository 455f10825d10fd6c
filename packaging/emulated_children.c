/* Preloaded into a program that qemu-user runs: what it starts is run by qemu, too.
 *
 * qemu-user hands execve to the kernel, which would start the program's workers on the real
 * processor. Only the step `qemu` uses this; nothing of it is given away.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef int execve_type(const char *, char *const[], char *const[]);

extern char **environ;

static int is_program(const char *path)
{
    char magic[4] = {0};
    int file = open(path, O_RDONLY);
    if (file < 0)
        return 0;
    ssize_t count = read(file, magic, sizeof magic);
    close(file);
    return count == sizeof magic && memcmp(magic, "\177ELF", sizeof magic) == 0;
}

int execve(const char *path, char *const arguments[], char *const variables[])
{
    execve_type *real = (execve_type *)dlsym(RTLD_NEXT, "execve");
    char *emulator = getenv("EMULATOR"), *processor = getenv("EMULATED_PROCESSOR");
    if (!emulator || !processor || !is_program(path))
        return real(path, arguments, variables);
    size_t count = 0;
    while (arguments[count])
        count++;
    char *begin[] = {emulator, "-cpu", processor, "-0", arguments[0], (char *)path};
    size_t head = sizeof begin / sizeof *begin;
    char **command = calloc(head + count + 1, sizeof *command);
    if (!command)
        return -1;
    memcpy(command, begin, sizeof begin);
    if (count)
        memcpy(command + head, arguments + 1, count * sizeof *command);
    return real(emulator, command, variables);
}

int execv(const char *path, char *const arguments[])
{
    return execve(path, arguments, environ);
}

int execvp(const char *path, char *const arguments[])
{
    execve_type *real = (execve_type *)dlsym(RTLD_NEXT, "execvpe");
    return strchr(path, '/') ? execve(path, arguments, environ) : real(path, arguments, environ);
}
