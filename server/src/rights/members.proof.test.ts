import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Made, makersIn } from '../../test/rights/organisations/made.ts'
import { type Makers, openMakers } from '../../test/rights/organisations/makers.ts'
import { changesOf, get, listsOf, readingsOf } from '../../test/rights/organisations/readings.ts'
import type { Answer, Ask } from '../../test/rights/site.ts'

/**
 * Keys of two projects and two members of one organisation, each with a task, a song, responses, a chat completion, a conversation,
 * a cached content, and a file and a batch in the account of a channel that they call directly: every call of the relay that names one answers a key that may not read it as if there were none.
 */

let makers: Makers
const keys = new Map<string, string>()
const made = new Map<string, Made>()

/** Which keys read what a key made. `outsider` is a key that Ann pays herself. */
const readersOf: Readonly<Record<string, readonly string[]>> = {
  machine1: ['machine1'],
  machine2: ['machine2'],
  ann1: ['machine1', 'ann1', 'ann2'],
  ann2: ['machine2', 'ann1', 'ann2'],
  bob1: ['machine1', 'bob1'],
  outsider: ['outsider'],
}
const names = Object.keys(readersOf)

const call = (name: string, ask: Ask): Promise<Answer> => makers.call(keys.get(name) ?? '', ask)

let reads: ReturnType<typeof readingsOf> = []
let changes: ReturnType<typeof changesOf> = []

beforeAll(async () => {
  makers = await openMakers()
  const { owner, ann, bob } = makers.people
  const { one, two } = makers.projects
  reads = readingsOf(makers.direct)
  changes = changesOf(makers.direct)
  keys.set('machine1', await makers.makeKey(owner, 'machine1', one, 0))
  keys.set('machine2', await makers.makeKey(owner, 'machine2', two, 0))
  keys.set('ann1', await makers.makeKey(ann, 'ann1', one, ann.id))
  keys.set('ann2', await makers.makeKey(ann, 'ann2', two, ann.id))
  keys.set('bob1', await makers.makeKey(bob, 'bob1', one, bob.id))
  keys.set('outsider', ann.apiKey)
  const { query } = makers.site.database
  await query.updateTable('tokens').set({ unlimited_quota: 1 }).where('id', '=', ann.tokenId).execute()
  for (const name of names) made.set(name, await makers.plant(name, keys.get(name) ?? ''))
})

afterAll(() => makers?.close())

/** Names of objects that do not exist, in the form of real ones. */
const nothing: Made = {
  drawing: 'nodrawing',
  song: 'nosong',
  response: 'resp_none',
  completion: 'chat_none',
  conversation: 'conv_none',
  item: 'msg_none',
  content: 'cachedContents/none',
  file: 'file-none',
  batch: 'batch_none',
  batchOutput: 'file-outnone',
}

/** Status and text of an answer without the names of what was asked for, and of the call. */
const shapeOf = ({ status, text }: Answer, of: Made): string =>
  Object.values(of)
    // The longest first: some names stand in others.
    .toSorted((left, right) => right.length - left.length)
    .reduce(
      (shape, name) => shape.replaceAll(name, '…'),
      `${status} ${text.replace(/"id":"(resp|chat)_\d+"/g, '"id":"…"')}`,
    )
    .replaceAll('none', '…')
    .replace(/"created(_at)?":\d+|[0-9a-f-]{20,}|(resp|chat)_\d+|request id: \S+/g, '…')

it('a key reads what its member made, or for a machine what its project made', async () => {
  for (const maker of names) {
    const things = made.get(maker) ?? nothing
    for (const reader of readersOf[maker] ?? [])
      for (const read of reads) {
        const ask = read(things)
        const answer = await call(reader, ask)
        expect([maker, reader, ask.path, answer.status, answer.text.slice(0, 300)]).toEqual([
          ...[maker, reader, ask.path, 200],
          ask.path.endsWith('image-seed') ? expect.stringContaining('seed') : answer.text.slice(0, 300),
        ])
        if (!ask.path.endsWith('image-seed')) expect([ask.path, makersIn(answer.text)]).toEqual([ask.path, [maker]])
      }
  }
})

it('every other key is answered as for a thing that is not there, and changes nothing', async () => {
  for (const reader of names) {
    const foreign = names.filter((maker) => !readersOf[maker]?.includes(reader))
    for (const aim of [...reads, ...changes]) {
      const unknown = await call(reader, aim(nothing))
      for (const maker of foreign) {
        const things = made.get(maker) ?? nothing
        const ask = aim(things)
        makers.sent.length = 0
        makers.account.received.length = 0
        const answer = await call(reader, ask)
        const what = [reader, maker, ask.method, ask.path, JSON.stringify(ask.body)].join(' ')
        expect(makersIn(answer.text), what).toEqual([])
        // Nothing that names somebody else's thing goes to the account.
        expect([what, makers.account.received]).toEqual([what, []])
        // A provider that knows the response would go on from it, so it is never asked.
        if (JSON.stringify(ask.body)?.includes('previous_response_id')) {
          expect([what, answer.status, makers.sent]).toEqual([what, 400, []])
          continue
        }
        expect(`${what}: ${shapeOf(answer, things)}`).toBe(`${what}: ${shapeOf(unknown, nothing)}`)
      }
    }
  }
  for (const maker of names)
    for (const read of reads) expect((await call(maker, read(made.get(maker) ?? nothing))).status).toBe(200)
}, 600_000)

it('lists hold what the key may read, and nothing else', async () => {
  const things = [...made.values()]
  const lists = listsOf(makers.direct, things)
  for (const reader of names) {
    const readable = names.filter((maker) => readersOf[maker]?.includes(reader)).toSorted()
    for (const ask of lists) {
      const answer = await call(reader, ask)
      expect([reader, ask.path, makersIn(answer.text).toSorted()]).toEqual([reader, ask.path, readable])
    }
  }
})

it('rows from before their key was written are read by every key of their payer, as before', async () => {
  const { query } = makers.site.database
  for (const table of ['midjourneys', 'tasks'] as const) await query.updateTable(table).set({ token_id: 0 }).execute()
  for (const maker of names.filter((name) => name !== 'outsider'))
    for (const reader of names) {
      const { drawing, song } = made.get(maker) ?? nothing
      const found = [
        await call(reader, get(`/mj/task/${drawing}/fetch`)),
        await call(reader, get(`/suno/fetch/${song}`)),
      ]
      const seen = found.map(({ text }) => makersIn(text).length)
      expect([maker, reader, seen]).toEqual([maker, reader, reader === 'outsider' ? [0, 0] : [1, 1]])
    }
})
