import { z } from 'zod'
import { moduleSections } from '../../modules/lists/options.ts'
import { shownProvider } from './accounts/identity-providers.ts'
import { endpoint } from './endpoint.ts'
import type { Section } from './options/kinds.ts'

/** Fields that options of modules publish; the kernel knows none of them by name. */
const fieldsOfModules: { readonly [name in never]: z.ZodType } = Object.fromEntries(
  [...moduleSections]
    .flatMap((section: Section) => Object.values(section.options))
    .flatMap(({ status: name, schema }) => (name === undefined ? [] : [[name, schema]])),
)

/** A field of the status that switches something on. */
export type StatusFlag = `enable_${string}`

/** Those of modules. */
export const moduleFlags = Object.keys(fieldsOfModules).filter((name): name is StatusFlag => name.startsWith('enable_'))

/** The public facts of the site. Options with a `status` name add fields, so the shape is open here. */
export const status = z.looseObject({
  version: z.string(),
  /** Unix seconds. */
  start_time: z.int(),
  setup: z.boolean(),
  system_name: z.string(),
  logo: z.string(),
  footer_html: z.string(),
  server_address: z.string(),
  docs_link: z.string(),
  top_up_link: z.string(),
  quota_per_unit: z.number(),
  display_in_currency: z.boolean(),
  default_collapse_sidebar: z.boolean(),
  mj_notify_enabled: z.boolean(),
  enable_data_export: z.boolean(),
  data_export_default_time: z.string(),
  enable_batch_update: z.boolean(),
  self_use_mode_enabled: z.boolean(),
  demo_site_enabled: z.boolean(),
  register_enabled: z.boolean(),
  password_login_enabled: z.boolean(),
  password_register_enabled: z.boolean(),
  email_verification: z.boolean(),
  turnstile_check: z.boolean(),
  turnstile_site_key: z.string(),
  github_oauth: z.boolean(),
  github_client_id: z.string(),
  linuxdo_oauth: z.boolean(),
  linuxdo_client_id: z.string(),
  wechat_login: z.boolean(),
  wechat_qrcode: z.string(),
  telegram_oauth: z.boolean(),
  telegram_bot_name: z.string(),
  discord_oauth: z.boolean(),
  discord_client_id: z.string(),
  /** Identity providers of the site that people can sign in by. */
  identity_providers: z.array(shownProvider),
  oidc_enabled: z.boolean(),
  oidc_client_id: z.string(),
  oidc_authorization_endpoint: z.string(),
  /** Money asked per unit of currency. */
  price: z.number(),
  min_topup: z.int(),
  enable_online_topup: z.boolean(),
  chats: z.array(z.record(z.string(), z.string())),
  /** Always empty, kept for existing API clients; chat links are in `chats`. */
  chat_link: z.string(),
  ...fieldsOfModules,
})
export type Status = z.output<typeof status>

export const getStatus = endpoint({
  method: 'GET',
  path: '/api/status',
  access: 'visitor',
  summary: 'Public facts of the site',
  data: status,
})

export const testStatus = endpoint({
  method: 'GET',
  path: '/api/status/test',
  access: 'admin',
  summary: 'Whether the database answers; asked at most once in ten seconds',
})
