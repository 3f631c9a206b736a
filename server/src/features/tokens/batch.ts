import { tokenStatus } from '@tollgate/contract'
import { AppError } from '../../lib/app-error.ts'
import { unixSeconds } from '../../lib/clock.ts'
import { canEnable } from './rules.ts'
import type { TokenServiceParts } from './service-parts.ts'
import type { TokenRow } from './store.ts'
import { type Owner, traceOf } from './trace.ts'

export interface TokenBatch {
  /** Whole keys without `sk-`, in the order that was asked for; each leaves a trace. */
  reveal(owner: Owner, ids: readonly number[]): Promise<{ id: number; name: string; key: string }[]>
  /** Answers which could not be switched on, because they are expired or exhausted. */
  setStatus(owner: Owner, ids: readonly number[], status: 1 | 2): Promise<{ changed: number[]; refused: number[] }>
  /** Answers how many there were. */
  remove(owner: Owner, ids: readonly number[]): Promise<number>
}

/** Actions of owners on several of their tokens at once. Ids of other owners, or of deleted tokens, are passed over. */
export const openTokenBatch = (parts: TokenServiceParts): TokenBatch => {
  const { database, store, secrets, directory, audit } = parts

  const owned = async (owner: Owner, ids: readonly number[]): Promise<TokenRow[]> => {
    const found = new Map((await store.getMany(owner.id, ids)).map((row) => [row.id, row]))
    if (found.size === 0) throw new AppError('not_found')
    return [...new Set(ids)].map((id) => found.get(id)).filter((row) => row !== undefined)
  }

  return {
    reveal: async (owner, ids) => {
      const rows = await owned(owner, ids)
      await database.transaction(async (trx) => {
        for (const { id } of rows) await audit.record(traceOf(owner, 'reveal', id), trx)
      })
      return rows.map(({ id, name, key_cipher }) => ({ id, name, key: secrets.decrypt('token_key', key_cipher) }))
    },
    setStatus: async (owner, ids, status) => {
      const rows = await owned(owner, ids)
      const now = unixSeconds(parts.clock)
      const may = rows.filter((row) => status === tokenStatus.disabled || canEnable(row, now))
      await database.transaction(async (trx) => {
        for (const row of may) {
          await store.update(trx, row.id, { status })
          const trace = { ...traceOf(owner, 'update', row.id), before: { status: row.status }, after: { status } }
          await audit.record(trace, trx)
        }
      })
      const changed = may.map(({ id }) => id)
      for (const id of changed) directory.changed({ token: id })
      return { changed, refused: rows.map(({ id }) => id).filter((id) => !changed.includes(id)) }
    },
    remove: async (owner, ids) => {
      const rows = await owned(owner, ids)
      await database.transaction(async (trx) => {
        for (const row of rows) {
          await store.remove(trx, row.id, unixSeconds(parts.clock))
          await audit.record({ ...traceOf(owner, 'delete', row.id), before: { ...row } }, trx)
        }
      })
      for (const { id } of rows) directory.changed({ token: id })
      return rows.length
    },
  }
}
