import { type LimitChange, limitChange, mostLimits } from '@tollgate/contract'
import type { MappedKind } from '../row-map.ts'
import type { ImportRun } from '../run.ts'
import type { MovedLimit, MovedSubject } from '../site.ts'

const rowsOfSubjects: Readonly<Record<Exclude<MovedSubject, 'group'>, MappedKind>> = {
  key: 'token',
  user: 'user',
  organisation: 'wallet',
  team: 'team',
  project: 'project',
  channel: 'channel',
}

interface Chosen {
  readonly sourceId: string
  readonly change: LimitChange
  readonly used: number
}

/** Moves budgets that renew themselves and limits of rate, as limits of the site. */
export const createLimitWriter = (run: ImportRun) => {
  const { map, target, notes } = run

  /** `isVirtual` says that a virtual model of the limit's model came along: its calls are no calls of the model itself. */
  const changeOf = (
    limit: MovedLimit,
    {
      id,
      memberId,
      isVirtual,
    }: { readonly id: number | string; readonly memberId: number; readonly isVirtual: boolean },
  ): LimitChange => {
    const kind = limit.subject.kind === 'organisation' ? 'user' : limit.subject.kind
    const subjects: LimitChange['subjects'] = [{ kind, value: String(id) }]
    // Of a group each user has a count of its own.
    if (kind === 'group') subjects.push({ kind: 'user', value: '' })
    if (limit.model !== '') subjects.push({ kind: isVirtual ? 'virtual_model' : 'model', value: limit.model })
    if (limit.memberId !== '') subjects.push({ kind: 'member', value: String(memberId) })
    return limitChange.parse({
      name: limit.name,
      measure: limit.measure,
      amount: limit.amount,
      window: limit.window,
      hours: limit.hours,
      time_zone: limit.timeZone,
      subjects,
      tell_at: limit.tellAt,
    })
  }

  const choose = async (limits: readonly MovedLimit[]): Promise<readonly Chosen[]> => {
    const chosen: Chosen[] = []
    for (const limit of limits) {
      const { kind, sourceId } = limit.subject
      // A group has no row: it is its name.
      const id = kind === 'group' ? sourceId : (await map.known(rowsOfSubjects[kind], [sourceId])).get(sourceId)
      const member = (await map.known('user', [limit.memberId])).get(limit.memberId)
      const memberId = limit.memberId === '' ? 0 : member
      const isVirtual = (await map.known('virtual_model', [limit.model])).size > 0
      if (id === undefined || memberId === undefined) notes.note('limit_no_subject', limit.name)
      else
        chosen.push({
          sourceId: limit.sourceId,
          change: changeOf(limit, { id, memberId, isVirtual }),
          used: limit.used,
        })
    }
    return chosen
  }

  /** Answers how many there was room for. */
  const insertAll = (chosen: readonly Chosen[]): Promise<number> =>
    target.database.transaction(async (trx) => {
      const made = new Map<string, number>()
      for (const { sourceId, change, used } of chosen) {
        const id = await target.addLimit(trx, change, used)
        if (id === undefined) notes.note('limits_full', change.name)
        else made.set(sourceId, id)
      }
      await map.add(trx, 'limit', made)
      return made.size
    })

  let planned = 0
  const plan = (chosen: readonly Chosen[]): number => {
    const room = Math.max(0, mostLimits - planned)
    for (const { change } of chosen.slice(room)) notes.note('limits_full', change.name)
    planned += chosen.length
    return Math.min(room, chosen.length)
  }

  return {
    async write(page: readonly MovedLimit[]): Promise<void> {
      if (page.length === 0) return
      const limits = [...new Map(page.map((limit) => [limit.sourceId, limit])).values()]
      const known = await map.known(
        'limit',
        limits.map(({ sourceId }) => sourceId),
      )
      const chosen = await choose(limits.filter(({ sourceId }) => !known.has(sourceId)))
      const carried = run.dryRun ? plan(chosen) : await insertAll(chosen)
      run.count('limit', { found: limits.length, known: known.size, carried })
    },
  }
}
