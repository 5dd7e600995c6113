"""The fixture `read` of the tests of readers."""

from tests.data.readers.conftest import read

__all__ = ["read"]
