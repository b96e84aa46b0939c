# One image for the web server, the worker, beat and the one-shot preparation of the database.
# The RUN lines call the scripts behind `make setup`, which the test suite covers.

FROM python:3.13-slim AS pages
WORKDIR /app
COPY requirements-node.txt ./
COPY scripts scripts
COPY frontend frontend
RUN python scripts/setup.py frontend

FROM python:3.13-slim
RUN apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY requirements.txt ./
COPY scripts scripts
RUN python scripts/setup.py packages --production
COPY manage.py ./
COPY ingest ingest
COPY cachewatch cachewatch
COPY docs docs
COPY --from=pages /app/frontend/dist frontend/dist
RUN useradd --system --uid 10001 --no-create-home cachewatch \
    && install --directory --owner cachewatch --mode 0700 .local/uploads
USER cachewatch
ENV PATH="/app/.venv/bin:$PATH" \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    DJANGO_SETTINGS_MODULE=cachewatch.settings \
    CACHEWATCH_DEMO=off
EXPOSE 8000
CMD ["sh", "-c", "exec gunicorn cachewatch.wsgi:application --bind 0.0.0.0:8000 --worker-class gthread --workers 2 --threads ${CACHEWATCH_WEB_THREADS:-8} --limit-request-line 8190 --no-control-socket"]
