import { expect, it } from 'vitest'
import { describeEachEngine } from '../../../../test/support/db/databases.ts'
import type { Database } from '../../../db/database.ts'
import { createLoginThrottle } from '../throttle.ts'
import { openStoredWaits } from './stored-waits.ts'

describeEachEngine('waits after wrong passwords', (open) => {
  let now = 1_900_000_000_000
  const clock = () => now

  /** A process from its start to its end. */
  const start = async (database: Database, guessed = 'login') => {
    const throttle = createLoginThrottle(clock)
    const { write: stop } = await openStoredWaits({ database, guessed, memory: throttle, clock })
    const attempt = (account: string, address: string): number => {
      try {
        throttle.attempt({ account, address })
        return 0
      } catch (error) {
        return Number((error as { params: { seconds: number } }).params.seconds)
      }
    }
    return { throttle, attempt, stop }
  }

  it('outlast a restart, and so do failures that have no wait yet, and what an owner proved', async () => {
    const database = await open()
    const first = await start(database)
    for (let guess = 0; guess < 7; guess += 1) {
      first.attempt('id:1', `10.0.0.${guess}`)
      now += 2000
    }
    expect(first.attempt('id:1', '10.0.1.1')).toBeGreaterThan(0)
    for (let guess = 0; guess < 4; guess += 1) first.attempt('id:2', `10.0.2.${guess}`)
    first.throttle.succeeded({ account: 'id:1', address: '10.9.9.9' })
    for (let guess = 0; guess < 7; guess += 1) {
      first.attempt('id:1', `10.0.3.${guess}`)
      now += 2000
    }
    await first.stop()

    const second = await start(database)
    expect(second.attempt('id:1', '10.0.4.1')).toBe(first.attempt('id:1', '10.0.4.1'))
    // The owner's own address is not kept out by guesses from elsewhere.
    expect(second.attempt('id:1', '10.9.9.9')).toBe(0)
    expect(second.attempt('id:2', '10.0.4.2')).toBe(0)
    expect(second.attempt('id:2', '10.0.4.3')).toBe(1)
    await second.stop()
  })

  it('are forgotten after an hour, and at once with a right password, over restarts as well', async () => {
    const database = await open()
    const first = await start(database)
    for (let guess = 0; guess < 5; guess += 1) {
      first.attempt('id:3', `10.1.0.${guess}`)
      first.attempt('id:4', `10.1.1.${guess}`)
    }
    await first.stop()
    const second = await start(database)
    expect([second.attempt('id:3', '10.1.2.1'), second.attempt('id:4', '10.1.2.1')]).toEqual([1, 1])
    now += 2000
    second.throttle.attempt({ account: 'id:3', address: '10.1.2.1' })
    second.throttle.succeeded({ account: 'id:3', address: '10.1.2.1' })
    await second.stop()
    const third = await start(database)
    expect([third.attempt('id:3', '10.1.3.1'), third.attempt('id:4', '10.1.3.1')]).toEqual([0, 0])
    await third.stop()
    now += 3_600_001
    const fourth = await start(database)
    expect(fourth.attempt('id:4', '10.1.3.1')).toBe(0)
    await fourth.stop()
  })

  it('are kept apart by what is guessed, and hold no name as it was typed', async () => {
    const database = await open()
    const [logins, codes] = [await start(database, 'login'), await start(database, 'redeem')]
    for (let guess = 0; guess < 5; guess += 1) logins.attempt('name:hunter2', `10.2.0.${guess}`)
    codes.attempt('name:hunter2', '10.2.1.1')
    await logins.stop()
    await codes.stop()
    const rows = await database.query.selectFrom('guess_waits').selectAll().execute()
    expect(new Set(rows.map(({ guessed }) => guessed))).toEqual(new Set(['login', 'redeem']))
    expect(JSON.stringify(rows)).not.toContain('hunter2')
    const [again, others] = [await start(database, 'login'), await start(database, 'redeem')]
    expect([again.attempt('name:hunter2', '10.2.2.1'), others.attempt('name:hunter2', '10.2.2.1')]).toEqual([1, 0])
    await again.stop()
    await others.stop()
  })

  it('are written in pieces, however many there are, and one time each', async () => {
    const database = await open()
    const first = await start(database)
    for (let account = 0; account < 1200; account += 1) first.attempt(`id:${account}`, `10.3.${account % 250}.1`)
    await first.stop()
    await first.stop()
    const { count } = await database.query
      .selectFrom('guess_waits')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    // Accounts, addresses, and pairs of both.
    expect(Number(count)).toBe(1200 + 250 + 1200)
  })
})
