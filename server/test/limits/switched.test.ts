import type { LimitChange } from '@tollgate/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Person } from '../rights/people.ts'
import type { RightsSite } from '../rights/site.ts'
import { describeEachAddress } from '../support/db/databases.ts'
import { openServingNodes, type ServingNodes, servesOn } from './serving-nodes.ts'

/**
 * No call asks for anything that is off: limits, limits of sessions and blocked words. Switched on or off they count from the
 * next call on, at the node where that was done, and at others as soon as they are notified.
 */

describeEachAddress('what is switched on and off', (place, engine) => {
  const isHere = servesOn(engine)
  let nodes: ServingNodes

  beforeAll(async () => {
    if (isHere) nodes = await openServingNodes(engine, place)
  })
  afterAll(() => nodes?.close())

  const first = (): RightsSite => nodes.first
  const other = (): RightsSite => nodes.other
  const { operate, newKey }: Pick<ServingNodes, 'operate' | 'newKey'> = {
    operate: (...asked) => nodes.operate(...asked),
    newKey: () => nodes.newKey(),
  }
  const set = (key: string, value: string): Promise<unknown> => operate('PUT', '/api/option/', { key, value })
  const status = async (at: RightsSite, caller: Person, headers?: Record<string, string>): Promise<number> =>
    (await nodes.answered(at, caller, headers)).status

  it.runIf(isHere)(
    'limits',
    async () => {
      const caller = await newKey()
      for (const at of [first(), other(), first()]) expect(await status(at, caller)).toBe(200)
      const limit = {
        name: 'one call',
        measure: 'requests',
        amount: 1,
        window: 'month',
        subjects: [{ kind: 'key', value: String(caller.tokenId) }],
      } satisfies Partial<LimitChange>
      const { id } = (await operate('POST', '/api/limits', limit)) as { id: number }
      expect([await status(first(), caller), await status(first(), caller)]).toEqual([200, 429])
      await expect.poll(() => status(other(), caller)).toBe(429)
      await operate('DELETE', `/api/limits/${id}`)
      expect(await status(first(), caller)).toBe(200)
      await expect.poll(() => status(other(), caller)).toBe(200)
    },
    60_000,
  )

  it.runIf(isHere)(
    'limits of sessions',
    async () => {
      const caller = await newKey()
      let sessions = 0
      /** The statuses of two calls of one session. */
      const two = async (at: RightsSite): Promise<readonly number[]> => {
        sessions += 1
        const headers = { 'session-id': `session-${sessions}` }
        return [await status(at, caller, headers), await status(at, caller, headers)]
      }
      expect(await two(first())).toEqual([200, 200])
      await set('SessionLimits', JSON.stringify({ '*': { calls: 1 } }))
      expect(await two(first())).toEqual([200, 400])
      await expect.poll(() => two(other())).toEqual([200, 400])
      await set('SessionLimits', '{}')
      expect(await two(first())).toEqual([200, 200])
      await expect.poll(() => two(other())).toEqual([200, 200])
    },
    60_000,
  )

  it.runIf(isHere)(
    'blocked words',
    async () => {
      const caller = await newKey()
      expect(await status(first(), caller)).toBe(200)
      await set('SensitiveWords', 'SecretWord')
      expect(await status(first(), caller)).toBe(400)
      await expect.poll(() => status(other(), caller)).toBe(400)
      await set('CheckSensitiveEnabled', 'false')
      expect(await status(first(), caller)).toBe(200)
      await expect.poll(() => status(other(), caller)).toBe(200)
    },
    60_000,
  )
})
