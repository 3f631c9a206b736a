// Preloaded into a server: counts every entry into a function of server/src and of modules while tracing is on.
import { subscribe } from 'node:diagnostics_channel'
import { readFileSync } from 'node:fs'
import { registerHooks, stripTypeScriptTypes } from 'node:module'
import { fileURLToPath } from 'node:url'
import MagicString from 'magic-string'
import { parseSync } from 'vite'

const root = fileURLToPath(new URL('../../', import.meta.url))
const files = []
let entries
let lastEntered = performance.now()

globalThis.__entered = (file, name) => {
  lastEntered = performance.now()
  entries?.push([file, name])
}

/** Milliseconds without a job after which what earlier calls left for the database is written. */
const quietMs = 600
/** Jobs that come more often than that do not hold a trace up for ever. */
const mostWaitMs = 5000
/** What a call leaves to do after its answer is done by then, and what is written in batches has not begun. */
const settleMs = 250

const whenQuiet = (begin, since = performance.now()) => {
  const now = performance.now()
  if (now - lastEntered >= quietMs || now - since >= mostWaitMs) begin()
  else setTimeout(whenQuiet, 20, begin, since)
}

// Timers of one process fire in their order, however busy the machine is: the parent would report too late.
subscribe('http.server.response.finish', () => {
  if (entries === undefined) return
  setTimeout(() => {
    const trace = (entries ?? []).map(([file, name]) => [files[file], name])
    entries = undefined
    process.send({ trace })
  }, settleMs)
})

process.on('message', (message) => {
  if (message !== 'trace') return
  whenQuiet(() => {
    entries = []
    process.send({ ready: true })
  })
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
