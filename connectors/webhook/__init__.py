"""HTTP endpoints that documents are posted to.

connector       describes the system
driver          posts documents, which can't be taken back
endpoint        an endpoint, as the replica is told of it
endpoint_probe  tries whether anybody listens at an endpoint
"""
