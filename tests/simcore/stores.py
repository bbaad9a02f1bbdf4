"""A store of the tests' own: moto's server, which speaks S3, with a bucket."""

from contextlib import contextmanager

import pytest

from simcore import places


def forget_stores():
    """A process keeps its way to a store, which is another one in the next module.

    Connections are closed here: s3fs gives that a tenth of a second, and on a busy machine what is left open then is a
    warning, so an error, in any later test.
    """
    import fsspec
    from fsspec.asyn import sync

    kind = fsspec.get_filesystem_class("s3")
    for store in kind._cache.values():
        if client := getattr(store, "_s3creator", None):  # made when it is first needed
            sync(store.loop, client.__aexit__, None, None, None)
    kind.clear_instance_cache()
    places._store.cache_clear()


@contextmanager
def a_bucket():
    """The address of a new bucket; where the store is and who we are stands in the environment, as for a real one."""
    pytest.importorskip("s3fs", reason="the extra cloud is not installed")
    server = pytest.importorskip("moto.server", reason="moto's server is not installed")
    import fsspec

    store = server.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    store.start()
    _, port = store.get_host_and_port()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{port}")
        for name, value in (("ACCESS_KEY_ID", "us"), ("SECRET_ACCESS_KEY", "ours"), ("DEFAULT_REGION", "us-east-1")):
            patch.setenv(f"AWS_{name}", value)
        forget_stores()
        try:
            ours = fsspec.filesystem("s3", use_listings_cache=False)
            ours.mkdir("bucket")
            yield "s3://bucket"
            ours.rm("bucket", recursive=True)  # the servers of one process share what they hold
        finally:
            store.stop()
            forget_stores()
