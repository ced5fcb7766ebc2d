"""OpenStack Swift with its S3 protocol, all servers in one process: swift-all-in-one.py <folder> <port>.

It prints "ready" once it answers. Every object has one copy, in the folder.
"""
import os
import sys

import eventlet

eventlet.monkey_patch()

from eventlet import wsgi  # noqa: E402
from swift.common import utils  # noqa: E402

folder, port = sys.argv[1], int(sys.argv[2])
HOST = "127.0.0.1"
KINDS = ("account", "container", "object")


def write(name, text):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


utils.SWIFT_CONF_FILE = write("swift.conf", "[swift-hash]\nswift_hash_path_suffix = test\n")
utils.validate_hash_conf()

# These read the configuration while they are imported.
from swift.common.ring import RingBuilder  # noqa: E402
from swift.common.storage_policy import reload_storage_policies  # noqa: E402
from swift.common.wsgi import SwiftHttpProtocol, loadapp  # noqa: E402

reload_storage_policies()
os.makedirs(os.path.join(folder, "devices", "one"))
DEFAULTS = f"""[DEFAULT]
swift_dir = {folder}
devices = {folder}/devices
mount_check = false
"""
PROXY = f"""{DEFAULTS}
[pipeline:main]
pipeline = catch_errors s3api tempauth bulk slo proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:s3api]
use = egg:swift#s3api
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = testing .admin http://{HOST}:{port}/v1/AUTH_test
[filter:bulk]
use = egg:swift#bulk
[filter:slo]
use = egg:swift#slo
"""


def start(app, sock):
    eventlet.spawn(wsgi.server, sock, app, protocol=SwiftHttpProtocol, log_output=False, debug=False)


for kind in KINDS:
    listening = eventlet.listen((HOST, 0))
    builder = RingBuilder(part_power=2, replicas=1, min_part_hours=0)
    device = {"region": 1, "zone": 1, "device": "one", "weight": 1.0, "meta": ""}
    place = {"ip": HOST, "port": listening.getsockname()[1]}
    replication = {f"replication_{key}": value for key, value in place.items()}
    builder.add_dev({**device, **place, **replication})
    builder.rebalance()
    builder.get_ring().save(os.path.join(folder, f"{kind}.ring.gz"))
    config = write(
        f"{kind}.conf",
        f"{DEFAULTS}[pipeline:main]\npipeline = server\n[app:server]\nuse = egg:swift#{kind}\n",
    )
    start(loadapp(config), listening)

proxy = loadapp(write("proxy.conf", PROXY))


class EmptyCache:
    """In memcached's place, which the proxy asks for: it remembers nothing."""

    def __getattr__(self, name):
        return lambda *_, **__: None


def with_cache(env, start_response):
    return proxy({**env, "swift.cache": EmptyCache()}, start_response)


start(with_cache, eventlet.listen((HOST, port)))
print("ready", flush=True)
while True:
    eventlet.sleep(3600)
