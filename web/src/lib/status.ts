import { parseJson } from '@tollgate/contract/json'
import { ownMember } from '@tollgate/contract/own-member'
import { moduleFlags, type Status } from './api/contract.ts'
import { readJson, readText, type StorageKey, writeJson, writeText } from './preferences/storage.ts'
import { createStore, useStore } from './preferences/store.ts'

/** The assumed status until the server answers; the values are the registry's own fallbacks. */
const assumed = {
  version: '',
  start_time: 0,
  system_name: 'Tollgate',
  logo: '',
  footer_html: '',
  server_address: '',
  docs_link: '',
  quota_per_unit: 500_000,
  display_in_currency: true,
  default_collapse_sidebar: false,
  enable_data_export: false,
  data_export_default_time: 'hour',
  self_use_mode_enabled: false,
  demo_site_enabled: false,
  turnstile_check: false,
  turnstile_site_key: '',
  chats: [],
  setup: true,
} satisfies Partial<Status>

/** Fields beyond the assumed ones may be absent while an older server answers. */
export type SiteStatus = Partial<Status> & Pick<Status, keyof typeof assumed>

const asStatus = (value: unknown): SiteStatus | undefined =>
  typeof value === 'object' && value !== null && 'quota_per_unit' in value
    ? { ...assumed, ...(value as Partial<Status>) }
    : undefined

export const statusStore = createStore<SiteStatus>(asStatus(readJson('status')) ?? assumed)

export const useStatus = (): SiteStatus => useStore(statusStore)

const mirrored = [
  'system_name',
  'logo',
  'footer_html',
  'docs_link',
  'quota_per_unit',
  'display_in_currency',
  'enable_data_export',
  'mj_notify_enabled',
  'data_export_default_time',
  ...moduleFlags,
] as const satisfies StorageKey[]

/** Stores the status and its mirrored flags under the localStorage keys that existing clients read. */
export const applyStatus = (value: unknown): boolean => {
  const status = asStatus(value)
  if (!status) return false
  statusStore.set(status)
  writeJson('status', status)
  for (const key of mirrored) {
    const value = ownMember(status, key)
    writeText(key, value === undefined ? undefined : String(value))
  }
  writeJson('chats', status.chats)
  // Only a first visit takes the site's default: afterwards the person's own choice lives under this key.
  if (readText('default_collapse_sidebar') === null)
    writeText('default_collapse_sidebar', String(status.default_collapse_sidebar))
  return true
}

/** The status object that the server writes into the page; undefined in a page that no server filled in. */
export const statusInPage = (page: Document): unknown => {
  const text = page.getElementById('status')?.textContent?.trim() ?? ''
  return text.startsWith('{') ? parseJson(text) : undefined
}

/** Why the status could not be loaded; shown above the page while the console uses the assumed one. */
export const statusProblem = createStore<'unreachable' | 'statusFailed' | undefined>(undefined)
