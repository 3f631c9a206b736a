import fc from 'fast-check'
import { expect, it } from 'vitest'
import { aLimit, limitedCall, memoryCounts, openTestLimiter } from '../../test/support/limits/limiter.ts'
import type { CallNeed, LimitEntry } from './call-limits.ts'
import { LimitRefusal } from './call-limits.ts'
import { openMemoryLimitStore } from './limit-store.ts'
import type { Limiter } from './limiter.ts'

const noon = Date.parse('2026-11-24T12:00:00Z')
const need = (changes: Partial<CallNeed> = {}): CallNeed => ({ input: 100, output: 50, money: 10, ...changes })
const use = (promptTokens: number, completionTokens: number, quota = 1) => ({ promptTokens, completionTokens, quota })

const enter = async (limiter: Limiter, changes: Partial<CallNeed> = {}, call = limitedCall()) => {
  try {
    return await limiter.enter(call, need(changes))
  } catch (error) {
    if (error instanceof LimitRefusal) return error
    throw error
  }
}
const isLet = (entry: unknown): entry is LimitEntry => entry !== undefined && !(entry instanceof LimitRefusal)

it('lets so many requests through in a minute, and the next ones in the next', async () => {
  let now = noon + 20_000
  const limiter = openTestLimiter([{ amount: 2 }], { clock: () => now })
  expect(isLet(await enter(limiter))).toBe(true)
  const second = await enter(limiter)
  expect(isLet(second) && second.gauges().requests).toEqual({ most: 2, left: 0, freeAt: noon + 60_000 })
  const third = await enter(limiter)
  expect(third).toMatchObject({ code: 'rate_limit_exceeded', retryAfter: 40 })
  expect((third as LimitRefusal).message).toBe(
    'The limit "test" of key my key is reached: 2 requests per minute at most, 0 left, free in 40 s',
  )
  expect(isLet(await enter(limiter, {}, limitedCall({ key: 6 })))).toBe(true)
  now = noon + 60_000
  expect(isLet(await enter(limiter))).toBe(true)
})

it.each([false, true])('lets calls through where the clock is set back (several processes: %s)', async (isShared) => {
  let now = noon + 600_000
  const limiter = openTestLimiter([{ amount: 2 }], { clock: () => now, isShared })
  const spend = async () => {
    for (let call = 0; call < 2; call += 1) {
      const entry = await enter(limiter)
      expect(isLet(entry)).toBe(true)
      if (isLet(entry)) entry.settle(use(1, 1))
    }
    expect(isLet(await enter(limiter))).toBe(false)
  }
  await spend()
  // As little as clocks jitter where they are measured anew: it is the same window.
  now -= 20
  expect(isLet(await enter(limiter))).toBe(false)
  now -= 580_000
  await spend()
  now += 60_000
  await spend()
})

it('corrects what was reserved to what was used', async () => {
  const limiter = openTestLimiter([{ measure: 'tokens', amount: 200 }], { clock: () => noon })
  const first = await enter(limiter)
  expect(isLet(await enter(limiter))).toBe(false)
  if (isLet(first)) first.settle(use(20, 10))
  const second = await enter(limiter)
  expect(isLet(second) && second.gauges().tokens?.left).toBe(20)
  if (isLet(second)) second.settle(undefined)
  expect(isLet(await enter(limiter, { input: 170, output: 0 }))).toBe(true)
})

it('counts the prompt where its bound does not fit', async () => {
  const limiter = openTestLimiter([{ measure: 'input_tokens', amount: 90 }], { clock: () => noon })
  const counted = async () => need({ input: 30 })
  expect(isLet(await enter(limiter, { counted }))).toBe(true)
  expect(isLet(await enter(limiter, { counted }))).toBe(true)
  expect(isLet(await enter(limiter, { counted: async () => need({ input: 31 }) }))).toBe(false)
})

it('gives back calls under way, and says that a call which is too large never fits', async () => {
  const limiter = openTestLimiter([
    { measure: 'running', window: 'now', amount: 1 },
    { measure: 'output_tokens', window: 'day', amount: 60 },
  ])
  const first = await enter(limiter)
  expect(await enter(limiter, { output: 1 })).toMatchObject({ code: 'rate_limit_exceeded', retryAfter: 1 })
  if (isLet(first)) first.settle(use(1, 1))
  expect(await enter(limiter, { output: 61 })).toMatchObject({ code: 'limit_used_up', retryAfter: undefined })
  expect(isLet(await enter(limiter, { output: 1 }))).toBe(true)
})

it('counts pairs, one of them, and leaves out what no subject names', async () => {
  const subjects = [{ kind: 'user' as const, value: '1' }, { kind: 'model' as const }]
  const limiter = openTestLimiter([{ amount: 1, subjects }], { clock: () => noon })
  expect(isLet(await enter(limiter))).toBe(true)
  expect(isLet(await enter(limiter))).toBe(false)
  expect(isLet(await enter(limiter, {}, limitedCall({ model: 'other' })))).toBe(true)
  for (const call of [limitedCall({ user: 2 }), limitedCall({ route: {} })]) {
    const entry = await enter(limiter, {}, call)
    expect(isLet(entry) && entry.gauges()).toEqual({ at: noon })
  }
})

it.each([
  ['team', '7'],
  ['project', '3'],
  ['member', '11'],
] as const)('counts calls with keys of a %s', async (kind, value) => {
  const limiter = openTestLimiter([{ amount: 1, subjects: [{ kind, value }] }], { clock: () => noon })
  const { caller, ...call } = limitedCall()
  const ofProject = (id: number, teamId: number, memberId: number) => ({
    ...call,
    caller: { ...caller, project: { id, teamId, memberId } },
  })
  expect(isLet(await enter(limiter, {}, ofProject(3, 7, 11)))).toBe(true)
  expect(await enter(limiter, {}, ofProject(3, 7, 11))).toMatchObject({ code: 'rate_limit_exceeded' })
  expect(await enter(limiter, {}, ofProject(4, 8, 12))).toBeUndefined()
  expect(await enter(limiter)).toBeUndefined()
})

it('counts each member of a team by itself, and keys of machines for nobody', async () => {
  const subjects = [{ kind: 'team' as const, value: '7' }, { kind: 'member' as const }]
  const limiter = openTestLimiter([{ amount: 1, subjects }], { clock: () => noon })
  const { caller, ...call } = limitedCall()
  const ofMember = (teamId: number, memberId: number) => ({
    ...call,
    caller: { ...caller, project: { id: 3, teamId, memberId } },
  })
  expect(isLet(await enter(limiter, {}, ofMember(7, 11)))).toBe(true)
  expect(isLet(await enter(limiter, {}, ofMember(7, 12)))).toBe(true)
  expect(await enter(limiter, {}, ofMember(7, 11))).toMatchObject({ code: 'rate_limit_exceeded' })
  expect(await enter(limiter, {}, ofMember(8, 11))).toBeUndefined()
  expect(await enter(limiter, {}, ofMember(7, 0))).toBeUndefined()
})

it('goes on counting after a restart, and when an amount is changed', async () => {
  const counts = memoryCounts()
  const rule = { window: 'month' as const, amount: 3, time_zone: 'Asia/Shanghai' }
  const before = openTestLimiter([rule], { clock: () => noon, counts: counts.of('a') })
  for (const _ of [1, 2]) {
    const entry = await enter(before)
    if (isLet(entry)) entry.settle(use(1, 1))
  }
  await before.renew()
  const after = openTestLimiter([rule], { clock: () => noon, counts: counts.of('b'), node: 'b' })
  expect(isLet(await enter(after))).toBe(true)
  expect(isLet(await enter(after))).toBe(false)
  after.setLimits([aLimit({ ...rule, amount: 4 })])
  expect(isLet(await enter(after))).toBe(true)
  expect(isLet(await enter(after))).toBe(false)
})

it('only tells where calls are let through', async () => {
  const limiter = openTestLimiter([{ action: 'tell', amount: 1, tell_at: [50] }], { clock: () => noon })
  for (const _ of [1, 2, 3]) {
    const entry = await enter(limiter)
    if (isLet(entry)) entry.settle(use(1, 1))
  }
  expect(limiter.telling().map((counter) => counter.usedByAll)).toEqual([3])
})

const minute = 60_000
const windows = [
  { window: 'minute', length: minute },
  { window: 'hour', length: 60 * minute },
  { window: 'rolling', length: 60 * minute },
] as const

/** Random events, one after the other; `wait` is a part of the window. */
const happenings = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('enter' as const), node: fc.nat(2), most: fc.integer({ min: 1, max: 40 }) }),
    fc.record({
      kind: fc.constant('settle' as const),
      call: fc.nat(30),
      part: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
    fc.record({ kind: fc.constant('wait' as const), part: fc.double({ min: 0, max: 1, noNaN: true }) }),
    fc.record({ kind: fc.constant('renew' as const), node: fc.nat(2) }),
  ),
  { maxLength: 60 },
)

it.each(windows)('lets no more through than a window of $window has, on one process and on three', async (shape) => {
  const amount = 100
  await fc.assert(
    fc.asyncProperty(happenings, fc.boolean(), async (events, isShared) => {
      let now = noon
      const store = openMemoryLimitStore()
      const counts = memoryCounts()
      const nodes = (isShared ? ['a', 'b', 'c'] : ['a']).map((node) =>
        openTestLimiter([{ measure: 'output_tokens', amount, window: shape.window }], {
          store,
          isShared,
          node,
          clock: () => now,
          counts: counts.of(node),
        }),
      )
      const calls: { at: number; reserved: number; used: number | undefined; entry: LimitEntry }[] = []
      for (const event of events) {
        if (event.kind === 'wait') now += Math.round(event.part * shape.length)
        else if (event.kind === 'renew') await nodes[event.node % nodes.length]?.renew()
        else if (event.kind === 'settle') {
          const call = calls[event.call]
          if (call === undefined || call.used !== undefined) continue
          call.used = Math.floor(call.reserved * event.part)
          call.entry.settle(use(0, call.used))
        } else {
          const limiter = nodes[event.node % nodes.length]
          const entry = limiter && (await enter(limiter, { output: event.most }))
          if (isLet(entry)) calls.push({ at: now, reserved: event.most, used: undefined, entry })
        }
        const from = shape.window === 'rolling' ? now - shape.length + 1 : now - (now % shape.length)
        const within = calls.filter(({ at }) => at >= from)
        const sum = within.reduce((total, { reserved, used }) => total + (used ?? reserved), 0)
        expect(sum).toBeLessThanOrEqual(amount)
      }
      // Nothing leaks: once all is settled and its window is over, all of it is free again.
      for (const call of calls) if (call.used === undefined) call.entry.settle(undefined)
      now += 2 * shape.length
      // The first look gives away what was used lately, the second sees that nothing is any more.
      for (const limiter of [...nodes, ...nodes]) await limiter.renew()
      const [limiter] = nodes
      expect(limiter && isLet(await enter(limiter, { output: amount }))).toBe(true)
    }),
    { numRuns: 100 },
  )
})

it('asks again what others hold, however often it is called meanwhile', async () => {
  let now = noon
  const store = openMemoryLimitStore()
  const [one, other] = ['a', 'b'].map((node) =>
    openTestLimiter([{ amount: 2, measure: 'running', window: 'now' }], {
      isShared: true,
      node,
      store,
      clock: () => now,
    }),
  )
  if (one === undefined || other === undefined) throw new Error('there are two')
  const held = [await enter(one), await enter(one)]
  const lets = async (): Promise<boolean> => {
    now += 10
    return isLet(await enter(other))
  }
  expect(await lets()).toBe(false)
  for (const entry of held) if (isLet(entry)) entry.settle(use(0, 0))
  await one.renew()
  await one.renew()
  const answers: boolean[] = []
  while (answers.length < 50 && !answers.includes(true)) answers.push(await lets())
  expect(answers).toHaveLength(10)
})

it('counts each end user of an account by itself, and none without one', async () => {
  const limiter = openTestLimiter([{ amount: 1, subjects: [{ kind: 'end_user' }] }], { clock: () => noon })
  const as = (endUser: string | undefined, user = 1) => enter(limiter, {}, limitedCall({ endUser, user }))
  expect(isLet(await as('ann'))).toBe(true)
  const second = await as('ann')
  expect((second as LimitRefusal).message).toContain('of end user ann is reached')
  expect(isLet(await as('bob'))).toBe(true)
  expect(isLet(await as('ann', 2))).toBe(true)
  expect(await as(undefined)).toBeUndefined()
  expect((await limiter.countersOfLimit(1)).map(({ values }) => values)).toEqual([['1/ann'], ['1/bob'], ['2/ann']])
})

it('counts calls without a deadline apart from those that have one', async () => {
  const subjects = [{ kind: 'group' as const }, { kind: 'deadline' as const, value: 'without' }]
  const limiter = openTestLimiter([{ amount: 1, subjects }], { clock: () => noon })
  const as = (lane?: { readonly leavesTime: boolean }) => enter(limiter, {}, { ...limitedCall({}), lane })
  expect(await as({ leavesTime: true })).toBeUndefined()
  expect(isLet(await as())).toBe(true)
  expect(await as({ leavesTime: true })).toBeUndefined()
  const refused = await as({ leavesTime: false })
  expect((refused as LimitRefusal).message).toContain('of group default, calls without a deadline is reached')
})

it('counts one end user where a limit names it', async () => {
  const limiter = openTestLimiter([{ amount: 1, subjects: [{ kind: 'end_user', value: 'ann' }] }], {
    clock: () => noon,
  })
  const as = (endUser: string) => enter(limiter, {}, limitedCall({ endUser }))
  expect(isLet(await as('ann'))).toBe(true)
  expect(isLet(await as('ann'))).toBe(false)
  expect(await as('anna')).toBeUndefined()
})

it('counts a cost tag, or each of its values', async () => {
  const limiter = openTestLimiter(
    [
      { name: 'one', amount: 1, subjects: [{ kind: 'tag', value: 'env=test' }] },
      { name: 'each', amount: 2, subjects: [{ kind: 'tag', value: 'team' }] },
    ],
    { clock: () => noon },
  )
  const as = (tags: string, ofKey?: string) => {
    const call = limitedCall({ tags })
    return enter(
      limiter,
      {},
      ofKey === undefined ? call : { ...call, tags: undefined, caller: { ...call.caller, tags: ofKey } },
    )
  }
  expect(isLet(await as(';env=test;'))).toBe(true)
  expect(isLet(await as(';a=b;env=test;'))).toBe(false)
  expect(await as(';env=testing;')).toBeUndefined()
  expect(isLet(await as('', ';team=red;'))).toBe(true)
  expect(isLet(await as(';team=red;'))).toBe(true)
  expect(isLet(await as(';team=red;'))).toBe(false)
  expect(isLet(await as(';team=blue;'))).toBe(true)
})

it('a client that makes up end users or tags harms no other account, and nobody keeps them all', async () => {
  const limiter = openTestLimiter([{ amount: 2, subjects: [{ kind: 'end_user' }] }], { clock: () => noon })
  for (let made = 0; made < 5002; made += 1)
    expect(isLet(await enter(limiter, {}, limitedCall({ endUser: `u${made}` })))).toBe(true)
  // Values beyond the bound share one counter.
  expect(isLet(await enter(limiter, {}, limitedCall({ endUser: 'one more' })))).toBe(false)
  expect(isLet(await enter(limiter, {}, limitedCall({ endUser: 'u7' })))).toBe(true)
  expect(isLet(await enter(limiter, {}, limitedCall({ endUser: 'ann', user: 2 })))).toBe(true)
  expect((await limiter.countersOfLimit(1)).length).toBe(5002)
})

it('says that it is off while nothing is limited, and which channels it limits', () => {
  const limiter = openTestLimiter([], { clock: () => noon })
  const state = () => [limiter.all !== undefined, limiter.ofChannels !== undefined]
  expect(state()).toEqual([false, false])
  limiter.setLimits([aLimit({ amount: 1 })])
  expect(state()).toEqual([true, false])
  limiter.setLimits([aLimit({ amount: 1, subjects: [{ kind: 'channel', value: '1' }] })])
  expect(state()).toEqual([true, true])
  limiter.setLimits([])
  expect(state()).toEqual([false, false])
})
