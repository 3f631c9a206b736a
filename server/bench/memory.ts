import { Pool } from 'undici'
import { drive } from './load.ts'
import type { Side } from './side.ts'

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** A stream that was opened, and how to leave it. */
interface OpenStream {
  readonly leave: () => void
  readonly ended: Promise<void>
}

const openStream = (pool: Pool, side: Side, body: string, began: () => void): OpenStream => {
  let leave = (): void => {}
  const ended = new Promise<void>((resolve) => {
    let first = true
    pool.dispatch(
      {
        path: '/v1/chat/completions',
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${side.key}` },
        body,
      },
      {
        onRequestStart: (controller) => {
          leave = () => controller.abort(new Error('measured'))
        },
        onResponseStart: () => {},
        onResponseData: () => {
          if (first) began()
          first = false
        },
        onResponseEnd: () => resolve(),
        onResponseError: () => resolve(),
      },
    )
  })
  return { leave: () => leave(), ended }
}

/** Opens `streams` slow streams at once on a fresh process and tells the memory that each one holds, in kB. */
export const memoryPerStream = async (
  side: Side,
  bodies: { warm: string; slow: string },
  streams: number,
): Promise<number> => {
  await drive({ port: side.process.port, key: side.key, body: bodies.warm, concurrency: 4, seconds: 1 })
  await pause(1500)
  const before = await side.process.read('memory')
  const pool = new Pool(`http://127.0.0.1:${side.process.port}`, { connections: streams, pipelining: 1 })
  let open = 0
  const opened = Array.from({ length: streams }, () =>
    openStream(pool, side, bodies.slow, () => {
      open += 1
    }),
  )
  for (let waited = 0; open < streams && waited < 30_000; waited += 100) await pause(100)
  await pause(5000)
  const during = await side.process.read('memory')
  for (const { leave } of opened) leave()
  await Promise.all(opened.map(({ ended }) => ended))
  await pool.destroy()
  const each = (during.rss - before.rss) / 1024 / streams
  console.log(`${side.name.padEnd(8)} ${open} streams open, ${each.toFixed(1)} kB each`)
  return each
}
