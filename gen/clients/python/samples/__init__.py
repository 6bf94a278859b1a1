"""Calls of every operation of the contract. What stands between `sample: <operationId>` and
`end sample` is what the documentation shows for the operation."""
