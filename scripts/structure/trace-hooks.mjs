// Preloaded into a server: counts every entry into a function of server/src and of modules while tracing is on.
import { readFileSync } from 'node:fs'
import { registerHooks, stripTypeScriptTypes } from 'node:module'
import { fileURLToPath } from 'node:url'
import MagicString from 'magic-string'
import { parseSync } from 'vite'

const root = fileURLToPath(new URL('../../', import.meta.url))
const files = []
let entries

globalThis.__entered = (file, name) => {
  entries?.push([file, name])
}

process.on('message', (message) => {
  if (message === 'trace') entries = []
  if (message !== 'report') return
  process.send({ trace: (entries ?? []).map(([file, name]) => [files[file], name]) })
  entries = undefined
})

const nameOf = (node, parent) =>
  node.id?.name ?? parent?.key?.name ?? parent?.id?.name ?? parent?.key?.value ?? `anonymous@${node.start}`

const isFunction = ({ type }) => /^(ArrowFunctionExpression|FunctionExpression|FunctionDeclaration)$/.test(type)

/** Puts a call at the beginning of every function body. */
const instrumented = (path, source) => {
  const text = new MagicString(source)
  const file = files.push(path) - 1
  const visit = (node, parent) => {
    if (node === null || typeof node !== 'object') return
    if (Array.isArray(node)) {
      for (const child of node) visit(child, parent)
      return
    }
    if (typeof node.type === 'string' && isFunction(node) && node.body) {
      const call = `__entered(${file}, ${JSON.stringify(nameOf(node, parent))})`
      if (node.body.type === 'BlockStatement') text.appendRight(node.body.start + 1, `${call};`)
      else {
        // The value of an arrow function may stand in brackets that the tree does not show.
        const arrow = source.lastIndexOf('=>', node.body.start)
        text.appendRight(arrow + 2, `(${call}, `)
        text.appendLeft(node.end, ')')
      }
    }
    for (const [key, child] of Object.entries(node))
      if (key !== 'parent') visit(child, typeof node.type === 'string' ? node : parent)
  }
  visit(parseSync(path, source, { lang: 'js' }).program)
  return text.toString()
}

registerHooks({
  load(url, context, next) {
    if (
      !url.startsWith('file:') ||
      !/\/(server\/src|modules\/[\w-]+\/server)\/[^?]*\.ts$/.test(url) ||
      url.includes('worker')
    )
      return next(url, context)
    const path = fileURLToPath(url)
    const source = stripTypeScriptTypes(readFileSync(path, 'utf8'))
    const shown = path.slice(root.length).replace(/^server\/src\//, '')
    return { format: 'module', shortCircuit: true, source: instrumented(shown, source) }
  },
})
