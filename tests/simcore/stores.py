"""A store of the tests' own: moto's server, which speaks S3, with a bucket."""

from contextlib import contextmanager

import pytest


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
        try:
            fsspec.filesystem("s3", use_listings_cache=False).mkdir("bucket")
            yield "s3://bucket"
        finally:
            store.stop()
