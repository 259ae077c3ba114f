# One image for every part: the server, its replicas, and Spark's master and workers. Java comes from a wheel.
FROM python:3.12-slim

RUN useradd --create-home headwater && mkdir /data /keys && chown headwater /data /keys
COPY constraints.txt pyproject.toml README.md /app/
COPY model /app/model
COPY connectors /app/connectors
COPY planner /app/planner
COPY storage /app/storage
COPY catalog /app/catalog
COPY timeline /app/timeline
COPY compute /app/compute
COPY server /app/server
RUN pip install --no-cache-dir /app -c /app/constraints.txt && rm -r /app

USER headwater
RUN headwater prepare
WORKDIR /data
VOLUME ["/data", "/keys"]
EXPOSE 6875 6876
ENV HEADWATER_LISTEN=0.0.0.0:6875 \
    HEADWATER_DATA_DIR=/data \
    HEADWATER_SECRETS_KEY_FILE=/keys/secrets
STOPSIGNAL SIGTERM
# With the password in HEADWATER_PASSWORD, or in the file that HEADWATER_PASSWORD_FILE names, as the server is given it.
HEALTHCHECK --interval=10s --timeout=10s --start-period=30s CMD ["headwater", "sql", "-c", "SELECT 1"]
CMD ["headwater", "serve"]
