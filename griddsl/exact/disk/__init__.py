"""Processes of more states than memory takes: enumerated and solved as a dataflow over Parquet files."""

from griddsl.exact.disk.process import DiskProcess, DiskSolution, enumerate_on_disk

__all__ = ["DiskProcess", "DiskSolution", "enumerate_on_disk"]
