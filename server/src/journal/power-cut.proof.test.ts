import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type DiskImage, openPowerCutDisk } from '../../test/support/journal/power-cut-disk.ts'
import { aBegin, aJournalRecord } from '../../test/support/journal/records.ts'
import { seeded } from '../../test/support/ledger/chance.ts'
import { noUsage } from '../billing/usage.ts'
import { type Journal, openJournal } from './journal.ts'
import type { JournalRecord } from './journal-record.ts'
import type { JournalSync } from './sync-pace.ts'

const machines = 100
const cutsEach = 10
const clients = 4
const requestsEach = 8
const mostCallsOfDisk = 90
/** Each proof takes three seconds on a quiet machine. */
const mostMs = 300_000

let directory = ''
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'power-cut-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

interface Machine {
  readonly sync: JournalSync
  readonly random: () => number
  readonly directory: string
  /** Share of calls of the disk that fail. */
  readonly faults: number
  /** False for a database that answers commits before they are on the disk. */
  readonly durableDatabase: boolean
  image: DiskImage
  /** Quotas by request id that the database has on the disk; the first charge of a request is the only one. */
  database: Map<string, number>
  /** Quotas by request id of the answers that ended: their clients know them. */
  readonly answered: Map<string, number>
  /** Requests whose clients received an error, and whose refusal is older than an answer that ended later. */
  readonly refused: Set<string>
  /** Requests whose begin is older than an answer that ended later: a start must know them. */
  readonly begun: Set<string>
  requests: number
  problems: string[]
}

const newMachine = (seed: number, more: Partial<Machine>): Machine => ({
  sync: 'group',
  random: seeded(seed),
  directory: join(directory, `machine-${seed}`),
  faults: 0,
  durableDatabase: true,
  image: new Map(),
  database: new Map(),
  answered: new Map(),
  refused: new Set(),
  begun: new Set(),
  requests: 0,
  problems: [],
  ...more,
})

/** Adds the records of the journal after a start to the database, as the ledger does. */
const replay = async (
  journal: Journal,
  apply: (record: JournalRecord) => void,
  refuse: (id: string) => void,
): Promise<readonly string[]> => {
  const leftovers = journal.replay()
  const found: string[] = []
  for await (const records of leftovers.records()) {
    for (const record of records) {
      found.push(record.id)
      apply(record)
    }
  }
  for (const { interrupted } of leftovers.open) {
    const { id } = interrupted.begin
    found.push(id)
    const record = aJournalRecord(id, { quota: interrupted.usage?.output ?? 0 })
    await journal.end(record).then(
      () => apply(record),
      () => refuse(id),
    )
  }
  return found
}

/** True for a refusal by a disk that has no power, which can note nothing of it. */
const failedWithoutPower = (error: unknown): boolean =>
  error instanceof Error &&
  typeof error.cause === 'object' &&
  error.cause !== null &&
  'code' in error.cause &&
  error.cause.code === 'NO_POWER'

/** One life of the machine: starts, checks what it finds, serves requests until the power fails. */
const live = async (machine: Machine): Promise<void> => {
  const { random, answered, refused, begun, problems } = machine
  const pick = (most: number): number => Math.floor(random() * (most + 1))
  const power = openPowerCutDisk({
    image: machine.image,
    random,
    cutAt: 1 + pick(mostCallsOfDisk),
    faults: machine.faults,
  })
  const waiting: JournalRecord[] = []
  let committed = new Map(machine.database)
  let onDisk = new Map(machine.database)
  let serving = true

  const journal = await openJournal({
    directory: machine.directory,
    disk: power.disk,
    sync: machine.sync,
    groupMs: 1,
    segmentBytes: 1 + pick(4000),
    retryMs: 2,
  }).catch(() => undefined)

  const commit = async (): Promise<void> => {
    const batch = waiting.splice(0)
    for (let left = pick(3); left > 0; left -= 1) await turn()
    if (!power.powered || batch.length === 0) return
    committed = new Map(committed)
    for (const { id, quota } of batch) if (!committed.has(id)) committed.set(id, quota)
    if (machine.durableDatabase || random() < 0.2) onDisk = committed
    journal?.applied(batch)
  }

  const keepCommitting = async (): Promise<void> => {
    while (serving && power.powered) {
      await turn()
      if (random() < 0.3) await commit()
    }
  }

  const call = async (open: Journal): Promise<void> => {
    machine.requests += 1
    const id = `request ${machine.requests}`
    const quota = 1 + pick(1000)
    if (random() < 0.3) {
      open.begin(aBegin(id))
      beginning.add(id)
      for (let left = pick(30); left > 0; left -= 1) {
        await turn()
        open.progress(id, { ...noUsage, output: 1 + pick(quota - 1) })
      }
    }
    const failuresBefore = power.failures
    const refusedBefore = [...refusing]
    const begunBefore = [...beginning]
    await open
      .end(aJournalRecord(id, { quota, content: 'x'.repeat(pick(600)) }), (record) => {
        if (!power.powered) return
        answered.set(id, quota)
        waiting.push(record)
        // Earlier records since the last failure are in the journal as surely as this call.
        if (power.failures !== failuresBefore) return
        for (const earlier of refusedBefore) refused.add(earlier)
        for (const earlier of begunBefore) if (beginning.has(earlier)) begun.add(earlier)
      })
      .catch((error: unknown) => {
        // The journal may note a refusal in the very step in which the power fails, before its client receives the error.
        if (!power.powered && failedWithoutPower(error)) return
        if (power.powered) refusing.add(id)
        begun.delete(id)
        beginning.delete(id)
      })
  }
  const refusing = new Set<string>()
  const beginning = new Set<string>()

  const client = async (open: Journal): Promise<void> => {
    for (let left = requestsEach; left > 0 && power.powered; left -= 1) {
      for (let pause = pick(2); pause > 0; pause -= 1) await turn()
      await call(open)
    }
  }

  if (journal !== undefined) {
    const quotas = new Map<string, number>()
    const gone = new Set<string>()
    const found = await replay(
      journal,
      (record) => {
        quotas.set(record.id, record.quota)
        waiting.push(record)
      },
      (id) => gone.add(id),
    )
    for (const [id, quota] of answered) {
      const kept = machine.database.get(id) ?? quotas.get(id)
      if (kept === undefined) problems.push(`${id} is gone`)
      else if (kept !== quota) problems.push(`${id} costs ${kept}, not ${quota}`)
    }
    for (const id of begun) {
      if (!machine.database.has(id) && !found.includes(id)) problems.push(`${id} began and is gone`)
    }
    for (const id of gone) begun.delete(id)
    for (const id of found) if (refused.has(id)) problems.push(`${id} was refused and is back`)
    const committing = keepCommitting()
    await Promise.all(Array.from({ length: clients }, () => client(journal)))
    serving = false
    await committing
  }
  machine.image = power.cut()
  machine.database = onDisk
  await journal?.close()
}

/** Runs machines beside each other, each through its cuts; returns what went wrong, by seed. */
const runAll = async (more: Partial<Machine>, count = machines) => {
  let answers = 0
  let refusals = 0
  const run = async (seed: number): Promise<string[]> => {
    const machine = newMachine(seed, more)
    for (let cut = 0; cut <= cutsEach; cut += 1) await live(machine)
    answers += machine.answered.size
    refusals += machine.refused.size
    return machine.problems.map((problem) => `seed ${seed}: ${problem}`)
  }
  const problems = (await Promise.all(Array.from({ length: count }, (_, seed) => run(seed)))).flat()
  return { problems, answers, refusals }
}

describe(`${machines * cutsEach} power cuts at random moments`, () => {
  it.each([['group'], ['always']] as const)(
    'take nothing that a client was answered, with %s',
    async (sync) => {
      const { problems, answers } = await runAll({ sync })
      expect(problems).toEqual([])
      expect(answers).toBeGreaterThan(machines * cutsEach)
    },
    mostMs,
  )

  it.each([['group'], ['always']] as const)(
    'nor beside a disk that fails, which charges no refused call: %s',
    async (sync) => {
      const { problems, refusals } = await runAll({ sync, faults: 0.06 })
      expect(problems).toEqual([])
      expect(refusals).toBeGreaterThan(machines)
    },
    mostMs,
  )
})

describe('the proof notices', () => {
  it('a journal that is not synced', async () => {
    const { problems } = await runAll({ sync: 'off' }, 10)
    expect(problems.length).toBeGreaterThan(0)
  })

  it('a database whose commits are not on the disk when their segment goes', async () => {
    const { problems } = await runAll({ sync: 'group', durableDatabase: false }, 10)
    expect(problems.length).toBeGreaterThan(0)
  })
})
