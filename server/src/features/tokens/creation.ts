import type { BodyOf, createToken, createTokens, Token } from '@tollgate/contract'
import { tokenSuffixLength } from '@tollgate/contract/sizes'
import type { Transaction } from 'kysely'
import type { Tables } from '../../db/schema.ts'
import { AppError } from '../../lib/app-error.ts'
import { unixSeconds } from '../../lib/clock.ts'
import { newTokenKey, randomAlphanumerics } from '../../lib/ids.ts'
import { newTokenRow } from './change.ts'
import { toToken } from './present.ts'
import type { TokenServiceParts } from './service-parts.ts'
import type { NewToken, TokenRow } from './store.ts'
import { type Owner, traceOf } from './trace.ts'

/** The first keeps the name, later ones get `-` and six letters and digits. */
const namesOf = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) =>
    index === 0 ? name : `${name.trim()}-${randomAlphanumerics(tokenSuffixLength)}`,
  )

/** A new key, whole, without `sk-`. */
export type NewKey = Pick<Token, 'id' | 'key'>

export interface TokenCreation {
  /** The answer holds the whole key, but where it is made for another person. */
  one(owner: Owner, body: BodyOf<typeof createToken>): Promise<Token>
  /** The first key of a user who is made in this transaction; once that is committed, the directory learns of it by its id. */
  firstIn(trx: Transaction<Tables>, owner: Owner, body: BodyOf<typeof createToken>): Promise<NewKey>
  /** All of them or none. */
  many(owner: Owner, body: BodyOf<typeof createTokens>): Promise<Token[]>
}

/** A key before it is stored; `remain` is its own balance in quota units. */
interface Prepared {
  readonly key: string
  readonly row: NewToken
  readonly remain: number
}

/** The columns of a key of a project: the secret of a person's key is for that person alone, that of a machine's key for who makes it. */
const placeOf = ({ id, actor, project }: Owner): Partial<Pick<TokenRow, 'project_id' | 'member_id' | 'secret_for'>> =>
  project === undefined ? {} : { ...project, secret_for: project.member_id || (actor?.id ?? id) }

/** False where somebody makes a key for another person, who finds it among the own keys. */
const isShownTo = ({ id, actor }: Owner, { member_id }: Pick<TokenRow, 'member_id'>): boolean =>
  member_id === 0 || member_id === (actor?.id ?? id)

/** New tokens; only these answers hold whole keys. */
export const openTokenCreation = (parts: TokenServiceParts): TokenCreation => {
  const { database, store, secrets, ledger, directory, audit } = parts

  const assertRoom = async (owner: Owner, more: number): Promise<void> => {
    const all = { userId: owner.id, name: '', key: undefined, status: [], group: '', not: [], now: 0 }
    const max = parts.mostTokens()
    if ((await store.count(all)) + more > max) throw new AppError('too_many_tokens', { params: { max } })
  }

  const prepare = (owner: Owner, body: BodyOf<typeof createToken>, name: string): Prepared => {
    const key = (parts.newKey ?? newTokenKey)()
    const now = unixSeconds(parts.clock)
    const row = newTokenRow({ ...body, name }, { userId: owner.id, key, now }, secrets)
    return { key, row: { ...row, ...placeOf(owner) }, remain: body.remain_quota }
  }

  const insert = async (trx: Transaction<Tables>, owner: Owner, { key, row, remain }: Prepared): Promise<Token> => {
    const id = await store.insert(trx, row)
    await ledger.open(trx, { account: 'token', id }, remain, { by: owner.actor?.id ?? owner.id })
    await audit.record({ ...traceOf(owner, 'create', id), after: { ...row, remain_quota: remain } }, trx)
    const made = { id, remain_quota: remain, used_quota: 0, deleted_at: null }
    const whole = { project_id: 0, member_id: 0, secret_for: 0, ...row, ...made }
    const token = toToken(whole, row.created_time)
    return isShownTo(owner, whole) ? { ...token, key } : token
  }

  const make = async (owner: Owner, body: BodyOf<typeof createToken>, names: readonly string[]): Promise<Token[]> => {
    if (body.group && !parts.groupUsable(owner.group, body.group)) throw new AppError('group_not_allowed')
    const made = names.map((name) => prepare(owner, body, name))
    await assertRoom(owner, names.length)
    return database.transaction(async (trx) => {
      const tokens: Token[] = []
      for (const one of made) tokens.push(await insert(trx, owner, one))
      return tokens
    })
  }

  const many: TokenCreation['many'] = async (owner, { count, ...body }) => {
    const tokens = await make(owner, body, namesOf(body.name, count))
    for (const { id } of tokens) directory.changed({ token: id })
    return tokens
  }

  return {
    one: async (owner, body) => {
      const [token] = await many(owner, { ...body, count: 1 })
      if (token === undefined) throw new AppError('internal_error')
      return token
    },
    firstIn: (trx, owner, body) => insert(trx, owner, prepare(owner, body, body.name)),
    many,
  }
}
