import type { BodyOf, createToken, updateToken } from '@tollgate/contract'
import { tokenStatus } from '@tollgate/contract'
import type { Secrets } from '../../lib/security/secrets.ts'
import { checkedExpiry, checkedIps, checkedModels, checkedName, keyHint } from './rules.ts'
import type { NewToken, TokenChange } from './store.ts'

/** Fields of a token that an owner may set; absent ones stay as they are. */
export type GivenToken = Omit<BodyOf<typeof updateToken>, 'id'>

const flag = (value: boolean): number => (value ? 1 : 0)

/** null for none. */
const storedTags = (tags: Readonly<Record<string, string>>): string | null =>
  Object.keys(tags).length === 0 ? null : JSON.stringify(tags)

/** The columns that an edit changes, without status and quota. Throws the reason when a field cannot be used. */
export const tokenChange = (fields: GivenToken): TokenChange => ({
  ...(fields.name === undefined ? {} : { name: checkedName(fields.name) }),
  ...(fields.expired_time === undefined ? {} : { expired_time: checkedExpiry(fields.expired_time) }),
  ...(fields.unlimited_quota === undefined ? {} : { unlimited_quota: flag(fields.unlimited_quota) }),
  ...(fields.model_limits_enabled === undefined ? {} : { model_limits_enabled: flag(fields.model_limits_enabled) }),
  ...(fields.model_limits === undefined ? {} : { model_limits: checkedModels(fields.model_limits) }),
  ...(fields.allow_ips === undefined ? {} : { allow_ips: checkedIps(fields.allow_ips ?? '') }),
  ...(fields.group === undefined ? {} : { group: fields.group }),
  ...(fields.tags === undefined ? {} : { tags: storedTags(fields.tags) }),
  ...(fields.include_cost === undefined ? {} : { include_cost: flag(fields.include_cost) }),
  ...(fields.deadline_only === undefined ? {} : { deadline_only: flag(fields.deadline_only) }),
})

/** Stored columns of a key: never the key itself. */
export const keyColumns = (key: string, secrets: Pick<Secrets, 'encrypt' | 'digest'>) => ({
  key_hash: secrets.digest('token_key', key),
  key_cipher: secrets.encrypt('token_key', key),
  key_hint: keyHint(key),
})

/** The row of a new token, enabled; its quota is the ledger's business. */
export const newTokenRow = (
  body: BodyOf<typeof createToken>,
  made: { userId: number; key: string; now: number },
  secrets: Pick<Secrets, 'encrypt' | 'digest'>,
): NewToken => ({
  user_id: made.userId,
  ...keyColumns(made.key, secrets),
  status: tokenStatus.enabled,
  name: checkedName(body.name),
  created_time: made.now,
  accessed_time: made.now,
  expired_time: checkedExpiry(body.expired_time),
  unlimited_quota: flag(body.unlimited_quota),
  model_limits_enabled: flag(body.model_limits_enabled),
  model_limits: checkedModels(body.model_limits),
  allow_ips: checkedIps(body.allow_ips),
  group: body.group,
  tags: storedTags(body.tags ?? {}),
  include_cost: flag(body.include_cost ?? false),
  deadline_only: flag(body.deadline_only ?? false),
})
