"""What a suite spends counts for the suite and for the run; making a policy for a suite spends nothing."""

from agentv_py.models.budget import Budget, Spending
from agentv_py.models.policy import CallPolicy
from agentv_py.models.usage import Usage


def test_a_policy_for_a_suite_leaves_the_policy_of_the_run_as_it_is() -> None:
    run = CallPolicy(spending=Spending(Budget(calls=2), Usage(calls=1)))
    suite = run.for_suite(Budget(tokens=10))
    assert run == CallPolicy(spending=Spending(Budget(calls=2), Usage(calls=1)))
    assert suite == CallPolicy(spending=Spending(Budget(tokens=10), Usage(), run.spending))


def test_what_an_earlier_run_spent_counts_for_the_suite_and_for_the_run() -> None:
    run = CallPolicy(spending=Spending(Budget(calls=3)))
    suite = run.for_suite(Budget(tokens=100))
    suite.spending.record_earlier(Usage(2, 1, 30, 4, 0.5))
    suite.spending.record_call()
    suite.spending.record_usage(Usage(1, 0, 5, 6, 0.25))
    total = Usage(3, 1, 35, 10, 0.75)
    assert (suite.spending.spent, run.spending.spent) == (total, total)
    assert (suite.spending.may_send(), suite.spending.limit_reached_message()) == (False, "3 of 3 calls")
