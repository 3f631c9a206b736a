import type { Channel, LogEntry, LogOther, Page } from '@tollgate/contract'
import { providerOf } from '../../server/src/providers/index.ts'
import type { Recording, Replay } from '../../server/test/support/relay/wire.ts'
import type { Entry } from '../support/books.ts'
import { addChannel, addKey, type Person, signIn } from '../support/operator.ts'
import { type Site, startSite } from '../support/site.ts'
import type { DialectName } from './dialect-name.ts'
import { modelOf } from './request-body.ts'
import { checkBill, type Played, play, type Row } from './row.ts'
import { type Served, served } from './served.ts'

/** Plays recorded exchanges through the started product with the official clients, one chunking after the other. */

export interface Result {
  readonly row: Row
  readonly complaints: readonly string[]
}

export interface Program {
  readonly recordings: readonly { readonly served: Served; readonly recording: Recording }[]
  run(rows: readonly Row[]): Promise<Result[]>
  close(): Promise<void>
}

export const clientNames: readonly DialectName[] = ['openai-chat', 'openai-responses', 'anthropic', 'gemini']

const atOnce = 8
const patienceMs = 15_000

const recordingsOf = (replay: Replay): Program['recordings'] =>
  served.flatMap((exchange) =>
    replay
      .ids({ provider: exchange.provider, format: exchange.format })
      .map((id) => replay.get(id))
      .filter((recording) => exchange.takes?.(recording) ?? true)
      .map((recording) => ({ served: exchange, recording })),
  )

/** Channel type for a client: one to which the gateway sends the recorded dialect, even if the type speaks others. */
const typeFor = ({ served: exchange, recording, client }: Row): number => {
  if (exchange.wire.native === client || exchange.otherwise === undefined) return exchange.type
  const provider = providerOf(exchange.type)
  const channel = { baseUrl: '', organization: '', other: '' }
  const languages =
    provider?.languagesOf?.(modelOf(recording, exchange), { channel, key: '' }) ?? provider?.languages ?? []
  const speaksOther = languages.some(({ name }) => name === client) || languages[0]?.name !== exchange.wire.native
  return speaksOther ? exchange.otherwise : exchange.type
}

const nameOf = (row: Row): string => `${typeFor(row)} ${row.recording.id}`

const openChannels = async (operator: Person, replay: Replay, rows: readonly Row[]): Promise<Map<string, number>> => {
  const wanted = new Map(rows.map((row) => [nameOf(row), row]))
  for (const [name, row] of wanted) {
    const { served: exchange, recording } = row
    await addChannel(operator, exchange.baseUrl?.(replay.url) ?? replay.url, {
      type: typeFor(row),
      name,
      key: exchange.key?.(recording.id, replay.url) ?? `wire-${recording.id}`,
      ...(exchange.other === undefined ? {} : { other: exchange.other }),
      auto_ban: 0,
    })
  }
  const ids = new Map<string, number>()
  for (let page = 1; ids.size < wanted.size; page += 1) {
    const channels = await operator.must<Channel[]>('GET', `/api/channel/?p=${page - 1}&page_size=100`)
    if (channels.length === 0) break
    for (const { name, id } of channels) ids.set(name, id)
  }
  return ids
}

/** Reads the newest log rows until all wanted ones are written. */
const readLog = async (operator: Person, wanted: ReadonlySet<string>): Promise<Map<string, Entry>> => {
  const until = Date.now() + patienceMs
  for (;;) {
    const found = new Map<string, Entry>()
    for (let page = 1; page <= 1 + Math.ceil((wanted.size * 3) / 100); page += 1) {
      const { items } = await operator.must<Page<LogEntry>>('GET', `/api/log/?p=${page}&page_size=100`)
      for (const row of items) {
        if (!wanted.has(row.request_id)) continue
        found.set(row.request_id, { ...row, other: row.other === '' ? {} : (JSON.parse(row.other) as LogOther) })
      }
      if (items.length < 100) break
    }
    if (found.size === wanted.size || Date.now() > until) return found
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

const playAll = async (rows: readonly Row[], one: (row: Row) => Promise<Played>): Promise<Played[]> => {
  const left = [...rows]
  const played: Played[] = []
  const worker = async (): Promise<void> => {
    for (let row = left.shift(); row !== undefined; row = left.shift()) played.push(await one(row))
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return played
}

const prepare = async (operator: Person): Promise<string> => {
  await operator.must('PUT', '/api/user/', { id: operator.id, quota: 1_000_000_000_000 })
  // Allows calls of models without a price.
  await operator.must('PUT', '/api/option/', { key: 'SelfUseModeEnabled', value: true })
  return addKey(operator)
}

/** `start` opens the fake provider that holds the exchanges. */
export const openProgram = async (start: (chunking: string) => Promise<Replay>): Promise<Program> => {
  const replay = await start('event')
  const site: Site = await startSite()
  const operator = await signIn(site.url)
  const key = await prepare(operator)

  const runChunking = async (
    rows: readonly Row[],
    chunking: string,
    channels: ReadonlyMap<string, number>,
  ): Promise<Result[]> => {
    await fetch(`${replay.url}/__chunking?mode=${chunking}`, { method: 'POST' })
    const played = await playAll(rows, (row) =>
      play(row, { url: site.url, key: `${key}-${channels.get(nameOf(row))}` }),
    )
    replay.reset()
    const log = await readLog(operator, new Set(played.map(({ requestId }) => requestId)))
    return played.map((one) => ({
      row: one.row,
      complaints: [...one.complaints, ...checkBill(one, log.get(one.requestId))],
    }))
  }

  return {
    recordings: recordingsOf(replay),
    async run(rows) {
      const channels = await openChannels(operator, replay, rows)
      const results: Result[] = []
      for (const chunking of new Set(rows.map((row) => row.chunking))) {
        const cut = rows.filter((row) => row.chunking === chunking)
        results.push(...(await runChunking(cut, chunking, channels)))
      }
      return results
    },
    async close() {
      await site.remove()
      await replay.close()
    },
  }
}
