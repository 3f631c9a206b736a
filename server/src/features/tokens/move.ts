import { tokenStatus } from '@tollgate/contract'
import { AppError } from '../../lib/app-error.ts'
import { unixSeconds } from '../../lib/clock.ts'
import { randomAlphanumerics } from '../../lib/ids.ts'
import type { TokenServiceParts } from './service-parts.ts'
import { type Owner, traceOf } from './trace.ts'

/** Gives the secret of a key to a new key in another project; answers its id. */
export type MoveToken = (owner: Owner, id: number, place: NonNullable<Owner['project']>) => Promise<number>

/**
 * Moves a key of a wallet to another project: the key is closed, and a new one goes on with its secret and what it has left. So what
 * it spent before stays with its project in every sum, and calls that are under way are charged to where they began.
 */
export const openTokenMove =
  ({ store, secrets, ledger, directory, audit, clock }: TokenServiceParts): MoveToken =>
  async (owner, id, place) => {
    const row = await store.get(owner.id, id)
    if (row === undefined) throw new AppError('not_found')
    const { id: _id, used_quota: _used, remain_quota: _remain, deleted_at: _deleted, ...columns } = row
    const made = await ledger.moveToken({
      tokenId: id,
      detail: { by: owner.actor?.id ?? owner.id },
      begin: async (trx) => {
        // Only one row can have the secret.
        const closed = { key_hash: secrets.digest('token_key', `moved ${id} ${randomAlphanumerics(24)}`) }
        await store.update(trx, id, { ...closed, status: tokenStatus.disabled })
        await store.remove(trx, id, unixSeconds(clock))
        const moved = await store.insert(trx, { ...columns, ...place })
        const before = { project_id: row.project_id }
        const after = { project_id: place.project_id, moved_to: moved }
        await audit.record({ ...traceOf(owner, 'move', id), before, after }, trx)
        return moved
      },
    })
    directory.changed({ token: id })
    directory.changed({ token: made })
    return made
  }
