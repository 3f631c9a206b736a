import type { Kysely } from 'kysely'
import type { Tables } from '../../db/schema.ts'
import type { ReadableTasks } from '../../http/organisation-tasks.ts'
import { AppError } from '../../lib/app-error.ts'
import { accessTo, may, type OrganisationAccess } from './rights.ts'
import { keysOf, readableKeys } from './spend.ts'

/** Readable part of an organisation: all calls that its wallet paid, or those of some of its keys. */
export interface WalletScope {
  /** The wallet. */
  readonly userId: number
  readonly tokenIds?: readonly number[]
}

/** The figures that the person may read. */
export const figureScopeOf = async (on: Kysely<Tables>, access: OrganisationAccess): Promise<WalletScope> => {
  const { walletId: userId } = access
  if (may(access, 'read_all')) return { userId }
  return { userId, tokenIds: (await readableKeys(on, access)).map(({ id }) => id) }
}

/** The tasks that the person may read, of a project and a member; 0 for any. Those whose key is not known go to who reads all. */
export const readableTasksOf = async (
  on: Kysely<Tables>,
  access: OrganisationAccess,
  filter: { readonly project_id: number; readonly member_id: number },
): Promise<ReadableTasks> => {
  const keys = await readableKeys(on, access)
  const byId = new Map(keys.map((key) => [key.id, key]))
  const readsAll = may(access, 'read_all') && filter.project_id === 0 && filter.member_id === 0
  return {
    reader: { userId: access.walletId, ...(readsAll ? {} : { tokenIds: keysOf(keys, filter) }) },
    placed: (rows, keyOf) =>
      rows.map((row) => {
        const key = byId.get(keyOf.get(row.id) ?? 0)
        return { ...row, project_id: key?.projectId ?? 0, member_id: key?.memberId ?? 0 }
      }),
  }
}

/** True if the person may read work that a key of a wallet began (key 0: unknown). False for wallets of people. */
export const readsInOrganisation = async (
  on: Kysely<Tables>,
  personId: number,
  walletId: number,
  tokenId: number,
): Promise<boolean> => {
  const wallet = await on.selectFrom('users').select('organisation_id').where('id', '=', walletId).executeTakeFirst()
  if (wallet === undefined || wallet.organisation_id === 0) return false
  const access = await accessTo(on, wallet.organisation_id, personId).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'not_found') return undefined
    throw error
  })
  if (access === undefined) return false
  const { tokenIds } = await figureScopeOf(on, access)
  return tokenIds === undefined || tokenIds.includes(tokenId)
}
