import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/**
 * What everybody may know of the site (mission document 1 §3). Fields fed by options come from the registry
 * (`status` of an option), so the shape is open here.
 */
export const status = z.looseObject({
  version: z.string(),
  /** Unix seconds. */
  start_time: z.int(),
  system_name: z.string(),
  logo: z.string(),
  footer_html: z.string(),
  server_address: z.string(),
  docs_link: z.string(),
  quota_per_unit: z.number(),
  display_in_currency: z.boolean(),
  default_collapse_sidebar: z.boolean(),
  enable_drawing: z.boolean(),
  enable_task: z.boolean(),
  enable_data_export: z.boolean(),
  data_export_default_time: z.string(),
  self_use_mode_enabled: z.boolean(),
  demo_site_enabled: z.boolean(),
  turnstile_check: z.boolean(),
  turnstile_site_key: z.string(),
  chats: z.array(z.record(z.string(), z.string())),
  setup: z.boolean(),
})
export type Status = z.output<typeof status>

export const getStatus = endpoint({
  method: 'GET',
  path: '/api/status',
  access: 'visitor',
  summary: 'Public facts of the site',
  data: status,
})
