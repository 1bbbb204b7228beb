# The bot as a service: a configuration is mounted at /config, records and results are kept in the volume.
FROM python:3.12-slim
RUN useradd --create-home oshihiki
WORKDIR /opt/oshihiki
COPY --chown=oshihiki . .
RUN python -m pip install --no-cache-dir --require-hashes -r requirements.lock \
 && python -m pip install --no-cache-dir --no-deps .
USER oshihiki
RUN oshihiki warmup
VOLUME /home/oshihiki/.local/share/oshihiki
STOPSIGNAL SIGTERM
ENTRYPOINT ["oshihiki"]
CMD ["play", "--config", "/config/my.toml", "--games", "0"]
