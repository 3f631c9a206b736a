# syntax=docker/dockerfile:1
# The console is built once, on the machine that builds.
FROM --platform=$BUILDPLATFORM node:26-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY contract/package.json contract/
COPY server/package.json server/
COPY web/package.json web/
# With the optional packages: they hold the compilers that build the console.
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run build

# What runs: the server, the contract, the built console and the commands. No tests, no packages that the console was built from.
FROM node:26-slim AS kept
WORKDIR /out
COPY package.json package-lock.json .npmrc LICENSE ./
COPY contract/package.json contract/
COPY server/package.json server/
COPY web/package.json web/
# With the optional package of the server, DuckDB, which reads and writes archived months of the log.
RUN npm ci -w server -w contract --omit=dev --no-audit --no-fund
COPY contract/src contract/src
COPY server/src server/src
COPY scripts/tollgate scripts/tollgate
COPY --from=build /app/web/dist web/dist
COPY --from=build /app/server/dist server/dist
RUN find contract server scripts -name '*.test.ts' -delete && mkdir -p /data node_modules/.cache/compile \
  && printf '%s\n' '#!/bin/sh' '[ "${1:-serve}" = serve ] && exec node /app/server/dist/start.js' \
    'exec node /app/scripts/tollgate/tollgate.ts "$@"' > /tollgate && chmod 755 /tollgate

FROM node:26-slim
WORKDIR /app
ENV NODE_ENV=production DATA_DIR=/data
COPY --from=kept /tollgate /usr/local/bin/tollgate
COPY --from=kept /out /app
COPY --from=kept --chown=node:node /out/node_modules/.cache /app/node_modules/.cache
COPY --from=kept --chown=node:node /data /data
USER node
# What V8 compiles is kept in the image, by user and path: a start takes a third less time, also on a root that is only read.
ENV NODE_COMPILE_CACHE=/app/node_modules/.cache/compile
RUN node --input-type=module -e "await import('/app/server/dist/serve.js')"
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s CMD ["node", "-e", "fetch('http://127.0.0.1:'+(process.env.PORT||3000)+'/livez').then(r=>process.exit(r.ok?0:1),()=>process.exit(1))"]
CMD ["node", "server/dist/start.js"]
