import { parseAst } from 'vite'

/** A node of a syntax tree. */
type Node = Readonly<Record<string, unknown>> & { readonly type: string }

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'

/** The constant that an expression stands for; undefined where it is none. Objects may only have constant members. */
const constantOf = (node: unknown): unknown => {
  if (!isNode(node)) return undefined
  switch (node.type) {
    case 'Literal':
      return node.value
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
      return constantOf(node.expression)
    case 'TemplateLiteral': {
      const [quasi] = node.quasis as readonly { value: { cooked: string } }[]
      return (node.expressions as readonly unknown[]).length === 0 ? quasi?.value.cooked : undefined
    }
    case 'BinaryExpression': {
      const [left, right] = [constantOf(node.left), constantOf(node.right)]
      return typeof left === 'string' && typeof right === 'string' ? left + right : undefined
    }
    case 'ObjectExpression': {
      const members = (node.properties as readonly Node[]).map((property): [string, unknown] | undefined => {
        if (property.type !== 'Property' || property.computed === true) return undefined
        const key = property.key as { name?: string; value?: unknown }
        const value = constantOf(property.value)
        return value === undefined ? undefined : [key.name ?? String(key.value), value]
      })
      const whole = members.filter((member) => member !== undefined)
      return whole.length === members.length ? Object.fromEntries(whole) : undefined
    }
    default:
      return undefined
  }
}

const visit = (value: unknown, found: (node: Node) => void): void => {
  if (Array.isArray(value)) for (const entry of value) visit(entry, found)
  else if (isNode(value)) {
    found(value)
    for (const member of Object.values(value)) visit(member, found)
  }
}

export interface SourcePair {
  readonly zh: string
  readonly en: string
}
export interface SourceMessages {
  readonly zh: Readonly<Record<string, string>>
  readonly en: Readonly<Record<string, string>>
}

const isPair = (value: unknown): value is SourcePair =>
  typeof value === 'object' &&
  value !== null &&
  Object.keys(value).toSorted().join() === 'en,zh' &&
  Object.values(value).every((text) => typeof text === 'string')

export interface Found {
  /** Messages of `defineMessages` by namespace. */
  readonly messages: readonly { namespace: string; messages: SourceMessages }[]
  /** Texts in both sources that stand alone, such as the title of a page. */
  readonly pairs: readonly SourcePair[]
}

/** Reads the texts of a source file without running it. Throws where messages are not constants. */
export const readLiterals = (path: string, source: string): Found => {
  const messages: { namespace: string; messages: SourceMessages }[] = []
  const pairs: SourcePair[] = []
  visit(parseAst(source, { lang: path.endsWith('x') ? 'tsx' : 'ts' }).body, (node) => {
    if (node.type === 'ObjectExpression') {
      const value = constantOf(node)
      if (isPair(value)) pairs.push(value)
    }
    if (node.type !== 'CallExpression' || (node.callee as { name?: string }).name !== 'defineMessages') return
    const [namespace, texts] = (node.arguments as readonly unknown[]).map(constantOf)
    if (typeof namespace !== 'string' || texts === undefined)
      throw new Error(`${path}: messages have to be constants, so that they can be translated`)
    messages.push({ namespace, messages: texts as SourceMessages })
  })
  return { messages, pairs }
}
