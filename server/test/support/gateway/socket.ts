import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { shut } from './listener.ts'

/** A WebSocket server that does what a test says (RFC 6455, as much of it as one short message at a time needs). */

export interface SocketCall {
  readonly path: string
  /** The client's first message. */
  readonly message: string
  send(...messages: readonly unknown[]): void
  close(code: number): void
  /** Cuts the connection. */
  cut(): void
  /** Resolves when the client has gone, with its close code or undefined. */
  readonly closed: Promise<number | undefined>
}

export interface TestSocket {
  readonly url: string
  readonly calls: SocketCall[]
  /** Answers from now on. */
  answer: (call: SocketCall) => void
  /** Status and body of handshakes from now on; undefined accepts them. */
  refusal: { status: number; body: unknown } | undefined
  close(): Promise<void>
}

const magic = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'

const frame = (opcode: number, payload: Buffer): Buffer => {
  const { length } = payload
  const head =
    length < 126 ? Buffer.from([0x80 | opcode, length]) : Buffer.from([0x80 | opcode, 126, length >> 8, length & 255])
  return Buffer.concat([head, payload])
}

/** One masked frame of a client. */
const unmasked = (bytes: Buffer): { opcode: number; payload: Buffer; size: number } | undefined => {
  if (bytes.length < 6) return undefined
  const short = (bytes[1] ?? 0) & 127
  const at = short === 126 ? 4 : short === 127 ? 10 : 2
  if (bytes.length < at + 4) return undefined
  const length = short === 126 ? bytes.readUInt16BE(2) : short === 127 ? Number(bytes.readBigUInt64BE(2)) : short
  const size = at + 4 + length
  if (bytes.length < size) return undefined
  const mask = bytes.subarray(at, at + 4)
  const payload = Buffer.from(bytes.subarray(at + 4, size).map((byte, index) => byte ^ (mask[index % 4] ?? 0)))
  return { opcode: (bytes[0] ?? 0) & 15, payload, size }
}

const serve = (request: IncomingMessage, socket: Duplex, onCall: (call: SocketCall) => void): void => {
  const accept = createHash('sha1').update(`${request.headers['sec-websocket-key']}${magic}`).digest('base64')
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
  )
  let held = Buffer.alloc(0)
  let code: number | undefined
  const closed = new Promise<number | undefined>((resolve) => socket.on('close', () => resolve(code)))
  socket.on('data', (chunk: Buffer) => {
    held = Buffer.concat([held, chunk])
    for (let next = unmasked(held); next !== undefined; next = unmasked(held)) {
      held = held.subarray(next.size)
      if (next.opcode === 8) {
        code = next.payload.length > 1 ? next.payload.readUInt16BE(0) : undefined
        socket.end(frame(8, next.payload))
      }
      if (next.opcode !== 1) continue
      onCall({
        path: request.url ?? '',
        message: next.payload.toString(),
        send: (...messages) => {
          for (const message of messages) socket.write(frame(1, Buffer.from(JSON.stringify(message))))
        },
        close: (status) => socket.end(frame(8, Buffer.from([status >> 8, status & 255]))),
        cut: () => socket.destroy(),
        closed,
      })
    }
  })
}

export const openTestSocket = async (): Promise<TestSocket> => {
  const server = createServer()
  const calls: SocketCall[] = []
  server.on('upgrade', (request, socket: Duplex) => {
    // A client that is refused may cut the connection, and nothing else listens for it here.
    socket.on('error', () => {})
    const { refusal } = opened
    if (refusal !== undefined) {
      const body = JSON.stringify(refusal.body)
      socket.end(
        `HTTP/1.1 ${refusal.status} No\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
      )
      return
    }
    serve(request, socket, (call) => {
      calls.push(call)
      opened.answer(call)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const opened: TestSocket = {
    url: `http://127.0.0.1:${port}`,
    calls,
    answer: (call) => call.close(1000),
    refusal: undefined,
    close: () => shut(server),
  }
  return opened
}
