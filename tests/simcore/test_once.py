import threading
import time

from simcore.once import once


def test_threads_that_ask_together_get_one_result():
    calls = []
    together = threading.Barrier(8)

    @once
    def register(name):
        calls.append(name)
        time.sleep(0.01)
        return object()

    found = []

    def ask():
        together.wait()
        found.append(register("a"))

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert calls == ["a"]
    assert len(set(found)) == 1
    register("b")
    assert calls == ["a", "b"]
