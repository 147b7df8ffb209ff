"""JSON text ⇄ values, with nothing lost on the way."""

from agentv_py.jsontext.depth import MAX_DEPTH as MAX_DEPTH
from agentv_py.jsontext.depth import MAX_WRITTEN_DEPTH as MAX_WRITTEN_DEPTH
from agentv_py.jsontext.elements import iterate_elements as iterate_elements
from agentv_py.jsontext.elements import read_element as read_element
from agentv_py.jsontext.read import NonFinite as NonFinite
from agentv_py.jsontext.read import NotJson as NotJson
from agentv_py.jsontext.read import is_standard as is_standard
from agentv_py.jsontext.read import loads as loads
from agentv_py.jsontext.read import loads_and_classify as loads_and_classify
from agentv_py.jsontext.read import loads_many as loads_many
from agentv_py.jsontext.read import loads_plain as loads_plain
from agentv_py.jsontext.read import loads_text as loads_text
from agentv_py.jsontext.repeated_keys import find_repeated_key as find_repeated_key
from agentv_py.jsontext.repeated_keys import may_repeat_keys as may_repeat_keys
from agentv_py.jsontext.search import FoundJson as FoundJson
from agentv_py.jsontext.search import Place as Place
from agentv_py.jsontext.search import find as find
from agentv_py.jsontext.write import TooDeep as TooDeep
from agentv_py.jsontext.write import dumps as dumps
from agentv_py.jsontext.write import dumps_line as dumps_line
from agentv_py.jsontext.write import dumps_plain_line as dumps_plain_line
from agentv_py.jsontext.write import encode_once as encode_once
