"""Hypothesis on the shrinking challenge.

    python3 challenge.py PROBLEM SEEDS

prints one line of JSON for each seed: how the run ended, with the fields of `Outcome` in
`src/challenge/outcome.rs`. The problems are those of `src/challenge/problem.rs`, and so is the
rule which counterexamples are minimal.
"""

import json
import sys

from hypothesis import HealthCheck, Phase, given, reject, seed, settings
from hypothesis import strategies as st

PASS, FAILURE, DISCARD = "pass", "failure", "discard"

# As wide as for the other peers, because unbounded integers coincide or meet less often.
INTEGERS = st.integers(-(2**31), 2**31 - 1)
POSITIVE = st.integers(1, 2**32 - 1)


def holds(condition):
    return PASS if condition else FAILURE


# bound5


def wrapping_sum(values):
    return (sum(values) + 2**15) % 2**16 - 2**15


def bound5_inputs():
    lists = st.lists(st.integers(-(2**15), 2**15 - 1))
    bounded = lists.filter(lambda values: wrapping_sum(values) < 256)
    return st.tuples(bounded, bounded, bounded, bounded, bounded)


def bound5(lists):
    return holds(wrapping_sum(value for values in lists for value in values) < 5 * 256)


def bound5_is_minimal(lists):
    return sorted(values for values in lists if values) == [[-(2**15)], [-1]]


# calculator: an integer, or a triple of operator and operands


def calculator_inputs():
    expressions = st.deferred(
        lambda: st.one_of(
            INTEGERS,
            st.tuples(st.just("+"), expressions, expressions),
            st.tuples(st.just("/"), expressions, expressions),
        )
    )
    return expressions


def divides_by_literal_zero(expression):
    if isinstance(expression, int):
        return False
    operator, left, right = expression
    return (
        (operator == "/" and right == 0)
        or divides_by_literal_zero(left)
        or divides_by_literal_zero(right)
    )


def value(expression):
    if isinstance(expression, int):
        return expression
    operator, left, right = expression
    if operator == "+":
        return value(left) + value(right)
    return value(left) // value(right)


def calculator(expression):
    if divides_by_literal_zero(expression):
        return DISCARD
    try:
        value(expression)
    except ZeroDivisionError:
        return FAILURE
    return PASS


# binheap: None, or a triple of key and subheaps


@st.composite
def heaps(draw, bound, size):
    if size == 0 or draw(st.integers(0, 7)) == 0:
        return None
    key = draw(st.integers(bound, 2**32 - 1))
    return (key, draw(heaps(key, size // 2)), draw(heaps(key, size // 2)))


def binheap_inputs():
    return st.integers(0, 20).flatmap(lambda size: heaps(0, size))


def keys(heap):
    """All keys in the order of a walk that visits the right subtree first."""
    if heap is None:
        return []
    key, left, right = heap
    return [key, *keys(right), *keys(left)]


def merge(first, second):
    if first is None or second is None:
        return first or second
    top, other = (first, second) if first[0] <= second[0] else (second, first)
    return (top[0], merge(top[2], other), top[1])


def binheap(heap):
    if heap is None:
        return PASS
    key, left, right = heap
    wrongly_sorted = [key, *keys(merge(left, right))]
    return holds(wrongly_sorted == sorted(wrongly_sorted))


# The problems whose input is a list, or two numbers


def coupling(values):
    if any(value >= len(values) for value in values):
        return DISCARD
    return holds(
        all(values[value] != index for index, value in enumerate(values) if value != index)
    )


def deletion(values_and_index):
    values, index = values_and_index
    if index >= len(values):
        return DISCARD
    rest = list(values)
    rest.remove(values[index])
    return holds(values[index] not in rest)


def lengthlist_inputs():
    elements = st.integers(0, 1000)
    return st.integers(1, 100).flatmap(
        lambda length: st.lists(elements, min_size=length, max_size=length)
    )


def difference(forbidden):
    return lambda pair: holds(pair[0] < 10 or abs(pair[0] - pair[1]) not in forbidden)


def union(lists):
    return {value for values in lists for value in values}


LISTS = st.lists(INTEGERS)
POSITIVE_PAIRS = st.tuples(POSITIVE, POSITIVE)

# For each problem its inputs, its property, and whether a failing input is minimal.
PROBLEMS = {
    "bound5": (bound5_inputs(), bound5, bound5_is_minimal),
    "large_union_list": (
        st.lists(LISTS),
        lambda lists: holds(len(union(lists)) <= 4),
        lambda lists: [sorted(values) for values in lists]
        in ([[-2, -1, 0, 1, 2]], [[0, 1, 2, 3, 4]]),
    ),
    "reverse": (
        LISTS,
        lambda values: holds(values == values[::-1]),
        lambda values: sorted(values) in ([0, 1], [-1, 0]),
    ),
    "calculator": (
        calculator_inputs(),
        calculator,
        lambda expression: expression == ("/", 0, ("+", 0, 0)),
    ),
    "lengthlist": (
        lengthlist_inputs(),
        lambda values: holds(max(values) < 900),
        lambda values: values == [900],
    ),
    "difference_zero": (POSITIVE_PAIRS, difference([0]), lambda pair: pair == (10, 10)),
    "difference_small": (POSITIVE_PAIRS, difference(range(1, 5)), lambda pair: pair == (10, 6)),
    "difference_one": (POSITIVE_PAIRS, difference([1]), lambda pair: pair == (10, 9)),
    "binheap": (binheap_inputs(), binheap, lambda heap: sorted(keys(heap)) == [0, 0, 0, 1]),
    "coupling": (
        st.lists(st.integers(0, 10), max_size=100),
        coupling,
        lambda values: values == [1, 0],
    ),
    "deletion": (
        st.tuples(LISTS, st.integers(0, 10)),
        deletion,
        lambda pair: pair[0] == [0, 0] and pair[1] < 2,
    ),
    "distinct": (
        LISTS,
        lambda values: holds(len(set(values)) <= 2),
        lambda values: sorted(values) in ([-1, 0, 1], [0, 1, 2]),
    ),
    "nestedlists": (
        st.lists(LISTS),
        lambda lists: holds(sum(map(len, lists)) <= 10),
        lambda lists: lists == [[0] * 11],
    ),
}


def run(problem, number):
    """One run with one seed. Default settings, but for what makes runs depend on each other or on
    the clock, for the number of examples, and for the phase that explains a result: it evaluates
    the property too, but no longer to shrink."""
    inputs, judge, is_minimal = PROBLEMS[problem]
    evaluations = 0
    first_failure = None
    counterexample = None

    @seed(number)
    @settings(
        max_examples=20_000,
        database=None,
        deadline=None,
        phases=[phase for phase in Phase if phase is not Phase.explain],
        suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow],
    )
    @given(inputs)
    def search(value):
        nonlocal evaluations, first_failure, counterexample
        evaluations += 1
        verdict = judge(value)
        if verdict == DISCARD:
            reject()
        if verdict == FAILURE:
            first_failure = first_failure or evaluations
            counterexample = value
            raise AssertionError("the property does not hold")

    try:
        search()
    except AssertionError:
        pass
    found = first_failure is not None
    return {
        "found": found,
        "minimal": found and is_minimal(counterexample),
        "evaluations_after_first_failure": evaluations - first_failure if found else 0,
        "total_evaluations": evaluations,
        "shown": repr(counterexample) if found else "",
    }


def main():
    problem, seeds = sys.argv[1], int(sys.argv[2])
    for number in range(seeds):
        print(json.dumps(run(problem, number)), flush=True)


if __name__ == "__main__":
    main()
