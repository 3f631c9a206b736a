import { tagsOfKey } from '../../../billing/call-tags.ts'
import { acceptsUnpricedModels, type CallerUser, type TokenRecord } from '../../../relay/callers.ts'
import { fencedModels, type ProjectColumns, projectCaps, projectOf, statusInProject } from './project-fences.ts'

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
  readonly tags?: string | null
  readonly include_cost?: number
  readonly deadline_only?: number
}

/** A row as the database gives it, with what its project and member add. */
export type CallerRow = TokenRecordRow & Partial<ProjectColumns>

/** The record that the gateway keeps of an API key. Stored settings that are no JSON count as empty. */
export const toTokenRecord = (row: CallerRow): TokenRecord => ({
  tokenId: row.id,
  tokenName: row.name,
  keyHint: row.key_hint,
  status: statusInProject(row),
  expiredTime: row.expired_time,
  remainQuota: row.remain_quota,
  unlimited: row.unlimited_quota === 1,
  modelLimits: fencedModels(row),
  allowIps: row.allow_ips,
  group: row.group,
  user: ownerOf(row),
  ...taggedAs(row.tags),
  ...(row.include_cost === 1 ? { includeCost: true as const } : {}),
  ...(row.deadline_only === 1 ? { deadlineOnly: true as const } : {}),
  ...projectOf(row),
  ...projectCaps(row),
})

const taggedAs = (stored: string | null | undefined): Pick<TokenRecord, 'tags'> => {
  const tags = tagsOfKey(stored)
  return tags === '' ? {} : { tags }
}

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
