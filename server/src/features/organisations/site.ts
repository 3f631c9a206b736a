import { type DataOf, type listSiteOrganisations, mostSiteOrganisations, role } from '@tollgate/contract'
import type { Kysely } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { Tables } from '../../db/schema.ts'
import { joinableBy } from './invitations.ts'
import { notSuspended } from './rights.ts'

/** The organisations of the site whose name contains the keyword, the newest first. */
export const siteOrganisations = async (
  on: Kysely<Tables>,
  keyword: string,
): Promise<DataOf<typeof listSiteOrganisations>> => {
  const rows = await on
    .selectFrom('organisations as o')
    .innerJoin('users as w', 'w.id', 'o.wallet_user_id')
    .select(['o.id', 'o.name', 'o.domain', 'o.wallet_user_id', 'o.created_time'])
    .select(['w.quota as balance', 'w.used_quota as used'])
    .select(({ selectFrom }) =>
      selectFrom('memberships as m')
        .whereRef('m.organisation_id', '=', 'o.id')
        .select(({ fn }) => fn.count<number>('m.user_id').distinct().as('count'))
        .as('members'),
    )
    .where('o.deleted_at', 'is', null)
    .orderBy('o.id', 'desc')
    .limit(mostSiteOrganisations)
    .execute()
  const wanted = keyword.trim().toLowerCase()
  return rows
    .filter(({ name }) => name.toLowerCase().includes(wanted))
    .map((row) => ({ ...row, members: Number(row.members ?? 0) }))
}

/** Access of a signed-in user to organisations; administrators see them once the site has one. */
export const organisationsFor = async (
  database: Pick<Database, 'query'>,
  user: { readonly id: number; readonly role: number },
  usersFound: boolean,
): Promise<'belongs' | 'open' | 'closed'> => {
  const { query } = database
  const isAdmin = user.role >= role.admin
  const own = query.selectFrom('memberships as m').select('m.id').where('m.user_id', '=', user.id).where(notSuspended)
  const any = query.selectFrom('organisations').select('id').where('deleted_at', 'is', null)
  const [seen] = await (isAdmin ? any.limit(1).execute() : own.limit(1).execute())
  if (seen !== undefined) return 'belongs'
  return isAdmin || usersFound || (await joinableBy({ database }, user.id)).length > 0 ? 'open' : 'closed'
}
