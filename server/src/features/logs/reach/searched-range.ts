import { logType } from '@tollgate/contract'
import type { Database } from '../../../db/database.ts'
import { fitsBesideModel, fitsWithModel, type LogColumn, type LogFilter, leadersOf } from '../filter.ts'

/** Part of a range that is searched for a filter. */
export interface LogReach {
  /** The filter, which begins later where `from` is there. */
  readonly filter: LogFilter
  /** Older rows are not looked at; unix seconds. Absent where all are. */
  readonly from?: number
}

/** Rows that are looked through at most: those of a time lie side by side, those of a filter anywhere. */
export interface MostLooked {
  readonly ofTime: number
  readonly ofFilter: number
}

const usual: MostLooked = { ofTime: 20_000, ofFilter: 5_000 }

export interface LogReachParts {
  readonly database: Database
  /** True if the sums say where the rows of a filter are. */
  help(filter: LogFilter): boolean
  /** The models whose rows are asked for, each along its index; undefined where they are too many. */
  modelsOf(model: string): Promise<readonly string[] | undefined>
  readonly most?: MostLooked | undefined
}

/** Columns of the log in a filter, those with an index first. */
const parts: readonly (readonly [
  column: LogColumn | 'tag' | 'end' | 'client' | 'quota',
  isAsked: (filter: LogFilter) => boolean,
])[] = [
  ['user_id', ({ userId }) => userId !== undefined],
  ['type', ({ type }) => Boolean(type)],
  ['token_name', ({ tokenName }) => tokenName !== ''],
  ['model_name', ({ model }) => model !== ''],
  ['channel_id', ({ channel }) => Boolean(channel)],
  ['group', ({ group }) => group !== ''],
  ['token_id', ({ tokenId, tokenIds }) => tokenId !== undefined || tokenIds !== undefined],
  ['tag', ({ tag }) => Boolean(tag)],
  ['end', ({ end }) => Boolean(end)],
  ['client', ({ client }) => Boolean(client)],
  ['quota', ({ minQuota }) => Boolean(minQuota)],
]

const onlyTime = ({ from, to }: LogFilter): LogFilter => ({
  from,
  to,
  tokenName: '',
  model: '',
  group: '',
  requestId: '',
})

/** The part of a filter that one index knows, and whether anything is left that it does not know. */
const splitFilter = (filter: LogFilter): { known: LogFilter; isWhole: boolean; isOfTime: boolean } => {
  const leaders: readonly string[] = leadersOf(filter)
  const asked = parts.filter(([, isAsked]) => isAsked(filter)).map(([column]) => column)
  const led = asked.filter((column) => leaders.includes(column))
  const known: LogFilter = {
    ...onlyTime(filter),
    ...(led.includes('user_id') && { userId: filter.userId }),
    ...(led.includes('type') && { type: filter.type }),
    ...(led.includes('token_name') && { tokenName: filter.tokenName }),
    ...(led.includes('model_name') && { model: filter.model }),
    ...(led.includes('channel_id') && { channel: filter.channel }),
  }
  // Nearly all rows are charges, so they lie side by side, too.
  const isOfTime = led.every((column) => column === 'type' && filter.type === logType.consume)
  return { known, isWhole: led.length === asked.length, isOfTime }
}

/** True if a filter names a call or a session: these have few rows. */
const namesCalls = ({ requestId, providerRequestId, answerId, session }: LogFilter): boolean =>
  Boolean(requestId || providerRequestId || answerId || session)

/**
 * Bounds what is looked through where neither an index nor the sums know a filter: how calls ended, what made them, cost tags, what
 * is left out, kinds of entries that are no requests. Rows that fit may be as rare as one in millions, so only the newest rows of the
 * range are looked at, and the list says from when on.
 */
export const createLogReach = ({ database, help, modelsOf, most = usual }: LogReachParts) => {
  const { query, engine } = database

  /** When the row was written that comes after so many; undefined where there are fewer. */
  const momentAfter = async (rows: number, { known, model }: { known: LogFilter; model?: string }) => {
    const row = await query
      .selectFrom('logs')
      .select('created_at')
      .where(model === undefined ? fitsBesideModel(known, engine) : fitsWithModel(known, model, engine))
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .offset(rows)
      .limit(1)
      .executeTakeFirst()
    return row?.created_at
  }

  const momentsOf = async (filter: LogFilter): Promise<readonly (number | undefined)[]> => {
    const { known, isWhole, isOfTime } = splitFilter(filter)
    if (known.model === '') return isWhole ? [] : [await momentAfter(isOfTime ? most.ofTime : most.ofFilter, { known })]
    const models = await modelsOf(known.model)
    if (models === undefined) return [await momentAfter(most.ofTime, { known: onlyTime(filter) })]
    const each = Math.ceil(most.ofFilter / models.length)
    return isWhole ? [] : Promise.all(models.map((model) => momentAfter(each, { known, model })))
  }

  return async (filter: LogFilter): Promise<LogReach> => {
    if (namesCalls(filter) || help(filter)) return { filter }
    const moments = (await momentsOf(filter)).filter((moment) => moment !== undefined)
    if (moments.length === 0) return { filter }
    const from = Math.max(...moments)
    return { filter: { ...filter, from }, from }
  }
}
