# One image for every part: the server, its replicas, and Spark's master and workers. Java comes from a wheel.
FROM python:3.12-slim

RUN useradd --create-home headwater && mkdir /data && chown headwater /data
COPY constraints.txt pyproject.toml README.md /app/
COPY model /app/model
COPY planner /app/planner
COPY storage /app/storage
COPY catalog /app/catalog
COPY timeline /app/timeline
COPY compute /app/compute
COPY server /app/server
RUN pip install --no-cache-dir /app -c /app/constraints.txt && rm -r /app

USER headwater
WORKDIR /data
VOLUME /data
EXPOSE 6875
ENV HEADWATER_LISTEN=0.0.0.0:6875 \
    HEADWATER_DATA_DIR=/data
STOPSIGNAL SIGTERM
CMD ["headwater", "serve"]
