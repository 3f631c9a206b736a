// Preloaded into the processes of a node with workers: counts what each asks its primary, by the name of the question. SIGUSR2 writes the
// counts to a file of COUNTED_QUESTIONS, a folder, named after the process, and begins anew.
import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isMainThread } from 'node:worker_threads'

const folder = process.env.COUNTED_QUESTIONS
const { send } = process

if (isMainThread && folder !== undefined && send !== undefined) {
  let counts = {}
  process.send = (messages, ...rest) => {
    for (const [kind, , service] of Array.isArray(messages) ? messages : [])
      if (kind === 'ask') counts[service] = (counts[service] ?? 0) + 1
    return send.call(process, messages, ...rest)
  }
  process.on('SIGUSR2', () => {
    const file = join(folder, String(process.pid))
    writeFileSync(`${file}.part`, JSON.stringify(counts))
    renameSync(`${file}.part`, file)
    counts = {}
  })
}
