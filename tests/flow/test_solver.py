import pytest

from dyverse.errors import SolverError
from dyverse.flow.cvode import Cvode
from dyverse.flow.reference import Reference
from dyverse.flow.solver import solver


def test_solvers_are_found_by_name() -> None:
    assert solver("reference") == Reference()
    assert solver("cvode") == Cvode()


def test_an_unknown_name_suggests_the_nearest() -> None:
    with pytest.raises(SolverError, match=r"'refrence'; did you mean 'reference'\?"):
        solver("refrence")


def test_an_unknown_name_lists_what_there_is() -> None:
    with pytest.raises(SolverError, match=r"known: reference, cvode"):
        solver("euler")
