"""Access control lists and memberships by themselves: what GRANT and REVOKE leave, and whose rights a role has."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalog.nouns.acl import Acl, AclItem, acl_text, grantable_by, granted, revoked, rights_of, with_new_owner
from catalog.nouns.memberships import Membership, Memberships
from model.errors.sql_error import SqlError

_OWNER, _A, _B, _C = 1, 2, 3, 4
_FIRST: Acl = (AclItem(_OWNER, _OWNER, "arw"),)


def test_a_right_that_is_granted_is_held_until_it_is_revoked() -> None:
    acl = granted(_FIRST, _OWNER, _OWNER, (_A, _B), "ra", option=False)
    assert rights_of(acl, frozenset({_A})) == "ar" and rights_of(acl, frozenset({_C})) == ""
    acl = revoked(acl, _OWNER, _OWNER, (_A,), "r", option=False, cascade=False)
    assert rights_of(acl, frozenset({_A})) == "a" and rights_of(acl, frozenset({_B})) == "ar"
    assert acl_text(acl, str) == ("1=arw/1", "2=a/1", "3=ar/1")


def test_what_is_granted_to_everybody_is_everybodys() -> None:
    acl = granted(_FIRST, _OWNER, _OWNER, (0,), "r", option=False)
    assert rights_of(acl, frozenset({_C})) == "r" and acl_text(acl, str)[-1] == "=r/1"


def test_a_right_falls_with_the_grant_option_that_it_rests_on() -> None:
    acl = granted(_FIRST, _OWNER, _OWNER, (_A,), "r", option=True)
    acl = granted(acl, _OWNER, _A, (_B,), "r", option=True)
    acl = granted(acl, _OWNER, _B, (_C,), "r", option=False)
    with pytest.raises(SqlError, match="dependent privileges exist"):
        revoked(acl, _OWNER, _OWNER, (_A,), "r", option=True, cascade=False)
    without = revoked(acl, _OWNER, _OWNER, (_A,), "r", option=True, cascade=True)
    assert acl_text(without, str) == ("1=arw/1", "2=r/1")


def test_a_right_that_two_have_granted_stays_while_one_of_them_may() -> None:
    acl = granted(_FIRST, _OWNER, _OWNER, (_A, _B), "r", option=True)
    acl = granted(acl, _OWNER, _A, (_C,), "r", option=False)
    acl = granted(acl, _OWNER, _B, (_C,), "r", option=False)
    acl = revoked(acl, _OWNER, _OWNER, (_A,), "r", option=False, cascade=True)
    assert rights_of(acl, frozenset({_C})) == "r" and grantable_by(acl, _B) == "r"


def test_nobody_gives_the_right_to_grant_back_to_who_gave_it() -> None:
    acl = granted(_FIRST, _OWNER, _OWNER, (_A,), "r", option=True)
    acl = granted(acl, _OWNER, _A, (_B,), "r", option=True)
    with pytest.raises(SqlError, match="cannot be granted back to your own grantor"):
        granted(acl, _OWNER, _B, (_A,), "r", option=True)


def test_a_new_owner_stands_in_the_old_ones_place_once() -> None:
    acl = granted(_FIRST, _OWNER, _OWNER, (_A,), "d", option=False)
    assert acl_text(with_new_owner(acl, _OWNER, _A), str) == ("2=arwd/2",)


@given(
    st.lists(st.tuples(st.booleans(), st.sampled_from((_A, _B, _C)), st.sampled_from(("r", "w", "rw"))), max_size=12)
)
def test_revoking_everything_leaves_the_owner_alone(steps: list[tuple[bool, int, str]]) -> None:
    acl = _FIRST
    for option, grantee, rights in steps:
        acl = granted(acl, _OWNER, _OWNER, (grantee,), rights, option=option)
    acl = revoked(acl, _OWNER, _OWNER, (_A, _B, _C), "rw", option=False, cascade=True)
    assert acl == _FIRST


def _memberships(*pairs: tuple[int, int, str]) -> Memberships:
    """(role, member, options): `i` inherits, `s` may set, `a` administers."""
    made = [
        Membership(at, role, member, 10, admin="a" in options, inherit="i" in options, set="s" in options)
        for at, (role, member, options) in enumerate(pairs)
    ]
    return Memberships({each.key: each for each in made})


def test_rights_and_roles_to_become_go_each_their_own_way() -> None:
    found = _memberships((2, 1, "i"), (3, 2, "s"), (4, 1, "s"), (5, 4, "i"))
    assert found.privileges_of(1, None) == {1, 2}
    assert found.settable(1) == {1, 4}
    assert found.member_of(1, None) == {1, 2, 3, 4, 5}
    assert found.privileges_of(4, None) == {4, 5}


def test_who_administers_a_role_grants_it_as_who_may() -> None:
    found = _memberships((2, 1, "i"), (3, 2, "a"), (3, 4, ""))
    assert found.administers(1, 3) and found.best_admin(1, 3) == 2
    assert not found.administers(4, 3) and found.best_admin(4, 3) is None


def test_the_owner_of_a_database_is_its_owner_there_alone() -> None:
    found = _memberships((2, 1, "i"))
    assert 6171 in found.privileges_of(1, 2) and 6171 not in found.privileges_of(1, 7)
