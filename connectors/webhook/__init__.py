"""HTTP endpoints that documents are posted to.

driver          posts documents, which can't be taken back
endpoint_probe  tries whether anybody listens at an endpoint
"""
