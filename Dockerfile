# Grove in a container: docs/deploy.md says how to run it.
#   docker build -t grove .
# BASE is any glibc system with Node 24, npm, setpriv and libstdc++.
ARG BASE=docker.io/library/node:24-slim

FROM ${BASE} AS build
# Empty: the package manager's own.
ARG NPM_REGISTRY=
ARG PNPM=12.4.2
WORKDIR /app
COPY . .
RUN if [ -n "$NPM_REGISTRY" ]; then export npm_config_registry="$NPM_REGISTRY"; fi \
 && npx -y pnpm@"$PNPM" install --filter '@grove/cli...' --prod --frozen-lockfile \
 && node deploy/image/prune.ts \
 && mkdir bin && mv deploy/image/grove bin/grove && rm -r deploy

FROM ${BASE}
LABEL org.opencontainers.image.title="Grove" \
      org.opencontainers.image.description="A folder of Markdown notes, kept in git, for every AI client over MCP and for scripts over REST" \
      org.opencontainers.image.licenses="MIT"
# A new named volume takes the owner of the folder that it covers.
RUN mkdir -p /vault /data && chown 1000:1000 /vault /data && ln -s /app/bin/grove /usr/local/bin/grove
COPY --from=build /app /app
ENV NODE_ENV=production \
    GROVE_VAULT=/vault \
    GROVE_DATA=/data \
    GROVE_HOST=0.0.0.0
WORKDIR /vault
VOLUME ["/vault", "/data"]
EXPOSE 8420
HEALTHCHECK --interval=60s --timeout=10s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.GROVE_PORT || 8420}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["grove"]
CMD ["start"]
