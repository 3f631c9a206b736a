import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

/** The server restarts on change; Vite serves the console on 5173 and passes calls on to it. */
const children: ChildProcess[] = [
  spawn(process.execPath, ['--watch', join(root, 'server/src/main.ts')], { stdio: 'inherit', cwd: root }),
  spawn(process.execPath, [join(root, 'node_modules/vite/bin/vite.js')], { stdio: 'inherit', cwd: join(root, 'web') }),
]

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    for (const child of children) child.kill(signal)
  })
}
