import { role, tokenStatus, userStatus } from '@tollgate/contract'
import { AppError } from '../../lib/app-error.ts'
import { memoize } from '../../lib/memoize.ts'
import { createAddressList, isAddressOrNetwork } from '../../lib/security/address-list.ts'
import type { Caller } from '../../relay/ports.ts'
import type { CallerUser, Groups, TokenRecord } from '../ports.ts'
import type { SentKey } from './key-of.ts'

export interface KeyCheck {
  /** undefined when the key does not exist. */
  readonly token: TokenRecord | undefined
  readonly sent: SentKey
  readonly ip: string
  /** Milliseconds. */
  readonly now: number
  readonly groups: Groups
}

/** Parsed once per text. Lines that are no address are skipped, but a list that names none lets nobody in. */
const addressList = memoize(1000, (text) => createAddressList(text.split(/[\s,]+/).filter(isAddressOrNetwork)))

/** Whether a key may be used from an address. */
export const isAllowedFrom = ({ allowIps }: Pick<TokenRecord, 'allowIps'>, ip: string): boolean =>
  allowIps.trim() === '' || addressList(allowIps).has(ip)

const checkStatus = (token: TokenRecord, now: number): void => {
  const { status, keyHint: hint, expiredTime, unlimited, remainQuota: remain } = token
  if (status === tokenStatus.exhausted) throw new AppError('token_exhausted', { params: { hint } })
  if (status === tokenStatus.expired) throw new AppError('token_expired')
  if (status !== tokenStatus.enabled) throw new AppError('token_disabled')
  if (expiredTime !== -1 && expiredTime * 1000 < now) throw new AppError('token_expired')
  if (!unlimited && remain <= 0) throw new AppError('token_spent', { params: { hint, remain } })
}

/** The keys of somebody who was deleted are worth nothing any more; a status of 500 would make clients try them again. */
const ownerOf = ({ user, tokenId }: TokenRecord): CallerUser => {
  if (user === undefined)
    throw new AppError('token_invalid', { details: { reason: 'the token has no owner', tokenId } })
  if (user.status !== userStatus.enabled) throw new AppError('user_banned')
  return user
}

const forcedChannelOf = ({ channel }: SentKey, user: CallerUser): number | undefined => {
  if (channel === undefined || channel === '') return undefined
  if (user.role < role.admin) throw new AppError('token_channel_denied')
  if (!/^\d{1,15}$/.test(channel)) throw new AppError('forced_channel_invalid')
  return Number(channel)
}

const groupOf = (token: TokenRecord, user: CallerUser, groups: Groups): string => {
  const { group } = token
  if (group === '') return user.group
  if (!Object.hasOwn(groups.usable(user.group), group))
    throw new AppError('token_group_disabled', { params: { group } })
  if (!groups.hasRatio(group)) throw new AppError('group_deprecated', { params: { group } })
  return group
}

/** Judges a key: status, expiry, quota, then the user. Throws AppError. */
export const authenticate = ({ token, sent, ip, now, groups }: KeyCheck): Caller => {
  if (sent.key === '') throw new AppError('token_missing')
  if (token === undefined) throw new AppError('token_invalid')
  checkStatus(token, now)
  const user = ownerOf(token)
  const forcedChannel = forcedChannelOf(sent, user)
  if (!isAllowedFrom(token, ip)) {
    throw new AppError('ip_not_allowed', { details: { ip } })
  }
  return callerOf(token, user, groupOf(token, user, groups), forcedChannel)
}

const callerOf = (token: TokenRecord, user: CallerUser, group: string, forcedChannel: number | undefined): Caller => ({
  userId: user.id,
  username: user.username,
  role: user.role,
  userGroup: user.group,
  acceptsUnpricedModels: user.acceptsUnpricedModels,
  tokenId: token.tokenId,
  tokenName: token.tokenName,
  keyHint: token.keyHint,
  tokenUnlimited: token.unlimited,
  group,
  modelLimits: token.modelLimits,
  forcedChannel,
})

/** Whose key was refused, for the record; undefined when nobody owns it. */
export const ownerOfRefused = (token: TokenRecord | undefined): Caller | undefined =>
  token?.user && callerOf(token, token.user, token.group || token.user.group, undefined)

/** The playground's caller: a browser session without a token. */
export const playgroundCaller = (user: CallerUser, group: string): Caller => ({
  userId: user.id,
  username: user.username,
  role: user.role,
  userGroup: user.group,
  acceptsUnpricedModels: user.acceptsUnpricedModels,
  tokenId: 0,
  tokenName: `playground-${group}`,
  tokenUnlimited: true,
  group,
  modelLimits: undefined,
  forcedChannel: undefined,
})
