import {
  beginSecondFactor,
  disableSecondFactor,
  enableSecondFactor,
  getSecondFactor,
  replaceRecoveryCodes,
  resetSecondFactor,
} from '@tollgate/contract'
import { rankedActorOf } from '../../http/actor.ts'
import type { On } from '../../http/route.ts'
import type { SecondFactors } from './second-factor.ts'

/** The console's calls for the own second factor, and an admin's for those who lost theirs. */
export const secondFactorRoutes = (on: On, factors: SecondFactors): void => {
  on(getSecondFactor, async ({ caller }) => ({ data: await factors.state(caller.id) }))
  on(beginSecondFactor, async (call) => ({ data: await factors.begin(rankedActorOf(call)) }))
  on(enableSecondFactor, async (call) => ({
    data: { recovery_codes: await factors.enable(rankedActorOf(call), call.body.code) },
  }))
  on(disableSecondFactor, async (call) => {
    await factors.disable(rankedActorOf(call))
    return {}
  })
  on(replaceRecoveryCodes, async (call) => ({
    data: { recovery_codes: await factors.replaceCodes(rankedActorOf(call)) },
  }))
  on(resetSecondFactor, async (call) => {
    await factors.reset(rankedActorOf(call), call.params.id)
    return {}
  })
}
