import type { RelayChannel } from '../ports.ts'

/** Stands for the channel's key in the value of a header. */
const keyPlace = '{api_key}'

/**
 * The headers of a call with those that its channel sets: an empty value takes one away. The same object where it sets none, as
 * almost always.
 */
export const withHeaderOverride = (
  headers: Record<string, string>,
  { headerOverride }: Pick<RelayChannel, 'headerOverride'>,
  key: string,
): Record<string, string> => {
  if (headerOverride === undefined) return headers
  const names = new Set(headerOverride.keys())
  const kept = Object.entries(headers).filter(([name]) => !names.has(name.toLowerCase()))
  const set = [...headerOverride].filter(([, value]) => value !== '')
  return Object.fromEntries([...kept, ...set.map(([name, value]) => [name, value.replaceAll(keyPlace, key)])])
}
