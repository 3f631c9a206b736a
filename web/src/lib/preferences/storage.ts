import { parseJson } from '@tollgate/contract/json'
import type { StatusFlag } from '../api/contract.ts'

/**
 * The agreed keys of localStorage, which earlier consoles share. Keys of tables carry the
 * table's name behind a colon.
 */
export type StorageKey =
  | 'user'
  | 'status'
  | 'system_name'
  | 'logo'
  | 'footer_html'
  | 'docs_link'
  | 'quota_per_unit'
  | 'display_in_currency'
  | StatusFlag
  | 'mj_notify_enabled'
  | 'data_export_default_time'
  | 'default_collapse_sidebar'
  | 'chats'
  | 'theme-mode'
  | 'typeface'
  | 'i18nextLng'
  | 'page-size'
  | 'modelsExpanded'
  | 'aff'
  | 'playground'
  | 'notice'
  | 'new-year'
  | 'chat-permissions'
  | 'id-sort'
  | `page-size:${string}`
  | `preferences:${number}`
  | `guide-height:${number}`
  | `table-view:${string}`

/** Null when absent or when the browser forbids storage (private windows). */
export const readText = (key: StorageKey): string | null => {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** Storage may be full or forbidden: a preference that cannot be kept is no failure. */
export const writeText = (key: StorageKey, value: string | undefined): void => {
  try {
    if (value === undefined) localStorage.removeItem(key)
    else localStorage.setItem(key, value)
  } catch {
    return
  }
}

/** Undefined when absent or unreadable. */
export const readJson = (key: StorageKey): unknown => {
  const text = readText(key)
  return text === null ? undefined : parseJson(text)
}

export const writeJson = (key: StorageKey, value: unknown): void => writeText(key, JSON.stringify(value))
