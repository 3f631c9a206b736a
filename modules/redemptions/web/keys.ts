import { mostRedemptions } from 'virtual:contract'
import type { Column } from '#web/components/data-table/columns/column.ts'
import { call } from '#web/lib/api/api.ts'
import { calls } from '#web/lib/api/contract.ts'
import type { SayRedemption } from './messages.ts'

export interface NamedKey {
  readonly name: string
  readonly key: string
}

/** The whole keys of some codes. Lists carry masked ones only, so it takes calls of their own. */
export const revealKeys = async (ids: readonly number[]): Promise<(NamedKey & { id: number })[]> => {
  const found: (NamedKey & { id: number })[] = []
  for (let start = 0; start < ids.length; start += mostRedemptions) {
    const some = ids.slice(start, start + mostRedemptions)
    found.push(...(await call(calls.revealRedemptions, { body: { ids: [...some] } })))
  }
  return found
}

/** Lines of `name    key`, the established format for copied codes. */
export const keyLines = (keys: readonly NamedKey[]): string =>
  keys.map(({ name, key }) => `${name}    ${key}`).join('\n')

/** The content of a file of new codes. */
export const keyColumns = (say: SayRedemption): readonly Column<NamedKey>[] => [
  { id: 'name', header: say('name'), cell: ({ name }) => name, value: ({ name }) => name },
  { id: 'key', header: say('key'), cell: ({ key }) => key, value: ({ key }) => key },
]

/** Hands one code per line to the browser as a text file. */
export const saveKeyText = (name: string, keys: readonly string[]): void => {
  const address = URL.createObjectURL(new Blob([keys.join('\n')], { type: 'text/plain;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = address
  link.download = `${name}.txt`
  link.click()
  URL.revokeObjectURL(address)
}
