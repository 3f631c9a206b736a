import { acceptsUnpricedModels, type CallerUser, type TokenRecord } from '../../relay/callers.ts'

/** A token joined with its owner; the owner's columns are null when the owner is gone. */
export interface TokenRecordRow {
  readonly id: number
  readonly user_id: number
  readonly name: string
  readonly key_hash: string
  readonly key_hint: string
  readonly status: number
  readonly expired_time: number
  readonly remain_quota: number
  readonly unlimited_quota: number
  readonly model_limits_enabled: number
  readonly model_limits: string
  readonly allow_ips: string
  readonly group: string
  readonly username: string | null
  readonly role: number | null
  readonly user_status: number | null
  readonly user_group: string | null
  readonly setting: string | null
}

/** The record that the gateway keeps of an API key. Stored settings that are no JSON count as empty. */
export const toTokenRecord = (row: TokenRecordRow): TokenRecord => ({
  tokenId: row.id,
  tokenName: row.name,
  keyHint: row.key_hint,
  status: row.status,
  expiredTime: row.expired_time,
  remainQuota: row.remain_quota,
  unlimited: row.unlimited_quota === 1,
  modelLimits: row.model_limits_enabled === 1 ? new Set(namesOf(row.model_limits)) : undefined,
  allowIps: row.allow_ips,
  group: row.group,
  user: ownerOf(row),
})

const ownerOf = (row: TokenRecordRow): CallerUser | undefined =>
  row.username === null
    ? undefined
    : {
        id: row.user_id,
        username: row.username,
        role: row.role ?? 0,
        status: row.user_status ?? 0,
        group: row.user_group ?? '',
        acceptsUnpricedModels: acceptsUnpricedModels(row.setting ?? ''),
      }

const namesOf = (list: string): string[] =>
  list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
