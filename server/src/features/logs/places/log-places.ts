import type { LogPlace } from '@tollgate/contract'
import type { Database } from '../../../db/database.ts'

/** Which calls are meant by whose keys they went with; absent parts do not filter. A member of 0 stands for machines. */
export interface PlaceFilter {
  readonly organisation?: number | undefined
  readonly project?: number | undefined
  readonly member?: number | undefined
}

/** Organisations of the log's calls, by their keys. */
export interface LogPlaces {
  /** The projects that these keys belong to, by key; those of people's own keys are not among them. */
  ofKeys(ids: readonly number[]): Promise<ReadonlyMap<number, LogPlace>>
  /** The keys of an organisation, a project or a member, deleted ones included: their calls stay. */
  keysOf(filter: PlaceFilter): Promise<PlaceKeys>
}

export interface PlaceKeys {
  readonly ids: readonly number[]
  /** The users that all of them are paid by: the log has an index over users, none over keys. */
  readonly wallets: readonly number[]
}

export const openLogPlaces = ({ query }: Pick<Database, 'query'>): LogPlaces => {
  const keys = () =>
    query
      .selectFrom('tokens as t')
      .innerJoin('projects as p', 'p.id', 't.project_id')
      .innerJoin('organisations as o', 'o.wallet_user_id', 't.user_id')

  return {
    async ofKeys(ids) {
      if (ids.length === 0) return new Map()
      const rows = await keys()
        .leftJoin('users as m', 'm.id', 't.member_id')
        .select(['t.id', 't.member_id', 'p.id as project_id', 'p.name as project', 'o.id as organisation_id'])
        .select(['o.name as organisation', 'm.username', 'm.display_name'])
        .where('t.id', 'in', [...ids])
        .execute()
      return new Map(
        rows.map((row) => [
          row.id,
          {
            organisation: { id: row.organisation_id, name: row.organisation },
            project: { id: row.project_id, name: row.project },
            member: row.member_id > 0 ? { id: row.member_id, name: row.display_name || row.username || '' } : null,
          },
        ]),
      )
    },

    async keysOf({ organisation, project, member }) {
      const rows = await keys()
        .select(['t.id', 't.user_id'])
        .$if(organisation !== undefined, (all) => all.where('o.id', '=', organisation ?? 0))
        .$if(project !== undefined, (all) => all.where('p.id', '=', project ?? 0))
        .$if(member !== undefined, (all) => all.where('t.member_id', '=', member ?? 0))
        .execute()
      return { ids: rows.map(({ id }) => id), wallets: [...new Set(rows.map(({ user_id }) => user_id))] }
    },
  }
}
