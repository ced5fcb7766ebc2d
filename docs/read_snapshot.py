"""Reads a snapshot of crawldex. Written from snapshot-format.md alone, whose sections the numbers name.

python3 read_snapshot.py <store> verify                  checks every file and answer
python3 read_snapshot.py <store> report <host> [<scan>]  prints a report, exactly as it was published
python3 read_snapshot.py <store> summaries               prints each listing in search, as a line of JSON
"""

import datetime, gzip, hashlib, json, os, re, struct, sys

POINTER = {"format", "id", "generation", "origin", "revision", "push", "deleting"}


def sha256(data):
    return hashlib.sha256(data.encode() if isinstance(data, str) else data).hexdigest()


def demand(is_so, what):
    if not is_so:
        raise SystemExit(f"the snapshot is bad: {what}")


def host_hash(host):  # 7.2
    value = 0x811C9DC5
    for byte in host.encode():
        value = (value ^ byte) * 0x01000193 & 0xFFFFFFFF
    value = (value ^ value >> 16) * 0x85EBCA6B & 0xFFFFFFFF
    value = (value ^ value >> 13) * 0xC2B2AE35 & 0xFFFFFFFF
    return value ^ value >> 16


def columns_in(data):  # 6.2
    demand(data[:4] == b"cdx1", "a directory without its magic number")
    (count,) = struct.unpack_from("<I", data, 4)
    at, columns = -(-(8 + 8 * count) // 8) * 8, []
    for column in range(count):
        size, length = struct.unpack_from("<II", data, 8 + 8 * column)
        part = data[at : at + length]
        demand(len(part) == length and length % size == 0, "a column of the wrong length")
        kind = {1: "B", 4: "I", 8: "d"}[size]
        columns.append(part if size == 1 else struct.unpack(f"<{length // size}{kind}", part))
        at += -(-length // 8) * 8
    demand(at == len(data), "a directory that is longer or shorter than its columns")
    return columns


def read_directory(data, listings):  # 6.3
    hashes, hosts, host_starts, contents, offsets, lengths, digests, scans, scan_starts = columns_in(data)
    demand(len(hashes) == listings and list(hashes) == sorted(hashes), "the order of a directory")
    entries = {}
    for row in range(listings):
        host = hosts[host_starts[row] : host_starts[row + 1]].decode()
        demand(host_hash(host) == hashes[row], f"the hash of {host}")
        entry = json.loads(scans[scan_starts[row] : scan_starts[row + 1]])
        for at, name in (2 * row, "report"), (2 * row + 1, "enrichment"):
            entry[name] = int(offsets[at]), lengths[at], digests[32 * at : 32 * at + 32].hex()
        entries[host] = entry
    return entries


def texts_in(part, hosts=None):  # 8.3
    demand(part == b"" or part[-1] == 0xFF, "a text without an end")
    texts = [None if text == b"\xfd" else text for text in part.split(b"\xff")[:-1]]
    if hosts is not None:
        texts = [text and text.replace(b"\xfe", host.encode(), 1) for text, host in zip(texts, hosts)]
    return [None if text is None else text.decode() for text in texts]


def time_text(milliseconds):
    time = datetime.datetime(1970, 1, 1) + datetime.timedelta(milliseconds=milliseconds)
    return time.isoformat(timespec="milliseconds") + "Z"


def values_in(form, parts, rows, hosts):  # 8.4
    if form == "numbers":
        return [None if byte == 0 else byte - 1 for byte in parts[0]]
    if form == "texts":
        return texts_in(parts[0], hosts)
    if form == "times":
        times = [sum(parts[0][at * rows + row] << 8 * at for at in range(6)) for row in range(rows)]
        others = iter(texts_in(parts[1]))
        return [time_text(time) if time > 0 else next(others) for time in times]
    texts = texts_in(parts[0])
    if form == "distinct":
        return [None if index == 0 else texts[index - 1] for index in parts[1]]
    if form == "lists":
        width = -(-rows // 8)
        has = lambda row, text: parts[1][text * width + row // 8] >> row % 8 & 1
        return [[text for at, text in enumerate(texts) if has(row, at)] for row in range(rows)]
    demand(form == "indexes", f"a column of the form {form}")
    lengths, indexes = ([n for (n,) in struct.iter_unpack("<I", part)] for part in parts[1:])
    flat = iter(indexes)
    return [[texts[next(flat) - 1] for _ in range(length)] for length in lengths]


def read_table(data, rows):  # 8.2
    (length,) = struct.unpack_from("<I", data)
    at, columns = 4 + length, {}
    for name, form, *lengths in json.loads(data[4:at]):
        parts = []
        for length in lengths:
            parts.append(data[at : at + length])
            at += length
        hosts = columns["host"] if name in ("url", "logoUrl", "ogImageUrl") else None
        columns[name] = values_in(form, parts, rows, hosts)
        demand(len(columns[name]) == rows, f"the rows of the column {name}")
    demand(at == len(data), "a table that is longer or shorter than its parts")
    return [dict(zip(columns, values)) for values in zip(*columns.values())]


class Snapshot:
    def __init__(self, store):
        self.store = store
        pointer = json.loads(self.bytes_of("current.json"))  # 3
        demand(pointer["format"] == 2 and set(pointer) <= POINTER, "current.json")
        self.id = pointer["id"]
        demand(re.fullmatch("[0-9a-f]{32}", self.id), "the id")
        data = self.bytes_of(f"{self.id}/manifest.json")  # 4
        demand(sha256(data)[:32] == self.id, "the digest of the manifest")
        self.manifest = json.loads(data)
        demand(self.manifest["format"] == 11, "the format of the manifest")
        self.segments = []  # 7.1: the last one first
        for segment in reversed(self.manifest["segments"]):
            directory = self.file(segment["pack"])[-segment["directory"]["bytes"] :]
            demand(sha256(directory) == segment["directory"]["sha256"], "the digest of a directory")
            self.segments.append((segment, read_directory(directory, segment["listings"])))

    def bytes_of(self, path):
        with open(os.path.join(self.store, path), "rb") as file:
            return file.read()

    def file(self, file, folder=""):
        demand(not {"", ".", ".."} & set(file["file"].split("/")), "a path that leads elsewhere")
        data = self.bytes_of(folder + file["file"])
        demand((len(data), sha256(data)) == (file["bytes"], file["sha256"]), f"{file['file']} is not as the manifest says")
        return data

    def report(self, host, scan=None):
        for segment, entries in self.segments:
            if host in entries:
                entry = entries[host]
                reports = {one["scan"]: one["report"] for one in entry["historical"]}
                reports[entry["publishedScan"]] = entry["report"]
                place = reports.get(scan or entry["publishedScan"])
                return place and self.answer(self.file(segment["pack"]), place)
        return None

    def answer(self, pack, place):
        offset, length, digest = place
        body = pack[offset : offset + length]
        demand(sha256(body) == digest, f"the answer at byte {offset}")
        return body

    def summaries(self):  # 8.5
        terms = {kind: {term["slug"]: term for term in self.manifest["vocabulary"][kind]} for kind in ("categories", "tags")}
        found = {}
        for segment, _ in self.segments:
            for row in read_table(gzip.decompress(self.file(segment["table"])), segment["rows"]):
                summary = {name: value for name, value in row.items() if name not in ("exempt", "gists")}
                summary["category"] = row["category"] and terms["categories"][row["category"]]
                summary["tags"] = [terms["tags"][slug] for slug in row["tags"]]
                summary["highlighted"] = row["highlighted"] == 1
                found.setdefault(row["host"], summary)
        return [found[host] for host in sorted(found)]

    def verify(self):  # 9
        for document in self.manifest["public"]:
            self.file(document, f"{self.id}/public/")
        for addition in self.manifest.get("extras", {}).values():
            for file in addition["files"]:
                self.file(file)
        answers = 0
        for segment, entries in self.segments:
            pack, level = self.file(segment["pack"]), []
            for host, entry in entries.items():
                address = f"/api/sites/{host}"
                latest = {"scan": entry["publishedScan"], "report": entry["report"]}
                lines = [(entry["report"], "/report"), (entry["enrichment"], "/enrichment")]
                lines += [(one["report"], f"/report?scan={one['scan']}") for one in [latest, *entry["historical"]]]
                for place, end in lines:
                    self.answer(pack, place)
                    level.append(sha256(f"{place[2]} {address}{end}"))
            demand(len(level) == segment["answers"]["size"], "the number of answers")
            answers += len(level)
            while len(level) > 1:  # 6.4
                pairs = [level[at : at + 2] for at in range(0, len(level), 2)]
                level = [sha256("".join(pair)) if len(pair) == 2 else pair[0] for pair in pairs]
            demand((level or [sha256("")])[0] == segment["answers"]["root"], "the root of a segment's answers")
        self.summaries()
        return f"snapshot {self.id} is good: {answers} answers\n"


if __name__ == "__main__":
    _, store, command, *words = sys.argv
    if command == "summaries":
        output = "".join(f"{json.dumps(one)}\n" for one in Snapshot(store).summaries())
    else:
        output = getattr(Snapshot(store), command)(*words) or ""
    sys.stdout.buffer.write(output.encode() if isinstance(output, str) else output)
