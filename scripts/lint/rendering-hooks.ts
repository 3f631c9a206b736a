import { relative } from 'node:path'
import {
  type FunctionDeclaration,
  type Identifier,
  type Node,
  SyntaxKind,
  type VariableDeclaration,
  type VariableStatement,
} from 'typescript/unstable/ast'
import { API } from 'typescript/unstable/sync'

interface Hook {
  readonly name: string
  readonly body: Node
}

const isHookName = (name: string): boolean => /^use[A-Z]/.test(name)

const nameOf = (node: Node | undefined): string =>
  node?.kind === SyntaxKind.Identifier ? (node as Identifier).text : ''

/** The functions of a file, not of a function within it, that are named as hooks. */
const hooksOf = (file: Node): Hook[] => {
  const found: Hook[] = []
  file.forEachChild((statement) => {
    if (statement.kind === SyntaxKind.FunctionDeclaration)
      found.push({ name: nameOf((statement as FunctionDeclaration).name), body: statement })
    if (statement.kind === SyntaxKind.VariableStatement)
      for (const variable of (statement as VariableStatement).declarationList
        .declarations as readonly VariableDeclaration[])
        found.push({ name: nameOf(variable.name), body: variable })
  })
  return found.filter(({ name }) => isHookName(name))
}

const isJsx = ({ kind }: Node): boolean =>
  kind === SyntaxKind.JsxElement || kind === SyntaxKind.JsxSelfClosingElement || kind === SyntaxKind.JsxFragment

const holdsJsx = (node: Node): boolean => {
  let found = isJsx(node)
  if (!found)
    node.forEachChild((child) => {
      found ||= holdsJsx(child)
    })
  return found
}

/**
 * Finds hooks that render: file-level functions named `use…` that hold JSX. A hook returns state and actions; a component
 * renders them. `config` is a tsconfig.json; returns a line for each hook.
 */
export const findRenderingHooks = (config: string, root: string, isChecked: (path: string) => boolean): string[] => {
  const api = new API({ cwd: root })
  try {
    const project = api.updateSnapshot({ openProjects: [config] }).getProject(config)
    if (project === undefined) throw new Error(`${config} could not be opened.`)
    return project.program.getSourceFileNames().flatMap((path) => {
      const file = isChecked(path) ? project.program.getSourceFile(path) : undefined
      if (file === undefined) return []
      return hooksOf(file)
        .filter(({ body }) => holdsJsx(body))
        .map(({ name }) => `${relative(root, path)}: ${name}`)
    })
  } finally {
    api.close()
  }
}
