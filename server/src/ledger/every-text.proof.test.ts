import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeEachEngine } from '../../test/support/db/databases.ts'
import { aBegin, aJournalRecord, aRecord } from '../../test/support/journal/records.ts'
import {
  newJournalDirectory,
  newToken,
  newUser,
  openTestLedger,
  type TestLedger,
} from '../../test/support/ledger/ledger.ts'
import { noUsage } from '../billing/usage.ts'
import type { Database } from '../db/database.ts'
import { endLine } from '../journal/lines.ts'
import type { RequestRecord, TaskStart } from '../relay/ports.ts'
import { verifyLedger } from './verify/verify.ts'

/** Every text of every record, as malformed as clients can send it, on every engine, each followed by a kill and a start. */

const megabyte = 1024 * 1024

/** Texts are cut before they come to a database, so the whole size is tried beside one engine only. */
const mostBytes = ({ engine }: Database): number => (engine === 'sqlite' ? 64 * megabyte : megabyte)

const badTexts: Readonly<Record<string, (database: Database) => string>> = {
  'up to 64 MB': (database) => 'x'.repeat(mostBytes(database)),
  'up to 64 MB of two bytes each': (database) => '字'.repeat(mostBytes(database) / 2),
  'a zero character': () => 'a\0b',
  'the first half of a surrogate pair': () => 'a\ud83d',
  'the second half of a surrogate pair': () => '\ude00b',
  '256 characters': () => 'y'.repeat(256),
  '256 characters with a pair where the cut is': () => `${'y'.repeat(213)}${'😀'.repeat(30)}`,
}

const aTask: TaskStart = {
  platform: 'midjourney',
  taskId: '',
  action: 'IMAGINE',
  code: 1,
  prompt: '',
  description: '',
  state: '',
  status: 'SUBMITTED',
  progress: '0%',
  imageUrl: '',
  failReason: '',
  submittedAt: 1_750_000_000_000,
  keyHash: '',
}

const callFields = ['model', 'username', 'tokenName', 'group', 'ip', 'content'] as const
const taskFields = [
  ...['taskId', 'action', 'prompt', 'description', 'state', 'status', 'progress', 'imageUrl', 'failReason', 'keyHash'],
] as const

/** Values of `other`, each with a text from outside in another member. */
const others = (text: string): Record<string, unknown>[] => [
  ...['path', 'upstream_model_name', 'reasoning_effort', 'error_code', 'task_id', 'end'].map((name) => ({
    [name]: text,
  })),
  { lost_fields: [text, text] },
  { lost_fields: Array.from({ length: 100_000 }, (_, index) => `${text.slice(0, 100)}${index}`) },
  { [text]: 1 },
  { admin_info: { cause: text, blocked_word: text, use_channel: [text] } },
  {
    admin_info: {
      attempts: [{ channel: 1, channel_name: text, started_ms: 0, duration_ms: 1, status: 500, error: text }],
    },
  },
]

describeEachEngine('every text of a record', (openDatabase) => {
  let database: Database
  let directory: Awaited<ReturnType<typeof newJournalDirectory>>
  let open: TestLedger
  let userId: number
  let tokenId: number
  let ids = 0
  let spent = 0

  beforeAll(async () => {
    database = await openDatabase()
    directory = await newJournalDirectory()
    open = await openTestLedger(database, directory.directory)
    userId = await newUser(database, open.ledger, 1_000_000)
    tokenId = await newToken(database, open.ledger, { userId, remain: 1_000_000 })
  })
  afterAll(async () => {
    await open?.crash()
    await directory?.remove()
  })

  const record = (more: Partial<RequestRecord>): RequestRecord => {
    ids += 1
    return aRecord(`call-${ids}`, { userId, tokenId, channelId: 0, quota: 3, ...more })
  }

  const recordsWith = (text: string): RequestRecord[] => [
    ...callFields.map((field) => record({ [field]: text })),
    ...callFields.map((field) => record({ [field]: text, kind: 'error', quota: 0, receipt: undefined })),
    ...others(text).map((other) => record({ other })),
    ...(['midjourney', 'suno'] as const).flatMap((platform) =>
      taskFields.map((field) => record({ task: { ...aTask, platform, taskId: `task-${ids}`, [field]: text } })),
    ),
  ]

  /** Ends this run before anything has come to the database, and starts the next. */
  const killAndStart = async (): Promise<void> => {
    await open.crash()
    open = await openTestLedger(database, directory.directory)
  }
  const hold = async (): Promise<void> => {
    await open.crash()
    open = await openTestLedger(database, directory.directory, { delayMs: 600_000, retryMs: 600_000 })
  }

  const expectAllTaken = async (ended: readonly { id: string; quota: number }[]): Promise<void> => {
    spent += ended.reduce((sum, { quota }) => sum + quota, 0)
    const ids = ended.map(({ id }) => id)
    const rows = await database.query
      .selectFrom('logs')
      .select(['request_id', 'content', 'other', 'model_name'])
      .where('request_id', 'in', ids)
      .execute()
    expect(rows.map(({ request_id }) => request_id).toSorted()).toEqual(ids.toSorted())
    expect(Math.max(...rows.map(({ content, other }) => content.length + other.length))).toBeLessThan(70_000)
    expect(rows.filter(({ model_name }) => model_name.length > 255 || model_name.includes('\0'))).toEqual([])
    expect((await open.ledger.refused?.list(1))?.total).toBe(0)
    expect(readdirSync(directory.directory).length).toBeLessThanOrEqual(1)
    const { differences } = await verifyLedger(database)
    expect(differences).toEqual([])
    const user = database.query.selectFrom('users').select('quota').where('id', '=', userId)
    expect((await user.executeTakeFirstOrThrow()).quota).toBe(1_000_000 - spent)
  }

  it.each(Object.keys(badTexts))(
    'survives %s, and a kill before it is in the database',
    async (name) => {
      const text = badTexts[name]?.(database) ?? ''
      await hold()
      const ended = recordsWith(text)
      for (const one of ended) await open.ledger.recorder.charge(one)
      const begin = aBegin(`cut-${ids}`, { userId, tokenId, channelId: 0, model: text, ip: text, group: text })
      open.ledger.recorder.begin(begin)
      open.ledger.recorder.progress(begin.id, { ...noUsage, input: 1000 })
      await new Promise(setImmediate)
      await killAndStart()
      await expectAllTaken([...ended, { id: begin.id, quota: 75 }])
    },
    240_000,
  )

  it.each(Object.keys(badTexts).filter((name) => !name.includes('two bytes each')))(
    'takes %s at once',
    async (name) => {
      const ended = recordsWith(badTexts[name]?.(database) ?? '')
      for (const one of ended) await open.ledger.recorder.charge(one)
      await open.ledger.flush()
      await expectAllTaken(ended)
    },
    240_000,
  )

  it('survives records that an earlier version wrote without bounds', async () => {
    await open.crash()
    const ended = ['9 MB', 'zero'].flatMap((what) => {
      const text = what === 'zero' ? 'a\0b\ud83d' : 'x'.repeat(9 * megabyte)
      return [
        ...callFields.map((field) => ({ [field]: text })),
        { task: { ...aTask, status: text, prompt: text } },
      ].map((more) => ({ ...aJournalRecord(record({}).id, { userId, tokenId, channelId: 0, quota: 3 }), ...more }))
    })
    mkdirSync(directory.directory, { recursive: true })
    writeFileSync(join(directory.directory, '0000009000.journal'), ended.map((record) => endLine(record)).join(''))
    open = await openTestLedger(database, directory.directory)
    await expectAllTaken(ended)
  })
})
