"""The validation of a run as Data Docs, the HTML pages of Great Expectations."""

from __future__ import annotations

import warnings
from pathlib import Path

from ..untrusted.documents import parse_json

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import great_expectations as gx
    from great_expectations.core.expectation_validation_result import (
        expectationSuiteValidationResultSchema,
    )
    from great_expectations.core.run_identifier import RunIdentifier
    from great_expectations.data_context.types.base import ProgressBarsConfig
    from great_expectations.data_context.types.resource_identifiers import (
        ExpectationSuiteIdentifier,
        ValidationResultIdentifier,
    )

_SITE = "validation"


def write_data_docs(validation: bytes, run: str, folder: Path) -> Path:
    """Write the Data Docs of a run into a folder, and return the page to open.

    validation  the content of `validation_result.json`; under `privacy` it has no values of rows
    run         name of the run

    The pages load their style from another host, as all Data Docs do.
    """
    result = expectationSuiteValidationResultSchema.load(
        parse_json(validation, "validation_result.json")
    )
    context = gx.get_context(mode="ephemeral")
    context.enable_analytics(False)
    context.variables.progress_bars = ProgressBarsConfig(globally=False)
    context.add_data_docs_site(
        _SITE,
        {
            "class_name": "SiteBuilder",
            "show_how_to_buttons": False,
            "store_backend": {
                "class_name": "TupleFilesystemStoreBackend",
                "base_directory": str(folder.resolve()),
            },
            "site_index_builder": {"class_name": "DefaultSiteIndexBuilder"},
        },
    )
    run_id = RunIdentifier(run_name=run)
    result.meta["run_id"] = run_id
    place = ValidationResultIdentifier(
        expectation_suite_identifier=ExpectationSuiteIdentifier(result.suite_name),
        run_id=run_id,
        batch_identifier="campaign",
    )
    context.validation_results_store.set(place, result)
    context.build_data_docs(site_names=[_SITE])
    return folder / "index.html"
