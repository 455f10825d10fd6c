"""Engines in child processes: a crash, a hang or a leak in native code never reaches the window.

    remote      proxies that implement the ports of `domain.ports`; what the program uses
    roles       how the three roles are started and bounded
    warming     starting roles early, ending them together
    supervisor  keeps one role's child alive: time-outs, cancel, restarts, giving up for a while
    breaker     when to start a crashed role again, when to give up for a while
    spec        values that say how a child is started and bounded
    process     one life of one child, seen from the parent
    methods     what each role can be asked, with types; read by both sides
    frames      what travels through the pipe: msgpack, typed, bounded, never pickled
    child       the child's main thread and reader thread
    no_sockets  the kernel's refusal of every socket that could reach a network
    isolation   what a child does before importing engines: no network, own log, dies with parent
    hosts       build a role's engine inside the child

The parent's half imports no engine and no native library but msgspec.
"""
