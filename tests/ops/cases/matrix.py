"""Cases of the matrix operations."""

from __future__ import annotations

import ml_dtypes
import numpy as np

from tests.ops.case import OpCase

F32 = np.float32
A = np.array([[1, 2, 3], [4, 5, 6]], F32)
B = np.array([[1, 0], [2, 1], [0, 3]], F32)
AB = [[5, 11], [14, 23]]
COUNT = np.arange(24, dtype=np.int32)


def matmul(a, b, wanted, *, note="", attributes=None, **more) -> OpCase:
    a, b = np.asarray(a), np.asarray(b)
    return OpCase("MatMul-1", [a, b], [np.asarray(wanted).astype(a.dtype)], attributes or {}, note, **more)


def refused(a, b, error, note, attributes=None) -> OpCase:
    return OpCase("MatMul-1", [np.asarray(a), np.asarray(b)], (), attributes or {}, note, error=error)


FIRST, SECOND = {"transpose_a": "true"}, {"transpose_b": "true"}

PRODUCTS = [
    matmul(A, B, AB),
    matmul(A.T, B, AB, attributes=FIRST, note="first transposed"),
    matmul(A, B.T, AB, attributes=SECOND, note="second transposed"),
    matmul(A.T, B.T, AB, attributes={**FIRST, **SECOND}, note="both transposed"),
    matmul([1.0, 2, 3], [4.0, 5, 6], 32, note="two vectors"),
    matmul([1.0, 2, 3], [4.0, 5, 6], 32, attributes={**FIRST, **SECOND}, note="vectors are not transposed"),
    matmul(np.array([1, 2, 3], F32), B, [5, 11], note="a vector and a matrix"),
    matmul(np.array([1, 2, 3], F32), B.T, [5, 11], attributes=SECOND, note="a vector and a transposed matrix"),
    matmul(A, np.array([1, 0, 2], F32), [7, 16], note="a matrix and a vector"),
    matmul(A, np.array([1, 0, 2], F32), [7, 16], attributes=SECOND, note="a column is not transposed"),
    matmul(A[None], np.stack([B, 2 * B]), [AB, [[10, 22], [28, 46]]], note="batch dims are broadcast"),
    matmul(np.stack([A, -A]), np.array([1, 0, 2], F32), [[7, 16], [-7, -16]], note="a batch and a vector"),
    matmul(np.zeros((2, 0), F32), np.zeros((0, 3), F32), np.zeros((2, 3)), note="no terms"),
    matmul(np.zeros((0, 2, 3), F32), B, np.zeros((0, 2, 2)), note="no matrices"),
    matmul(np.array([[100, 100]], np.int8), np.array([[1], [1]], np.int8), [[-56]], note="i8 wraps", notice="wraps"),
    matmul(np.array([[200, 3]], np.uint8), np.array([[1], [5]], np.uint8), [[215]], note="u8"),
    matmul(np.array([[2**40, 1]]), np.array([[2**20], [5]]), [[2**60 + 5]], note="i64 is exact"),
    matmul(np.full((1, 3), 2**62), np.ones((3, 1), int), [[-(2**62)]], note="i64 wraps", notice="wraps"),
    matmul(
        np.array([[2**31, 7]], np.uint32), np.array([[2], [3]], np.uint32), [[21]], note="u32 wraps", notice="wraps"
    ),
    matmul(np.full((1, 4), 200, np.float16), np.full((4, 1), 60, np.float16), [[48000]], note="f16", rtol=0),
    matmul(np.array([[2048, 1, 1]], np.float16), np.ones((3, 1), np.float16), [[2050]], note="f16 adds in f32", rtol=0),
    matmul(
        np.array([[256] + [1] * 4], ml_dtypes.bfloat16),
        np.ones((5, 1), ml_dtypes.bfloat16),
        [[260]],
        note="bf16",
        rtol=0,
    ),
    matmul(np.full((1, 2), 3e38, F32), np.full((2, 1), 2, F32), [[np.inf]], note="overflow", notice="not finite"),
    matmul(np.array([[np.inf, 1]]), np.array([[0.0], [1]]), [[np.nan]], note="infinity times zero"),
    refused(A, A, r"a is \[2,3\], b is \[2,3\]: 3 columns meet 2 rows", "inner dims differ"),
    refused(A.T, B.T, r"a is \[3,2\] transposed", "inner dims differ when transposed", FIRST),
    refused(F32(1), A, "a is a scalar", "a scalar"),
    refused(A, F32(1), "b is a scalar", "a scalar on the right"),
    refused(np.zeros((2, 2, 3), F32), np.zeros((5, 3, 4), F32), "cannot be broadcast", "batch dims differ"),
    refused(np.zeros((2, 2, 3), F32), A, "3 columns meet 2", "a batch and a matrix"),
]


def einsum(equation, *inputs, wanted, note="", **more) -> OpCase:
    arrays = [np.asarray(array) for array in inputs]
    wanted = np.asarray(wanted).astype(arrays[0].dtype)
    return OpCase("Einsum-7", arrays, [wanted], {"equation": equation}, note or equation, **more)


def no_einsum(equation, *inputs, error, note="") -> OpCase:
    return OpCase(
        "Einsum-7", [np.asarray(array) for array in inputs], (), {"equation": equation}, note or equation, error=error
    )


CUBE = COUNT.reshape(2, 3, 4)
SQUARE = np.array([[1, 2], [3, 4]], F32)
SUMS = [
    einsum("ij,jk->ik", A, B, wanted=AB),
    einsum("ij,jk", A, B, wanted=AB, note="implicit"),
    einsum("ba", A, wanted=A.T, note="implicit and sorted"),
    einsum("bA", A, wanted=A.T, note="capitals come first"),
    einsum("ij->", A, wanted=21),
    einsum("ii->i", SQUARE, wanted=[1, 4], note="diagonal"),
    einsum("ii", SQUARE, wanted=5, note="trace"),
    einsum("ij,ij->i", A, A, wanted=[14, 77]),
    einsum("i,j->ij", [1, 2], [3, 4, 5], wanted=[[3, 4, 5], [6, 8, 10]], note="outer product"),
    einsum(
        "...ij,...jk->...ik", np.stack([A, 2 * A]), B, wanted=[AB, [[10, 22], [28, 46]]], note="ellipsis is broadcast"
    ),
    einsum("...ij,jk->ik", np.stack([A, 2 * A]), B, wanted=[[15, 33], [42, 69]], note="ellipsis is summed"),
    einsum("ij...->...i", CUBE, wanted=CUBE.sum(1).T, note="ellipsis moves"),
    einsum("...", CUBE, wanted=CUBE, note="ellipsis alone"),
    einsum("i->i...", [1, 2], wanted=[1, 2], note="ellipsis of nothing"),
    einsum("ij,jk->ik", np.ones((2, 1), F32), B, wanted=[[3, 4], [3, 4]], note="a dim of 1 is broadcast"),
    einsum("ab,bc,cd->ad", A, B, SQUARE, wanted=[[38, 54], [83, 120]], note="three operands"),
    einsum(",i->i", np.float32(2), np.array([1, 2], F32), wanted=[2, 4], note="a scalar"),
    einsum(
        "i,i->", np.array([100, 100], np.int8), np.array([1, 1], np.int8), wanted=-56, note="i8 wraps", notice="wraps"
    ),
    einsum("i,i->", np.array([2**40, 1]), np.array([2**20, 5]), wanted=2**60 + 5, note="i64 is exact"),
    einsum("i->", np.array([2048, 1, 1], np.float16), wanted=2050, note="f16 is rounded once", rtol=0),
    einsum("i->", np.array([1e8, 1, -1e8], F32), wanted=1, note="f32 adds in f64", rtol=0),
    einsum("ij,jk->ik", np.zeros((2, 0), F32), np.zeros((0, 3), F32), wanted=np.zeros((2, 3)), note="no terms"),
    no_einsum("ij,jk->ik", A, A, error="inputs 1 says j is 2, but before it is 3"),
    no_einsum("ii->i", A, error="i stands for one dim", note="no diagonal"),
    no_einsum("ij->i", CUBE, error="of rank 3, but its subscript is ij", note="rank too large"),
    no_einsum("ijk...->i", A, error="of rank 2, but its subscript is ijk...", note="rank too small"),
    no_einsum("ij,jk->ik", A, error="has 2 operands, but there are 1 inputs", note="an input too few"),
]

CASES = [*PRODUCTS, *SUMS]
