import { expect, it } from 'vitest'
import {
  openTestChannels,
  testCaller,
  testChannel,
  testOptions,
  testPrices,
} from '../../../test/support/relay/ports.ts'
import { AppError } from '../../lib/app-error.ts'
import type { PlanKind } from '../../relay/plan/call-plan.ts'
import { openSourceVersion } from '../../relay/plan/source-version.ts'
import { createCallPlans } from './call-plans.ts'

const kinds: readonly PlanKind[] = ['relay', 'written', 'session', 'kept', 'task', 'raw']

/** Kinds of calls that a caller is refused because of lanes, and whether direct calls are. */
const refusedTo = (caller: typeof testCaller, asserts: boolean): readonly string[] => {
  const deadlines = {
    assertStated: () => {
      throw new AppError('internal_error')
    },
  }
  const passthrough = {
    groups: new Set([caller.group]),
    keys: new Set<number>(),
    paths: [],
    shared: true,
    price: undefined,
  }
  const channel = testChannel({ passthrough })
  const plans = createCallPlans({
    channels: openTestChannels(channel),
    sources: openSourceVersion(),
    prices: testPrices(),
    options: () => testOptions,
    ...(asserts && { deadlines }),
  })
  const isRefused = (plan: () => unknown): boolean => {
    try {
      plan()
      return false
    } catch (error) {
      expect(error).toMatchObject({ code: 'internal_error' })
      return true
    }
  }
  const moment = { startedAt: 0, model: '' }
  const refused = kinds.filter((kind) => isRefused(() => plans.admitted(moment, caller, { kind, name: 'gpt-4o' })))
  return isRefused(() => plans.direct(caller, channel.id)) ? [...refused, 'direct'] : refused
}

it('refuses a key for calls with a deadline all kinds of calls that have no lanes', () => {
  const caller = { ...testCaller, deadlineOnly: true as const }
  expect(refusedTo(caller, true)).toEqual(['session', 'kept', 'task', 'raw', 'direct'])
  expect(refusedTo(testCaller, true)).toEqual([])
  expect(refusedTo(caller, false)).toEqual([])
})
