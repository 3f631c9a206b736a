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
  }
}

/** Beside the repository, or where `WIRE_CORPUS` says. */
const wire = process.env.WIRE_CORPUS ?? join(fileURLToPath(new URL('.', import.meta.url)), '../../../../../shared/wire')

/** All recorded answers with status 200 of some formats; none where the corpus is not there. */
export const recordingsOf = (formats: readonly string[]): readonly Recording[] => {
  let index: readonly { readonly file: string; readonly format: string; readonly status: number }[]
  try {
    index = JSON.parse(readFileSync(join(wire, 'index.json'), 'utf8'))
  } catch {
    return []
  }
  return index
    .filter(({ format, status }) => status === 200 && formats.includes(format))
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

/** What was answered as parsed JSON: the body, or the data of each event. */
export const payloadsOf = ({ response }: Recording): readonly unknown[] => {
  const { body, sse = [], ndjson = [], events = [] } = response
  return [
    ...(body === undefined || body === null ? [] : [body]),
    ...sse.map(payloadOf),
    ...ndjson.map((line) => JSON.parse(line) as unknown),
    ...events.map(({ type, payload }) => ({ [type]: payload })),
  ].filter((payload) => payload !== undefined)
}
