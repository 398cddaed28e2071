# A slim image: everything is installed in a first stage, only the finished environment is kept.
FROM python:3.12-slim AS build
WORKDIR /src
RUN python -m venv /opt/footnote
ENV PATH=/opt/footnote/bin:$PATH
COPY requirements.lock ./
RUN python -m pip install --no-cache-dir --require-hashes -r requirements.lock
COPY pyproject.toml README.md LICENSE ./
COPY agent agent
COPY bots bots
COPY config config
COPY connectors connectors
RUN python -m pip install --no-cache-dir --no-deps --no-build-isolation .

FROM python:3.12-slim
RUN useradd --create-home --uid 10001 footnote && install -d -o footnote -g footnote /data
COPY --from=build /opt/footnote /opt/footnote
ENV PATH=/opt/footnote/bin:$PATH PYTHONUNBUFFERED=1 FOOTNOTE_DATA_DIR=/data
WORKDIR /app
COPY examples/library examples/library
USER footnote
VOLUME /data
EXPOSE 3978 3979
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
  CMD ["python", "-c", "import os,urllib.request as u; u.urlopen('http://127.0.0.1:'+os.environ.get('FOOTNOTE_PUBLIC__PORT','3978')+'/healthz',timeout=4)"]
ENTRYPOINT ["footnote"]
CMD ["run"]
