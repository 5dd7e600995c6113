"""What a campaign stores, and how its integrity is verified.

* the store                 store, retries (full disks, unresponsive object stores), locks
* names and comparison      hashes, receipts, checksums
* growing results, usage    series, manifest
"""
