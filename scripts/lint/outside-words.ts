import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { type AsExpression, type ElementAccessExpression, type Node, SyntaxKind } from 'typescript/unstable/ast'
import { API } from 'typescript/unstable/sync'

/** Ends a line whose look-up needs no check, with the reason behind it. */
const pardon = '// own names:'

const isLiteral = ({ kind }: Node): boolean => kind === SyntaxKind.StringLiteral || kind === SyntaxKind.NumericLiteral

const nodesOf = (file: Node): Node[] => {
  const found: Node[] = []
  const visit = (node: Node): void => {
    if (node.kind === SyntaxKind.ElementAccessExpression || node.kind === SyntaxKind.BinaryExpression) found.push(node)
    node.forEachChild(visit)
  }
  visit(file)
  return found
}

/** Expression within casts: `text as Name` is as open as `text`. */
const withoutCast = (node: Node): Node =>
  node.kind === SyntaxKind.AsExpression ? withoutCast((node as AsExpression).expression) : node

/** The word by which a node looks something up: the key of `table[key]`, the left side of `key in table`. */
const keyOf = (node: Node): Node | undefined => {
  if (node.kind === SyntaxKind.ElementAccessExpression) return (node as ElementAccessExpression).argumentExpression
  const { left, operatorToken } = node as unknown as { left: Node; operatorToken: Node }
  return operatorToken.kind === SyntaxKind.InKeyword ? left : undefined
}

/**
 * Finds look-ups of members by words that the types do not bound: `table[word]` and `word in table` where the word is any
 * string. Such a word may come from outside and be `constructor` or `__proto__`, which every object has. A Map,
 * `ownMember` or `Object.hasOwn` finds only what was put there. Words of a closed union and numbers pass.
 * Answers a line for each; `config` is a tsconfig.json.
 */
export const findOutsideLookups = (config: string, root: string, isChecked: (path: string) => boolean): string[] => {
  const api = new API({ cwd: root })
  try {
    const project = api.updateSnapshot({ openProjects: [config] }).getProject(config)
    if (project === undefined) throw new Error(`${config} could not be opened.`)
    const { program, checker } = project
    return program.getSourceFileNames().flatMap((path) => {
      const file = isChecked(path) ? program.getSourceFile(path) : undefined
      if (file === undefined) return []
      const text = readFileSync(path, 'utf8')
      const lines = text.split('\n')
      return nodesOf(file).flatMap((node) => {
        const key = keyOf(node)
        if (key === undefined || isLiteral(key)) return []
        const type = checker.getTypeAtLocation(withoutCast(key))
        if (type === undefined || !/\b(string|any|unknown)\b|`/.test(checker.typeToString(type))) return []
        const line = text.slice(0, node.end).split('\n').length
        if (lines[line - 1]?.includes(pardon)) return []
        return [`${relative(root, path)}:${line}: ${text.slice(node.pos, node.end).trim()}`]
      })
    })
  } finally {
    api.close()
  }
}
