"""Units cut into atoms: characters with the category over them."""

from __future__ import annotations

import numpy as np

from accordeur.metrics.alignment.continuum import Continuum
from accordeur.metrics.estimate import Estimate
from accordeur.tasks.units.atoms import OUTSIDE, atom_matrix


def test_atoms_take_the_category_of_the_unit_over_them() -> None:
    continuum = Continuum(
        np.array([0.0, 4.0, 2.0]),
        np.array([4.0, 6.0, 4.0]),
        np.array([0, 1, 1], dtype=np.int32),
        np.array([0, 0, 1], dtype=np.int32),
        ("anna", "ben"),
        ("A", "B"),
        length=7.0,
    )
    atoms = atom_matrix([continuum], ("anna", "ben", "chloe"))
    assert atoms.tagset == ("A", "B", "(no category)", OUTSIDE)
    assert atoms.codes[:, 0].tolist() == [0, 0, 0, 0, 1, 1, 3]
    assert atoms.codes[:, 1].tolist() == [3, 3, 1, 1, 3, 3, 3]
    assert atoms.codes[:, 2].tolist() == [-1] * 7


def test_atoms_warn_only_where_they_say_something_else() -> None:
    from accordeur.metrics.agreement.diagnosis.diagnose import atoms_against_gamma

    halves = Continuum(
        np.array([0.0, 0.0, 50.0]),
        np.array([100.0, 50.0, 100.0]),
        np.array([0, 0, 0], dtype=np.int32),
        np.array([0, 1, 1], dtype=np.int32),
        ("anna", "ben"),
        ("A",),
        length=200.0,
    )
    atoms = atom_matrix([halves], halves.annotators)
    warned = atoms_against_gamma(atoms, Estimate("gamma", 0.3))
    assert warned is not None
    assert warned.figures["kappa_on_atoms"] == 1.0
    assert atoms_against_gamma(atoms, Estimate("gamma", 0.95)) is None
