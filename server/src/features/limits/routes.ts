import {
  createLimit,
  createOwnLimit,
  deleteLimit,
  deleteOwnLimit,
  findLimitSubjects,
  findOwnLimitSubjects,
  type LimitState,
  listLimits,
  listOwnLimits,
  readLimitStanding,
  readLimitStates,
  readOwnLimitStanding,
  readOwnLimitStates,
  updateLimit,
  updateOwnLimit,
} from '@tollgate/contract'
import type { Database } from '../../db/database.ts'
import type { ConsoleCaller, On } from '../../http/route.ts'
import { AppError } from '../../lib/app-error.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Limiter } from '../../limits/limiter.ts'
import type { ChannelNames } from './channel-names.ts'
import type { Limits } from './limits.ts'
import { limitStandings } from './standing.ts'
import { callOfKey, callOfUser, limitStatesOf } from './states.ts'
import { findSubjects } from './subject-names.ts'

export interface LimitRouteParts {
  readonly limits: Limits
  readonly limiter: Pick<Limiter, 'countersOf' | 'countersOfLimit'>
  readonly database: Pick<Database, 'query'>
  readonly channels: ChannelNames
  readonly clock: Clock
}

const actorOf = ({ caller: { id, username }, ip }: { readonly caller: ConsoleCaller; readonly ip: string }) => ({
  id,
  username,
  ip,
})

/** Routes of limits: for operators, and for users with limits of their own keys. */
export const limitRoutes = (on: On, { limits, limiter, database, channels, clock }: LimitRouteParts): void => {
  const sources = { query: database.query, channels }
  const states = async (key: number, user: number, owner?: number): Promise<LimitState[]> => {
    const call = await (key === 0 ? callOfUser(database, user) : callOfKey(database, key, owner))
    if (call === undefined) throw new AppError('not_found')
    return limitStatesOf(limiter, call, clock())
  }

  const standing = async (owner?: number) => ({
    data: await limitStandings({ limiter, sources }, await limits.list(owner), clock()),
  })

  on(listLimits, async () => ({ data: await limits.list() }))
  on(createLimit, async (call) => ({ data: await limits.create(call.body, actorOf(call)) }))
  on(updateLimit, async (call) => ({ data: await limits.update(call.params.id, call.body, actorOf(call)) }))
  on(deleteLimit, async (call) => {
    await limits.remove(call.params.id, actorOf(call))
    return {}
  })
  on(readLimitStates, async ({ query, caller }) => ({ data: await states(query.key, query.user || caller.id) }))

  on(readLimitStanding, () => standing())
  on(findLimitSubjects, async ({ query: { kind, keyword } }) => ({
    data: await findSubjects(sources, kind, keyword),
  }))

  on(listOwnLimits, async ({ caller }) => ({ data: await limits.list(caller.id) }))
  on(createOwnLimit, async (call) => ({ data: await limits.create(call.body, actorOf(call), call.caller.id) }))
  on(updateOwnLimit, async (call) => ({
    data: await limits.update(call.params.id, call.body, actorOf(call), call.caller.id),
  }))
  on(deleteOwnLimit, async (call) => {
    await limits.remove(call.params.id, actorOf(call), call.caller.id)
    return {}
  })
  on(readOwnLimitStates, async ({ query, caller }) => ({ data: await states(query.key, caller.id, caller.id) }))
  on(readOwnLimitStanding, ({ caller }) => standing(caller.id))
  on(findOwnLimitSubjects, async ({ query: { kind, keyword }, caller }) => ({
    data: await findSubjects(sources, kind, keyword, caller.id),
  }))
}
