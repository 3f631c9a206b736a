import { options } from '@tollgate/contract/options/index'
import { ownMember } from '@tollgate/contract/own-member'
import type { Option } from '../../../lib/api/contract.ts'
import type { Key } from '../registry.ts'

const registry: Readonly<Record<Key, Option<unknown>>> = options

/** An option with its schema. It brings the schema library: only for files that come on demand. */
export const fullOptionOf = (key: Key): Option<unknown> => {
  const option = ownMember(registry, key)
  if (!option) throw new Error(`No option ${key}`)
  return option
}
