import {
  beginSecondFactor,
  disableSecondFactor,
  enableSecondFactor,
  getSecondFactor,
  replaceRecoveryCodes,
  resetSecondFactor,
} from '@tollgate/contract'
import type { Caller, On } from '../../http/route.ts'
import type { Actor, SecondFactors } from './second-factor.ts'

const actorOf = ({ caller, ip }: { caller: Caller; ip: string }): Actor => ({
  id: caller.id,
  username: caller.username,
  role: caller.role,
  ip,
})

/** The console's calls for the own second factor, and an admin's for those who lost theirs. */
export const secondFactorRoutes = (on: On, factors: SecondFactors): void => {
  on(getSecondFactor, async ({ caller }) => ({ data: await factors.state(caller.id) }))
  on(beginSecondFactor, async (call) => ({ data: await factors.begin(actorOf(call)) }))
  on(enableSecondFactor, async (call) => ({
    data: { recovery_codes: await factors.enable(actorOf(call), call.body.code) },
  }))
  on(disableSecondFactor, async (call) => {
    await factors.disable(actorOf(call))
    return {}
  })
  on(replaceRecoveryCodes, async (call) => ({ data: { recovery_codes: await factors.replaceCodes(actorOf(call)) } }))
  on(resetSecondFactor, async (call) => {
    await factors.reset(actorOf(call), call.params.id)
    return {}
  })
}
