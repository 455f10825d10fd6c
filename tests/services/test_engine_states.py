"""What a view learns that is opened after an engine failed."""

from __future__ import annotations

from desktop_rag.domain.events import EngineState, LibraryChanged
from desktop_rag.services.bus import Bus
from desktop_rag.services.engine_states import EngineStates


def test_the_last_state_of_each_role_with_its_age() -> None:
    now = 100.0
    bus = Bus()
    states = EngineStates(bus, clock=lambda: now)
    assert states.of("llm") is None
    bus.publish(EngineState("llm", "starting"))
    bus.publish(EngineState("index", "ready"))
    bus.publish(LibraryChanged())
    now = 112.0
    found = states.of("llm")
    assert found is not None
    assert (found.state, found.since_s) == ("starting", 12.0)
    bus.publish(EngineState("llm", "unavailable", "It crashed."))
    found = states.of("llm")
    assert found is not None
    assert (found.state, found.detail, found.since_s) == ("unavailable", "It crashed.", 0.0)
