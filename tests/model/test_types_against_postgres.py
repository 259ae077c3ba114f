"""The type table of model.types.scalar_type against pg_type of a running PostgreSQL."""

import psycopg
import pytest

from model.types.scalar_type import (
    ScalarType,
    TypeName,
    array_of,
    bpchar,
    numeric,
    precision_and_scale,
    type_from_oid,
    type_oid,
    type_size,
    type_text,
    varchar,
)

Connection = psycopg.Connection[tuple[object, ...]]

_MATERIALIZES = (TypeName.MZ_TIMESTAMP, TypeName.UINT2, TypeName.UINT4, TypeName.UINT8)
_WITHOUT_ARRAYS = (TypeName.LIST, TypeName.MAP, TypeName.ANYCOMPATIBLELIST, TypeName.ANYCOMPATIBLEMAP)
_OURS_ALONE = {
    TypeName.ARRAY,
    TypeName.ENUM,
    TypeName.RANGE,
    TypeName.MULTIRANGE,
    TypeName.VECTOR,
    TypeName.WIDE,
    *_MATERIALIZES,
    *_WITHOUT_ARRAYS,
}
_THEIRS = [name for name in TypeName if name not in _OURS_ALONE]
_SAMPLES = [ScalarType(name) for name in _THEIRS] + [varchar(7), bpchar(3), numeric(9, 2), numeric(38, 0)]


@pytest.mark.parametrize("scale", [-1000, -2, -1, 0, 3, 1000])
def test_a_scale_is_signed_in_a_modifier_as_postgres_keeps_it(scale: int) -> None:
    type_ = numeric(5, scale)
    assert precision_and_scale(type_) == (5, scale)
    assert type_.modifier == ((5 << 16) | (scale & 2047)) + 4


def _pg_type(postgres: Connection, name: str) -> tuple[int, int, int]:
    row = postgres.execute(
        "SELECT oid::int, typarray::int, typlen::int FROM pg_type"
        " WHERE typname = %s AND typnamespace = 'pg_catalog'::regnamespace",
        (name,),
    ).fetchone()
    assert row is not None, f"PostgreSQL has no type {name}"
    oid, array, size = row
    assert isinstance(oid, int) and isinstance(array, int) and isinstance(size, int)
    return oid, array, size


@pytest.mark.parametrize("name", _THEIRS)
def test_oid_and_size_are_those_of_pg_type(postgres: Connection, name: TypeName) -> None:
    oid, _, size = _pg_type(postgres, name.value)
    assert (type_oid(ScalarType(name)), type_size(ScalarType(name))) == (oid, size)


@pytest.mark.parametrize("name", _THEIRS)
def test_array_oid_is_that_of_pg_type(postgres: Connection, name: TypeName) -> None:
    _, array_oid, _ = _pg_type(postgres, name.value)
    if name is TypeName.PG_NODE_TREE or not array_oid:
        assert type_from_oid(array_oid) is None
    else:
        assert type_oid(array_of(ScalarType(name))) == array_oid


@pytest.mark.parametrize("type_", _SAMPLES, ids=str)
def test_type_text_is_that_of_format_type(postgres: Connection, type_: ScalarType) -> None:
    modifier = None if type_.modifier == -1 else type_.modifier
    row = postgres.execute("SELECT format_type(%s, %s::int)", (type_oid(type_), modifier)).fetchone()
    assert row == (type_text(type_),)


def test_own_types_stay_clear_of_postgres_oids(postgres: Connection) -> None:
    own = [type_oid(form) for name in _MATERIALIZES for form in (ScalarType(name), array_of(ScalarType(name)))]
    row = postgres.execute("SELECT count(*) FROM pg_type WHERE oid::int = ANY(%s) AND oid < 16384", (own,)).fetchone()
    assert row == (0,)
