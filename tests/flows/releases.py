"""A section [release] with every key, for campaigns whose audit must lack nothing."""

from __future__ import annotations

STATEMENT = """
description = "Annotations for a test of releases."
language = "English"
guideline = "2.0"
licence = "MIT"
contact = "corpus@example.org"
[campaign.statement]
"Curation rationale" = "Chosen for tests."
"Language variety" = "As in the source."
"Speaker demographic" = "Unknown."
"Annotator demographic" = "Unknown but for what is counted here."
"Speech situation" = "Written."
"Text characteristics" = "Short."
"""

RELEASE = """
[release]
title = "A published corpus"
version = "1.0.0"
date = 2026-03-04
url = "https://example.org/corpus"
doi = "10.5281/zenodo.1234567"
publisher = "Example University"
keywords = ["agreement", "annotation"]
languages = ["en"]
demographics = ["language"]
tasks = ["token-classification"]
paper = "https://example.org/paper"
collection = "Copied from the published exports."
collection_types = ["Manual Human Curator"]
collected_from = 2025-01-01
collected_until = 2025-12-31
raw_data = "The published exports."
sources = ["https://example.org/source", "An archive"]
missing_data = "Nothing is known to be missing."
imputation = "Nothing was imputed."
manipulation = "Nothing was altered."
preprocessing = ["Exports were read as they are."]
annotation_protocol = "Everyone annotated independently."
annotation_creators = ["crowdsourced"]
platforms = ["brat"]
machine_tools = ["none"]
synthetic = false
personal_information = ["none"]
biases = ["Few annotators."]
limitations = ["Not for training."]
uses = ["Tests of software."]
social_impact = "None is expected."
maintenance = "The authors answer questions."
[release.annotators]
recruitment = "Asked by mail."
pay = "Nothing."
consent = "In writing."
ethics_review = "None was asked, as a test needs none."
instructions = "instructions.md"
[[release.creators]]
family = "Doe"
given = "Jane"
orcid = "0000-0002-1825-0097"
affiliation = "Example University"
[[release.creators]]
name = "A Guild"
"""
