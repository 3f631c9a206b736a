import type { Language, SettingChange } from '@tollgate/contract'
import type { Transaction } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { Tables } from '../../db/schema.ts'
import type { Trace } from '../../db/trace.ts'
import { AppError } from '../../lib/app-error.ts'
import type { EgressGuard } from '../../lib/security/egress.ts'
import type { Secrets } from '../../lib/security/secrets.ts'
import type { Recipient, Recipients } from './recipients.ts'
import { changedSetting, readSetting, type StoredSetting } from './setting.ts'

/** User who changes their settings. */
export interface SettingsOwner {
  readonly id: number
  readonly ip: string
  /** The one in which they read the console. */
  readonly language: Language
}

export interface SettingParts {
  readonly database: Database
  readonly recipients: Recipients
  readonly secrets: Secrets
  /** For addresses that users typed. */
  readonly egress: EgressGuard
  readonly audit: { record(trace: Trace, trx?: Transaction<Tables>): Promise<void> }
}

interface Settings {
  /** The user and the settings as they would be after a change. Throws what is wrong with it. */
  changed(owner: SettingsOwner, change: SettingChange): Promise<{ row: Recipient; setting: StoredSetting }>
  /** Stores a change; answers false when it changes nothing. */
  save(owner: SettingsOwner, change: SettingChange): Promise<boolean>
}

/** The number of tries. A failed try means a concurrent save, so this limits how many may save at the same moment. */
const mostTries = 50

/** Addresses of webhooks carry tokens: the trail says only which host. */
const facts = ({ webhook_url: url, ...setting }: StoredSetting) => ({
  ...setting,
  webhook_host: url && URL.canParse(url) ? new URL(url).host : undefined,
})

export const openSettings = (parts: SettingParts): Settings => {
  const { database, recipients } = parts
  const encrypt = (secret: string): string => parts.secrets.encrypt('webhook', secret)

  const changed = async ({ id, language }: SettingsOwner, change: SettingChange) => {
    const row = await recipients.byId(id)
    if (row === undefined) throw new AppError('user_not_found')
    const stored = readSetting(row.setting)
    // Absent means Chinese, as in the settings of older databases.
    const spoken = language === 'zh' ? undefined : language
    const setting = { ...changedSetting(stored, change, encrypt), language: spoken }
    if (setting.webhook_url && setting.webhook_url !== stored.webhook_url) await parts.egress.check(setting.webhook_url)
    return { row, stored, setting }
  }

  return {
    changed,
    async save(owner, change) {
      for (let tries = 0; tries < mostTries; tries += 1) {
        const { row, stored, setting } = await changed(owner, change)
        const text = JSON.stringify(setting)
        if (text === row.setting) return false
        const saved = await database.transaction(async (trx) => {
          if (!(await recipients.replaceSetting(trx, row, text))) return false
          const actor = { id: row.id, username: row.username }
          const trace = { actor, action: 'user.setting', object: 'user', objectId: row.id, ip: owner.ip }
          await parts.audit.record({ ...trace, before: facts(stored), after: facts(setting) }, trx)
          return true
        })
        // Somebody saved in between, from another window: the change is laid over what is there now.
        if (saved) return true
      }
      throw new AppError('internal_error', { details: { reason: 'settings change all the time', userId: owner.id } })
    },
  }
}
