#!/usr/bin/env python3
"""vectorlance.py FILE [INDEX...]: searches the vectors of `vectorscan -save FILE` with LanceDB, one thread for computing.

    python3 -m venv venv && venv/bin/pip install lancedb numpy
    venv/bin/python docs/bench/vectorlance.py FILE IVF_RQ IVF_PQ IVF_HNSW_SQ

Without INDEX only the scan of all vectors is measured. Recall is that of the ten nearest, against exact cosines; times are of processors.
"""
import os, resource, sys, tempfile

os.environ.update(LANCE_CPU_THREADS="1", RAYON_NUM_THREADS="1", TOKIO_WORKER_THREADS="1", LANCE_LOG="error")
import lancedb, numpy as np, pyarrow as pa

DIMS, LIMIT, ASKED = 384, 10, 30


def processor():
    u = resource.getrusage(resource.RUSAGE_SELF)
    return u.ru_utime + u.ru_stime


def memory():
    return next(int(l.split()[1]) >> 10 for l in open("/proc/self/status") if l.startswith("VmRSS"))


def disk(folder):
    return sum(os.path.getsize(os.path.join(at, f)) for at, _, files in os.walk(folder) for f in files) >> 20


def main():
    name = sys.argv[1]
    v = np.fromfile(name, "<f4").reshape(-1, DIMS)
    asked = np.fromfile(name + ".queries", "<f4").reshape(-1, DIMS)[:ASKED]
    inverse = 1 / np.linalg.norm(v, axis=1)
    exact = [set(np.argpartition(-(v @ q) * inverse, LIMIT)[:LIMIT].tolist()) for q in asked]
    schema = pa.schema([("id", pa.int32()), ("vector", pa.list_(pa.float32(), DIMS))])

    def batches():
        for i in range(0, len(v), 50000):
            part = v[i:i + 50000]
            ids = pa.array(np.arange(i, i + len(part), dtype=np.int32))
            yield pa.RecordBatch.from_arrays([ids, pa.FixedSizeListArray.from_arrays(pa.array(part.reshape(-1)), DIMS)], schema=schema)

    with tempfile.TemporaryDirectory() as folder:
        table = lancedb.connect(folder).create_table("v", data=batches(), schema=schema)
        print(f"{len(v)} vectors, {disk(folder)} MB on disk", flush=True)
        del v
        before = memory()

        def measure(label, **knobs):
            times, found = [], 0
            for i, q in enumerate(asked):
                query = table.search(q).distance_type("cosine").select(["id", "_distance"]).limit(LIMIT)
                for knob, value in knobs.items():
                    query = getattr(query, knob)(value)
                began = processor()
                ids = query.to_arrow()["id"].to_pylist()
                times.append((processor() - began) * 1000)
                found += len(exact[i] & set(ids))
            times = sorted(times[1:])  # the first opens files
            print(f"  {label}: p50 {times[len(times) // 2]:.1f} p95 {times[int(len(times) * .95)]:.1f} ms; recall {found / len(asked) / LIMIT:.3f}; "
                  f"{memory() - before} MB more in memory", flush=True)

        measure("all vectors")
        for kind in sys.argv[2:]:
            began, size = processor(), disk(folder)
            table.create_index(metric="cosine", vector_column_name="vector", index_type=kind, replace=True)
            print(f"  {kind}: built in {processor() - began:.0f} s, {disk(folder) - size} MB", flush=True)
            for probes, refine in (20, 10), (50, 30):
                measure(f"{kind}, {probes} probes, {refine} times refined", nprobes=probes, refine_factor=refine)


main()
