"""What a suite spends counts for the suite and for the run; making a policy for a suite spends nothing."""

from agentv_py.models.budget import Budget, Ledger
from agentv_py.models.policy import Terms
from agentv_py.models.usage import Usage


def test_a_policy_for_a_suite_leaves_the_policy_of_the_run_as_it_is() -> None:
    run = Terms(ledger=Ledger(Budget(calls=2), Usage(calls=1)))
    suite = run.within(Budget(tokens=10))
    assert run == Terms(ledger=Ledger(Budget(calls=2), Usage(calls=1)))
    assert suite == Terms(ledger=Ledger(Budget(tokens=10), Usage(), run.ledger))


def test_what_an_earlier_run_spent_counts_for_the_suite_and_for_the_run() -> None:
    run = Terms(ledger=Ledger(Budget(calls=3)))
    suite = run.within(Budget(tokens=100))
    suite.ledger.record_earlier(Usage(2, 1, 30, 4, 0.5))
    suite.ledger.record_call()
    suite.ledger.record_usage(Usage(1, 0, 5, 6, 0.25))
    total = Usage(3, 1, 35, 10, 0.75)
    assert (suite.ledger.spent, run.ledger.spent) == (total, total)
    assert (suite.ledger.may_send(), suite.ledger.limit_reached_message()) == (False, "3 of 3 calls")
