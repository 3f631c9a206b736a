#!/usr/bin/env node
// Whatever Node starts this, Tollgate runs on the one that came with the dependencies; so plain JavaScript.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
const command = process.platform === 'win32' ? 'node.exe' : 'node'
const installed = [join(root, 'node_modules/.bin', command), join(root, '../.bin', command)].find((path) =>
  existsSync(path),
)
const node = installed ?? process.execPath
if (installed === undefined) await import('../need-node.mjs')

// Without flags for the heap: the server chooses them by the memory of the machine or the container.
const child = spawn(node, [join(root, 'scripts/tollgate/tollgate.ts'), ...process.argv.slice(2)], {
  stdio: 'inherit',
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
child.on('error', (error) => {
  process.stderr.write(`${node} cannot be started: ${error.message}\n`)
  process.exitCode = 1
})
child.on('exit', (code, signal) => {
  process.exitCode = code ?? (signal === null ? 1 : 128)
})
