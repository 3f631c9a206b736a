import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { WebSocket } from 'ws'

/**
 * A thread that makes a gateway keep as much as it takes, in one way; it answers with the statuses of its calls, or the codes with
 * which its sockets were closed. A thread of its own, as what it sends keeps its event loop busy.
 */

export interface Attacker {
  readonly url: string
  readonly key: string
  readonly attack: string
}

const { url, key, attack } = workerData as Attacker
const mebibyte = 1024 * 1024

const many = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at))

const bodyOf = (bytes: number, text = 'x'): Buffer =>
  Buffer.from(JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: text.repeat(bytes) }] }))

interface Sending {
  readonly headers?: Record<string, string>
  readonly path?: string
  /** Milliseconds for which the answer is left unread. */
  readonly unreadMs?: number
}

/** 0 where the connection broke. */
const send = (
  body: Buffer,
  { headers = {}, path = '/v1/chat/completions', unreadMs = 0 }: Sending = {},
): Promise<number> =>
  new Promise((resolve) => {
    const call = request(url + path, {
      method: 'POST',
      agent: false,
      headers: { authorization: `Bearer ${key}`, 'content-length': String(body.length), ...headers },
    })
    call.on('response', (answer) => {
      const { statusCode = 0 } = answer
      // Such an end fails the test, whose reader wants to know the reason.
      if (statusCode >= 500 && statusCode !== 503)
        answer.once('data', (reason: Buffer) => console.log(`${statusCode}: ${reason.toString().slice(0, 500)}`))
      if (unreadMs === 0) answer.resume()
      else setTimeout(() => answer.resume(), unreadMs)
      answer.on('error', () => {})
      answer.on('close', () => resolve(statusCode))
    })
    call.on('error', () => resolve(0))
    call.end(body)
  })

/** A call whose answer has so many bytes: the provider of this attack reads the figure in its question. */
const asking = (bytes: string, more: object = {}): Buffer =>
  Buffer.from(
    JSON.stringify({ model: 'gpt-4o', max_tokens: 100, messages: [{ role: 'user', content: bytes }], ...more }),
  )

interface Messages {
  readonly path: string
  readonly pieces: number
  readonly bytes: number
  /** True if each piece is a whole message; else none of them is the last of one. */
  readonly whole: boolean
  /** Text of a piece of so many bytes; letters where it is absent. */
  readonly text?: (bytes: number) => string
}

/** The code of its close, or the status of its handshake where that was refused. */
const fillSocket = async ({ path, pieces, bytes, whole, text }: Messages): Promise<number> => {
  const socket = new WebSocket(url.replace('http', 'ws') + path, { headers: { authorization: `Bearer ${key}` } })
  socket.on('error', () => {})
  const closed = new Promise<number>((resolve) => socket.on('close', resolve))
  const status = await new Promise<number | undefined>((resolve) => {
    socket.on('open', () => resolve(undefined))
    socket.on('unexpected-response', (_, answer) => resolve(answer.statusCode))
  })
  if (status !== undefined) {
    socket.terminate()
    return status
  }
  const piece = text === undefined ? Buffer.alloc(bytes, 'x') : Buffer.from(text(bytes))
  for (let sent = 0; sent < pieces && socket.readyState === WebSocket.OPEN; sent += 1) {
    const taken = new Promise((resolve) => socket.send(piece, { fin: whole, binary: false }, resolve))
    await Promise.race([taken, closed])
  }
  // A server that has taken whole messages keeps the socket.
  if (whole) socket.close(1000)
  return closed
}

const sockets = (count: number, messages: Messages) => Promise.all(many(count, () => fillSocket(messages)))

const slowUpload = async (bytes: number): Promise<() => void> => {
  const call = request(`${url}/v1/chat/completions`, {
    method: 'POST',
    agent: false,
    headers: { authorization: `Bearer ${key}`, 'content-length': String(bytes) },
  })
  call.on('error', () => {})
  await new Promise((resolve) => call.write(Buffer.alloc(Math.floor(bytes * 0.9), 'x'), resolve))
  return () => call.destroy()
}

const sendBombs = (encoding: string, packed: Buffer) =>
  Promise.all(many(100, () => send(packed, { headers: { 'content-encoding': encoding } })))

const responses = '/v1/responses'
const live = '/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent'
const realtime = '/v1/realtime?model=gpt-realtime'

const sound = (bytes: number): string =>
  JSON.stringify({ type: 'input_audio_buffer.append', audio: 'A'.repeat(4 * Math.floor(bytes / 4)) })

/** Each resolves with statuses and codes. */
export const attacks: Readonly<Record<string, () => Promise<readonly number[]>>> = {
  '64 sockets with 14 frames of 1 MB each and no last one': () =>
    sockets(64, { path: responses, pieces: 14, bytes: mebibyte, whole: false }),
  'the same at Gemini Live': () => sockets(64, { path: live, pieces: 14, bytes: mebibyte, whole: false }),
  'the same at OpenAI Realtime': () => sockets(64, { path: realtime, pieces: 14, bytes: mebibyte, whole: false }),
  '64 sockets of OpenAI Realtime with 8 MB of sound each': () =>
    sockets(64, { path: realtime, pieces: 8, bytes: mebibyte, whole: true, text: sound }),
  '6 sockets with 4 whole messages of 6 MB each': () =>
    sockets(6, { path: responses, pieces: 4, bytes: 6 * mebibyte, whole: true }),
  '64 sockets with 8 whole messages of 1 MB each': () =>
    sockets(64, { path: responses, pieces: 8, bytes: mebibyte, whole: true }),
  '64 sockets with 20,000 frames of 1 byte each and no last one': () =>
    sockets(64, { path: responses, pieces: 20_000, bytes: 1, whole: false }),
  '100 bodies of 1 MB in gzip': () => sendBombs('gzip', gzipSync(bodyOf(mebibyte))),
  '100 bodies of 60 MB in brotli': () => sendBombs('br', brotliCompressSync(bodyOf(60 * mebibyte))),
  '100 bodies of 60 MB in deflate': () => sendBombs('deflate', deflateSync(bodyOf(60 * mebibyte))),
  '100 bodies of 60 MB in zstd': () => sendBombs('zstd', zstdCompressSync(bodyOf(60 * mebibyte))),
  '16 bodies of 1 MB at once': () => Promise.all(many(16, () => send(bodyOf(mebibyte)))),
  '64 bodies of 1 MB at once': () => Promise.all(many(64, () => send(bodyOf(mebibyte)))),
  '100 bodies of 2 MB of chance': () => {
    const body = bodyOf(1, randomBytes(mebibyte).toString('hex'))
    return Promise.all(many(100, () => send(body)))
  },
  '1,500 bodies of 60 kB at once': () => Promise.all(many(1500, () => send(bodyOf(60_000)))),
  '400 uploads of 60 kB and 200 of 1 MB that do not end': async () => {
    const ends = await Promise.all([...many(400, () => slowUpload(60_000)), ...many(200, () => slowUpload(mebibyte))])
    const status = await send(bodyOf(100))
    for (const end of ends) end()
    return [status]
  },
  '64 answers of 4 MB at once': () => Promise.all(many(64, () => send(asking('4194304')))),
  '64 answers of 4 MB in another dialect': () =>
    Promise.all(many(64, () => send(asking('4194304'), { path: '/v1/messages' }))),
  '24 answers of 4 MB that are read late': () =>
    Promise.all(many(24, () => send(asking('4194304'), { unreadMs: 1000 }))),
  '64 streams of 1 MB that are read late': () =>
    Promise.all(many(64, () => send(asking('1048576', { stream: true }), { unreadMs: 2000 }))),
  '200 bodies of 1 MB for the console': () =>
    Promise.all(many(200, () => send(bodyOf(mebibyte), { path: '/api/user/login' }))),
}

if (parentPort !== null && workerData !== null) parentPort.postMessage(await attacks[attack]?.())
