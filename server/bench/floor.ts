import { createServer } from 'node:http'
import { Pool } from 'undici'

/** The least a proxy can do: bare `node:http` in front, `undici` dispatch behind, bytes through, back-pressure kept. */
const upstream = new Pool(`http://127.0.0.1:${process.env.UPSTREAM_PORT}`, { connections: null, pipelining: 1 })

const server = createServer((request, response) => {
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => {
    upstream.dispatch(
      {
        path: request.url ?? '/',
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: request.headers.authorization ?? '' },
        body: Buffer.concat(parts),
      },
      {
        onRequestStart: () => {},
        onResponseStart: (controller, status, headers) => {
          response.writeHead(status, headers)
          response.on('drain', () => controller.resume())
        },
        onResponseData: (controller, chunk) => {
          if (!response.write(chunk)) controller.pause()
        },
        onResponseEnd: () => response.end(),
        onResponseError: () => response.destroy(),
      },
    )
  })
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => {
  const bound = server.address()
  process.send?.({ port: typeof bound === 'object' && bound !== null ? bound.port : 0 })
})
