import type { UsageDimension } from '../../lib/api/contract.ts'
import type { SayDashboard } from './messages.ts'

interface Named {
  readonly key: string
  readonly name: string
  readonly owner?: string | undefined
  readonly rest: boolean
}

/** The display name of a share of the figures. */
export const nameOf = (by: UsageDimension, { key, name, owner, rest }: Named, say: SayDashboard): string => {
  if (rest) return say('rest')
  if (by === 'token' && key === '0') return say('playground')
  if (by === 'channel' && key === '0') return say('noChannel')
  if (name !== '') return owner ? `${name} · ${owner}` : name
  return /^\d+$/.test(key) ? say('unknownId', { id: key }) : say('unnamed')
}

/** The filters of the usage log that show the rows of a share; undefined where it has none of its own. */
export const logSearchOf = (
  by: UsageDimension,
  { key, name, owner, rest }: Named,
  { from, to }: { from: number; to: number },
): Record<string, string> | undefined => {
  if (rest || (by !== 'channel' && name === '') || (by === 'channel' && key === '0')) return undefined
  const range = `${from}..${to - 1}`
  switch (by) {
    case 'model':
      return { range, model_name: `"${name}"` }
    case 'group':
      return { range, group: name }
    case 'token':
      return { range, token_name: name, ...(owner ? { username: owner } : {}) }
    case 'user':
      return { range, username: name }
    case 'channel':
      return { range, channel: key }
  }
}
