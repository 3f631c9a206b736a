import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/**
 * Changes to the notification settings; what is absent stays as it is. `webhook_secret`: an empty text keeps the stored
 * one, null removes it. The rules come with the server's words, hence the wide types.
 */
export const settingChange = z.object({
  notify_type: z.string().optional(),
  quota_warning_threshold: z.number().optional(),
  webhook_url: z.string().max(2000).optional(),
  webhook_secret: z.string().max(500).nullable().optional(),
  notification_email: z.string().max(320).optional(),
  accept_unset_model_ratio_model: z.boolean().optional(),
})
export type SettingChange = z.output<typeof settingChange>

export const updateSetting = endpoint({
  method: 'PUT',
  path: '/api/user/setting',
  access: 'user',
  summary: 'Changes the own notification settings',
  body: settingChange,
})

/** Destination and duration of a test notice. */
export const testedNotice = z.object({
  way: z.enum(['email', 'webhook']),
  /** The address it was sent to; of a webhook only its host. */
  to: z.string(),
  duration_ms: z.int(),
})
export type TestedNotice = z.output<typeof testedNotice>

/** Delivers one notice at once, with these changes laid over the stored settings and without storing them. */
export const testNotice = endpoint({
  method: 'POST',
  path: '/api/user/setting/test',
  access: 'user',
  summary: 'Sends a test notice and says how it went',
  body: settingChange,
  data: testedNotice,
})
