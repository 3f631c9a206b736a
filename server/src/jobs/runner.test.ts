import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { describeEachEngine } from '../../test/support/db/databases.ts'
import type { Database } from '../db/database.ts'
import { type JobRow, openRowClaims, type RowClaim } from './row-claims.ts'
import { type JobRunner, type JobRunnerParts, openJobRunner } from './runner.ts'

type TestJob = JobRow<'notice_deliveries'>

type Parts = JobRunnerParts<TestJob, RowClaim>

const start = 1_900_000_000
const leaseSeconds = 60

describeEachEngine('jobs', (open) => {
  let database: Database
  let now: number
  let done: string[]
  let failures: string[]
  const runners: JobRunner<TestJob>[] = []

  beforeAll(async () => {
    database = await open()
  })
  beforeEach(async () => {
    now = start
    done = []
    failures = []
    await database.query.deleteFrom('notice_deliveries').execute()
  })
  afterEach(async () => {
    await Promise.all(runners.splice(0).map((runner) => runner.stop()))
  })

  const clock = (): number => now * 1000
  const store = () =>
    openRowClaims({
      database,
      table: 'notice_deliveries',
      time: 'next_time',
      leaseSeconds,
      clock,
      counted: { attempts: 'attempts', error: 'last_error' },
      deletesDone: true,
    })
  /** A node that does each job by noting its kind. */
  const node = (parts: Partial<Parts> = {}): JobRunner<TestJob> => {
    const runner = openJobRunner({
      store: store(),
      async work({ kind }) {
        done.push(kind)
      },
      failed: (error) => failures.push(String(error)),
      clock,
      ...parts,
    })
    runners.push(runner)
    return runner
  }
  const add = async (...kinds: string[]): Promise<void> => {
    const row = { user_id: 1, way: 'email' as const, body: '', attempts: 0, created_time: 0, last_error: '' }
    await database.insertMany(
      'notice_deliveries',
      kinds.map((kind, at) => ({ ...row, kind, next_time: now - kinds.length + at })),
    )
  }
  const rows = () =>
    database.query
      .selectFrom('notice_deliveries')
      .select(['kind', 'attempts', 'next_time', 'last_error'])
      .orderBy('next_time')
      .execute()
  /** Work that waits until it is released. */
  const held = () => {
    const gate = Promise.withResolvers<void>()
    const began = Promise.withResolvers<void>()
    const work: Parts['work'] = async ({ kind }) => {
      began.resolve()
      await gate.promise
      done.push(kind)
    }
    return { work, began: began.promise, release: gate.resolve }
  }
  const broken: Parts['work'] = async ({ kind }) => {
    done.push(kind)
    throw new Error('the reader is away')
  }

  it('are done in their order, more than are read at a time, and then gone', async () => {
    const kinds = Array.from({ length: 30 }, (_, at) => `kind ${at}`)
    await add(...kinds)
    await node().work()
    expect(done).toEqual(kinds)
    expect(await rows()).toEqual([])
    expect(failures).toEqual([])
  })

  it('are each done once by several nodes', async () => {
    const kinds = Array.from({ length: 40 }, (_, at) => `kind ${at}`)
    await add(...kinds)
    await Promise.all([node({ atOnce: 4 }), node({ atOnce: 4 }), node()].map((each) => each.work()))
    expect(done.toSorted()).toEqual(kinds.toSorted())
    expect(await rows()).toEqual([])
  })

  it('wait until they are due', async () => {
    await add('soon')
    now -= 10
    await node().work()
    expect(done).toEqual([])
  })

  describe('of a node that was killed', () => {
    it('go to another node when the lease ends, not before, and a late end is refused', async () => {
      await add('long')
      const first = held()
      const late = node({ work: first.work })
      late.wake()
      await first.began
      const other = held()
      const heir = node({ work: other.work })
      now += leaseSeconds - 1
      await heir.work()
      now += 1
      heir.wake()
      await other.began
      first.release()
      await late.idle()
      expect(await rows()).toMatchObject([{ kind: 'long', attempts: 2, next_time: now + leaseSeconds }])
      other.release()
      await heir.idle()
      expect(await rows()).toEqual([])
    })

    it('are not given back by its late failure', async () => {
      await add('long')
      const gate = Promise.withResolvers<void>()
      const began = Promise.withResolvers<void>()
      const late = node({
        async work() {
          began.resolve()
          await gate.promise
          throw new Error('late')
        },
        retry: { pauses: [1] },
      })
      late.wake()
      await began.promise
      now += leaseSeconds
      const other = held()
      const heir = node({ work: other.work })
      heir.wake()
      await other.began
      gate.resolve()
      await late.idle()
      expect(await rows()).toMatchObject([{ attempts: 2, next_time: now + leaseSeconds, last_error: '' }])
      other.release()
      await heir.idle()
    })

    it('count each attempt that was begun, so what kills its process is given up', async () => {
      await add('deadly')
      const killed = held()
      node({ work: killed.work }).wake()
      await killed.began
      const gaveUp: number[] = []
      now += leaseSeconds
      const retry = {
        pauses: [1],
        mostAttempts: 2,
        gaveUp: (_: TestJob, { attempts }: { attempts: number }) => gaveUp.push(attempts),
      }
      await node({ work: broken, retry }).work()
      expect(gaveUp).toEqual([2])
      expect(await rows()).toEqual([])
      killed.release()
    })
  })

  it('stay with a node that prolongs its lease, and are left by it when another has them', async () => {
    await add('long')
    const gate = Promise.withResolvers<void>()
    const began = Promise.withResolvers<AbortSignal>()
    const first = node({
      aliveEveryMs: 5,
      async work(_, { signal }) {
        began.resolve(signal)
        await gate.promise
      },
    })
    first.wake()
    const signal = await began.promise
    const prolonged = now + 50
    now = prolonged
    await expect.poll(async () => (await rows())[0]?.next_time).toBe(prolonged + leaseSeconds)
    expect(signal.aborted).toBe(false)
    await database.query
      .updateTable('notice_deliveries')
      .set({ next_time: now + 1000 })
      .execute()
    await expect.poll(() => signal.aborted).toBe(true)
    gate.resolve()
    await first.idle()
    expect(await rows()).toHaveLength(1)
  })

  it('that fail are tried again later each time, then given up', async () => {
    await add('bad')
    const gaveUp: string[] = []
    const runner = node({
      work: broken,
      retry: {
        pauses: [30, 120],
        mostAttempts: 4,
        gaveUp: ({ kind }, { attempts, reason }) => gaveUp.push(`${kind} ${attempts} ${reason}`),
      },
    })
    for (const [attempts, pause] of [30, 120, 120].entries()) {
      await runner.work()
      await runner.work()
      expect(done).toHaveLength(attempts + 1)
      expect(await rows()).toMatchObject([
        { attempts: attempts + 1, next_time: now + pause, last_error: 'the reader is away' },
      ])
      now += pause
    }
    await runner.work()
    expect(gaveUp).toEqual(['bad 4 the reader is away'])
    expect(await rows()).toEqual([])
    expect(failures).toEqual([])
  })

  it('that fail without rules are reported, and tried again when their lease ends', async () => {
    await add('bad')
    const runner = node({ work: broken })
    await runner.work()
    await runner.work()
    expect(failures).toEqual(['Error: the reader is away'])
    now += leaseSeconds
    await runner.work()
    expect(done).toHaveLength(2)
  })

  it('of one key leave room for others, and follow each other at a pace', async () => {
    await add('slow 1', 'slow 2', 'slow 3', 'quick 1')
    const began: string[] = []
    let slow = 0
    let most = 0
    const from = performance.now()
    const quick = Promise.withResolvers<void>()
    await node({
      atOnce: 3,
      keys: { keyOf: ({ kind }) => kind.split(' ')[0] ?? '', atOnce: 1, paceMs: 40 },
      async work({ kind }) {
        began.push(kind)
        const isSlow = kind.startsWith('slow')
        if (isSlow) slow += 1
        most = Math.max(most, slow)
        // The first one ends only after the quick one, behind it in the order, has begun.
        if (isSlow) await quick.promise
        else quick.resolve()
        if (isSlow) slow -= 1
      },
    }).work()
    expect(most).toBe(1)
    expect(began.filter((kind) => kind.startsWith('slow'))).toEqual(['slow 1', 'slow 2', 'slow 3'])
    // Timers count whole milliseconds.
    expect(performance.now() - from).toBeGreaterThan(2 * 39)
  })

  it('run as many at a time as a node may', async () => {
    await add('a', 'b', 'c')
    const gate = held()
    let running = 0
    const runner = node({
      atOnce: 2,
      async work(job, run) {
        running += 1
        await gate.work(job, run)
      },
    })
    runner.wake()
    await gate.began
    await expect.poll(() => running).toBe(2)
    gate.release()
    await runner.idle()
    expect(done.toSorted()).toEqual(['a', 'b', 'c'])
  })

  it('that are added while a long one runs begin at once', async () => {
    await add('long')
    const long = held()
    const runner = node({
      atOnce: 2,
      work: (job, run) => (job.kind === 'long' ? long.work(job, run) : Promise.resolve(void done.push(job.kind))),
    })
    runner.wake()
    await long.began
    await add('new')
    runner.wake()
    await expect.poll(() => done).toEqual(['new'])
    long.release()
    await runner.idle()
    expect(await rows()).toEqual([])
  })

  it('that are made due while they run are done once more', async () => {
    await add('changed')
    const runner = node({
      async work({ kind }) {
        done.push(kind)
        if (done.length > 1) return
        await database.query.updateTable('notice_deliveries').set({ next_time: now }).execute()
        runner.wake()
        await new Promise((resolve) => setTimeout(resolve, 20))
      },
    })
    await runner.work()
    expect(done).toEqual(['changed', 'changed'])
    expect(await rows()).toEqual([])
  })

  it('begin by a timer, and none begins after the stop, which aborts and waits for what runs', async () => {
    const began = Promise.withResolvers<AbortSignal>()
    const runner = node({
      everyMs: 5,
      async work({ kind }, { signal }) {
        began.resolve(signal)
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
        done.push(kind)
      },
    })
    await add('first', 'second')
    await began.promise
    await runner.stop()
    expect(done).toEqual(['first'])
    runner.wake()
    await runner.work()
    const [second] = await store().due(1)
    expect(second).toMatchObject({ kind: 'second', attempts: 0 })
    expect(second && (await runner.start(second))).toBe(false)
  })

  it('begin on request, unless they run elsewhere', async () => {
    await add('asked')
    const [job] = await store().due(1)
    if (job === undefined) throw new Error('no job')
    const gate = held()
    const [first, second] = [node({ work: gate.work }), node({ work: gate.work })]
    expect((await Promise.all([first.start(job), second.start(job)])).toSorted()).toEqual([false, true])
    gate.release()
    await Promise.all([first.idle(), second.idle()])
    expect(done).toEqual(['asked'])
  })

  it('outlive a database that is away: the look is reported, the next one finds them', async () => {
    await add('patient')
    let isAway = true
    const away = <T>(work: () => Promise<T>): Promise<T> => (isAway ? Promise.reject(new Error('gone')) : work())
    const own = store()
    const runner = node({
      store: { due: (most) => away(() => own.due(most)), claim: (job) => away(() => own.claim(job)) },
    })
    await expect(runner.work()).rejects.toThrow('gone')
    runner.wake()
    await expect.poll(() => failures).toEqual(['Error: gone'])
    isAway = false
    await runner.work()
    expect(done).toEqual(['patient'])
  })
})
