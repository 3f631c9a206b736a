import { isObject } from '@tollgate/contract/json'
import { readObject, withMember } from './json-text.ts'

/** Headers and direct calls of a channel as form fields; the rest of the settings is JSON. */
export interface DirectValues {
  readonly setting: string
  /** JSON of header names and values. */
  readonly headers: string
  readonly rawGroups: readonly string[]
  /** Ids of API keys, separated by commas. */
  readonly rawKeys: string
  /** One beginning of a path per line. */
  readonly rawPaths: string
  /** Units of currency; empty for none. */
  readonly rawPrice: string
  /** True if everybody who may call directly reads what others have made. */
  readonly rawShared: boolean
}

const headersMember = 'header_override'
const rawMember = 'passthrough'

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const partsOf = (text: string, separator: RegExp): string[] =>
  text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '')

/** Ids in a text of numbers and commas; undefined for anything else. */
export const keyIdsOf = (text: string): number[] | undefined => {
  const parts = partsOf(text.replaceAll('，', ','), /,/)
  return parts.every((part) => /^[1-9]\d{0,14}$/.test(part)) ? parts.map(Number) : undefined
}

/** Takes headers and direct calls out of the settings; what has another shape stays in them, where it can be corrected. */
export const splitDirect = (setting: string): DirectValues => {
  const { [headersMember]: headers, [rawMember]: raw } = readObject(setting) ?? {}
  const hasHeaders = isObject(headers)
  const { groups, keys, paths, price, shared } = isObject(raw) ? raw : {}
  const withoutHeaders = hasHeaders ? withMember(setting, headersMember, undefined) : setting
  return {
    setting: isObject(raw) ? withMember(withoutHeaders, rawMember, undefined) : withoutHeaders,
    headers: hasHeaders ? JSON.stringify(headers, null, 2) : '',
    rawGroups: listOf(groups).map(String),
    rawKeys: listOf(keys).join(', '),
    rawPaths: listOf(paths).join('\n'),
    rawPrice: typeof price === 'number' ? String(price) : '',
    rawShared: shared === true,
  }
}

/** The settings with them; what was typed into the settings stays where the fields are empty. */
export const joinDirect = ({ setting, headers, rawGroups, rawKeys, ...raw }: DirectValues): string => {
  if (readObject(setting) === undefined) return setting
  const set = readObject(headers) ?? {}
  const withHeaders = Object.keys(set).length === 0 ? setting : withMember(setting, headersMember, set)
  const keys = keyIdsOf(rawKeys) ?? []
  if (rawGroups.length === 0 && keys.length === 0) return withHeaders
  const price = raw.rawPrice.trim() === '' ? {} : { price: Number(raw.rawPrice) }
  const shared = raw.rawShared ? { shared: true } : {}
  const paths = partsOf(raw.rawPaths, /\n/)
  return withMember(withHeaders, rawMember, { groups: rawGroups, keys, paths, ...shared, ...price })
}
