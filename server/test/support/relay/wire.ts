import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'

/** Recorded exchanges beside the project, for tests that replay them; they skip when the folder is absent. */
const shared = join(dirname(fileURLToPath(import.meta.url)), '../../../../../shared')

export const hasWire = existsSync(join(shared, 'tools/replay-upstream.mjs')) && existsSync(join(shared, 'wire'))

export interface Recording {
  readonly id: string
  readonly provider: string
  readonly format: string
  readonly stream: boolean
  readonly model: string | null
  readonly features: readonly string[]
  readonly request: { readonly body: Readonly<Record<string, unknown>> | null; readonly recorded?: boolean }
  readonly response: {
    readonly status: number
    readonly body?: unknown
    readonly text?: string
    readonly sse?: readonly string[]
    readonly ndjson?: readonly string[]
    /** Of AWS's event streams, decoded. */
    readonly events?: readonly { readonly type: string; readonly payload: Readonly<Record<string, unknown>> }[]
  }
  readonly usage: Readonly<Record<string, number>>
}

interface Entry extends Pick<Recording, 'id' | 'format' | 'stream' | 'usage'> {
  readonly file: string
}

/** Recordings that are picked by their entry of the index; none where the folder is absent. */
export const recordings = (picks: (entry: Entry) => boolean): Recording[] => {
  if (!hasWire) return []
  const wire = join(shared, 'wire')
  const entries: Entry[] = JSON.parse(readFileSync(join(wire, 'index.json'), 'utf8'))
  return entries.filter(picks).map(({ file }) => JSON.parse(readFileSync(join(wire, file), 'utf8')))
}

export interface SeenRequest {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Readonly<Record<string, unknown>>
  readonly aborted: boolean
}

export interface Replay {
  readonly url: string
  ids(filter?: Readonly<Record<string, unknown>>): readonly string[]
  get(id: string): Recording
  log(id?: string): readonly SeenRequest[]
  reset(): void
  close(): Promise<void>
}

type StartReplay = (options: { wire: string; chunking?: string }) => Promise<Replay>

/** The upstream that answers key `wire-<id>` with recording `<id>`. */
export const startReplay = async (chunking: string): Promise<Replay> => {
  const tool = (await import(join(shared, 'tools/replay-upstream.mjs'))) as { startReplay: StartReplay }
  return tool.startReplay({ wire: join(shared, 'wire'), chunking })
}

/** True if a recorded refusal concerns the channel's credentials: clients get 502 and our text instead. */
export const refusesCredentials = ({ status }: Recording['response']): boolean => status === 401 || status === 403

export const credentialsFailure = { code: 'credentials_failed', message: expect.stringContaining('上游凭证无效') }
