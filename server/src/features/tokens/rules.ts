import { neverExpires, tokenStatus } from '@tollgate/contract'
import { longestTokenModels, longestTokenNameBytes } from '@tollgate/contract/tokens/token-rules'
import { AppError } from '../../lib/app-error.ts'
import { isAddressOrNetwork } from '../../lib/security/address-list.ts'

/** A token's name, trimmed. Throws `token_name_required` or `token_name_too_long`. */
export const checkedName = (text: string): string => {
  const name = text.trim()
  if (name === '') throw new AppError('token_name_required')
  if (Buffer.byteLength(name) > longestTokenNameBytes) throw new AppError('token_name_too_long')
  return name
}

/** The name of a user's first token, without theirs where it is too long for a name. */
export const firstTokenName = (username: string): string => {
  const name = `${username}的初始令牌`
  return Buffer.byteLength(name) > longestTokenNameBytes ? '初始令牌' : name
}

/** One address or network per line; blanks and commas around them are dropped. Throws `token_ips_invalid` with the line. */
export const checkedIps = (text: string): string =>
  text
    .split(/\r?\n/)
    .flatMap((line, index) => {
      const entries = line.split(/[\s,]+/).filter((entry) => entry !== '')
      if (!entries.every(isAddressOrNetwork)) throw new AppError('token_ips_invalid', { params: { line: index + 1 } })
      return entries
    })
    .join('\n')

/** A comma list of model names without blanks and repetitions. Throws `token_models_too_long`. */
export const checkedModels = (text: string): string => {
  const names = text.split(',').map((name) => name.trim())
  const list = [...new Set(names.filter((name) => name !== ''))].join(',')
  if (list.length > longestTokenModels) throw new AppError('token_models_too_long')
  return list
}

/** Unix seconds; 0 means never, as clients of the reference send it. */
export const checkedExpiry = (time: number): number => {
  if (time === 0) return neverExpires
  if (time < neverExpires) throw new AppError('invalid_parameter')
  return time
}

/** `abc***xyz`. */
export const keyHint = (key: string): string => `${key.slice(0, 3)}***${key.slice(-3)}`

/** Expiry and quota, which decide whether a token can be used. Times in unix seconds. */
export interface Means {
  readonly expired_time: number
  readonly remain_quota: number
  readonly unlimited_quota: number
}

const isExpired = (token: Means, now: number): boolean =>
  token.expired_time !== neverExpires && token.expired_time <= now

const isExhausted = (token: Means): boolean => token.unlimited_quota === 0 && token.remain_quota <= 0

/** Throws when a token may not be switched on: expired or without quota. */
export const assertCanEnable = (token: Means, now: number): void => {
  if (isExpired(token, now)) throw new AppError('token_enable_expired')
  if (isExhausted(token)) throw new AppError('token_enable_exhausted')
}

export const canEnable = (token: Means, now: number): boolean => !isExpired(token, now) && !isExhausted(token)

/**
 * Actual status of a token: an enabled one whose time or quota is over cannot be used any more, although its row changes only after a
 * call has tried.
 */
export const statusNow = (token: Means & { readonly status: number }, now: number): number => {
  if (token.status !== tokenStatus.enabled) return token.status
  if (isExpired(token, now)) return tokenStatus.expired
  return isExhausted(token) ? tokenStatus.exhausted : tokenStatus.enabled
}

/**
 * The status after an edit: a token that was expired or exhausted and no longer is becomes usable again; what its owner
 * switched off stays off.
 */
export const statusAfterEdit = (status: number, token: Means, now: number): number => {
  if (status !== tokenStatus.expired && status !== tokenStatus.exhausted) return status
  if (isExpired(token, now)) return tokenStatus.expired
  return isExhausted(token) ? tokenStatus.exhausted : tokenStatus.enabled
}
