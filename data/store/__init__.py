"""What a campaign keeps, and how it is known to be whole.

* the store                 store, patience (full disks, object stores that do not answer), locks
* names and comparison      hashes, receipts, checksums
* what grows, what is used  series, manifest
"""
