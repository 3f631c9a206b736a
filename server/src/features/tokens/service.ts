import {
  type AuditEntry,
  type BodyOf,
  type batchTokens,
  type browseTokens,
  type countTokens,
  type Page,
  type QueryOf,
  type Token,
  tokenStatus,
  undoSeconds,
  type updateToken,
  type ValueCounts,
} from '@tollgate/contract'
import { AppError } from '../../lib/app-error.ts'
import { type Batch, batchOf, batchSlice } from '../../lib/batch.ts'
import { unixSeconds } from '../../lib/clock.ts'
import { newTokenKey } from '../../lib/ids.ts'
import { openTokenBatch, type TokenBatch } from './batch.ts'
import { type GivenToken, keyColumns, tokenChange } from './change.ts'
import { openTokenCreation, type TokenCreation } from './creation.ts'
import { type MoveToken, openTokenMove } from './move.ts'
import { toToken } from './present.ts'
import { assertCanEnable, statusAfterEdit, statusNow } from './rules.ts'
import type { TokenServiceParts } from './service-parts.ts'
import type { KeyTerm, TokenFilter, TokenRow } from './store.ts'
import { type Owner, readTokenHistory, traceOf } from './trace.ts'
import { tokenUsageReader } from './usage.ts'

export interface TokenService {
  list(owner: Owner, slice: { offset: number; limit: number }): Promise<Token[]>
  search(owner: Owner, terms: { keyword: string; token: string }): Promise<Token[]>
  browse(owner: Owner, query: QueryOf<typeof browseTokens> & Partial<Pick<TokenFilter, 'ids'>>): Promise<Page<Token>>
  facet(owner: Owner, query: QueryOf<typeof countTokens>): Promise<ValueCounts>
  /** The tokens that one call of a batch is about; ids that are not the owner's are passed over. */
  matching(owner: Owner, which: BodyOf<typeof batchTokens>['which']): Promise<Batch<TokenRow>>
  /** Those that were deleted a short time ago; by their ids only. */
  removed(owner: Owner, which: BodyOf<typeof batchTokens>['which']): Promise<Batch<TokenRow>>
  /** Recent spending of some of a user's tokens. */
  readonly usage: ReturnType<typeof tokenUsageReader>
  get(owner: Owner, id: number): Promise<Token>
  /** Changes of the token, newest first. */
  history(owner: Owner, id: number): Promise<AuditEntry[]>
  /** The whole key, without `sk-`; leaves a trace. */
  reveal(owner: Owner, id: number): Promise<string>
  /** The same token under a new key, which the answer holds; the old key stops working at once. */
  rotate(owner: Owner, id: number): Promise<Token>
  /** The answer alone holds the whole key. */
  readonly create: TokenCreation['one']
  readonly createMany: TokenCreation['many']
  readonly createFirstIn: TokenCreation['firstIn']
  readonly batch: TokenBatch
  update(owner: Owner, body: BodyOf<typeof updateToken>): Promise<Token>
  setStatus(owner: Owner, id: number, status: number | undefined): Promise<Token>
  remove(owner: Owner, id: number): Promise<void>
  /** Moves a key to another project of its organisation. */
  readonly move: MoveToken
  /** Takes the delete of `undoSeconds` at most back: the same key works again. Throws AppError('not_found'). */
  restore(owner: Owner, id: number): Promise<void>
}

const newestFirst = { column: 'id', descending: true } as const

/** Actions of users on their own tokens. */
export const createTokenService = (parts: TokenServiceParts): TokenService => {
  const { database, store, secrets, ledger, directory, audit } = parts
  const creation = openTokenCreation(parts)
  const now = (): number => unixSeconds(parts.clock)

  const shown = (row: TokenRow): Token => toToken(row, now())

  const owned = async (owner: Owner, id: number): Promise<TokenRow> => {
    const row = await store.get(owner.id, id)
    if (!row) throw new AppError('not_found')
    return row
  }

  const keyTerm = (text: string): KeyTerm | undefined => {
    const part = text.trim().replace(/^sk-/, '')
    return part === '' ? undefined : { hash: secrets.digest('token_key', part), part }
  }

  const filterOf = (
    owner: Owner,
    terms: { keyword: string; token: string },
    { status = [], group = '', not = [], ids, before }: Partial<TokenFilter> = {},
  ): TokenFilter => ({
    userId: owner.id,
    name: terms.keyword.trim(),
    key: keyTerm(terms.token),
    status,
    group,
    not,
    ids,
    before,
    now: now(),
  })

  const assertGroup = (owner: Owner, group: string | undefined): void => {
    if (group && !parts.groupUsable(owner.group, group)) throw new AppError('group_not_allowed')
  }

  const save = async (owner: Owner, row: TokenRow, fields: GivenToken): Promise<void> => {
    const change = tokenChange(fields)
    const remain = fields.remain_quota ?? row.remain_quota
    const status = statusAfterEdit(row.status, { ...row, ...change, remain_quota: remain }, now())
    if (remain !== row.remain_quota) {
      await ledger.setTokenRemain({ tokenId: row.id, remain, detail: { by: owner.actor?.id ?? owner.id } })
    }
    const after = { ...row, ...change, status, remain_quota: remain }
    await database.transaction(async (trx) => {
      await store.update(trx, row.id, { ...change, status })
      await audit.record({ ...traceOf(owner, 'update', row.id), before: { ...row }, after }, trx)
    })
    directory.changed({ token: row.id })
    if (after.unlimited_quota !== row.unlimited_quota) await ledger.refreshToken(row.id)
  }

  return {
    list: async (owner, slice) =>
      (await store.find(filterOf(owner, { keyword: '', token: '' }), newestFirst, slice)).map(shown),
    search: async (owner, terms) => (await store.find(filterOf(owner, terms), newestFirst)).map(shown),
    browse: async (owner, query) => {
      const filter = filterOf(owner, query, query)
      const slice = { offset: (query.p - 1) * query.page_size, limit: query.page_size }
      const [rows, total] = await Promise.all([
        store.find(filter, query.sort ?? newestFirst, slice),
        store.count(filter),
      ])
      return { items: rows.map(shown), total, page: query.p, page_size: query.page_size }
    },
    facet: (owner, { facet, ...query }) => store.facet(filterOf(owner, query, query), facet),
    matching: async (owner, which) => {
      const filter =
        'ids' in which
          ? filterOf(owner, { keyword: '', token: '' }, { ids: which.ids })
          : filterOf(owner, which.filter, { ...which.filter, before: which.before })
      return batchOf(which, await store.find(filter, newestFirst, batchSlice))
    },
    removed: async (owner, which) => {
      if (!('ids' in which)) throw new AppError('invalid_parameter')
      return batchOf(which, await store.removed(owner.id, which.ids, now() - undoSeconds))
    },
    usage: tokenUsageReader(parts),
    get: async (owner, id) => shown(await owned(owner, id)),
    history: async (owner, id) => {
      await owned(owner, id)
      return readTokenHistory(database, owner.id, id)
    },
    reveal: async (owner, id) => {
      const row = await owned(owner, id)
      await audit.record(traceOf(owner, 'reveal', id))
      return secrets.decrypt('token_key', row.key_cipher)
    },
    rotate: async (owner, id) => {
      const row = await owned(owner, id)
      const key = (parts.newKey ?? newTokenKey)()
      await database.transaction(async (trx) => {
        const secretFor = row.member_id === (owner.actor?.id ?? owner.id) ? row.member_id : 0
        await store.update(trx, id, { ...keyColumns(key, secrets), secret_for: secretFor })
        await audit.record(traceOf(owner, 'rotate', id), trx)
      })
      directory.changed({ token: id })
      return { ...shown(await owned(owner, id)), key }
    },
    create: creation.one,
    createMany: creation.many,
    createFirstIn: creation.firstIn,
    batch: openTokenBatch(parts),
    update: async (owner, body) => {
      const row = await owned(owner, body.id)
      if (body.group !== row.group) assertGroup(owner, body.group)
      const after = { ...row, ...tokenChange(body), remain_quota: body.remain_quota ?? row.remain_quota }
      const wasEnabled = statusNow(row, now()) === tokenStatus.enabled
      if (body.status === tokenStatus.enabled && !wasEnabled) assertCanEnable(after, now())
      await save(owner, row, body)
      return shown(await owned(owner, body.id))
    },
    setStatus: async (owner, id, status) => {
      if (status !== tokenStatus.enabled && status !== tokenStatus.disabled) throw new AppError('invalid_parameter')
      const row = await owned(owner, id)
      if (status === tokenStatus.enabled) assertCanEnable(row, now())
      await database.transaction(async (trx) => {
        await store.update(trx, id, { status })
        await audit.record({ ...traceOf(owner, 'update', id), before: { status: row.status }, after: { status } }, trx)
      })
      directory.changed({ token: id })
      return shown(await owned(owner, id))
    },
    remove: async (owner, id) => {
      const row = await owned(owner, id)
      await database.transaction(async (trx) => {
        await store.remove(trx, id, now())
        await audit.record({ ...traceOf(owner, 'delete', id), before: { ...row } }, trx)
      })
      directory.changed({ token: id })
    },
    move: openTokenMove(parts),
    restore: async (owner, id) => {
      await database.transaction(async (trx) => {
        if (!(await store.restore(trx, { userId: owner.id, id, since: now() - undoSeconds }))) {
          throw new AppError('not_found')
        }
        await audit.record(traceOf(owner, 'restore', id), trx)
      })
      directory.changed({ token: id })
    },
  }
}
