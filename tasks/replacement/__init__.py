"""Test whether a system can replace an annotator, in exports and campaigns; not agreement."""
