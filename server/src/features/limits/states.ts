import type { LimitState, NamedSubject } from '@tollgate/contract'
import type { Database } from '../../db/database.ts'
import type { LimitedCall } from '../../limits/call-limits.ts'
import type { Counter } from '../../limits/counter.ts'
import { subjectsFor, subjectText } from '../../limits/limit-texts.ts'
import type { Limiter } from '../../limits/limiter.ts'
import { rollingUsedUpAt, usedUpAt } from '../../limits/pace.ts'

/** Resets further away than this, in milliseconds, count as never for a reader. */
const longest = 366 * 86_400_000
const hour = 3_600_000

/** Subjects of a counter; only the ids are known. */
export const subjectsOf = ({ compiled, values }: Counter): Omit<NamedSubject, 'name'>[] =>
  compiled.limit.subjects.map(({ kind }, index) => ({ kind, value: values[index] ?? '' }))

/** Windows with an end over which a pace says something. */
const forecastWindows: ReadonlySet<string> = new Set(['hour', 'day', 'week', 'month'])

/** Unix seconds at which a counter is used up at its pace so far; 0 where it lasts or nothing can be said. */
export const forecastOf = (counter: Counter, now: number): number => {
  const { limit, window } = counter.compiled
  const standing = { used: counter.usedByAll, amount: limit.amount, pieces: counter.pieces }
  const at =
    limit.window === 'rolling'
      ? rollingUsedUpAt(standing, { length: limit.hours * hour, freeAt: window.freeAt }, now)
      : forecastWindows.has(limit.window)
        ? usedUpAt(standing, window.pieceAt(now), now)
        : undefined
  return at === undefined ? 0 : Math.ceil(at / 1000)
}

/** State of a counter, with its subjects by name. */
export const stateOf = (counter: Counter, subjects: readonly NamedSubject[], now: number): LimitState => {
  const { limit } = counter.compiled
  const left = counter.leftAt(now)
  const freeAt = counter.freeAt()
  return {
    id: limit.id,
    name: limit.name,
    measure: limit.measure,
    window: limit.window,
    hours: limit.hours,
    refuses: counter.compiled.refuses,
    fallback_model: limit.fallback_model,
    subject: subjectText(subjects).en,
    subjects: [...subjects],
    amount: limit.amount,
    used: limit.measure === 'running' ? limit.amount - left : counter.usedByAll,
    left,
    free_at: freeAt - now > longest ? 0 : Math.ceil(freeAt / 1000),
    used_up_at: forecastOf(counter, now),
  }
}

/** States of all counters that count a caller's calls. */
export const limitStatesOf = async (
  limiter: Pick<Limiter, 'countersOf'>,
  call: LimitedCall,
  now: number,
): Promise<LimitState[]> =>
  (await limiter.countersOf(call)).map((counter) => stateOf(counter, subjectsFor(counter, call), now))

/** A call of a user without a key; undefined where there is no such user. */
export const callOfUser = async ({ query }: Pick<Database, 'query'>, id: number): Promise<LimitedCall | undefined> => {
  const row = await query
    .selectFrom('users')
    .select(['id', 'username', 'group'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (row === undefined) return undefined
  const caller = { userId: row.id, username: row.username, tokenId: 0, tokenName: '', group: row.group }
  return { caller, model: '', ip: '' }
}

/** A call of a key, without model and address; undefined where there is no such key. `owner` bounds it to keys of a user. */
export const callOfKey = async (
  { query }: Pick<Database, 'query'>,
  key: number,
  owner?: number,
): Promise<LimitedCall | undefined> => {
  const rows = query
    .selectFrom('tokens')
    .innerJoin('users', 'users.id', 'tokens.user_id')
    .leftJoin('projects', 'projects.id', 'tokens.project_id')
    .select(['tokens.id', 'tokens.name', 'tokens.group', 'users.id as userId', 'users.username'])
    .select(['users.group as userGroup', 'projects.id as projectId', 'projects.team_id as teamId', 'tokens.member_id'])
    .where('tokens.id', '=', key)
    .where('tokens.deleted_at', 'is', null)
  const row = await (owner === undefined ? rows : rows.where('tokens.user_id', '=', owner)).executeTakeFirst()
  if (row === undefined) return undefined
  const caller = {
    userId: row.userId,
    username: row.username,
    tokenId: row.id,
    tokenName: row.name,
    group: row.group || row.userGroup,
  }
  const { projectId, teamId, member_id: memberId } = row
  if (projectId === null) return { caller, model: '', ip: '' }
  return { caller: { ...caller, project: { id: projectId, teamId: teamId ?? 0, memberId } }, model: '', ip: '' }
}
