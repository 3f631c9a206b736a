import { type LimitSubject, limitSubjects } from '@tollgate/contract'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { aLimit, limitedCall, openTestLimiter } from '../../test/support/limits/limiter.ts'
import type { CallNeed, CallUse, LimitEntry, LimitedCall } from './call-limits.ts'
import type { Limiter } from './limiter.ts'

/** Calls with a plan are counted by the same limits as calls without one, also by plans from before a change of the limits. */

const models = ['gpt-5', 'gpt-5-mini', 'claude'] as const
const model = fc.constantFrom(...models)

const valuesOf: Readonly<Record<LimitSubject, readonly string[]>> = {
  key: ['', '1', '2'],
  user: ['', '1', '2'],
  team: ['', '1'],
  project: ['', '1', '2'],
  member: ['', '1'],
  end_user: ['', 'eve'],
  tag: ['team', 'team=a'],
  group: ['', 'default', 'vip'],
  model: ['', ...models],
  virtual_model: ['', 'clever'],
  address: ['', '192.0.2.1'],
  deadline: ['', 'with', 'without'],
  channel: ['', '1', '2'],
  upstream_key: ['', '1:7'],
}

const subject = fc
  .constantFrom(...limitSubjects)
  .chain((kind) => fc.record({ kind: fc.constant(kind), value: fc.constantFrom(...valuesOf[kind]) }))
const rule = fc
  .uniqueArray(subject, { minLength: 1, maxLength: 2, selector: ({ kind }) => kind })
  .map((subjects) => ({ subjects, amount: 1_000_000, measure: 'output_tokens' as const }))
const rules = fc.array(rule, { maxLength: 6 })

const rarely = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 3 })
const project = fc.record({ id: fc.constantFrom(1, 2), teamId: fc.constant(1), memberId: fc.constantFrom(0, 1) })
const call = fc
  .record({
    tokenId: fc.constantFrom(0, 1, 2),
    userId: fc.constantFrom(1, 2),
    group: fc.constantFrom('default', 'vip'),
    project: fc.option(project, { nil: undefined }),
    tags: rarely(fc.constantFrom(';team=a;', ';team=b;')),
    endUser: rarely(fc.constantFrom('eve', 'bob')),
    ip: fc.constantFrom('192.0.2.1', '192.0.2.2'),
    model,
    isVirtual: fc.boolean(),
    target: model,
    named: rarely(fc.uniqueArray(model, { minLength: 1 })),
    versions: rarely(fc.uniqueArray(model, { minLength: 1 })),
    answeredBy: rarely(model),
    lane: rarely(fc.record({ leavesTime: fc.boolean() })),
    channel: fc.constantFrom(1, 2),
  })
  .map(({ tokenId, userId, group, project: own, isVirtual, target, answeredBy, channel, ...rest }) => {
    const limited: LimitedCall = limitedCall({
      ...rest,
      ...(isVirtual ? { model: 'clever', route: {} } : {}),
      caller: { userId, username: 'u', tokenId, tokenName: 'k', group, ...(own === undefined ? {} : { project: own }) },
    })
    const attempt = { ...limited, channel: { id: channel, name: '', seed: 7 }, target: { model: target } }
    return { limited, attempt: isVirtual ? attempt : { ...attempt, target: undefined }, answeredBy }
  })

const need: CallNeed = { input: 0, output: 10, money: 0 }
const nothing = { promptTokens: 0, completionTokens: 0, quota: 0 }

const useOf = (other: string | undefined): CallUse => {
  const own = { ...nothing, completionTokens: 3 }
  if (other === undefined) return own
  const others = [{ ...nothing, completionTokens: 4, model: other, isCalled: (name: string) => name === other }]
  return { ...nothing, completionTokens: 7, byModel: { own, others } }
}

interface CountedSite {
  readonly limiter: Limiter
  enter(at: typeof call extends fc.Arbitrary<infer Made> ? Made : never): Promise<void>
}

/** Counts a call as the relay does, at entry, at its channel and at its end. */
const openSite = (isPlanned: boolean): CountedSite => {
  const limiter = openTestLimiter([])
  const plans = new Map<string, NonNullable<LimitedCall['plan']>>()
  const planOf = ({ caller, model: name, route }: LimitedCall) => {
    const key = JSON.stringify([caller, name, route])
    // A plan that is never made anew stands for calls that begin before a change and go on after it.
    const plan = plans.get(key) ?? { limits: limiter.plannedFor({ caller, model: name, route }) }
    plans.set(key, plan)
    return plan
  }
  return {
    limiter,
    async enter({ limited, attempt, answeredBy }) {
      const plan = isPlanned ? planOf(limited) : undefined
      const use = useOf(answeredBy)
      const entry: LimitEntry | undefined = await limiter.enter({ ...limited, plan }, need)
      const atChannel = await limiter.ofChannels?.enter({ ...attempt, plan }, need)
      entry?.settle(use)
      atChannel?.settle(use)
      if (entry === undefined && use.byModel !== undefined) limiter.addModels({ ...limited, plan }, use.byModel.others)
    },
  }
}

const countsOf = async ({ limiter }: CountedSite, count: number) => {
  const counts: (readonly [name: string, used: number])[] = []
  for (let id = 1; id <= count; id += 1)
    for (const counter of await limiter.countersOfLimit(id))
      if (counter.usedByAll > 0) counts.push([counter.name, counter.usedByAll])
  return counts.toSorted(([one], [other]) => one.localeCompare(other))
}

it('counts planned calls as it counts others, also where limits change', () =>
  fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(rules, fc.array(call, { maxLength: 6 })), { maxLength: 3 }), async (history) => {
      const sites = [openSite(true), openSite(false)] as const
      for (const [next, calls] of history) {
        for (const { limiter } of sites) limiter.setLimits(next.map((one, index) => aLimit(one, index + 1)))
        for (const one of calls) for (const site of sites) await site.enter(one)
        const [planned, others] = [await countsOf(sites[0], next.length), await countsOf(sites[1], next.length)]
        expect(planned).toEqual(others)
      }
    }),
    { numRuns: 300 },
  ))

it('leaves out of a plan the limits that cannot count its calls', () => {
  const limiter = openTestLimiter([
    { name: 'another key', subjects: [{ kind: 'key', value: '9' }] },
    { name: 'another group, by address', subjects: [{ kind: 'group', value: 'vip' }, { kind: 'address' }] },
    { name: 'another model', subjects: [{ kind: 'model', value: 'claude' }] },
    { name: 'each member', subjects: [{ kind: 'member' }] },
    { name: 'a channel for another user', subjects: [{ kind: 'channel' }, { kind: 'user', value: '9' }] },
  ])
  const planned = limiter.plannedFor(limitedCall())
  expect(planned).toMatchObject({ calls: [], models: [{ name: 'another model' }], channels: [] })
  limiter.setLimits([aLimit({ subjects: [{ kind: 'key', value: '9' }] })])
  expect(limiter.plannedFor(limitedCall())).toBeUndefined()
  expect(limiter.plannedFor(limitedCall({ key: 9, caller: { ...limitedCall().caller, tokenId: 9 } }))).toMatchObject({
    calls: [{ subjects: [{ kind: 'key', value: '9' }] }],
  })
})
