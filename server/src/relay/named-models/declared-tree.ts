import { declaredRequestMembers, type RequestMeaning } from '../../billing/declared/request-members.ts'
import { foldedName } from './member-names.ts'

/** One declared member, and those below it by their folded names. */
export interface DeclaredNode {
  meaning?: RequestMeaning
  readonly below: Map<string, DeclaredNode>
  /** Every name that is not among `below`. */
  any?: DeclaredNode
}

const newNode = (): DeclaredNode => ({ below: new Map() })

const nodeBelow = (node: DeclaredNode, name: string): DeclaredNode => {
  if (name === '*') {
    node.any ??= newNode()
    return node.any
  }
  const key = foldedName(name)
  const known = node.below.get(key)
  if (known !== undefined) return known
  const made = newNode()
  node.below.set(key, made)
  return made
}

const compiled = (): DeclaredNode => {
  const root = newNode()
  for (const { members } of declaredRequestMembers)
    for (const [path, meaning] of Object.entries(members)) {
      let node = root
      for (const name of path.split('.')) node = nodeBelow(node, name)
      node.meaning = meaning
    }
  return root
}

/** The table of members that choose a model, compiled once. */
export const declaredTree: DeclaredNode = compiled()

/** The declaration of a member by its name; undefined for none. */
export const declaredBelow = (node: DeclaredNode | undefined, name: string): DeclaredNode | undefined =>
  node?.below.get(foldedName(name)) ?? node?.any
