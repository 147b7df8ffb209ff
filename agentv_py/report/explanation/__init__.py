"""A suite, or rows of results → why: how each field is compared, and what happened to a case."""
