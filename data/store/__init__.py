"""What a campaign stores, and how its integrity is verified.

* the store                 store, locks, retries (full disks, unresponsive object stores)
* tables                    parquet_format
* names and comparison      hashes, receipts, checksums
* growing results, usage    series, manifest
"""
