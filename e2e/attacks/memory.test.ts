import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { limitMemory, type MemoryLimit } from '../support/memory-limit.ts'
import { addCustomer, addKey, openForBusiness, signIn } from '../support/operator.ts'
import { type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.ts'
import { type Site, startSite } from '../support/site.ts'

/**
 * One user makes a gateway with 256 MB, in a real control group, keep as much as it takes, in each way that there is. The process
 * must live, and the short calls of another user must all be answered meanwhile. Skipped where no such group can be made.
 */

const mebibyte = 1024 * 1024
const limitBytes = 256 * mebibyte

const madeLimit = (): MemoryLimit | undefined => {
  try {
    return limitMemory(limitBytes)
  } catch (error) {
    console.log(`skipped: a control group cannot be made here (${String(error)})`)
    return undefined
  }
}

const limit = madeLimit()

let site: Site
let upstream: ScriptedUpstream
let attacker: string
let other: string
let poor: string

const anonymousBytes = (): number => {
  const [, kilobytes] = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${site.process.pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) * 1024
}

const send = (body: Buffer, key: string, headers: Record<string, string> = {}): Promise<number> =>
  new Promise((resolve) => {
    const call = request(`${site.url}/v1/chat/completions`, {
      method: 'POST',
      agent: false,
      headers: { authorization: `Bearer ${key}`, 'content-length': String(body.length), ...headers },
    })
    call.on('response', (answer) => {
      answer.resume()
      answer.on('close', () => resolve(answer.statusCode ?? 0))
    })
    call.on('error', () => resolve(0))
    call.end(body)
  })

const bodyOf = (bytes: number, text = 'x'): Buffer =>
  Buffer.from(JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: text.repeat(bytes) }] }))

const many = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at))

const socketTo = async (path: string, key: string): Promise<WebSocket | number> => {
  const socket = new WebSocket(site.url.replace('http', 'ws') + path, { headers: { authorization: `Bearer ${key}` } })
  socket.on('error', () => {})
  return new Promise((resolve) => {
    socket.on('open', () => resolve(socket))
    socket.on('unexpected-response', (_, answer) => {
      answer.resume()
      resolve(answer.statusCode ?? 0)
    })
  })
}

/** Resolves when it has been closed, or has sent all; with the code or undefined. */
const fill = async (socket: WebSocket, pieces: number, bytes: number, fin: boolean): Promise<void> => {
  const closed = once(socket, 'close')
  const piece = Buffer.alloc(bytes, 'x')
  for (let sent = 0; sent < pieces && socket.readyState === WebSocket.OPEN; sent += 1) {
    const taken = new Promise((resolve) => socket.send(piece, { fin, binary: false }, resolve))
    await Promise.race([taken, closed])
  }
}

const attackSockets = async (path: string, count: number, pieces: number, bytes: number, fin: boolean) => {
  const opened = await Promise.all(many(count, () => socketTo(path, attacker)))
  const sockets = opened.filter((socket) => typeof socket !== 'number')
  await Promise.all(sockets.map((socket) => fill(socket, pieces, bytes, fin)))
  for (const socket of sockets) socket.terminate()
  return opened.map((socket) => (typeof socket === 'number' ? socket : 101))
}

const slowUpload = async (bytes: number): Promise<() => void> => {
  const call = request(`${site.url}/v1/chat/completions`, {
    method: 'POST',
    agent: false,
    headers: { authorization: `Bearer ${attacker}`, 'content-length': String(bytes) },
  })
  call.on('error', () => {})
  await new Promise((resolve) => call.write(Buffer.alloc(Math.floor(bytes * 0.9), 'x'), resolve))
  return () => call.destroy()
}

const bombs = {
  gzip: gzipSync(bodyOf(mebibyte)),
  br: brotliCompressSync(bodyOf(60 * mebibyte)),
  deflate: deflateSync(bodyOf(60 * mebibyte)),
  zstd: zstdCompressSync(bodyOf(60 * mebibyte)),
}
const live = '/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent'

const sendBombs = (encoding: keyof typeof bombs) =>
  Promise.all(many(100, () => send(bombs[encoding], attacker, { 'content-encoding': encoding })))

const attacks: readonly (readonly [string, () => Promise<readonly number[] | undefined>])[] = [
  [
    '64 sockets with 14 frames of 1 MB each that no last one follows',
    () => attackSockets('/v1/responses', 64, 14, mebibyte, false),
  ],
  ['the same of Gemini Live', () => attackSockets(live, 64, 14, mebibyte, false)],
  ['6 sockets with 4 whole messages of 6 MB each', () => attackSockets('/v1/responses', 6, 4, 6 * mebibyte, true)],
  ['64 sockets with 8 whole messages of 1 MB each', () => attackSockets('/v1/responses', 64, 8, mebibyte, true)],
  ['64 sockets with 20,000 frames of 1 byte each', () => attackSockets('/v1/responses', 64, 20_000, 1, false)],
  ['100 bodies of 1 MB, packed with gzip', () => sendBombs('gzip')],
  ['100 bodies of 60 MB, packed with brotli', () => sendBombs('br')],
  ['100 bodies of 60 MB, packed with deflate', () => sendBombs('deflate')],
  ['100 bodies of 60 MB, packed with zstd', () => sendBombs('zstd')],
  ['16 bodies of 1 MB at once', () => Promise.all(many(16, () => send(bodyOf(mebibyte), attacker)))],
  ['64 bodies of 1 MB at once', () => Promise.all(many(64, () => send(bodyOf(mebibyte), attacker)))],
  [
    '100 bodies of 2 MB that cannot be packed',
    () => {
      const body = bodyOf(1, randomBytes(mebibyte).toString('hex'))
      return Promise.all(many(100, () => send(body, attacker)))
    },
  ],
  [
    '400 uploads of 60 kB and 200 of 1 MB that do not end',
    async () => {
      const ends = await Promise.all([...many(400, () => slowUpload(60_000)), ...many(200, () => slowUpload(mebibyte))])
      for (const end of ends) end()
      return undefined
    },
  ],
]

describe.skipIf(limit === undefined)('in 256 MB', () => {
  beforeAll(async () => {
    if (limit === undefined) return
    upstream = await startScriptedUpstream()
    // The first start builds what is stale, which takes more memory than that.
    await (await startSite()).remove()
    site = await startSite({ UNFINISHED_REQUESTS_PER_ADDRESS: '0' }, undefined, limit.wrap)
    const operator = await signIn(site.url)
    await openForBusiness(operator, upstream.url)
    attacker = await addKey(await addCustomer(site.url, operator, 'attacker', 1_000_000_000))
    other = await addKey(await addCustomer(site.url, operator, 'other', 1_000_000_000))
    poor = await addKey(await addCustomer(site.url, operator, 'poor', 0))
  })
  afterAll(async () => {
    await site?.remove()
    await upstream?.close()
    limit?.remove()
  })

  it.each(['/v1/responses', live])('a key without money gets no socket of %s', async (path) => {
    expect(await socketTo(path, poor)).toBe(403)
  })

  it.each(attacks)('%s leave the process alive, and others served', async (name, attack) => {
    let isOver = false
    let peak = 0
    const others: number[] = []
    const watching = (async () => {
      do {
        peak = Math.max(peak, anonymousBytes())
        others.push(await send(bodyOf(100), other))
      } while (!isOver)
    })()
    const statuses =
      (await attack().finally(() => {
        isOver = true
      })) ?? []
    await watching
    peak = Math.max(peak, anonymousBytes())
    const counts = Object.fromEntries(
      [...new Set(statuses)].map((one) => [one, statuses.filter((each) => each === one).length]),
    )
    console.log(
      `${name}: ${Math.round(peak / mebibyte)} MB at most, answers ${JSON.stringify(counts)}, ${others.length} of others`,
    )
    expect(site.process.exitCode ?? site.process.signalCode).toBe(null)
    expect(new Set(others)).toEqual(new Set([200]))
    expect(statuses.filter((status) => ![101, 200, 403, 413, 429, 503].includes(status))).toEqual([])
    expect(peak).toBeLessThan(limitBytes)
    expect(limit?.killed).toBe(0)
  })
})
