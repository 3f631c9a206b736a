import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** An exchange with a provider as the corpus holds it. */
export interface Recording {
  readonly id: string
  readonly provider: string
  readonly format: string
  readonly stream: boolean
  readonly model: string | null
  readonly response: {
    readonly status: number
    readonly body?: Readonly<Record<string, unknown>>
    readonly sse?: readonly string[]
    readonly ndjson?: readonly string[]
    readonly events?: readonly { readonly type: string; readonly payload: unknown }[]
    readonly ws?: readonly { readonly from: 'client' | 'server'; readonly data: unknown }[]
  }
}

/** Beside the repository, or where `WIRE_CORPUS` says. */
const wire = process.env.WIRE_CORPUS ?? join(fileURLToPath(new URL('.', import.meta.url)), '../../../../../shared/wire')

/** Of answers, and of sessions over a socket. */
const good: ReadonlySet<number> = new Set([200, 101])

/** All recorded answers and sessions of some formats that did not fail; none where the corpus is not there. */
export const recordingsOf = (formats: readonly string[]): readonly Recording[] => {
  let index: readonly { readonly file: string; readonly format: string; readonly status: number }[]
  try {
    index = JSON.parse(readFileSync(join(wire, 'index.json'), 'utf8'))
  } catch {
    return []
  }
  return index
    .filter(({ format, status }) => good.has(status) && formats.includes(format))
    .map(({ file }): Recording => JSON.parse(readFileSync(join(wire, file), 'utf8')))
}

const payloadOf = (raw: string): unknown => {
  const data = raw.split(/\r?\n/).flatMap((line) => (line.startsWith('data:') ? [line.slice(5).trimStart()] : []))
  try {
    return JSON.parse(data.join('\n'))
  } catch {
    return undefined
  }
}

/** Answer as parsed JSON: the body, the data of each event, or the provider's messages over a socket. */
export const payloadsOf = ({ response }: Recording): readonly unknown[] => {
  const { body, sse = [], ndjson = [], events = [], ws = [] } = response
  return [
    ...(body === undefined || body === null ? [] : [body]),
    ...sse.map(payloadOf),
    ...ndjson.map((line) => JSON.parse(line) as unknown),
    ...ws.flatMap(({ from, data }) => (from === 'server' ? [data] : [])),
    ...events.map(({ type, payload }) => ({ [type]: payload })),
  ].filter((payload) => payload !== undefined)
}
