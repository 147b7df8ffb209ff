"""Configured paths, and the expected values of many cases → paths that no case has, and values that cannot be read."""

from agentv_py.comparison.truth.collector import Truth as Truth
from agentv_py.comparison.truth.collector import TruthFacts as TruthFacts
from agentv_py.comparison.truth.collector import UnreadableValues as UnreadableValues
from agentv_py.comparison.truth.progress import ConfiguredPath as ConfiguredPath
from agentv_py.comparison.truth.unlabelled import ListedField as ListedField
from agentv_py.comparison.truth.unlabelled import UnlabelledFields as UnlabelledFields
