import { readFileSync } from 'node:fs'
import { type IncomingMessage, request as startRequest } from 'node:http'
import { createServer } from 'node:https'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'

const certificate = (name: string): string =>
  readFileSync(join(import.meta.dirname, '../../server/test/support/mail/certificates', name), 'utf8')

export interface PrefixProxy {
  /** `https://127.0.0.1:<port>`, with a certificate of the tests'. */
  readonly origin: string
  /** Paths that were asked for outside of the prefix. */
  readonly outside: readonly string[]
  close(): void
}

/**
 * A reverse proxy with TLS that passes everything below `prefix` to the site at `target`, sockets as well, and answers 404 for every other
 * path. `strips` decides if the site sees the prefix, as with nginx's `proxy_pass http://gateway/;` and `proxy_pass http://gateway;`.
 */
export const startPrefixProxy = async (
  target: string,
  { prefix, strips }: { readonly prefix: string; readonly strips: boolean },
): Promise<PrefixProxy> => {
  const { hostname, port } = new URL(target)
  const outside: string[] = []
  const pathFor = ({ url = '/' }: IncomingMessage): string | undefined => {
    if (url !== prefix && !url.startsWith(`${prefix}/`) && !url.startsWith(`${prefix}?`)) {
      outside.push(url)
      return undefined
    }
    return strips ? url.slice(prefix.length).replace(/^(?!\/)/, '/') : url
  }
  const headersFor = ({ headers }: IncomingMessage) => ({ ...headers, 'x-forwarded-proto': 'https' })

  const server = createServer(
    { key: certificate('server.key'), cert: certificate('server.pem') },
    (request, response) => {
      const path = pathFor(request)
      if (path === undefined) return response.writeHead(404).end()
      const { method } = request
      const passed = startRequest({ hostname, port, path, method, headers: headersFor(request) }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
      })
      passed.on('error', () => response.destroy())
      response.on('close', () => passed.destroy())
      return request.pipe(passed)
    },
  )
  server.on('upgrade', (request, socket, head) => {
    const path = pathFor(request)
    const upstream = connect(Number(port), hostname)
    for (const end of [socket, upstream])
      end.on('error', () => {
        socket.destroy()
        upstream.destroy()
      })
    const lines = Object.entries(headersFor(request)).map(([name, value]) => `${name}: ${value}`)
    upstream.write(`${request.method} ${path ?? '/'} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
    upstream.write(head)
    upstream.pipe(socket)
    socket.pipe(upstream)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    outside,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
